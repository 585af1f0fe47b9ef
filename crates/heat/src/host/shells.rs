//! Heat in shells.
use super::aggregates::{Aggregates, Means};
use crate::device::matrix::RowsArguments;
use crate::device::shell::{HeatOfShell, Keep, KnownArguments, Number, Rim, Spread, SpreadingArguments};
use crate::device::system::{EntriesArguments, ShellMultiply, ShellRows};
use ribbonmesh::device::{NONE, tiles};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, Result, array};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Preconditioner, Progress, Run, axpby};

/// The part of a shell's greatest heat down to which heat is kept. Rounding is 10⁻¹⁶ of the greatest.
const KEPT: f64 = 1e-9;
/// The part that the heat of a shell's outermost vertices, behind which there is none, may be of what is
/// kept: as much is missing from them, and the square of it from what is kept.
const MARGIN: f64 = 100.0;
/// The residual of a shell's system.
const TOLERANCE: f64 = 1e-13;
/// Heat that is kept is above the residual by this.
const ABOVE_RESIDUAL: f64 = 1e4;
/// Iterations for a shell at most.
const ITERATIONS: usize = 5000;
/// The logarithm of the factor by which heat sinks in a shell, at first and at most.
const WIDTH: [f32; 2] = [29.0, 1e4];
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
        let (fronts, width) = ([device.unspecified(n)?, device.unspecified(n)?], WIDTH[0]);
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
            width,
        })
    }
    /// The heat from some vertices, which ascend.
    pub fn flow(mut self, sources: &[u32]) -> Result<Heat> {
        self.set_sources(sources)?;
        let list = self.device.upload(sources)?;
        self.spread_from(list)
    }
    /// The rest of the heat from some vertices, of which some is known by its logarithms.
    pub fn flow_on(mut self, sources: &[u32], known: Buffer<f64>) -> Result<Heat> {
        self.set_sources(sources)?;
        self.heat.logarithms = known;
        let all: Vec<u32> = (0..self.scales.len() as u32).collect();
        let list = self.device.upload(&all)?;
        self.spread_from(list)
    }
    fn set_sources(&mut self, sources: &[u32]) -> Result<()> {
        let mut flags = vec![0; self.scales.len()];
        sources.iter().for_each(|&source| flags[source as usize] = 1);
        self.heat.sources.write(&flags)
    }
    fn spread_from(mut self, mut list: Buffer<u32>) -> Result<Heat> {
        while let Some(shell) = self.shell(&list)? {
            if !self.solve(&shell)? {
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
    fn shell(&mut self, before: &Buffer<u32>) -> Result<Option<Buffer<u32>>> {
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
    /// Solves for the heat of a shell, and keeps what is precise; whether there is any.
    fn solve(&mut self, list: &Buffer<u32>) -> Result<bool> {
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
        let matrix =
            EntriesArguments { starts: starts.view(), columns: columns.view(), values: values.view() };
        let means = self.aggregates.of_shell(self.time, self.rows, self.scales, list, &self.locals)?;
        let (x, progress) = conjugate_gradients(&device, matrix, means, &right)?;
        self.heat.shells += 1;
        self.heat.vertices += n;
        self.heat.iterations += progress.iterations;
        self.keep(list, &outermost, x, scale, progress.residual())
    }
    /// Keeps the heat that is precise; whether there is any, or will be in a wider shell.
    fn keep(
        &mut self,
        list: &Buffer<u32>,
        outermost: &Buffer<u32>,
        mut x: Buffer<f64>,
        scale: f64,
        residual: f64,
    ) -> Result<bool> {
        let (device, n) = (self.device.clone(), x.len() as u32);
        let mut last = device.unspecified::<f64>(x.len())?;
        let heat = HeatOfShell {
            list: list.view(),
            scales: self.scales.view(),
            outermost: outermost.view(),
            x: x.view_mut(),
            last: last.view_mut(),
        };
        device.launch_each(n, heat)?;
        let most = array::max(&x)?.unwrap_or(0.0);
        let last = MARGIN * array::max(&last)?.unwrap_or(0.0);
        let precise = most * KEPT.max(ABOVE_RESIDUAL * residual);
        let least = precise.max(last);
        let mut kept = device.unspecified::<u32>(x.len())?;
        let keep = Keep {
            least,
            scale,
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
        let narrow = last > 1e3 * precise && self.width < WIDTH[1];
        if narrow {
            self.width *= 1.5;
        }
        self.heat.converged &= kept > 0 || narrow || most == 0.0;
        Ok(kept > 0 || narrow)
    }
}

/// Solves the system of a shell from 0 on.
fn conjugate_gradients(
    device: &Device,
    matrix: EntriesArguments<'_>,
    mut means: Option<Means<'_>>,
    right: &Buffer<f64>,
) -> Result<(Buffer<f64>, Progress)> {
    let n = right.len();
    let mut solver = ConjugateGradients::new(device, 1, || device.zeros(n))?;
    solver.begin(TOLERANCE, |to, run| -> Result<()> {
        axpby(run.device(), 1.0, right, 0.0, &mut to.r)?;
        run.begin(&to.r)
    })?;
    let mut x = device.zeros(n)?;
    let mut system = System { n: n as u32, matrix, last: device.zeros(n)? };
    let look = if device.kind() == DeviceKind::Cpu { 2 } else { 16 };
    let means = means.as_mut().map(|means| means as &mut dyn Preconditioner<_, _>);
    let progress = solver.finish(&mut system, means, &mut x, &Limits { iterations: ITERATIONS, look })?;
    Ok((x, progress))
}

struct System<'a> {
    n: u32,
    matrix: EntriesArguments<'a>,
    last: Buffer<f64>,
}
impl Operator for System<'_> {
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
        let (r, last, p, q) = (z.view(), self.last.view(), p.view_mut(), q.view_mut());
        device.launch(tiles(n), ShellMultiply { n, scalars: run.scalars(), matrix, r, last, p, q })
    }
}
