//! Fans: the faces of a vertex that are connected across edges there.
use crate::repair::host::check::{NONE, degenerate};
use crate::repair::host::edges::{before, start};
use crate::repair::host::links::Links;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Finds the vertices of more than one fan, ascending. Linear in the mesh: walks the fan of one corner of
/// each vertex, and compares its length with the number of the vertex's corners.
pub(crate) fn vertices_of_several(vertices: usize, faces: &[[u32; 3]], links: &Links) -> Vec<u32> {
    let zeroed = |value: u32| {
        let mut words: Vec<AtomicU32> = Vec::new();
        words.resize_with(vertices, || AtomicU32::new(value));
        words
    };
    let (corners, first) = (zeroed(0), zeroed(NONE));
    faces.par_iter().enumerate().filter(|(_, face)| !degenerate(**face)).for_each(|(face, vertices)| {
        for (i, &v) in vertices.iter().enumerate() {
            corners[v as usize].fetch_add(1, Relaxed);
            first[v as usize].fetch_min((3 * face + i) as u32, Relaxed);
        }
    });
    let several = |v: &u32| {
        let corner = first[*v as usize].load(Relaxed);
        corner != NONE && length(*v, corner, faces, links) != corners[*v as usize].load(Relaxed)
    };
    (0..vertices as u32).into_par_iter().filter(several).collect()
}

/// Number of corners of the fan at `v` to which `corner` belongs.
fn length(v: u32, corner: u32, faces: &[[u32; 3]], links: &Links) -> u32 {
    let mut count = 1;
    for mut side in [corner, before(corner)] {
        while let Some((next, on)) = links.turn(faces, v, side) {
            if next == corner {
                return count;
            }
            (count, side) = (count + 1, on);
        }
    }
    count
}

/// The corners of some vertices.
pub(crate) struct Corners(Vec<(u32, u32)>);

impl Corners {
    /// Collects the corners of the vertices `of`, which ascend; degenerate faces have none. One pass over the
    /// faces.
    pub fn of(of: &[u32], vertices: usize, faces: &[[u32; 3]]) -> Self {
        let mut wanted = vec![false; vertices];
        of.iter().for_each(|&v| wanted[v as usize] = true);
        let whole = faces.par_iter().enumerate().filter(|(_, face)| !degenerate(**face));
        let mut corners: Vec<(u32, u32)> = whole
            .flat_map_iter(|(face, &vertices)| (0..3).map(move |i| (vertices[i], (3 * face + i) as u32)))
            .filter(|&(v, _)| wanted[v as usize])
            .collect();
        corners.par_sort_unstable();
        Self(corners)
    }
    /// The vertices with their corners, each ascending.
    pub fn by_vertex(&self) -> Vec<&[(u32, u32)]> {
        self.0.chunk_by(|a, b| a.0 == b.0).collect()
    }
}

/// The number of the fan of each of the corners of one vertex, which ascend; fans are numbered by their first
/// corners. Takes O(d log d) for d corners.
pub(crate) fn numbers(corners: &[(u32, u32)], faces: &[[u32; 3]], links: &Links) -> Vec<u32> {
    let mut fans = vec![NONE; corners.len()];
    let mut count = 0;
    for i in 0..corners.len() {
        if fans[i] != NONE {
            continue;
        }
        fans[i] = count;
        let corner = corners[i].1;
        let v = start(faces, corner);
        for mut side in [corner, before(corner)] {
            while let Some((next, on)) = links.turn(faces, v, side) {
                match corners.binary_search(&(v, next)) {
                    Ok(j) if fans[j] == NONE => (fans[j], side) = (count, on),
                    _ => break,
                }
            }
        }
        count += 1;
    }
    fans
}

/// Whether each of some vertices, which ascend, has a fan without boundary.
pub(crate) fn apart(of: &[u32], vertices: usize, faces: &[[u32; 3]], links: &Links) -> Vec<bool> {
    let corners = Corners::of(of, vertices, faces);
    let closed = |corners: &&[(u32, u32)]| {
        let fans = numbers(corners, faces, links);
        let mut open = vec![false; fans.iter().max().map_or(0, |last| *last as usize + 1)];
        for (&(_, corner), &fan) in corners.iter().zip(&fans) {
            open[fan as usize] |= [corner, before(corner)].iter().any(|&side| links.across(side).is_none());
        }
        open.contains(&false)
    };
    corners.by_vertex().par_iter().map(closed).collect()
}
