//! Checking every invariant of the structure.
mod global;
mod local;
#[cfg(test)]
mod tests;

use super::StaticMesh;
use crate::{Device, DeviceKind, Error, Result};
use local::Local;
use rayon::prelude::*;
use ribbonmesh_device::{Counts, PatchRow};

/// The arrays of a mesh, on the host.
struct Snapshot<'a> {
    mesh: &'a StaticMesh,
    rows: Vec<PatchRow>,
    general_rows: Vec<u32>,
    ev: Vec<u32>,
    fe: Vec<u16>,
    ribbon_v: Vec<u32>,
    ribbon_e: Vec<u32>,
    ribbon_f: Vec<u32>,
}

/// The error for a broken invariant.
fn broken<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::Invalid(what.into()))
}

impl StaticMesh {
    /// Checks every invariant of the data structure, on the host: each id is owned once, in order; the local
    /// topology of each patch is in range, closed, and grouped as `ribbonmesh_device::MeshView` describes;
    /// all copies of an element agree; ribbons are complete; offsets of results are correct; the maps to
    /// input order are permutations. For tests and debugging. Linear in the mesh, except for sorting its
    /// edges.
    /// # Errors
    /// [`Error::Invalid`], which names the patch and the element that breaks an invariant; errors of the
    /// driver.
    pub fn validate(&self) -> Result<()> {
        if self.device().kind() == DeviceKind::Cuda {
            return self.to_device(&Device::cpu())?.validate();
        }
        let snapshot = Snapshot {
            mesh: self,
            rows: self.rows.read()?.chunks(PatchRow::WORDS as usize).filter_map(PatchRow::of_words).collect(),
            general_rows: self.general_rows.read()?,
            ev: self.ev.read()?,
            fe: self.fe.read()?,
            ribbon_v: self.ribbon_v.read()?,
            ribbon_e: self.ribbon_e.read()?,
            ribbon_f: self.ribbon_f.read()?,
        };
        if snapshot.rows.len() != self.patches() {
            return broken(format!("{} rows for {} patches", snapshot.rows.len(), self.patches()));
        }
        self.device().install(|| {
            let locals = snapshot.locals()?;
            locals.par_iter().try_for_each(Local::check)?;
            snapshot.check_ids(&locals)?;
            snapshot.check_results(&locals)?;
            global::Flat::gather(self, &locals).check(self, &locals)
        })
    }
}

impl Snapshot<'_> {
    fn locals(&self) -> Result<Vec<Local<'_>>> {
        (0..self.rows.len()).map(|p| Local::new(self, p)).collect()
    }
    /// Patches own consecutive ids, and the maps to input order are permutations.
    fn check_ids(&self, locals: &[Local<'_>]) -> Result<()> {
        let mut next = [0; 3];
        for l in locals {
            if l.first != next {
                return broken(format!(
                    "patch {} begins with the ids {:?} instead of {next:?}",
                    l.p, l.first
                ));
            }
            next = [next[0] + l.c.v_owned, next[1] + l.c.e_owned, next[2] + l.c.f_owned];
        }
        let mesh = self.mesh;
        if next != [mesh.vertices, mesh.edges, mesh.faces] {
            return broken(format!("patches own {next:?} vertices, edges and faces"));
        }
        permutation("vertex", &mesh.vertex_inputs.read()?, mesh.vertices())?;
        permutation("face", &mesh.face_inputs.read()?, mesh.faces())
    }
    /// Bases of variable-length results are prefix sums; totals and maxima are right.
    fn check_results(&self, locals: &[Local<'_>]) -> Result<()> {
        let general = !self.mesh.edge_manifold();
        if self.general_rows.len() != if general { 3 * locals.len() + 3 } else { 0 } {
            return broken(format!("{} words of bases for EF, FF and EE", self.general_rows.len()));
        }
        let (mut bases, mut generals) = ([0; 3], [0; 3]);
        let (mut total, mut max) = ([0u32; 14], [0u32; 14]);
        for l in locals {
            let p = l.p;
            if self.rows[p].bases != bases {
                return broken(format!("patch {p}: bases of VV, VE and VF are not {bases:?}"));
            }
            bases = [bases[0] + l.c.vv, bases[1] + l.c.ve, bases[2] + l.c.vf];
            if general {
                if self.general_rows[3 * p..3 * p + 3] != generals {
                    return broken(format!("patch {p}: bases of EF, FF and EE are not {generals:?}"));
                }
                let bounds = l.general_entries();
                let next: [u32; 3] = std::array::from_fn(|k| self.general_rows[3 * p + 3 + k]);
                let room: [u32; 3] = std::array::from_fn(|k| next[k].wrapping_sub(generals[k]));
                if room != bounds {
                    return broken(format!(
                        "patch {p}: room for {room:?} entries of EF, FF and EE, not {bounds:?}"
                    ));
                }
                generals = next;
            }
            let words: [u32; 17] = bytemuck::cast(l.c);
            for k in 0..14 {
                total[k] += words[k];
                max[k] = max[k].max(words[k]);
            }
        }
        let same =
            |c: Counts, expected: &[u32; 14]| bytemuck::cast::<Counts, [u32; 17]>(c)[..14] == expected[..];
        if !same(self.mesh.total, &total) || !same(self.mesh.max, &max) {
            return broken("totals or maxima over all patches");
        }
        Ok(())
    }
}

fn permutation(what: &str, inputs: &[u32], n: usize) -> Result<()> {
    let mut seen = vec![false; n];
    if inputs.len() != n {
        return broken(format!("{} inputs of {n} {what} ids", inputs.len()));
    }
    for (id, &input) in inputs.iter().enumerate() {
        match seen.get_mut(input as usize) {
            Some(s) if !*s => *s = true,
            _ => return broken(format!("{what} {id}: its input {input} is not there, or another's")),
        }
    }
    Ok(())
}
