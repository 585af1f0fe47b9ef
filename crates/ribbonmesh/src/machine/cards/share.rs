//! The parts of launches and of memory that each card has.
use std::ops::Range;

/// The blocks of a launch that a card runs: equal parts, in the order of the cards, so that a card works on
/// the elements that are in its own memory ([`bounds`]).
pub fn part(blocks: u32, cards: usize, card: usize) -> Range<u32> {
    let until = |card: usize| (u64::from(blocks) * card as u64 / cards as u64) as u32;
    until(card)..until(card + 1)
}

/// The parts of a buffer that [`bounds`] tells from the rest.
#[cfg(any(feature = "cuda", test))]
const EIGHTHS: u64 = 8;
/// The eighths of a buffer of `len` bytes that hold the first `used`, one at least.
#[cfg(any(feature = "cuda", test))]
pub fn eighths(used: usize, len: usize) -> u64 {
    let exact = (EIGHTHS as u128 * used as u128).div_ceil(len.max(1) as u128);
    exact.clamp(1, EIGHTHS as u128) as u64
}
/// The places of a buffer at which parts begin, and the end of the last: a part of the first `used` eighths
/// for each card, then a part of the rest for each ([`owner`]): elements which are added come in the order of
/// those that they come of. Whole pages, each place less than a page from where equal parts would begin.
#[cfg(any(feature = "cuda", test))]
pub fn bounds(bytes: u64, used: u64, cards: usize, page: u64) -> Vec<u64> {
    let pages = bytes.div_ceil(page);
    let place = |part: usize| {
        let of_used = u128::from(used) * part.min(cards) as u128;
        let of_rest = u128::from(EIGHTHS - used) * part.saturating_sub(cards) as u128;
        let exact = bytes as u128 * (of_used + of_rest) / (u128::from(EIGHTHS) * cards as u128);
        let nearest = ((exact + page as u128 / 2) / page as u128) as u64;
        if exact == bytes as u128 { pages * page } else { nearest.min(pages) * page }
    };
    (0..=2 * cards).map(place).collect()
}
/// The card that has a part of the memory.
#[cfg(any(feature = "cuda", test))]
pub fn owner(part: usize, cards: usize) -> usize {
    if part < cards { part } else { part - cards }
}

/// The parts of a range of bytes that are in one part of the memory each, with its number.
#[cfg(any(feature = "cuda", test))]
pub fn pieces(bounds: &[u64], range: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> {
    let of_parts = bounds.windows(2).enumerate().map(move |(part, of)| {
        let (start, end) = (range.start.max(of[0]), range.end.min(of[1]));
        (part, start..end)
    });
    of_parts.filter(|(_, piece)| piece.start < piece.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_has_one_card() {
        for cards in 1..=8 {
            for blocks in (0..40).chain([1000, 4097, u32::MAX]) {
                let parts: Vec<_> = (0..cards).map(|card| part(blocks, cards, card)).collect();
                assert_eq!((parts[0].start, parts[cards - 1].end), (0, blocks));
                assert!(parts.windows(2).all(|two| two[0].end == two[1].start));
                let sizes = parts.iter().map(|part| part.end - part.start);
                assert!(
                    sizes.clone().max() <= sizes.min().map(|least| least.saturating_add(1)),
                    "{blocks} on {cards}"
                );
            }
        }
    }

    #[test]
    fn every_byte_has_one_card() {
        const PAGE: u64 = 2 << 20;
        for cards in 1..=8 {
            for bytes in [1, 4, PAGE - 1, PAGE, PAGE + 1, 5 * PAGE, 100 * PAGE - 3, 12 << 30, 1 << 41] {
                for used in 1..=EIGHTHS {
                    let bounds = bounds(bytes, used, cards, PAGE);
                    assert_eq!((bounds[0], bounds.len()), (0, 2 * cards + 1));
                    assert!(bounds[2 * cards] >= bytes && bounds[2 * cards] < bytes + PAGE);
                    assert!(bounds.is_sorted() && bounds.iter().all(|place| place.is_multiple_of(PAGE)));
                    let mut of_card = vec![0; cards];
                    for (part, two) in bounds.windows(2).enumerate() {
                        let share = if part < cards { used } else { EIGHTHS - used };
                        let equal = (bytes as u128 * share as u128 / (8 * cards as u128)) as u64;
                        assert!((two[1] - two[0]).abs_diff(equal) < 2 * PAGE, "{used} of {bytes} on {cards}");
                        of_card[owner(part, cards)] += two[1] - two[0];
                    }
                    let equal = bytes / cards as u64;
                    assert!(of_card.iter().all(|own| own.abs_diff(equal) < 4 * PAGE), "{of_card:?}");
                    let whole: Vec<_> = pieces(&bounds, 0..bytes).collect();
                    assert!(whole.windows(2).all(|two| two[0].1.end == two[1].1.start));
                    assert_eq!(whole.iter().map(|(_, piece)| piece.end - piece.start).sum::<u64>(), bytes);
                    for (part, piece) in whole {
                        assert!(bounds[part] <= piece.start && piece.end <= bounds[part + 1]);
                    }
                }
            }
        }
        assert_eq!(bounds(16 * PAGE, 4, 2, PAGE), [0, 4, 8, 12, 16].map(|page| page * PAGE));
        assert_eq!([0, 1, 2, 3].map(|part| owner(part, 2)), [0, 1, 0, 1]);
    }

    #[test]
    fn eighths_hold_what_is_used() {
        for (used, len, expected) in
            [(0, 0, 1), (0, 9, 1), (1, 8, 1), (5, 8, 5), (10, 16, 5), (11, 16, 6), (8, 8, 8), (9, 8, 8)]
        {
            assert_eq!(eighths(used, len), expected, "{used} of {len}");
        }
        assert_eq!(eighths(usize::MAX, usize::MAX), 8);
    }

    #[test]
    fn pieces_of_a_part() {
        let bounds = [0, 10, 10, 30];
        assert_eq!(pieces(&bounds, 3..7).collect::<Vec<_>>(), [(0, 3..7)]);
        assert_eq!(pieces(&bounds, 8..12).collect::<Vec<_>>(), [(0, 8..10), (2, 10..12)]);
        assert_eq!(pieces(&bounds, 10..30).collect::<Vec<_>>(), [(2, 10..30)]);
        assert_eq!(pieces(&bounds, 5..5).count(), 0);
    }
}
