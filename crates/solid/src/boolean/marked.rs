//! Numbers that are marked.
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Marks of all numbers below a count, which several threads make.
pub(crate) struct Marks(Vec<AtomicBool>);

impl Marks {
    fn new(count: usize) -> Self {
        let mut marks = vec![];
        marks.resize_with(count, AtomicBool::default);
        Self(marks)
    }
    /// Marks of numbers below a count.
    pub(crate) fn of(count: usize, numbers: impl ParallelIterator<Item = u32>) -> Self {
        let marks = Self::new(count);
        numbers.for_each(|number| marks.mark(number));
        marks
    }
    pub(crate) fn mark(&self, number: u32) {
        // most are marked several times
        if !self.has(number) {
            self.0[number as usize].store(true, Relaxed);
        }
    }
    pub(crate) fn has(&self, number: u32) -> bool {
        self.0[number as usize].load(Relaxed)
    }
    /// The marked numbers, ascending.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let numbers = (0..self.0.len() as u32).into_par_iter().with_min_len(1 << 12);
        numbers.filter(|&number| self.has(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_numbers_ascend() {
        let marks = Marks::of(100_000, [70_000, 3, 99_999, 3, 0, 70_000].into_par_iter());
        assert_eq!(marks.numbers(), [0, 3, 70_000, 99_999]);
        assert!(marks.has(3) && !marks.has(4));
        assert!(Marks::new(0).numbers().is_empty());
    }
}
