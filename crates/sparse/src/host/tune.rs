//! Measuring variants (Mueller-Roemer 2020, section 5.3.3).
use super::class::{MatrixClass, RowStatistics};
use super::error::{Result, SparseError};
use super::layout::{Inner, Layout, Outer, Schedule, Variant};
use super::vector::Vector;
use super::{Csr, Launched, SparseMatrix};
use crate::device::components::assemble;
use crate::{Element, Real};
use ribbonmesh::{Device, DeviceKind, Error};

/// Options of tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneOptions {
    /// The layouts.
    pub layouts: Vec<Layout>,
    /// Threads of blocks.
    pub threads: Vec<u32>,
    /// Blocks of a multiprocessor, for static and dynamic schedules.
    pub blocks: Vec<u32>,
    /// Products in a batch, at most.
    pub repetitions: usize,
    /// Seconds that a batch is to take: of large matrices it has fewer products, but at least three or
    /// `repetitions`.
    pub batch_seconds: f64,
    /// Most places per entry: layouts that need more are left out.
    pub padding: f64,
}
impl TuneOptions {
    /// The 16 layouts of the thesis and the layouts with groups of 32 entries, with few schedules. On the
    /// CPU, where a block is a task of a thread, with fewer.
    pub fn quick(device: &Device) -> Self {
        let grouped = [Outer::Csr, Outer::Sliced(32)].map(|outer| Layout {
            outer,
            inner: Inner::Grouped,
            ..Layout::CSR
        });
        let (threads, blocks) = match device.kind() {
            DeviceKind::Cpu => (vec![256], vec![8]),
            DeviceKind::Cuda => (vec![128, 256], vec![8]),
        };
        Self {
            layouts: Layout::all().chain(grouped).collect(),
            threads,
            blocks,
            repetitions: 20,
            batch_seconds: 0.002,
            padding: 3.0,
        }
    }
    /// The same layouts with the thesis's schedules: threads of 2ⁱ and 3·2ⁱ warps, blocks of 2ⁱ and 3·2ⁱ.
    pub fn full(device: &Device) -> Self {
        let (threads, blocks) = (vec![32, 64, 96, 128, 192, 256, 384, 512], vec![1, 2, 3, 4, 6, 8, 12, 16]);
        Self { threads, blocks, repetitions: 50, batch_seconds: 0.01, ..Self::quick(device) }
    }
}

/// A variant that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The variant.
    pub variant: Variant,
    /// Seconds of a product: the least mean of three batches.
    pub seconds: f64,
    /// Bytes of the matrix on the device.
    pub bytes: usize,
    /// Bytes that a product must move at least, without padding.
    pub product_bytes: usize,
}
/// Results of tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// The class of the matrix.
    pub class: MatrixClass,
    /// The fastest variant.
    pub best: Measured,
    /// The fastest schedule of a thread for each row of `CSR-AoS-AoS`: what the thesis calls tuning of the
    /// schedule alone.
    pub natural: Measured,
    /// The variant that would be used without measuring.
    pub guess: Measured,
    /// All, in the order of measuring.
    pub all: Vec<Measured>,
    /// Variants that were not measured, and the reasons.
    pub left_out: Vec<(Variant, String)>,
}
impl Tuned {
    /// The time of the guess over that of the best: 1.05 or less is close enough.
    pub fn guess_ratio(&self) -> f64 {
        self.guess.seconds / self.best.seconds
    }
    /// The ratio of the best variant's speed to that of the best schedule of `CSR-AoS-AoS`: the thesis's
    /// layout tuning speedup.
    pub fn layout_speedup(&self) -> f64 {
        self.natural.seconds / self.best.seconds
    }
}

