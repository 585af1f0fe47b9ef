//! The variants that exist, and the one that is taken without measuring.
use super::class::RowStatistics;
use super::error::{Result, SparseError};
use super::layout::{Layout, Outer, Schedule, Variant};
use super::{Csr, Launched};
use crate::device::multiply::capacity;
use ribbonmesh::{Device, DeviceKind};

/// The costs of a schedule, in bytes that memory could move meanwhile. They are fitted to times on an H100 (3
/// TB/s) for the matrices of `cargo xtask bench sparse`.
mod cost {
    /// Least cost of a thread for each row, by row: its loads wait for each other, and rows of one entry hide
    /// nothing.
    pub const ROW: f64 = 45.0;
    /// Cost of balanced rows, however few they are: barriers, and a way through shared memory.
    pub const BALANCED: f64 = 2.7e6;
    /// Cost of cutting long rows: a second launch.
    pub const CUT: f64 = 6e6;
    /// A step from one entry of a row to the next, in a thread for each row, with entries of `size` bytes.
    pub fn step(size: usize) -> f64 {
        1.2e5 + 2e4 * size as f64
    }
    /// A thread for each row of CSR, by byte, with entries of 4 bytes: a line of the cache also has the
    /// entries of a row's next steps.
    pub const ROWS_OF_CSR: f64 = 1.08;
    /// A thread for each row of slices, by byte.
    pub const SLICES: f64 = 1.03;
    /// Balanced rows, by byte. Of large entries fewer than threads fit into shared memory.
    pub fn balanced(size: usize) -> f64 {
        match size {
            0..=4 => 1.16,
            5..=63 => 1.06,
            64 => 1.5,
            _ => 1.1,
        }
    }
}

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
    /// The variant to take for a matrix without measuring, by a model of rows and padding. Linear in the
    /// rows.
    ///
    /// On the CPU that is `CSR-AoS-AoS`, whose rows are consecutive memory. On a GPU it is balanced CSR, or a
    /// thread for each row where that costs less: of CSR for entries of 4 bytes, of slices of 32 rows for
    /// entries of 8, 16, 32 and so on, padding included. A thread for each row takes as many steps as the
    /// longest row has entries. Vectors are AoS.
    pub fn guess<E: Launched>(device: &Device, matrix: &Csr<E>) -> Self {
        match device.kind() {
            DeviceKind::Cpu => Self::CSR,
            DeviceKind::Cuda => Self::guess_for_gpu(matrix),
        }
    }
    /// The choice of [`Variant::guess`] on a GPU.
    pub fn guess_for_gpu<E: Launched>(matrix: &Csr<E>) -> Self {
        let rows = RowStatistics::of(matrix.starts());
        let (size, count) = (size_of::<E>(), rows.rows as f64);
        let place = (4 + size) as f64;
        let vectors = 4.0 * count + (2 * rows.rows * size_of::<E::Element>()) as f64;
        let bytes = rows.entries as f64 * place + vectors;
        let cut = f64::from(rows.longest) > f64::from(capacity::<E::Element>());
        let balanced = cost::balanced(size) * bytes + cost::BALANCED + if cut { cost::CUT } else { 0.0 };
        let padded = rows.places_of_slices(32) as f64 * place + vectors;
        let by_rows = match size {
            0..=4 => Some((cost::ROWS_OF_CSR * bytes, Layout::CSR)),
            _ if size.is_power_of_two() => {
                Some((cost::SLICES * padded, Layout { outer: Outer::Sliced(32), ..Layout::CSR }))
            }
            // a warp would load such entries in strides
            _ => None,
        };
        let steps = cost::step(size) * f64::from(rows.longest);
        match by_rows {
            Some((moved, layout)) if moved.max(cost::ROW * count).max(steps) < balanced => {
                Self { layout, schedule: Schedule::Rows { threads: 128 } }
            }
            _ => Self { layout: Layout::CSR, schedule: Schedule::Balanced },
        }
    }
}
