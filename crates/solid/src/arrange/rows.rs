//! Items in rows.

/// Items of several rows, one row after the other.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Default> Rows<T> {
    /// Puts items into rows, each of which keeps their order. Each item comes with the number of its row.
    pub(crate) fn new(count: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut starts = vec![0; count + 1];
        items.clone().for_each(|(row, _)| starts[row as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end - *start;
        }
        let mut sorted = vec![T::default(); end as usize];
        for (row, item) in items {
            let at = &mut starts[row as usize];
            sorted[*at as usize] = item;
            *at += 1;
        }
        // each row began where the one before it ends now
        starts.rotate_right(1);
        starts[0] = 0;
        Self { starts, items: sorted }
    }
    /// The number of rows.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }
    pub(crate) fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
    /// All items.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_of_items() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')];
        let rows = Rows::new(4, items.into_iter());
        assert_eq!(rows.count(), 4);
        assert_eq!([0, 1, 2, 3].map(|row| rows.row(row)), [&['b', 'e'][..], &[], &['a', 'c'], &['d']]);
        assert_eq!(rows.items(), ['b', 'e', 'a', 'c', 'd']);
        assert!(Rows::new(0, [(0, 0); 0].into_iter()).items().is_empty());
    }
}
