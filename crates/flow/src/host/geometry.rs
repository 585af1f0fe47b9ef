//! Obstacles, and the open fractions of faces.
use super::error::{FlowError, Result};
use crate::device::cells::Cells;
use crate::device::cut::{MarkFaces, OpenFractions, PlaceVertices, WORDS, rows};
use crate::device::solid::Boundary;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::{DMat3, DQuat, DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_solid::inside::{InsideTest, Triangles};

/// How an obstacle moves: as a rigid body, evenly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// The velocity of the centre.
    pub velocity: [f64; 3],
    /// The centre at the beginning, in the box.
    pub centre: [f64; 3],
    /// The axis of the rotation, times radians in a unit of time.
    pub turn: [f64; 3],
}
impl Motion {
    /// Whether nothing moves.
    pub fn is_rest(&self) -> bool {
        self.velocity == [0.0; 3] && self.turn == [0.0; 3]
    }
    fn is_finite(&self) -> bool {
        [self.velocity, self.centre, self.turn].as_flattened().iter().all(|x| x.is_finite())
    }
    /// The rotation since the beginning, and what is added to rotated positions.
    fn at(&self, time: f64) -> (DMat3, DVec3) {
        let [velocity, centre, turn] = [self.velocity, self.centre, self.turn].map(DVec3::from_array);
        let rotation = DMat3::from_quat(DQuat::from_scaled_axis(time * turn));
        (rotation, centre + time * velocity - rotation * centre)
    }
}

/// A closed mesh that is solid inside.
pub struct Obstacle {
    /// Positions at the beginning.
    first: Buffer<Vec3>,
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
    motion: Motion,
}

impl Obstacle {
    /// A mesh in the coordinates of the box, whose corner is the origin. Parts of it may be outside of the
    /// box. Its faces may have any orientation: inside is where rays cross it an odd number of times.
    /// # Errors
    /// [`Error::NoFaces`]; [`Error::NotFinite`] names a vertex; [`Error::IndexOutOfRange`] names a face;
    /// [`Error::Option`] for a motion that is not finite; [`FlowError::Open`]; out of memory; errors of the
    /// driver.
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]], motion: Motion) -> Result<Self> {
        if faces.is_empty() {
            return Err(Error::NoFaces { what: "the obstacle" }.into());
        }
        if !motion.is_finite() {
            let (value, expected) = (format!("{motion:?}"), "finite numbers");
            return Err(Error::Option { option: "motion", value, expected }.into());
        }
        let first = device.upload(positions)?;
        let faces = device.upload(faces.as_flattened())?;
        let test = InsideTest::new(Triangles { positions: &first, faces: &faces })?;
        if !test.is_closed()? {
            return Err(FlowError::Open);
        }
        drop(test);
        let positions = first.try_clone()?;
        Ok(Self { first, positions, faces, motion })
    }
    /// Its motion.
    pub fn motion(&self) -> Motion {
        self.motion
    }
    /// Positions of vertices at the time of the last step, and three vertices for each face.
    pub fn triangles(&self) -> (&Buffer<Vec3>, &Buffer<u32>) {
        (&self.positions, &self.faces)
    }
    /// Moves it to where it is at a time, and puts its velocity into the boundary.
    pub(super) fn move_to(&mut self, time: f64, boundary: &mut Boundary) -> Result<()> {
        let (rotation, shift) = self.motion.at(time);
        let [velocity, centre, turn] =
            [self.motion.velocity, self.motion.centre, self.motion.turn].map(DVec3::from_array);
        boundary.velocity = (velocity - turn.cross(centre + time * velocity)).as_vec3().to_array();
        boundary.turn = turn.as_vec3().to_array();
        let kernel = PlaceVertices {
            rotation: rotation.as_mat3().to_cols_array(),
            shift: shift.as_vec3(),
            from: self.first.view(),
            to: self.positions.view_mut(),
        };
        self.first.device().launch_each(self.first.len() as u32, kernel)?;
        Ok(())
    }
}

/// The open fractions of the faces of a grid, and the marks of those that have a velocity. 24 bytes for each
/// cell.
pub struct Geometry {
    cells: Cells,
    /// In 64ths, between 0 and 1.
    pub open: Buffer<f32>,
    pub marks: Buffer<u32>,
    /// Whether there may be faces that are not open.
    pub is_cut: bool,
    turns: Buffer<u32>,
}

impl Geometry {
    pub fn new(device: &Device, cells: Cells) -> Result<Self> {
        let nodes = cells.nodes() as usize;
        let (open, marks) = (device.zeros(3 * nodes)?, device.zeros(nodes)?);
        let turns = device.zeros(WORDS as usize * nodes)?;
        Ok(Self { cells, open, marks, is_cut: false, turns })
    }
    /// Takes the open fractions of these faces; `None` is as if nothing were there.
    pub fn given(&mut self, open: Option<&[f32]>) -> Result<()> {
        self.is_cut = open.is_some();
        match open {
            Some(open) => self.open.write(open)?,
            None => array::fill(&mut self.open, 1.0_f32)?,
        }
        self.mark()
    }
    /// Computes the open fractions around an obstacle. Builds its tree, and searches it for each line of
    /// points that comes near it, eight for each face along it.
    pub fn cut(&mut self, obstacle: &Obstacle) -> Result<()> {
        let device = self.open.device().clone();
        self.is_cut = true;
        let bvh = Bvh::from_buffers(&obstacle.positions, &obstacle.faces)?;
        let high = array::max(&obstacle.positions)?.unwrap_or_default();
        let end = (high + Vec3::splat(self.cells.edge)).to_array();
        for d in 0..3 {
            let rows = rows(&self.cells, d);
            let kernel = OpenFractions {
                cells: self.cells,
                d: d as u32,
                rows,
                bvh: bvh.view(),
                end,
                turns: self.turns.view_mut(),
                open: self.open.view_mut(),
            };
            device.launch(tiles(rows), kernel)?;
        }
        self.mark()
    }
    fn mark(&mut self) -> Result<()> {
        let device = self.open.device().clone();
        let kernel = MarkFaces { cells: self.cells, open: self.open.view(), marks: self.marks.view_mut() };
        Ok(device.launch(tiles(self.cells.nodes()), kernel)?)
    }
}
