//! Signed distances and logarithmic maps, by the heat method for vectors.
use crate::geodesic::run::NEAREST;
use ribbonmesh::mesh::{Element, Role};
use ribbonmesh::{Error, Result, Surface, array};
use ribbonmesh_heat::{HeatReport, VectorHeat, insert_distances};
use serde::Serialize;

/// The names of the coordinates of logarithmic maps.
pub(crate) const LOG: [&str; 2] = ["log_x", "log_y"];

/// The report of signed distances, or of a logarithmic map.
#[derive(Serialize)]
pub(crate) struct VectorReport {
    #[serde(flatten)]
    pub heat: HeatReport,
    /// Whether the curve's last vertex has an edge to the first; of signed distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<bool>,
}

/// Gives a surface the distances from a curve along edges, positive on its right; the report, and all
/// distances.
pub(crate) fn signed(
    surface: &mut Surface,
    method: &mut VectorHeat,
    curve: &[u32],
) -> Result<(VectorReport, Vec<f64>)> {
    let found = method.signed_distances(curve)?;
    insert_distances(surface, &found.distances)?;
    surface.retain(Element::Vertex, |name, _| name != NEAREST);
    Ok((VectorReport { heat: found.report, closed: Some(found.closed) }, found.distances.read()?))
}

/// Gives a surface the logarithmic map of a vertex, and its lengths as distances; the report, and these.
pub(crate) fn logarithmic(
    surface: &mut Surface,
    method: &VectorHeat,
    sources: &[u32],
) -> Result<(VectorReport, Vec<f64>)> {
    let [source] = *sources else {
        let (value, expected) = (format!("{} vertices", sources.len()), "one vertex with --log-map");
        return Err(Error::Option { option: "source", value, expected });
    };
    let found = method.logarithmic_map(source)?;
    for (name, values) in LOG.into_iter().zip(&found.coordinates) {
        let own = array::gather(values, &*surface.triangles().vertex_places()?)?;
        surface.insert_owned_of_vertices(name, Role::Custom, own)?;
    }
    insert_distances(surface, &found.distances)?;
    surface.retain(Element::Vertex, |name, _| name != NEAREST);
    Ok((VectorReport { heat: found.report, closed: None }, found.distances.read()?))
}
