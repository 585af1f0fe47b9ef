//! Elements that look random, with their rest.
use ribbonmesh_suite::Random;

/// A number between -1 and 1.
pub fn unit(random: &mut Random) -> f64 {
    f64::from(random.below(1 << 20)) / f64::from(1 << 19) - 1.0
}
/// Elements with `N` vertices of their own.
pub fn apart<const N: usize>(count: usize) -> Vec<[u32; N]> {
    (0..count).map(|e| std::array::from_fn(|k| (N * e + k) as u32)).collect()
}
/// Positions of such elements: corners of a unit simplex, moved by at most `by`.
pub fn simplices(vertices: usize, count: usize, by: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    let mut x = vec![];
    for _ in 0..count {
        for k in 0..vertices {
            for c in 0..3 {
                x.push(f64::from(u8::from(k == c + 1)) + by * unit(&mut random));
            }
        }
    }
    x
}
/// The inverse of a matrix of 2 × 2 numbers, row by row, and its determinant.
pub fn inverse2([a, b, c, d]: [f64; 4]) -> ([f64; 4], f64) {
    let determinant = a * d - b * c;
    ([d, -b, -c, a].map(|x| x / determinant), determinant)
}
/// The rest of triangles in the plane, as `SymmetricDirichlet` has it.
pub fn flat_rest(x: &[f64], triangles: &[[u32; 3]]) -> Vec<f64> {
    let mut rest = vec![];
    for &[a, b, c] in triangles {
        let side = |v: u32, k: usize| x[3 * v as usize + k] - x[3 * a as usize + k];
        let (inverse, double) = inverse2([side(b, 0), side(c, 0), side(b, 1), side(c, 1)]);
        rest.extend(inverse);
        rest.push(0.5 * double);
    }
    rest
}
/// The rest of tetrahedra, as `NeoHookean` has it.
pub fn solid_rest(x: &[f64], tetrahedra: &[[u32; 4]]) -> Vec<f64> {
    let at = |v: u32| glam::DVec3::from_slice(&x[3 * v as usize..3 * v as usize + 3]);
    let mut rest = vec![];
    for &[a, b, c, d] in tetrahedra {
        let matrix = glam::DMat3::from_cols(at(b) - at(a), at(c) - at(a), at(d) - at(a));
        let inverse = matrix.inverse();
        (0..3).for_each(|row| rest.extend(inverse.row(row).to_array()));
        rest.push(matrix.determinant() / 6.0);
    }
    rest
}
/// The lengths of edges.
pub fn lengths(x: &[f64], edges: &[[u32; 2]]) -> Vec<f64> {
    let at = |v: u32| glam::DVec3::from_slice(&x[3 * v as usize..3 * v as usize + 3]);
    edges.iter().map(|&[a, b]| at(a).distance(at(b))).collect()
}
/// The place of entry (i, j) in a packed Hessian.
pub fn packed(i: usize, j: usize) -> usize {
    let (i, j) = (i.max(j), i.min(j));
    i * (i + 1) / 2 + j
}
/// A grid of n³ vertices, with six tetrahedra for each cube.
pub fn cubes(n: usize) -> (Vec<f64>, Vec<[u32; 4]>) {
    let x = (0..n * n * n).flat_map(|v| [(v % n) as f64, (v / n % n) as f64, (v / n / n) as f64]).collect();
    let mut cells = vec![];
    let steps = [1, n as u32, (n * n) as u32];
    for v in 0..(n * n * n) as u32 {
        let place = |k: usize| v as usize / n.pow(k as u32) % n;
        if (0..3).all(|k| place(k) + 1 < n) {
            for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
                let [a, b] = [v + steps[i], v + steps[i] + steps[j]];
                let cell = [v, a, b, b + steps[k]];
                let odd = [[1, 0, 2], [0, 2, 1], [2, 1, 0]].contains(&[i, j, k]);
                cells.push(if odd { [cell[0], cell[2], cell[1], cell[3]] } else { cell });
            }
        }
    }
    (x, cells)
}
