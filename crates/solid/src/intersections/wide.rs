//! Integers of 896 bits.

/// Words of 64 bits. A coordinate has at most 277 bits, a difference 278 and a sign, a determinant of
/// differences 3 · 278 + 3 and a sign: 838.
const WORDS: usize = 14;

/// An integer of 896 bits in two's complement, the lowest word first. Sums and products that do not fit wrap
/// around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide([u64; WORDS]);

impl Wide {
    pub const ZERO: Self = Self([0; WORDS]);

    /// `integer` · 2^`shift`.
    pub fn shifted(integer: i32, shift: u32) -> Self {
        let mut words = [0; WORDS];
        let magnitude = (integer.unsigned_abs() as u128) << (shift % 64);
        let at = (shift / 64) as usize;
        // an integer that fits has no bits beyond the last word
        for (i, word) in words.iter_mut().enumerate() {
            if i == at {
                *word = magnitude as u64;
            } else if i == at + 1 {
                *word = (magnitude >> 64) as u64;
            }
        }
        let positive = Self(words);
        if integer < 0 { Self::ZERO.minus(&positive) } else { positive }
    }
    pub fn plus(&self, other: &Self) -> Self {
        let (mut sum, mut carry) = ([0; WORDS], 0);
        for (i, word) in sum.iter_mut().enumerate() {
            let wide = self.0[i] as u128 + other.0[i] as u128 + carry as u128;
            *word = wide as u64;
            carry = (wide >> 64) as u64;
        }
        Self(sum)
    }
    pub fn minus(&self, other: &Self) -> Self {
        let (mut difference, mut carry) = ([0; WORDS], 1);
        for (i, word) in difference.iter_mut().enumerate() {
            let wide = self.0[i] as u128 + !other.0[i] as u128 + carry as u128;
            *word = wide as u64;
            carry = (wide >> 64) as u64;
        }
        Self(difference)
    }
    pub fn times(&self, other: &Self) -> Self {
        let mut product = [0; WORDS];
        for i in 0..WORDS {
            let mut carry = 0;
            for j in 0..WORDS - i {
                let wide = self.0[i] as u128 * other.0[j] as u128 + product[i + j] as u128 + carry as u128;
                product[i + j] = wide as u64;
                carry = (wide >> 64) as u64;
            }
        }
        Self(product)
    }
    pub fn sign(&self) -> i32 {
        if self.0[WORDS - 1] >> 63 == 1 {
            return -1;
        }
        // a comparison of the arrays would call a function that does not exist on a GPU
        let mut any = 0;
        for word in self.0 {
            any |= word;
        }
        (any != 0) as i32
    }
}
