//! A server and clients that come, stall, lie and vanish, for a given time: `ribbonmesh-bench soak --stream`.
use super::lives::{KINDS, Lived, live};
use super::served::{Moving, Place};
use anyhow::{Context, Result, bail, ensure};
use ribbonmesh::Device;
use ribbonmesh_mesh::SplitMix64;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_render::Up;
use ribbonmesh_serve::{MeshSource, Options, Server};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// Clients at a time; the server has places for more.
const CLIENTS: u64 = 10;
/// Subdivisions of the sphere that is served: 20 thousand faces.
const LEVEL: u32 = 5;
/// The time between two looks at the memory.
const LOOK: Duration = Duration::from_millis(250);
/// The time between two lines about the state of things.
const SAY: Duration = Duration::from_secs(30);
/// Memory by which the last quarter of the time may exceed the second one: a part of it, and bytes; more in
/// runs that are shorter than the time in which a server takes its memory.
const GROWTH: (f64, f64) = (0.1, 16e6);
const GROWTH_AT_FIRST: f64 = 32e6;
const AT_FIRST: Duration = Duration::from_secs(120);
/// The time in which all that clients leave behind is gone: longer than a client may stall.
const GONE: Duration = Duration::from_secs(40);

/// Threads of this process that have panicked.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// All that has happened.
#[derive(Default)]
struct Tally {
    lives: BTreeMap<&'static str, u64>,
    lived: Lived,
    failure: Option<String>,
}

/// Runs until the time is over or something fails.
/// # Errors
/// A client that did not get what it must, a panic, memory that grows, threads or files that remain.
pub fn run(device: &Device, length: Duration, seed: u64) -> Result<()> {
    count_panics();
    println!(
        "soak of the server on {}, seed {seed}, {:.1} minutes",
        device.name(),
        length.as_secs_f64() / 60.0
    );
    let mesh = bumpy_sphere(LEVEL, 1)?;
    let mut source = Moving::new(MeshSource::new(device, &mesh, "sphere", Up::Y)?);
    let mut server = Server::bind(Options::default())?;
    let (place, ends, tally) = (Place::of(&server), AtomicBool::new(false), Mutex::new(Tally::default()));
    let before = Left::now()?;
    let panicked = PANICS.load(Ordering::Relaxed);
    let mut sizes = vec![];
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..CLIENTS)
            .map(|k| {
                let (place, ends, tally) = (&place, &ends, &tally);
                scope.spawn(move || lives(place, SplitMix64::new(seed ^ k << 32), ends, tally))
            })
            .collect();
        let outcome = watch(&mut server, &mut source, length, &tally, &mut sizes);
        ends.store(true, Ordering::Relaxed);
        // they wait for answers
        while workers.iter().any(|worker| !worker.is_finished()) {
            server.poll(&mut source, Duration::from_millis(10));
        }
        outcome
    })?;
    let said = line(&tally, &sizes);
    ensure!(PANICS.load(Ordering::Relaxed) == panicked, "a thread has panicked; {said}");
    if let Some(failure) = tally.into_inner().ok().and_then(|tally| tally.failure) {
        bail!("{failure}; {said}");
    }
    nothing_left(&mut server, &mut source, &before)?;
    let [early, late] = growth(&sizes);
    let bytes = if length < AT_FIRST { GROWTH_AT_FIRST } else { GROWTH.1 };
    let most = early * (1.0 + GROWTH.0) + bytes;
    ensure!(late <= most, "memory grows from {:.1} to {:.1} MB; {said}", early / 1e6, late / 1e6);
    println!("{said}, 0 failures; memory {:.1} MB early, {:.1} MB late", early / 1e6, late / 1e6);
    Ok(())
}

/// Counts panics of all threads, beside what is done with them.
fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            usual(info);
        }));
    });
}

