//! The parts of launches and of memory that each card has.
use std::ops::Range;

/// The blocks of a launch that a card runs: equal parts, in the order of the cards, so that a card works on
/// the elements that are in its own memory ([`bounds`]).
pub fn part(blocks: u32, cards: usize, card: usize) -> Range<u32> {
    let until = |card: usize| (u64::from(blocks) * card as u64 / cards as u64) as u32;
    until(card)..until(card + 1)
}

/// The places of a buffer at which the memory of each card begins, and the end of the last one's: whole
/// pages, each place less than a page from where equal parts would begin.
#[cfg(any(feature = "cuda", test))]
pub fn bounds(bytes: u64, cards: usize, page: u64) -> Vec<u64> {
    let pages = bytes.div_ceil(page);
    let place = |card: usize| {
        let exact = bytes as u128 * card as u128 / cards as u128;
        let nearest = ((exact + page as u128 / 2) / page as u128) as u64;
        if card == cards { pages * page } else { nearest.min(pages) * page }
    };
    (0..=cards).map(place).collect()
}

/// The parts of a range of bytes that are on one card each, with the card.
#[cfg(any(feature = "cuda", test))]
pub fn pieces(bounds: &[u64], range: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> {
    let on_card = bounds.windows(2).enumerate().map(move |(card, of)| {
        let (start, end) = (range.start.max(of[0]), range.end.min(of[1]));
        (card, start..end)
    });
    on_card.filter(|(_, piece)| piece.start < piece.end)
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
                let bounds = bounds(bytes, cards, PAGE);
                assert_eq!((bounds[0], bounds.len()), (0, cards + 1));
                assert!(bounds[cards] >= bytes && bounds[cards] < bytes + PAGE);
                assert!(bounds.is_sorted() && bounds.iter().all(|place| place.is_multiple_of(PAGE)));
                for (card, &place) in bounds.iter().enumerate() {
                    let equal = (bytes as u128 * card as u128 / cards as u128) as u64;
                    assert!(place.abs_diff(equal) < PAGE, "{bytes} on {cards}");
                }
                let whole: Vec<_> = pieces(&bounds, 0..bytes).collect();
                assert!(whole.windows(2).all(|two| two[0].1.end == two[1].1.start));
                assert_eq!(whole.iter().map(|(_, piece)| piece.end - piece.start).sum::<u64>(), bytes);
                for (card, piece) in whole {
                    assert!(bounds[card] <= piece.start && piece.end <= bounds[card + 1]);
                }
            }
        }
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
