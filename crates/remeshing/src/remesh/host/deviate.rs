//! Remeshing to a tolerance that is measured.
use super::values::Values;
use crate::remesh::deviate::{DeviateInput, DeviateMesh, FoundArguments, SEARCHES, Shorten, shorter};
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Buffer, Result, array};
use serde::{Deserialize, Serialize};

/// Part of the tolerance beyond which the deviation makes target lengths shorter, ...
const AIM: f32 = 0.7;
/// ... if it exceeds this part of the tolerance anywhere: points between the measured ones may be farther
/// away.
const HOLDS: f32 = 0.9;

/// A tolerance and the shortest target length for it, in the units of the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    /// The largest distance.
    pub distance: f32,
    /// The shortest target length.
    shortest: f32,
}
impl Tolerance {
    /// A tolerance for a target length `length`, and the shortest lengths by curvature and by the tolerance
    /// in such lengths ([`range`](crate::remesh::Adaptive::range),
    /// [`finest`](crate::remesh::Adaptive::finest)). Edges need not be shorter than half of the tolerance,
    /// since the part of the surface that such an edge cuts off is nearer than that.
    pub fn new(distance: f32, [shortest, finest]: [f32; 2], length: f32) -> Self {
        let shortest = (finest * length).max(0.5 * distance).min(shortest * length);
        Self { distance, shortest }
    }
    /// Whether it holds for a distance between measured points, with a margin for the others.
    pub fn holds(&self, distance: f32) -> bool {
        distance <= HOLDS * self.distance
    }
    /// The distance beyond which lengths become shorter.
    pub fn aim(&self) -> f32 {
        AIM * self.distance
    }
    /// A target length for another attempt, where the surfaces are `deviation` from each other.
    pub fn shortened(&self, length: f32, deviation: f32) -> f32 {
        if deviation > self.aim() {
            shorter(length, deviation, self.aim(), self.shortest).min(length)
        } else {
            length
        }
    }
}

/// The input as it is compared with the result: positions, vertices of faces, target lengths of vertices, by
/// id.
pub struct Compared {
    pub tolerance: Tolerance,
    pub x: Buffer<Vec3>,
    pub faces: Buffer<u32>,
    pub lengths: Buffer<f32>,
}

/// Result of a comparison of the mesh with the input.
pub struct Comparison {
    /// The largest distance.
    pub distance: f32,
    /// Target lengths for another attempt; `None` if the tolerance holds, or if all lengths are the shortest
    /// that are allowed.
    pub lengths: Option<Buffer<f32>>,
    /// Whether the tolerance does not hold, with a margin for points that were not measured.
    pub wants_more: bool,
}

/// Measures the distance of the mesh and the input, whose tree is `tree`, from each other, in both
/// directions, at a set of points. Ids must be contiguous.
pub fn compare(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    tree: &Bvh,
    input: &Compared,
) -> Result<Comparison> {
    let Compared { tolerance, x, faces, lengths } = input;
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Face);
    let of_result = Bvh::from_buffers(&values.x.to_buffer(mesh)?, &mesh.faces()?)?;
    let mut deviations = device.zeros::<u32>(x.len())?;
    let length = values.length;
    let kernel = DeviateMesh {
        mesh: mesh.view(),
        values: values.view(),
        tree: tree.view(),
        n,
        found: found(input, &mut deviations),
    };
    device.launch(n.div_ceil(SEARCHES), kernel)?;
    let kernel = DeviateInput { tree: of_result.view(), length, found: found(input, &mut deviations) };
    device.launch((faces.len() as u32 / 3).div_ceil(SEARCHES), kernel)?;
    // floats that are not negative have the order of their bits
    let distance = f32::from_bits(array::max(&deviations)?.unwrap_or_default());
    if tolerance.holds(distance) {
        return Ok(Comparison { distance, lengths: None, wants_more: false });
    }
    let mut lengths = lengths.try_clone()?;
    let mut changed = device.zeros::<u32>(1)?;
    let kernel = Shorten {
        deviations: deviations.view(),
        aim: tolerance.aim(),
        least: tolerance.shortest,
        lengths: lengths.view_mut(),
        changed: changed.view_mut(),
    };
    device.launch(tiles(x.len() as u32), kernel)?;
    let lengths = (changed.read()?[0] != 0).then_some(lengths);
    Ok(Comparison { distance, lengths, wants_more: true })
}

/// The input as kernels see it.
fn found<'a>(input: &'a Compared, deviations: &'a mut Buffer<u32>) -> FoundArguments<'a> {
    FoundArguments { x: input.x.view(), faces: input.faces.view().wide(), deviations: deviations.view_mut() }
}
