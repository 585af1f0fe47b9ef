//! Work on the threads of rayon's pool.

/// Does work on a thread of the pool. Each parallel loop of another thread wakes one of the pool and is
/// waited for asleep, which takes longer than many of the loops.
pub(crate) fn pooled<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    rayon::scope(|_| work())
}
