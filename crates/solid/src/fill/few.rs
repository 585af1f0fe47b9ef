//! Fillings of the holes of few faces, one after the other, each with more edges refused.
use crate::fill::exact::Least;
use crate::fill::filler::{Filler, Strips};
use crate::fill::grow::{Done, put_together};
use crate::fill::loops::{Loops, loops};
use crate::fill::one::Again;
use crate::fill::plan::Plan;
use crate::fill::search::{are_chosen, describe, groups, plan_pairs};
use crate::fill::surroundings::Surroundings;
use crate::fill::{FillError, FillOptions, FillReport, Hole, NotJoined};
use ribbonmesh::device::NONE;
use ribbonmesh_mesh::TriangleMesh;
use rustc_hash::FxHashSet;

/// A mesh of few faces, an oriented manifold except that its boundary loops may touch, whose holes are filled
/// as by [`fill_holes_where`](crate::fill::fill_holes_where) with
/// [`FillOptions::borders`](crate::fill::FillOptions), but on the calling thread, without a device.
pub(crate) struct Few {
    part: Surroundings,
    found: Loops,
    holes: Vec<Hole>,
    plan: Plan,
    not_joined: Vec<NotJoined>,
    /// Sets of holes, and the last filling of each.
    groups: Vec<Vec<usize>>,
    states: Vec<State>,
    /// The set of each vertex; [`NONE`] for others.
    of_vertices: Vec<u32>,
}

/// The last filling of a set of holes.
#[derive(Default)]
struct State {
    done: Vec<(usize, Done)>,
    /// The triangulations of a hole that is alone in its set. In other sets, edges of one hole make those of
    /// the next ones legal or not.
    least: Option<Least>,
    /// The strips of pairs of holes.
    strips: Strips,
    /// Edges that were refused after the last filling.
    refused: Vec<[u32; 2]>,
}

impl Few {
    /// Finds the holes that a function chooses, which gets their vertices, and the pairs that are to be
    /// joined.
    /// # Errors
    /// As [`fill_holes_where`](crate::fill::fill_holes_where).
    pub fn new(
        mesh: TriangleMesh,
        options: &FillOptions,
        chosen: impl Fn(&[u32]) -> bool,
    ) -> Result<Self, FillError> {
        let part = Surroundings::of_few(mesh);
        let found = loops(&part)?;
        let holes = describe(&part, &found);
        let mut plan = Plan::new(options, &holes, are_chosen(&part, &found, chosen), &[]);
        let not_joined = plan_pairs(&part, &found, &[], &mut plan);
        let groups = groups(&part, &found, &plan);
        let states = groups.iter().map(|_| State::default()).collect();
        let mut of_vertices = vec![NONE; part.vertices.len() + found.copies.len()];
        for (number, group) in (0..).zip(&groups) {
            let vertices = group.iter().flat_map(|&i| &found.loops[i].vertices);
            vertices.for_each(|&v| of_vertices[v as usize] = number);
        }
        Ok(Self { part, found, holes, plan, not_joined, groups, states, of_vertices })
    }
    /// Fills the holes again and again. `next` gets the filled mesh, and returns edges that the next filling
    /// avoids as far as others allow it, in addition to those of before: pairs of its vertices, the lesser
    /// first. Without a new one, this ends.
    ///
    /// Each filling is that of all refused edges at once. But loops and pairs were found once, only holes
    /// with a newly refused edge are filled again, and of these only what changes is triangulated again
    /// ([`Least::refuse`]).
    /// # Errors
    /// As [`fill_holes_where`](crate::fill::fill_holes_where).
    pub fn fill(
        mut self,
        mut next: impl FnMut(TriangleMesh, FillReport) -> Vec<[u32; 2]>,
    ) -> Result<(), FillError> {
        let mut refused: FxHashSet<[u32; 2]> = FxHashSet::default();
        loop {
            let is_refused = |edge: [u32; 2]| refused.contains(&edge);
            let filler = Filler::of(&self.part, &self.found, &is_refused);
            for (group, state) in self.groups.iter().zip(&mut self.states) {
                state.fill(group, &self.found, &self.plan, &filler)?;
            }
            let done = self.states.iter().flat_map(|state| state.done.iter().cloned());
            let (part, mesh) = (&self.part, self.part.mesh.clone());
            let (report, grown) =
                put_together(part, mesh, &self.found, &self.holes, done, self.not_joined.clone())?;
            let mut new = next(grown.map_or_else(|| part.mesh.clone(), |grown| grown.mesh), report);
            new.retain(|edge| refused.insert(*edge));
            if new.is_empty() {
                return Ok(());
            }
            for edge in new {
                // an edge with a new vertex, or between sets, is in no triangulation
                let [a, b] = edge.map(|v| self.of_vertices.get(v as usize).copied().unwrap_or(NONE));
                if let Some(state) = self.states.get_mut(a as usize).filter(|_| a == b) {
                    state.refused.push(edge);
                }
            }
        }
    }
}

impl State {
    /// Fills the holes unless they are filled, and no edge of them was refused since.
    fn fill(
        &mut self,
        group: &[usize],
        found: &Loops,
        plan: &Plan,
        filler: &Filler<'_>,
    ) -> ribbonmesh::Result<()> {
        let edges = std::mem::take(&mut self.refused);
        if !self.done.is_empty() && edges.is_empty() {
            return Ok(());
        }
        let alone = match group {
            [alone] => Some(&found.loops[*alone].vertices),
            _ => None,
        };
        let again = alone.map(|vertices| {
            let place = |v: u32| vertices.iter().position(|other| *other == v);
            let refused = edges.iter().filter_map(|&[a, b]| Some([place(a)?, place(b)?])).collect();
            Again { least: &mut self.least, refused }
        });
        self.done = filler.fill_group(group, plan, again, &mut self.strips)?;
        Ok(())
    }
}
