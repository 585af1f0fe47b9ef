//! Filling a cavity: what an operator may do.
use crate::cavity::{Cavity, Side};
use crate::control::Refusal;

/// What fills a cavity. An operator's `fill` runs several times, with different fills: first only to count and to
/// check what it would make, in the end to make it. It must do the same each time, whatever the ids are.
pub trait Fill {
    /// A new vertex.
    fn vertex(&mut self) -> u32;
    /// A new edge between two vertices, old or new. Not twice between the same two.
    fn edge(&mut self, from: u32, to: u32) -> Side;
    /// A new face, from three sides that follow each other: sides of the loop as they are, new ones in either
    /// direction, each side once. Returns it.
    fn face(&mut self, sides: [Side; 3]) -> u32;
    /// Gives the cavity up, with a reason from [`crate::control::refusals::USER`] on. In force during planning only.
    fn refuse(&mut self, reason: Refusal);
    /// Gives the cavity up if `f` has a reason. It runs only when the cavity is looked at for the first time, which is the
    /// place for what is costly; other refusals stand where `fill` makes up its mind.
    fn consider(&mut self, f: impl FnOnce() -> Option<Refusal>);
    /// Of the cavities that ask for a vertex of their loops, one at most is filled in a round; that one may write the
    /// vertex's attributes. Only of operators that announce claims.
    #[inline(always)]
    fn exclusive(&mut self, _vertex: u32) {}
    /// Runs `f` when the filling is made: the place to set attributes of new elements.
    fn write(&mut self, f: impl FnOnce());

    /// Connects each side of the loop with vertex `apex`, which is new; sides on the boundary are left out if `open`
    /// is true, and then die.
    #[inline(always)]
    fn fan(&mut self, cavity: &Cavity<'_>, apex: u32, open: bool)
    where
        Self: Sized,
    {
        let n = cavity.len();
        let skip = |i: u32| open && cavity.open(i);
        // begin behind a side that is left out, so that neighbouring faces follow each other
        let (mut begin, mut closed, mut i) = (n, true, 0);
        while i < n {
            if skip(i) {
                closed = false;
            } else if begin == n && skip(cavity.before(i)) {
                begin = i;
            }
            i += 1;
        }
        if closed {
            begin = 0;
        } else if begin == n {
            return;
        }
        let first_spoke = self.edge(cavity.vertex(begin), apex);
        let (mut spoke, mut i, mut k, mut have) = (first_spoke, begin, 0, true);
        while k < n {
            if skip(i) {
                have = false;
            } else {
                if !have {
                    spoke = self.edge(cavity.vertex(i), apex);
                    have = true;
                }
                let last = closed && k + 1 == n;
                let next = if last { first_spoke } else { self.edge(cavity.vertex(cavity.after(i)), apex) };
                self.face([cavity.side(i), next, spoke.reversed()]);
                spoke = next;
            }
            i = cavity.after(i);
            k += 1;
        }
    }
    /// Connects the sides of the loop with vertex `apex` of the loop, from the side after the one that leaves it to
    /// the side before the one that arrives: `first` to `last`, indices of sides. The sides `apex` lies on are used by
    /// the outermost faces where these reach them; see [`Fill::fan_of_loop`].
    #[inline(always)]
    fn fan_between(&mut self, cavity: &Cavity<'_>, apex: u32, first: u32, last: u32)
    where
        Self: Sized,
    {
        let hub = cavity.vertex(apex);
        // the side from the apex to the first vertex: of the loop, or new
        let mut spoke = if first == cavity.after(apex) {
            cavity.side(apex)
        } else {
            self.edge(hub, cavity.vertex(first))
        };
        let mut i = first;
        loop {
            let end = cavity.after(i);
            let back =
                if cavity.after(end) == apex { cavity.side(end) } else { self.edge(cavity.vertex(end), hub) };
            self.face([cavity.side(i), back, spoke]);
            if i == last {
                return;
            }
            spoke = back.reversed();
            i = end;
        }
    }
    /// Connects sides of the loop, from the first to the last, with vertex `hub`, old or new. `spoke` leads from there to
    /// where the first side begins, `close` back from where the last one ends: a new edge if it is none.
    #[inline(always)]
    fn fan_around(
        &mut self,
        cavity: &Cavity<'_>,
        hub: u32,
        [first, last]: [u32; 2],
        mut spoke: Side,
        close: Option<Side>,
    ) where
        Self: Sized,
    {
        let mut i = first;
        loop {
            let end = cavity.after(i);
            let back = match close {
                Some(side) if i == last => side,
                _ => self.edge(cavity.vertex(end), hub),
            };
            self.face([cavity.side(i), back, spoke]);
            if i == last {
                return;
            }
            spoke = back.reversed();
            i = end;
        }
    }
    /// Connects all other sides of the loop with its vertex `apex`.
    #[inline(always)]
    fn fan_of_loop(&mut self, cavity: &Cavity<'_>, apex: u32)
    where
        Self: Sized,
    {
        let last = cavity.before(cavity.before(apex));
        self.fan_between(cavity, apex, cavity.after(apex), last)
    }
}
