//! Measures RibbonMesh and writes tables: times compared with bandwidth floors and with RXMesh.
//!
//! The subject is a sphere with bumps, in three orders of its vertices and faces. One folder per machine gets
//! the raw measurements as JSON and a Markdown table; see [`report`]. The tables of the thesis have a module
//! of their own, [`paper`].

mod boolean;
mod broad;
mod bvh;
mod concurrent;
mod construction;
mod curvature;
mod denoise;
mod dynamic;
mod energies;
mod fem;
mod geodesic;
mod grid_free;
mod hardware;
mod holes;
mod jobs;
mod normals;
mod options;
mod paper;
mod queries;
mod report;
mod rxmesh;
mod scale;
mod smooth;
mod soak;
mod solve;
mod sparse;
mod store;
mod stream;
mod subject;
mod timed;
mod tracking;
mod volume;

use anyhow::Result;
use clap::Parser;
use options::{Options, Table};
use report::Report;
use ribbonmesh::{Device, MeshOptions};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use subject::{Order, Subject};
use timed::{Clock, Origin};

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    for device in options.devices()? {
        if options.table == Table::Soak {
            let length = Duration::from_secs_f64(60.0 * options.minutes);
            if options.stream {
                stream::soak(&device, length, options.seed)?;
            } else if options.patches {
                println!("soak of patches on {}, seed {}", device.name(), options.seed);
                let tally = soak::patches::run(&device, length, options);
                println!("{}, 0 failures", tally.map_err(anyhow::Error::msg)?);
            } else {
                soak::run(&device, options)?;
            }
            continue;
        }
        if options.table == Table::Stream && options.page {
            stream::in_browser(&device)?;
            continue;
        }
        let mut report = Report::new(&device)?;
        eprintln!("{}: copies at {:.0} GB/s", report.machine.name, report.machine.copy_bandwidth / 1e9);
        if options.table == Table::Machines {
            continue;
        }
        if options.table == Table::Tracking && options.serve {
            grid_free::serve(&device, options)?;
            continue;
        }
        if let Some(run) = of_its_own(options.table) {
            run(&device, options, report)?.iter().for_each(|file| println!("{}", file.display()));
            continue;
        }
        warm_up(&device)?;
        for faces in options.sizes() {
            measure(&device, options, faces, &mut report)?;
        }
        report.machine.jit_seconds = device.loading().seconds;
        for file in report.write(&options.output)? {
            println!("{}", file.display());
        }
    }
    Ok(())
}

/// Measures a table, and writes it; returns its files.
type Run = fn(&Device, &Options, Report) -> Result<Vec<PathBuf>>;

/// The measurement of a table that has its own meshes.
fn of_its_own(table: Table) -> Option<Run> {
    macro_rules! run {
        ($module:ident) => {
            |device, options, report| Ok($module::run(device, options, report)?.into())
        };
    }
    Some(match table {
        Table::Static => run!(paper),
        Table::Dynamic => run!(dynamic),
        Table::Jobs => run!(jobs),
        Table::Boolean => run!(boolean),
        Table::Stream => run!(stream),
        Table::Broad => run!(broad),
        Table::Holes => run!(holes),
        Table::Concurrent => run!(concurrent),
        Table::Store => run!(store),
        Table::Sparse => run!(sparse),
        Table::Scale => run!(scale),
        Table::Volume => run!(volume),
        Table::Fem => run!(fem),
        Table::Energies => run!(energies),
        Table::Solve => run!(solve),
        Table::Tracking => |device, options, report| {
            let mut files = Vec::from(grid_free::run(device, options, &report)?);
            if options.scenes.is_empty() {
                files.extend(tracking::run(device, options, report)?);
            }
            Ok(files)
        },
        _ => return None,
    })
}

/// Builds a small mesh and runs everything once, so that the driver has compiled the kernels.
fn warm_up(device: &Device) -> Result<()> {
    let (subject, choice) = (Subject::sphere(1280)?, MeshOptions::default());
    let mesh = subject.mesh(device, &choice)?;
    let from = Origin { order: Order::Default, patch_size: choice.patch_size };
    let clock = Clock { repetitions: 1, bandwidth: 1.0 };
    queries::measure(&mesh, from, clock)?;
    normals::measure(&mesh, &subject, from, clock)?;
    curvature::measure(&mesh, &subject, from, clock)?;
    denoise::measure(&mesh, &subject, from, clock)?;
    bvh::measure(&mesh, &subject, from, clock)?;
    smooth::measure(&mesh, &subject, from, clock)?;
    geodesic::measure(&mesh, &subject, from, clock)?;
    Ok(())
}

fn measure(device: &Device, options: &Options, faces: u64, report: &mut Report) -> Result<()> {
    let clock = Clock { repetitions: options.repetitions(device), bandwidth: report.machine.copy_bandwidth };
    let sphere = Subject::sphere(faces)?;
    for &order in options.orders() {
        let subject = sphere.in_order(order, device)?;
        for &patch_size in &options.patch_size {
            let choice = MeshOptions { patch_size, ..MeshOptions::default() };
            let from = Origin { order, patch_size };
            eprintln!("{} faces, {order}, patches of {patch_size}", subject.faces.len());
            let mut built = None;
            if options.table.has(Table::Construction) {
                let (row, mesh) = construction::measure(device, &subject, order, &choice)?;
                report.construction.push(row);
                built = Some(mesh);
            }
            let of_mesh = [
                Table::Queries,
                Table::Normals,
                Table::Curvature,
                Table::Denoise,
                Table::Bvh,
                Table::Smooth,
                Table::Geodesic,
            ];
            let asked = of_mesh.map(|table| options.table.has(table));
            if asked.contains(&true) {
                let [queries, normals, curvature, denoise, bvh, smooth, geodesic] = asked;
                let mesh = built.map_or_else(|| subject.mesh(device, &choice), Ok)?;
                if queries {
                    report.queries.extend(queries::measure(&mesh, from, clock)?);
                }
                if normals {
                    report.normals.extend(normals::measure(&mesh, &subject, from, clock)?);
                }
                if curvature {
                    report.curvature.extend(curvature::measure(&mesh, &subject, from, clock)?);
                }
                if denoise {
                    report.denoise.extend(denoise::measure(&mesh, &subject, from, clock)?);
                }
                if bvh {
                    report.bvh.extend(bvh::measure(&mesh, &subject, from, clock)?);
                }
                if geodesic {
                    report.geodesic.extend(geodesic::measure(&mesh, &subject, from, clock)?);
                }
                if smooth {
                    report.smooth.extend(smooth::measure(&mesh, &subject, from, clock)?);
                }
            }
        }
    }
    Ok(())
}
