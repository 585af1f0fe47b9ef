//! The order of work on the streams of several cards: that of the calls, as on one stream.

/// The streams of cards, one each.
pub trait Streams {
    /// Failure of the driver.
    type Error;
    /// Marks all that a card's stream has been given so far.
    fn mark(&mut self, card: usize) -> Result<(), Self::Error>;
    /// Has a card's stream wait for what was marked last of another card's.
    fn wait(&mut self, card: usize, other: usize) -> Result<(), Self::Error>;
}

/// The works for which streams wait. Work is on the first card alone, or on all cards together; whichever it
/// is waits for all earlier work of all cards.
#[derive(Debug, Default)]
pub struct Order {
    /// The number of cards.
    cards: usize,
    /// Whether cards other than the first have work for which the first one's stream does not wait.
    apart: bool,
}

impl Order {
    pub fn new(cards: usize) -> Self {
        Self { cards, apart: false }
    }
    /// Before work on the first card alone.
    pub fn alone<S: Streams>(&mut self, streams: &mut S) -> Result<(), S::Error> {
        if self.apart {
            for card in 1..self.cards {
                streams.mark(card)?;
                streams.wait(0, card)?;
            }
            self.apart = false;
        }
        Ok(())
    }
    /// Before work on all cards: each one's stream waits for every other one that has work for which the
    /// first one's does not wait yet, and for the first one's. Where all have such work, each waits for all
    /// others directly, one step of a signal from card to card, and not two by way of the first.
    pub fn together<S: Streams>(&mut self, streams: &mut S) -> Result<(), S::Error> {
        let apart = if self.apart { self.cards } else { 1.min(self.cards) };
        // all marks come before all waits: a wait is for what was there before this work
        (0..apart).try_for_each(|card| streams.mark(card))?;
        for card in 0..self.cards {
            (0..apart).filter(|&other| other != card).try_for_each(|other| streams.wait(card, other))?;
        }
        self.apart = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::SplitMix64;

    /// For each stream, how much of each stream's work is done when its next work begins, and when what was
    /// marked last of it is done.
    struct Clocks(Vec<Vec<u32>>, Vec<Vec<u32>>);
    impl Streams for Clocks {
        type Error = std::convert::Infallible;
        fn mark(&mut self, card: usize) -> Result<(), Self::Error> {
            self.1[card] = self.0[card].clone();
            Ok(())
        }
        fn wait(&mut self, card: usize, other: usize) -> Result<(), Self::Error> {
            let known = self.1[other].clone();
            self.0[card].iter_mut().zip(known).for_each(|(own, known)| *own = known.max(*own));
            Ok(())
        }
    }

    fn clocks_of(cards: usize) -> Clocks {
        Clocks(vec![vec![0; cards]; cards], vec![vec![0; cards]; cards])
    }

    /// Parts of one launch wait for nothing of each other, and so may wait for each other's blocks.
    #[test]
    fn parts_of_a_launch_run_at_the_same_time() {
        for cards in 2..=8 {
            let (mut order, mut clocks) = (Order::new(cards), clocks_of(cards));
            for step in 0..4 {
                let Ok(()) = order.together(&mut clocks);
                for card in 0..cards {
                    assert_eq!(clocks.0[card], vec![step; cards], "card {card} of {cards}");
                }
                for card in 0..cards {
                    clocks.0[card][card] += 1;
                }
            }
        }
    }

    /// Work in random order sees all work before it, on every card.
    #[test]
    fn all_work_is_in_the_order_of_the_calls() {
        let mut random = SplitMix64::new(7);
        for cards in 1..=8 {
            let (mut order, mut clocks) = (Order::new(cards), clocks_of(cards));
            let mut done = vec![0; cards];
            for step in 0..300 {
                let together = random.below(2) == 1;
                let Ok(()) = if together { order.together(&mut clocks) } else { order.alone(&mut clocks) };
                let working = if together { 0..cards } else { 0..1 };
                for card in working.clone() {
                    assert_eq!(clocks.0[card], done, "card {card} of {cards}, step {step}");
                }
                for card in working {
                    clocks.0[card][card] += 1;
                    done[card] += 1;
                }
            }
        }
    }

    #[test]
    fn work_on_the_first_card_alone_waits_once() {
        struct Count(usize);
        impl Streams for Count {
            type Error = std::convert::Infallible;
            fn mark(&mut self, _: usize) -> Result<(), Self::Error> {
                Ok(())
            }
            fn wait(&mut self, _: usize, _: usize) -> Result<(), Self::Error> {
                self.0 += 1;
                Ok(())
            }
        }
        let (mut order, mut count) = (Order::new(4), Count(0));
        let Ok(()) = order.alone(&mut count);
        assert_eq!(count.0, 0);
        let Ok(()) = order.together(&mut count);
        assert_eq!(count.0, 3);
        for _ in 0..3 {
            let Ok(()) = order.alone(&mut count);
        }
        assert_eq!(count.0, 6);
        // then work on all cards twice: they wait for the first one, then each for three others
        for waits in [9, 21] {
            let Ok(()) = order.together(&mut count);
            assert_eq!(count.0, waits);
        }
    }
}
