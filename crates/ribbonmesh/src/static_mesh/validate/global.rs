//! Invariants across patches: all copies of an element agree, and ribbons are complete.
use super::{Local, broken};
use crate::{Result, StaticMesh};
use rayon::prelude::*;
use ribbonmesh_device::{hi, lo};

/// The mesh as the owners of its elements have it.
pub(super) struct Flat {
    /// `edge id << 2 | slot << 1 | reversed` of each side.
    fe: Vec<[u64; 3]>,
    /// Vertex ids of each edge.
    ev: Vec<[u32; 2]>,
    /// Vertex ids of each face.
    fv: Vec<[u32; 3]>,
}

impl Flat {
    pub fn gather(mesh: &StaticMesh, locals: &[Local<'_>]) -> Self {
        let mut flat = Self {
            fe: Vec::with_capacity(mesh.faces()),
            ev: Vec::with_capacity(mesh.edges()),
            fv: Vec::new(),
        };
        for l in locals {
            flat.ev.extend((0..l.c.e_owned).map(|e| ends(l, e)));
            flat.fe.extend((0..l.c.f_owned).map(|f| sides(l, f)));
            flat.fv.extend((0..l.c.f_owned).map(|f| l.vertices(f).map(|v| l.id(0, v))));
        }
        flat
    }
    pub fn check(&self, mesh: &StaticMesh, locals: &[Local<'_>]) -> Result<()> {
        locals.par_iter().try_for_each(|l| self.check_copies(l))?;
        self.check_edges(mesh)?;
        self.check_complete(mesh, locals)
    }
    /// Ribbon elements are the same as their owners'.
    fn check_copies(&self, l: &Local<'_>) -> Result<()> {
        for e in l.c.e_owned..l.c.e_all {
            let id = l.id(1, e);
            if self.ev.get(id as usize) != Some(&ends(l, e)) {
                return broken(format!("patch {}: ribbon edge {id} has other ends than its owner's", l.p));
            }
        }
        for f in l.c.f_owned..l.c.f_all {
            let id = l.id(2, f);
            if self.fe.get(id as usize) != Some(&sides(l, f)) {
                return broken(format!("patch {}: ribbon face {id} has other sides than its owner's", l.p));
            }
        }
        Ok(())
    }
    /// Edges are unique and run with their side of slot 0; the flags are right.
    fn check_edges(&self, mesh: &StaticMesh) -> Result<()> {
        let mut pairs: Vec<(u32, u32, usize)> =
            self.ev.par_iter().enumerate().map(|(e, &[a, b])| (a.min(b), a.max(b), e)).collect();
        pairs.par_sort_unstable();
        if let Some(w) = pairs.par_windows(2).find_any(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
            return broken(format!("edges {} and {} have the same ends", w[0].2, w[1].2));
        }
        // sides of slot 0 and 1
        let mut slots = vec![[0u32; 2]; self.ev.len()];
        for (f, sides) in self.fe.iter().enumerate() {
            for &side in sides {
                let (e, slot, reversed) = ((side >> 2) as usize, side >> 1 & 1, side & 1);
                slots[e][slot as usize] += 1;
                if slot == 0 && reversed == 1 {
                    return broken(format!("face {f} runs against edge {e}, which it gave its direction"));
                }
            }
        }
        if let Some(e) = slots.iter().position(|s| s[0] != 1) {
            return broken(format!("edge {e} has {} sides of slot 0", slots[e][0]));
        }
        let degenerate = self.fv.iter().any(|[a, b, c]| a == b || b == c || c == a);
        let manifold = !degenerate && slots.iter().all(|s| s[1] <= 1);
        if mesh.edge_manifold() != manifold || mesh.degenerate_faces() != degenerate {
            return broken(format!("the flags {} do not tell what the mesh is", mesh.flags));
        }
        Ok(())
    }
    /// A patch has every face of its owned vertices, and every face at an edge of an owned face.
    fn check_complete(&self, mesh: &StaticMesh, locals: &[Local<'_>]) -> Result<()> {
        let (mut of_vertex, mut of_edge) = (vec![0u32; mesh.vertices()], vec![0u32; mesh.edges()]);
        for (fv, fe) in self.fv.iter().zip(&self.fe) {
            for i in 0..3 {
                of_vertex[fv[i] as usize] += 1;
                of_edge[(fe[i] >> 2) as usize] += 1;
            }
        }
        let complete = |l: &Local<'_>| {
            let (mut vertex, mut edge) = (vec![0u32; l.c.v_all as usize], vec![0u32; l.c.e_all as usize]);
            for f in 0..l.c.f_of_v {
                for v in l.vertices(f) {
                    vertex[v as usize] += 1;
                }
            }
            for &fe in l.fe {
                edge[(fe >> 2) as usize] += 1;
            }
            for v in 0..l.c.v_owned {
                let id = l.id(0, v);
                if vertex[v as usize] != of_vertex[id as usize] {
                    return broken(format!("patch {}: the ribbon lacks faces of vertex {id}", l.p));
                }
            }
            for e in 0..l.c.e_of_f {
                let id = l.id(1, e);
                if edge[e as usize] != of_edge[id as usize] {
                    return broken(format!("patch {}: the ribbon lacks faces at edge {id}", l.p));
                }
            }
            Ok(())
        };
        locals.par_iter().try_for_each(complete)
    }
}

fn ends(l: &Local<'_>, e: u32) -> [u32; 2] {
    let ends = l.ev[e as usize];
    [l.id(0, lo(ends)), l.id(0, hi(ends))]
}
fn sides(l: &Local<'_>, f: u32) -> [u64; 3] {
    [0, 1, 2].map(|i| {
        let fe = l.fe[3 * f as usize + i];
        (l.id(1, fe as u32 >> 2) as u64) << 2 | (fe & 3) as u64
    })
}
