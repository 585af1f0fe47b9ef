//! Invariants of one patch.
use super::{Snapshot, broken};
use crate::Result;
use ribbonmesh_device::{Counts, hi, lo, tail};

/// One patch: its part of each array.
pub(super) struct Local<'a> {
    pub p: usize,
    /// First vertex, edge and face id.
    pub first: [u32; 3],
    pub c: Counts,
    pub ev: &'a [u32],
    pub fe: &'a [u16],
    /// Ids of the ribbon's vertices, edges and faces.
    pub ribbon: [&'a [u32]; 3],
}

const NAMES: [&str; 3] = ["vertex", "edge", "face"];

impl<'a> Local<'a> {
    /// Patch `p`, its numbers and ranges checked.
    pub fn new(s: &'a Snapshot<'_>, p: usize) -> Result<Self> {
        let row = &s.rows[p];
        let c = row.counts;
        let ascending = |n: &[u32]| n.is_sorted();
        if !ascending(&[c.v_owned, c.v_near, c.v_all])
            || !ascending(&[c.e_owned, c.e_of_f, c.e_of_v, c.e_near, c.e_all])
            || !ascending(&[c.f_owned, c.f_of_v, c.f_all])
        {
            return broken(format!("patch {p}: numbers of elements do not ascend: {c:?}"));
        }
        let part = |array: &'a [u32], at: u32, n: u32| array.get(at as usize..at as usize + n as usize);
        let parts = (
            part(&s.ev, row.ev, c.e_all),
            s.fe.get(row.fe as usize..row.fe as usize + 3 * c.f_all as usize),
            part(&s.ribbon_v, row.ribbon[0], c.v_all - c.v_owned),
            part(&s.ribbon_e, row.ribbon[1], c.e_all - c.e_owned),
            part(&s.ribbon_f, row.ribbon[2], c.f_all - c.f_owned),
        );
        let (Some(ev), Some(fe), Some(v), Some(e), Some(f)) = parts else {
            return broken(format!("patch {p}: its topology lies beyond the arrays"));
        };
        let aligned = c.e_all == 0 || row.ev.is_multiple_of(4) && row.fe.is_multiple_of(8);
        if !aligned {
            return broken(format!("patch {p}: EV or FE is not aligned to 16 bytes"));
        }
        Ok(Self { p, first: row.first, c, ev, fe, ribbon: [v, e, f] })
    }
    fn owned(&self) -> [u32; 3] {
        [self.c.v_owned, self.c.e_owned, self.c.f_owned]
    }
    /// Id of local element `l` of a kind (0: vertex, 1: edge, 2: face).
    pub fn id(&self, kind: usize, l: u32) -> u32 {
        let n = self.owned()[kind];
        if l < n { self.first[kind] + l } else { self.ribbon[kind][(l - n) as usize] }
    }
    fn edge(&self, corner: u32) -> u32 {
        self.fe[corner as usize] as u32 >> 2
    }
    /// Local vertices of a local face.
    pub fn vertices(&self, f: u32) -> [u32; 3] {
        [0, 1, 2].map(|i| {
            let fe = self.fe[(3 * f + i) as usize] as u32;
            tail(fe, self.ev[(fe >> 2) as usize])
        })
    }
    /// Everything that this patch alone tells.
    pub fn check(&self) -> Result<()> {
        self.check_ribbon()?;
        self.check_topology()?;
        self.check_groups()?;
        self.check_entries()
    }
    fn check_ribbon(&self) -> Result<()> {
        let c = &self.c;
        let groups: [&[u32]; 3] =
            [&[c.v_near, c.v_all], &[c.e_of_f, c.e_of_v, c.e_near, c.e_all], &[c.f_of_v, c.f_all]];
        for kind in 0..3 {
            let (ids, own, name) = (self.ribbon[kind], self.owned()[kind], NAMES[kind]);
            if let Some(x) = ids.iter().find(|&&x| x.wrapping_sub(self.first[kind]) < own) {
                return broken(format!("patch {}: {name} {x} is both owned and in the ribbon", self.p));
            }
            let mut begin = own;
            for &end in groups[kind] {
                let group = &ids[(begin - own) as usize..(end - own) as usize];
                if let Some(w) = group.windows(2).find(|w| w[0] >= w[1]) {
                    return broken(format!("patch {}: ribbon {name} {} is not in order", self.p, w[1]));
                }
                begin = end;
            }
            let mut sorted = ids.to_vec();
            sorted.sort_unstable();
            if let Some(w) = sorted.windows(2).find(|w| w[0] == w[1]) {
                return broken(format!("patch {}: {name} {} is in the ribbon twice", self.p, w[0]));
            }
        }
        Ok(())
    }
    fn check_topology(&self) -> Result<()> {
        for (l, &ends) in self.ev.iter().enumerate() {
            if lo(ends) >= self.c.v_all || hi(ends) >= self.c.v_all {
                return broken(format!(
                    "patch {}: an end of edge {} is not there",
                    self.p,
                    self.id(1, l as u32)
                ));
            }
        }
        for f in 0..self.c.f_all {
            let name = || format!("patch {}: face {}", self.p, self.id(2, f));
            let fe = |i: u32| self.fe[(3 * f + i % 3) as usize] as u32;
            if (0..3).any(|i| fe(i) >> 2 >= self.c.e_all) {
                return broken(format!("{} has an edge that is not there", name()));
            }
            let v = self.vertices(f);
            for i in 0..3 {
                let head = tail(fe(i) ^ 1, self.ev[(fe(i) >> 2) as usize]);
                if head != v[(i as usize + 1) % 3] {
                    return broken(format!("{} is not closed at side {i}", name()));
                }
            }
        }
        Ok(())
    }
    /// Each element is in the first group that it belongs to.
    fn check_groups(&self) -> Result<()> {
        let c = &self.c;
        let at_owned = |v: [u32; 3]| v.into_iter().any(|v| v < c.v_owned);
        let mut vertex_group: Vec<u8> = (0..c.v_all).map(|v| if v < c.v_owned { 0 } else { 2 }).collect();
        let group = |ends: &u32| if lo(*ends) < c.v_owned || hi(*ends) < c.v_owned { 2u8 } else { 4 };
        let mut edge_group: Vec<u8> = self.ev.iter().map(group).collect();
        for f in 0..c.f_all {
            let v = self.vertices(f);
            let face_group = if f < c.f_owned { 0 } else { 2 - at_owned(v) as u8 };
            let expected = if f < c.f_owned { 0 } else { 1 + (f >= c.f_of_v) as u8 };
            if face_group != expected {
                return broken(format!("patch {}: face {} is in the wrong group", self.p, self.id(2, f)));
            }
            for i in 0..3 {
                let e = self.edge(3 * f + i) as usize;
                let of_face = [1, 3, 4][face_group as usize];
                edge_group[e] = edge_group[e].min(of_face);
                if face_group < 2 {
                    let v = &mut vertex_group[v[i as usize] as usize];
                    *v = (*v).min(1);
                }
            }
        }
        for &ends in &self.ev[..c.e_owned as usize] {
            for v in [lo(ends), hi(ends)] {
                let v = &mut vertex_group[v as usize];
                *v = (*v).min(1);
            }
        }
        for e in 0..c.e_all {
            let at = [c.e_owned, c.e_of_f, c.e_of_v, c.e_near].iter().filter(|&&end| e >= end).count() as u8;
            // an owned edge need not be one of an owned face
            let found = edge_group[e as usize];
            if at > 0 && found != at {
                return broken(format!("patch {}: edge {} is in the wrong group", self.p, self.id(1, e)));
            }
        }
        for v in 0..c.v_all {
            let at = (v >= c.v_owned) as u8 + (v >= c.v_near) as u8;
            if vertex_group[v as usize] != at {
                return broken(format!("patch {}: vertex {} is in the wrong group", self.p, self.id(0, v)));
            }
        }
        Ok(())
    }
    /// The numbers of entries of VV, VE and VF.
    fn check_entries(&self) -> Result<()> {
        let c = &self.c;
        let (mut vv, mut ve, mut vf) = (0, 0, 0);
        for &ends in &self.ev[..c.e_of_v as usize] {
            let (a, b) = (lo(ends), hi(ends));
            let n = (a < c.v_owned) as u32 + (b < c.v_owned && a != b) as u32;
            ve += n;
            vv += if a == b { 0 } else { n };
        }
        for f in 0..c.f_of_v {
            let [x, y, z] = self.vertices(f);
            let own = |v: u32| (v < c.v_owned) as u32;
            vf += own(x) + if y == x { 0 } else { own(y) } + if z == x || z == y { 0 } else { own(z) };
        }
        if (vv, ve, vf) != (c.vv, c.ve, c.vf) {
            return broken(format!("patch {}: VV, VE and VF have {vv}, {ve} and {vf} entries", self.p));
        }
        Ok(())
    }
    /// Room for EF, FF and EE of a mesh that is not edge-manifold.
    pub fn general_entries(&self) -> [u32; 3] {
        let mut sides = vec![0u32; self.c.e_all as usize];
        for corner in 0..3 * self.c.f_all {
            sides[self.edge(corner) as usize] += 1;
        }
        let ef = sides[..self.c.e_owned as usize].iter().sum();
        let ff = (0..3 * self.c.f_owned).map(|corner| sides[self.edge(corner) as usize] - 1).sum();
        [ef, ff, 2 * ef]
    }
}
