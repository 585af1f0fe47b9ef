//! The result of collapses as a surface.
use super::run::Sequence;
use crate::simplify::host::contract::Complex;
use crate::simplify::host::report::SimplifyReport;
use crate::simplify::quadric::Record;
use crate::triangles::{MARKED, Mesh};
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Sizes};
use ribbonmesh::surface::{Changed, Surface, Vertices};
use ribbonmesh::{Edge, FlatTopology, Result};
use std::time::Instant;

/// The vertices and faces that are left.
struct Left {
    vertices: Vec<u32>,
    faces: Vec<u32>,
    /// The vertices of the faces, by their places among those that are left.
    triangles: Vec<[u32; 3]>,
}

impl Sequence {
    fn left(&self) -> Left {
        let mesh = &self.collapses.mesh;
        let faces: Vec<_> = (0..mesh.len() as u32).filter(|&f| mesh.corners(f as usize).is_some()).collect();
        let corners = || faces.iter().filter_map(|&f| mesh.corners(f as usize));
        let mut places = vec![NONE; self.collapses.vertices.x.len()];
        for v in corners().flatten().chain(self.prepared.alone.iter().copied()) {
            places[v as usize] = 0;
        }
        let vertices: Vec<_> = (0..places.len() as u32).filter(|&v| places[v as usize] != NONE).collect();
        for (place, &v) in vertices.iter().enumerate() {
            places[v as usize] = place as u32;
        }
        let triangles = corners().map(|corners| corners.map(|v| places[v as usize])).collect();
        Left { vertices, triangles, faces }
    }
    /// The ids on the surface from which the vertices and faces come that are left.
    fn sources(&self, left: &Left) -> [Vec<u32>; 2] {
        let [vertices, faces] = &self.prepared.ids;
        let inputs = &self.collapses.vertices.inputs;
        let of_vertex = |&v: &u32| vertices[inputs[v as usize] as usize];
        [
            left.vertices.iter().map(of_vertex).collect(),
            left.faces.iter().map(|&f| faces[f as usize]).collect(),
        ]
    }
    /// The mesh as triangles that need not be a manifold.
    pub(super) fn to_complex(&self) -> Result<Complex> {
        let (device, v, left) = (&self.device, &self.collapses.vertices, self.left());
        let [of_vertices, of_faces] = self.sources(&left);
        let at = || left.vertices.iter().map(|&u| u as usize);
        Complex::new(
            device.upload(left.triangles.as_flattened())?,
            device.upload(&at().map(|u| v.x[u]).collect::<Vec<_>>())?,
            device.upload(&at().map(|u| Record::from(v.quadrics[u])).collect::<Vec<_>>())?,
            device.upload(&at().map(|u| v.kinds[u]).collect::<Vec<_>>())?,
            [device.upload(&of_vertices)?, device.upload(&of_faces)?],
            self.prepared.low,
        )
    }
    /// Replaces the surface from which the mesh was made by the mesh, and transfers its columns
    /// ([`Surface::replace`]). Vertices and faces are in the order of the input's elements from which they
    /// came.
    /// # Errors
    /// As [`Surface::replace`]; with `validate`, [`Error::BrokenMesh`](ribbonmesh::Error::BrokenMesh).
    pub fn finish_into(mut self, surface: &mut Surface) -> Result<SimplifyReport> {
        let start = Instant::now();
        let scale = self.prepared.scale;
        if let Some(complex) = self.contracted.take() {
            complex.finish_into(surface, scale, self.prepared.marked, &mut self.report)?;
            self.report.finish_seconds = start.elapsed().as_secs_f64();
            return Ok(self.report);
        }
        let (left, v) = (self.left(), &self.collapses.vertices);
        let sources = self.sources(&left);
        let topology = FlatTopology::new(&self.device, left.vertices.len(), &left.triangles)?;
        let mut mesh = DynamicMesh::from_flat(&topology, 0.0)?;
        if self.options.validate {
            mesh.validate_topology(&self.report.before)?;
        }
        let x: Vec<_> = left.vertices.iter().map(|&u| v.x[u as usize]).collect();
        let positions = DynamicAttribute::from_ids(&mesh, &x)?;
        let errors = left.vertices.iter().map(|&u| v.quadrics[u as usize].mean_error());
        self.report.largest_quadric_error = f64::from(errors.fold(0.0, f32::max)).sqrt() / scale;
        let sizes = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| mesh.ids(kind));
        self.report.after = Sizes::of(sizes);
        let curves = if self.prepared.marked { Some(self.curves(&left, &mesh)?) } else { None };
        let [of_vertices, of_faces] = sources;
        let sources = Some([self.device.upload(&of_vertices)?, self.device.upload(&of_faces)?]);
        let vertices = Vertices::Others;
        surface.replace(Changed { mesh, positions, scale, vertices, curves, seams_kept: true, sources })?;
        self.report.finish_seconds = start.elapsed().as_secs_f64();
        Ok(self.report)
    }
    /// The marks of edges, by the ids of the mesh that is left.
    fn curves(&self, left: &Left, mesh: &DynamicMesh) -> Result<DynamicAttribute<Edge, u32>> {
        let mut marks = vec![0; mesh.ids(ElementKind::Edge) as usize];
        for (&f, edges) in left.faces.iter().zip(mesh.read_sides()?) {
            for (h, e) in Mesh::half_edges(f as usize).into_iter().zip(edges) {
                marks[e as usize] |= self.collapses.mesh.has(h, MARKED) as u32;
            }
        }
        DynamicAttribute::from_ids(mesh, &marks)
    }
}
