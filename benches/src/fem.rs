//! Finite elements: tables 4.1 to 4.3 of Mueller-Roemer's thesis (2020), with its columns next to ours;
//! hexahedra; a solution.
use crate::options::Options;
use crate::report::{Report, row};
use crate::timed;
use anyhow::{Result, ensure};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, Form, Lame, Multigrid, MultigridOptions, SolveOptions, Space, Stage,
    Storage, Summation,
};
use ribbonmesh_volume::{Relation, SimplexMesh, shapes};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Cubes along a side of the Kuhn grids, for the thesis's eleven meshes of about as many tetrahedra.
const GRIDS: [u32; 11] = [11, 20, 25, 28, 33, 36, 39, 44, 49, 57, 66];
/// Thousands of tetrahedra of the thesis's meshes.
const THESIS: [f64; 11] = [7.7, 44.2, 90.6, 133.3, 213.4, 276.3, 367.6, 505.8, 719.1, 1100.0, 1700.0];
/// Its ratios of bound and exact number of blocks, table 4.1.
const RATIOS: [[f64; 11]; 3] = [
    [4.2, 5.1, 5.3, 5.4, 5.5, 5.6, 5.7, 5.7, 5.8, 5.9, 6.0],
    [2.1, 2.3, 2.4, 2.4, 2.4, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5],
    [1.6, 1.7, 1.7, 1.8, 1.8, 1.8, 1.8, 1.8, 1.8, 1.8, 1.8],
];
/// Its milliseconds of assembly on a Quadro GP100, table 4.2, totals by order.
const TOTALS: [&[f64]; 3] = [
    &[2.51, 4.36, 6.36, 8.36, 12.5, 15.4, 19.5, 25.0, 33.3, 43.5, 67.3],
    &[5.79, 18.6, 35.6, 46.1, 73.0, 93.0, 123.0, 167.0, 236.0, 348.0, 551.0],
    &[27.2, 92.0, 183.0, 263.0, 415.0, 541.0, 716.0, 996.0, 1480.0],
];
/// Its milliseconds of allocating memory, a part of these: rows "Alloc. Elt.S." and "Alloc. Final".
const ALLOCATION: [&[f64]; 3] = [
    &[0.302, 1.278, 3.03, 3.56, 4.95, 6.48, 9.12, 12.07, 16.38, 20.82, 31.8],
    &[2.002, 8.22, 15.33, 18.74, 28.9, 36.5, 47.9, 64.9, 91.5, 134.5, 212.8],
    &[7.36, 28.5, 54.5, 78.6, 123.7, 159.0, 210.1, 304.0, 493.0],
];
/// Table 4.3, milliseconds of sums with element matrices: per node, per entry, inline, at order 1.
const SUMS: [[f64; 3]; 11] = [
    [0.43, 0.226, 0.387],
    [0.991, 0.473, 0.761],
    [1.75, 0.876, 1.61],
    [2.57, 1.26, 2.37],
    [3.91, 2.01, 3.73],
    [4.97, 2.54, 4.7],
    [6.48, 3.36, 6.33],
    [8.77, 4.53, 8.66],
    [12.3, 6.43, 12.3],
    [17.6, 9.65, 18.3],
    [27.9, 15.6, 28.9],
];
/// Per node and per entry at order 2.
const SECOND_SUMS: [[f64; 2]; 9] = [
    [2.11, 0.82],
    [7.1, 3.0],
    [14.6, 5.88],
    [20.7, 8.56],
    [33.1, 13.7],
    [42.8, 17.9],
    [57.0, 23.3],
    [78.3, 32.0],
    [111.0, 45.2],
];
const ELASTIC: Form = Form::Elasticity(Lame { lambda: 1.0, mu: 1.0 });

