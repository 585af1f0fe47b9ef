//! Which variants there are, and which one is taken without measuring.
use super::class::RowStatistics;
use super::error::{Result, SparseError};
use super::layout::{Inner, Layout, Outer, Schedule, Variant, VectorLayout};
use super::{Csr, Launched};
use crate::device::multiply::capacity;
use ribbonmesh::{Device, DeviceKind};

/// What a step from one entry of a row to the next costs at least, as bytes that memory moves meanwhile: about half a microsecond
/// at 2.5 TB/s. An estimate.
const STEP: f64 = 1.2e6;
/// What entries cost that no single instruction loads, against those of 4, 8 and 16 bytes. An estimate.
const STRIDED: f64 = 1.25;
/// What going through shared memory costs. An estimate.
const SHARED: f64 = 1.1;

impl Variant {
    /// Refuses a variant that there is not.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |reason| Err(SparseError::Variant { variant: self.to_string(), reason });
        if let Outer::Sliced(rows) = self.layout.outer
            && !(rows.is_power_of_two() && (2..=1024).contains(&rows))
        {
            return wrong("slices have 2 to 1024 rows, a power of two");
        }
        let threads = |n: u32| n.is_multiple_of(32) && (32..=1024).contains(&n);
        match self.schedule {
            Schedule::Balanced if self.layout != Layout::CSR => {
                wrong("balanced rows are those of CSR-AoS-AoS")
            }
            Schedule::Rows { threads: n }
            | Schedule::Static { threads: n, .. }
            | Schedule::Dynamic { threads: n, .. }
                if !threads(n) =>
            {
                wrong("a block has 32 to 1024 threads, a multiple of 32")
            }
            Schedule::Static { blocks: 0, .. } | Schedule::Dynamic { blocks: 0, .. } => {
                wrong("a multiprocessor has at least one block")
            }
            _ => Ok(()),
        }
    }
    /// The variant to take for a matrix without measuring, by a model of rows and padding. Linear in the rows.
    ///
    /// On the CPU that is `CSR-AoS-AoS`, whose rows are consecutive memory. On a GPU it is the cheaper one of two: slices of 32 rows, which cost
    /// the bytes of the padded matrix, or as many steps as the longest row has entries; and balanced CSR, which costs the bytes of the matrix and the
    /// way through shared memory. Entries larger than 16 bytes lie in groups of 32 in slices. Vectors are AoS.
    pub fn guess<E: Launched>(device: &Device, matrix: &Csr<E>) -> Self {
        match device.kind() {
            DeviceKind::Cpu => Self::CSR,
            DeviceKind::Cuda => Self::guess_for_gpu(matrix),
        }
    }
    /// What [`Variant::guess`] takes on a GPU.
    pub fn guess_for_gpu<E: Launched>(matrix: &Csr<E>) -> Self {
        let rows = RowStatistics::of(matrix.starts());
        let place = (4 + size_of::<E>()) as f64;
        let by_one_load = matches!(size_of::<E>(), 4 | 8 | 16);
        let sliced = (rows.places_of_slices(32) as f64 * place + 4.0 * rows.rows as f64)
            .max(STEP * f64::from(rows.longest));
        let bytes = rows.entries as f64 * place + 4.0 * rows.rows as f64;
        let cut = f64::from(rows.longest) > f64::from(capacity::<E::Element>());
        let balanced =
            bytes * SHARED * if by_one_load { 1.0 } else { STRIDED } + STEP * if cut { 8.0 } else { 4.0 };
        if balanced < sliced {
            return Self { layout: Layout::CSR, schedule: Schedule::Balanced };
        }
        let inner = if by_one_load { Inner::Aos } else { Inner::Grouped };
        let layout = Layout { outer: Outer::Sliced(32), inner, vector: VectorLayout::Aos };
        Self { layout, schedule: Schedule::Rows { threads: 256 } }
    }
}
