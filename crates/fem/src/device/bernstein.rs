//! Bernstein polynomials on a tetrahedron: exponents of the nodes, and integrals of products.
//!
//! The nodes of an element are numbered: vertices; edges 01 02 03 12 13 23, along each from its first vertex
//! in the cell; faces 012 013 023 123. A node has an exponent for each of the four barycentric coordinates;
//! their sum is the order.

/// Exponents as four digits of four bits, that of vertex 0 lowest.
pub type Powers = u32;
/// The exponent of a vertex.
#[inline(always)]
pub const fn power(powers: Powers, vertex: u32) -> u32 {
    powers >> (4 * vertex) & 15
}
/// Exponents with that of a vertex lower by one; `None` if it is 0.
#[inline(always)]
pub const fn lowered(powers: Powers, vertex: u32) -> Option<Powers> {
    if power(powers, vertex) == 0 { None } else { Some(powers - (1 << (4 * vertex))) }
}

/// The two vertices of each edge of a tetrahedron.
pub const EDGES: [[u32; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// The three vertices of each face.
pub const FACES: [[u32; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// Padded to a power of 2, so that no index has to be compared.
const fn table(order: u32) -> [Powers; 32] {
    let mut all = [0; 32];
    let (mut k, mut v) = (0, 0);
    while v < 4 {
        all[k] = order << (4 * v);
        k += 1;
        v += 1;
    }
    let mut e = 0;
    while e < 6 {
        let mut j = 1;
        while j < order {
            all[k] = (order - j) << (4 * EDGES[e][0]) | j << (4 * EDGES[e][1]);
            k += 1;
            j += 1;
        }
        e += 1;
    }
    if order == 3 {
        let mut f = 0;
        while f < 4 {
            let [a, b, c] = FACES[f];
            all[k] = 1 << (4 * a) | 1 << (4 * b) | 1 << (4 * c);
            k += 1;
            f += 1;
        }
    }
    all
}
static FIRST: [Powers; 32] = table(1);
static SECOND: [Powers; 32] = table(2);
static THIRD: [Powers; 32] = table(3);
/// The exponents of a node of an element of order `P`, 1 to 3.
#[inline(always)]
pub fn powers<const P: u32>(node: u32) -> Powers {
    match P {
        1 => FIRST[(node & 31) as usize],
        2 => SECOND[(node & 31) as usize],
        _ => THIRD[(node & 31) as usize],
    }
}

/// C(n, k).
pub const fn binomial(n: u32, k: u32) -> u32 {
    if k > n {
        return 0;
    }
    let (mut result, mut i) = (1, 0);
    while i < k {
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}
const fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}
/// C(i + j, i) for i and j up to 3.
static BINOMIALS: [f32; 16] =
    [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 1.0, 3.0, 6.0, 10.0, 1.0, 4.0, 10.0, 20.0];

/// The integral of B_γ B_δ of order `q` over a tetrahedron of volume 1 is this product of whole numbers times
/// [`scale`]: C(q,γ) C(q,δ) / (C(2q,γ+δ) C(2q+3,3)).
#[inline(always)]
pub fn binomials(gamma: Powers, delta: Powers) -> f32 {
    let at = |v: u32| BINOMIALS[((4 * power(gamma, v) + power(delta, v)) & 15) as usize];
    at(0) * at(1) * at(2) * at(3)
}
/// The factor by which [`binomials`] is multiplied.
#[inline(always)]
pub const fn scale(q: u32) -> f64 {
    1.0 / (factorial(2 * q) / (factorial(q) * factorial(q)) * binomial(2 * q + 3, 3)) as f64
}
/// The value of B_γ of order `q` at the centroid of a tetrahedron.
#[inline(always)]
pub fn at_centroid(q: u32, gamma: Powers) -> f64 {
    let (mut denominator, mut v) = (1, 0);
    while v < 4 {
        denominator *= factorial(power(gamma, v));
        v += 1;
    }
    let mut value = (factorial(q) / denominator) as f64;
    let mut i = 0;
    while i < q {
        value *= 0.25;
        i += 1;
    }
    value
}