/// Assembly on one mesh at one order. Milliseconds are medians.
#[derive(Serialize)]
struct Assembled {
    tetrahedra: usize,
    level: usize,
    order: u32,
    elements: [usize; 4],
    blocks: u64,
    /// (nodes of a cell)² · cells.
    bound: u64,
    padding: f64,
    /// Relations of the mesh, which the thesis takes as given.
    relations_ms: f64,
    /// Stages with stored element matrices, as in table 4.2.
    stages_ms: Vec<(String, f64)>,
    total_ms: f64,
    without_allocation_ms: f64,
    lists_ms: f64,
    /// Values alone on a fixed pattern, with the values of elements.
    per_node_ms: f64,
    per_entry_ms: f64,
    inline_ms: f64,
    /// Pattern, memory and values from nothing, inline.
    from_nothing_ms: f64,
    multiply_ms: f64,
    multiply_floor_ms: f64,
    matrix_bytes: usize,
    list_bytes: usize,
    cell_data_bytes: usize,
    element_matrix_bytes: usize,
}
/// Hexahedra of order 1.
#[derive(Serialize)]
struct Hexes {
    hexahedra: usize,
    form: &'static str,
    from_nothing_ms: f64,
    values_ms: f64,
    /// Bytes in addition to the matrix while it is made: cells of vertices, counters.
    temporary_share: f64,
    matrix_bytes: usize,
}
/// A clamped cube of tetrahedra under its weight.
#[derive(Serialize)]
struct Solved {
    unknowns: usize,
    precision: &'static str,
    preconditioner: &'static str,
    order: u32,
    iterations: usize,
    residual: f64,
    /// Making the preconditioner.
    prepare_ms: f64,
    ms: f64,
}
#[derive(Serialize)]
enum Measured {
    Assembled(Assembled),
    Hexes(Hexes),
    Solved(Solved),
}

struct Clock<'a> {
    device: &'a Device,
    runs: usize,
    bandwidth: f64,
}
impl Clock<'_> {
    /// The median of the milliseconds of `work`, after a run that does not count.
    fn median<T>(&self, work: impl FnMut() -> Result<T>) -> Result<f64> {
        Ok(timed::median(self.device, self.runs, work)?.0)
    }
}
fn tetrahedra(n: u32) -> Result<(Vec<Vec3>, Vec<[u32; 4]>)> {
    let (x, list) = shapes::kuhn_grid([n; 3])?;
    let cells = (0..list.len()).filter_map(|cell| list.cell(cell).1.try_into().ok()).collect();
    Ok((x, cells))
}

