//! Fields that kernels of formulas read.
use ribbonmesh::device::{In, Parameter};

/// Fields that a formula may read at most.
#[cfg(not(target_arch = "nvptx64"))]
pub const FIELDS: usize = 12;

/// Fields in memory.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Fields<'a> {
    /// The first.
    pub f0: In<'a, f32>,
    /// And so on.
    pub f1: In<'a, f32>,
    /// And so on.
    pub f2: In<'a, f32>,
    /// And so on.
    pub f3: In<'a, f32>,
    /// And so on.
    pub f4: In<'a, f32>,
    /// And so on.
    pub f5: In<'a, f32>,
    /// And so on.
    pub f6: In<'a, f32>,
    /// And so on.
    pub f7: In<'a, f32>,
    /// And so on.
    pub f8: In<'a, f32>,
    /// And so on.
    pub f9: In<'a, f32>,
    /// And so on.
    pub f10: In<'a, f32>,
    /// The last.
    pub f11: In<'a, f32>,
}
impl Fields<'_> {
    /// A number of a field; NaN beyond the end of it, which the host has checked.
    #[inline(always)]
    pub fn get(&self, field: u32, at: u32) -> f32 {
        let field = match field {
            0 => self.f0,
            1 => self.f1,
            2 => self.f2,
            3 => self.f3,
            4 => self.f4,
            5 => self.f5,
            6 => self.f6,
            7 => self.f7,
            8 => self.f8,
            9 => self.f9,
            10 => self.f10,
            _ => self.f11,
        };
        field.try_get(at).unwrap_or(f32::NAN)
    }
}
