//! What is computed on patches against what is computed without.
mod curvature;
mod geodesic;
mod model;
mod normals;
