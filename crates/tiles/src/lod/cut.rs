//! The choice of meshlets, and the surface that they are.
use super::{Bound, Levels, MeshletRow, Triangles};
use crate::Result;
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{Precision, TriangleMesh};
use rustc_hash::FxHashMap;

/// The accuracy that a surface needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// An error everywhere, in units of the mesh.
    Error(f64),
    /// An error that grows with the distance from a point, by `slope` for each unit: that of a pixel is its
    /// size at distance 1.
    View {
        /// The point, in units of the mesh.
        from: DVec3,
        /// Error at distance 1.
        slope: f64,
    },
}

impl Cut {
    /// Whether a group is accurate enough. It is for all that it was made of if it is for the group.
    pub fn accepts(&self, bound: &Bound, origin: DVec3) -> bool {
        let Bound { sphere, error } = bound;
        let allowed = match *self {
            Self::Error(error) => error,
            Self::View { from, slope } => {
                let centre = Vec3::from_array(sphere.centre).as_dvec3() + origin;
                slope * (from.distance(centre) - f64::from(sphere.radius)).max(0.0)
            }
        };
        *error < f32::INFINITY && f64::from(*error) <= allowed
    }
    /// Whether a meshlet is a part of the surface: it is accurate enough, and what was made of it is not.
    pub fn shows(&self, meshlet: &MeshletRow, origin: DVec3) -> bool {
        self.accepts(&meshlet.own, origin) && !self.accepts(&meshlet.above, origin)
    }
}

impl Levels {
    /// The meshlets of a cut, in ascending order.
    pub fn chosen(&self, cut: &Cut) -> Vec<u32> {
        let origin = DVec3::from_array(self.about.origin);
        let shown = |&m: &u32| cut.shows(&self.meshlets[m as usize], origin);
        (0..self.meshlets.len() as u32).filter(shown).collect()
    }
    /// The surface of a cut, with an attribute `level` of faces and of vertices, which have the lowest one of
    /// their faces. Vertices are in the order of the input; those that no group has moved have their place.
    /// Reads the pages that have its meshlets.
    /// # Errors
    /// Those of [`each_chosen`](Self::each_chosen).
    pub fn mesh(&self, cut: &Cut) -> Result<TriangleMesh> {
        let (mut corners, mut levels, mut at) = (vec![], vec![], FxHashMap::default());
        self.each_chosen(cut, |meshlet, triangles| {
            let (level, Triangles { positions, ids, corners: of_meshlet }) = (self.level(meshlet), triangles);
            for (&id, p) in ids.iter().zip(positions) {
                let lowest = &mut at.entry(id).or_insert((p, level)).1;
                *lowest = level.min(*lowest);
            }
            corners.extend(of_meshlet.iter().map(|places| places.map(|place| ids[usize::from(place)])));
            levels.resize(corners.len(), level);
        })?;
        let mut vertices: Vec<(u32, ([f32; 3], u32))> = at.into_iter().collect();
        vertices.sort_unstable_by_key(|&(id, _)| id);
        // all are there
        let place = |v: u32| vertices.partition_point(|&(id, _)| id < v) as u32;
        let faces = corners.into_iter().map(|ids| ids.map(place)).collect();
        let origin = DVec3::from_array(self.about.origin);
        let position = |p: [f32; 3]| Vec3::from_array(p).as_dvec3() + origin;
        let positions = vertices.iter().map(|&(_, (p, _))| position(p)).collect();
        let mut mesh = TriangleMesh::new(positions, faces);
        mesh.precision = if self.about.single { Precision::Single } else { Precision::Double };
        let of_vertices: Vec<u32> = vertices.iter().map(|&(_, (_, level))| level).collect();
        // as many as there are elements
        _ = mesh.vertices_mut().insert("level", of_vertices);
        _ = mesh.faces_of_mut().insert("level", levels);
        Ok(mesh)
    }
    /// Gives the meshlets of a cut with their triangles, group by group.
    /// # Errors
    /// [`TilesError::Disk`](crate::TilesError::Disk); [`TilesError::Levels`](crate::TilesError::Levels): a
    /// page is not as it was written.
    pub fn each_chosen(&self, cut: &Cut, mut visit: impl FnMut(&MeshletRow, Triangles)) -> Result<()> {
        let rows = |&m: &u32| &self.meshlets[m as usize];
        for group in self.chosen(cut).chunk_by(|a, b| rows(a).group == rows(b).group) {
            let Some(number) = group.first().map(|m| rows(m).group) else { continue };
            let page = self.page(number)?;
            for meshlet in group.iter().map(rows) {
                visit(meshlet, meshlet.read(&page).ok_or_else(|| self.damaged("a meshlet"))?);
            }
        }
        Ok(())
    }
}
