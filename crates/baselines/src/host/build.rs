//! Directed edges from indexed triangles, on the host.
use super::PdeError;
use rayon::prelude::*;
use ribbonmesh::device::NONE;

/// The arrays of [`crate::HalfEdges`], and where the rows of queries about vertices begin.
pub struct Arrays {
    pub targets: Vec<u32>,
    pub faces: Vec<u32>,
    pub nexts: Vec<u32>,
    pub of_vertex: Vec<u32>,
    pub of_face: Vec<u32>,
    /// For VV and VE, with the end.
    pub edge_offsets: Vec<u32>,
    /// For VF, with the end.
    pub face_offsets: Vec<u32>,
}

/// Builds them. Edges are numbered as the faces meet them, and half-edge `2 e` is the side that meets edge
/// `e` first. O(n), and O(d log d) for a vertex of d faces.
pub fn build(vertices: usize, faces: &[[u32; 3]]) -> Result<Arrays, PdeError> {
    check(vertices, faces)?;
    let mates = mates(vertices, faces)?;
    let side = |c: usize| (faces[c / 3][c % 3], faces[c / 3][(c + 1) % 3]);
    let after = |c: usize| if c % 3 == 2 { c - 2 } else { c + 1 };

    let mut half_of = vec![NONE; mates.len()];
    let mut edges = 0;
    for c in 0..mates.len() {
        // the mate of a side that comes later has its number already
        if half_of[c] == NONE {
            half_of[c] = 2 * edges;
            if mates[c] != NONE {
                half_of[mates[c] as usize] = 2 * edges + 1;
            }
            edges += 1;
        }
    }
    let mut arrays = Arrays {
        targets: vec![NONE; 2 * edges as usize],
        faces: vec![NONE; 2 * edges as usize],
        nexts: vec![NONE; 2 * edges as usize],
        of_vertex: vec![NONE; vertices],
        of_face: (0..faces.len()).map(|f| half_of[3 * f]).collect(),
        edge_offsets: vec![0; vertices + 1],
        face_offsets: vec![0; vertices + 1],
    };
    // the half-edges beside the boundary by the vertex that they leave
    let mut along_boundary = vec![NONE; vertices];
    for (c, &mate) in mates.iter().enumerate() {
        let ((from, to), half) = (side(c), half_of[c] as usize);
        arrays.targets[half] = to;
        arrays.faces[half] = c as u32 / 3;
        arrays.nexts[half] = half_of[after(c)];
        arrays.of_vertex[from as usize] = half as u32;
        arrays.edge_offsets[from as usize] += 1;
        arrays.face_offsets[from as usize] += 1;
        if mate == NONE {
            arrays.targets[half + 1] = from;
            arrays.edge_offsets[to as usize] += 1;
            let place = &mut along_boundary[to as usize];
            if *place != NONE {
                return Err(PdeError::NonManifoldVertex { vertex: to });
            }
            *place = half as u32 + 1;
        }
    }
    for half in along_boundary.iter().copied().filter(|&half| half != NONE) {
        let ahead = along_boundary[arrays.targets[half as usize] as usize];
        arrays.nexts[half as usize] = ahead;
    }
    single_fans(&arrays)?;
    starts(&mut arrays.edge_offsets);
    starts(&mut arrays.face_offsets);
    Ok(arrays)
}

/// Replaces lengths, the last of them 0, by the sums of the lengths before.
fn starts(lengths: &mut [u32]) {
    let mut sum = 0;
    for length in lengths {
        sum += std::mem::replace(length, sum);
    }
}

fn check(vertices: usize, faces: &[[u32; 3]]) -> Result<(), PdeError> {
    let (count, limit) = (3 * faces.len() as u64, u32::MAX as u64 / 2);
    if count > limit {
        return Err(ribbonmesh::Error::TooMany { what: "sides of faces", count, limit }.into());
    }
    for (face, corners) in faces.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices) {
            return Err(ribbonmesh::Error::IndexOutOfRange { face, vertex, vertices }.into());
        }
        let [a, b, c] = *corners;
        if a == b || b == c || c == a {
            return Err(PdeError::DegenerateFace { face });
        }
    }
    Ok(())
}

/// For each side of a face, `3 face + i`, the side across its edge, or none.
fn mates(vertices: usize, faces: &[[u32; 3]]) -> Result<Vec<u32>, PdeError> {
    let side = |c: usize| {
        let (a, b) = (faces[c / 3][c % 3], faces[c / 3][(c + 1) % 3]);
        (a.min(b), a.max(b))
    };
    // sides in buckets of their smaller end: the larger end and the side
    let mut offsets = vec![0; vertices + 1];
    for c in 0..3 * faces.len() {
        offsets[side(c).0 as usize] += 1;
    }
    starts(&mut offsets);
    let mut sides = vec![0_u64; 3 * faces.len()];
    let mut cursors = offsets.clone();
    for c in 0..sides.len() {
        let (low, high) = side(c);
        let at = &mut cursors[low as usize];
        sides[*at as usize] = (high as u64) << 32 | c as u64;
        *at += 1;
    }
    let mut buckets = Vec::with_capacity(vertices);
    let mut rest = &mut sides[..];
    for bounds in offsets.windows(2) {
        let (bucket, others) = rest.split_at_mut((bounds[1] - bounds[0]) as usize);
        buckets.push(bucket);
        rest = others;
    }
    buckets.into_par_iter().for_each(|bucket| bucket.sort_unstable());

    let mut mates = vec![NONE; sides.len()];
    for bounds in offsets.windows(2) {
        let bucket = &sides[bounds[0] as usize..bounds[1] as usize];
        for edge in bucket.chunk_by(|a, b| a >> 32 == b >> 32) {
            let corner = |i: usize| edge[i] as u32 as usize;
            let from = |c: usize| faces[c / 3][c % 3];
            match edge.len() {
                1 => {}
                2 if from(corner(0)) == from(corner(1)) => {
                    return Err(PdeError::Inconsistent { first: corner(0) / 3, second: corner(1) / 3 });
                }
                2 => {
                    mates[corner(0)] = corner(1) as u32;
                    mates[corner(1)] = corner(0) as u32;
                }
                n => {
                    let (from, to) = side(corner(0));
                    return Err(PdeError::NonManifoldEdge { from, to, sides: n });
                }
            }
        }
    }
    Ok(mates)
}

/// Whether a walk around each vertex passes all of its edges; `edge_offsets` has their numbers.
fn single_fans(arrays: &Arrays) -> Result<(), PdeError> {
    let several = |v: &u32| {
        let (first, edges) = (arrays.of_vertex[*v as usize], arrays.edge_offsets[*v as usize]);
        let (mut half, mut passed) = (first, 0);
        while half != NONE {
            passed += 1;
            half = arrays.nexts[(half ^ 1) as usize];
            if half == first {
                break;
            }
        }
        passed != edges
    };
    match (0..arrays.of_vertex.len() as u32).into_par_iter().find_first(several) {
        Some(vertex) => Err(PdeError::NonManifoldVertex { vertex }),
        None => Ok(()),
    }
}
