//! Times of a bounding volume hierarchy: building, and closest points.
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::bvh::{Bvh, Closest};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Op, StaticMesh, Vertex};
use std::cell::RefCell;

/// The distance of points from the surface, in mean edge lengths.
const OFF: f32 = 0.5;

/// Times building a tree over `mesh`, which is of `subject`, and searches for points at its vertices, moved a
/// little, in the order of the patches.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let x: Vec<Vec3> = subject.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &x)?;
    let faces = mesh.query(Op::FV)?;
    let bvh = Bvh::from_buffers(positions.buffer(), faces.values())?;
    let mut times = vec![clock.time(mesh, from, "build".into(), bvh.build_bytes(), None, || {
        Bvh::from_buffers(positions.buffer(), faces.values()).map(drop)
    })?];

    let points = moved(subject, &x);
    let points = Attribute::<Vertex, Vec3>::from_input(mesh, &points)?;
    let found = RefCell::new(bvh.closest(points.buffer(), None)?);
    let seeds: Vec<u32> = found.borrow().read()?.iter().map(|c| c.face).collect();
    let seeds = mesh.device().upload(&seeds)?;
    let floor = (12 * x.len() + size_of::<Closest>() * x.len() + bvh.bytes()) as u64;
    for (how, seeds) in [("", None), (", seeds", Some(&seeds))] {
        let name = format!("{} closest points{how}", x.len());
        let floor = floor + seeds.map_or(0, |s| s.bytes() as u64);
        times.push(clock.time(mesh, from, name, floor, None, || {
            bvh.closest_into(points.buffer(), seeds, &mut found.borrow_mut())
        })?);
    }
    Ok(times)
}

/// The vertices, each moved by about half an edge length in a direction of its own.
fn moved(subject: &Subject, x: &[Vec3]) -> Vec<Vec3> {
    let length = |f: &[u32; 3]| x[f[0] as usize].distance(x[f[1] as usize]);
    let sum: f64 = subject.faces.iter().map(|f| f64::from(length(f))).sum();
    let by = OFF * (sum / subject.faces.len() as f64) as f32;
    let direction = |i: usize| {
        // the golden angle around the axis, heights in turns
        let (turn, height) = (2.399_963 * i as f32, (i % 17) as f32 / 8.0 - 1.0);
        let radius = (1.0 - height * height).max(0.0).sqrt();
        Vec3::new(radius * turn.cos(), radius * turn.sin(), height)
    };
    x.iter().enumerate().map(|(i, p)| p + by * direction(i)).collect()
}
