//! Code that a device of one card does not run, and which blocks are on which card.
use crate::Block;

/// Whether a kernel may run on several cards, so that code for one alone costs nothing: a branch on it is
/// `false` to the compiler of machine code where there is one card, and unknown to the compiler of PTX. The
/// machine writes `true` into the text where it makes a kernel for several cards. On the CPU, which may play
/// several cards, it is always `true`: a kernel also asks its arguments how many there are.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub fn several_cards() -> bool {
    let several: u32;
    // SAFETY: moves a number to a register. The machine looks for this very text.
    unsafe {
        core::arch::asm!(
            "{{ .reg .b32 several; mov.b32 several, 0; mov.b32 {r}, several; }}",
            r = out(reg32) several,
            options(pure, nomem, nostack, preserves_flags)
        )
    }
    several != 0
}
/// Whether a kernel may run on several cards, so that code for one alone costs nothing: a branch on it is
/// `false` to the compiler of machine code where there is one card, and unknown to the compiler of PTX. The
/// machine writes `true` into the text where it makes a kernel for several cards. On the CPU, which may play
/// several cards, it is always `true`: a kernel also asks its arguments how many there are.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
pub const fn several_cards() -> bool {
    true
}

/// The blocks of a launch that are on the same card as a block, where so many cards share the launch: each
/// runs an equal part, the first blocks on the first card.
#[derive(Clone, Copy)]
pub struct CardBlocks {
    index: u32,
    first: u32,
    count: u32,
}
impl CardBlocks {
    /// Those of this block. `cards` is at most the number of blocks.
    #[inline(always)]
    pub fn of(block: &Block, cards: u32) -> Self {
        let count = block.count();
        if !several_cards() {
            return Self { index: 0, first: 0, count };
        }
        let index = card_of(block.index(), count, cards);
        let first = first_of_card(index, count, cards);
        Self { index, first, count: first_of_card(index + 1, count, cards) - first }
    }
    /// The number of the card among those that share the launch.
    #[inline(always)]
    pub fn card(self) -> u32 {
        self.index
    }
    /// The first block of the card.
    #[inline(always)]
    pub fn first(self) -> u32 {
        self.first
    }
    /// How many blocks the card has.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.count
    }
    /// The pieces `(first, length)` of a range that fall to this block if the blocks of its card share it,
    /// `size` at a time. Uniform code.
    #[inline(always)]
    pub fn for_each(self, block: &Block, [begin, end]: [u32; 2], size: u32, mut f: impl FnMut(u32, u32)) {
        let mut base = begin + (block.index() - self.first) * size;
        while base < end {
            f(base, if end - base < size { end - base } else { size });
            base += self.count * size;
        }
    }
}
/// The card of the `i`-th of `n` things that cards share evenly, in order. `n` times `cards` fits 32 bits.
#[inline(always)]
pub fn card_of(i: u32, n: u32, cards: u32) -> u32 {
    ((i + 1) * cards - 1) / n
}
/// The first of `n` things that is on a card, see [`card_of`]; `n` for the card behind the last.
#[inline(always)]
pub fn first_of_card(card: u32, n: u32, cards: u32) -> u32 {
    n * card / cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_what_begins_with_their_first() {
        for cards in 1..=8 {
            for n in cards..200 {
                for card in 0..cards {
                    let own = first_of_card(card, n, cards)..first_of_card(card + 1, n, cards);
                    assert!(own.clone().all(|i| card_of(i, n, cards) == card), "{card} of {cards}, {n}");
                    assert!(own.len().abs_diff((n / cards) as usize) <= 1);
                }
            }
        }
    }
}
