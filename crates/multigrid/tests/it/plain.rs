//! Matrices in plain code.
use ribbonmesh::Device;
use ribbonmesh_multigrid::{Blocks, Numbers};
use ribbonmesh_suite::Random;
use std::collections::BTreeMap;

/// Blocks by row and column, in double precision.
#[derive(Clone, Debug)]
pub struct Plain {
    pub rows: usize,
    pub columns: usize,
    pub height: usize,
    pub width: usize,
    pub blocks: BTreeMap<(u32, u32), Vec<f64>>,
}
impl Plain {
    pub fn new([rows, columns]: [usize; 2], [height, width]: [usize; 2]) -> Self {
        Self { rows, columns, height, width, blocks: BTreeMap::new() }
    }
    pub fn add(&mut self, row: usize, column: usize, block: &[f64]) {
        let numbers = self.height * self.width;
        let own = self.blocks.entry((row as u32, column as u32)).or_insert_with(|| vec![0.0; numbers]);
        own.iter_mut().zip(block).for_each(|(to, from)| *to += from);
    }
    /// About `each` blocks in a row, some rows without any, the first row with all columns.
    pub fn random(random: &mut Random, counts: [usize; 2], shape: [usize; 2], each: usize) -> Self {
        let mut made = Self::new(counts, shape);
        for row in 0..counts[0] {
            let n = if row == 0 { 4 * counts[1] } else { random.below(2 * each as u32 + 1) as usize };
            for _ in 0..n {
                let column = random.below(counts[1] as u32) as usize;
                // whole numbers, so that sums are exact in any order
                let numbers: Vec<f64> =
                    (0..shape[0] * shape[1]).map(|_| f64::from(random.below(9)) - 4.0).collect();
                if row > 0 || !made.blocks.contains_key(&(0, column as u32)) {
                    made.add(row, column, &numbers);
                }
            }
        }
        made
    }
    pub fn times(&self, other: &Self) -> Self {
        let mut made = Self::new([self.rows, other.columns], [self.height, other.width]);
        for (&(row, middle), a) in &self.blocks {
            for (&(_, column), b) in other.blocks.range((middle, 0)..=(middle, u32::MAX)) {
                let mut block = vec![0.0; made.height * made.width];
                for i in 0..self.height {
                    for j in 0..other.width {
                        block[i * other.width + j] =
                            (0..self.width).map(|k| a[i * self.width + k] * b[k * other.width + j]).sum();
                    }
                }
                made.add(row as usize, column as usize, &block);
            }
        }
        made
    }
    pub fn transposed(&self) -> Self {
        let mut made = Self::new([self.columns, self.rows], [self.width, self.height]);
        for (&(row, column), a) in &self.blocks {
            let block: Vec<f64> = (0..self.height * self.width)
                .map(|i| a[i % self.height * self.width + i / self.height])
                .collect();
            made.add(column as usize, row as usize, &block);
        }
        made
    }
    /// The product with a vector of several lanes.
    pub fn apply(&self, x: &[f64], lanes: usize) -> Vec<f64> {
        let mut y = vec![0.0; self.rows * self.height * lanes];
        for (&(row, column), a) in &self.blocks {
            for i in 0..self.height {
                for j in 0..self.width {
                    for lane in 0..lanes {
                        y[(row as usize * self.height + i) * lanes + lane] +=
                            a[i * self.width + j] * x[(column as usize * self.width + j) * lanes + lane];
                    }
                }
            }
        }
        y
    }
    pub fn upload<R: Numbers>(&self, device: &Device) -> Blocks<R> {
        let mut starts = vec![0_u32; self.rows + 1];
        self.blocks.keys().for_each(|(row, _)| starts[*row as usize + 1] += 1);
        (0..self.rows).for_each(|row| starts[row + 1] += starts[row]);
        let columns: Vec<u32> = self.blocks.keys().map(|(_, column)| *column).collect();
        let values: Vec<R> = self.blocks.values().flatten().map(|x| R::from_f64(*x)).collect();
        let [starts, columns] = [starts, columns].map(|x| device.upload(&x).expect("memory"));
        let values = device.upload(&values).expect("memory");
        Blocks::new(self.columns, [self.height, self.width], starts, columns, values).expect("a matrix")
    }
    pub fn download<R: Numbers>(from: &Blocks<R>) -> Self {
        let (starts, columns, values) = from.download().expect("memory");
        let [height, width] = from.shape();
        let mut made = Self::new([from.pattern().rows(), from.pattern().columns()], [height, width]);
        for row in 0..made.rows {
            let own = starts[row] as usize..starts[row + 1] as usize;
            assert!(columns[own.clone()].is_sorted_by(|a, b| a < b), "columns of row {row} ascend");
            for at in own {
                let block: Vec<f64> =
                    values[at * height * width..][..height * width].iter().map(|x| x.to_f64()).collect();
                made.add(row, columns[at] as usize, &block);
            }
        }
        made
    }
}

