//! Collapses of short edges (thesis 5.4.3).
use super::attempt::Attempt;
use super::operator::StoreOperator;
use ribbonmesh::device::{NONE, Vec3};
use ribbonmesh::features::triangle::{SLIVER, normal, quality, within};

/// Cosine of the angle by which a face may turn: 60°, as of the collapses by claims.
const TURN: f32 = 0.5;
/// A face below this quality must not be worse than the one before.
const GOOD: f32 = 0.3;

/// Collapses vertices along edges that are shorter than a length onto their other ends, which stay where they
/// are: the cavity is the star of the vertex, and a fan from the other end fills it. Of the edges of a
/// vertex the shortest for which no face turns by more than 60° or becomes a sliver, and no edge longer than
/// another length. Vertices on the boundary stay, and those with more than 64 faces.
#[derive(Clone, Copy, Debug)]
pub struct CollapseShort;

impl CollapseShort {
    /// Whether the faces around `v` may get the vertex `to` instead of it: none turns or becomes a sliver;
    /// with `SHAPE` none becomes bad, and no edge too long.
    #[inline(always)]
    pub(super) fn may<const SHAPE: bool>(a: &Attempt<'_, '_>, v: u32, to: u32) -> bool {
        let (p, z, longest) = (a.x(to), a.x(v), a.change.criteria.longest);
        let mut good = true;
        a.star(v, |f, i| {
            let [u, w] = [a.draft.corner(f, (i + 1) % 3), a.draft.corner(f, (i + 2) % 3)];
            if u == to || w == to {
                return;
            }
            let [x, y] = [a.x(u), a.x(w)];
            let (old, new) = (normal([z, x, y]), normal([p, x, y]));
            let (before, after) = (quality([z, x, y], old), quality([p, x, y], new));
            let far = |q: Vec3| (q - p).length_squared() > longest * longest;
            good &= after >= SLIVER;
            good &= !SHAPE || (!far(x) && !far(y) && (after >= GOOD || after >= before));
            good &= before <= SLIVER || within(old, new, TURN);
        });
        good
    }
    /// The vertex onto which `v` is collapsed, and the squared length of the edge.
    #[inline(always)]
    fn target(a: &Attempt<'_, '_>, v: u32) -> Option<(u32, f32)> {
        let shortest = a.change.criteria.shortest;
        let z = a.x(v);
        let (mut to, mut least) = (NONE, shortest * shortest);
        let closed = a.star(v, |f, i| {
            let u = a.draft.corner(f, (i + 1) % 3);
            let square = (a.x(u) - z).length_squared();
            if square < least && Self::may::<true>(a, v, u) {
                (to, least) = (u, square);
            }
        });
        (closed && to != NONE).then_some((to, least))
    }
    /// The vertex that was found when the rank was looked for.
    #[inline(always)]
    fn chosen(a: &Attempt<'_, '_>, v: u32) -> u32 {
        a.memory.targets.get(v)
    }
}

impl StoreOperator for CollapseShort {
    const SEED: usize = 0;
    const WIDE: bool = true;

    #[inline(always)]
    fn rank(a: &Attempt<'_, '_>, v: u32) -> Option<u32> {
        let target = Self::target(a, v);
        a.memory.targets.set(v, target.map_or(NONE, |(to, _)| to));
        target.map(|(_, square)| square.to_bits() >> 16)
    }
    #[inline(always)]
    fn faces(a: &Attempt<'_, '_>, v: u32, mut f: impl FnMut(u32)) {
        a.star(v, |face, _| f(face));
    }
    #[inline(always)]
    fn inside(a: &Attempt<'_, '_>, v: u32, edge: u32) -> bool {
        let [p, q] = a.draft.ends(edge);
        p == v || q == v
    }
    /// Of three faces around the vertex one is left, which must not be the one beyond.
    #[inline(always)]
    fn allowed(a: &Attempt<'_, '_>, v: u32) -> bool {
        let (mut beyond, mut twice) = ([NONE; 3], false);
        if a.memory.fans.get(v) > 3 {
            return true;
        }
        a.star(v, |f, i| {
            a.across(f, a.draft.side(f, (i + 1) % 3).0, |other| {
                twice |= beyond[0] == other || beyond[1] == other || beyond[2] == other;
                beyond = [beyond[1], beyond[2], other];
            });
        });
        !twice
    }
    #[inline(always)]
    fn makes(a: &Attempt<'_, '_>, v: u32, mut f: impl FnMut(u32, u32)) {
        let (to, draft) = (Self::chosen(a, v), a.draft);
        // the vertices before and after the target have an edge to it
        let (mut before, mut after) = (NONE, NONE);
        a.star(v, |face, i| {
            let [u, w] = [draft.corner(face, (i + 1) % 3), draft.corner(face, (i + 2) % 3)];
            after = if u == to { w } else { after };
            before = if w == to { u } else { before };
        });
        a.star(v, |face, i| {
            let u = draft.corner(face, (i + 1) % 3);
            if u != to && u != before && u != after {
                f(to, u);
            }
        });
    }
    #[inline(always)]
    fn fill(a: &Attempt<'_, '_>, v: u32, _: impl Fn(usize, u32) -> u32) -> [i32; 3] {
        let (draft, attributes) = (a.draft, &a.change.attributes);
        let to = Self::chosen(a, v);
        let dies = |kind: usize, l: u32| {
            draft.words[kind].set(l, 0);
            attributes.forget(kind, a.own_place(kind, l));
        };
        // the face at which the edge to the target leaves, and the side there
        let (mut first, mut at) = (NONE, 0);
        a.star(v, |face, i| {
            if draft.corner(face, (i + 1) % 3) == to {
                (first, at) = (face, i);
            }
        });
        let faces = a.memory.fans.get(v);
        if first == NONE {
            return [0; 3];
        }
        let next = |face: u32, edge: u32| {
            let [g, h] = [a.face_at(edge, 0), a.face_at(edge, 1)];
            if g == face { h } else { g }
        };
        let mut arriving = draft.side(first, (at + 2) % 3).0;
        // from the target to the first vertex of the next face
        let mut side = a.entry(first, at + 1);
        let mut face = next(first, arriving);
        dies(1, draft.side(first, at).0);
        dies(1, arriving);
        dies(2, first);
        let mut left = faces - 2;
        while left > 0 {
            let i = a.side_of(face, arriving);
            let (outer, leaving) = (a.entry(face, i + 1), draft.side(face, (i + 2) % 3).0);
            let (other, u) = (next(face, leaving), draft.corner(face, (i + 2) % 3));
            let back = if left > 1 {
                (leaving << 1 | 1) as u16
            } else {
                // to the target along the loop
                let j = a.side_of(other, leaving);
                dies(2, other);
                dies(1, leaving);
                a.entry(other, j + 1)
            };
            a.set_face(face, [side, outer, back]);
            attributes.derive(2, [a.own_place(2, face); 2], a.own_place(2, face));
            if left > 1 {
                draft.set_ends(leaving, to, u);
                attributes.derive(1, [a.own_place(1, leaving); 2], a.own_place(1, leaving));
            }
            side = (leaving << 1) as u16;
            (arriving, face) = (leaving, other);
            left -= 1;
        }
        dies(0, v);
        [-1, -3, -2]
    }
}
