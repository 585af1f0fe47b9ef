//! Work on the threads of rayon's pool.

/// Least number of items of some ten nanoseconds that one task takes. Smaller tasks wake more threads than
/// they are worth, and end when the last of these, which other programs may hold up, is through.
pub(crate) const GRAIN: usize = 1 << 11;

/// Does work on a thread of the pool. Each parallel loop of another thread wakes one of the pool and is
/// waited for asleep, which takes longer than many of the loops.
pub(crate) fn pooled<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}