/// The Laplacian of a grid of `n` × `n` nodes with a factor for each node, and a little mass.
pub fn grid(n: usize, factor: impl Fn(usize, usize) -> f64, mass: f64) -> Plain {
    let mut made = Plain::new([n * n; 2], [1; 2]);
    for i in 0..n {
        for j in 0..n {
            made.add(i * n + j, i * n + j, &[mass]);
            for (k, l) in [(i + 1, j), (i, j + 1), (i + 1, j + 1)] {
                if k < n && l < n {
                    let w = 0.5 * (factor(i, j) + factor(k, l)) * if k > i && l > j { 0.3 } else { 1.0 };
                    let (a, b) = (i * n + j, k * n + l);
                    made.add(a, a, &[w]);
                    made.add(b, b, &[w]);
                    made.add(a, b, &[-w]);
                    made.add(b, a, &[-w]);
                }
            }
        }
    }
    made
}

/// Springs along edges and diagonals of a box of `n` × `n` × `long` nodes, and the positions of nodes. Only
/// rigid motions cost no energy.
pub fn springs(n: usize, long: usize, stiffness: impl Fn(usize) -> f64) -> (Plain, Vec<[f64; 3]>) {
    let at = |i: usize, j: usize, k: usize| (k * n + j) * n + i;
    let mut made = Plain::new([n * n * long; 2], [3; 2]);
    let mut points = vec![[0.0; 3]; n * n * long];
    for k in 0..long {
        for j in 0..n {
            for i in 0..n {
                points[at(i, j, k)] = [i as f64, j as f64, k as f64];
                for dk in 0..=1_i32 {
                    for dj in -1..=1_i32 {
                        for di in -1..=1_i32 {
                            let to = [i as i32 + di, j as i32 + dj, k as i32 + dk];
                            let inside = to.iter().zip([n, n, long]).all(|(x, n)| (0..n as i32).contains(x));
                            if !inside || (dk, dj, di) <= (0, 0, 0) {
                                continue;
                            }
                            let (a, b) = (at(i, j, k), at(to[0] as usize, to[1] as usize, to[2] as usize));
                            let d = [di, dj, dk].map(f64::from);
                            let by = stiffness(k) / d.iter().map(|x| x * x).sum::<f64>();
                            let block: Vec<f64> = (0..9).map(|m| by * d[m / 3] * d[m % 3]).collect();
                            let other: Vec<f64> = block.iter().map(|x| -x).collect();
                            made.add(a, a, &block);
                            made.add(b, b, &block);
                            made.add(a, b, &other);
                            made.add(b, a, &other);
                        }
                    }
                }
            }
        }
    }
    (made, points)
}
/// The six rigid motions at each point, row by row.
pub fn motions(points: &[[f64; 3]]) -> Vec<f64> {
    let middle = [0, 1, 2].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64);
    let of = |p: &[f64; 3]| {
        let [x, y, z] = [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
        [1.0, 0.0, 0.0, 0.0, z, -y, 0.0, 1.0, 0.0, -z, 0.0, x, 0.0, 0.0, 1.0, y, -x, 0.0]
    };
    points.iter().flat_map(of).collect()
}
