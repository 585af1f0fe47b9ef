//! Which variants there are, and which one is taken without measuring.
use super::error::{Result, SparseError};
use super::layout::{Layout, Outer, Schedule, Variant};
use super::{Csr, Launched};
use ribbonmesh::{Device, DeviceKind};

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
    /// The variant to take for a matrix without measuring.
    pub fn guess<E: Launched>(device: &Device, _matrix: &Csr<E>) -> Self {
        match device.kind() {
            DeviceKind::Cpu => Self::CSR,
            DeviceKind::Cuda => Self { layout: Layout::CSR, schedule: Schedule::Balanced },
        }
    }
}
