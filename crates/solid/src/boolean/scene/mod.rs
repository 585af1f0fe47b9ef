//! All faces of the meshes that are combined, on a device, where kernels decide about those that meet none.
mod ask;
mod find;
mod kept;
mod volume;

use crate::arrange::{Grid, Ranges};
use crate::boolean::kernels::places::{LARGEST, MeasurePositions, NOT_FINITE, PutOnGrid, ROUNDED, TurnRange};
use crate::boolean::kernels::result::CopyCorners;
use crate::boolean::on_grid::on_grid;
use crate::intersections::Triangles;
use crate::repair::rows;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error, Result};

pub(crate) use find::Wanted;
pub(crate) use kept::Kept;
pub(crate) use volume::{middle, volume};

/// Faces of the result, each with its state.
pub(crate) type Stated = Vec<[u32; 2]>;
/// Vertices of faces, and their positions.
pub(crate) type Listed = (Vec<[u32; 3]>, Vec<[Vec3; 3]>);

/// Corners of a face.
pub(crate) type Corners = [[f32; 3]; 3];

/// Faces of several meshes on a device.
pub(crate) struct Scene {
    device: Device,
    pub(crate) origin: DVec3,
    /// The factor that makes integers of positions.
    pub(crate) scale: f64,
    pub(crate) largest: f32,
    pub(crate) starts: Ranges,
    /// Vertices that were not on the grid, and their positions there.
    pub(crate) rounded: (Vec<u32>, Vec<DVec3>),
    /// Positions relative to the origin, on the grid.
    points: Buffer<Vec3>,
    /// Three vertices for each face.
    faces: Buffer<u32>,
    tree: Bvh,
    /// For each face [`FLAT`], [`WHOLE`] or [`CUT`].
    kinds: Buffer<u32>,
    /// For each whole face the least face of the set to which it is joined.
    roots: Buffer<u32>,
    /// For each face whether it is in the result, and turned there.
    states: Buffer<u32>,
}

/// Positions of corners.
fn positions(corners: Vec<Corners>) -> Vec<[Vec3; 3]> {
    corners.into_iter().map(|corners| corners.map(Vec3::from_array)).collect()
}

/// The place of a number in an ascending list that has it.
pub(crate) fn place(list: &[u32], number: u32) -> u32 {
    list.partition_point(|&other| other < number) as u32
}

/// The vertices that are not on a grid around an origin, and their positions there: where a predicate takes a
/// coordinate for another one, the result has to have that one, too.
fn rounded(positions: &[DVec3], origin: DVec3, scale: f64) -> (Vec<u32>, Vec<DVec3>) {
    let of_vertex = |(v, &at): (usize, &DVec3)| {
        let point = (at - origin).as_vec3();
        let there = on_grid(point, scale);
        let moved = point.cmpne(there);
        let at =
            |axis: usize| if moved.test(axis) { origin[axis] + f64::from(there[axis]) } else { at[axis] };
        moved.any().then(|| (v as u32, DVec3::new(at(0), at(1), at(2))))
    };
    positions.par_iter().enumerate().filter_map(of_vertex).unzip()
}

impl Scene {
    /// The faces of meshes whose faces follow each other. Positions become relative to the origin, and are
    /// rounded to the grid.
    pub(crate) fn new(
        positions: &Buffer<DVec3>,
        faces: Buffer<u32>,
        starts: Vec<u32>,
        origin: DVec3,
    ) -> Result<Self> {
        let device = faces.device().clone();
        let n = positions.len() as u32;
        let mut found = device.zeros::<u32>(3)?;
        let around = origin.to_array();
        let measure =
            MeasurePositions { positions: positions.view(), origin: around, n, facts: found.view_mut() };
        device.launch(tiles(n), measure)?;
        let facts = found.read()?;
        if facts[NOT_FINITE as usize] != 0 {
            return Err(Error::NotFinite { vertex: !facts[NOT_FINITE as usize] as usize });
        }
        let largest = f32::from_bits(facts[LARGEST as usize]);
        let scale = Grid::scale_for(largest);
        let mut points = device.unspecified::<Vec3>(n as usize)?;
        let put = PutOnGrid {
            origin: around,
            scale,
            exact: positions.view(),
            points: points.view_mut(),
            facts: found.view_mut(),
        };
        device.launch_each(n, put)?;
        let is_rounded = found.read()?[ROUNDED as usize] != 0;
        let rounded =
            if is_rounded { rounded(&positions.read()?, origin, scale) } else { Default::default() };
        let tree = Bvh::from_buffers(&points, &faces)?;
        let empty = || device.zeros::<u32>(0);
        let (kinds, roots, states) = (empty()?, empty()?, empty()?);
        let starts = Ranges(starts);
        Ok(Self {
            origin,
            scale,
            largest,
            starts,
            rounded,
            points,
            faces,
            tree,
            kinds,
            roots,
            states,
            device,
        })
    }
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }
    fn count(&self) -> u32 {
        (self.faces.len() / 3) as u32
    }
    /// Number of vertices.
    pub(crate) fn vertices(&self) -> u32 {
        self.points.len() as u32
    }
    fn triangles(&self) -> Triangles<'_> {
        Triangles { positions: &self.points, faces: &self.faces }
    }
    /// The faces of a mesh: the first one, and their number.
    fn range(&self, mesh: usize) -> [u32; 2] {
        let [first, end] = [self.starts.0[mesh], self.starts.0[mesh + 1]];
        [first, end - first]
    }
    /// Turns the faces of a mesh around. Returns the first one, and their number.
    pub(crate) fn turn(&mut self, mesh: usize) -> Result<[u32; 2]> {
        let [first, n] = self.range(mesh);
        let turn = TurnRange { first, faces: self.faces.view_mut().wide() };
        self.device.clone().launch_each(n, turn)?;
        Ok([first, n])
    }
    /// The corners of listed faces. Does not wait.
    fn listed_corners(&self, list: &Buffer<u32>) -> Result<Buffer<Corners>> {
        let mut corners = self.device.unspecified::<Corners>(list.len())?;
        let copy = CopyCorners {
            list: list.view(),
            points: self.points.view(),
            faces: self.faces.view().wide(),
            corners: corners.view_mut(),
        };
        self.device.launch_each(list.len() as u32, copy)?;
        Ok(corners)
    }
    fn corners(&self, list: &Buffer<u32>) -> Result<Vec<[Vec3; 3]>> {
        Ok(positions(self.listed_corners(list)?.read()?))
    }
    /// The vertices of faces, and their positions.
    pub(crate) fn faces(&self, list: &[u32]) -> Result<Listed> {
        self.listed(&self.device.upload(list)?)
    }
    /// The vertices of faces in a list on the device, and their positions.
    fn listed(&self, list: &Buffer<u32>) -> Result<Listed> {
        let (vertices, corners) = (rows(&self.faces, list)?, self.listed_corners(list)?);
        Ok((vertices.read()?.as_chunks().0.to_vec(), positions(corners.read()?)))
    }
}
