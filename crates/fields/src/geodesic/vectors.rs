//! Signed distances and logarithmic maps, by the heat method for vectors.
use crate::geodesic::run::{DISTANCE, NEAREST};
use ribbonmesh::{Error, Result, TriangleMesh};
use ribbonmesh_heat::VectorHeat;
use serde::Serialize;

/// The names of the coordinates of logarithmic maps.
pub(crate) const LOG: [&str; 2] = ["log_x", "log_y"];

/// The report of signed distances, or of a logarithmic map.
#[derive(Serialize)]
pub(crate) struct VectorReport {
    sources: usize,
    /// Vertices with a finite distance.
    pub reached: usize,
    /// Vertices that no path from a source leads to.
    pub unreachable: usize,
    /// Whether the curve's last vertex has an edge to the first; of signed distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<bool>,
}

/// Gives a mesh the distances from a curve along edges, positive on its right.
pub(crate) fn signed(mesh: &mut TriangleMesh, method: &VectorHeat, curve: &[u32]) -> Result<VectorReport> {
    let found = method.signed_distances(curve)?;
    let (reached, closed) = (found.reached, Some(found.closed));
    mesh.vertices_mut().remove(NEAREST);
    mesh.vertices_mut().insert(DISTANCE, found.distances).map_err(Error::from)?;
    let unreachable = mesh.positions.len() - reached;
    Ok(VectorReport { sources: curve.len(), reached, unreachable, closed })
}

/// Gives a mesh the logarithmic map of a vertex, and its lengths as distances.
pub(crate) fn logarithmic(
    mesh: &mut TriangleMesh,
    method: &VectorHeat,
    sources: &[u32],
) -> Result<VectorReport> {
    let [source] = *sources else {
        let (value, expected) = (format!("{} vertices", sources.len()), "one vertex with --log-map");
        return Err(Error::Option { option: "source", value, expected });
    };
    let found = method.logarithmic_map(source)?;
    let infinite = |length: f64| if length.is_nan() { f64::INFINITY } else { length };
    let lengths: Vec<f64> = found.coordinates.iter().map(|x| infinite(x.length())).collect();
    let mut columns = mesh.vertices_mut();
    columns.remove(NEAREST);
    for (axis, name) in LOG.into_iter().enumerate() {
        let values: Vec<f64> = found.coordinates.iter().map(|x| x[axis]).collect();
        columns.insert(name, values).map_err(Error::from)?;
    }
    columns.insert(DISTANCE, lengths).map_err(Error::from)?;
    let unreachable = mesh.positions.len() - found.reached;
    Ok(VectorReport { sources: 1, reached: found.reached, unreachable, closed: None })
}
