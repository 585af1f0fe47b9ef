//! Graphs that are divided into connected parts of the same size.
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// More nodes are divided by breadth-first search alone, which is faster.
const GREEDY: usize = 1 << 13;

/// Nodes with weighted links, each in both directions.
#[derive(Debug, Default)]
pub struct Graph {
    /// The first link of each node, and the number of all.
    begins: Vec<u32>,
    /// The other end, and the weight.
    links: Vec<(u32, u32)>,
}

impl Graph {
    /// A graph of so many nodes. A pair that is there several times is linked by the sum of the weights.
    pub fn new(nodes: usize, pairs: &[([u32; 2], u32)]) -> Self {
        let mut directed: Vec<_> =
            pairs.iter().flat_map(|&([a, b], weight)| [(a, b, weight), (b, a, weight)]).collect();
        directed.sort_unstable();
        let mut graph = Self { begins: vec![0; nodes + 1], links: Vec::with_capacity(directed.len()) };
        let mut last = None;
        for (from, to, weight) in directed {
            match graph.links.last_mut().filter(|_| last == Some((from, to))) {
                Some((_, sum)) => *sum += weight,
                None => {
                    graph.links.push((to, weight));
                    graph.begins[from as usize + 1] += 1;
                }
            }
            last = Some((from, to));
        }
        (0..nodes).for_each(|v| graph.begins[v + 1] += graph.begins[v]);
        graph
    }
    fn len(&self) -> usize {
        self.begins.len() - 1
    }
    fn links(&self, v: u32) -> &[(u32, u32)] {
        &self.links[self.begins[v as usize] as usize..self.begins[v as usize + 1] as usize]
    }
    /// Divides the nodes into `count` parts, whose sizes differ by one at most; nodes of a part are in
    /// ascending order. Halves are divided again, by [`half`](Self::half).
    pub fn parts(&self, count: usize) -> Vec<Vec<u32>> {
        if count <= 1 {
            return vec![(0..self.len() as u32).collect()];
        }
        let inside = self.half(self.len() * (count / 2) / count);
        let divide = |side: bool, count: usize| {
            let (graph, nodes) = self.part(&inside, side);
            let mut parts = graph.parts(count);
            parts.iter_mut().flatten().for_each(|v| *v = nodes[*v as usize]);
            parts
        };
        let (mut parts, others) =
            rayon::join(|| divide(true, count / 2), || divide(false, count - count / 2));
        parts.extend(others);
        parts
    }
    /// Whether each node is among `size` nodes that are connected where that is possible, and have few links
    /// to others. They grow from an end of the graph, by the node that has most links to them in comparison
    /// to others (the greedy graph growing of Karypis and Kumar 1998); large graphs by breadth-first search.
    /// Where nothing is linked to them, they go on with the node of the lowest number.
    fn half(&self, size: usize) -> Vec<bool> {
        let mut inside = vec![false; self.len()];
        let order = if self.len() > GREEDY { self.breadth_first() } else { self.greedy(size) };
        order.into_iter().take(size).for_each(|v| inside[v as usize] = true);
        inside
    }
    /// A node of the first component that is far from another one.
    fn end(&self) -> u32 {
        let far = |from: u32| {
            let (mut seen, mut order) = (vec![false; self.len()], vec![]);
            self.search(from, &mut seen, &mut order);
            order.last().copied().unwrap_or(from)
        };
        far(far(0))
    }
    /// Appends what can be reached from a node and was not seen.
    fn search(&self, from: u32, seen: &mut [bool], order: &mut Vec<u32>) {
        seen[from as usize] = true;
        let mut queue = VecDeque::from([from]);
        while let Some(v) = queue.pop_front() {
            order.push(v);
            for &(to, _) in self.links(v) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    queue.push_back(to);
                }
            }
        }
    }
    fn breadth_first(&self) -> Vec<u32> {
        let (mut seen, mut order) = (vec![false; self.len()], Vec::with_capacity(self.len()));
        self.search(self.end(), &mut seen, &mut order);
        for v in 0..self.len() as u32 {
            if !seen[v as usize] {
                self.search(v, &mut seen, &mut order);
            }
        }
        order
    }
    fn greedy(&self, size: usize) -> Vec<u32> {
        const TAKEN: i64 = i64::MAX;
        let weight = |v: u32| self.links(v).iter().map(|&(_, weight)| i64::from(weight)).sum::<i64>();
        let mut gains: Vec<i64> = (0..self.len() as u32).map(|v| -weight(v)).collect();
        let (mut order, mut queue, mut lowest) = (vec![], BinaryHeap::new(), 0);
        if size > 0 {
            let end = self.end();
            queue.push((gains[end as usize], Reverse(0), end));
        }
        let mut found = 0_u32;
        while order.len() < size {
            // of the same gain, that which was found first
            let Some((gain, _, v)) = queue.pop() else {
                while gains[lowest] == TAKEN {
                    lowest += 1;
                }
                queue.push((gains[lowest], Reverse(0), lowest as u32));
                continue;
            };
            // a node that is taken, or has found more links since
            if gains[v as usize] != gain {
                continue;
            }
            gains[v as usize] = TAKEN;
            order.push(v);
            for &(to, weight) in self.links(v) {
                let gain = &mut gains[to as usize];
                if *gain != TAKEN {
                    // one link less to others, one more to these
                    *gain += 2 * i64::from(weight);
                    found += 1;
                    queue.push((*gain, Reverse(found), to));
                }
            }
        }
        order
    }
    /// The graph of the nodes on one side, and their numbers.
    fn part(&self, inside: &[bool], side: bool) -> (Self, Vec<u32>) {
        let nodes: Vec<u32> = (0..self.len() as u32).filter(|&v| inside[v as usize] == side).collect();
        let mut places = vec![u32::MAX; self.len()];
        nodes.iter().enumerate().for_each(|(i, &v)| places[v as usize] = i as u32);
        let mut graph = Self { begins: vec![0], links: vec![] };
        for &v in &nodes {
            let links = self.links(v).iter().map(|&(to, weight)| (places[to as usize], weight));
            graph.links.extend(links.filter(|&(to, _)| to != u32::MAX));
            graph.begins.push(graph.links.len() as u32);
        }
        (graph, nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes of an n × n grid.
    fn grid(n: u32) -> Graph {
        let of = |i: u32, j: u32| i * n + j;
        let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).flat_map(|(i, j)| {
            let right = (j + 1 < n).then(|| ([of(i, j), of(i, j + 1)], 1));
            let down = (i + 1 < n).then(|| ([of(i, j), of(i + 1, j)], 1));
            [right, down].into_iter().flatten()
        });
        Graph::new((n * n) as usize, &pairs.collect::<Vec<_>>())
    }
    fn crossing(graph: &Graph, parts: &[Vec<u32>]) -> u32 {
        let mut of = vec![0; graph.len()];
        for (i, part) in parts.iter().enumerate() {
            part.iter().for_each(|&v| of[v as usize] = i);
        }
        let links = |v: u32| graph.links(v).iter().filter(move |&&(to, _)| v < to).map(move |&l| (v, l));
        let all = (0..graph.len() as u32).flat_map(links);
        all.filter(|&(v, (to, _))| of[v as usize] != of[to as usize]).map(|(_, (_, weight))| weight).sum()
    }

    #[test]
    fn parts_have_the_same_size_and_short_borders() {
        for (n, count) in [(40, 13), (120, 115)] {
            let graph = grid(n);
            let parts = graph.parts(count);
            let mut all: Vec<u32> = parts.iter().flatten().copied().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..n * n));
            let size = (n * n) as usize / count;
            assert!(parts.len() == count && parts.iter().all(|part| (size..=size + 1).contains(&part.len())));
            // squares have a border of two sides each
            let squares = 2.0 * f64::from(n * n) / (size as f64).sqrt();
            let borders = f64::from(crossing(&graph, &parts));
            assert!(borders < 1.6 * squares, "{borders} {squares}");
        }
    }
    #[test]
    fn heavy_links_stay() {
        // a path of which each third link is light
        let pairs: Vec<_> = (0..29).map(|v| ([v, v + 1], if v % 3 == 2 { 1 } else { 9 })).collect();
        let graph = Graph::new(30, &pairs);
        assert_eq!(crossing(&graph, &graph.parts(2)), 1);
        assert_eq!(crossing(&graph, &graph.parts(5)), 4);
    }
    #[test]
    fn nodes_without_links_are_divided_by_numbers() {
        let parts = Graph::new(10, &[([3, 4], 1)]).parts(3);
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 4]);
        assert_eq!(parts[0], [0, 1, 2]);
        assert!(Graph::new(0, &[]).parts(1).concat().is_empty());
    }
}
