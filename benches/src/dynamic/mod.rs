//! Times of changes of the mesh: `ribbonmesh-bench dynamic`.

mod delaunay;
mod geodesic;
mod patches;
mod remesh;
mod simplify;

use crate::hardware::Machine;
use crate::options::Options;
use crate::report::{Report, replace};
use anyhow::Result;
use patches::Upkeep;
use ribbonmesh::Device;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// One piece of work on one mesh.
#[derive(Serialize)]
pub struct Work {
    /// Name of the work.
    pub name: String,
    /// The mesh in words.
    pub mesh: String,
    /// Its faces.
    pub faces: usize,
    /// Changes that were made.
    pub changes: u64,
    /// Passes over the mesh.
    pub passes: u32,
    /// Rounds.
    pub rounds: u32,
    /// Milliseconds, median of some.
    pub median_ms: f64,
    /// The least of these.
    pub least_ms: f64,
    /// RXMesh, in milliseconds.
    pub rxmesh_ms: Option<f64>,
}

#[derive(Serialize)]
struct Raw<'a> {
    version: &'static str,
    date: &'a str,
    machine: &'a Machine,
    measurements: &'a [Work],
    patches: &'a [Upkeep],
    geodesic: &'a [geodesic::Forms],
}

/// Measures and writes `dynamic.json` and `dynamic.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let mut work = delaunay::measure(device, options)?;
    work.extend(remesh::measure(device, options)?);
    work.extend(simplify::measure(device, options)?);
    let patches = patches::measure(device, options, report.machine.copy_bandwidth)?;
    let geodesic = geodesic::measure(device, options)?;
    report.machine.jit_seconds = device.loading().seconds;
    let folder = report.machine.make_folder(&options.output)?;
    let raw = Raw {
        version: env!("CARGO_PKG_VERSION"),
        date: &report.date,
        machine: &report.machine,
        measurements: &work,
        patches: &patches,
        geodesic: &geodesic,
    };
    let files = [folder.join("dynamic.json"), folder.join("dynamic.md")];
    replace(&files[0], &(serde_json::to_string_pretty(&raw)? + "\n"))?;
    let text = table(&report, &work)? + &geodesic::table(&geodesic)? + &patch_table(&patches)?;
    replace(&files[1], &text)?;
    Ok(files)
}

fn table(report: &Report, work: &[Work]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Dynamic: {}\n", report.machine.name)?;
    writeln!(text, "{}, version {}. Milliseconds, median.\n", report.date, env!("CARGO_PKG_VERSION"))?;
    writeln!(text, "| work | mesh | faces | changes | passes | rounds | ms | RXMesh, H100 | faster |")?;
    writeln!(text, "|---|---|---|---|---|---|---|---|---|")?;
    for w in work {
        let peer = w.rxmesh_ms.filter(|_| report.machine.kind == "cuda");
        let shown = peer.map_or("–".to_owned(), |t| format!("{t:.0}"));
        let gain = peer.map_or("–".to_owned(), |t| format!("{:.0}", t / w.median_ms));
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.3} | {shown} | {gain} |",
            w.name, w.mesh, w.faces, w.changes, w.passes, w.rounds, w.median_ms
        )?;
    }
    Ok(text)
}

fn patch_table(all: &[Upkeep]) -> Result<String> {
    let mut text = String::from("\n## Patches\n\n");
    writeln!(
        text,
        "Torus, shuffled. Milliseconds, median; before: by the time before the mesh had changed.\n"
    )?;
    writeln!(text, "| work | faces | patches | made anew | ribbon/owned faces | ms | floor | before |")?;
    writeln!(text, "|---|---|---|---|---|---|---|---|")?;
    for w in all {
        let refreshed = w.refreshed.map_or("–".to_owned(), |n| n.to_string());
        let floor = w.floor_ms.map_or("–".to_owned(), |ms| format!("{ms:.3}"));
        let ratio = w.ratio.map_or("–".to_owned(), |r| format!("{r:.3}"));
        writeln!(
            text,
            "| {} | {} | {} | {refreshed} | {:.3} | {:.3} | {floor} | {ratio} |",
            w.name, w.faces, w.patches, w.locality, w.median_ms
        )?;
    }
    Ok(text)
}
