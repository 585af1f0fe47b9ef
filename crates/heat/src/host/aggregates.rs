//! A preconditioner of shells: the diagonal, and the means of aggregates.
use super::carry::Carries;
use crate::device::aggregate::{AddMeans, JoinNone, JoinStrong, LeadAggregates, MatesArguments};
use crate::device::carried::Planar;
use crate::device::matrix::RowsArguments;
use ribbonmesh::device::{BufferView, NONE, tiles};
use ribbonmesh::{Buffer, Error, Result, array};
use ribbonmesh_linear::Preconditioner;
use std::marker::PhantomData;

/// Rounds in which vertices find an aggregate; most do in the first five.
const ROUNDS: usize = 12;
/// A shell with more aggregates than this part of its vertices does without.
const WORTH: f64 = 0.7;

/// Aggregates of vertices between which heat flows much faster than it sinks: where edges are short, or
/// triangles are slivers. Only the time and the mesh decide about them, so all sources share them.
pub struct Aggregates {
    roots: Buffer<u32>,
    groups: array::Groups,
}
impl Aggregates {
    /// Finds them. Linear; the same in every run.
    pub fn new(time: f64, rows: RowsArguments<'_>, scales: &Buffer<f64>) -> Result<Self> {
        let (device, n) = (scales.device(), scales.len());
        let (mut from, mut roots) = (device.unspecified::<u32>(n)?, device.unspecified::<u32>(n)?);
        array::fill(&mut from, NONE)?;
        for _ in 0..ROUNDS {
            let join =
                JoinStrong { time, rows, scales: scales.view(), from: from.view(), to: roots.view_mut() };
            device.launch_each(n as u32, join)?;
            std::mem::swap(&mut from, &mut roots);
        }
        let mut roots = from;
        device.launch_each(n as u32, JoinNone { roots: roots.view_mut() })?;
        let groups = array::group_by(&roots, n as u32)?;
        Ok(Self { roots, groups })
    }
    /// The root of each vertex: itself, or a neighbour.
    pub fn roots(&self) -> &Buffer<u32> {
        &self.roots
    }
    /// Whether there are so few that they are worth their time in shells of the whole mesh. Waits.
    pub fn are_worth_it(&self) -> Result<bool> {
        let roots = self.roots.read()?;
        let own = (0..).zip(&roots).filter(|&(v, root): &(u32, _)| v == *root).count();
        Ok(own as f64 <= WORTH * roots.len() as f64)
    }
    /// Those of a shell's vertices, which `locals` numbers; `None` where they are not worth their time.
    /// Vectors turn by the first turns along entries of the rows, and by the second ones from roots to
    /// vertices.
    pub fn of_shell<'a, N: Carries>(
        &'a self,
        time: f64,
        rows: RowsArguments<'_>,
        (turns, from_roots): (BufferView<'_, Planar>, BufferView<'a, Planar>),
        scales: &'a Buffer<f64>,
        list: &'a Buffer<u32>,
        locals: &'a Buffer<u32>,
    ) -> Result<Option<Means<'a, N>>> {
        let (device, n) = (list.device(), list.len());
        let (mut gains, mut leads) = (device.unspecified::<f64>(n)?, device.unspecified::<u32>(n)?);
        let mates = MatesArguments {
            roots: self.roots.view(),
            starts: self.groups.starts().view(),
            places: self.groups.places().view(),
            locals: locals.view(),
            turns: from_roots,
        };
        let (gains_view, leads_view) = (gains.view_mut(), leads.view_mut());
        let lead = LeadAggregates {
            time,
            rows,
            turns,
            scales: scales.view(),
            mates,
            list: list.view(),
            gains: gains_view,
            leads: leads_view,
        };
        device.launch_each(n as u32, lead.of::<N>())?;
        if array::sum(&leads)? as f64 > WORTH * n as f64 {
            return Ok(None);
        }
        let z = device.zeros(N::LANES * n)?;
        Ok(Some(Means { mates, scales, list, gains, leads, z, of: PhantomData }))
    }
}

/// The preconditioner of a shell.
pub struct Means<'a, N> {
    mates: MatesArguments<'a>,
    scales: &'a Buffer<f64>,
    list: &'a Buffer<u32>,
    gains: Buffer<f64>,
    leads: Buffer<u32>,
    z: Buffer<f64>,
    of: PhantomData<N>,
}
impl<N: Carries> Preconditioner<Buffer<f64>, Error> for Means<'_, N> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &Buffer<f64>) -> Result<&Buffer<f64>> {
        let (device, n) = (self.list.device(), self.list.len() as u32);
        let add = AddMeans {
            n,
            state,
            mates: self.mates,
            scales: self.scales.view(),
            list: self.list.view(),
            leads: self.leads.view(),
            gains: self.gains.view(),
            r: r.view().wide::<N>(),
            z: self.z.view_mut().wide(),
        };
        device.launch(tiles(n), add)?;
        Ok(&self.z)
    }
}
