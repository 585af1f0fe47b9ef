//! The holes of a mesh.
use crate::HolesError;
use crate::kernels::loops::{
    BeginHoles, BeginLabels, CloseThree, CountLoops, FlagLoops, SpreadLabels, WalkHoles,
};
use crate::sides::Sides;
use ribbonmesh::device::{GridArgument, NONE, tiles};
use ribbonmesh::{Buffer, Error, array};
use ribbonmesh_solid::intersections::Triangles;

/// The holes of a mesh on its device: boundary loops of more than three edges.
pub struct Holes<'a> {
    pub(crate) sides: Sides<'a>,
    /// Faces that close loops of three edges, where the flags are 1.
    pub(crate) closing: (Buffer<[u32; 3]>, Buffer<u32>),
    pub(crate) starts: Buffer<u32>,
    pub(crate) order: Buffer<u32>,
    /// The hole of each vertex in `order`.
    pub(crate) of: Buffer<u32>,
    /// The place in `order` of each vertex of the mesh, or [`NONE`].
    pub(crate) places: Buffer<u32>,
}

impl<'a> Holes<'a> {
    /// Finds the holes, by sections 3.5 and 3.6 of the paper: deletes the faces at vertices with more than
    /// two sides of the boundary until there are none, lets labels spread along the boundary, closes loops of
    /// three edges (of which faces that are alone are deleted), and lists the vertices of the other loops.
    /// The same on every machine.
    ///
    /// A radix sort of all sides, and about ten launches more; waits for six numbers, and one more for each
    /// round of deleting. 24 bytes for each side of a face, 16 for each vertex.
    /// # Errors
    /// [`HolesError::NotManifold`] and [`HolesError::Degenerate`]; [`Error::IndexOutOfRange`],
    /// [`Error::Length`], [`Error::OtherDevice`], [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn of(mesh: Triangles<'a>) -> Result<Self, HolesError> {
        let mut sides = Sides::of(mesh)?;
        let (device, vertices) = (mesh.device(), mesh.positions.len());
        let open = sides.boundary()?;
        let n = open.len() as u32;
        let (back, labels) = label(&sides, &open)?;
        let mut sizes = device.zeros::<u32>(vertices)?;
        let (sheet, list) = (sides.view(), open.view());
        device.launch_each(
            n,
            CountLoops { open: list, sheet, labels: labels.view(), sizes: sizes.view_mut() },
        )?;
        let mut three = device.unspecified::<u32>(open.len())?;
        let mut longer = device.unspecified::<u32>(open.len())?;
        let flag = FlagLoops {
            open: open.view(),
            sheet: sides.view(),
            labels: labels.view(),
            sizes: sizes.view(),
            three: three.view_mut(),
            longer: longer.view_mut(),
        };
        device.launch_each(n, flag)?;
        let closing = close(&mut sides, &open, &back, &array::select(&three)?)?;
        let list = array::select(&longer)?;
        let mut seeds = device.unspecified::<u32>(list.len())?;
        let mut starts = device.zeros::<u32>(list.len() + 1)?;
        let begin = BeginHoles {
            list: list.view(),
            open: open.view(),
            faces: mesh.faces.view(),
            sizes: sizes.view(),
            seeds: seeds.view_mut(),
            counts: starts.view_mut(),
        };
        device.launch_each(list.len() as u32, begin)?;
        let total = array::exclusive_scan(&mut starts)? as usize;
        let mut order = device.unspecified::<u32>(total)?;
        let mut of = device.unspecified::<u32>(total)?;
        let mut places = device.unspecified::<u32>(vertices)?;
        array::fill(&mut places, NONE)?;
        let walk = WalkHoles {
            seeds: seeds.view(),
            starts: starts.view(),
            back: back.view(),
            order: order.view_mut(),
            holes: of.view_mut(),
            places: places.view_mut(),
        };
        device.launch_each(list.len() as u32, walk)?;
        Ok(Self { sides, closing, starts, order, of, places })
    }
    /// Number of holes.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
    /// The place in [`Holes::order`] of the first vertex of each hole, and the end.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The vertices of the holes. Faces that fill a hole run along its vertices in this order.
    pub fn order(&self) -> &Buffer<u32> {
        &self.order
    }
}

/// The vertex before each vertex of the boundary, and the least vertex of its loop; all others have none.
fn label(sides: &Sides<'_>, open: &Buffer<u32>) -> Result<(Buffer<u32>, Buffer<u32>), Error> {
    let (device, vertices, n) = (sides.mesh.device(), sides.mesh.positions.len(), open.len() as u32);
    let mut back = device.unspecified::<u32>(vertices)?;
    let mut labels = device.unspecified::<u32>(vertices)?;
    let begin = BeginLabels {
        open: open.view(),
        sheet: sides.view(),
        back: back.view_mut(),
        labels: labels.view_mut(),
    };
    device.launch_each(n, begin)?;
    let mut changes = device.zeros::<u32>(1)?;
    let spread = SpreadLabels {
        grid: GridArgument::default(),
        open: open.view(),
        sheet: sides.view(),
        labels: labels.view_mut(),
        changes: changes.view_mut(),
    };
    device.launch_resident(tiles(n).min(device.multiprocessors()), spread)?;
    Ok((back, labels))
}

/// Closes listed loops of three edges.
fn close(
    sides: &mut Sides<'_>,
    open: &Buffer<u32>,
    back: &Buffer<u32>,
    list: &Buffer<u32>,
) -> Result<(Buffer<[u32; 3]>, Buffer<u32>), Error> {
    let mesh = sides.mesh;
    let device = mesh.device();
    let mut closing = device.unspecified::<[u32; 3]>(list.len())?;
    let mut flags = device.unspecified::<u32>(list.len())?;
    let close = CloseThree {
        list: list.view(),
        open: open.view(),
        faces: mesh.faces.view(),
        back: back.view(),
        alive: sides.alive.view_mut(),
        closing: closing.view_mut(),
        flags: flags.view_mut(),
    };
    device.launch_each(list.len() as u32, close)?;
    Ok((closing, flags))
}
