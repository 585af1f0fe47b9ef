//! Eigenvalues of small symmetric matrices, by Jacobi's method.
use super::scalar::Number;
use super::unroll::{packed, unroll};

/// Most sweeps. Convergence is quadratic; five or six do for any matrix of this size.
const SWEEPS: u32 = 12;

/// The eigenvalues and eigenvectors of a packed symmetric matrix: afterwards its diagonal has the
/// eigenvalues, and column `k` of the result, entry `N i + k` in row `i`, is the vector of eigenvalue `k`.
///
/// Rotations are written out, so that the matrix and the vectors can be in registers.
#[inline(always)]
pub fn diagonalize<R: Number, const N: usize, const H: usize>(a: &mut [R; H]) -> [[R; N]; N] {
    let mut v = [[R::ZERO; N]; N];
    unroll!(i < N => { v[i][i] = R::ONE; });
    let mut sweep = 0;
    while sweep < SWEEPS && !is_diagonal::<R, N, H>(a) {
        unroll!(p < N => {
            unroll!(q < N => {
                if p < q {
                    rotate::<R, N, H>(a, &mut v, p, q);
                }
            });
        });
        sweep += 1;
    }
    v
}
/// Whether entries off the diagonal are 0 to rounding, beside those on it.
#[inline(always)]
fn is_diagonal<R: Number, const N: usize, const H: usize>(a: &[R; H]) -> bool {
    let (mut on, mut off) = (R::ZERO, R::ZERO);
    unroll!(i < N => {
        unroll!(j < N => {
            let entry = a[packed(i, j)];
            if i == j {
                on += entry * entry;
            } else if j < i {
                off += entry * entry;
            }
        });
    });
    // squares of a few units in the last place; what is no number is not worked on
    let small = R::from_f64(if size_of::<R>() == 4 { 1e-14 } else { 1e-31 });
    let more = off > small * (on + off);
    !more
}
/// Turns the plane of two axes so that their entry becomes 0.
#[inline(always)]
fn rotate<R: Number, const N: usize, const H: usize>(
    a: &mut [R; H],
    v: &mut [[R; N]; N],
    p: usize,
    q: usize,
) {
    let off = a[packed(p, q)];
    if off == R::ZERO {
        return;
    }
    let theta = (a[packed(q, q)] - a[packed(p, p)]) / (off + off);
    let length = theta.absolute() + (theta * theta + R::ONE).root();
    let t = if theta < R::ZERO { -R::ONE } else { R::ONE } / length;
    let c = R::ONE / (t * t + R::ONE).root();
    let s = t * c;
    a[packed(p, p)] = a[packed(p, p)] - t * off;
    a[packed(q, q)] = a[packed(q, q)] + t * off;
    a[packed(p, q)] = R::ZERO;
    unroll!(r < N => {
        if r != p && r != q {
            let (x, y) = (a[packed(r, p)], a[packed(r, q)]);
            a[packed(r, p)] = c * x - s * y;
            a[packed(r, q)] = s * x + c * y;
        }
        let (x, y) = (v[r][p], v[r][q]);
        v[r][p] = c * x - s * y;
        v[r][q] = s * x + c * y;
    });
}

/// The nearest matrix without negative eigenvalues: negative ones become 0. A matrix that has none stays as
/// it is, to the bit.
#[inline(always)]
pub fn project<R: Number, const N: usize, const H: usize>(a: &mut [R; H]) {
    let mut turned = *a;
    let v = diagonalize::<R, N, H>(&mut turned);
    let mut negative = false;
    unroll!(k < N => { negative |= turned[packed(k, k)] < R::ZERO; });
    if !negative {
        return;
    }
    // what is negative is taken away: less is lost to rounding than by a new sum
    unroll!(k < N => {
        let value = turned[packed(k, k)];
        if value < R::ZERO {
            unroll!(i < N => {
                unroll!(j < N => {
                    if j <= i {
                        a[packed(i, j)] = a[packed(i, j)] - value * v[i][k] * v[j][k];
                    }
                });
            });
        }
    });
}
