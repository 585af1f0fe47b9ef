//! Heat in shells.
use super::aggregates::{Aggregates, Means};
use super::carry::{Burdens, Carries, Lane};
use crate::device::carried::Planar;
use crate::device::carry::{CarryRows, KeepCarried, TurnsOfShell};
use crate::device::matrix::RowsArguments;
use crate::device::shell::{HeatOfShell, Keep, KnownArguments, Number, Rim, Spread, SpreadingArguments};
use crate::device::system::{EntriesArguments, ShellMultiply, ShellRows};
use ribbonmesh::device::{BufferView, NONE, tiles};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, Result, array};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Preconditioner, Progress, Run, axpby};
use std::marker::PhantomData;

/// How precise heat is.
struct Precision {
    /// The part of a shell's greatest heat down to which heat is kept. Rounding is 10⁻¹⁶ of the greatest.
    kept: f64,
    /// By how much what is kept exceeds the heat of a shell's outermost vertices, behind which there is none:
    /// as much is missing from them, and the square of its inverse from what is kept.
    margin: f64,
    /// The residual of a shell's systems.
    tolerance: f64,
    /// The logarithm of the factor by which heat sinks in a shell, at first.
    width: f32,
}
/// For heat whose logarithm matters alone.
const OF_HEAT: Precision = Precision { kept: 1e-9, margin: 100.0, tolerance: 1e-13, width: 29.0 };
/// For what heat carries, whose error is that of heat: shells are more and narrower.
const OF_CARRIED: Precision = Precision { kept: 1e-6, margin: 1e4, tolerance: 1e-14, width: 24.0 };
/// Heat that is kept is above the residual by this.
const ABOVE_RESIDUAL: f64 = 1e4;
/// Iterations for a shell at most.
const ITERATIONS: usize = 5000;
/// The logarithm of the factor by which heat sinks in a shell, at most.
const WIDEST: f32 = 1e4;
/// Launches between two looks of the host.
const HOPS: u32 = 32;

/// Heat that has flown from sources.
pub struct Heat {
    /// Its logarithm at each vertex; −∞ where no heat comes.
    pub logarithms: Buffer<f64>,
    /// 1 for sources.
    pub sources: Buffer<u32>,
    /// Shells.
    pub shells: u32,
    /// The sum of their vertices.
    pub vertices: usize,
    /// Iterations in all of them.
    pub iterations: usize,
    /// Whether all of it was solved.
    pub converged: bool,
}

/// Heat by (M + t L) u = δ, with the relative precision of each value.
///
/// Heat sinks by a factor of about 2.6 with each edge, so that a solution whose error is 10⁻¹⁵ of its
/// greatest value is worth nothing behind some 35 edges. So it is computed in shells: the vertices around
/// where heat is known are a system, with the known values around; of its solution only values are kept that
/// are far above its error, and the next shell begins there.
pub struct Shells<'a> {
    device: Device,
    rows: RowsArguments<'a>,
    aggregates: &'a Aggregates,
    scales: &'a Buffer<f64>,
    time: f64,
    heat: Heat,
    mass: &'a Buffer<f64>,
    left: Buffer<u32>,
    stamps: Buffer<u32>,
    stamp: u32,
    locals: Buffer<u32>,
    fronts: [Buffer<u32>; 2],
    width: f32,
    precision: Precision,
}
/// A shell with its system.
struct Shell<'a> {
    list: &'a Buffer<u32>,
    /// 1 for vertices behind which there are others.
    outermost: Buffer<u32>,
    starts: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<f64>,
    /// The greatest logarithm of heat around.
    scale: f64,
}
impl Shell<'_> {
    fn matrix<'a>(&'a self, turns: BufferView<'a, Planar>) -> EntriesArguments<'a> {
        let (starts, columns, values) = (self.starts.view(), self.columns.view(), self.values.view());
        EntriesArguments { starts, columns, values, turns }
    }
}

