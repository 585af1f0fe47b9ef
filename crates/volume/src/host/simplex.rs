//! Meshes of triangles or tetrahedra, of which only the vertices are stored.
use super::build::by_three_vertices;
use super::cells::CellList;
use super::error::{Result, VolumeError};
use super::mesh::finite;
use super::relation::{Cache, Relation, derive};
use super::tcsr::{Tcsr, bits, count};
use crate::device::simplex::{
    FaceEdgesOfTetrahedra, MarkTuples, NumberTuples, TupleKeys, Tuples, TuplesArguments, WHOLE,
};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::{Buffer, Device, array};
use std::sync::OnceLock;

/// A mesh of triangles or of tetrahedra: the vertices of each, and nothing else. Edges, the faces of
/// tetrahedra, and all relations are made when they are first asked for (Mueller-Roemer 2020, section 3.4.4).
///
/// Edges and faces have the same numbers and the same orientation as in a [`VolumeMesh`](crate::VolumeMesh)
/// of the same cells. There are no edges and faces without cells. 16 bytes per tetrahedron, 12 per triangle
/// and per vertex.
pub struct SimplexMesh {
    x: Buffer<Vec3>,
    own: Tcsr,
    made: OnceLock<Simplices>,
    cache: Cache,
}
/// Relations from one sort of pairs, and for tetrahedra one sort of triples.
struct Simplices {
    ev: Tcsr,
    /// The edges of each cell; signed for triangles.
    edges: Tcsr,
    /// The operators of tetrahedra: vertices and edges of faces, faces of cells.
    faces: Option<[Tcsr; 3]>,
}

