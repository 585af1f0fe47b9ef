//! From cells to boundary operators, on the device.
use super::cells::CellList;
use super::error::Result;
use super::mesh::Orientation;
use super::tcsr::{Tcsr, bits, count};
use crate::device::cells::{AppendFaces, CountHalfFaces, WriteHalfFaces};
use crate::device::edges::{EdgeKeys, MarkRuns, NumberEdges};
use crate::device::faces::{
    FaceKeys, HalfFacesArguments, LAST, MarkFaces, MarkTurned, NumberFaces, WHOLE, WriteFaces,
};
use glam::Vec3;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, array};

/// The three boundary operators.
pub struct Operators {
    pub ev: Tcsr,
    pub fe: Tcsr,
    pub cf: Tcsr,
}

/// Polygons around cells, and behind them polygons of no cell.
struct Half {
    starts: Buffer<u32>,
    corners: Buffer<u32>,
    /// The first half-face of each cell, and the end.
    cells: Buffer<u32>,
    of_cells: u32,
    all: u32,
}
impl Half {
    fn view(&self) -> HalfFacesArguments<'_> {
        HalfFacesArguments { starts: self.starts.view(), corners: self.corners.view() }
    }
}

/// Builds the operators of cells that have been checked.
pub fn operators(x: &Buffer<Vec3>, cells: &CellList, orientation: Orientation) -> Result<Operators> {
    let (device, vertices) = (x.device(), x.len() as u32);
    let half = half_faces(device, cells)?;
    let mut turned = device.unspecified::<u32>(0)?;
    if orientation == Orientation::ByVolume {
        turned = device.unspecified(half.of_cells as usize)?;
        let n = cells.len() as u32;
        let (all, to) = (half.view(), turned.view_mut());
        device.launch_each(n, MarkTurned { half: all, cells: half.cells.view(), x: x.view(), turned: to })?;
    }
    let (face_starts, face_vertices, cell_faces) = faces(device, &half, vertices, &turned)?;
    let faces = face_starts.len() as u32 - 1;
    let Half { cells: cell_starts, .. } = half;
    let (face_edges, edge_vertices) = edges(device, &face_starts, &face_vertices, vertices)?;
    let edges = edge_vertices.len() as u32 / 2;
    Ok(Operators {
        ev: Tcsr::with_stride(edge_vertices, 2, vertices)?,
        fe: Tcsr::from_parts(face_starts, face_edges, edges),
        cf: Tcsr::from_parts(cell_starts, cell_faces, faces),
    })
}

fn half_faces(device: &Device, cells: &CellList) -> Result<Half> {
    let (n, extra) = (cells.len() as u32, cells.faces() as u32);
    let kinds = device.upload(&cells.kinds())?;
    let (starts, words) = (device.upload(cells.starts())?, device.upload(cells.words())?);
    let mut first_faces = device.zeros::<u32>(n as usize + 1)?;
    let mut first_corners = device.zeros::<u32>(n as usize + 1)?;
    let sizes = CountHalfFaces {
        kinds: kinds.view(),
        starts: starts.view(),
        words: words.view(),
        faces: first_faces.view_mut(),
        corners: first_corners.view_mut(),
    };
    device.launch_each(n, sizes)?;
    let of_cells = array::exclusive_scan(&mut first_faces)?;
    let corners_of_cells = array::exclusive_scan(&mut first_corners)?;
    let all = count("faces of cells", of_cells as usize + extra as usize)?;
    let all_corners = corners_of_cells as usize + cells.face_vertices().len();
    count("vertices of faces of cells", all_corners)?;
    let mut half_starts = device.unspecified::<u32>(all as usize + 1)?;
    let mut corners = device.unspecified::<u32>(all_corners)?;
    let write = WriteHalfFaces {
        kinds: kinds.view(),
        starts: starts.view(),
        words: words.view(),
        first_faces: first_faces.view(),
        first_corners: first_corners.view(),
        half_starts: half_starts.view_mut(),
        corners: corners.view_mut(),
    };
    device.launch_each(n, write)?;
    let (extra_starts, vertices) =
        (device.upload(cells.face_starts())?, device.upload(cells.face_vertices())?);
    let append = AppendFaces {
        n: extra,
        starts: extra_starts.view(),
        vertices: vertices.view(),
        first_half: of_cells,
        first_corner: corners_of_cells,
        half_starts: half_starts.view_mut(),
        corners: corners.view_mut(),
    };
    device.launch(tiles(extra + 1), append)?;
    Ok(Half { starts: half_starts, corners, cells: first_faces, of_cells, all })
}

