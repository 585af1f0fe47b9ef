//! The cells of a mesh as a list on the host: the way back from operators.
use super::cells::{CellKind, CellList};
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use crate::device::cells::{face, sizes};
use rayon::prelude::*;

impl VolumeMesh {
    /// The cells by their vertices, and the faces that no cell has: what files and other meshes are made of.
    /// A cell with the faces of a tetrahedron, a pyramid, a wedge or a hexahedron is one, its vertices in
    /// VTK's order; all others are polyhedra, with their faces in the order of CF. A mesh that is built of
    /// the list has the same edges, faces and cells. Downloads CF, FV and FC; linear, in parallel.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn to_cells(&self) -> Result<CellList> {
        let rows = |relation| self.relation(relation)?.download();
        let (cf, fv, fc) = (rows(Relation::CF)?, rows(Relation::FV)?, rows(Relation::FC)?);
        let cells: Vec<(CellKind, Vec<u32>)> = (0..cf.len())
            .into_par_iter()
            .with_min_len(1024)
            .map(|cell| {
                let faces = cf.signed(cell).map(|(face, sign)| {
                    let mut own: Vec<u32> = fv.row(face as usize).iter().map(|&v| v as u32).collect();
                    // the normal of a face with sign 1 points into the cell
                    if sign > 0 {
                        own[1..].reverse();
                    }
                    own
                });
                recognised(&faces.collect::<Vec<_>>())
            })
            .collect();
        let mut list = CellList::new();
        for (kind, words) in &cells {
            list.push(*kind, words);
        }
        for face in (0..fc.len()).filter(|&face| fc.row(face).is_empty()) {
            let own: Vec<u32> = fv.row(face).iter().map(|&v| v as u32).collect();
            list.push_face(&own);
        }
        Ok(list)
    }
}

impl CellList {
    /// Appends a cell by its faces, seen from outside counter-clockwise: of the kind whose faces they are,
    /// its vertices in VTK's order, or else a polyhedron.
    pub fn push_faces<F: AsRef<[u32]>>(&mut self, faces: &[F]) {
        let faces: Vec<Vec<u32>> = faces.iter().map(|face| face.as_ref().to_vec()).collect();
        let (kind, words) = recognised(&faces);
        self.push(kind, &words);
    }
    /// The faces of a cell, seen from outside counter-clockwise. Panics unless there is such a cell, and of a
    /// cell that [`check`](CellList::check) refuses.
    pub fn faces_of(&self, cell: usize) -> Vec<Vec<u32>> {
        let (kind, words) = self.cell(cell);
        if kind != CellKind::Polyhedron {
            return faces_of(kind, words);
        }
        let mut rest = &words[1..];
        let faces = (0..words[0]).map(|_| {
            let (face, after) = rest[1..].split_at(rest[0] as usize);
            rest = after;
            face.to_vec()
        });
        faces.collect()
    }
}

/// The kind of a cell with these faces, seen from outside counter-clockwise, and its words.
fn recognised(faces: &[Vec<u32>]) -> (CellKind, Vec<u32>) {
    let quads = faces.iter().filter(|face| face.len() == 4).count();
    let triangles = faces.iter().filter(|face| face.len() == 3).count();
    let (kind, base) = match (triangles, quads, faces.len()) {
        (4, 0, 4) => (CellKind::Tetrahedron, 3),
        (4, 1, 5) => (CellKind::Pyramid, 4),
        (2, 3, 5) => (CellKind::Wedge, 3),
        (0, 6, 6) => (CellKind::Hexahedron, 4),
        _ => return polyhedron(faces),
    };
    let known = faces.iter().find(|face| face.len() == base).and_then(|face| ordered(kind, face, faces));
    match known {
        Some(words) if has_faces(kind, &words, faces) => (kind, words),
        _ => polyhedron(faces),
    }
}

/// The vertices in VTK's order, if one of the faces is the first of the kind.
fn ordered(kind: CellKind, base: &[u32], faces: &[Vec<u32>]) -> Option<Vec<u32>> {
    // seen from within; a wedge's first triangle is seen from outside
    let mut words = base.to_vec();
    if kind != CellKind::Wedge {
        words[1..].reverse();
    }
    if matches!(kind, CellKind::Tetrahedron | CellKind::Pyramid) {
        words.push(faces.iter().flatten().copied().find(|v| !base.contains(v))?);
        return Some(words);
    }
    // above each vertex: the other end of its edge that is not of the base
    for i in 0..base.len() {
        let v = words[i];
        let above = faces.iter().filter(|face| *face != base).find_map(|face| {
            let at = face.iter().position(|&w| w == v)?;
            let beside = [face[(at + 1) % face.len()], face[(at + face.len() - 1) % face.len()]];
            beside.into_iter().find(|w| !base.contains(w))
        })?;
        words.push(above);
    }
    Some(words)
}

/// Whether a cell of the kind has exactly these faces, each of them seen from the same side.
fn has_faces(kind: CellKind, words: &[u32], faces: &[Vec<u32>]) -> bool {
    let mut expected: Vec<Vec<u32>> = faces_of(kind, words).iter().map(|own| from_smallest(own)).collect();
    let mut found: Vec<Vec<u32>> = faces.iter().map(|own| from_smallest(own)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    expected == found
}

/// The faces of a cell that is not a polyhedron.
fn faces_of(kind: CellKind, words: &[u32]) -> Vec<Vec<u32>> {
    let code = kind.vtk();
    let of = |f| {
        let packed = face(code, f);
        (0..packed >> 16).map(|i| words[(packed >> (4 * i) & 15) as usize]).collect()
    };
    (0..sizes(code).0).map(of).collect()
}

fn from_smallest(face: &[u32]) -> Vec<u32> {
    let mut own = face.to_vec();
    let at = (0..own.len()).min_by_key(|&i| own[i]).unwrap_or_default();
    own.rotate_left(at);
    own
}

fn polyhedron(faces: &[Vec<u32>]) -> (CellKind, Vec<u32>) {
    let mut words = vec![faces.len() as u32];
    for face in faces {
        words.push(face.len() as u32);
        words.extend(face);
    }
    (CellKind::Polyhedron, words)
}
