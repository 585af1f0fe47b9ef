//! Random operations for a given time: `ribbonmesh-bench soak`.
//!
//! Sequences of operations on meshes of several kinds, each from its own seed. Every pass is checked on the
//! device, some by the oracle on the host. A failure is printed with the arguments that reproduce it.
pub mod patches;

use crate::options::Options;
use anyhow::{Context, Result, bail};
use ribbonmesh::Device;
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{SplitMix64, TriangleMesh};
use ribbonmesh_testing::trial::{Manner, Sequence, Tally, adversaries, manifolds};
use std::time::{Duration, Instant};

/// Passes of a sequence.
const PASSES: u64 = 60;
/// Seconds between two lines about the state of things.
const SECONDS: u64 = 30;

/// A mesh, and how often the oracle looks: one in this many passes.
struct Subject {
    name: &'static str,
    shape: TriangleMesh,
    manner: Manner,
    every: u32,
}

/// Faces around a vertex of adversarial meshes.
const AROUND: u32 = 1000;

fn subjects() -> Result<Vec<Subject>> {
    let of = |(name, shape): (&'static str, TriangleMesh), every| Subject {
        name,
        shape,
        manner: Manner::Random,
        every,
    };
    let mut all: Vec<Subject> = manifolds()?.into_iter().map(|s| of(s, 2)).collect();
    all.extend(adversaries(AROUND)?.into_iter().map(|s| of(s, 10)));
    all.push(of(("torus of 20 thousand faces", shapes::torus(100, 1)?), 20));
    all.push(of(("grid of 20 thousand faces", shapes::grid(100, 2)?), 20));
    all.push(of(("bumpy sphere of 82 thousand faces", shapes::bumpy_sphere(6, 1)?), 40));
    let manner = Manner::EveryEdge;
    let (shape, every) = (shapes::torus(30, 1)?, 5);
    all.push(Subject { name: "torus, every edge", shape, manner, every });
    Ok(all)
}

/// Runs until the time is over or something fails.
/// # Errors
/// A failure, with the sequence's seed.
pub fn run(device: &Device, options: &Options) -> Result<()> {
    let length = Duration::from_secs_f64(60.0 * options.minutes);
    let (start, subjects) = (Instant::now(), subjects()?);
    println!("soak on {}, seed {}, {} minutes", device.name(), options.seed, options.minutes);
    let (mut seeds, mut sequences, mut sum) = (SplitMix64::new(options.seed), 0u64, Tally::default());
    let mut said = Instant::now();
    if let Some(only) = &options.sequence {
        let (name, seed) = only.split_once(':').context("--sequence is NAME:SEED")?;
        let subject = subjects.iter().find(|s| s.name == name).context("there is no mesh of this name")?;
        let tally = sequence(device, subject, seed.parse().context("the seed is not a number")?, None)?;
        println!("no failure: {tally:?}");
        return Ok(());
    }
    while start.elapsed() < length {
        // meshes in turns, so that each is met in a short time, too
        let subject = &subjects[(sequences % subjects.len() as u64) as usize];
        sum.add(&sequence(device, subject, seeds.bits(), Some(start + length))?);
        sequences += 1;
        if said.elapsed().as_secs() >= SECONDS {
            said = Instant::now();
            println!("{:.0} s: {}", start.elapsed().as_secs_f64(), line(options.seed, sequences, &sum));
        }
    }
    println!("{}, 0 failures", line(options.seed, sequences, &sum));
    Ok(())
}

fn line(seed: u64, sequences: u64, t: &Tally) -> String {
    format!(
        "seed {seed}: {sequences} sequences, {} passes, {} operations, {} rejections, {} validations on the device, {} checks by \
         the oracle, {} compactions, grown {} times, begun anew {} times",
        t.passes, t.operations, t.rejected, t.validations, t.checks, t.compactions, t.grown, t.restarts
    )
}

/// One sequence, to its end or that of the time.
fn sequence(device: &Device, subject: &Subject, seed: u64, end: Option<Instant>) -> Result<Tally> {
    let Subject { name, shape, manner, every } = subject;
    let mut sequence = Sequence::new(device, shape, *manner, seed, *every).map_err(anyhow::Error::msg)?;
    while sequence.tally.passes < PASSES && end.is_none_or(|end| Instant::now() < end) {
        if let Err(error) = sequence.step() {
            let (pass, last) = (sequence.tally.passes, &sequence.last);
            let machine = if device.kind() == ribbonmesh::DeviceKind::Cuda { "cuda" } else { "cpu" };
            bail!(
                "1 failure: {name}, sequence seed {seed}, pass {pass}, {last}: {error}\n\
                 to see it again: ribbonmesh-bench soak --machine {machine} --sequence \"{name}:{seed}\""
            );
        }
    }
    Ok(sequence.tally)
}
