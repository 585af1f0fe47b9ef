//! Normals from stored chains: see [`ribbonmesh::corners::RingView`].
use crate::normals::careful;
use crate::normals::corner::{Sum, Weighting};
use glam::Vec3;
use ribbonmesh::corners::{BREAK, Edges, Positions};
use ribbonmesh::device::Shared;

/// The corners of chains `s[k..end]`.
#[derive(Clone, Copy)]
struct Corners<'b> {
    s: Shared<'b, u16>,
    k: u32,
    end: u32,
}
impl Iterator for Corners<'_> {
    type Item = (u32, u32);
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u32)> {
        while self.k + 1 < self.end {
            let (a, b) = (self.s.get(self.k), self.s.get(self.k + 1));
            self.k += 1;
            if a != BREAK && b != BREAK {
                return Some((a as u32, b as u32));
            }
        }
        None
    }
}

/// The normal at local vertex `v` with chains `s[start..end]`, if `f32` is precise enough.
#[inline(always)]
pub fn normal<W: Weighting>(
    x: Positions<'_>,
    v: u32,
    s: Shared<'_, u16>,
    start: u32,
    end: u32,
) -> Option<Vec3> {
    if start == end || s.get(start) == BREAK {
        return Some(Vec3::ZERO);
    }
    let first = s.get(start) as u32;
    let edges = Edges::new(x, v, first);
    let mut sum = Sum::default();
    let mut a = edges.to(first);
    let mut aa = a.dot(a);
    W::edge(&mut sum, aa);
    let (mut k, mut broken) = (start + 1, false);
    while k < end {
        let l = s.get(k);
        if l == BREAK {
            broken = true;
        } else {
            let b = edges.to(l as u32);
            let bb = b.dot(b);
            W::edge(&mut sum, bb);
            if !broken {
                W::add(&mut sum, a, b, aa, bb);
            }
            (a, aa, broken) = (b, bb, false);
        }
        k += 1;
    }
    sum.normal()
}
/// As [`normal`], in `f64`.
#[inline(always)]
pub fn careful_normal<W: Weighting>(
    x: Positions<'_>,
    v: u32,
    s: Shared<'_, u16>,
    start: u32,
    end: u32,
) -> Vec3 {
    careful::careful_normal::<W>(x, v, Corners { s, k: start, end })
}
