//! Search for faces that operators have made and that intersect others.
use crate::check::kernels::{BarVertices, FlagMade, ListCorners};
use glam::Vec3;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::{Buffer, Result, Vertex, array};
use ribbonmesh_solid::intersections::{HeldBack, SearchAgain, Triangles, hold_back};

/// Searches of a mesh for faces that operators have made and that intersect others. The tree of a search
/// serves the next ones, as long as the number of ids of faces stays.
#[derive(Default)]
pub struct Search {
    again: SearchAgain,
    /// The vertices of all faces, three for each; [`NONE`](ribbonmesh::device::NONE) for deleted ones.
    corners: Option<Buffer<u32>>,
}
impl Search {
    /// Holds back moves of vertices of the mesh, as
    /// [`hold_back`](ribbonmesh_solid::intersections::hold_back). Waits.
    /// # Errors
    /// As [`hold_back`](ribbonmesh_solid::intersections::hold_back).
    pub fn hold_back(
        &mut self,
        mesh: &DynamicMesh,
        from: &Buffer<Vec3>,
        to: &mut Buffer<Vec3>,
    ) -> Result<HeldBack> {
        let Self { again, corners } = self;
        let faces = list_corners(corners, mesh)?;
        hold_back(again, Triangles { positions: from, faces }, to)
    }
    /// Searches all faces: sets bits for the vertices of those that intersect others. Returns the number of
    /// these faces. Waits.
    /// # Errors
    /// As [`SearchAgain::update`] and [`SearchAgain::all`].
    pub fn bar_all(
        &mut self,
        mesh: &DynamicMesh,
        x: &DynamicAttribute<Vertex, Vec3>,
        barred: &mut DynamicAttribute<Vertex, u32>,
        bits: u32,
    ) -> Result<usize> {
        let Self { again, corners } = self;
        let corners = list_corners(corners, mesh)?;
        let triangles = Triangles { positions: x.buffer(), faces: corners };
        again.update(triangles)?;
        let list = array::select(&again.all(triangles)?.marks)?;
        let n = list.len();
        let mut intersects = mesh.device().unspecified::<u32>(n)?;
        array::fill(&mut intersects, 1)?;
        Crossing { corners, list, intersects }.bar(barred, bits)?;
        Ok(n)
    }
    /// Searches the faces that a pass and later ones have made; `None` if none of them intersects any other
    /// face, by the exact test of `intersections`. Waits.
    /// # Errors
    /// As [`SearchAgain::update`].
    pub fn crossing(
        &mut self,
        mesh: &DynamicMesh,
        pass: u32,
        x: &DynamicAttribute<Vertex, Vec3>,
    ) -> Result<Option<Crossing<'_>>> {
        let n = mesh.ids(ElementKind::Face);
        let Self { again, corners } = self;
        let corners = list_corners(corners, mesh)?;
        let triangles = Triangles { positions: x.buffer(), faces: corners };
        again.update(triangles)?;
        let Some(bvh) = again.view() else { return Ok(None) };
        let mut made = mesh.device().unspecified::<u32>(n as usize)?;
        let flag = FlagMade { bvh, mesh: mesh.view(), pass, made: made.view_mut() };
        mesh.device().launch_each(n, flag)?;
        let met = again.meet_others(triangles, &array::select(&made)?)?;
        Ok((met.count > 0).then_some(Crossing { corners, list: met.faces, intersects: met.intersects }))
    }
}

/// Lists the vertices of the faces of a mesh, in the memory of an earlier list if that fits. Does not wait.
fn list_corners<'a>(corners: &'a mut Option<Buffer<u32>>, mesh: &DynamicMesh) -> Result<&'a Buffer<u32>> {
    let (device, n) = (mesh.device(), mesh.ids(ElementKind::Face));
    let memory = match corners.take().filter(|corners| corners.len() == 3 * n as usize) {
        Some(memory) => memory,
        None => device.unspecified::<u32>(3 * n as usize)?,
    };
    let corners = corners.insert(memory);
    device.launch_each(n, ListCorners { mesh: mesh.view(), corners: corners.view_mut().wide() })?;
    Ok(corners)
}

/// Faces that operators have made, of which some intersect others.
pub struct Crossing<'a> {
    /// The vertices of all faces by their ids, three for each.
    pub corners: &'a Buffer<u32>,
    /// The faces that were made.
    pub list: Buffer<u32>,
    /// For each of them, 1 if it intersects any other face, else 0.
    pub intersects: Buffer<u32>,
}
impl Crossing<'_> {
    /// Sets bits for the vertices of the faces that intersect others.
    /// # Errors
    /// Errors of the driver.
    pub fn bar(&self, barred: &mut DynamicAttribute<Vertex, u32>, bits: u32) -> Result<()> {
        let Self { corners, list, intersects } = self;
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
