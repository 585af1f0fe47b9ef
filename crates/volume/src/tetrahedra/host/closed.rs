//! Test whether a surface is closed and oriented, and search for the edges where it is not.
use super::error::{Result, TetrahedraError};
use super::options::InsideRule;
use crate::tetrahedra::device::edges::{FACES, SideSums};
use crate::tetrahedra::device::rows::FacesArguments;
use glam::Vec3;
use ribbonmesh::Device;
use std::collections::HashMap;

/// Checks the condition of the rule: as many sides of each edge in one direction as in the other, or an even
/// number.
pub fn check(
    device: &Device,
    faces: FacesArguments<'_>,
    rule: InsideRule,
    even: bool,
    n: u32,
) -> ribbonmesh::Result<bool> {
    if rule == InsideRule::Parity {
        return Ok(even);
    }
    let blocks = n.div_ceil(FACES);
    let mut sums = device.unspecified::<u64>(blocks as usize)?;
    device.launch(blocks, SideSums { faces, n, sums: sums.view_mut() })?;
    Ok(sums.read()?.into_iter().fold(0_u64, u64::wrapping_add) == 0)
}

/// Finds the edges for which a surface cannot be used; vertices at equal positions count as one. `vertex` and
/// `face` give the numbers that users know.
pub fn why_not(
    positions: &[Vec3],
    faces: &[[u32; 3]],
    vertex: impl Fn(u32) -> u32,
    face: impl Fn(u32) -> u32,
) -> Result<()> {
    // adding 0 turns −0 into 0
    let key = |v: u32| (positions[v as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
    // for each edge: sides in one direction minus those in the other, all sides, and the smallest face with
    // its ends
    type Edge = (i64, u64, u32, [u32; 2]);
    let mut edges = HashMap::<[[u32; 3]; 2], Edge>::new();
    for (i, corners) in (0..).zip(faces) {
        let number = face(i);
        for k in 0..3 {
            let ends = [corners[k], corners[(k + 1) % 3]];
            let [a, b] = ends.map(key);
            if a == b {
                continue;
            }
            let (ends_of, step) = if a < b { ([a, b], 1) } else { ([b, a], -1) };
            let found = edges.entry(ends_of).or_insert((0, 0, number, ends));
            found.0 += step;
            found.1 += 1;
            if number < found.2 {
                (found.2, found.3) = (number, ends);
            }
        }
    }
    let first = |wrong: &dyn Fn(&Edge) -> bool| {
        let all = edges.values().filter(|edge| wrong(edge));
        let count = all.clone().count();
        all.map(|edge| (edge.2, edge.3.map(&vertex))).min().map(|(face, ends)| (count, face as usize, ends))
    };
    if let Some((edges, face, ends)) = first(&|edge| edge.1 % 2 == 1) {
        return Err(TetrahedraError::NotClosed { edges, face, ends });
    }
    match first(&|edge| edge.0 != 0) {
        Some((edges, face, ends)) => Err(TetrahedraError::NotOriented { edges, face, ends }),
        None => Ok(()),
    }
}
