//! Search for faces that operators have made and that intersect others.
use crate::check::kernels::{BarVertices, FlagLiving, ListFaces};
use glam::Vec3;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::{Buffer, Result, Vertex, array};
use ribbonmesh_solid::intersections::{Triangles, intersecting, self_intersections};

/// The faces that are not deleted.
pub struct Living {
    /// Their vertices, three for each.
    pub corners: Buffer<u32>,
    /// For each of them, 1 if the given pass or a later one made it, else 0.
    made: Buffer<u32>,
}
impl Living {
    /// Lists the faces, for a search of those that a pass and later ones have made. Waits for their number.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn since(mesh: &DynamicMesh, pass: u32) -> Result<Self> {
        let device = mesh.device().clone();
        let n = mesh.ids(ElementKind::Face);
        let mut living = device.unspecified::<u32>(n as usize)?;
        device.launch_each(n, FlagLiving { mesh: mesh.view(), living: living.view_mut() })?;
        let list = array::select(&living)?;
        let mut corners = device.unspecified::<u32>(3 * list.len())?;
        let mut made = device.unspecified::<u32>(list.len())?;
        let kernel = ListFaces {
            mesh: mesh.view(),
            list: list.view(),
            pass,
            corners: corners.view_mut().wide(),
            made: made.view_mut(),
        };
        device.launch(tiles(list.len() as u32), kernel)?;
        Ok(Self { corners, made })
    }
    /// Searches the faces that were made; `None` if none of them intersects any other face, by the
    /// exact test of `intersections`. Waits.
    /// # Errors
    /// As [`self_intersections`] and [`intersecting`].
    pub fn crossing(self, x: &DynamicAttribute<Vertex, Vec3>) -> Result<Option<Crossing>> {
        let list = array::select(&self.made)?;
        let faces = Triangles { positions: x.buffer(), faces: &self.corners };
        // the search of all faces visits each pair once
        let intersects = if 2 * list.len() as u64 > u64::from(faces.len()) {
            array::gather(&self_intersections(faces)?.marks, &list)?
        } else {
            intersecting(faces, &list)?
        };
        let any = array::sum(&intersects)? > 0;
        Ok(any.then_some(Crossing { living: self, list, intersects }))
    }
}

/// Faces that operators have made, of which some intersect others.
pub struct Crossing {
    living: Living,
    /// The faces that were made, as indices of living faces.
    pub list: Buffer<u32>,
    /// For each of them, 1 if it intersects any other face, else 0.
    pub intersects: Buffer<u32>,
}
impl Crossing {
    /// The vertices of all faces, three for each.
    pub fn corners(&self) -> &Buffer<u32> {
        &self.living.corners
    }
    /// Sets bits for the vertices of the faces that intersect others.
    /// # Errors
    /// Errors of the driver.
    pub fn bar(&self, barred: &mut DynamicAttribute<Vertex, u32>, bits: u32) -> Result<()> {
        let Self { living: Living { corners, .. }, list, intersects } = self;
        let kernel = BarVertices {
            corners: corners.view().wide(),
            list: list.view(),
            intersects: intersects.view(),
            bits,
            barred: barred.view_mut(),
        };
        corners.device().launch(tiles(list.len() as u32), kernel)
    }
}
