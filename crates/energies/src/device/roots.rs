//! The first step at which a determinant becomes 0.
use super::scalar::Number;

/// Halvings of an interval: the step is exact to rounding in double precision.
const HALVINGS: u32 = 60;

/// The least t in (0, 1] at which a + b t + c t² + d t³ is 0; infinite if there is none, 0 if a is not
/// positive. Rounded down: the polynomial is positive there.
#[inline(always)]
pub fn first_root<R: Number>(a: R, b: R, c: R, d: R) -> R {
    let is_proper = a > R::ZERO;
    if !is_proper {
        return R::ZERO;
    }
    let at = |t: R| ((d * t + c) * t + b) * t + a;
    // between the places where the slope is 0 it only falls or only rises
    let [first, second] = turns(b, c, d);
    let (mut low, mut k) = (R::ZERO, 0);
    while k < 3 {
        let high = if k == 0 {
            first
        } else if k == 1 {
            second
        } else {
            R::ONE
        };
        if high > low && high <= R::ONE {
            let still = at(high) > R::ZERO;
            if !still {
                let (mut below, mut above, mut n) = (low, high, 0);
                while n < HALVINGS {
                    let middle = (below + above) * R::from_f64(0.5);
                    if at(middle) > R::ZERO {
                        below = middle;
                    } else {
                        above = middle;
                    }
                    n += 1;
                }
                return below;
            }
            low = high;
        }
        k += 1;
    }
    R::from_f64(f64::INFINITY)
}
/// Where the slope b + 2 c t + 3 d t² is 0, ascending; 0 for those that there are not.
#[inline(always)]
fn turns<R: Number>(b: R, c: R, d: R) -> [R; 2] {
    let three = R::from_f64(3.0) * d;
    let under = c * c - three * b;
    let turns = under > R::ZERO;
    if !turns {
        return [R::ZERO, R::ZERO];
    }
    // without cancellation: the larger sum first
    let sum = -(c + if c < R::ZERO { -under.root() } else { under.root() });
    let (x, y) = (
        if three == R::ZERO { R::ZERO } else { sum / three },
        if sum == R::ZERO { R::ZERO } else { b / sum },
    );
    if x < y { [x, y] } else { [y, x] }
}
