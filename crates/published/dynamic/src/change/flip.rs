//! Flips of edges: to a Delaunay mesh (thesis 5.4.2), and for valences (5.4.3).
use super::attempt::Attempt;
use super::operator::StoreOperator;
use super::shapes::Diamond;
use crate::local::scrambled;
use ribbonmesh::device::Vec3;
use ribbonmesh::features::triangle::{SLIVER, normal, not_delaunay, quality, smallest_sine, within};

/// Tolerance of the criterion, as of the flips by claims.
const TOLERANCE: f32 = 2e-6;
/// Part of the sine of the smallest angle by which it may decrease: rounding.
const ROUNDING: f32 = 1e-5;
/// Least cosine between the normal of a new face and the common normal of the two old ones, as of the flips
/// by claims.
const TURN: f32 = 0.8;
/// A face below this quality must not be worse than those before.
const GOOD: f32 = 0.3;

/// Flips edges that are not Delaunay, unless a smaller angle would come of it.
#[derive(Clone, Copy, Debug)]
pub struct FlipDelaunay;
/// Flips edges where that brings the valences of the four vertices closer to 6, or 4 on the boundary, in the
/// sum of squares; not where a face would turn or become a sliver. Valences are attributes.
#[derive(Clone, Copy, Debug)]
pub struct FlipValences;

impl StoreOperator for FlipDelaunay {
    const SEED: usize = 1;

    #[inline(always)]
    fn rank(a: &Attempt<'_, '_>, e: u32) -> Option<u32> {
        let diamond = a.diamond(e)?;
        // an order that looks random
        to_be_flipped(diamond.corners.map(|v| a.x(v))).then_some(scrambled(e ^ a.draft.patch << 7) >> 16)
    }
    #[inline(always)]
    fn faces(a: &Attempt<'_, '_>, e: u32, mut f: impl FnMut(u32)) {
        f(a.face_at(e, 0));
        f(a.face_at(e, 1));
    }
    #[inline(always)]
    fn inside(_: &Attempt<'_, '_>, seed: u32, edge: u32) -> bool {
        edge == seed
    }
    #[inline(always)]
    fn makes(a: &Attempt<'_, '_>, e: u32, mut f: impl FnMut(u32, u32)) {
        if let Some(Diamond { corners: [_, _, c, d], .. }) = a.diamond(e) {
            f(c, d);
        }
    }
    #[inline(always)]
    fn fill(a: &Attempt<'_, '_>, e: u32, _: impl Fn(usize, u32) -> u32) -> [i32; 3] {
        if let Some(diamond) = a.diamond(e) {
            flip(a, e, diamond);
        }
        [0; 3]
    }
}

impl StoreOperator for FlipValences {
    const SEED: usize = 1;
    // each vertex has its valence changed by one flip at a time
    const APART: bool = true;

    #[inline(always)]
    fn rank(a: &Attempt<'_, '_>, e: u32) -> Option<u32> {
        let corners = a.diamond(e)?.corners;
        let [p, q, r, s] = corners.map(|v| a.change.attributes.valence(a.draft.place(0, v)) as i32);
        // half of the decrease of the sum of squares
        let gain = p + q - r - s - 2;
        let least = 0x7fff - if gain < 0x7fff { gain } else { 0x7fff };
        (gain > 0 && keeps_shape(corners.map(|v| a.x(v)))).then_some(least as u32)
    }
    #[inline(always)]
    fn faces(a: &Attempt<'_, '_>, e: u32, f: impl FnMut(u32)) {
        FlipDelaunay::faces(a, e, f);
    }
    #[inline(always)]
    fn inside(_: &Attempt<'_, '_>, seed: u32, edge: u32) -> bool {
        edge == seed
    }
    #[inline(always)]
    fn makes(a: &Attempt<'_, '_>, e: u32, f: impl FnMut(u32, u32)) {
        FlipDelaunay::makes(a, e, f);
    }
    #[inline(always)]
    fn fill(a: &Attempt<'_, '_>, e: u32, _: impl Fn(usize, u32) -> u32) -> [i32; 3] {
        let Some(diamond) = a.diamond(e) else { return [0; 3] };
        flip(a, e, diamond);
        let [p, q, r, s] = diamond.corners.map(|v| a.own_place(0, v));
        let attributes = &a.change.attributes;
        attributes.add_valence(p, 1u32.wrapping_neg());
        attributes.add_valence(q, 1u32.wrapping_neg());
        attributes.add_valence(r, 1);
        attributes.add_valence(s, 1);
        [0; 3]
    }
}

/// Turns an edge: it and the faces keep their local indices.
#[inline(always)]
fn flip(a: &Attempt<'_, '_>, e: u32, diamond: Diamond) {
    let Diamond { corners: [_, _, c, d], faces: [f, g], sides: [i, j] } = diamond;
    let (bc, ca) = (a.entry(f, i + 1), a.entry(f, i + 2));
    let (ad, db) = (a.entry(g, j + 1), a.entry(g, j + 2));
    a.draft.set_ends(e, c, d);
    a.set_face(f, [(e << 1) as u16, db, bc]);
    a.set_face(g, [(e << 1 | 1) as u16, ca, ad]);
}

/// Whether the edge ab of faces a b c and b a d is not Delaunay, and the flipped faces have no smaller angle.
#[inline(always)]
fn to_be_flipped([a, b, c, d]: [Vec3; 4]) -> bool {
    if !not_delaunay([a, b, c, d], TOLERANCE) {
        return false;
    }
    let smaller = |x: f32, y: f32| if x < y { x } else { y };
    let before = smaller(smallest_sine([a, b, c]), smallest_sine([b, a, d]));
    let after = smaller(smallest_sine([c, d, b]), smallest_sine([d, c, a]));
    after != 0.0 && after >= before * (1.0 - ROUNDING)
}
/// Whether flipping the edge ab of faces a b c and b a d turns no face and makes no sliver.
#[inline(always)]
fn keeps_shape([a, b, c, d]: [Vec3; 4]) -> bool {
    let [old, new] = [[[a, b, c], [b, a, d]], [[c, d, b], [d, c, a]]];
    let (n, m) = (old.map(normal), new.map(normal));
    let least = |t: [[Vec3; 3]; 2], n: [Vec3; 2]| {
        let (p, q) = (quality(t[0], n[0]), quality(t[1], n[1]));
        if p < q { p } else { q }
    };
    let (before, after) = (least(old, n), least(new, m));
    let sum = n[0] + n[1];
    (after >= GOOD || after >= before)
        && after >= SLIVER
        && within(m[0], sum, TURN)
        && within(m[1], sum, TURN)
}
