//! Exact distances and shortest paths: `ribbonmesh geodesic --exact`.
use crate::failure::Failure;
use crate::session::Session;
use ribbonmesh_application::counted;
use ribbonmesh_geodesic::exact::{Exact, ExactReport, GeodesicPath};
use ribbonmesh_mesh::TriangleMesh;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    report: ExactReport,
    /// The distance of the farthest vertex that is reached.
    farthest: f64,
    mean: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<PathResult>,
}
#[derive(Serialize)]
struct PathResult {
    to: u32,
    /// The vertex at which it begins; `None` if no path leads there.
    from: Option<u32>,
    length: Option<f64>,
    points: usize,
}

/// The paths that were asked for in addition to the distances.
pub struct Paths<'a> {
    pub to: &'a [u32],
    /// An OBJ file.
    pub file: Option<&'a Path>,
    /// The file to which the mesh is written.
    pub output: &'a Path,
}

/// Gives the vertices of a mesh the exact distances from `sources`, and writes paths.
pub fn solve(
    session: &mut Session,
    mesh: &mut TriangleMesh,
    sources: &[u32],
    paths: &Paths<'_>,
) -> Result<(), Failure> {
    let mut exact = session.phase("unfolding", || Exact::new(&mesh.positions, &mesh.faces))?;
    let report = session.phase("windows", || exact.run(sources))?;
    if report.unreachable > 0 {
        let count = counted(report.unreachable as u64, "vertex");
        session.warn(format!("{count} that no path from a source leads to: inf"));
    }
    let reached = || exact.distances().iter().filter(|d| d.is_finite());
    let farthest = reached().fold(0.0, |most: f64, d| most.max(*d));
    let mean = reached().sum::<f64>() / report.reached as f64;
    let windows = counted(report.windows, "window");
    session.tell(paths.output, format_args!("farthest {farthest}; {windows}"));
    let found: Vec<(u32, Option<GeodesicPath>)> = session
        .phase("paths", || Ok::<_, Failure>(paths.to.iter().map(|&v| (v, exact.path_to(v))).collect()))?;
    for (v, path) in &found {
        match path {
            Some(path) => {
                let (length, points) = (path.length(), counted(path.points.len() as u64, "point"));
                session.tell(paths.output, format_args!("path to {v}: {length} long, {points}"));
            }
            None => session.warn(format!("no path leads to vertex {v}")),
        }
    }
    let told = found.iter().map(|(to, path)| PathResult {
        to: *to,
        from: path.as_ref().and_then(GeodesicPath::source),
        length: path.as_ref().map(GeodesicPath::length),
        points: path.as_ref().map_or(0, |p| p.points.len()),
    });
    session.results(&Results { report, farthest, mean, paths: told.collect() });
    if let Some(file) = paths.file {
        session.emit(Some(file), |out| write_paths(out, &found))?;
    }
    mesh.vertices_mut().insert("distance", exact.distances().to_vec()).map_err(ribbonmesh::Error::from)?;
    Ok(())
}

/// Paths as OBJ: for each, its points and one line through them.
fn write_paths(out: &mut dyn Write, paths: &[(u32, Option<GeodesicPath>)]) -> io::Result<()> {
    let mut text = String::new();
    let mut count = 0;
    for (v, path) in paths {
        let Some(path) = path else { continue };
        text += &format!("o path_to_{v}\n");
        for p in &path.points {
            text += &format!("v {} {} {}\n", p.x, p.y, p.z);
        }
        text += "l";
        // a line has two ends, also where the target is a source
        let numbers = count + 1..=count + path.points.len();
        let twice = (path.points.len() == 1).then_some(count + 1);
        for i in numbers.chain(twice) {
            text += &format!(" {i}");
        }
        text += "\n";
        count += path.points.len();
    }
    out.write_all(text.as_bytes())
}
