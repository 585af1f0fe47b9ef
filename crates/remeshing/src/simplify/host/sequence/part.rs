//! Parts of a mesh that are simplified by themselves, so that they fit each other afterwards.
use super::begin::{Begin, Curves, begin, mark_features};
use super::collapse::{Limits, Vertices};
use super::collapses::Collapses;
use crate::simplify::quadric::Quadric;
use crate::triangles::{Mesh, Reordered, Sides};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh::{Result, Watch};

/// Some of the faces of a mesh, with their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Positions, multiplied by a power of two that brings the diagonal of the whole mesh near 1. All parts
    /// of a mesh need the same one, since quadrics depend on it.
    pub positions: Vec<Vec3>,
    /// Vertices of each face.
    pub triangles: Vec<[u32; 3]>,
    /// Whether each vertex has faces in other parts. These vertices stay where they are, and so do all edges
    /// between them; no edge at them is collapsed. Of all other vertices the part must have all faces.
    pub fixed: Vec<bool>,
    /// The quadric of each vertex, as earlier work on it has left it; without area where the faces around the
    /// vertex tell it. Empty: all of them are told by faces.
    pub quadrics: Vec<Quadric>,
}

/// Options of [`simplify_part`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartOptions {
    /// Number of faces that is wanted.
    pub faces: u32,
    /// Largest distance from the input, in the units of the part's positions.
    pub max_error: Option<f32>,
    /// Angle from which on edges are features, in degrees.
    pub feature_angle: Option<f32>,
    /// Weight of the planes through edges of the boundary and of features.
    pub curve_weight: f32,
    /// The largest angle by which one collapse may turn a face, in degrees.
    pub max_turn: f32,
}

/// The result of [`simplify_part`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simplified {
    /// The faces that are left, in an order of their own. Fixed vertices have the quadrics that they had.
    pub part: Part,
    /// The vertex of the input from which each vertex comes; a fixed vertex comes from itself.
    pub sources: Vec<u32>,
    /// Number of collapses.
    pub collapses: u64,
    /// Faces that were removed by classes of the costs of their collapses, the cheapest first: eight for each
    /// doubling, the same ones for all parts of a mesh.
    pub removed: Vec<u32>,
}

/// Simplifies a part by collapses one after another, the cheapest edge first, with the rules of
/// [`Sequence`](crate::simplify::Sequence). The result depends on the order of vertices and faces, and on
/// nothing else. It takes about 200 bytes for a face at most, and 100 more where quadrics are given.
///
/// Returns [`None`] where the part is not an oriented manifold: a face has a vertex twice, two faces have a
/// side in common with the same direction, or the faces of a vertex that is not fixed are not one fan.
/// # Errors
/// [`Error::Stopped`](ribbonmesh::Error::Stopped) by the watch of the thread.
pub fn simplify_part(part: Part, options: &PartOptions) -> Result<Option<Simplified>> {
    let Some((mut collapses, order)) = prepare(part, options) else { return Ok(None) };
    let watch = Watch::of_this_thread();
    let mut executed = 0;
    while collapses.faces() > options.faces {
        let run = collapses.run(options.faces, watch.as_ref())?;
        executed += run.executed;
        if run.executed == 0 {
            break;
        }
    }
    Ok(Some(finish(collapses, &order, executed)))
}

/// The numbers of vertices in the part, and whether they are fixed, in the order of collapses.
struct Ordered {
    vertices: Vec<u32>,
    fixed: Vec<bool>,
}

fn prepare(part: Part, options: &PartOptions) -> Option<(Collapses, Ordered)> {
    let Part { positions, triangles, fixed, quadrics: earlier } = part;
    let Reordered { x, triangles: ordered, vertices, .. } = Reordered::new(&positions, &triangles);
    drop((positions, triangles));
    let fixed: Vec<bool> = vertices.iter().map(|&v| fixed[v as usize]).collect();
    let sides = Sides::new(x.len(), &ordered)?;
    let mut mesh = Mesh::new(&ordered, &sides)?;
    drop(ordered);
    if let Some(degrees) = options.feature_angle {
        mark_features(&mut mesh, &x, degrees);
    }
    let curves = Curves { poles: &[], fixed: false, weight: options.curve_weight, fixed_vertices: &fixed };
    let Begin { mut quadrics, kinds, .. } = begin(&mesh, &sides, &x, &curves)?;
    drop(sides);
    if !earlier.is_empty() {
        quadrics.par_iter_mut().zip(&vertices).for_each(|(quadric, &v)| {
            let known = earlier[v as usize];
            if known.area > 0.0 {
                *quadric = known;
            }
        });
    }
    drop(earlier);
    let inputs = (0..x.len() as u32).collect();
    let limits = Limits { bound: options.max_error, turn: options.max_turn.to_radians().cos() };
    let vertices_of = Vertices { x, quadrics, kinds, inputs };
    Some((Collapses::new(mesh, vertices_of, limits, false), Ordered { vertices, fixed }))
}

fn finish(collapses: Collapses, order: &Ordered, executed: u64) -> Simplified {
    let Collapses { mesh, vertices: v, removed, .. } = collapses;
    let corners = || (0..mesh.len()).filter_map(|f| mesh.corners(f));
    let mut places = vec![NONE; v.x.len()];
    corners().flatten().for_each(|u| places[u as usize] = 0);
    let left: Vec<u32> = (0..places.len() as u32).filter(|&u| places[u as usize] != NONE).collect();
    left.iter().enumerate().for_each(|(place, &u)| places[u as usize] = place as u32);
    let at = || left.iter().map(|&u| u as usize);
    let part = Part {
        positions: at().map(|u| v.x[u]).collect(),
        triangles: corners().map(|corners| corners.map(|u| places[u as usize])).collect(),
        fixed: at().map(|u| order.fixed[u]).collect(),
        quadrics: at().map(|u| v.quadrics[u]).collect(),
    };
    let source = |u: usize| order.vertices[v.inputs[u] as usize];
    Simplified { part, sources: at().map(source).collect(), collapses: executed, removed }
}
