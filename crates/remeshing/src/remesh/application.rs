//! Remeshing as an application.
use crate::remesh::{ClusterReport, Missed, RemeshChoice, RemeshReport, Remesher, Sizes, remesh_by_clusters};
use ribbonmesh::Surface;
use ribbonmesh_application::{
    Application, Compared, Docs, Failure, Run, Seen, Traits, counted, rejections, short,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// The application `remesh`.
pub struct Remesh;

/// The report of a run.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Report of isotropic remeshing.
    Even(Box<RemeshReport>),
    /// Report of remeshing by clusters.
    Fast(ClusterReport),
}

impl Application for Remesh {
    const NAME: &'static str = "remesh";
    const DOCS: Docs = Docs {
        title: "Remesh: triangles as equilateral as possible, with edges of a given length",
        about: "Isotropic remeshing (Botsch and Kobbelt 2004): in each iteration, edges longer than 4/3 of the target \
                length are split, edges shorter than 4/5 of it are collapsed, edges are flipped towards valence 6, and \
                vertices are smoothed within the surface. Boundary and several components are welcome; the mesh must be \
                an oriented manifold. Vertices and faces come out in an order of their own.",
        notes: "A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of \
                the\ndiagonal of its box.\nWhat is printed at the end is measured: lengths, angles and valences of both \
                meshes, and how far they are from each\nother. --report has these as histograms, and what each phase did \
                and rejected; -v prints the phases.",
        examples: &[
            "ribbonmesh remesh dragon.ply -o even.ply",
            "ribbonmesh remesh dragon.ply -o coarse.ply --target-length 2x --iterations 5 --project",
            "ribbonmesh remesh dragon.ply -o coarse.ply --fast --vertices 20000",
            "ribbonmesh remesh dragon.ply -o part.ply --target-length 3% --feature-angle 40 --boundary fixed",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu")"#,
            r#">>> coarse = ball.remesh("2x")"#,
            ">>> len(coarse) < len(ball) / 2, coarse.report.before.faces",
            "(True, 1280)",
        ],
    };
    const TRAITS: Traits = Traits::improving();
    type Options = RemeshChoice;
    type Subject = Surface;
    type Report = Report;

    fn run(
        &self,
        surface: &mut Surface,
        options: &RemeshChoice,
        run: &mut Run<'_>,
    ) -> std::result::Result<Report, Failure> {
        if options.fast {
            let options = options.cluster_options();
            options.accept(surface)?;
            run.sample(surface)?;
            return Ok(Report::Fast(run.phase("remesh", || remesh_by_clusters(surface, &options))?));
        }
        let options = options.options();
        let remesher = run.phase("remesh", || Remesher::finished(surface, &options))?;
        run.sample(surface)?;
        Ok(Report::Even(Box::new(run.phase("attributes", || remesher.finish_into(surface))?)))
    }
    fn target_length(report: &Report) -> Option<f64> {
        Some(match report {
            Report::Even(report) => report.target_length,
            Report::Fast(report) => report.target_length,
        })
    }
    fn summarize(
        &self,
        options: &RemeshChoice,
        report: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        let help = match report {
            Report::Even(report) => {
                say(options, report, seen, run);
                "a shorter --target-length, or --project, keeps it nearer"
            }
            Report::Fast(report) => {
                say_fast(report, run);
                "more --vertices, or a shorter --target-length, keep it nearer"
            }
        };
        if let Some(compared) = seen.compared {
            compared.say(run, help);
        }
        Map::new()
    }
}

/// Prints what isotropic remeshing has done, in a few lines.
fn say(options: &RemeshChoice, report: &RemeshReport, seen: &Seen<'_>, run: &mut Run<'_>) {
    for (i, iteration) in report.iterations.iter().enumerate() {
        let phases =
            [("splits", &iteration.split), ("collapses", &iteration.collapse), ("flips", &iteration.flip)];
        for (name, phase) in phases {
            let rejected = rejections(&phase.rejected);
            run.detail(format!("  iteration {}: {} {name}{rejected}", i + 1, phase.executed));
        }
    }
    if let (Some(tolerance), Some(found)) = (report.tolerance, seen.compared.and_then(Compared::largest))
        && found > tolerance
    {
        run.fall_short(
            Missed {
                tolerance,
                found,
                gave_up: report.gave_up,
                most_faces: report.most_faces.unwrap_or_default(),
                refinements: report.refinements,
                ranged: options.range.is_some(),
            }
            .to_string(),
        );
    }
    let faces = |n: u64| counted(n, "face");
    let (before, after) = (report.before, report.after);
    run.say(format!(
        "{} to {}, target length {}",
        faces(before.faces),
        faces(after.faces),
        short(report.target_length)
    ));
    if let Some(angle) = report.kept_from.filter(|_| report.features.edges > 0) {
        run.say(format!(
            "{} kept: seams, and where faces have an angle of {angle}° or more (--feature-angle)",
            counted(report.features.edges, "edge")
        ));
    }
    if report.merged > 0 {
        run.say(format!(
            "features that were closer than --merge-features were merged, at {}",
            counted(report.merged, "vertex")
        ));
    }
    if report.repeats > 0 || report.held > 0 {
        let (refused, held) = (counted(report.refused(), "operation"), counted(report.held, "move"));
        run.say(format!(
            "{refused} refused, {held} held back: faces would intersect (--no-self-intersections)"
        ));
    }
    if report.held_back_by > 0 {
        run.say(format!(
            "{} of the boundary, up to {} long, stay and hold the target length back beside them",
            counted(report.held_back_by, "edge"),
            short(report.longest_fixed)
        ));
    }
}

/// Prints what remeshing by clusters has done, in a few lines.
fn say_fast(report: &ClusterReport, run: &mut Run<'_>) {
    let faces = |n: u64| counted(n, "face");
    let (before, after) = (report.before, report.after);
    run.say(format!(
        "{} to {}, {} vertices, {} more than asked for, target length {}",
        faces(before.faces),
        faces(after.faces),
        after.vertices,
        after.vertices.saturating_sub(report.asked),
        short(report.target_length)
    ));
    if report.parted > 0 || report.repeats > 0 || report.held > 0 {
        let (parted, held) = (counted(report.parted.into(), "time"), counted(report.held, "move"));
        run.say(format!(
            "clusters divided {parted}, flips taken back {}, {held} held back: faces would intersect \
             (--no-self-intersections)",
            counted(report.repeats.into(), "time")
        ));
    }
    if report.kept_pairs > 0 {
        run.say(format!(
            "{} of clusters' triangles of the input intersect and stay (--no-self-intersections)",
            counted(report.kept_pairs, "pair")
        ));
    }
    let euler = |sizes: Sizes| sizes.vertices as i64 - sizes.edges as i64 + sizes.faces as i64;
    let [was, is] = [before, after].map(euler);
    if was != is {
        run.say(format!(
            "Euler characteristic {was} to {is}: what is thinner than a cluster has come apart or closed"
        ));
    }
}
