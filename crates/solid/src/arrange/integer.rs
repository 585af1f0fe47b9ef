//! Integers with as many words as they need, at most [`WORDS`].
use std::cmp::Ordering;

/// Most words of 64 bits.
///
/// With coordinates of s bits, a difference has s + 1, a normal 2 s + 3, a plane's constant 3 s + 5; a corner
/// of three planes has 7 s + 14 and the divisor 6 s + 12; the orientation of three corners 20 s + 43; the
/// middle of three corners 19 s + 41, and its side of a plane 21 s + 46. For the 62 bits of a
/// [`Grid`](crate::arrange::grid::Grid) these are 1,348; words hold 1,408.
const WORDS: usize = 22;

/// A sign and a magnitude, the lowest word first. Words from `len` on are not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integer {
    negative: bool,
    len: usize,
    words: [u64; WORDS],
}

impl Integer {
    pub(crate) const ZERO: Self = Self { negative: false, len: 0, words: [0; WORDS] };

    pub(crate) fn of(value: i64) -> Self {
        let mut words = [0; WORDS];
        words[0] = value.unsigned_abs();
        Self { negative: value < 0, len: usize::from(value != 0), words }
    }
    pub(crate) fn sign(&self) -> i32 {
        match (self.len, self.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }
    pub(crate) fn negated(mut self) -> Self {
        self.negative = !self.negative;
        self
    }
    fn magnitude(&self) -> &[u64] {
        &self.words[..self.len]
    }
    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let (a, b) = (self.magnitude(), other.magnitude());
        a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            let (long, short) = if self.len >= other.len { (self, other) } else { (other, self) };
            let mut sum = *long;
            let mut carry = false;
            for i in 0..long.len {
                if i >= short.len && !carry {
                    return sum;
                }
                let more = if i < short.len { short.words[i] } else { 0 };
                let (word, first) = long.words[i].overflowing_add(more);
                let (word, second) = word.overflowing_add(u64::from(carry));
                sum.words[i] = word;
                carry = first || second;
            }
            if carry {
                sum.words[sum.len] = 1;
                sum.len += 1;
            }
            return sum;
        }
        let (large, small) = match self.compare_magnitude(other) {
            Ordering::Equal => return Self::ZERO,
            Ordering::Greater => (self, other),
            Ordering::Less => (other, self),
        };
        let mut difference = *large;
        let mut borrow = false;
        for i in 0..large.len {
            if i >= small.len && !borrow {
                break;
            }
            let less = if i < small.len { small.words[i] } else { 0 };
            let (word, first) = large.words[i].overflowing_sub(less);
            let (word, second) = word.overflowing_sub(u64::from(borrow));
            difference.words[i] = word;
            borrow = first || second;
        }
        while difference.len > 0 && difference.words[difference.len - 1] == 0 {
            difference.len -= 1;
        }
        difference
    }
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.len == 0 || other.len == 0 {
            return Self::ZERO;
        }
        let mut product = Self { negative: self.negative != other.negative, ..Self::ZERO };
        for (i, &a) in self.magnitude().iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.magnitude().iter().enumerate() {
                let wide =
                    u128::from(a) * u128::from(b) + u128::from(product.words[i + j]) + u128::from(carry);
                product.words[i + j] = wide as u64;
                carry = (wide >> 64) as u64;
            }
            if carry != 0 {
                product.words[i + other.len] = carry;
            }
        }
        product.len = self.len + other.len;
        if product.words[product.len - 1] == 0 {
            product.len -= 1;
        }
        product
    }
    /// The quotient in double precision; its relative error is below 2⁻⁵⁰. The divisor is not 0.
    pub(crate) fn over(&self, other: &Self) -> f64 {
        let ((a, shift), (b, less)) = (self.leading(), other.leading());
        // a quotient of coordinates is far from the limits of exponents
        let scale = 2.0_f64.powi(64 * (shift as i32 - less as i32));
        let sign = if self.negative == other.negative { 1.0 } else { -1.0 };
        sign * (a / b) * scale
    }
    /// The two highest words, and how many words are below them.
    fn leading(&self) -> (f64, usize) {
        const WORD: f64 = 18_446_744_073_709_551_616.0;
        match *self.magnitude() {
            [] => (0.0, 0),
            [low] => (low as f64, 0),
            // the third word changes the quotient by less than 2⁻⁶⁴ only if the highest is large
            [.., third, low, high] => ((third as f64 / WORD + low as f64) / WORD + high as f64, self.len - 1),
            [low, high] => (high as f64 * WORD + low as f64, 0),
        }
    }
}

/// The sign of the determinant of three rows.
pub(crate) fn determinant(rows: [&[Integer; 3]; 3]) -> Integer {
    let [a, b, c] = rows;
    let minor = |i: usize, j: usize| b[i].times(&c[j]).minus(&b[j].times(&c[i]));
    a[0].times(&minor(1, 2)).plus(&a[1].times(&minor(2, 0))).plus(&a[2].times(&minor(0, 1)))
}

pub(crate) fn cross(a: &[Integer; 3], b: &[Integer; 3]) -> [Integer; 3] {
    [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].times(&b[k]).minus(&a[k].times(&b[j]))
    })
}

pub(crate) fn dot(a: &[Integer; 3], b: &[Integer; 3]) -> Integer {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use ribbonmesh_mesh::SplitMix64 as Random;

    fn big(x: &Integer) -> BigInt {
        let magnitude = x.magnitude().iter().rev().fold(BigInt::from(0), |all, &w| (all << 64) + w);
        if x.negative { -magnitude } else { magnitude }
    }

    #[test]
    fn sums_products_and_quotients_as_of_integers_of_any_size() {
        let mut random = Random::new(3);
        let mut next = || {
            let mut x = Integer::of(1);
            for _ in 0..random.below(8) {
                let factor = match random.below(6) {
                    0 => 1 << random.below(62),
                    1 => i64::MAX,
                    2 => -1,
                    3 => random.below(3) as i64,
                    _ => random.bits() as i64,
                };
                x = x.times(&Integer::of(factor)).plus(&Integer::of(random.below(5) as i64 - 2));
            }
            x
        };
        for _ in 0..1_000 {
            let (a, b) = (next(), next());
            assert_eq!(big(&a.plus(&b)), big(&a) + big(&b));
            assert_eq!(big(&a.minus(&b)), big(&a) - big(&b));
            assert_eq!(big(&a.times(&b)), big(&a) * big(&b));
            assert_eq!(a.minus(&a).sign(), 0);
            if b.sign() != 0 {
                let found = BigRational::from_float(a.over(&b)).expect("a number") * big(&b);
                let exact = BigRational::from(big(&a));
                let error = (&found - &exact) * BigInt::from(1_i64 << 50);
                assert!(if a.sign() == 0 {
                    error == BigRational::from(BigInt::from(0))
                } else {
                    let (error, exact) = (error.clone() * error, exact.clone() * exact);
                    error <= exact
                });
            }
        }
    }
}
