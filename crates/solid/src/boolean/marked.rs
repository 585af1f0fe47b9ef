//! Numbers that are marked.
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words that one thread takes.
const TOGETHER: usize = 1 << 8;

/// Marks of all numbers below a count, which several threads make: a bit each.
pub(crate) struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(count: usize) -> Self {
        let mut words = vec![];
        words.resize_with(count.div_ceil(64), AtomicU64::default);
        Self(words)
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
            self.0[number as usize / 64].fetch_or(1 << (number % 64), Relaxed);
        }
    }
    pub(crate) fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64].load(Relaxed) >> (number % 64) & 1 == 1
    }
    /// The marked numbers, ascending.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let count = |words: &[AtomicU64]| -> usize {
            words.iter().map(|word| word.load(Relaxed).count_ones() as usize).sum()
        };
        let counts: Vec<usize> = self.0.par_chunks(TOGETHER).map(count).collect();
        let mut numbers = vec![0; counts.iter().sum()];
        let (mut parts, mut rest) = (vec![], &mut numbers[..]);
        for count in counts {
            let (part, others) = rest.split_at_mut(count);
            parts.push(part);
            rest = others;
        }
        let write = |(at, part): (usize, &mut [u32])| {
            let (mut part, first) = (part.iter_mut(), at * TOGETHER);
            for (word, bits) in (first as u32..).zip(self.0[first..].iter().take(TOGETHER)) {
                let mut left = bits.load(Relaxed);
                while left != 0 {
                    if let Some(number) = part.next() {
                        *number = 64 * word + left.trailing_zeros();
                    }
                    left &= left - 1;
                }
            }
        };
        parts.into_par_iter().enumerate().for_each(write);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_numbers_ascend() {
        let marks = Marks::of(100_000, [70_000, 3, 99_999, 63, 64, 3, 0, 70_000].into_par_iter());
        assert_eq!(marks.numbers(), [0, 3, 63, 64, 70_000, 99_999]);
        assert!(marks.has(3) && !marks.has(4) && !marks.has(65));
        assert!(Marks::new(0).numbers().is_empty());
        let every = Marks::of(50_001, (0..50_001_u32).into_par_iter().filter(|number| number % 7 != 2));
        assert_eq!(every.numbers(), (0..50_001).filter(|number| number % 7 != 2).collect::<Vec<u32>>());
    }
}
