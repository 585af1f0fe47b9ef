//! Phases that change no connectivity.
use super::values::Values;
use crate::measure::{AddUp, Measure, Sums};
use crate::rank::{FindRanks, VERTICES};
use crate::smooth::Smooth;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Buffer, Result};

/// Finds the ranks of vertices; does not wait.
pub fn find_ranks(mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let mesh = mesh.refresh_view()?;
    let kernel = FindRanks { mesh, x: values.x.view(), n, ranks: values.rank.view_mut() };
    device.launch(n.div_ceil(VERTICES), kernel)
}

/// Smooths; does not wait.
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

/// Sums over the mesh. Waits.
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
        sums: scratch.tiles.view_mut(),
    };
    device.launch(n, kernel)?;
    device.launch(1, AddUp { n, sums: scratch.tiles.view(), all: scratch.all.view_mut() })?;
    Ok(scratch.all.read()?.first().copied().unwrap_or(Sums::NONE))
}