fn assembled(clock: &Clock<'_>, level: usize, order: u32) -> Result<Assembled> {
    let (x, cells) = tetrahedra(GRIDS[level])?;
    let mut mesh = SimplexMesh::tetrahedra(clock.device, &x, &cells)?;
    let relations_ms = clock.median(|| {
        mesh.forget_relations();
        Space::tetrahedra(&mesh, order)?;
        mesh.relation(Relation::EV)?;
        Ok(())
    })?;
    let elements = [Relation::VC, Relation::EV, Relation::FE, Relation::CV];
    let mut sizes = [0; 4];
    for (size, relation) in sizes.iter_mut().zip(elements) {
        *size = mesh.relation(relation)?.rows();
    }
    let space = Space::tetrahedra(&mesh, order)?;
    // stages with stored element matrices
    let mut stages: HashMap<Stage, Vec<f64>> = HashMap::new();
    let mut totals = vec![];
    for run in 0..=clock.runs {
        clock.device.synchronize()?;
        let (begin, mut last) = (Instant::now(), Instant::now());
        let mut tell = |stage| {
            let ms = 1e3 * last.elapsed().as_secs_f64();
            if run > 0 {
                stages.entry(stage).or_default().push(ms);
            }
            last = Instant::now();
        };
        let assembler = Assembler::measured(&space, &mut tell)?.with(Summation::PerNode);
        let matrix = assembler.assemble_measured::<f32>(ELASTIC, &mut tell)?;
        if run > 0 {
            totals.push(1e3 * begin.elapsed().as_secs_f64());
        }
        drop(matrix);
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let order_of = [
        Stage::AllocateElements,
        Stage::CountContributions,
        Stage::BinOffsets,
        Stage::AllocateColumns,
        Stage::AllocateMatrix,
        Stage::Columns,
        Stage::Elements,
        Stage::Summation,
    ];
    let mut stages_ms = vec![];
    for stage in order_of {
        let times = stages.get_mut(&stage);
        stages_ms.push((format!("{stage:?}"), times.map_or(0.0, &median)));
    }
    let memory: f64 =
        stages_ms.iter().filter(|(name, _)| name.starts_with("Allocate")).map(|(_, ms)| ms).sum();
    let total_ms = median(&mut totals);
    let assembler = Assembler::new(&space)?;
    let start = Instant::now();
    let mut matrix = assembler.assemble::<f32>(ELASTIC)?;
    clock.device.synchronize()?;
    let first = 1e3 * start.elapsed().as_secs_f64();
    let per_entry_ms = clock.median(|| Ok(assembler.assemble_into(ELASTIC, &mut matrix)?))?;
    let list_bytes = assembler.list_bytes();
    drop(matrix);
    let values = |summation| -> Result<f64> {
        let assembler = Assembler::new(&space)?.with(summation);
        let mut matrix = assembler.assemble::<f32>(ELASTIC)?;
        clock.median(|| Ok(assembler.assemble_into(ELASTIC, &mut matrix)?))
    };
    let (per_node_ms, inline_ms) = (values(Summation::PerNode)?, values(Summation::Inline)?);
    let from_nothing_ms = clock.median(|| {
        let assembler = Assembler::new(&space)?.with(Summation::Inline);
        Ok(assembler.assemble::<f32>(ELASTIC)?)
    })?;
    let matrix = assembler.assemble::<f32>(ELASTIC)?;
    let vector = clock.device.zeros::<f64>(matrix.unknowns())?;
    let mut to = clock.device.zeros::<f64>(matrix.unknowns())?;
    let multiply_ms = clock.median(|| Ok(matrix.multiply(&vector, &mut to)?))?;
    let floor = matrix.bytes() + 16 * matrix.unknowns();
    let nodes = space.shape().nodes() as usize;
    Ok(Assembled {
        tetrahedra: cells.len(),
        level,
        order,
        elements: sizes,
        blocks: assembler.pattern().blocks(),
        bound: (nodes * nodes * cells.len()) as u64,
        padding: assembler.pattern().padding(),
        relations_ms,
        stages_ms,
        total_ms,
        without_allocation_ms: total_ms - memory,
        lists_ms: (first - per_entry_ms).max(0.0),
        per_node_ms,
        per_entry_ms,
        inline_ms,
        from_nothing_ms,
        multiply_ms,
        multiply_floor_ms: 1e3 * floor as f64 / clock.bandwidth,
        matrix_bytes: matrix.bytes(),
        list_bytes,
        cell_data_bytes: 40 * cells.len(),
        element_matrix_bytes: 36 * nodes * (nodes + 1) / 2 * cells.len(),
    })
}

fn hexes(clock: &Clock<'_>, n: u32, form: Form, name: &'static str) -> Result<Hexes> {
    let (x, list) = shapes::hexahedral_grid([n; 3])?;
    let cells: Vec<[u32; 8]> = (0..list.len()).filter_map(|cell| list.cell(cell).1.try_into().ok()).collect();
    drop(list);
    let space = Space::hexahedra(clock.device, &x, &cells)?;
    let from_nothing_ms = clock.median(|| {
        let assembler = Assembler::new(&space)?.with(Summation::Inline);
        Ok(assembler.assemble::<f32>(form)?)
    })?;
    let assembler = Assembler::new(&space)?.with(Summation::Inline);
    let mut matrix = assembler.assemble::<f32>(form)?;
    let values_ms = clock.median(|| Ok(assembler.assemble_into(form, &mut matrix)?))?;
    // cells of vertices with their offsets, and while rows are counted a word for each
    let temporary = 32 * cells.len() + 8 * space.nodes();
    Ok(Hexes {
        hexahedra: cells.len(),
        form: name,
        from_nothing_ms,
        values_ms,
        temporary_share: temporary as f64 / matrix.bytes() as f64,
        matrix_bytes: matrix.bytes(),
    })
}

fn solved<S: Storage>(
    clock: &Clock<'_>,
    (n, order): (u32, u32),
    precision: &'static str,
    multigrid: bool,
) -> Result<Solved> {
    let (x, cells) = tetrahedra(n)?;
    let mesh = SimplexMesh::tetrahedra(clock.device, &x, &cells)?;
    let space = Space::tetrahedra(&mesh, order)?;
    let fixed: Vec<u32> = space.points()?.iter().map(|x| if x.x == 0.0 { 7 } else { 0 }).collect();
    let weight = space.integrals()?.read()?;
    let b: Vec<f64> = weight.iter().flat_map(|w| [0.0, 0.0, -w]).collect();
    let (fixed, b) = (clock.device.upload(&fixed)?, clock.device.upload(&b)?);
    let matrix = Assembler::new(&space)?
        .with(Summation::Inline)
        .assemble::<S>(Form::Elasticity(Lame::of(1e3, 0.3)))?;
    clock.device.synchronize()?;
    let start = Instant::now();
    let mut solver = if multigrid {
        let levels = Multigrid::new(&matrix, &space, &fixed, &MultigridOptions::default())?;
        ConjugateGradients::with_multigrid(&matrix, &fixed, levels)?
    } else {
        ConjugateGradients::new(&matrix, &fixed)?
    };
    clock.device.synchronize()?;
    let prepare_ms = 1e3 * start.elapsed().as_secs_f64();
    let options = SolveOptions { tolerance: 1e-6, ..SolveOptions::default() };
    let mut u = clock.device.zeros::<f64>(b.len())?;
    let mut last = solver.solve(&b, &mut u, &options)?;
    let mut times = vec![];
    for _ in 0..clock.runs.min(5) {
        u.clear()?;
        clock.device.synchronize()?;
        let start = Instant::now();
        last = solver.solve(&b, &mut u, &options)?;
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    ensure!(last.converged, "no convergence");
    times.sort_by(f64::total_cmp);
    let (iterations, residual, ms) = (last.iterations, last.residual, times[times.len() / 2]);
    let preconditioner = if multigrid { "multigrid" } else { "blocks" };
    eprintln!("{} unknowns, {precision}, {preconditioner}: {iterations} iterations, {ms:.1} ms", b.len());
    let unknowns = b.len();
    Ok(Solved { unknowns, precision, preconditioner, order, iterations, residual, prepare_ms, ms })
}

/// Measures and writes `fem.json` and `fem.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 20 }).max(1);
    let clock = Clock { device, runs, bandwidth: report.machine.copy_bandwidth };
    let mut all = vec![];
    // levels by order: the thesis has order 3 up to the ninth
    let most = if on_cpu { [11, 4, 2] } else { [11, 11, 9] };
    for order in 1..=3 {
        for level in 0..most[order as usize - 1] {
            let found = assembled(&clock, level, order)?;
            eprintln!("{} tetrahedra, order {order}: {:.2} ms", found.tetrahedra, found.total_ms);
            all.push(Measured::Assembled(found));
        }
    }
    for n in if on_cpu { [20, 40] } else { [100, 181] } {
        for (form, name) in [(Form::Laplacian { conductivity: 1.0 }, "Laplacian"), (ELASTIC, "elasticity")] {
            let found = hexes(&clock, n, form, name)?;
            eprintln!("{} hexahedra, {name}: {:.2} ms", found.hexahedra, found.from_nothing_ms);
            all.push(Measured::Hexes(found));
        }
    }
    for at in if on_cpu { [(12, 1), (24, 1), (12, 2)] } else { [(36, 1), (73, 1), (36, 2)] } {
        for multigrid in [false, true] {
            all.push(Measured::Solved(solved::<f32>(&clock, at, "mixed", multigrid)?));
            all.push(Measured::Solved(solved::<f64>(&clock, at, "double", multigrid)?));
        }
    }
    report.machine.jit_seconds = device.loading().seconds;
    report.write_work(&options.output, "fem", &all, &tables(&report, &all)?)
}

fn tables(report: &Report, all: &[Measured]) -> Result<String> {
    let mut text = String::new();
    writeln!(text, "# Finite elements: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. Kuhn grids of about as many tetrahedra as the thesis's meshes (7.7 thousand to 1.7 million). Linear elasticity, blocks of 3 × 3 in single precision. Milliseconds, \
         medians, the host's waits included. The thesis's times are those of a Quadro GP100 (717 GB/s); copies here run at {:.0} GB/s.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
        report.machine.copy_bandwidth / 1e9,
    )?;
    let orders: Vec<&Assembled> =
        all.iter().filter_map(|m| if let Measured::Assembled(a) = m { Some(a) } else { None }).collect();
    let or_none = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.2}"));
    writeln!(text, "## Sizes (table 4.1)\n")?;
    table(
        &mut text,
        &[
            "tetrahedra",
            "p",
            "vertices",
            "edges",
            "faces",
            "blocks",
            "bound",
            "bound / blocks",
            "thesis",
            "padding",
            "matrix, MB",
            "lists, MB",
            "cell data, MB",
            "element matrices, MB",
        ],
        orders.iter().map(|a| {
            let mb = |bytes: usize| format!("{:.1}", bytes as f64 / 1e6);
            vec![
                a.tetrahedra.to_string(),
                a.order.to_string(),
                a.elements[0].to_string(),
                a.elements[1].to_string(),
                a.elements[2].to_string(),
                a.blocks.to_string(),
                a.bound.to_string(),
                format!("{:.1}", a.bound as f64 / a.blocks as f64),
                format!("{:.1}", RATIOS[a.order as usize - 1][a.level]),
                format!("{:.0} %", 100.0 * a.padding),
                mb(a.matrix_bytes),
                mb(a.list_bytes),
                mb(a.cell_data_bytes),
                mb(a.element_matrix_bytes),
            ]
        }),
    )?;
    writeln!(text, "\n## Stages with stored element matrices (table 4.2)\n")?;
    let names = [
        "alloc. elements",
        "count",
        "bin offsets",
        "alloc. columns",
        "alloc. matrix",
        "columns",
        "elements",
        "summation",
    ];
    let mut head = vec!["tetrahedra", "p"];
    head.extend(names);
    head.extend(["total", "thesis", "thesis / total", "without memory", "thesis", "relations"]);
    table(
        &mut text,
        &head,
        orders.iter().map(|a| {
            let at = |all: &[&[f64]; 3]| all[a.order as usize - 1].get(a.level).copied();
            let (total, memory) = (at(&TOTALS), at(&ALLOCATION));
            let mut cells = vec![a.tetrahedra.to_string(), a.order.to_string()];
            cells.extend(a.stages_ms.iter().map(|(_, ms)| format!("{ms:.3}")));
            cells.push(format!("{:.2}", a.total_ms));
            cells.push(or_none(total));
            cells.push(or_none(total.map(|t| t / a.total_ms)));
            cells.push(format!("{:.2}", a.without_allocation_ms));
            cells.push(or_none(total.zip(memory).map(|(t, m)| t - m)));
            cells.push(format!("{:.2}", a.relations_ms));
            cells
        }),
    )?;
    writeln!(text, "\n## Values alone on a fixed pattern (table 4.3), and the product\n")?;
    writeln!(
        text,
        "Sums with what they need of elements; the thesis's per entry reads stored matrices, here it computes blocks of stored gradients. The product is A x with x in double precision; its floor is the copy of matrix and vectors.\n"
    )?;
    table(
        &mut text,
        &[
            "tetrahedra",
            "p",
            "per node",
            "thesis",
            "per entry",
            "thesis",
            "inline",
            "thesis",
            "lists, once",
            "from nothing, inline",
            "product",
            "floor",
        ],
        orders.iter().map(|a| {
            let theirs: [Option<f64>; 3] = match a.order {
                1 => SUMS.get(a.level).map_or([None; 3], |s| s.map(Some)),
                2 => SECOND_SUMS.get(a.level).map_or([None; 3], |s| [Some(s[0]), Some(s[1]), None]),
                _ => [None; 3],
            };
            vec![
                a.tetrahedra.to_string(),
                a.order.to_string(),
                format!("{:.3}", a.per_node_ms),
                or_none(theirs[0]),
                format!("{:.3}", a.per_entry_ms),
                or_none(theirs[1]),
                format!("{:.3}", a.inline_ms),
                or_none(theirs[2]),
                format!("{:.3}", a.lists_ms),
                format!("{:.3}", a.from_nothing_ms),
                format!("{:.3}", a.multiply_ms),
                format!("{:.3}", a.multiply_floor_ms),
            ]
        }),
    )?;
    writeln!(
        text,
        "\nThe thesis's meshes have {} thousand tetrahedra.\n",
        THESIS.map(|n| n.to_string()).join(", ")
    )?;
    writeln!(text, "## Hexahedra of order 1, inline\n")?;
    table(
        &mut text,
        &["hexahedra", "form", "from nothing", "values alone", "ratio", "matrix, MB", "beside the matrix"],
        all.iter().filter_map(|m| if let Measured::Hexes(h) = m { Some(h) } else { None }).map(|h| {
            vec![
                h.hexahedra.to_string(),
                h.form.to_owned(),
                format!("{:.2}", h.from_nothing_ms),
                format!("{:.2}", h.values_ms),
                format!("{:.1}", h.from_nothing_ms / h.values_ms),
                format!("{:.1}", h.matrix_bytes as f64 / 1e6),
                format!("{:.1} %", 100.0 * h.temporary_share),
            ]
        }),
    )?;
    writeln!(text, "\n## Conjugate gradients to 10⁻⁶: a cube held at a side, under its weight\n")?;
    table(
        &mut text,
        &["unknowns", "p", "matrix", "preconditioner", "iterations", "ms", "preparing it, ms"],
        all.iter().filter_map(|m| if let Measured::Solved(s) = m { Some(s) } else { None }).map(|s| {
            vec![
                s.unknowns.to_string(),
                s.order.to_string(),
                s.precision.to_owned(),
                s.preconditioner.to_owned(),
                s.iterations.to_string(),
                format!("{:.1}", s.ms),
                format!("{:.1}", s.prepare_ms),
            ]
        }),
    )?;
    Ok(text)
}
fn table(text: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<()> {
    row(text, head)?;
    row(text, &vec!["---"; head.len()])?;
    for cells in rows {
        row(text, &cells)?;
    }
    Ok(())
}