impl SimplexMesh {
    /// A mesh of tetrahedra, in VTK's order of vertices.
    /// # Errors
    /// [`VolumeError::VertexOutOfRange`], [`VolumeError::RepeatedVertex`]; [`ribbonmesh::Error::NotFinite`];
    /// [`ribbonmesh::Error::TooMany`]; out of memory; errors of the driver.
    pub fn tetrahedra(device: &Device, positions: &[Vec3], cells: &[[u32; 4]]) -> Result<Self> {
        Self::new(device, positions, cells)
    }
    /// A mesh of triangles.
    /// # Errors
    /// As [`SimplexMesh::tetrahedra`]; errors call triangles cells.
    pub fn triangles(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        Self::new(device, positions, faces)
    }
    fn new<const N: usize>(device: &Device, positions: &[Vec3], cells: &[[u32; N]]) -> Result<Self> {
        let vertices = positions.len();
        // six pairs per tetrahedron
        count("sides of cells", cells.len().saturating_mul(6))?;
        device.install(|| {
            finite(positions)?;
            let all = cells.par_iter().enumerate().with_min_len(4096);
            let wrong = all.find_map_first(|(cell, own)| {
                if let Some(&vertex) = own.iter().find(|&&v| v as usize >= vertices) {
                    return Some(VolumeError::VertexOutOfRange { cell, vertex, vertices });
                }
                let twice = own.iter().enumerate().find(|&(i, v)| own[..i].contains(v));
                twice.map(|(_, &vertex)| VolumeError::RepeatedVertex { cell, vertex })
            });
            wrong.map_or(Ok(()), Err)
        })?;
        // below 2³¹: vertices without a sign are encoded as themselves
        let words: Vec<i32> = cells.as_flattened().iter().map(|&v| v as i32).collect();
        Ok(Self {
            x: device.upload(positions)?,
            own: Tcsr::with_stride(device.upload(&words)?, N as u32, vertices as u32)?,
            made: OnceLock::new(),
            cache: Cache::default(),
        })
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.x.device()
    }
    /// 2 for triangles, 3 for tetrahedra.
    pub fn dimension(&self) -> usize {
        if self.own.stride() == Some(3) { 2 } else { 3 }
    }
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.x.len()
    }
    /// The number of triangles or tetrahedra.
    pub fn simplices(&self) -> usize {
        self.own.rows()
    }
    /// The positions of the vertices.
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// Bytes on the device without relations.
    pub fn bytes(&self) -> usize {
        self.x.bytes() + self.own.bytes()
    }
    /// Frees all relations.
    pub fn forget_relations(&mut self) {
        (self.made, self.cache) = (OnceLock::new(), Cache::default());
    }
    /// A relation: made when it is first asked for, and kept. CV of tetrahedra and FV of triangles are what
    /// is stored, in the order of the input. The first use of edges sorts the pairs of vertices of all cells,
    /// and in tetrahedra the triples besides.
    /// # Errors
    /// [`VolumeError::NoCells`] for cells of a mesh of triangles; [`ribbonmesh::Error::TooMany`]; out of
    /// memory; errors of the driver.
    pub fn relation(&self, relation: Relation) -> Result<&Tcsr> {
        use Relation::{CC, CE, CF, CV, EC, EV, FC, FE, FV, VC};
        let tetrahedra = self.dimension() == 3;
        if !tetrahedra && matches!(relation, VC | EC | FC | CV | CE | CF | CC) {
            return Err(VolumeError::NoCells { relation });
        }
        let stored = match relation {
            EV => Some(&self.made()?.ev),
            CE => Some(&self.made()?.edges),
            FE if !tetrahedra => Some(&self.made()?.edges),
            FV if !tetrahedra => Some(&self.own),
            CV => Some(&self.own),
            FV | FE | CF => self.made()?.faces.as_ref().map(|[fv, fe, cf]| match relation {
                FV => fv,
                FE => fe,
                _ => cf,
            }),
            _ => None,
        };
        match stored {
            Some(found) => Ok(found),
            None => self.cache.get_or_make(relation, || derive(relation, |other| self.relation(other))),
        }
    }
    /// The cells as a list, from which a [`VolumeMesh`](crate::VolumeMesh) can be built: tetrahedra, or faces
    /// without cells.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn to_list(&self) -> Result<CellList> {
        let words: Vec<u32> = self.own.entries().read()?.into_iter().map(|v| v as u32).collect();
        if self.dimension() == 3 {
            let cells: Vec<[u32; 4]> = words.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
            return Ok(CellList::tetrahedra(&cells));
        }
        let mut list = CellList::new();
        words.chunks_exact(3).for_each(|face| list.push_face(face));
        Ok(list)
    }

    fn made(&self) -> Result<&Simplices> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let made = self.make()?;
        Ok(self.made.get_or_init(|| made))
    }
    fn make(&self) -> Result<Simplices> {
        let pairs = self.tuples(2, self.dimension() == 2)?;
        let edges = pairs.vertices.rows() as u32;
        let rows = Tcsr::with_stride(pairs.rows, pairs.per_cell, edges)?;
        let mut faces = None;
        if self.dimension() == 3 {
            let triples = self.tuples(3, true)?;
            let n = triples.vertices.rows() as u32;
            let mut entries = self.device().unspecified::<i32>(3 * n as usize)?;
            let (places, ce, to) = (triples.places.view(), rows.view(), entries.view_mut());
            self.device().launch_each(n, FaceEdgesOfTetrahedra { places, ce, to })?;
            let fe = Tcsr::with_stride(entries, 3, edges)?;
            faces = Some([triples.vertices, fe, Tcsr::with_stride(triples.rows, triples.per_cell, n)?]);
        }
        Ok(Simplices { ev: pairs.vertices, edges: rows, faces })
    }
    /// Finds the different pairs or triples of vertices.
    fn tuples(&self, width: u32, signed: bool) -> Result<Unique> {
        let (device, corners) = (self.device(), self.dimension() as u32 + 1);
        let per_cell = Tuples::per_cell(corners, width);
        let (n, bits) = (per_cell * self.simplices() as u32, bits(self.vertices() as u32));
        let tuples = || TuplesArguments { cells: self.own.entries().view(), corners, width };
        let keys_of = |part, list: &Buffer<u32>, keys: &mut Buffer<u64>| {
            let (list, keys) = (list.view(), keys.view_mut());
            Ok(device.launch_each(n, TupleKeys { part, bits, tuples: tuples(), list, keys })?)
        };
        let list = if width == 2 {
            let (mut list, mut keys) = (array::count_up(device, n)?, device.unspecified::<u64>(n as usize)?);
            keys_of(WHOLE, &list, &mut keys)?;
            array::sort_pairs(&mut keys, &mut list, 2 * bits)?;
            list
        } else {
            by_three_vertices(device, n, bits, keys_of)?.1
        };
        let mut numbers = device.unspecified::<u32>(n as usize)?;
        let flags = numbers.view_mut();
        device.launch_each(n, MarkTuples { tuples: tuples(), list: list.view(), flags })?;
        let unique = array::exclusive_scan(&mut numbers)? as usize;
        let mut rows = device.unspecified::<i32>(n as usize)?;
        let mut vertices = device.unspecified::<i32>(width as usize * unique)?;
        let mut places = device.unspecified::<u32>(unique)?;
        let number = NumberTuples {
            signed: signed.into(),
            tuples: tuples(),
            list: list.view(),
            numbers: numbers.view(),
            rows: rows.view_mut(),
            vertices: vertices.view_mut(),
            places: places.view_mut(),
        };
        device.launch_each(n, number)?;
        Ok(Unique {
            rows,
            per_cell,
            vertices: Tcsr::with_stride(vertices, width, self.vertices() as u32)?,
            places,
        })
    }
}
/// Different tuples.
struct Unique {
    /// For each cell the number and the sign of each of its tuples.
    rows: Buffer<i32>,
    per_cell: u32,
    /// The vertices of each.
    vertices: Tcsr,
    /// An index at which each is stored.
    places: Buffer<u32>,
}

impl std::fmt::Debug for SimplexMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.dimension() == 3 { "tetrahedra" } else { "triangles" };
        write!(f, "SimplexMesh of {} {kind} on {:?}", self.simplices(), self.device())
    }
}
