//! Aggregates of nodes.
use super::blocks::{Blocks, Pattern};
use super::error::Result;
use crate::device::aggregate::{
    DecideNodes, DiagonalLengths, FlagMembers, FlagRoots, GraphArguments, JoinNeighbours, JoinRoots,
    ListMembers, OpenNodes, SpreadWords, Strengths,
};
use ribbonmesh::{Buffer, array};
use std::sync::Arc;

/// Rounds after which nodes that are not decided stay without an aggregate. A round decides at least the node
/// of the greatest hash, and in practice most nodes; ten are many.
const ROUNDS: usize = 64;

/// The aggregate of each node.
#[derive(Debug)]
pub struct Aggregates {
    /// The number of aggregates.
    pub count: usize,
    /// The aggregate of each node; `count` for nodes whose unknowns are all fixed, and for those without
    /// neighbours.
    pub of: Buffer<u32>,
    /// The nodes with an aggregate, and their aggregates, as a matrix.
    pub members: Arc<Pattern>,
}
impl Aggregates {
    /// Finds aggregates: roots with their neighbours, where no two roots have a common neighbour; other nodes
    /// join the neighbour on which they depend most. Neighbours are nodes with a block longer than `strength`
    /// by the mean of both diagonal blocks' lengths. `diagonal` has the places of the diagonal.
    pub fn new(a: &Blocks<f64>, diagonal: &Buffer<u32>, words: &Buffer<u32>, strength: f64) -> Result<Self> {
        let (device, nodes) = (a.device(), a.pattern.rows() as u32);
        let strengths = strengths(a, diagonal, words, strength)?;
        let mut states = device.unspecified::<u64>(nodes as usize)?;
        let mut spread = device.unspecified::<u64>(nodes as usize)?;
        device.launch_each(nodes, OpenNodes { graph: graph(a, &strengths), words: states.view_mut() })?;
        for _ in 0..ROUNDS {
            let mut open = device.zeros::<u32>(1)?;
            let (from, to) = (states.view(), spread.view_mut());
            device.launch_each(nodes, SpreadWords { graph: graph(a, &strengths), words: from, to })?;
            let (spread, words) = (spread.view(), states.view_mut());
            let decide = DecideNodes { graph: graph(a, &strengths), spread, words, open: open.view_mut() };
            device.launch_each(nodes, decide)?;
            if open.read()?[0] == 0 {
                break;
            }
        }
        let mut numbers = device.unspecified::<u32>(nodes as usize + 1)?;
        let flag = FlagRoots { nodes, words: states.view(), to: numbers.view_mut() };
        device.launch_each(nodes + 1, flag)?;
        let none = array::exclusive_scan(&mut numbers)?;
        let (mut first, mut of) = (device.unspecified(nodes as usize)?, device.unspecified(nodes as usize)?);
        let (words, numbers) = (states.view(), numbers.view());
        let join = JoinRoots { none, graph: graph(a, &strengths), words, numbers, to: first.view_mut() };
        device.launch_each(nodes, join)?;
        let join =
            JoinNeighbours { none, graph: graph(a, &strengths), from: first.view(), to: of.view_mut() };
        device.launch_each(nodes, join)?;
        let members = Arc::new(members(&of, none)?);
        Ok(Self { count: none as usize, of, members })
    }
}
fn graph<'a>(a: &'a Blocks<f64>, strengths: &'a Buffer<f32>) -> GraphArguments<'a> {
    GraphArguments { rows: a.pattern.view(), strengths: strengths.view() }
}
/// The strength of each entry.
pub fn strengths(
    a: &Blocks<f64>,
    diagonal: &Buffer<u32>,
    words: &Buffer<u32>,
    strength: f64,
) -> Result<Buffer<f32>> {
    let (device, nodes) = (a.device(), a.pattern.rows() as u32);
    let mut lengths = device.unspecified::<f64>(nodes as usize)?;
    let kernel = DiagonalLengths {
        numbers: a.height * a.width,
        diagonal: diagonal.view(),
        values: a.values.view(),
        to: lengths.view_mut(),
    };
    device.launch_each(nodes, kernel)?;
    let mut to = device.unspecified::<f32>(a.pattern.len())?;
    let kernel = Strengths {
        size: a.height,
        threshold: strength,
        rows: a.pattern.rows.view(),
        columns: a.pattern.indices.view(),
        values: a.values.view(),
        lengths: lengths.view(),
        words: words.view(),
        to: to.view_mut(),
    };
    device.launch_each(a.pattern.len() as u32, kernel)?;
    Ok(to)
}
/// The nodes with an aggregate as rows of one entry each.
fn members(of: &Buffer<u32>, none: u32) -> Result<Pattern> {
    let (device, nodes) = (of.device(), of.len() as u32);
    let mut starts = device.unspecified::<u32>(nodes as usize + 1)?;
    device.launch_each(nodes + 1, FlagMembers { nodes, none, of: of.view(), to: starts.view_mut() })?;
    let len = array::exclusive_scan(&mut starts)? as usize;
    let (mut indices, mut rows) = (device.unspecified::<u32>(len)?, device.unspecified::<u32>(len)?);
    let list = ListMembers {
        none,
        of: of.view(),
        starts: starts.view(),
        columns: indices.view_mut(),
        rows: rows.view_mut(),
    };
    device.launch_each(nodes, list)?;
    Ok(Pattern { columns: none, starts, indices, rows })
}
