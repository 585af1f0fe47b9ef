//! The tables as Markdown.
use super::Measurements;
use super::memory::THESIS as THESIS_MEMORY;
use super::queries::{EIGHT, Pair, THESIS as THESIS_QUERIES};
use super::sizes::SEVEN;
use crate::hardware::Machine;
use crate::report::row;
use crate::subject::Order;
use anyhow::Result;
use ribbonmesh::Op;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Meshes from which on a mean counts, if there are such.
const LARGE: usize = 1_000_000;

/// All tables.
pub fn write(machine: &Machine, date: &str, all: &Measurements) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Static meshes, thesis chapter 4: {}\n", machine.name)?;
    if let Some(driver) = &machine.driver {
        writeln!(text, "Driver {driver}; host {}, {} threads.", machine.cpu, machine.threads)?;
    }
    writeln!(
        text,
        "{date}, version {}, {:.0} s in all. Milliseconds are medians; results are written to memory that is there. The \
         floor is the time in which a copy moves the bytes that patches must move, at the measured {:.0} GB/s. Meshes: \
         spheres with bumps (subdivided icosahedra), the Stanford dragon and its 1→4 subdivisions.",
        env!("CARGO_PKG_VERSION"),
        all.seconds,
        machine.copy_bandwidth / 1e9
    )?;
    if machine.kind == "cuda" {
        writeln!(text, "RXMesh is its public version of July 2026 on an H100 80GB HBM3, shuffled sphere.")?;
    }
    for (mesh, why) in &all.refused {
        writeln!(text, "\nNo directed edges of {mesh}: {why}.")?;
    }
    means(&mut text, &all.queries)?;
    times(&mut text, &all.queries, machine)?;
    patching(&mut text, all)?;
    sizes(&mut text, all)?;
    applications(&mut text, all, machine)?;
    memory(&mut text, all)?;
    Ok(text)
}

