//! Exact arrangements of triangles: faces are cut along everything that meets them, and the volumes between
//! the parts are numbered.
//!
//! | file | has |
//! |---|---|
//! | `grid`, `integer`, `near` | positions as integers; exact numbers; double precision with a bound of the error |
//! | `points` | points that are not rounded, and predicates on them |
//! | `pair`, `meetings` | the common points of two faces; of all pairs |
//! | `places` | points at one place |
//! | `tasks`, `cut`, `triangulate` | division of the faces of one plane |
//! | `arrangement` | all faces |
//! | `rows`, `pool` | items in rows; threads |
//! | `edges`, `patches`, `sides` | parts around an edge; sets of parts |
//! | `cells`, `outside`, `witness` | volumes, and how often meshes are wound around them, by rays |
//!
//! The steps are those of Zhou, Grinspun, Zorin and Jacobson, *Mesh Arrangements for Solid Geometry* (2016),
//! with points that are defined by planes instead of rational coordinates (Cherchi, Pellacini, Attene and
//! Livesu, *Interactive and Robust Mesh Booleans*, 2022).
mod arrangement;
mod cells;
mod cut;
mod edges;
mod grid;
mod integer;
mod meetings;
mod near;
mod outside;
mod pair;
mod patches;
mod places;
mod points;
mod pool;
mod rows;
mod sides;
mod tasks;
mod triangulate;
mod witness;

pub(crate) use arrangement::{Arrangement, arrange};
pub(crate) use cells::{Cells, Hit, Known, Ranges};
pub(crate) use edges::{Axle, Edges, Spoke};
pub(crate) use grid::Grid;
pub(crate) use pair::widest;
pub(crate) use patches::Patches;
pub(crate) use pool::{GRAIN, pooled};
