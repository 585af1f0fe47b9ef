//! Loops that are written out.

/// Runs a body for each number below a constant, which is at most 9, written out. A loop whose index is not a
/// constant when the compiler places arrays would put these into local memory.
macro_rules! unroll {
    ($i:ident < $n:expr => $body:block) => {
        $crate::device::unroll::unroll!(@ $i, $n, $body, 0 1 2 3 4 5 6 7 8)
    };
    (@ $i:ident, $n:expr, $body:block, $($k:literal)*) => {
        $(if $k < $n {
            let $i: usize = $k;
            $body
        })*
    };
}
pub(crate) use unroll;

/// The place of entry (i, j) in the packed lower half of a symmetric matrix.
#[inline(always)]
pub const fn packed(i: usize, j: usize) -> usize {
    if i >= j { i * (i + 1) / 2 + j } else { j * (j + 1) / 2 + i }
}
