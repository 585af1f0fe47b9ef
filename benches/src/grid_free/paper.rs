//! Tables 1 and 2 of the paper on grid-free surface tracking (Chentanez, Müller, Macklin and Kim 2016).
use super::Run;
use ribbonmesh_track::{GridFreeReport, StepReport};
use serde::Serialize;
use std::fmt::{self, Write};

/// A phase of Table 1, with the seconds that it takes in a step.
pub(super) struct Phase {
    /// The name in the paper, and what it is here.
    names: [&'static str; 2],
    seconds: fn(&StepReport, &GridFreeReport) -> f64,
    /// Whether Table 2 counts it as removal of intersections, not as improvement.
    removes: bool,
}

/// The phases in the order of Table 1. Nothing is made for rays alone: they use the tree of the search.
pub(super) const PHASES: [Phase; 10] = [
    phase("3DHash", "tree", |_, found| found.tree_seconds, true),
    phase("Intersect", "search", |_, found| found.search_seconds, true),
    phase("Relax&Update", "necks, relaxing", |_, found| found.relax_seconds, true),
    phase("2DHash", "nothing, rays use the tree", |_, _| 0.0, true),
    phase("DeleteTris", "surroundings, deleting", |_, found| found.delete_seconds, true),
    phase("Manifold&Fill", "filling, exchange", |_, found| found.fill_seconds + found.exchange_seconds, true),
    phase("VS", "smoothing", |step, _| step.smooth_seconds, false),
    phase("ES", "splits", |step, _| step.split.seconds, false),
    phase("EC", "collapses, flips", |step, _| step.collapse.seconds + step.flip.seconds, false),
    phase("RemUnused", "ids", |step, _| step.compact_seconds, false),
];

const fn phase(
    paper: &'static str,
    here: &'static str,
    seconds: fn(&StepReport, &GridFreeReport) -> f64,
    removes: bool,
) -> Phase {
    Phase { names: [paper, here], seconds, removes }
}

/// The paper's figures of a scene: triangles, and milliseconds of each of [`PHASES`], average and maximum
/// (Table 1); the speed-ups (Table 2).
struct Paper {
    scene: &'static str,
    triangles: &'static str,
    phases: [[f64; 2]; 10],
    speed_ups: &'static str,
}
impl Paper {
    fn of(scene: &str) -> Option<&'static Self> {
        PAPER.iter().find(|paper| paper.scene == scene)
    }
}

const PAPER: [Paper; 4] = [
    Paper {
        scene: "jets",
        triangles: "520 K, 734 K",
        phases: [
            [2.46, 3.59],
            [27.48, 38.87],
            [0.0, 0.0],
            [1.96, 2.80],
            [24.95, 46.63],
            [11.30, 16.72],
            [0.0, 0.0],
            [0.84, 1.22],
            [31.57, 51.92],
            [0.90, 1.63],
        ],
        speed_ups: "33, 17, 28",
    },
    Paper {
        scene: "ball splash",
        triangles: "228 K, 527 K",
        phases: [
            [0.92, 2.06],
            [8.94, 39.48],
            [2.72, 12.91],
            [0.0, 0.0],
            [0.07, 0.14],
            [13.82, 119.45],
            [0.46, 1.94],
            [0.50, 1.16],
            [15.84, 39.14],
            [0.55, 1.31],
        ],
        speed_ups: "22, 19, 21",
    },
    Paper {
        scene: "fountain",
        triangles: "927 K, 1733 K",
        phases: [
            [4.58, 9.51],
            [43.68, 106.26],
            [7.63, 20.89],
            [0.0, 0.0],
            [0.28, 0.66],
            [33.33, 141.47],
            [1.29, 3.72],
            [1.83, 4.09],
            [73.05, 165.00],
            [1.24, 2.42],
        ],
        speed_ups: "75, 19, 50",
    },
    Paper {
        scene: "balloon",
        triangles: "1832 K, 2742 K",
        phases: [
            [9.88, 14.49],
            [136.99, 246.55],
            [50.41, 77.08],
            [0.0, 0.0],
            [0.70, 1.13],
            [41.44, 120.77],
            [9.34, 14.57],
            [3.96, 6.08],
            [170.34, 272.94],
            [2.13, 3.33],
        ],
        speed_ups: "40, 15, 29",
    },
];