/// One client after the other.
fn lives(place: &Place, mut random: SplitMix64, ends: &AtomicBool, tally: &Mutex<Tally>) {
    while !ends.load(Ordering::Relaxed) {
        let kind = random.of(&KINDS);
        let outcome = live(kind, place, &mut random);
        let Ok(mut tally) = tally.lock() else { return };
        *tally.lives.entry(kind).or_default() += 1;
        match outcome {
            Ok(lived) => {
                tally.lived.frames += lived.frames;
                tally.lived.wait = tally.lived.wait.max(lived.wait);
            }
            Err(error) => {
                tally.failure.get_or_insert(format!("{kind}: {error:#}"));
                return;
            }
        }
    }
}

/// Serves, and looks at the memory, until the time is over or a client has failed.
fn watch(
    server: &mut Server,
    source: &mut Moving,
    length: Duration,
    tally: &Mutex<Tally>,
    sizes: &mut Vec<f64>,
) -> Result<()> {
    let begin = Instant::now();
    let (mut looked, mut said) = (begin, begin);
    while begin.elapsed() < length {
        if source.plays {
            source.advance();
        }
        server.poll(source, Duration::from_millis(10));
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            sizes.push(Left::now()?.resident);
            if tally.lock().is_ok_and(|tally| tally.failure.is_some()) {
                break;
            }
        }
        if said.elapsed() >= SAY {
            said = Instant::now();
            println!("{:.0} s: {}", begin.elapsed().as_secs_f64(), line(tally, sizes));
        }
    }
    Ok(())
}

fn line(tally: &Mutex<Tally>, sizes: &[f64]) -> String {
    let Ok(tally) = tally.lock() else { return "a thread has panicked".into() };
    let lives: Vec<_> = tally.lives.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!(
        "clients: {}; {} frames, the longest wait {:.2} s; {:.1} MB",
        lives.join(", "),
        tally.lived.frames,
        tally.lived.wait.as_secs_f64(),
        sizes.last().unwrap_or(&0.0) / 1e6
    )
}

/// Serves until the clients' threads and files are gone.
fn nothing_left(server: &mut Server, source: &mut Moving, before: &Left) -> Result<()> {
    let begin = Instant::now();
    loop {
        server.poll(source, Duration::from_millis(50));
        let now = Left::now()?;
        if server.clients() == 0 && now.threads <= before.threads && now.files <= before.files {
            return Ok(());
        }
        let clients = server.clients();
        ensure!(begin.elapsed() < GONE, "{clients} clients remain; {before:?} before, {now:?} after");
    }
}

/// The medians of the second and of the last quarter.
fn growth(sizes: &[f64]) -> [f64; 2] {
    let quarter = sizes.len() / 4;
    [quarter..2 * quarter, 3 * quarter..sizes.len()].map(|range| {
        let mut part = sizes[range].to_vec();
        part.sort_by(f64::total_cmp);
        part.get(part.len() / 2).copied().unwrap_or(0.0)
    })
}

/// The means of this process.
#[derive(Debug)]
struct Left {
    /// Bytes in memory.
    resident: f64,
    threads: u64,
    files: usize,
}

impl Left {
    /// As the kernel says.
    fn now() -> Result<Self> {
        let status =
            std::fs::read_to_string("/proc/self/status").context("memory is measured on Linux only")?;
        let number = |name: &str| -> Result<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
            Ok(line.split_whitespace().next().unwrap_or_default().parse()?)
        };
        Ok(Self {
            resident: 1024.0 * number("VmRSS:")? as f64,
            threads: number("Threads:")?,
            files: std::fs::read_dir("/proc/self/fd")?.count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_seconds_of_all_kinds_of_clients() {
        run(&Device::cpu(), Duration::from_secs(20), 1).expect("no failure");
    }

    #[test]
    fn growth_is_seen() {
        let flat: Vec<f64> = (0..100).map(|k| 1e8 + f64::from(k % 7) * 1e6).collect();
        let [early, late] = growth(&flat);
        assert!((early - late).abs() < 3e6);
        let [early, late] = growth(&(0..100).map(|k| 1e8 + f64::from(k) * 1e6).collect::<Vec<_>>());
        assert!(late > early * (1.0 + GROWTH.0) + GROWTH.1);
    }
}