/// Measures variants of a matrix: uploads it once, makes each layout on the device, and multiplies with each
/// schedule. Waits.
/// # Errors
/// [`SparseError::Option`] without repetitions; out of memory for CSR together with the guess; errors of the
/// driver. Other variants that a device cannot hold together with CSR or cannot launch are left out, with the
/// reason.
pub fn tune<E: Launched>(device: &Device, matrix: &Csr<E>, options: &TuneOptions) -> Result<Tuned> {
    if options.repetitions == 0 {
        return Err(SparseError::Option { option: "repetitions", value: 0.0, expected: "at least 1" });
    }
    let (mut all, mut left_out) = (vec![], vec![]);
    let csr = SparseMatrix::with_variant(device, matrix, Variant::CSR)?;
    let guess = measure(&csr.rearranged(Variant::guess(device, matrix))?, options)?;
    let natural = measure(&csr, options)?;
    all.extend([guess.clone(), natural.clone()]);
    let rows = RowStatistics::of_matrix(matrix);
    for &layout in &options.layouts {
        let places = match layout.outer {
            Outer::Csr => 1.0,
            Outer::Ell => rows.padding_of_ell(),
            Outer::Sliced(slice) => rows.places_of_slices(slice as usize) as f64 / rows.entries.max(1) as f64,
        };
        let mut schedules: Vec<_> =
            options.threads.iter().map(|&threads| Schedule::Rows { threads }).collect();
        for &threads in &options.threads {
            for &blocks in &options.blocks {
                schedules
                    .extend([Schedule::Static { threads, blocks }, Schedule::Dynamic { threads, blocks }]);
            }
        }
        if layout == Layout::CSR {
            schedules.push(Schedule::Balanced);
        }
        let first = Variant { layout, schedule: schedules.first().copied().unwrap_or(Variant::CSR.schedule) };
        if places > options.padding {
            left_out.push((first, format!("{places:.1} places per entry")));
            continue;
        }
        let mut on_device = match csr.rearranged(first) {
            Ok(on_device) => on_device,
            Err(
                error @ (SparseError::TooMany { .. }
                | SparseError::Device(Error::OutOfMemory { .. } | Error::WouldNotFit { .. })),
            ) => {
                left_out.push((first, error.to_string()));
                continue;
            }
            Err(error) => return Err(error),
        };
        let (x, mut y) = operands(&on_device)?;
        for schedule in schedules {
            let variant = Variant { layout, schedule };
            on_device.set_schedule(schedule)?;
            match seconds(&on_device, &x, &mut y, options) {
                Ok(seconds) => all.push(found(&on_device, seconds)),
                // more registers than a block of this many threads can have
                Err(SparseError::Device(error @ Error::Cuda { .. })) => {
                    device.synchronize()?;
                    left_out.push((variant, error.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
    }
    let fastest = |from: &mut dyn Iterator<Item = &Measured>, first: &Measured| {
        from.fold(first.clone(), |best, one| if one.seconds < best.seconds { one.clone() } else { best })
    };
    let of_csr =
        |one: &&Measured| one.variant.layout == Layout::CSR && one.variant.schedule != Schedule::Balanced;
    let best = fastest(&mut all.iter(), &guess);
    let natural = fastest(&mut all.iter().filter(of_csr), &natural);
    // the best time of the guess's variant, which may have been measured twice
    let same = guess.variant;
    let guess = fastest(&mut all.iter().filter(|one| one.variant == same), &guess);
    Ok(Tuned { class: MatrixClass::of(matrix), best, natural, guess, all, left_out })
}

fn measure<E: Launched>(on_device: &SparseMatrix<E>, options: &TuneOptions) -> Result<Measured> {
    let (x, mut y) = operands(on_device)?;
    let seconds = seconds(on_device, &x, &mut y, options)?;
    Ok(found(on_device, seconds))
}
fn found<E: Launched>(matrix: &SparseMatrix<E>, seconds: f64) -> Measured {
    let (bytes, product_bytes) = (matrix.bytes(), matrix.product_bytes());
    Measured { variant: matrix.variant(), seconds, bytes, product_bytes }
}
/// Vectors for products: ones, and zeros.
type Operands<T> = (Vector<T>, Vector<T>);
fn operands<E: Launched>(matrix: &SparseMatrix<E>) -> Result<Operands<E::Element>> {
    type RealOf<T> = <T as Element>::Real;
    let one = assemble::<E::Element, RealOf<E::Element>>(|_| RealOf::<E::Element>::ONE);
    let ones = vec![one; matrix.columns()];
    let x = Vector::upload(matrix.device(), &ones, matrix.variant().layout.vector)?;
    Ok((x, matrix.range()?))
}
/// Seconds of a product: the least mean of three batches, after two products that do not count.
fn seconds<E: Launched>(
    matrix: &SparseMatrix<E>,
    x: &Vector<E::Element>,
    y: &mut Vector<E::Element>,
    options: &TuneOptions,
) -> Result<f64> {
    let device = matrix.device();
    matrix.multiply(x, y)?;
    let mut batch = |repetitions: usize| {
        let mut failed = None;
        let time = device.time(|| {
            for _ in 0..repetitions {
                if let Err(error) = matrix.multiply(x, y) {
                    failed = Some(error);
                    break;
                }
            }
            Ok(())
        })?;
        match failed {
            Some(error) => Err(error),
            None => Ok(time / repetitions as f64),
        }
    };
    let fitting = (options.batch_seconds / batch(1)?) as usize;
    let repetitions = fitting.clamp(options.repetitions.min(3), options.repetitions);
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        least = least.min(batch(repetitions)?);
    }
    Ok(least)
}
