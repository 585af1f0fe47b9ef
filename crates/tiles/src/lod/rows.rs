//! The tables and pages of a file of levels, little-endian.
use super::meshlet::vertices;
use super::sphere::{Bound, Sphere};
use bytemuck::{Pod, Zeroable};

/// The number of a group that is not there.
pub const NO_GROUP: u32 = u32::MAX;

/// A meshlet in a file: 80 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Zeroable, Pod)]
pub struct MeshletRow {
    /// Of the group that made it: its own sphere, and error 0, where the input did. It is drawn where this is
    /// accurate enough, and [`above`](Self::above) is not.
    pub own: Bound,
    /// Of the group that was made of it.
    pub above: Bound,
    /// Around its triangles.
    pub around: Sphere,
    /// The group that was made of it, whose page has its triangles.
    pub group: u32,
    /// The group that made it, or [`NO_GROUP`].
    pub made_by: u32,
    /// Number of vertices.
    pub vertices: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// The first byte in the page of the group.
    pub offset: u64,
}

/// A group in a file: 48 bytes. Its page has the meshlets of which it was made: who has the page can refine
/// the group.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Zeroable, Pod)]
pub struct GroupRow {
    /// Its error, infinite for the first one, and its sphere.
    pub bound: Bound,
    /// The level for which it was made, from 1 on.
    pub level: u32,
    /// The first of the meshlets of which it was made.
    pub first: u32,
    /// Number of these.
    pub meshlets: u32,
    /// The first byte of its page, behind the tables.
    pub offset: u64,
    /// Bytes of its page.
    pub bytes: u32,
    /// CRC 32 of its page.
    pub check: u32,
}

/// Vertices and triangles of a meshlet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Positions, around the origin of the file.
    pub positions: Vec<[f32; 3]>,
    /// Vertices of the input: the same vertex has the same number in all meshlets of a cut.
    pub ids: Vec<u32>,
    /// Three places of vertices for each triangle.
    pub corners: Vec<[u8; 3]>,
}

/// Appends a meshlet to a page; the number of its vertices.
pub fn page(triangles: &[[u32; 3]], position: impl Fn(u32) -> [f32; 3], bytes: &mut Vec<u8>) -> u32 {
    let ids = vertices(triangles);
    let positions: Vec<_> = ids.iter().map(|&v| position(v)).collect();
    bytes.extend_from_slice(bytemuck::cast_slice(&positions));
    bytes.extend_from_slice(bytemuck::cast_slice(&ids));
    // at most 128 vertices
    let place = |v: u32| ids.partition_point(|&u| u < v) as u8;
    bytes.extend(triangles.as_flattened().iter().map(|&v| place(v)));
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    ids.len() as u32
}

impl MeshletRow {
    /// Its part of a page; [`None`] where a page is too short, or a triangle has a vertex that is not there.
    pub fn read(&self, page: &[u8]) -> Option<Triangles> {
        let (vertices, triangles) = (self.vertices as usize, self.triangles as usize);
        let rest = page.get(usize::try_from(self.offset).ok()?..)?;
        let (positions, rest) = rest.split_at_checked(vertices.checked_mul(12)?)?;
        let (ids, rest) = rest.split_at_checked(vertices.checked_mul(4)?)?;
        let (corners, _) = rest.split_at_checked(triangles.checked_mul(3)?)?;
        let within = corners.iter().all(|&corner| usize::from(corner) < vertices);
        within.then(|| Triangles {
            positions: bytemuck::pod_collect_to_vec(positions),
            ids: bytemuck::pod_collect_to_vec(ids),
            corners: bytemuck::pod_collect_to_vec(corners),
        })
    }
}
