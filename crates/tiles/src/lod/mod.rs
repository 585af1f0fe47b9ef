//! Levels of detail: a surface in small pieces of which a viewer draws those that a point of view needs.
//!
//! The surface is divided into meshlets of at most [`MOST_TRIANGLES`] triangles. Some sixteen neighbouring
//! meshlets are a group; the group is simplified to half of its triangles while its border stays, and divided
//! into new meshlets. With these it goes on, in other groups, across the old borders, until one group is
//! left. So groups and meshlets are a directed acyclic graph. Each surface that comes from taking some groups
//! instead of what they were made of, and for each of them all that are below it, is without cracks. Errors
//! and spheres grow from below, so that such a choice ([`Cut`]) is one test of each meshlet by itself.
//!
//! Sources: Cignoni, Ganovelli, Gobbetti, Marton, Ponchio, Scopigno, *Batched multi triangulation*, IEEE
//! Visualization 2005; Karis and others, *A deep dive into Nanite virtualized geometry*, SIGGRAPH 2021.
//!
//! [`Levels::build`] makes them, [`Levels::write`] and [`Levels::open`] keep them in two files, and
//! [`Levels::mesh`] is the surface of a cut.

mod about;
mod build;
mod cut;
mod graph;
mod group;
mod meshlet;
mod rows;
mod sphere;
mod stored;

pub use about::{About, LevelReport, Table};
pub use cut::Cut;
pub use meshlet::{MOST_TRIANGLES, MOST_VERTICES};
pub use rows::{GroupRow, MeshletRow, NO_GROUP, Triangles};
pub use sphere::{Bound, Sphere};

use crate::Result;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remeshing::simplify::SimplifyOptions;
use std::path::PathBuf;

/// Options of [`Levels::build`], as those of [`SimplifyOptions`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelsOptions {
    /// Edges whose faces' normals have a greater angle than this, in degrees, are features.
    pub feature_angle: Option<f32>,
    /// Weight of the planes through edges of the boundary and of features.
    pub curve_weight: f32,
    /// The largest angle by which one collapse may turn a face, in degrees.
    pub max_turn: f32,
}
impl Default for LevelsOptions {
    fn default() -> Self {
        let SimplifyOptions { feature_angle, curve_weight, max_turn, .. } = SimplifyOptions::default();
        Self { feature_angle, curve_weight, max_turn }
    }
}

/// Where triangles are.
#[derive(Clone, Debug, PartialEq)]
enum Pages {
    /// Those of each group.
    Memory(Vec<Vec<u8>>),
    /// In a file, from a byte on.
    File(PathBuf, u64),
}

/// The levels of a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    about: About,
    groups: Vec<GroupRow>,
    meshlets: Vec<MeshletRow>,
    pages: Pages,
}

impl Levels {
    /// Makes the levels of a mesh, by all threads of the pool. They depend on the mesh and on the options
    /// alone. Positions are kept, attributes are left out. Takes some 250 bytes for a face of the mesh, and
    /// 10 µs of processor time.
    /// # Errors
    /// [`TilesError::Violations`](crate::TilesError::Violations): the faces are no oriented manifold;
    /// [`TilesError::Library`](crate::TilesError::Library): a value of an option.
    pub fn build(mesh: &TriangleMesh, options: &LevelsOptions) -> Result<Self> {
        build::build(mesh, options)
    }
    /// The sizes of all of it.
    pub fn about(&self) -> &About {
        &self.about
    }
    /// The groups, from the last level to the first one. The first group is above all: its meshlets are those
    /// of the coarsest surface.
    pub fn groups(&self) -> &[GroupRow] {
        &self.groups
    }
    /// The meshlets, group by group.
    pub fn meshlets(&self) -> &[MeshletRow] {
        &self.meshlets
    }
    /// The level in which a meshlet was made: 0 for those of the input.
    pub fn level(&self, meshlet: &MeshletRow) -> u32 {
        self.groups.get(meshlet.made_by as usize).map_or(0, |group| group.level)
    }
}
