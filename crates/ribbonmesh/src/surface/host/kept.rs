//! Quantities that are computed from positions and faces when they are asked for, and kept.
use super::column::Column;
use super::download::Output;
use super::locality::{MANY, Reordered, along_curve};
use super::order::{Order, of_output, renumbered};
use super::surface::Surface;
use crate::bvh::{Bvh, Extent as Measured, SampledSurface};
use crate::device::ElementKind;
use crate::dynamic::{DynamicMesh, PatchOptions};
use crate::surface::kernels::corners::CornerSources;
use crate::{Buffer, FlatTopology, Op, Result, StaticMesh, array};
use std::sync::OnceLock;

/// Quantities of a surface.
#[derive(Default)]
pub struct Kept {
    /// Edges, by the ids of the surface.
    pub edges: Option<FlatTopology>,
    /// Patches; their ids are those of the surface.
    pub patches: Option<StaticMesh>,
    /// The mesh of the last change of triangles, with the patches from before, which patches are made of.
    pub changed: Option<Box<DynamicMesh>>,
    pub(super) tree: OnceLock<Bvh>,
}

impl Kept {
    /// Drops what depends on positions.
    pub fn forget_tree(&mut self) {
        self.tree = OnceLock::new();
    }
}

impl Surface {
    /// Drops edges, patches and the tree, and with them the memory that they take. They are computed again
    /// when they are asked for.
    pub fn purge(&mut self) {
        self.kept = Kept::default();
    }
    /// The search tree of the triangles, by the ids of [`Surface::triangles`]. A further call returns the
    /// same tree, until positions, triangles or ids change. A copy of it shares its memory.
    /// # Errors
    /// As [`Bvh::from_buffers`]; elements are named by their places in the output.
    pub fn tree(&self) -> Result<&Bvh> {
        self.kept_tree().map_err(|error| of_output(error, &self.order))
    }
    /// The tree; errors name elements by their ids.
    fn kept_tree(&self) -> Result<&Bvh> {
        if let Some(tree) = self.kept.tree.get() {
            return Ok(tree);
        }
        let tree = Bvh::from_buffers(self.positions.buffer(), &self.faces)?;
        Ok(self.kept.tree.get_or_init(|| tree))
    }
    /// The surface with its tree, to be measured against another one, whose coordinates reach up to `reach`
    /// ([`SampledSurface::beside`]). All of it on the device.
    /// # Errors
    /// As [`SampledSurface::beside`]; elements are named by their places in the output.
    pub fn sampled(&self, reach: f32) -> Result<SampledSurface> {
        self.sampled_of(&self.measured()?, reach)
    }
    /// As [`Surface::sampled`], given what [`Surface::measured`] has found.
    /// # Errors
    /// As [`Surface::sampled`].
    pub fn sampled_of(&self, extent: &Measured, reach: f32) -> Result<SampledSurface> {
        let tree = || self.kept_tree().cloned();
        let positions = self.positions.buffer();
        let sampled = SampledSurface::with_tree(positions, &self.faces, extent, reach, tree);
        sampled.map_err(|error| of_output(error, &self.order))
    }
    /// The extent of the triangles, for the tree of another surface.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn measured(&self) -> Result<Measured> {
        Measured::of(self.positions.buffer(), &self.faces)
    }
    /// The edges, which are found when they are first asked for. Before that, ids of large meshes are put
    /// along a curve, unless other ids were chosen.
    pub(super) fn link(&mut self) -> Result<&FlatTopology> {
        let topology = match self.kept.edges.take() {
            Some(topology) => topology,
            None => {
                let chosen =
                    self.order.is_some() || self.kept.patches.is_some() || self.kept.changed.is_some();
                if !chosen && self.faces.len() / 3 >= MANY {
                    self.reorder_along_curve()?;
                }
                FlatTopology::from_checked(self.positions.len() as u32, self.faces.clone())?
            }
        };
        Ok(self.kept.edges.insert(topology))
    }
    fn reorder_along_curve(&mut self) -> Result<()> {
        let Reordered { faces, positions, vertices_at, faces_at } =
            along_curve(self.positions.buffer(), &self.faces)?;
        let columns = self.gathered([&vertices_at, &faces_at])?;
        self.positions.set_values(positions);
        self.faces = faces.into();
        self.set_columns(columns);
        self.order = Some(Order { vertices: vertices_at.into(), faces: faces_at.into(), turn: false });
        self.kept = Kept::default();
        Ok(())
    }
    /// The columns of vertices, faces and corners with the rows of these vertices and faces.
    fn gathered(&self, [vertices, faces]: [&Buffer<u32>; 2]) -> Result<[Vec<Column>; 3]> {
        Ok([
            gather(&self.of_vertices, vertices, 1)?,
            gather(&self.of_faces, faces, 1)?,
            gather(&self.of_corners, faces, 3)?,
        ])
    }
    fn set_columns(&mut self, columns: [Vec<Column>; 3]) {
        [self.of_vertices, self.of_faces, self.of_corners] = columns;
    }

    /// Makes patches, unless there are some.
    pub(super) fn make_patches(&mut self) -> Result<()> {
        if self.kept.patches.is_some() {
            return Ok(());
        }
        if let Some(changed) = self.kept.changed.take() {
            return self.refresh_patches(*changed);
        }
        // the same patches, whatever ids were chosen before
        let output = self.output()?;
        let made;
        let flat = match (&self.order, &self.kept.edges) {
            (None, Some(edges)) => edges,
            _ => {
                made = FlatTopology::from_checked(self.positions.len() as u32, output.faces.clone())?;
                &made
            }
        };
        let patches = StaticMesh::from_flat(flat, &self.options)?;
        self.take_patches(patches, &output)
    }
    /// Takes patches that were made of the triangles in the order of the output.
    pub(super) fn take_patches(&mut self, patches: StaticMesh, output: &Output) -> Result<()> {
        let (vertices, faces) = (patches.vertex_inputs(), patches.face_inputs());
        let by_id = patches.query(Op::FV)?.into_values();
        // of each vertex, face and corner of the patches the id before
        let before = |of: usize, places: &Buffer<u32>| match &output.at {
            Some(at) => array::gather(&at[of], places),
            None => places.try_clone(),
        };
        let mut of_corners = vec![];
        if !self.of_corners.is_empty() {
            let n = patches.faces() as u32;
            let mut places = self.device.unspecified::<u32>(3 * n as usize)?;
            let kernel = CornerSources {
                faces: by_id.view(),
                vertex_inputs: vertices.view(),
                face_inputs: faces.view(),
                input: output.faces.view(),
                at: places.view_mut(),
            };
            self.device.launch_each(n, kernel)?;
            of_corners = gather(&self.of_corners, &before(2, &places)?, 1)?;
        }
        let (vertices, faces) = (before(0, vertices)?, before(1, faces)?);
        let positions = array::gather(self.positions.buffer(), &vertices)?;
        let columns =
            [gather(&self.of_vertices, &vertices, 1)?, gather(&self.of_faces, &faces, 1)?, of_corners];
        self.positions.set_values(positions);
        self.set_columns(columns);
        self.set_patches(patches, by_id, false);
        Ok(())
    }
    /// Brings the patches from before a change of triangles up to date.
    fn refresh_patches(&mut self, mut changed: DynamicMesh) -> Result<()> {
        let done = changed.refresh(&PatchOptions::NEVER)?;
        let maps = done.compaction.as_ref().map(|compaction| {
            [ElementKind::Vertex, ElementKind::Face].map(|kind| compaction.new_to_old(kind))
        });
        let order = renumbered(&self.device, self.order.as_ref(), self.numbers(), maps)?;
        let mut patches = changed.into_static()?;
        patches.set_inputs(&order.vertices, &order.faces);
        let by_id = patches.query(Op::FV)?.into_values();
        if let Some([vertices, faces]) = maps {
            let positions = array::gather(self.positions.buffer(), vertices)?;
            let columns = self.gathered([vertices, faces])?;
            self.positions.set_values(positions);
            self.set_columns(columns);
        }
        self.set_patches(patches, by_id, order.turn);
        Ok(())
    }
    /// Takes patches and their faces, where positions and columns have their ids already. Cannot fail.
    fn set_patches(&mut self, patches: StaticMesh, faces: Buffer<u32>, turn: bool) {
        self.positions.bind(&patches);
        self.faces = faces.into();
        let [vertices, faces] =
            [ElementKind::Vertex, ElementKind::Face].map(|kind| patches.shared_inputs(kind).clone());
        self.order = Some(Order { vertices, faces, turn });
        self.kept = Kept { patches: Some(patches), ..Kept::default() };
    }
}

/// Columns with the rows that `at` names, each as `of` rows that follow each other.
fn gather(columns: &[Column], at: &Buffer<u32>, of: u32) -> Result<Vec<Column>> {
    columns.iter().map(|column| column.gather(at, of)).collect()
}
