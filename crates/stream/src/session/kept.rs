//! Messages of a client that are kept.

use crate::Refusal;
use std::collections::VecDeque;
use std::sync::Arc;

/// The newest few of what a client has sent, by number. Numbers ascend, so that what a number stands for
/// never changes.
#[derive(Debug)]
pub(super) struct Kept<T> {
    what: &'static str,
    most: usize,
    items: VecDeque<(u32, Arc<T>)>,
}

impl<T> Kept<T> {
    pub(super) fn new(what: &'static str, most: usize) -> Self {
        Self { what, most: most.max(1), items: VecDeque::new() }
    }

    pub(super) fn check(&self, number: u32) -> Result<(), Refusal> {
        match self.items.back() {
            Some(&(last, _)) if number <= last => Err(Refusal::Number { what: self.what, number, last }),
            _ => Ok(()),
        }
    }

    pub(super) fn insert(&mut self, number: u32, item: T) -> Result<(), Refusal> {
        self.check(number)?;
        if self.items.len() == self.most {
            self.items.pop_front();
        }
        self.items.push_back((number, Arc::new(item)));
        Ok(())
    }

    pub(super) fn get(&self, number: u32) -> Option<Arc<T>> {
        let found = self.items.iter().find(|(kept, _)| *kept == number);
        found.map(|(_, item)| item.clone())
    }
}
