//! One face into four.

use crate::Precision;

use crate::TriangleMesh;
use crate::shapes::{ShapeError, error::at_most};

/// Divides every face into four at the midpoints of its edges. The first vertices are those of the given
/// shape, followed by the midpoints of its edges. Face `f` gives faces `4 f` to `4 f + 3`, with the middle
/// face last.
///
/// Attributes are not carried along.
///
/// Works on any triangles, non-manifold ones included: faces that share an edge share its midpoint. A
/// degenerate edge from a vertex to itself has its midpoint at that vertex. Takes O(n log n) for a vertex of
/// n neighbours, O(1) per edge on ordinary meshes.
///
/// # Errors
/// [`ShapeError::IndexOutOfRange`] for a vertex that does not exist; [`ShapeError::TooLarge`] if vertices or
/// corners would be too many for 32-bit numbers.
pub fn subdivide(shape: &TriangleMesh) -> Result<TriangleMesh, ShapeError> {
    let vertices = shape.positions.len();
    let count = shape.faces.len();
    at_most("subdivision", u32::try_from(count).unwrap_or(u32::MAX), vertices as u64, 4 * count as u64)?;
    for (face, corners) in shape.faces.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&corner| corner as usize >= vertices) {
            return Err(ShapeError::IndexOutOfRange { face, index, vertices });
        }
    }
    let edges = Edges::of(vertices, &shape.faces);
    at_most("subdivision", count as u32, (vertices + edges.ends.len()) as u64, 4 * count as u64)?;
    let middle = |&[a, b]: &[u32; 2]| {
        let (a, b) = (shape.positions[a as usize], shape.positions[b as usize]);
        let middle = (a + b) / 2.0;
        if shape.precision == Precision::Single { middle.as_vec3().as_dvec3() } else { middle }
    };
    let mut positions = Vec::with_capacity(vertices + edges.ends.len());
    positions.extend_from_slice(&shape.positions);
    positions.extend(edges.ends.iter().map(middle));
    let mut fine = TriangleMesh::new(positions, quarters(vertices as u32, &shape.faces, &edges.of_face));
    fine.precision = shape.precision;
    Ok(fine)
}

/// The faces after subdivision, where the middle of edge `e` is vertex `vertices + e`.
pub(crate) fn quarters(vertices: u32, faces: &[[u32; 3]], edges: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut quarters = Vec::with_capacity(4 * faces.len());
    for (&[a, b, c], edges) in faces.iter().zip(edges) {
        let [ab, bc, ca] = edges.map(|edge| vertices + edge);
        quarters.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    quarters
}

/// The edges of faces, each once.
pub(crate) struct Edges {
    /// The two ends of each edge, the lower first, in ascending order.
    pub ends: Vec<[u32; 2]>,
    /// Edges ab, bc, ca of each face abc.
    pub of_face: Vec<[u32; 3]>,
}

impl Edges {
    /// Finds the edges: sides of faces are put into buckets by their lower end, and each bucket is sorted.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let sides = |face: &[u32; 3]| {
            let [a, b, c] = *face;
            [[a, b], [b, c], [c, a]].map(|[from, to]| [from.min(to), from.max(to)])
        };
        let mut starts = vec![0_u32; vertices + 1];
        for side in faces.iter().flat_map(sides) {
            starts[side[0] as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        // The other end of each side, then the number of the side.
        let mut buckets = vec![(0_u32, 0_u32); 3 * faces.len()];
        let mut next = starts.clone();
        for (side, ends) in faces.iter().flat_map(sides).enumerate() {
            let slot = &mut next[ends[0] as usize];
            buckets[*slot as usize] = (ends[1], side as u32);
            *slot += 1;
        }
        let mut ends: Vec<[u32; 2]> = Vec::with_capacity(buckets.len() / 2 + 1);
        let mut of_face = vec![[0; 3]; faces.len()];
        for vertex in 0..vertices {
            let bucket = &mut buckets[starts[vertex] as usize..starts[vertex + 1] as usize];
            bucket.sort_unstable();
            for &mut (other, side) in bucket {
                let edge = [vertex as u32, other];
                if ends.last() != Some(&edge) {
                    ends.push(edge);
                }
                of_face.as_flattened_mut()[side as usize] = ends.len() as u32 - 1;
            }
        }
        Self { ends, of_face }
    }
}
