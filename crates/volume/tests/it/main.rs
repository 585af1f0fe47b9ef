//! Volume meshes on both machines.
mod meshes;
mod oracle;
mod tetrahedra;

mod attributes;
mod build;
mod defects;
mod docs;
mod errors;
mod list;
mod relations;
mod simplex;
mod slice;
mod smooth;
mod subdivide;
mod surface;
mod tcsr;
