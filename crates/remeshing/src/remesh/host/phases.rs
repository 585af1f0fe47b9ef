//! Phases that move vertices, and the count of valences.
use super::options::{Boundary, RemeshOptions, Weights};
use super::remesher::Input;
use super::values::Values;
use crate::remesh::flip::{CountExcess, NO_EDGES, SetWords};
use crate::remesh::guard::{FindTurned, Hold};
use crate::remesh::project::{self, Project};
use crate::remesh::smooth::{self, BY_AREA, Smooth, Smoothing, UNIFORM};
use ribbonmesh::Result;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::DynamicMesh;

/// Number of searches for moves that turn faces; undoing one may make another one turn a face.
const GUARDS: u32 = 3;

/// Counts valences.
pub fn count_excess(mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
    let device = mesh.device().clone();
    let [v, n] = [ElementKind::Vertex, ElementKind::Edge].map(|kind| mesh.ids(kind));
    let set = SetWords { words: values.excess.view_mut().memory(), value: NO_EDGES };
    device.launch_each(v, set)?;
    device.launch_each(n, CountExcess { mesh: mesh.view(), excess: values.excess.view_mut() })
}

/// Smooths the positions.
pub fn smooth(mesh: &mut DynamicMesh, values: &mut Values, options: &RemeshOptions) -> Result<()> {
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Vertex);
    let smoothing = Smoothing {
        step: options.step,
        weights: match options.weights {
            Weights::Area => BY_AREA,
            Weights::Uniform => UNIFORM,
        },
        round: (options.boundary == Boundary::Free) as u32,
    };
    let mut mesh = mesh.refresh_view()?;
    for _ in 0..options.smoothing {
        let (values_view, y) = values.views();
        device.launch(
            n.div_ceil(smooth::VERTICES),
            Smooth { mesh: mesh.reborrow(), values: values_view, smoothing, n, y },
        )?;
        std::mem::swap(&mut values.x, &mut values.y);
    }
    Ok(())
}

/// Projects vertices to the input.
pub fn project(mesh: &mut DynamicMesh, values: &mut Values, input: &Input, round: bool) -> Result<()> {
    let device = mesh.device().clone();
    let [n, faces] = [ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind));
    let mut mesh = mesh.view();
    let (view, y) = values.views();
    let kernel = Project {
        mesh: mesh.reborrow(),
        values: view,
        surface: input.surface.view(),
        curves: input.curves.view(),
        round: round as u32,
        n,
        y,
    };
    device.launch(n.div_ceil(project::VERTICES), kernel)?;
    device.launch_each(n, SetWords { words: values.excess.view_mut().memory(), value: 0 })?;
    for _ in 0..GUARDS {
        let (x, y, held) = (values.x.view(), values.y.view(), values.excess.view_mut());
        device.launch_each(faces, FindTurned { mesh: mesh.reborrow(), x, y, held })?;
        let (x, y, held) = (values.x.view(), values.y.view_mut(), values.excess.view());
        device.launch_each(n, Hold { x, y, held })?;
    }
    std::mem::swap(&mut values.x, &mut values.y);
    Ok(())
}
