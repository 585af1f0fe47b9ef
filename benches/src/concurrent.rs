//! Locks, the queue and the tables of the thesis's dynamic mesh (5.3.1, 5.3.3), each by itself.
use crate::options::Options;
use crate::report::{Report, row};
use crate::timed;
use anyhow::{Result, ensure};
use ribbonmesh::device::Out;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_concurrent::{CuckooTable, LinearTable, Locks, Queue};
use ribbonmesh_testing::concurrent::locks::TakeTurns;
use ribbonmesh_testing::concurrent::queue::WorkOff;
use ribbonmesh_testing::concurrent::tables::{CUCKOO, DIRECT, LINEAR, UseTables};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

/// Entries of a ribbon; the greatest local index, with what is owned; of vertices, of edges and faces of a
/// patch of 256 faces and its ribbon, and of one twice as large.
const RIBBONS: [(u32, u32); 3] = [(100, 260), (300, 700), (600, 1400)];
/// Times that a table is made, or each key is looked up.
const TIMES: u32 = 200;

/// One row of a table.
#[derive(Serialize)]
struct Measured {
    what: String,
    case: String,
    blocks: u32,
    /// Nanoseconds of one, in one block: a table made, all keys looked up, a turn of a lock, a value of the
    /// queue.
    ns: f64,
    /// Million of these in a second, of all blocks.
    millions: f64,
    /// How often a lock was refused for each turn.
    refused: f64,
}

/// The median of seconds.
fn seconds_of(device: &Device, runs: usize, work: impl FnMut() -> Result<()>) -> Result<f64> {
    Ok(1e-3 * timed::median(device, runs, work)?.0)
}

/// Words as the host leaves them that works on them.
fn words(n: u32, work: impl FnOnce(&[AtomicU32])) -> Vec<u32> {
    let words: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
    work(&words);
    words.into_iter().map(AtomicU32::into_inner).collect()
}

/// Keys in an order that looks random.
fn shuffled(n: u32, seed: &mut u64) -> Vec<u32> {
    let mut all: Vec<u32> = (0..n).collect();
    for i in (1..n as usize).rev() {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(i, (*seed >> 33) as usize % (i + 1));
    }
    all
}

