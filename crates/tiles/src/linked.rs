//! Sets whose parts are in several tiles.
use ribbonmesh_mesh::UnionFind;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Counts sets of elements: parts of one tile are one set where they have a key in common with parts of other
/// tiles. In memory are the keys.
pub struct Linked<K> {
    /// Sets without keys: those of one tile.
    alone: u64,
    /// Pairs of parts that are one set.
    same: Vec<[u32; 2]>,
    parts: u32,
    of: FxHashMap<K, u32>,
}
impl<K: Eq + Hash> Linked<K> {
    pub fn new() -> Self {
        Self { alone: 0, same: vec![], parts: 0, of: FxHashMap::default() }
    }
    /// Adds the sets of a tile: those of the elements that count, and keys of some elements.
    pub fn add(
        &mut self,
        sets: &mut UnionFind,
        elements: impl Iterator<Item = u32>,
        keys: impl Iterator<Item = (K, u32)>,
    ) {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for (key, element) in keys {
            let root = sets.root(element);
            let part = *numbers.entry(root).or_insert(self.parts);
            self.parts += u32::from(part == self.parts);
            let known = *self.of.entry(key).or_insert(part);
            if known != part && self.same.last() != Some(&[known, part]) {
                self.same.push([known, part]);
            }
        }
        self.alone += elements.filter(|&e| sets.root(e) == e && !numbers.contains_key(&e)).count() as u64;
    }
    /// The number of sets.
    pub fn count(self) -> u64 {
        let mut sets = UnionFind::new(self.parts as usize);
        self.same.iter().for_each(|&[a, b]| _ = sets.join(a, b));
        self.alone + sets.count() as u64
    }
}
