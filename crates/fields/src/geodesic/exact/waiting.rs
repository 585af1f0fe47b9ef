//! Windows that wait to be propagated, and their order.
use super::window::Window;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The next item of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// A side with waiting windows.
    Side(u32),
    /// A vertex with a new distance.
    Vertex(u32),
}

/// A distance and the item that has it. The least distance comes first.
struct Entry(f64, Next);
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let id = |next: Next| match next {
            Next::Vertex(v) => (0, v),
            Next::Side(s) => (1, s),
        };
        other.0.total_cmp(&self.0).then_with(|| id(other.1).cmp(&id(self.1)))
    }
}

const NONE: u32 = u32::MAX;

/// Windows of sides, in lists, and a queue of sides and vertices.
pub struct Waiting {
    heap: BinaryHeap<Entry>,
    /// For each side, the least distance of its windows; +∞ without windows.
    least: Vec<f64>,
    /// For each side, the first of its windows.
    first: Vec<u32>,
    /// Windows, each with the index of the next one of its side, or of the next free one.
    windows: Vec<(Window, u32)>,
    free: u32,
}

impl Waiting {
    pub fn new(sides: usize) -> Self {
        let (least, first) = (vec![f64::INFINITY; sides], vec![NONE; sides]);
        Self { heap: BinaryHeap::new(), least, first, windows: vec![], free: NONE }
    }
    /// Removes all entries; keeps the memory.
    pub fn clear(&mut self) {
        self.heap.clear();
        self.least.fill(f64::INFINITY);
        self.first.fill(NONE);
        self.windows.clear();
        self.free = NONE;
    }
    pub fn push_vertex(&mut self, v: u32, distance: f64) {
        self.heap.push(Entry(distance, Next::Vertex(v)));
    }
    pub fn push(&mut self, side: u32, window: Window) {
        let s = side as usize;
        let entry = (window, self.first[s]);
        let at = if self.free == NONE {
            self.windows.push(entry);
            self.windows.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = self.windows[at as usize].1;
            self.windows[at as usize] = entry;
            at
        };
        self.first[s] = at;
        let distance = window.nearest();
        if distance < self.least[s] {
            self.least[s] = distance;
            self.heap.push(Entry(distance, Next::Side(side)));
        }
    }
    /// Takes the item with the least distance, and that distance. An item that got a smaller distance since
    /// it was queued is returned only once.
    pub fn pop(&mut self) -> Option<(f64, Next)> {
        while let Some(Entry(distance, next)) = self.heap.pop() {
            match next {
                Next::Side(s) if self.least[s as usize] != distance => {}
                _ => return Some((distance, next)),
            }
        }
        None
    }
    /// Takes the windows of a side.
    pub fn take(&mut self, side: u32, into: &mut Vec<Window>) {
        let s = side as usize;
        let mut at = std::mem::replace(&mut self.first[s], NONE);
        self.least[s] = f64::INFINITY;
        while at != NONE {
            let (window, next) = self.windows[at as usize];
            into.push(window);
            self.windows[at as usize].1 = self.free;
            self.free = at;
            at = next;
        }
    }
    /// The greatest number of windows that waited at the same time.
    pub fn most(&self) -> usize {
        self.windows.len()
    }
}
