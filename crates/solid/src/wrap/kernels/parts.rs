//! Parts of blocks that are connected outside, and which of them are reached from the border of the grid.
//!
//! The elements of the sets are the parts, in the order of slots, and after them all blocks. Those of blocks
//! with values stay alone, except the first, which stands for the border: the grid has a margin, so that its
//! first node is outside.
use crate::inside::kernels::Border;
use crate::wrap::grid::{BLOCK, Grid, SIDES};
use crate::wrap::kernels::{INSIDE, OUTSIDE};
use crate::wrap::planes::Planes;
use glam::Vec3;
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};
use ribbonmesh::sets;

/// Counts the parts of each block with values; `open` are its nodes outside.
#[kernel(threads = 64)]
pub fn count_parts<'a>(slot: Each, open: In<'a, [u64; 8]>, counts: Out<'a, u32>) {
    let mut count = 0;
    Planes(open.get(slot)).parts(|_| count += 1);
    counts.set(slot, count);
}
/// Writes them, from the place that `starts` has for each slot.
#[kernel(threads = 64)]
pub fn list_parts<'a>(slot: Each, open: In<'a, [u64; 8]>, starts: In<'a, u32>, parts: Out<'a, [u64; 8]>) {
    let mut at = starts.get(slot);
    Planes(open.get(slot)).parts(|part| {
        parts.set(at, part.0);
        at += 1;
    });
}

/// Most cubes that a way within a part is taken to be long.
const WAY: f32 = 24.0;
/// Least difference from one half by which winding numbers decide about all of a part: they are rounded.
const LEAST: f32 = 0.05;

/// A node of each part: `first` is the first slot.
#[kernel(threads = 64)]
pub fn take_parts<'a>(
    i: Each,
    grid: Grid,
    near: In<'a, u32>,
    first: u32,
    starts: In<'a, u32>,
    parts: In<'a, [u64; 8]>,
    points: Out<'a, Vec3>,
) {
    let (block, mut part) = (near.get(first + i), starts.get(i));
    while part < starts.get(i + 1) {
        points.set(part, grid.place(block, Planes(parts.get(part)).first()));
        part += 1;
    }
}
/// Decides about parts of blocks by the winding number of one node of each: `solid` gets the nodes of parts
/// that are inside, `asked` those of parts that are too near to one half.
///
/// Nodes of a part are connected without crossing a face. So only the border of the faces changes winding
/// numbers between them; by Biot and Savart, each edge by at most its length over 4 π times the squared
/// distance, for each unit of the way.
#[kernel(threads = 64)]
pub fn decide_parts<'a>(
    i: Each,
    grid: Grid,
    near: In<'a, u32>,
    first: u32,
    starts: In<'a, u32>,
    parts: In<'a, [u64; 8]>,
    winding: In<'a, f32>,
    border: In<'a, Border>,
    solid: Out<'a, [u64; 8]>,
    asked: Out<'a, [u64; 8]>,
) {
    let (of, mut part) = (near.get(first + i), starts.get(i));
    let (mut inside, mut open) = (Planes::NONE, Planes::NONE);
    let cell = grid.cell as f32;
    // from the middle of the nodes to the farthest of them
    let (middle, far) = (grid.middle_of_nodes(of), 0.5 * (BLOCK - 1) as f32 * 1.733 * cell);
    let (mut change, mut at) = (0.0, 0);
    while part < starts.get(i + 1) && (at as usize) < border.len() && change < 1.0 {
        let edge = border.get(at);
        let away = (edge.middle - middle).length() - far - edge.half;
        let away = if away > 1e-3 * cell { away } else { 1e-3 * cell };
        change += edge.times
            * (2.0 * edge.half / away)
            * (WAY * cell / away)
            * (0.25 * core::f32::consts::FRAC_1_PI);
        at += 1;
    }
    while part < starts.get(i + 1) {
        let (nodes, number) = (Planes(parts.get(part)), winding.get(part).abs());
        if number - change > 0.5 + LEAST {
            inside = inside.with(&nodes);
        } else if number + change >= 0.5 - LEAST {
            open = open.with(&nodes);
        }
        part += 1;
    }
    solid.set(i, inside.0);
    asked.set(i, open.0);
}

/// Blocks and their parts.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Parts<'a> {
    /// The grid.
    pub grid: Grid,
    /// For each block its state.
    pub states: In<'a, u32>,
    /// The block of each slot.
    pub near: In<'a, u32>,
    /// The first part of each slot, and the number of all.
    pub starts: In<'a, u32>,
    /// The parts.
    pub parts: In<'a, [u64; 8]>,
    /// Number of parts.
    pub count: u32,
}

/// Unites the parts of each block with values with those beside them, and with blocks outside.
#[kernel(threads = 64)]
pub fn unite_parts<'a>(slot: Each, of: Parts<'a>, parents: Out<'a, u32>) {
    let block = of.near.get(slot);
    let mut part = of.starts.get(slot);
    while part < of.starts.get(slot + 1) {
        let own = Planes(of.parts.get(part));
        if block == 0 && own.first() == 0 {
            sets::unite(parents, part, of.count);
        }
        let mut i = 0;
        while i < 6 {
            let side = SIDES[i];
            // two blocks with values meet once
            let twice = i >= 3;
            i += 1;
            let Some(other) = of.grid.beside(block, side) else { continue };
            let (state, across) = (of.states.get(other), own.across(side));
            if state == OUTSIDE && !across.is_empty() {
                sets::unite(parents, part, of.count + other);
            } else if state < INSIDE && !twice {
                let mut beside = of.starts.get(state);
                while beside < of.starts.get(state + 1) {
                    if across.meets(&Planes(of.parts.get(beside))) {
                        sets::unite(parents, part, beside);
                    }
                    beside += 1;
                }
            }
        }
        part += 1;
    }
}
/// Unites each block outside with those beside it.
#[kernel(threads = 128)]
pub fn unite_blocks<'a>(b: Each, grid: Grid, states: In<'a, u32>, parts: u32, parents: Out<'a, u32>) {
    if states.get(b) != OUTSIDE {
        return;
    }
    let mut i = 0;
    while i < 3 {
        if let Some(other) = grid.beside(b, SIDES[i])
            && states.get(other) == OUTSIDE
        {
            sets::unite(parents, parts + b, parts + other);
        }
        i += 1;
    }
}
/// The nodes of each block with values that are reached.
#[kernel(threads = 128)]
pub fn reached_nodes<'a>(slot: Each, of: Parts<'a>, roots: In<'a, u32>, reached: Out<'a, [u64; 8]>) {
    let (mut all, mut part) = (Planes::NONE, of.starts.get(slot));
    while part < of.starts.get(slot + 1) {
        if roots.get(part) == roots.get(of.count) {
            all = all.with(&Planes(of.parts.get(part)));
        }
        part += 1;
    }
    reached.set(slot, all.0);
}
/// Makes the blocks without values that are not reached inside.
#[kernel(threads = 256)]
pub fn close_blocks<'a>(b: Each, parts: u32, roots: In<'a, u32>, states: Out<'a, u32>) {
    if states.get(b) == OUTSIDE && roots.get(parts + b) != roots.get(parts) {
        states.set(b, INSIDE);
    }
}