impl<'a> Shells<'a> {
    /// `scales` has 1 / √ of the diagonal of the matrix, or 0.
    pub fn new(
        rows: RowsArguments<'a>,
        aggregates: &'a Aggregates,
        mass: &'a Buffer<f64>,
        scales: &'a Buffer<f64>,
        time: f64,
    ) -> Result<Self> {
        let (device, n) = (scales.device().clone(), scales.len());
        let mut logarithms = device.unspecified(n)?;
        array::fill(&mut logarithms, f64::NEG_INFINITY)?;
        let mut locals = device.unspecified(n)?;
        array::fill(&mut locals, NONE)?;
        let sources = device.zeros(n)?;
        let heat = Heat { logarithms, sources, shells: 0, vertices: 0, iterations: 0, converged: true };
        let (left, stamps) = (device.zeros(n)?, device.zeros(n)?);
        let fronts = [device.unspecified(n)?, device.unspecified(n)?];
        Ok(Self {
            device,
            rows,
            aggregates,
            scales,
            time,
            heat,
            mass,
            left,
            stamps,
            stamp: 0,
            locals,
            fronts,
            width: OF_HEAT.width,
            precision: OF_HEAT,
        })
    }
    /// The heat from some vertices, which ascend, and what it carries.
    pub fn flow(mut self, sources: &[u32], with: &mut Burdens<'_>) -> Result<Heat> {
        self.set_sources(sources)?;
        let list = self.device.upload(sources)?;
        self.spread_from(list, with)
    }
    /// The rest of the heat from some vertices, of which some is known by its logarithms, and of what it
    /// carries.
    pub fn flow_on(mut self, sources: &[u32], known: Buffer<f64>, with: &mut Burdens<'_>) -> Result<Heat> {
        self.set_sources(sources)?;
        self.heat.logarithms = known;
        let list = array::count_up(&self.device, self.scales.len() as u32)?;
        self.spread_from(list, with)
    }
    fn set_sources(&mut self, sources: &[u32]) -> Result<()> {
        let mut flags = vec![0; self.scales.len()];
        sources.iter().for_each(|&source| flags[source as usize] = 1);
        self.heat.sources.write(&flags)
    }
    fn spread_from(mut self, mut list: Buffer<u32>, with: &mut Burdens<'_>) -> Result<Heat> {
        if !with.is_empty() {
            (self.precision, self.width) = (OF_CARRIED, OF_CARRIED.width);
        }
        while let Some(shell) = self.next(&list)? {
            if !self.solve(&shell, with)? {
                break;
            }
            list = shell;
        }
        Ok(self.heat)
    }
    fn known(&self) -> KnownArguments<'_> {
        KnownArguments { logarithms: self.heat.logarithms.view(), sources: self.heat.sources.view() }
    }
    /// The vertices of the shell around what is known; those of the last one are `before`.
    fn next(&mut self, before: &Buffer<u32>) -> Result<Option<Buffer<u32>>> {
        let device = self.device.clone();
        let mut state = device.zeros::<u32>(HOPS as usize + 1)?;
        let (n, rows) = (before.len() as u32, self.rows);
        let known =
            KnownArguments { logarithms: self.heat.logarithms.view(), sources: self.heat.sources.view() };
        let [even, odd] = &mut self.fronts;
        let rim = Rim {
            n,
            width: self.width,
            rows,
            known,
            list: before.view(),
            left: self.left.view_mut(),
            to: even.view_mut(),
            state: state.view_mut(),
        };
        device.launch(tiles(n), rim)?;
        let mut count = state.read_range(0, 1)?[0];
        if count == 0 {
            return Ok(None);
        }
        let blocks = tiles(self.scales.len() as u32).min(8 * device.multiprocessors().max(1));
        while count > 0 {
            state.clear()?;
            state.write_range(0, &[count])?;
            for hop in 0..HOPS {
                let (list, to) = if hop % 2 == 0 { (&*even, &mut *odd) } else { (&*odd, &mut *even) };
                self.stamp += 1;
                let spreading = SpreadingArguments {
                    left: self.left.view_mut(),
                    stamps: self.stamps.view_mut(),
                    mass: self.mass.view(),
                    time: self.time,
                };
                let spread = Spread {
                    hop,
                    stamp: self.stamp,
                    rows,
                    known,
                    spreading,
                    list: list.view(),
                    to: to.view_mut(),
                    state: state.view_mut(),
                };
                device.launch(blocks, spread)?;
            }
            count = state.read_range(HOPS as usize, 1)?[0];
        }
        Ok(Some(array::select(&self.left)?))
    }
    /// Solves for the heat of a shell and for what it carries, and keeps what is precise; whether there is
    /// any.
    fn solve(&mut self, list: &Buffer<u32>, with: &mut Burdens<'_>) -> Result<bool> {
        let (shell, right) = self.system(list)?;
        let none = BufferView::empty();
        let mut means = self.means::<f64>(&shell, (none, none))?;
        let (x, progress) =
            conjugate_gradients(shell.matrix(none), &mut means, &right, self.precision.tolerance)?;
        drop(means);
        self.heat.shells += 1;
        self.heat.vertices += list.len();
        self.heat.iterations += progress.iterations;
        self.keep(&shell, x, progress.residual(), with)
    }
    /// The system of a shell, and the right-hand side for heat.
    fn system<'b>(&mut self, list: &'b Buffer<u32>) -> Result<(Shell<'b>, Buffer<f64>)> {
        let (device, n) = (self.device.clone(), list.len());
        let mut outermost = device.unspecified::<u32>(n)?;
        let (mut greatest, mut starts) = (device.unspecified::<f64>(n)?, device.zeros::<u32>(n + 1)?);
        let number = Number {
            rows: self.rows,
            known: KnownArguments {
                logarithms: self.heat.logarithms.view(),
                sources: self.heat.sources.view(),
            },
            left: self.left.view(),
            list: list.view(),
            locals: self.locals.view_mut(),
            greatest: greatest.view_mut(),
            entries: starts.view_mut(),
            outermost: outermost.view_mut(),
        };
        device.launch_each(n as u32, number)?;
        let scale = array::max(&greatest)?.unwrap_or(f64::NEG_INFINITY);
        let entries = array::exclusive_scan(&mut starts)? as usize;
        let (mut columns, mut values) =
            (device.unspecified::<u32>(entries)?, device.unspecified::<f64>(entries)?);
        let mut right = device.unspecified::<f64>(n)?;
        let write = ShellRows {
            time: self.time,
            scale,
            rows: self.rows,
            known: self.known(),
            scales: self.scales.view(),
            list: list.view(),
            locals: self.locals.view(),
            starts: starts.view(),
            columns: columns.view_mut(),
            values: values.view_mut(),
            right: right.view_mut(),
        };
        device.launch_each(n as u32, write)?;
        Ok((Shell { list, outermost, starts, columns, values, scale }, right))
    }
    /// Keeps the heat that is precise, and what it carries; whether there is any, or will be in a wider
    /// shell.
    fn keep(
        &mut self,
        shell: &Shell<'_>,
        mut x: Buffer<f64>,
        mut residual: f64,
        with: &mut Burdens<'_>,
    ) -> Result<bool> {
        let (device, n, list) = (self.device.clone(), x.len() as u32, shell.list);
        let mut last = device.unspecified::<f64>(x.len())?;
        let heat = HeatOfShell {
            list: list.view(),
            scales: self.scales.view(),
            outermost: shell.outermost.view(),
            x: x.view_mut(),
            last: last.view_mut(),
        };
        device.launch_each(n, heat)?;
        let most = array::max(&x)?.unwrap_or(0.0);
        let last = self.precision.margin * array::max(&last)?.unwrap_or(0.0);
        let turns = self.turns_of(shell, with)?;
        let vectors = self.carry(shell, &x, &with.vectors, with, &turns)?;
        let numbers = self.carry(shell, &x, &with.numbers, with, &turns)?;
        let all =
            vectors.iter().map(|(_, progress)| progress).chain(numbers.iter().map(|(_, progress)| progress));
        for progress in all {
            self.heat.iterations += progress.iterations;
            residual = residual.max(progress.residual());
        }
        let precise = most * self.precision.kept.max(ABOVE_RESIDUAL * residual);
        let least = precise.max(last);
        for ((own, _), lane) in vectors.iter().zip(&mut with.vectors) {
            self.keep_carried(list, least, &x, own, lane)?;
        }
        for ((own, _), lane) in numbers.iter().zip(&mut with.numbers) {
            self.keep_carried(list, least, &x, own, lane)?;
        }
        let mut kept = device.unspecified::<u32>(x.len())?;
        let keep = Keep {
            least,
            scale: shell.scale,
            list: list.view(),
            x: x.view(),
            logarithms: self.heat.logarithms.view_mut(),
            left: self.left.view_mut(),
            locals: self.locals.view_mut(),
            kept: kept.view_mut(),
        };
        device.launch_each(n, keep)?;
        let kept = array::sum(&kept)?;
        // a shell that is too narrow for the decay that rounding allows
        let narrow = last > 1e3 * precise && self.width < WIDEST;
        if narrow {
            self.width *= 1.5;
        }
        self.heat.converged &= kept > 0 || narrow || most == 0.0;
        Ok(kept > 0 || narrow)
    }
    /// The turns of the entries of a shell's matrix; none without vectors.
    fn turns_of(&self, shell: &Shell<'_>, with: &Burdens<'_>) -> Result<Buffer<Planar>> {
        let entries = if with.vectors.is_empty() { 0 } else { shell.values.len() };
        let mut turns = self.device.unspecified(entries)?;
        if entries > 0 {
            let copy = TurnsOfShell {
                rows: self.rows,
                list: shell.list.view(),
                locals: self.locals.view(),
                starts: shell.starts.view(),
                turns: with.turns,
                to: turns.view_mut(),
            };
            self.device.launch_each(shell.list.len() as u32, copy)?;
        }
        Ok(turns)
    }
    /// The means of a shell's aggregates.
    fn means<'b, N: Carries>(
        &'b self,
        shell: &Shell<'b>,
        turns: (BufferView<'b, Planar>, BufferView<'b, Planar>),
    ) -> Result<Option<Means<'b, N>>> {
        self.aggregates.of_shell(self.time, self.rows, turns, self.scales, shell.list, &self.locals)
    }
    /// Solves for what the heat of a shell carries, with a unit diagonal.
    fn carry<N: Carries>(
        &self,
        shell: &Shell<'_>,
        heat: &Buffer<f64>,
        lanes: &[Lane<'_, N>],
        with: &Burdens<'_>,
        turns: &Buffer<Planar>,
    ) -> Result<Vec<(Buffer<f64>, Progress)>> {
        if lanes.is_empty() {
            return Ok(vec![]);
        }
        let mut means = self.means::<N>(shell, (with.turns, with.from_roots))?;
        let solve = |lane| {
            let right = self.carried(shell, heat, lane, with)?;
            let matrix = shell.matrix(turns.view());
            conjugate_gradients(matrix, &mut means, &right, self.precision.tolerance)
        };
        lanes.iter().map(solve).collect()
    }
    /// The right-hand side for something that heat carries.
    fn carried<N: Carries>(
        &self,
        shell: &Shell<'_>,
        heat: &Buffer<f64>,
        lane: &Lane<'_, N>,
        with: &Burdens<'_>,
    ) -> Result<Buffer<f64>> {
        let (list, n) = (shell.list, shell.list.len());
        let mut right = self.device.unspecified::<f64>(N::LANES * n)?;
        let write = CarryRows {
            time: self.time,
            scale: shell.scale,
            rows: self.rows,
            known: self.known(),
            scales: self.scales.view(),
            list: list.view(),
            locals: self.locals.view(),
            heat: heat.view(),
            burden: lane.view(with.turns),
            right: right.view_mut().wide(),
        };
        self.device.launch_each(n as u32, write)?;
        Ok(right)
    }
    fn keep_carried<N: Carries>(
        &self,
        list: &Buffer<u32>,
        least: f64,
        heat: &Buffer<f64>,
        x: &Buffer<f64>,
        lane: &mut Lane<'_, N>,
    ) -> Result<()> {
        let (scales, known) = (self.scales.view(), lane.known.view_mut());
        let (heat, x) = (heat.view(), x.view().wide::<N>());
        let keep = KeepCarried { least, list: list.view(), scales, heat, x, known };
        self.device.launch_each(list.len() as u32, keep)
    }
}

