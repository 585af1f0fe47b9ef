//! Splits of long edges (thesis 5.4.3).
use super::attempt::Attempt;
use super::operator::StoreOperator;
use crate::draft::{ACTIVE, OWNED};

/// Splits edges that are longer than a length in the middle, if no edge of their faces is longer: so faces do
/// not become thin. Edges of one or two faces, the longest first.
#[derive(Clone, Copy, Debug)]
pub struct SplitLong;

impl SplitLong {
    /// Whether the faces of an edge run along it in opposite directions, and have three vertices each.
    #[inline(always)]
    fn is_regular(a: &Attempt<'_, '_>, e: u32) -> bool {
        let draft = a.draft;
        let n = a.memory.degrees.get(e);
        if n == 2 {
            return a.diamond(e).is_some();
        }
        let f = a.face_at(e, 0);
        let [p, q, r] = [draft.corner(f, 0), draft.corner(f, 1), draft.corner(f, 2)];
        n == 1 && p != q && q != r && r != p
    }
}

impl StoreOperator for SplitLong {
    const SEED: usize = 1;
    const GROWS: [u32; 3] = [1, 3, 2];

    #[inline(always)]
    fn rank(a: &Attempt<'_, '_>, e: u32) -> Option<u32> {
        if !Self::is_regular(a, e) {
            return None;
        }
        let square = |e: u32| {
            let [p, q] = a.draft.ends(e).map(|v| a.x(v));
            (p - q).length_squared()
        };
        let (long, longest) = (square(e), a.change.criteria.longest);
        let mut first = long > longest * longest;
        if first {
            Self::faces(a, e, |f| {
                for i in [0, 1, 2] {
                    first &= square(a.draft.side(f, i).0) <= long;
                }
            });
        }
        first.then_some(0x7fff - (long.to_bits() >> 16))
    }
    #[inline(always)]
    fn faces(a: &Attempt<'_, '_>, e: u32, mut f: impl FnMut(u32)) {
        f(a.face_at(e, 0));
        if a.memory.degrees.get(e) > 1 {
            f(a.face_at(e, 1));
        }
    }
    #[inline(always)]
    fn inside(_: &Attempt<'_, '_>, seed: u32, edge: u32) -> bool {
        edge == seed
    }
    #[inline(always)]
    fn makes(_: &Attempt<'_, '_>, _: u32, _: impl FnMut(u32, u32)) {}
    #[inline(always)]
    fn fill(a: &Attempt<'_, '_>, e: u32, fresh: impl Fn(usize, u32) -> u32) -> [i32; 3] {
        let (draft, attributes) = (a.draft, &a.change.attributes);
        let live = |kind: usize, l: u32| {
            draft.words[kind].set(l, ACTIVE | OWNED);
            l
        };
        let of = |kind: usize, l: u32| a.own_place(kind, l);
        let [from, to] = draft.ends(e);
        let (middle, rest) = (live(0, fresh(0, 0)), live(1, fresh(1, 0)));
        let ends = [of(0, from), of(0, to)];
        attributes.derive(0, ends, of(0, middle));
        let x = 0.5 * (attributes.position(ends[0]) + attributes.position(ends[1]));
        attributes.put_position(of(0, middle), x);
        attributes.derive(1, [of(1, e); 2], of(1, rest));
        attributes.derive(1, [of(1, e); 2], of(1, e));
        let faces = a.memory.degrees.get(e);
        let mut k = 0;
        while k < faces {
            let f = a.face_at(e, k);
            let (other, across) = (live(2, fresh(2, k)), live(1, fresh(1, 1 + k)));
            let i = a.side_of(f, e);
            let (forth, back) = (a.entry(f, i), a.entry(f, i) & 1 == 1);
            let (second, third) = (a.entry(f, i + 1), a.entry(f, i + 2));
            let apex = draft.corner(f, (i + 2) % 3);
            // the half of the edge at which the face begins stays with the face
            let halves = if back { [rest, e] } else { [e, rest] }.map(|half| (half << 1) as u16 | forth & 1);
            let (up, down) = ((across << 1 | 1) as u16, (across << 1) as u16);
            draft.set_ends(across, apex, middle);
            a.set_face(f, [halves[0], up, third]);
            a.set_face(other, [halves[1], second, down]);
            attributes.clear(1, of(1, across));
            attributes.derive(2, [of(2, f); 2], of(2, other));
            attributes.derive(2, [of(2, f); 2], of(2, f));
            k += 1;
        }
        // only now: the ends of the edge say which vertex is opposite
        draft.set_ends(e, from, middle);
        draft.set_ends(rest, middle, to);
        [1, 1 + faces as i32, faces as i32]
    }
}
