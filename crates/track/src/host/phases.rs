//! Phases that do not change connectivity.
use super::shape::Measured;
use super::values::Values;
use crate::components::{AddComponents, FlagLiving, Inflate, ListCorners, WORDS};
use crate::measure::{AddUp, Measure, Sums};
use crate::rank::{FindRanks, VERTICES};
use crate::sizing::{FindCurvatures, FindScales, GradeScales, Sizing};
use crate::smooth::Smooth;
use ribbonmesh::device::{ColumnView, ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Follow};
use ribbonmesh::{Buffer, Result, array};

/// Finds the ranks of vertices; does not wait.
pub fn find_ranks(mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let mesh = mesh.refresh_view()?;
    let kernel = FindRanks { mesh, x: values.x.view(), n, ranks: values.rank.view_mut() };
    device.launch(n.div_ceil(VERTICES), kernel)
}

/// Steps of limiting the differences of scales.
const GRADED: u32 = 4;

/// Computes the factors of the lengths at vertices; does not wait.
pub fn find_scales(mesh: &mut DynamicMesh, values: &mut Values, sizing: Sizing) -> Result<()> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let [mut scales, mut other] = match (values.scale.take(), values.curvature.take()) {
        (Some(scale), Some(other)) => [scale, other],
        _ => [DynamicAttribute::zeros(mesh)?, DynamicAttribute::zeros(mesh)?],
    };
    let (capacity, blocks) = (mesh.capacity(), n.div_ceil(VERTICES));
    scales.grow(capacity)?;
    other.grow(capacity)?;
    let mut view = mesh.refresh_view()?;
    let x = values.x.view();
    device.launch(
        blocks,
        FindCurvatures { mesh: view.reborrow(), x, n, sizing, curvatures: other.view_mut() },
    )?;
    let (curvatures, to) = (other.view(), scales.view_mut());
    device.launch(blocks, FindScales { mesh: view.reborrow(), n, sizing, curvatures, scales: to })?;
    for _ in 0..GRADED {
        let (length, from, to) = (sizing.length, scales.view(), other.view_mut());
        device.launch(blocks, GradeScales { mesh: view.reborrow(), x, n, length, from, to })?;
        std::mem::swap(&mut scales, &mut other);
    }
    (values.scale, values.curvature) = (Some(scales), Some(other));
    Ok(())
}

/// Smooths the positions; does not wait.
pub fn smooth(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    steps: u32,
    step: f32,
    keep_volume: bool,
) -> Result<()> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let mut mesh = mesh.refresh_view()?;
    for _ in 0..steps {
        let kernel = Smooth {
            mesh: mesh.reborrow(),
            x: values.x.view(),
            n,
            step,
            keep_volume: keep_volume as u32,
            y: values.y.view_mut(),
        };
        device.launch(n.div_ceil(VERTICES), kernel)?;
        std::mem::swap(&mut values.x, &mut values.y);
    }
    Ok(())
}

/// Memory for sums.
pub struct Scratch {
    tiles: Buffer<Sums>,
    all: Buffer<Sums>,
}
impl Scratch {
    pub fn new(mesh: &DynamicMesh) -> Result<Self> {
        Ok(Self { tiles: mesh.device().zeros(1)?, all: mesh.device().zeros(1)? })
    }
}

/// Computes sums over the mesh. Waits.
pub fn measure(mesh: &DynamicMesh, values: &Values, scratch: &mut Scratch) -> Result<Sums> {
    let device = mesh.device().clone();
    let [faces, edges] = [ElementKind::Face, ElementKind::Edge].map(|kind| mesh.ids(kind));
    let n = tiles(faces.max(edges));
    if scratch.tiles.len() < n as usize {
        scratch.tiles = device.zeros(n as usize + n as usize / 2)?;
    }
    let kernel = Measure {
        mesh: mesh.view(),
        x: values.x.view(),
        faces,
        edges,
        bounds: [values.criteria.shortest, values.criteria.longest],
        scale: values.scale.as_ref().map_or(ColumnView::empty(), |scale| scale.view()),
        sums: scratch.tiles.view_mut(),
    };
    device.launch(n, kernel)?;
    device.launch(1, AddUp { n, sums: scratch.tiles.view(), all: scratch.all.view_mut() })?;
    Ok(scratch.all.read()?.first().copied().unwrap_or(Sums::NONE))
}

/// Units of volume in the cube of the length, and of area in its square: powers of two.
const UNITS: [f64; 2] = [(1 << 24) as f64, (1 << 20) as f64];

/// The faces that are not deleted.
pub struct Living {
    /// Their ids, ascending.
    pub ids: Buffer<u32>,
    /// Their corners, three for each.
    pub faces: Buffer<u32>,
}

/// The corners of all faces, three for each. Waits for their number.
pub fn living_faces(mesh: &DynamicMesh) -> Result<Buffer<u32>> {
    Ok(living(mesh)?.faces)
}
/// The faces that are not deleted. Waits for their number.
pub fn living(mesh: &DynamicMesh) -> Result<Living> {
    let (device, n) = (mesh.device(), mesh.ids(ElementKind::Face));
    let mut living = device.unspecified::<u32>(n as usize)?;
    device.launch_each(n, FlagLiving { mesh: mesh.view(), living: living.view_mut() })?;
    let living = array::select(&living)?;
    let mut faces = device.unspecified::<u32>(3 * living.len())?;
    let list = ListCorners { mesh: mesh.view(), list: living.view(), corners: faces.view_mut().wide() };
    device.launch(tiles(living.len() as u32), list)?;
    Ok(Living { ids: living, faces })
}

/// Measures each of `count` components, in parts of `length`. Waits.
pub fn measure_components(
    mesh: &DynamicMesh,
    values: &Values,
    count: usize,
    length: f32,
) -> Result<Vec<Measured>> {
    let Some(labels) = &values.labels else { return Ok(vec![]) };
    let (device, n, length) = (mesh.device(), mesh.ids(ElementKind::Face), f64::from(length));
    let units = [UNITS[0] / length.powi(3), UNITS[1] / length.powi(2)];
    let mut sums = device.zeros::<u64>(WORDS as usize * count)?;
    let kernel = AddComponents {
        mesh: mesh.view(),
        x: values.x.view(),
        labels: labels.view(),
        n,
        units,
        sums: sums.view_mut(),
    };
    device.launch(tiles(n), kernel)?;
    let of = |words: &[u64]| Measured {
        volume: words[0] as i64 as f64 / units[0],
        area: words[1] as f64 / units[1],
        faces: words[2],
    };
    Ok(sums.read()?.chunks_exact(WORDS as usize).map(of).collect())
}

/// Moves the vertices of each component along their normals; does not wait.
pub fn inflate(mesh: &mut DynamicMesh, values: &mut Values, by: &[f32]) -> Result<()> {
    let Some(labels) = &values.labels else { return Ok(()) };
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let by = device.upload(by)?;
    let mesh = mesh.refresh_view()?;
    let (x, y) = (values.x.view(), values.y.view_mut());
    device.launch(n.div_ceil(VERTICES), Inflate { mesh, x, labels: labels.view(), n, by: by.view(), y })?;
    std::mem::swap(&mut values.x, &mut values.y);
    Ok(())
}
