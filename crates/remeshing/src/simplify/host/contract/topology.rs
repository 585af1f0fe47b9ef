//! Components, holes and tunnels.
use ribbonmesh::{FlatTopology, Result};
use serde::Serialize;

/// Numbers that describe the topology of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sets of faces connected across edges.
    pub components: u64,
    /// Closed paths along the boundary.
    pub boundary_loops: u64,
    /// Handles of all components.
    pub genus: u64,
    /// Vertices − edges + faces, without vertices that have no face.
    pub euler_characteristic: i64,
}
impl Counts {
    /// Counts those of an oriented manifold. On the host; nearly linear.
    pub fn of(topology: &FlatTopology) -> Result<Self> {
        let found = topology.topology()?;
        let genus = found.genus.unwrap_or_default();
        let euler_characteristic = found.euler_characteristic - found.isolated_vertices as i64;
        // χ = 2 c − 2 g − b
        let loops = 2 * found.components as i64 - 2 * genus as i64 - euler_characteristic;
        Ok(Self {
            components: found.components,
            boundary_loops: loops.max(0) as u64,
            genus,
            euler_characteristic,
        })
    }
    /// Least number of faces for this topology, about: a tetrahedron for a component, a few faces around a
    /// hole, a prism for a handle.
    pub fn least_faces(&self) -> u64 {
        4 * (self.components + self.boundary_loops) + 8 * self.genus
    }
}