/// The numbers below `n` in the order of three vertices each, whose keys for a part `keys` writes ([`WHOLE`],
/// [`LAST`], or the first two) for a list; and the last keys.
pub fn by_three_vertices(
    device: &Device,
    n: u32,
    bits: u32,
    keys: impl Fn(u32, &Buffer<u32>, &mut Buffer<u64>) -> Result<()>,
) -> Result<(Buffer<u64>, Buffer<u32>)> {
    let (mut list, mut all) = (array::count_up(device, n)?, device.unspecified::<u64>(n as usize)?);
    if 3 * bits <= u64::BITS {
        keys(WHOLE, &list, &mut all)?;
        array::sort_pairs(&mut all, &mut list, 3 * bits)?;
    } else {
        keys(LAST, &list, &mut all)?;
        array::sort_pairs(&mut all, &mut list, bits)?;
        keys(LAST + 1, &list, &mut all)?;
        array::sort_pairs(&mut all, &mut list, u32::BITS + bits)?;
    }
    Ok((all, list))
}

type Faces = (Buffer<u32>, Buffer<u32>, Buffer<i32>);
/// Returns three arrays: the first corner of each face, and the end; the vertices of the faces; the face of
/// each half-face of a cell.
fn faces(device: &Device, half: &Half, vertices: u32, turned: &Buffer<u32>) -> Result<Faces> {
    let (n, bits) = (half.all, bits(vertices));
    let (keys, list) = by_three_vertices(device, n, bits, |part, list, keys| {
        let (list, keys) = (list.view(), keys.view_mut());
        Ok(device.launch_each(n, FaceKeys { part, bits, half: half.view(), list, keys })?)
    })?;
    let mut leaders = device.unspecified::<u32>(n as usize)?;
    let mut numbers = device.unspecified::<u32>(n as usize)?;
    let mark = MarkFaces {
        half: half.view(),
        keys: keys.view(),
        list: list.view(),
        leaders: leaders.view_mut(),
        flags: numbers.view_mut(),
    };
    device.launch_each(n, mark)?;
    let faces = array::exclusive_scan(&mut numbers)?;
    let mut cell_faces = device.unspecified::<i32>(half.of_cells as usize)?;
    let mut first = device.unspecified::<u32>(faces as usize)?;
    let mut starts = device.zeros::<u32>(faces as usize + 1)?;
    let number = NumberFaces {
        of_cells: half.of_cells,
        half: half.view(),
        list: list.view(),
        leaders: leaders.view(),
        numbers: numbers.view(),
        turned: turned.view(),
        cell_faces: cell_faces.view_mut(),
        first: first.view_mut(),
        lengths: starts.view_mut(),
    };
    device.launch_each(n, number)?;
    let corners = array::exclusive_scan(&mut starts)?;
    let mut face_vertices = device.unspecified::<u32>(corners as usize)?;
    let write = WriteFaces {
        half: half.view(),
        first: first.view(),
        starts: starts.view(),
        vertices: face_vertices.view_mut(),
    };
    device.launch_each(faces, write)?;
    Ok((starts, face_vertices, cell_faces))
}

/// The edge of each side of each face; the ends of each edge.
fn edges(
    device: &Device,
    starts: &Buffer<u32>,
    face_vertices: &Buffer<u32>,
    vertices: u32,
) -> Result<(Buffer<i32>, Buffer<i32>)> {
    let (faces, n, bits) = (starts.len() as u32 - 1, face_vertices.len() as u32, bits(vertices));
    let mut keys = device.unspecified::<u64>(n as usize)?;
    let (sides, to) = (face_vertices.view(), keys.view_mut());
    device.launch_each(faces, EdgeKeys { bits, starts: starts.view(), vertices: sides, keys: to })?;
    let mut list = array::count_up(device, n)?;
    array::sort_pairs(&mut keys, &mut list, 2 * bits)?;
    let mut numbers = device.unspecified::<u32>(n as usize)?;
    device.launch_each(n, MarkRuns { keys: keys.view(), flags: numbers.view_mut() })?;
    let edges = array::exclusive_scan(&mut numbers)?;
    count("ends of edges", 2 * edges as usize)?;
    let mut face_edges = device.unspecified::<i32>(n as usize)?;
    let mut edge_vertices = device.unspecified::<i32>(2 * edges as usize)?;
    let number = NumberEdges {
        bits,
        keys: keys.view(),
        list: list.view(),
        numbers: numbers.view(),
        vertices: face_vertices.view(),
        face_edges: face_edges.view_mut(),
        edge_vertices: edge_vertices.view_mut(),
    };
    device.launch_each(n, number)?;
    Ok((face_edges, edge_vertices))
}
