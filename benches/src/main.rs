//! Measures RibbonMesh and writes tables: times beside bandwidth floors and beside RXMesh.
//!
//! The subject is a sphere with bumps, in three orders of its vertices and faces. One folder per machine gets the raw
//! measurements as JSON and a Markdown table; see [`report`].

mod construction;
mod hardware;
mod options;
mod queries;
mod report;
mod rxmesh;
mod subject;

use anyhow::Result;
use clap::Parser;
use options::{Options, Table};
use report::Report;
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use std::process::ExitCode;
use subject::{Order, Subject};

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
        let mut report = Report::new(&device)?;
        eprintln!("{}: copies at {:.0} GB/s", report.machine.name, report.machine.copy_bandwidth / 1e9);
        if options.table == Table::Machines {
            continue;
        }
        warm_up(&device)?;
        for faces in options.sizes() {
            measure(&device, options, faces, &mut report)?;
        }
        report.machine.jit_seconds = device.jit_seconds();
        for file in report.write(&options.output)? {
            println!("{}", file.display());
        }
    }
    Ok(())
}

/// Builds and queries a small mesh, so that the driver has compiled the kernels.
fn warm_up(device: &Device) -> Result<()> {
    let subject = Subject::sphere(1280)?;
    let mesh = StaticMesh::new(device, subject.vertices, &subject.faces, &MeshOptions::default())?;
    queries::measure(&mesh, Order::Default, 16, 1, 1.0)?;
    Ok(())
}

fn measure(device: &Device, options: &Options, faces: u64, report: &mut Report) -> Result<()> {
    let sphere = Subject::sphere(faces)?;
    for &order in options.orders() {
        let subject = sphere.in_order(order, device)?;
        for &patch_size in &options.patch_size {
            let choice = MeshOptions { patch_size, ..MeshOptions::default() };
            eprintln!("{} faces, {order}, patches of {patch_size}", subject.faces.len());
            if options.table.has(Table::Construction) {
                report.construction.push(construction::measure(device, &subject, order, &choice)?);
            }
            if options.table.has(Table::Queries) {
                let mesh = StaticMesh::new(device, subject.vertices, &subject.faces, &choice)?;
                let (repeat, bandwidth) = (options.repetitions(device), report.machine.copy_bandwidth);
                report.queries.extend(queries::measure(&mesh, order, patch_size, repeat, bandwidth)?);
            }
        }
    }
    Ok(())
}