/// The phases of the steps of a scene.
#[derive(Debug, Serialize)]
pub(super) struct Phases {
    /// Milliseconds of each of [`PHASES`]: the average and the maximum.
    milliseconds: [[f64; 2]; 10],
    /// Milliseconds of removing intersections, and of improvement: the averages.
    parts: [f64; 2],
}

impl Phases {
    pub(super) fn of(steps: &[StepReport]) -> Self {
        let nothing = GridFreeReport::default();
        let n = steps.len().max(1) as f64;
        let milliseconds = PHASES.map(|phase| {
            let of =
                |step: &StepReport| 1e3 * (phase.seconds)(step, step.grid_free.as_ref().unwrap_or(&nothing));
            [steps.iter().map(of).sum::<f64>() / n, steps.iter().map(of).fold(0.0, f64::max)]
        });
        let parts = [true, false].map(|removes| {
            let of = PHASES.iter().zip(&milliseconds).filter(|(phase, _)| phase.removes == removes);
            of.map(|(_, [average, _])| average).sum()
        });
        Self { milliseconds, parts }
    }
}

/// One scene of Table 2 on both machines, in the same steps.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    pub(super) scene: &'static str,
    pub(super) steps: usize,
    pub(super) faces: f64,
    pub(super) cpu: Phases,
    pub(super) gpu: Phases,
}

/// Scenes of Table 2, at sizes that the CPU computes in some seconds.
pub(super) const COMPARED: [Run; 4] = [
    super::of("jets", super::jets, [48, 140], None, "–"),
    super::of("ball splash", super::ball_splash, [40, 160], None, "–"),
    super::of("fountain", super::fountain, [60, 60], None, "–"),
    super::of("balloon", super::balloon, [60, 90], None, "–"),
];

/// Table 1: rows of the paper beside those measured.
pub(super) fn table_1<'a>(
    text: &mut String,
    of: impl Iterator<Item = (&'a str, f64, u64, &'a Phases)>,
) -> fmt::Result {
    writeln!(
        text,
        "\n## Table 1\n\nMilliseconds of a step, average and maximum over all steps, also those without contacts; the paper's on a Titan X. The \
         tree serves searches and rays, so that there is nothing for `2DHash` to make.\n"
    )?;
    let heads = PHASES.iter().map(|Phase { names: [paper, here], .. }| format!(" {paper}: {here} |"));
    writeln!(text, "| scene | triangles |{}", heads.collect::<String>())?;
    writeln!(text, "|---|---|{}", "---|".repeat(PHASES.len()))?;
    let cells = |of: &[[f64; 2]; 10]| -> String {
        of.iter().map(|[average, most]| format!(" {average:.2}, {most:.2} |")).collect()
    };
    for (scene, faces, most, phases) in of {
        let Some(paper) = Paper::of(scene) else { continue };
        writeln!(text, "| {scene} | {faces:.0}, {most} |{}", cells(&phases.milliseconds))?;
        writeln!(text, "| the paper's | {} |{}", paper.triangles, cells(&paper.phases))?;
    }
    Ok(())
}

/// Table 2: removal of intersections and improvement on the CPU and on the GPU.
pub(super) fn table_2(text: &mut String, compared: &[Compared], threads: usize) -> fmt::Result {
    writeln!(
        text,
        "\n## Table 2\n\nMilliseconds of a step, the average, on {threads} threads of the CPU and on the GPU, of the same kernels and the same steps of \
         smaller scenes. S: removal of intersections. M: improvement. O: both. The paper compares with another program on one core.\n"
    )?;
    writeln!(text, "| scene | faces | steps | CS | CM | GS | GM | S | M | O | the paper's S, M, O |")?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|---|---|")?;
    for Compared { scene, steps, faces, cpu, gpu } in compared {
        let ([cs, cm], [gs, gm]) = (cpu.parts, gpu.parts);
        let published = Paper::of(scene).map_or("–", |paper| paper.speed_ups);
        writeln!(
            text,
            "| {scene} | {faces:.0} | {steps} | {cs:.2} | {cm:.2} | {gs:.2} | {gm:.2} | {:.1} | {:.1} | {:.1} | {published} |",
            cs / gs,
            cm / gm,
            (cs + cm) / (gs + gm)
        )?;
    }
    Ok(())
}
