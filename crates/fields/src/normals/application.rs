//! Normals of vertices as an application.
use crate::normals::{NormalOptions, NormalReport, vertex_normals};
use ribbonmesh::Surface;
use ribbonmesh_application::{
    Added, AddedKind, Application, Changes, Docs, Failure, Need, Run, Traits, counted,
};
use serde::Serialize;

/// The application `normals`.
pub struct Normals;

/// The report of a run with its weights.
#[derive(Serialize)]
pub struct Report {
    weight: &'static str,
    normals: usize,
    without_normal: usize,
}

impl Application for Normals {
    const NAME: &'static str = "normals";
    const DOCS: Docs = Docs {
        title: "Compute a unit normal at every vertex",
        about: "A vertex has the normal 0 0 0 where there is no direction: without faces, or where its faces are \
                degenerate or their normals cancel.",
        notes: "Normals are nx, ny, nz in PLY. Vertices and faces keep their order.",
        examples: &[
            "ribbonmesh normals dragon.ply -o normals.ply",
            "ribbonmesh normals dragon.ply -o normals.obj --weight max",
        ],
        python: &[
            ">>> import numpy as np, ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu")"#,
            ">>> bool(np.allclose(ball.normals(), ball.vertices, atol=0.01))",
            "True",
        ],
    };
    const TRAITS: Traits = Traits {
        adds: Some(Added {
            attributes: &[("normal", AddedKind::Normals)],
            type_of_result: "Array",
            result: "A float32 array (n, 3)",
        }),
        quick: true,
        ..Traits::new(Changes::Attributes)
    };
    type Options = NormalOptions;
    type Subject = Surface;
    type Report = Report;

    fn need(_: &NormalOptions) -> Need {
        Need::Triangles
    }
    fn run(
        &self,
        surface: &mut Surface,
        options: &NormalOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let NormalReport { vertices, without_normal } =
            run.phase("normals", || vertex_normals(surface, options))?;
        if without_normal > 0 {
            run.warn(format!("{} without a normal: 0 0 0", counted(without_normal as u64, "vertex")));
        }
        Ok(Report { weight: options.weight.name(), normals: vertices, without_normal })
    }
}
