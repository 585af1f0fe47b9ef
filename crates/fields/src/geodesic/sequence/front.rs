//! The front: vertices in the order of their distances.
use super::fans::Fans;
use super::heap::Heap;
use super::line::shortest;
use crate::geodesic::update::{Corner, across, along, may_shorten};
use glam::Vec3;
use ribbonmesh::{Error, Result, Watch};

/// Vertices that the front passes between two looks at the watch: about a millisecond.
const WATCHED: usize = 1 << 10;

/// A vertex.
#[derive(Clone, Copy)]
pub struct State {
    pub place: Vec3,
    /// The distance that it has or is offered; with the sign bit while it waits for the front.
    distance: f32,
}
impl State {
    /// Where the front has not begun.
    pub fn new(place: Vec3) -> Self {
        Self { place, distance: f32::NEG_INFINITY }
    }
    fn waits(self) -> bool {
        self.distance.is_sign_negative()
    }
    /// The distance; +∞ for a vertex that waits for the front.
    pub fn passed(self) -> f32 {
        if self.waits() { f32::INFINITY } else { self.distance }
    }
    /// The distance, or the least that it is offered.
    pub fn least(self) -> f32 {
        self.distance.abs()
    }
}

/// The front on its way.
pub struct Front<'a> {
    fans: &'a Fans,
    states: &'a mut [State],
    heap: &'a mut Heap,
    /// Factor by which a distance has to decrease to change.
    keep: f32,
    /// Whether distances are lengths of paths.
    paths: bool,
}
impl<'a> Front<'a> {
    /// A front that begins at `sources`.
    pub fn new(
        fans: &'a Fans,
        states: &'a mut [State],
        heap: &'a mut Heap,
        sources: &[u32],
        (keep, paths): (f32, bool),
    ) -> Self {
        states.iter_mut().for_each(|state| *state = State::new(state.place));
        heap.clear();
        for &source in sources {
            states[source as usize].distance = -0.0;
            heap.lower(source, 0.0);
        }
        Self { fans, states, heap, keep, paths }
    }
    /// Lets the front pass all vertices; returns how many times it has passed one.
    /// # Errors
    /// [`Error::Stopped`].
    pub fn run(mut self, watch: Option<&Watch>) -> Result<usize> {
        let mut count = 0;
        while let Some((v, key)) = self.heap.pop() {
            if count % WATCHED == 0 && watch.is_some_and(Watch::is_stopped) {
                return Err(Error::Stopped);
            }
            count += 1;
            let state = self.states[v as usize];
            // a source has no path but itself
            let distance = if self.paths && key > 0.0 { shortest(self.fans, self.states, v) } else { key };
            if state.waits() || distance < state.distance * self.keep {
                self.states[v as usize].distance = distance;
                self.pass_on(v);
            }
        }
        Ok(count)
    }
    /// Offers distances to the neighbours of a vertex, through the faces whose third vertex does not wait. If
    /// that waits, it will offer them itself, when both distances are known.
    fn pass_on(&mut self, v: u32) {
        let own = self.states[v as usize];
        for &[a, b] in self.fans.of(v) {
            let (first, second) = (self.states[a as usize], self.states[b as usize]);
            self.offer(own, a, first, second);
            self.offer(own, b, second, first);
        }
    }
    #[inline(always)]
    fn offer(&mut self, own: State, w: u32, here: State, beside: State) {
        let corner = |state: State| Corner { place: state.place - here.place, distance: state.distance };
        let enough = here.least() * self.keep;
        let mut best = enough;
        if own.distance < best {
            best = best.min(along(corner(own)));
        }
        if !beside.waits() && may_shorten(corner(own), corner(beside), best) {
            best = best.min(across(corner(own), corner(beside)));
        }
        if best < enough {
            // the length of a path stays until there is a shorter one
            if here.waits() || !self.paths {
                self.states[w as usize].distance = -best;
            }
            self.heap.lower(w, best);
        }
    }
}
