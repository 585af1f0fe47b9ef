//! Meshes that are combined, on the host or on a device.
use crate::arrange::GRAIN;
use crate::boolean::BooleanError;
use crate::boolean::attributes::{Ending, renew_normals};
use crate::boolean::kernels::places::TurnRange;
use crate::boolean::marked::Marks;
use crate::boolean::scene::{Kept, Scene, place};
use crate::repair::rows;
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::{Device, Surface, array};
use ribbonmesh_mesh::{Element, Rest, TriangleMesh};

/// Meshes whose elements follow each other, as one.
pub(crate) trait Whole {
    /// Its faces as those of one mesh, around an origin.
    fn scene(&self, device: &Device, origin: DVec3) -> Result<Scene, BooleanError>;
    /// Gives some vertices other positions.
    fn set_positions(&mut self, vertices: &[u32], positions: &[DVec3]) -> Result<(), BooleanError>;
    /// Turns faces around: from a first one on, so many.
    fn turn(&mut self, first: u32, n: u32) -> Result<(), BooleanError>;
    /// Copies of some faces with their vertices and attributes. Returns their vertices, and `others`, too.
    fn part(&mut self, faces: &[u32], others: &[u32]) -> Result<(TriangleMesh, Vec<u32>), BooleanError>;
    /// Becomes the result.
    fn end(&mut self, ending: Ending) -> Result<(), BooleanError>;
}

/// The vertices of faces and others, of so many in all, ascending, and the faces by places in that list.
fn numbered(count: usize, faces: &[[u32; 3]], others: &[u32]) -> (Vec<u32>, Vec<[u32; 3]>) {
    let used = faces.as_flattened().par_iter().chain(others).with_min_len(GRAIN).copied();
    let vertices = Marks::of(count, used).numbers();
    let corners =
        faces.par_iter().with_min_len(GRAIN).map(|face| face.map(|v| place(&vertices, v))).collect();
    (vertices, corners)
}

impl Ending {
    /// The elements after the faces of the input.
    fn rest(&self) -> Rest<'_> {
        let [of, to] = &self.moved;
        Rest { mesh: &self.rest, vertices: 0, faces: 0, corners: &self.corners, moved: [of, to] }
    }
}

impl Whole for TriangleMesh {
    fn scene(&self, device: &Device, origin: DVec3) -> Result<Scene, BooleanError> {
        let (positions, faces) = (device.upload(&self.positions)?, device.upload(self.faces.as_flattened())?);
        Ok(Scene::new(&positions, faces, vec![0, self.faces.len() as u32], origin)?)
    }
    fn set_positions(&mut self, vertices: &[u32], positions: &[DVec3]) -> Result<(), BooleanError> {
        vertices.iter().zip(positions).for_each(|(&v, &p)| self.positions[v as usize] = p);
        Ok(())
    }
    fn turn(&mut self, first: u32, n: u32) -> Result<(), BooleanError> {
        (first..first + n).for_each(|face| _ = self.turn_face(face));
        Ok(())
    }
    fn part(&mut self, faces: &[u32], others: &[u32]) -> Result<(TriangleMesh, Vec<u32>), BooleanError> {
        let of_faces: Vec<[u32; 3]> = faces.iter().map(|&face| self.faces[face as usize]).collect();
        let (vertices, corners) = numbered(self.positions.len(), &of_faces, others);
        let faces: Vec<(u32, [u32; 3])> = faces.iter().copied().zip(corners).collect();
        Ok((TriangleMesh::part(self, &vertices, &faces)?, vertices))
    }
    fn end(&mut self, ending: Ending) -> Result<(), BooleanError> {
        let Kept { vertices, faces, corners: of_kept, turned, .. } = &ending.kept;
        let (vertices, of_kept) = (vertices.read()?, of_kept.read()?);
        let of_kept = of_kept.as_chunks().0;
        let elements = [Element::Vertex, Element::Face, Element::Corner];
        let has_columns = elements.iter().any(|&e| self.attributes(e).into_iter().next().is_some());
        let mut mesh = if has_columns {
            let faces: Vec<_> = faces.read()?.into_iter().zip(of_kept.iter().copied()).collect();
            TriangleMesh::part(self, &vertices, &faces)?
        } else {
            let mut positions = Vec::with_capacity(vertices.len() + ending.rest.positions.len());
            positions.par_extend(vertices.par_iter().map(|&v| self.positions[v as usize]));
            let mut faces = Vec::with_capacity(of_kept.len() + ending.corners.len());
            faces.par_extend(of_kept);
            let mut mesh = TriangleMesh::new(positions, faces);
            mesh.precision = self.precision;
            mesh
        };
        turned.iter().for_each(|&face| mesh.turn_rows(face));
        mesh.append_rest(&ending.rest())?;
        renew_normals(&mut mesh, turned)?;
        mesh.tables = std::mem::take(&mut self.tables);
        *self = mesh;
        Ok(())
    }
}

/// A surface whose ids are the places of its elements.
impl Whole for Surface {
    fn scene(&self, _: &Device, origin: DVec3) -> Result<Scene, BooleanError> {
        let faces = self.triangles().faces().try_clone()?;
        let starts = vec![0, (faces.len() / 3) as u32];
        Ok(Scene::new(&self.exact_positions()?, faces, starts, origin)?)
    }
    fn set_positions(&mut self, vertices: &[u32], positions: &[DVec3]) -> Result<(), BooleanError> {
        Ok(Surface::set_positions(self, vertices, positions)?)
    }
    fn turn(&mut self, first: u32, n: u32) -> Result<(), BooleanError> {
        let [vertices, faces] = {
            let triangles = self.triangles();
            [triangles.positions().len(), triangles.faces().len() / 3].map(|n| n as u32)
        };
        let device = self.device().clone();
        let mut corners = self.triangles().faces().try_clone()?;
        device.launch_each(n, TurnRange { first, faces: corners.view_mut().wide() })?;
        let [vertices, faces] = [array::count_up(&device, vertices)?, array::count_up(&device, faces)?];
        let turned: Vec<u32> = (first..first + n).collect();
        Ok(self.rebuild(&vertices, (&faces, corners), &turned, |v| v)?)
    }
    fn part(&mut self, faces: &[u32], others: &[u32]) -> Result<(TriangleMesh, Vec<u32>), BooleanError> {
        let of_faces = rows(self.triangles().faces(), &self.device().upload(faces)?)?.read()?;
        let count = self.triangles().positions().len();
        let (vertices, corners) = numbered(count, of_faces.as_chunks().0, others);
        Ok((Surface::part(self, &vertices, faces, corners)?, vertices))
    }
    fn end(&mut self, ending: Ending) -> Result<(), BooleanError> {
        let Kept { vertices, faces, corners: of_kept, turned, .. } = &ending.kept;
        let sources = if turned.is_empty() { vec![] } else { faces.read()? };
        let of_input: Vec<u32> = turned.iter().map(|&face| sources[face as usize]).collect();
        self.rebuild(vertices, (faces, of_kept.try_clone()?), &of_input, |v| v)?;
        self.append_rest(&ending.rest())?;
        Ok(self.renew_normals(turned)?)
    }
}
