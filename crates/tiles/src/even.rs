//! Remeshing of a tile.
use crate::Result;
use crate::level::{FEATURE, MARKED, SHARED};
use crate::results::{Done, Vertex};
use crate::task::Task;
use glam::Vec3;
use ribbonmesh::device::NONE;
use ribbonmesh_remeshing::remesh::{Part, PartOptions, Remeshed, remesh_part};

/// Steps along edges from a marked vertex within which faces are remeshed again.
const AGAIN: u8 = 4;
/// Steps along edges from a vertex that will wait within which vertices are not smoothed: a later level
/// smooths them.
pub const UNSMOOTHED: u32 = AGAIN as u32 - 1;
/// The bit of a vertex that stays, next to a marked one, until edges are measured.
const NEXT: u32 = 1 << 8;
/// Not within any number of steps.
const FAR: u8 = u8::MAX;
/// Edges that are longer than this, in target lengths, are left by tiles alone: smoothing hardly makes one.
const LONG: f32 = 2.0;
/// Shortest and longest edges, in target lengths, at which a vertex next to a marked one need not wait:
/// hardly any edge of a mesh that is remeshed as a whole is outside.
const GOOD: [f32; 2] = [0.7, 1.5];

/// Remeshes a tile: everywhere, or else around marked vertices and edges that are too long. Vertices that
/// other tiles have stay. They wait for a later level, marked, if they have stayed each time; and if they
/// were next to a vertex that waited, and an edge at them, which has stayed each time then, is too short or
/// too long.
pub fn even(task: &Task, options: &PartOptions, everywhere: bool) -> Result<Done> {
    let steps = if everywhere { vec![0; task.positions.len()] } else { steps(task, options.length) };
    let active: Vec<bool> =
        task.faces.iter().map(|corners| corners.iter().all(|&v| steps[v as usize] <= AGAIN)).collect();
    let (part, places) = part(task, &active, everywhere);
    let done = match part.triangles.is_empty() {
        true => Remeshed { finished: true, ..Remeshed::default() },
        false => remesh_part(&part, options)?.ok_or_else(|| task.blame())?,
    };
    let stays = |v: usize| match (task.fixed[v] & SHARED != 0, steps[v]) {
        (false, _) | (true, 2..) => 0,
        _ if waits(task, v, everywhere) => u32::from(MARKED),
        (true, 0 | 1) => NEXT,
    };
    let mut all = joined(task, &active, (&done, &places), stays);
    let of_part = all.triangles.len() - done.part.triangles.len();
    wait(&mut all, of_part, options.length);
    Ok(all)
}

/// Whether a vertex has stayed each time, and stays again.
fn waits(task: &Task, v: usize, everywhere: bool) -> bool {
    task.fixed[v] & SHARED != 0 && (everywhere || task.fixed[v] & MARKED != 0)
}

/// Steps along edges from the marked vertices, and from ends of edges that are too long.
fn steps(task: &Task, length: f32) -> Vec<u8> {
    let marked = |bits: &u8| if bits & MARKED != 0 { 0 } else { FAR };
    let mut steps: Vec<u8> = task.fixed.iter().map(marked).collect();
    let target = |side| target(&task.lengths, length, side);
    each_long(&task.positions, &task.faces, target, |v| steps[v as usize] = 0);
    for _ in 0..AGAIN {
        for corners in &task.faces {
            let least = corners.iter().map(|&v| steps[v as usize]).min().unwrap_or(FAR);
            for &v in corners {
                let step = &mut steps[v as usize];
                *step = (*step).min(least.saturating_add(1));
            }
        }
    }
    steps
}
/// The target length of an edge: that of the end with the shorter one, or the same everywhere.
fn target(lengths: &[f32], length: f32, side: [u32; 2]) -> f32 {
    let of = side.map(|v| lengths.get(v as usize).copied().unwrap_or(length));
    of[0].min(of[1])
}
/// Gives the ends of edges that are too long.
fn each_long(x: &[Vec3], faces: &[[u32; 3]], target: impl Fn([u32; 2]) -> f32, mut visit: impl FnMut(u32)) {
    for &[a, b, c] in faces {
        for [v, w] in [[a, b], [b, c], [c, a]] {
            let most = LONG * target([v, w]);
            if x[v as usize].distance_squared(x[w as usize]) > most * most {
                visit(v);
                visit(w);
            }
        }
    }
}

