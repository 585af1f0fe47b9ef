//! Faces of the surface, and the loads at nodes that forces on them give.
use super::error::Result;
use crate::{CellShape, Space};
use ribbonmesh::glam::DVec3;
use ribbonmesh_volume::{Relation, VolumeMesh};

/// A face of one cell.
pub struct Face {
    /// Its vertices, counter-clockwise seen from outside.
    pub vertices: Vec<u32>,
    /// Its edges.
    edges: Vec<u32>,
    /// Its number.
    number: u32,
}
/// All faces of one cell.
pub fn faces(mesh: &VolumeMesh) -> Result<Vec<Face>> {
    let of = |relation| mesh.relation(relation)?.download();
    let (fc, fv, fe) = (of(Relation::FC)?, of(Relation::FV)?, of(Relation::FE)?);
    let mut all = vec![];
    for number in 0..fc.len() {
        let mut cells = fc.signed(number);
        let (Some((_, sign)), None) = (cells.next(), cells.next()) else { continue };
        let mut vertices: Vec<u32> = fv.signed(number).map(|(v, _)| v).collect();
        if sign > 0 {
            // the cycle's normal points into the cell
            vertices.reverse();
        }
        let edges = fe.signed(number).map(|(edge, _)| edge).collect();
        all.push(Face { vertices, edges, number: number as u32 });
    }
    Ok(all)
}
impl Face {
    /// The area vector of each node: the integral of the node's function times the outer normal.
    pub fn shares(&self, space: &Space<'_>, x: &[DVec3]) -> Vec<(u32, DVec3)> {
        let at = |k: usize| x[self.vertices[k] as usize];
        if space.shape() == CellShape::Hex {
            return self.of_quad(at);
        }
        let area = (at(1) - at(0)).cross(at(2) - at(0)) / 2.0;
        let mut nodes = self.vertices.clone();
        self.edges.iter().for_each(|&edge| nodes.extend(space.edge_nodes(edge)));
        nodes.extend(space.face_nodes(self.number));
        // all Bernstein polynomials of an order have the same integral
        let share = area / nodes.len() as f64;
        nodes.into_iter().map(|node| (node, share)).collect()
    }
    /// Integrates over the bilinear face with 2 x 2 Gauss points.
    fn of_quad(&self, at: impl Fn(usize) -> DVec3) -> Vec<(u32, DVec3)> {
        let (mut sums, x) = ([DVec3::ZERO; 4], [0, 1, 2, 3].map(at));
        let gauss = [0.5 - 0.5 / 3.0_f64.sqrt(), 0.5 + 0.5 / 3.0_f64.sqrt()];
        for u in gauss {
            for v in gauss {
                let along = (x[1] - x[0]) * (1.0 - v) + (x[2] - x[3]) * v;
                let across = (x[3] - x[0]) * (1.0 - u) + (x[2] - x[1]) * u;
                let normal = along.cross(across) / 4.0;
                let values = [(1.0 - u) * (1.0 - v), u * (1.0 - v), u * v, (1.0 - u) * v];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += normal * value);
            }
        }
        self.vertices.iter().copied().zip(sums).collect()
    }
}