fn table(text: &mut String, head: &[String]) -> Result<()> {
    row(text, head)?;
    row(text, &vec!["---"; head.len()])
}
fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn means(text: &mut String, pairs: &[Pair]) -> Result<()> {
    let from = if pairs.iter().any(|pair| pair.faces >= LARGE) { LARGE } else { 0 };
    writeln!(text, "\n## Table 4.1: speed-up over Parallel Directed Edges\n")?;
    writeln!(
        text,
        "Geometric mean over the meshes of at least {from} faces. Directed edges are given where the rows of VV, VE and VF \
         begin; patches find it.\n"
    )?;
    let mut head = words(&["order"]);
    head.extend(EIGHT.map(|op| op.to_string()));
    table(text, &head)?;
    for (order, thesis) in THESIS_QUERIES {
        let mean = |op: Op| {
            let of = |pair: &&Pair| pair.order == order && pair.query == op.name() && pair.faces >= from;
            let logs: Vec<f64> = pairs.iter().filter(of).map(|pair| pair.speed_up().ln()).collect();
            if logs.is_empty() {
                return "–".to_owned();
            }
            format!("{:.2}", (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let mut cells = vec![order.to_string()];
        cells.extend(EIGHT.map(mean));
        row(text, &cells)?;
        let mut cells = vec![format!("{order}, RXMesh in the thesis (V100)")];
        cells.extend(thesis.map(|gain| gain.to_string()));
        row(text, &cells)?;
    }
    Ok(())
}

fn times(text: &mut String, pairs: &[Pair], machine: &Machine) -> Result<()> {
    writeln!(text, "\n## Figure 4.8: times of queries\n\nMilliseconds: patches / directed edges.")?;
    let mut seen = BTreeSet::new();
    for first in pairs.iter().filter(|pair| seen.insert((pair.faces, &pair.mesh))) {
        let of_mesh: Vec<_> =
            pairs.iter().filter(|pair| pair.mesh == first.mesh && pair.faces == first.faces).collect();
        let orders: BTreeSet<_> = of_mesh.iter().map(|pair| pair.order).collect();
        let peers = machine.kind == "cuda" && of_mesh.iter().any(|pair| pair.rxmesh_ms.is_some());
        writeln!(text, "\n### {}, {} faces\n", first.mesh, first.faces)?;
        let mut head = words(&["query"]);
        head.extend(orders.iter().map(Order::to_string));
        head.push("floor".to_owned());
        if peers {
            head.push("RXMesh".to_owned());
        }
        table(text, &head)?;
        for op in EIGHT {
            let of_op: Vec<_> = of_mesh.iter().filter(|pair| pair.query == op.name()).collect();
            let mut cells = vec![op.to_string()];
            cells.extend(orders.iter().map(|order| {
                let found = of_op.iter().find(|pair| pair.order == *order);
                found.map_or("–".to_owned(), |pair| format!("{:.4} / {:.4}", pair.ours_ms, pair.pde_ms))
            }));
            cells.push(of_op.first().map_or("–".to_owned(), |pair| format!("{:.4}", pair.floor_ms)));
            if peers {
                let peer = of_op.iter().find_map(|pair| pair.rxmesh_ms);
                cells.push(peer.map_or("–".to_owned(), |ms| format!("{ms:.3}")));
            }
            row(text, &cells)?;
        }
    }
    Ok(())
}

fn patching(text: &mut String, all: &Measurements) -> Result<()> {
    writeln!(text, "\n## Figure 4.6a: time of patching\n")?;
    writeln!(
        text,
        "Seconds, median of three: dividing the faces into patches, and all from indexed triangles in memory to a mesh \
         ready for kernels.\n"
    )?;
    let head = ["mesh", "faces", "order", "patches", "patching", "all", "ns / face", "ribbon faces / owned"];
    table(text, &words(&head))?;
    for p in &all.patching {
        let cells = [
            p.mesh.clone(),
            p.faces.to_string(),
            p.order.to_string(),
            p.patches.to_string(),
            format!("{:.4}", p.patching_seconds),
            format!("{:.4}", p.seconds),
            format!("{:.1}", 1e9 * p.seconds / p.faces.max(1) as f64),
            format!("{:.3}", p.ribbon_ratio),
        ];
        row(text, &cells)?;
    }
    Ok(())
}

fn sizes(text: &mut String, all: &Measurements) -> Result<()> {
    let Some(first) = all.patch_sizes.first() else { return Ok(()) };
    writeln!(
        text,
        "\n## Figure 4.6b: patch sizes\n\n{}, {} faces; milliseconds.\n",
        first.mesh, first.faces
    )?;
    let mut head = words(&["patch size"]);
    head.extend(SEVEN.map(|op| op.to_string()));
    head.extend(words(&["sum", "patches", "ribbon faces / owned", "bytes / face"]));
    table(text, &head)?;
    for size in &all.patch_sizes {
        let mut cells = vec![size.patch_size.to_string()];
        cells.extend(size.queries.iter().map(|(_, ms)| format!("{ms:.4}")));
        cells.push(format!("{:.4}", size.queries.iter().map(|(_, ms)| ms).sum::<f64>()));
        cells.extend([
            size.patches.to_string(),
            format!("{:.3}", size.ribbon_ratio),
            format!("{:.2}", size.bytes_per_face),
        ]);
        row(text, &cells)?;
    }
    Ok(())
}

fn applications(text: &mut String, all: &Measurements, machine: &Machine) -> Result<()> {
    writeln!(text, "\n## Figure 4.10: applications\n")?;
    writeln!(text, "Sorted order. The ratio is to the first way of the work, ours.\n")?;
    let peers = machine.kind == "cuda";
    let mut head = words(&["mesh", "faces", "work", "how", "ms", "ratio"]);
    if peers {
        head.push("RXMesh".to_owned());
    }
    table(text, &head)?;
    for a in &all.applications {
        let of_work = |b: &&super::applications::Application| {
            b.ours && b.work == a.work && b.mesh == a.mesh && b.faces == a.faces
        };
        let ours = all.applications.iter().find(of_work).map(|b| b.ms);
        let mut cells = vec![
            a.mesh.clone(),
            a.faces.to_string(),
            a.work.to_owned(),
            a.how.to_owned(),
            format!("{:.4}", a.ms),
            ours.map_or("–".to_owned(), |ours| format!("{:.2}", a.ms / ours)),
        ];
        if peers {
            cells.push(a.rxmesh_ms.map_or("–".to_owned(), |ms| format!("{ms:.3}")));
        }
        row(text, &cells)?;
    }
    Ok(())
}

fn memory(text: &mut String, all: &Measurements) -> Result<()> {
    writeln!(text, "\n## Memory\n\nBytes of the topology per face, ribbons and tables included.\n")?;
    table(text, &words(&["mesh", "faces", "patches", "maps to input order", "directed edges"]))?;
    for m in &all.memory {
        let bytes = [m.ours, m.input_order, m.pde].map(|bytes| format!("{bytes:.2}"));
        row(text, &[vec![m.mesh.clone(), m.faces.to_string()], bytes.to_vec()].concat())?;
    }
    let thesis: Vec<_> = THESIS_MEMORY.iter().map(|(what, bytes)| format!("{what} {bytes}")).collect();
    writeln!(text, "\nThe thesis's analysis (4.4.1): {}.", thesis.join("; "))?;
    Ok(())
}
