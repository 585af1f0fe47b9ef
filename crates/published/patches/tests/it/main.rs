//! Results on patches, compared with those on flat arrays.
mod curvature;
mod geodesic;
mod model;
mod normals;
