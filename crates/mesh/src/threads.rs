//! Loops that run on several threads where that takes less time.
use rayon::prelude::*;

/// Least number of items that threads share: for fewer, waking them takes longer than the loop.
const SHARED: usize = 1 << 13;

/// The values of a function for some items, in their order.
pub(crate) fn mapped<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    match items.len() {
        n if n < SHARED => items.iter().map(f).collect(),
        _ => items.par_iter().map(f).collect(),
    }
}

/// The place of the first of some items for which a condition holds.
pub(crate) fn first_where<T: Sync>(items: &[T], holds: impl Fn(&T) -> bool + Send + Sync) -> Option<usize> {
    match items.len() {
        n if n < SHARED => items.iter().position(holds),
        _ => items.par_iter().position_first(holds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_items_are_treated_alike() {
        for n in [0, 1, SHARED - 1, SHARED, 3 * SHARED] {
            let items: Vec<usize> = (0..n).collect();
            assert_eq!(mapped(&items, |i| 2 * i), items.iter().map(|i| 2 * i).collect::<Vec<_>>());
            for at in [0, n / 2, n] {
                assert_eq!(first_where(&items, |i| *i >= at), (at < n).then_some(at));
            }
        }
    }
}
