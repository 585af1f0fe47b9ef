//! Curvatures of vertices as an application.
use crate::curvature::{CurvatureOptions, CurvatureReport, FacesWithoutArea, curvature};
use ribbonmesh::{Statistics, Surface};
use ribbonmesh_application::{Added, AddedKind, Application, Changes, Docs, Failure, Run, Traits, counted};
use serde::Serialize;
use std::f64::consts::PI;

/// The application `curvature`.
pub struct Curvature;

/// The report of a run with its areas.
#[derive(Serialize)]
pub struct Report {
    area: &'static str,
    /// Area of the surface.
    surface_area: f64,
    vertices_on_boundary: u64,
    isolated_vertices: u64,
    /// Faces with equal positions, or with all three on a line.
    faces_without_area: u64,
    /// The first eight of these, from 0.
    first_without_area: Vec<u32>,
    /// Those of these that have a vertex twice: they do not count.
    degenerate_faces: u64,
    /// Sum of the defects of all vertices, in radians.
    total_defect: f64,
    /// The part of the boundary.
    boundary_defect: f64,
    /// The total by the theorem of Gauss and Bonnet.
    gauss_bonnet: f64,
    gaussian: Option<Distribution>,
    mean: Option<Distribution>,
    geodesic: Option<Distribution>,
}

/// The distribution of a number.
#[derive(Serialize)]
struct Distribution {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    standard_deviation: f64,
}
impl From<Statistics> for Distribution {
    fn from(s: Statistics) -> Self {
        let Statistics { count, min, max, mean, standard_deviation } = s;
        Self { count, min, max, mean, standard_deviation }
    }
}

impl Application for Curvature {
    const NAME: &'static str = "curvature";
    const DOCS: Docs = Docs {
        title: "Compute the curvatures of the vertices of a mesh",
        about: "Gaussian and mean curvature, which are 0 on the boundary, and the geodesic curvature of the boundary, \
                which is 0 elsewhere; also the angle defect in radians and the area of each vertex, whose quotient is \
                the Gaussian curvature.",
        notes: "Properties of the PLY file: gaussian_curvature, mean_curvature, geodesic_curvature, angle_defect,\n\
                vertex_area. Vertices and faces keep their order.",
        examples: &[
            "ribbonmesh curvature dragon.ply -o curvature.ply",
            "ribbonmesh curvature dragon.ply -o curvature.ply --area barycentric --report curvature.json",
            "ribbonmesh render curvature.ply -o curvature.png --scalar mean_curvature",
        ],
        python: &[
            ">>> import math, ribbonmesh as rm",
            r#">>> found = rm.generate("icosphere", 3, device="cpu").curvature()"#,
            ">>> math.isclose(found.report.total_defect, 4 * math.pi, rel_tol=1e-4)",
            "True",
        ],
    };
    const TRAITS: Traits = Traits {
        adds: Some(Added {
            attributes: &[
                ("gaussian_curvature", AddedKind::Numbers),
                ("mean_curvature", AddedKind::Numbers),
                ("geodesic_curvature", AddedKind::Numbers),
                ("angle_defect", AddedKind::Numbers),
                ("vertex_area", AddedKind::Numbers),
            ],
            type_of_result: "Curvature",
            result: "An array of n numbers for each curvature, and a report",
        }),
        ..Traits::new(Changes::Attributes)
    };
    type Options = CurvatureOptions;
    type Subject = Surface;
    type Report = Report;

    fn run(
        &self,
        surface: &mut Surface,
        options: &CurvatureOptions,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let found = run.phase("curvature", || curvature(surface, options))?;
        if found.isolated_vertices > 0 {
            let count = counted(found.isolated_vertices, "vertex");
            run.warn(format!("{count} without faces: all curvatures are 0"));
        }
        let without = run.phase("faces", || FacesWithoutArea::of(surface))?;
        if without.count > 0 {
            run.note(in_words(&without));
        }
        run.tell(total(&found));
        Ok(Report {
            area: options.area.name(),
            surface_area: found.area,
            vertices_on_boundary: found.boundary_vertices,
            isolated_vertices: found.isolated_vertices,
            faces_without_area: without.count,
            first_without_area: without.first,
            degenerate_faces: without.degenerate,
            total_defect: found.total_defect,
            boundary_defect: found.boundary_defect,
            gauss_bonnet: found.gauss_bonnet(),
            gaussian: found.gaussian.map(Distribution::from),
            mean: found.mean.map(Distribution::from),
            geodesic: found.geodesic.map(Distribution::from),
        })
    }
}

/// Faces without area in words.
fn in_words(without: &FacesWithoutArea) -> String {
    let count = counted(without.count, "face");
    let first: Vec<String> = without.first.iter().map(u32::to_string).collect();
    let more = if without.count > first.len() as u64 { ", …" } else { "" };
    let twice = match without.degenerate {
        0 => String::new(),
        n => format!("; {n} of them have a vertex twice and do not count"),
    };
    format!("{count} without area: {}{more}{twice}", first.join(", "))
}

/// The total curvature in words, with what the theorem of Gauss and Bonnet says.
fn total(found: &CurvatureReport) -> String {
    let along = match found.boundary_vertices {
        0 => String::new(),
        _ => format!(", of it {:.4} π along the boundary", found.boundary_defect / PI),
    };
    format!(
        "total curvature {:.4} π{along}; by Gauss and Bonnet {} π",
        found.total_defect / PI,
        2 * found.euler_characteristic
    )
}
