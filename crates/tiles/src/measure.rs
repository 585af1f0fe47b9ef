//! Lengths and area of a mesh on disk.
use crate::level::{Level, Sizes};
use crate::look_up::{Table, look_up};
use crate::plan::Room;
use crate::{Result, disk};
use glam::{DVec3, Vec3};

/// Sums over all faces, in the units of the frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// The mean length of the sides of faces: an edge of two faces counts twice.
    pub mean: f64,
    /// The area.
    pub area: f64,
    /// The diagonal of the box around all vertices that faces have.
    pub diagonal: f64,
}

/// Measures the mesh of a level in one pass, or more where its vertices do not fit.
pub fn measure(level: &Level, sizes: Sizes, room: &Room) -> Result<Measured> {
    let (mut lengths, mut areas) = (0.0, 0.0);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let faces = |visit: &mut dyn FnMut([u32; 3]) -> Result<()>| {
        disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| {
            faces.iter().try_for_each(|&face| visit(face))
        })
    };
    let table = Table {
        file: &level.vertices(),
        rows: sizes.vertices,
        block: room.positions(),
        between: level.looked_up(),
    };
    look_up::<Vec3>(&faces, sizes.faces, &table, &mut |corners| {
        let [a, b, c]: [DVec3; 3] = corners.map(|p| p.as_dvec3());
        lengths += a.distance(b) + b.distance(c) + c.distance(a);
        areas += 0.5 * (b - a).cross(c - a).length();
        for p in corners {
            (low, high) = (low.min(p), high.max(p));
        }
        Ok(())
    })?;
    let mean = if sizes.faces > 0 { lengths / (3 * sizes.faces) as f64 } else { 0.0 };
    Ok(Measured { mean, area: areas, diagonal: (high - low).max(Vec3::ZERO).as_dvec3().length() })
}
