//! The same work by locks on patches, as Mahmoud's thesis resolves conflicts (5.2, 5.3), beside claims: tables 5.2 and 5.3, figure 5.7.
use super::{Work, delaunay, remesh};
use crate::options::Options;
use anyhow::Result;
use ribbonmesh::Device;
use ribbonmesh::dynamic::{Resolver, SpeculationStatistics};
use serde::Serialize;
use std::fmt::Write;

/// What the blocks did in one piece of work.
#[derive(Serialize)]
pub struct Steps {
    /// Faces of the mesh.
    pub faces: usize,
    /// By pass and by step.
    pub statistics: SpeculationStatistics,
}

/// Times by locks, and what the blocks of the flips did.
pub fn measure(device: &Device, options: &Options) -> Result<(Vec<Work>, Vec<Steps>)> {
    let (mut work, steps) = delaunay::measure_by(device, options, Resolver::Speculative)?;
    work.extend(remesh::measure_by_locks(device, options)?);
    Ok((work, steps))
}

/// The statistics as tables.
pub fn table(all: &[Steps]) -> Result<String> {
    let mut text = String::new();
    for Steps { faces, statistics: s } in all {
        writeln!(text, "\n## By locks: flips of {faces} faces\n")?;
        writeln!(
            text,
            "{} patches, at most {} blocks, {} bytes for patches.\n",
            s.patches, s.blocks, s.bytes
        )?;
        writeln!(
            text,
            "| pass | patches | refused | dropped | locked more | candidates | executed | locks | sliced | alone | waited |"
        )?;
        writeln!(text, "|---|---|---|---|---|---|---|---|---|---|---|")?;
        for (i, p) in s.passes.iter().enumerate() {
            writeln!(
                text,
                "| {i} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                p.processed,
                p.refused,
                p.dropped,
                p.extended,
                p.candidates,
                p.executed,
                p.locks,
                p.sliced,
                p.alone,
                p.waited
            )?;
        }
        let parts: Vec<String> =
            s.steps.iter().map(|(name, part)| format!("{name} {:.1} %", 100.0 * part)).collect();
        writeln!(text, "\nTime of the blocks: {}.", parts.join(", "))?;
    }
    Ok(text)
}
