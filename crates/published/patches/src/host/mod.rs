//! Host code.
mod curvature;
mod geodesic;
mod normals;
mod store;

pub use curvature::{Curvatures, curvature_floor_bytes, curvatures_into, curvatures_of};
pub use geodesic::{Geodesic, geodesic_floor_bytes, ring_of};
pub use normals::{normals_floor_bytes, normals_into, normals_of};
pub use store::StoreGeodesic;
