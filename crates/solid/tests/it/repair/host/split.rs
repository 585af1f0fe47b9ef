//! Splitting vertices of several fans.
use crate::repair::host::fans::{Corners, numbers};
use crate::repair::host::links::Links;
use rayon::prelude::*;

/// Gives each fan of `vertices`, which ascend, a vertex of its own: the first fan keeps the vertex, the
/// others get new ones, numbered after the last vertex, in the order of the vertices and of the fans' first
/// corners. `inputs` has the input's vertex of each vertex, and grows.
pub(crate) fn split(vertices: &[u32], faces: &mut [[u32; 3]], links: &Links, inputs: &mut Vec<u32>) {
    if vertices.is_empty() {
        return;
    }
    let corners = Corners::of(vertices, inputs.len(), faces);
    let by_vertex = corners.by_vertex();
    let fans: Vec<Vec<u32>> = by_vertex.par_iter().map(|corners| numbers(corners, faces, links)).collect();
    let corner_vertices = faces.as_flattened_mut();
    for (corners, fans) in by_vertex.into_iter().zip(fans) {
        // the first fan, number 0, keeps the vertex
        let first = inputs.len() as u32 - 1;
        for (&(_, corner), &fan) in corners.iter().zip(&fans).filter(|(_, fan)| **fan > 0) {
            corner_vertices[corner as usize] = first + fan;
        }
        let more = fans.iter().copied().max().unwrap_or(0);
        let input = inputs[corners[0].0 as usize];
        inputs.extend((0..more).map(|_| input));
    }
}
