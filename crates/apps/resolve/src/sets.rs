//! Disjoint sets.

/// Disjoint sets of numbers. Each has its least number as its root.
pub(crate) struct Sets {
    parents: Vec<u32>,
}
impl Sets {
    /// Each number below `n` in a set of its own.
    pub fn new(n: usize) -> Self {
        Self { parents: (0..n as u32).collect() }
    }
    /// The root of a number's set.
    pub fn root(&mut self, mut v: u32) -> u32 {
        let parents = &mut self.parents;
        while parents[v as usize] != v {
            parents[v as usize] = parents[parents[v as usize] as usize];
            v = parents[v as usize];
        }
        v
    }
    /// Makes the sets of two numbers one.
    pub fn unite(&mut self, a: u32, b: u32) {
        let [a, b] = [self.root(a), self.root(b)];
        self.parents[a.max(b) as usize] = a.min(b);
    }
}
