//! Sets of vertices, and the numbers that those of a set have among themselves.

/// A set of vertices: a bit for each.
pub struct VertexSet(Vec<u64>);
impl VertexSet {
    /// An empty one, of so many vertices.
    pub fn new(vertices: u64) -> Self {
        Self(vec![0; vertices.div_ceil(64) as usize])
    }
    /// Adds a vertex.
    pub fn add(&mut self, v: u32) {
        self.0[v as usize / 64] |= 1 << (v % 64);
    }
    /// Whether it has a vertex.
    pub fn has(&self, v: u32) -> bool {
        self.0[v as usize / 64] >> (v % 64) & 1 == 1
    }
}

/// The vertices that stay, and their new numbers. Others behind them, which all stay, follow.
pub struct Kept {
    vertices: u64,
    /// A bit for each vertex, and the number of vertices that stay before each word; none where all stay.
    some: Option<(VertexSet, Vec<u32>)>,
    kept: u64,
}
impl Kept {
    /// All of so many vertices.
    pub fn all(vertices: u64) -> Self {
        Self { vertices, some: None, kept: vertices }
    }
    /// Those of which `stays` says so.
    pub fn new(vertices: u64, stays: impl Fn(u32) -> bool) -> Self {
        let mut set = VertexSet::new(vertices);
        (0..vertices as u32).filter(|&v| stays(v)).for_each(|v| set.add(v));
        let mut kept = 0;
        let before = |word: &u64| {
            let before = kept;
            kept += u64::from(word.count_ones());
            before as u32
        };
        let before = set.0.iter().map(before).collect();
        Self { vertices, some: Some((set, before)), kept }
    }
    /// Whether a vertex stays.
    pub fn has(&self, v: u32) -> bool {
        self.some.as_ref().is_none_or(|(set, _)| set.has(v))
    }
    /// Vertices that stay, without those behind all.
    pub fn kept(&self) -> u64 {
        self.kept
    }
    /// Vertices that do not stay.
    pub fn removed(&self) -> u64 {
        self.vertices - self.kept
    }
    /// The new number of a vertex that stays, or of one behind all.
    pub fn number(&self, v: u32) -> u32 {
        let Some((set, before)) = &self.some else { return v };
        if u64::from(v) >= self.vertices {
            return (u64::from(v) - self.removed()) as u32;
        }
        let word = v as usize / 64;
        before[word] + (set.0[word] & ((1 << (v % 64)) - 1)).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_each_other() {
        let kept = Kept::new(1000, |v| v % 7 != 3 && v != 999);
        let mut next = 0;
        for v in (0..1000).filter(|&v| kept.has(v)) {
            assert_eq!(kept.number(v), next, "{v}");
            next += 1;
        }
        assert_eq!((u64::from(next), kept.number(1000)), (1000 - kept.removed(), next));
        assert!(!kept.has(3) && !kept.has(999));
        assert_eq!((Kept::all(5).number(4), Kept::all(5).removed()), (4, 0));
    }
}