/// Solves the system of a shell from 0 on.
fn conjugate_gradients<N: Carries>(
    matrix: EntriesArguments<'_>,
    means: &mut Option<Means<'_, N>>,
    right: &Buffer<f64>,
    tolerance: f64,
) -> Result<(Buffer<f64>, Progress)> {
    let (device, n) = (right.device(), right.len());
    let mut solver = ConjugateGradients::new(device, 1, || device.zeros(n))?;
    solver.begin(tolerance, |to, run| -> Result<()> {
        axpby(run.device(), 1.0, right, 0.0, &mut to.r)?;
        run.begin(&to.r)
    })?;
    let mut x = device.zeros(n)?;
    let rows = (n / N::LANES) as u32;
    let mut system = System { n: rows, matrix, last: device.zeros(n)?, of: PhantomData::<N> };
    let look = if device.kind() == DeviceKind::Cpu { 2 } else { 16 };
    let means = means.as_mut().map(|means| means as &mut dyn Preconditioner<_, _>);
    let progress = solver.finish(&mut system, means, &mut x, &Limits { iterations: ITERATIONS, look })?;
    Ok((x, progress))
}

struct System<'a, N> {
    n: u32,
    matrix: EntriesArguments<'a>,
    last: Buffer<f64>,
    of: PhantomData<N>,
}
impl<N: Carries> Operator for System<'_, N> {
    type Vector = Buffer<f64>;
    type Error = Error;
    fn direct(
        &mut self,
        z: &Buffer<f64>,
        p: &mut Buffer<f64>,
        q: &mut Buffer<f64>,
        run: &mut Run,
    ) -> Result<()> {
        std::mem::swap(p, &mut self.last);
        let (device, n, matrix) = (run.device().clone(), self.n, self.matrix);
        let (r, last) = (z.view().wide::<N>(), self.last.view().wide());
        let (p, q) = (p.view_mut().wide(), q.view_mut().wide());
        device.launch(tiles(n), ShellMultiply { n, scalars: run.scalars(), matrix, r, last, p, q })
    }
}
