//! Conversion of the result to an oriented manifold.
use super::complex::Complex;
use super::topology::Counts;
use crate::simplify::contract::apply::{MarkBetween, MeanErrors};
use crate::simplify::host::report::SimplifyReport;
use glam::DVec3;
use ribbonmesh::device::{ColumnView, ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Sizes};
use ribbonmesh::surface::{Changed, Surface, Vertices};
use ribbonmesh::{Error, FlatTopology, Result, array};
use ribbonmesh_solid::repair::{RepairError, RepairOptions, repair};

impl Complex {
    /// Cuts sheets that meet in an edge or a vertex apart, and replaces the surface by the result. `curves`:
    /// whether there are features or seams. Waits.
    pub fn finish_into(
        self,
        surface: &mut Surface,
        scale: f64,
        curves: bool,
        report: &mut SimplifyReport,
    ) -> Result<()> {
        let device = self.faces.device().clone();
        let (x, faces) = (self.x.read()?, self.faces.read()?);
        let positions: Vec<DVec3> = device.install(|| x.iter().map(|p| p.as_dvec3()).collect());
        let repaired = repair(&device, &positions, faces.as_chunks().0, &RepairOptions::default());
        let repaired = repaired.map_err(|error| match error {
            RepairError::Mesh(error) => Error::Mesh(error),
            RepairError::Library(error) => error,
            // the options are in range
            error => Error::Invalid(error.to_string()),
        })?;
        let topology = FlatTopology::new(&device, repaired.vertices(), &repaired.faces)?;
        let counts = report.contractions.get_or_insert_default();
        counts.after = Counts::of(&topology)?;
        counts.edges_cut = (repaired.report.edges_split.len() + repaired.report.edges_cut.len()) as u64;
        counts.vertices_cut = repaired.report.vertices_split.len() as u64;
        let of_vertices = device.upload(&repaired.vertex_inputs)?;
        let of_faces = device.upload(&repaired.face_inputs)?;
        let sources =
            [array::gather(&self.inputs, &of_vertices)?, array::gather(&self.face_inputs, &of_faces)?];
        let mesh = DynamicMesh::from_flat(&topology, 0.0)?;
        let positions = DynamicAttribute::from_buffer(&mesh, &array::gather(&self.x, &of_vertices)?)?;
        let curves = match curves {
            false => None,
            true => {
                let kinds = array::gather(&self.kinds, &of_vertices)?;
                let mut marks = DynamicAttribute::zeros(&mesh)?;
                let n = mesh.ids(ElementKind::Edge);
                let kinds = ColumnView::new(kinds.view());
                let mark = MarkBetween { mesh: mesh.view(), kinds, marks: marks.view_mut() };
                device.launch_each(n, mark)?;
                Some(marks)
            }
        };
        let mut errors = device.unspecified::<f32>(self.quadrics.len())?;
        let quadrics = self.quadrics.view();
        device.launch(tiles(errors.len() as u32), MeanErrors { quadrics, errors: errors.view_mut() })?;
        report.largest_quadric_error = f64::from(array::max(&errors)?.unwrap_or_default()).sqrt() / scale;
        let sizes = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| mesh.ids(kind));
        report.after = Sizes::of(sizes);
        surface.replace(Changed {
            mesh,
            positions,
            scale,
            vertices: Vertices::Others,
            curves,
            seams_kept: false,
            sources: Some(sources),
        })
    }
}