fn tables(device: &Device, blocks: u32, runs: usize) -> Result<Vec<Measured>> {
    let mut all = vec![];
    for (n, most) in RIBBONS {
        let mut seed = 5;
        let entries: Vec<[u32; 2]> = (0..blocks)
            .flat_map(|_| shuffled(most, &mut seed)[..n as usize].to_vec())
            .map(|key| [key, key * 7])
            .collect();
        let entries = device.upload(&entries)?;
        let mut sums = device.zeros::<u32>(blocks as usize)?;
        let mut failed = device.zeros::<u32>(blocks as usize)?;
        let kinds = [
            (DIRECT, "a word per local index", most),
            (LINEAR, "linear probing", LinearTable::<Out<'_, u32>>::words_for(n)),
            (CUCKOO, "cuckoo hashing", CuckooTable::<Out<'_, u32>>::words_for(n)),
        ];
        for (kind, name, words) in kinds {
            let mut run = |builds, lookups| {
                seconds_of(device, runs, || {
                    let kernel = UseTables {
                        kind,
                        words,
                        n,
                        builds,
                        lookups,
                        entries: entries.view(),
                        sums: sums.view_mut(),
                        failed: failed.view_mut(),
                    };
                    device.launch(blocks, kernel)?;
                    Ok(())
                })
            };
            let once = run(1, 0)?;
            let (building, looking) = (run(TIMES + 1, 0)? - once, run(1, TIMES)? - once);
            ensure!(failed.read()?.iter().all(|&n| n == 0), "{name}: a table of {n} entries was full");
            eprintln!(
                "{n} entries, {name}: {:.2} µs made, {:.2} µs looked up",
                1e6 * building / TIMES as f64,
                1e6 * looking / TIMES as f64
            );
            for (work, seconds) in [("made", building), ("all looked up", looking)] {
                all.push(Measured {
                    what: format!("table, {work}"),
                    case: format!("{n} entries in {words} words, {name}"),
                    blocks,
                    ns: 1e9 * seconds / TIMES as f64,
                    millions: 1e-6 * TIMES as f64 * blocks as f64 / seconds,
                    refused: 0.0,
                });
            }
        }
    }
    Ok(all)
}

fn locks(device: &Device, blocks: u32, runs: usize) -> Result<Vec<Measured>> {
    let mut all = vec![];
    let mut seed = 9;
    // neighbourhoods of seven patches, out of `patches` for each block
    let neighbourhoods = |patches: u32, seed: &mut u64| -> Vec<Vec<u32>> {
        (0..blocks)
            .map(|i| {
                let at = (i as u64 * patches as u64 / blocks as u64) as u32;
                shuffled(7, seed).into_iter().map(|k| (at + k * k) % patches).collect()
            })
            .collect()
    };
    let ascending = |mut sets: Vec<Vec<u32>>| {
        sets.iter_mut().for_each(|set| set.sort_unstable());
        sets
    };
    let cases: [(&str, u32, Vec<Vec<u32>>); 8] = [
        ("each block its own lock", blocks, (0..blocks).map(|i| vec![i]).collect()),
        ("seven of ten patches a block", 10 * blocks, neighbourhoods(10 * blocks, &mut seed)),
        (
            "seven of ten patches a block, ascending",
            10 * blocks,
            ascending(neighbourhoods(10 * blocks, &mut seed)),
        ),
        (
            "seven of one patch a block, ascending",
            blocks.max(64),
            ascending(neighbourhoods(blocks.max(64), &mut seed)),
        ),
        ("seven of 64 patches, ascending", 64, ascending(neighbourhoods(64, &mut seed))),
        ("seven of one patch a block", blocks.max(64), neighbourhoods(blocks.max(64), &mut seed)),
        ("seven of 64 patches", 64, neighbourhoods(64, &mut seed)),
        ("one lock for all", 1, vec![vec![0]]),
    ];
    for (case, patches, sets) in cases {
        let wanted = device.upload(&sets.concat())?;
        let free = words(Locks::<Out<'_, u32>>::words_for(patches), |words| {
            (0..patches).for_each(|lock| Locks::new(words, 0).clear(lock));
        });
        let mut words = device.upload(&free)?;
        let mut counters = device.zeros::<u32>(patches as usize)?;
        let mut refused = device.zeros::<u32>(blocks as usize)?;
        for tries in [0, 16, 256] {
            let turns = 10;
            // a launch under contention takes a tenth of a second and more
            let seconds = seconds_of(device, runs.min(3), || {
                let kernel = TakeTurns {
                    turns,
                    tries,
                    sets: sets.len() as u32,
                    each: sets[0].len() as u32,
                    wanted: wanted.view(),
                    locks: words.view_mut(),
                    counters: counters.view_mut(),
                    refused: refused.view_mut(),
                };
                device.launch(blocks, kernel)?;
                Ok(())
            })?;
            let turns_of_all = turns as f64 * blocks as f64;
            eprintln!("{case}, {tries} tries: {:.3} ms for {turns} turns", 1e3 * seconds);
            let refused: u64 = refused.read()?.into_iter().map(u64::from).sum();
            all.push(Measured {
                what: "locks, a turn with all of them".to_owned(),
                case: format!("{case}, {tries} tries"),
                blocks,
                ns: 1e9 * seconds / turns as f64,
                millions: 1e-6 * turns_of_all / seconds,
                refused: refused as f64 / turns_of_all,
            });
        }
    }
    Ok(all)
}

fn queue(device: &Device, blocks: u32, runs: usize) -> Result<Vec<Measured>> {
    let mut all = vec![];
    for most in [1000, 100_000] {
        let mut begun = Ok(());
        let first = words(Queue::<Out<'_, u32>>::words_for(2 * most + 2), |words| {
            begun = Queue::new(words).begin(1);
        });
        ensure!(begun.is_ok(), "the queue was full");
        let mut queue = device.upload(&first)?;
        let mut seen = device.zeros::<u32>(2 * most as usize + 2)?;
        let mut full = device.zeros::<u32>(1)?;
        let mut seconds = vec![];
        for _ in 0..=runs {
            queue.write_range(0, &first)?;
            device.synchronize()?;
            let start = Instant::now();
            let kernel = WorkOff {
                most,
                retries: 0,
                queue: queue.view_mut(),
                seen: seen.view_mut(),
                full: full.view_mut(),
            };
            device.launch(blocks, kernel)?;
            device.synchronize()?;
            seconds.push(start.elapsed().as_secs_f64());
        }
        ensure!(full.read()? == [0], "the queue was full");
        seconds.sort_by(f64::total_cmp);
        let (seconds, values) = (seconds[seconds.len() / 2], (2 * most - 1) as f64);
        all.push(Measured {
            what: "queue, a value popped and two pushed".to_owned(),
            case: format!("{values} values, from one"),
            blocks,
            ns: 1e9 * seconds / values * blocks as f64,
            millions: 1e-6 * values / seconds,
            refused: 0.0,
        });
    }
    Ok(all)
}

/// Measures and writes `concurrent.json` and `concurrent.md`; returns these.
pub fn run(device: &Device, options: &Options, mut report: Report) -> Result<[PathBuf; 2]> {
    let on_cpu = device.kind() == DeviceKind::Cpu;
    let runs = options.repeat.unwrap_or(if on_cpu { 3 } else { 20 }).max(1);
    // four blocks on each multiprocessor
    let blocks = if on_cpu { 2 } else { 4 * device.multiprocessors() };
    let mut measured = tables(device, blocks, runs)?;
    measured.extend(locks(device, blocks, runs)?);
    measured.extend(queue(device, blocks, runs)?);
    report.machine.jit_seconds = device.loading().seconds;
    let mut text = String::new();
    writeln!(text, "# Locks, a queue, tables: {}\n", report.machine.name)?;
    writeln!(
        text,
        "{}, version {}. All blocks at once. *ns*: of one, in one block: a table that is cleared and made, {TIMES} times; all its keys looked up, {TIMES} times; a turn \
         with all locks, with loads and stores under them; a value of the queue. *Refused*: how often a block had to give back its locks, for each turn. Tables have \
         a load of 0.8.\n",
        report.date,
        env!("CARGO_PKG_VERSION"),
    )?;
    let head = ["what", "case", "blocks", "ns", "million/s", "refused"];
    row(&mut text, &head)?;
    row(&mut text, &vec!["---"; head.len()])?;
    for m in &measured {
        let refused =
            if m.what.starts_with("locks") { format!("{:.2}", m.refused) } else { "–".to_owned() };
        row(
            &mut text,
            &[
                m.what.clone(),
                m.case.clone(),
                m.blocks.to_string(),
                format!("{:.0}", m.ns),
                format!("{:.2}", m.millions),
                refused,
            ],
        )?;
    }
    report.write_work(&options.output, "concurrent", &measured, &text)
}