/// The active faces, and the places of their vertices in the tile. `first`: features are not known yet.
fn part(task: &Task, active: &[bool], first: bool) -> (Part, Vec<u32>) {
    let (mut has, mut stays) = (vec![false; task.positions.len()], task.shared());
    for (corners, &active) in task.faces.iter().zip(active) {
        let of = if active { &mut has } else { &mut stays };
        corners.iter().for_each(|&v| of[v as usize] = true);
    }
    let places: Vec<u32> = (0..has.len() as u32).filter(|&v| has[v as usize]).collect();
    let mut numbers = vec![NONE; has.len()];
    places.iter().enumerate().for_each(|(number, &v)| numbers[v as usize] = number as u32);
    let on = |&v: &u32| task.fixed[v as usize] & FEATURE != 0;
    let of_features = if first { vec![] } else { places.iter().map(on).collect() };
    let of_active = task.faces.iter().zip(active).filter(|&(_, &active)| active);
    let part = Part {
        positions: places.iter().map(|&v| task.positions[v as usize]).collect(),
        triangles: of_active.map(|(corners, _)| corners.map(|v| numbers[v as usize])).collect(),
        fixed: places.iter().map(|&v| stays[v as usize]).collect(),
        on_feature: of_features,
        later: places.iter().map(|&v| waits(task, v as usize, first)).collect(),
        lengths: places.iter().filter_map(|&v| task.lengths.get(v as usize)).copied().collect(),
    };
    (part, places)
}

/// The faces that are not active, and then those that were made of the others. `stays` has bits of the
/// vertices before; all vertices of a part that is not finished are marked.
fn joined(
    task: &Task,
    active: &[bool],
    (done, places): (&Remeshed, &[u32]),
    stays: impl Fn(usize) -> u32,
) -> Done {
    let mut all = Done::default();
    let mut numbers = vec![NONE; task.positions.len()];
    let bits = |wait: bool, feature: bool| (u8::from(wait) * MARKED) | (u8::from(feature) * FEATURE);
    let old = |all: &mut Done, numbers: &mut [u32], v: usize, wait: bool, feature: bool| {
        if numbers[v] == NONE {
            numbers[v] = all.vertices.len() as u32;
            let position = task.positions[v].to_array();
            let fixed = u32::from(task.fixed[v] & SHARED | bits(wait, feature)) | stays(v);
            all.vertices.push(Vertex { position, id: task.ids[v], fixed });
            all.lengths.extend(task.lengths.get(v));
        }
        numbers[v]
    };
    let passive = task.faces.iter().zip(active).filter(|&(_, &active)| !active);
    for (corners, _) in passive {
        let feature = |v: usize| task.fixed[v] & FEATURE != 0;
        let corners = corners.map(|v| old(&mut all, &mut numbers, v as usize, false, feature(v as usize)));
        all.triangles.push(corners);
    }
    let wait = !done.finished;
    let of_part = done.part.positions.iter().zip(&done.sources).zip(&done.part.on_feature);
    let of_part: Vec<u32> = (0..)
        .zip(of_part)
        .map(|(place, ((p, &source), &feature)): (usize, _)| {
            if source != NONE {
                return old(&mut all, &mut numbers, places[source as usize] as usize, wait, feature);
            }
            let fixed = bits(wait, feature).into();
            all.vertices.push(Vertex { position: p.to_array(), id: NONE, fixed });
            all.lengths.extend(done.part.lengths.get(place));
            all.vertices.len() as u32 - 1
        })
        .collect();
    all.triangles.extend(done.part.triangles.iter().map(|corners| corners.map(|v| of_part[v as usize])));
    all
}

/// Marks vertices that are [`NEXT`] to marked ones, at edges of faces from a place on that are too short or
/// too long.
fn wait(done: &mut Done, from: usize, length: f32) {
    let x: Vec<Vec3> = done.vertices.iter().map(Vertex::at).collect();
    let sides = done.triangles[from..].iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let bad = |&[v, w]: &[u32; 2]| {
        let square = x[v as usize].distance_squared(x[w as usize]);
        let good = GOOD.map(|part| (part * target(&done.lengths, length, [v, w])).powi(2));
        square < good[0] || square > good[1]
    };
    for v in sides.filter(bad).flatten() {
        let vertex = &mut done.vertices[v as usize];
        if vertex.fixed & NEXT != 0 {
            vertex.fixed |= u32::from(MARKED);
        }
    }
    done.vertices.iter_mut().for_each(|vertex| vertex.fixed &= !NEXT);
}
