//! Features and quadrics of a dynamic mesh.
use super::options::SimplifyOptions;
use super::values::Values;
use crate::remesh::{MarkedEdges, mark_edges};
use crate::simplify::prepare::{ClassifyVertices, Quadrics};
use ribbonmesh::Result;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::features::Features;
use ribbonmesh::surface::Seams;

/// Finds feature edges, curves and corners, and adds up quadrics.
pub fn prepare(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    options: &SimplifyOptions,
    seams: Option<Seams>,
) -> Result<Features> {
    let device = mesh.device().clone();
    let v = mesh.ids(ElementKind::Vertex);
    let found = mark_edges(mesh, &values.x, seams, options.feature_angle, false)?;
    let MarkedEdges { marks, mut counts, marked } = found;
    values.marks = marks;
    let mut kinds = device.zeros::<u32>(3)?;
    let mut view = mesh.refresh_view()?;
    let classify = ClassifyVertices {
        mesh: view.reborrow(),
        values: values.view(),
        counts: counts.view_mut(),
        fixed: options.fixed_boundary as u32,
        kinds: kinds.view_mut(),
    };
    device.launch_each(v, classify)?;
    let quadrics = Quadrics { mesh: view, values: values.view(), curve_weight: options.curve_weight };
    device.launch_each(v, quadrics)?;
    let kinds = kinds.read()?;
    Ok(Features::new(&marked, &kinds))
}
