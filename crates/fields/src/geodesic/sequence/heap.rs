//! Vertices in the order of a key that only decreases.

/// No place in the heap.
const OUT: u32 = u32::MAX;
/// Children of a node: a heap of four has half the levels of one of two, and children are in one cache line.
const CHILDREN: usize = 4;

/// A heap of vertices by distance, and among equal distances by their number.
pub struct Heap {
    /// The bits of a key, which is not negative, and below them the vertex.
    items: Vec<u64>,
    /// The place of each vertex among them.
    places: Vec<u32>,
}
impl Heap {
    /// An empty heap of vertices below `n`.
    pub fn new(n: usize) -> Self {
        Self { items: vec![], places: vec![OUT; n] }
    }
    /// Takes all vertices out.
    pub fn clear(&mut self) {
        for item in self.items.drain(..) {
            self.places[item as u32 as usize] = OUT;
        }
    }
    /// Inserts a vertex, or gives it a smaller key; a larger one changes nothing.
    pub fn lower(&mut self, v: u32, key: f32) {
        let item = u64::from(key.to_bits()) << 32 | u64::from(v);
        let place = match self.places[v as usize] {
            OUT => {
                self.items.push(item);
                self.items.len() - 1
            }
            place if self.items[place as usize] <= item => return,
            place => place as usize,
        };
        self.rise(place, item);
    }
    /// Takes the vertex with the smallest key.
    pub fn pop(&mut self) -> Option<(u32, f32)> {
        let last = self.items.pop()?;
        let first = match self.items.first() {
            Some(&first) => first,
            None => last,
        };
        if !self.items.is_empty() {
            self.sink(last);
        }
        self.places[first as u32 as usize] = OUT;
        Some((first as u32, f32::from_bits((first >> 32) as u32)))
    }
    fn put(&mut self, place: usize, item: u64) {
        self.items[place] = item;
        self.places[item as u32 as usize] = place as u32;
    }
    fn rise(&mut self, mut place: usize, item: u64) {
        while place > 0 {
            let above = (place - 1) / CHILDREN;
            if self.items[above] <= item {
                break;
            }
            self.put(place, self.items[above]);
            place = above;
        }
        self.put(place, item);
    }
    /// Puts an item where the first one was.
    fn sink(&mut self, item: u64) {
        let mut place = 0;
        loop {
            let first = CHILDREN * place + 1;
            let below = self.items.get(first..(first + CHILDREN).min(self.items.len()));
            let least = below.and_then(|below| below.iter().zip(first..).min());
            let Some((&least, at)) = least.filter(|&(&least, _)| least < item) else { break };
            self.put(place, least);
            place = at;
        }
        self.put(place, item);
    }
}

#[cfg(test)]
mod tests {
    use super::Heap;

    #[test]
    fn keys_ascend() {
        let (mut heap, mut keys) = (Heap::new(300), [f32::INFINITY; 300]);
        let mut state = 1u32;
        let mut random = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        for _ in 0..2000 {
            let (v, key) = (random(300), random(90) as f32);
            heap.lower(v, key);
            keys[v as usize] = keys[v as usize].min(key);
        }
        let mut expected: Vec<(f32, u32)> =
            keys.into_iter().zip(0..).filter(|(key, _)| key.is_finite()).collect();
        expected.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        let found: Vec<(f32, u32)> = std::iter::from_fn(|| heap.pop()).map(|(v, key)| (key, v)).collect();
        assert!(found == expected);
        heap.lower(7, 1.0);
        heap.clear();
        assert!(heap.pop().is_none());
    }
}
