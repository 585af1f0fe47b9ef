//! Random changes of patches that own their storage: `ribbonmesh-bench soak --patches`.
//!
//! Sequences of changes of stores with little or much room, each from its own seed. After each the store is
//! validated on the device, and its surface must be of the same kind; some are compared with plain code.
use crate::options::Options;
use ribbonmesh::device::{ElementKind, Vec3};
use ribbonmesh::mesh::{SplitMix64, TriangleMesh, shapes};
use ribbonmesh::{Device, Error, MeshOptions, Vertex};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, StoreChange, StoreError, StoreOptions, StoreRemeshOptions,
};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Changes of a sequence.
const STEPS: u32 = 24;
/// One change in this many is compared with plain code.
const EVERY: u32 = 4;
/// A mesh does not become larger, or smaller, by changes that are chosen.
const FACES: [usize; 2] = [200, 60_000];
/// Seconds between two lines about the state of things.
const SECONDS: u64 = 30;

/// Counts of a soak.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    sequences: u64,
    changes: u64,
    filled: u64,
    moved: u64,
    cuts: u64,
    enlarged: u64,
    remade: u64,
    longest_chain: u32,
    /// Sequences that ended since a store had no room that can be made.
    full: u64,
    /// Sequences that ended since a patch was too large for a block of the device.
    large: u64,
}
impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sequences, changes, filled, moved, cuts, enlarged, remade, longest_chain, full, large } =
            self;
        write!(
            f,
            "{sequences} sequences, {changes} changes with validation, {filled} cavities, {moved} elements \
             moved, {cuts} patches cut, enlarged {enlarged} times, patches made anew {remade} times, chains of \
             up to {longest_chain} steps, {full} sequences ended for lack of room, {large} since a patch \
             was too large for a block"
        )
    }
}

/// Runs for this long, or until something fails; or the one sequence that the options name by its seed.
///
/// # Errors
/// A failure in words, with the seed of its sequence.
pub fn run(device: &Device, length: Duration, options: &Options) -> Result<Tally, String> {
    let (start, mut seeds, mut tally) = (Instant::now(), SplitMix64::new(options.seed), Tally::default());
    let mut said = Instant::now();
    if let Some(only) = &options.sequence {
        let seed = only.parse().map_err(|_| format!("{only}: the seed of a sequence is a number"))?;
        sequence(device, seed, start + length, &mut tally)?;
        return Ok(tally);
    }
    while start.elapsed() < length {
        let seed = seeds.bits();
        sequence(device, seed, start + length, &mut tally).map_err(|e| format!("seed {seed}: {e}"))?;
        if said.elapsed().as_secs() >= SECONDS {
            said = Instant::now();
            println!("{:.0} s: {tally}", start.elapsed().as_secs_f64());
        }
    }
    Ok(tally)
}

fn shape(random: &mut SplitMix64) -> Result<(TriangleMesh, bool), String> {
    let (of, seed) = (random.below(6), u64::from(random.below(1000)));
    let shape = match of {
        0 => shapes::torus(20 + random.below(60), seed),
        1 => shapes::grid(16 + random.below(60), seed),
        2 => shapes::bumpy_sphere(2 + random.below(3), seed),
        3 => shapes::mobius(40 + random.below(200), 2 + random.below(6)),
        4 => shapes::torus_knot(2, 3, 12, 100 + random.below(200)),
        _ => shapes::bumpy_sphere(5, seed),
    };
    let mut shape = shape.map_err(|e| e.to_string())?;
    if random.below(2) == 0 {
        shapes::shuffle(&mut shape, seed);
    }
    // a fin makes an edge of three faces
    let fin = random.below(4) == 0;
    if fin {
        let [a, b, _] = shape.faces[0];
        let n = shape.positions.len() as u32;
        let top = shape.positions[a as usize] * 1.1;
        shape.positions.push(top);
        shape.faces.push([a, b, n]);
    }
    Ok((shape, !fin))
}

/// The kind of a surface: its Euler characteristic, and the number of its boundary edges if it is a manifold.
fn kind(store: &PatchStore) -> i64 {
    let [v, e, f] =
        [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|k| store.count(k) as i64);
    v - e + f
}

fn sequence(device: &Device, seed: u64, end: Instant, tally: &mut Tally) -> Result<(), String> {
    let mut random = SplitMix64::new(seed);
    let (shape, manifold) = shape(&mut random)?;
    let patch_size = random.of(&[32, 64, 128, 256, 512]);
    let options = StoreOptions {
        room: random.of(&[1.0, 1.1, 1.5, 2.0, 3.0]),
        spare: random.of(&[0.0, 0.25, 1.0]),
        ..StoreOptions::default()
    };
    let words = |e: StoreError| e.to_string();
    let patches = MeshOptions { patch_size, ..MeshOptions::default() };
    let mut store = PatchStore::new(device, shape.positions.len(), &shape.faces, &patches, &options)
        .map_err(|e| format!("{} faces, patches of {patch_size}: {e}", shape.faces.len()))?;
    let mut x = PatchAttribute::<Vertex, Vec3>::from_input(&store, &shape.points()).map_err(words)?;
    let before = kind(&store);
    let length = mean(&shape);
    for step in 0..STEPS {
        if Instant::now() >= end {
            break;
        }
        let name = match change(&mut store, &mut x, &mut random, length, tally) {
            Ok(name) => name,
            // the store is whole, and remains as it is
            Err(Stop::Full(name, why)) => {
                println!("seed {seed}, {} faces, step {step}, {name}: {why}", shape.faces.len());
                tally.full += 1;
                store.validate().map_err(|e| format!("step {step}, {name}, full: {e}"))?;
                break;
            }
            Err(Stop::Large) => {
                tally.large += 1;
                break;
            }
            Err(Stop::Failed(e)) => return Err(format!("{} faces, step {step}: {e}", shape.faces.len())),
        };
        let whole = store.validate().map_err(|e| format!("step {step}, {name}: {e}"))?;
        let counts =
            [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|k| store.count(k) as u32);
        if whole.owned != counts || kind(&store) != before {
            return Err(format!("step {step}, {name}: {counts:?} elements, {:?} owned", whole.owned));
        }
        if step % EVERY == 0 {
            compare(&store, &x, manifold).map_err(|e| format!("step {step}, {name}: {e}"))?;
        }
        tally.changes += 1;
    }
    tally.sequences += 1;
    Ok(())
}

/// Why a change was not made.
enum Stop {
    Full(String, String),
    /// The room that was drawn, for patches of the size that was drawn, is more than a block has.
    Large,
    Failed(String),
}
impl Stop {
    fn of(name: String) -> impl FnOnce(StoreError) -> Self {
        |error| match error {
            error @ StoreError::Full { .. } => Self::Full(name, error.to_string()),
            StoreError::Library(Error::SharedMemory { .. }) => Self::Large,
            error => Self::Failed(format!("{name}: {error}")),
        }
    }
}

/// Changes a store in some way; how.
fn change(
    store: &mut PatchStore,
    x: &mut PatchAttribute<Vertex, Vec3>,
    random: &mut SplitMix64,
    length: f32,
    tally: &mut Tally,
) -> Result<String, Stop> {
    let faces = store.count(ElementKind::Face);
    let factor = (0.6 + random.unit()) as f32;
    let none = &mut Carried::none();
    let change = match random.below(8) {
        0 if faces < FACES[1] => StoreChange::Split { longest: factor * length },
        1 | 2 if faces > FACES[0] => {
            StoreChange::Collapse { shortest: factor * length, longest: 2.0 * length }
        }
        3 => StoreChange::FlipValences,
        4 => {
            store.smooth(x, 1 + random.below(3)).map_err(Stop::of("smoothing".into()))?;
            return Ok("smoothing".into());
        }
        5 if faces > FACES[0] => {
            let wanted = faces - faces / (2 + random.below(6) as usize);
            let report = store.simplify(x, none, wanted).map_err(Stop::of(format!("to {wanted} faces")))?;
            tally.filled += u64::from(report.collapses.filled);
            tally.moved += u64::from(report.collapses.moved);
            return Ok(format!("to {wanted} faces"));
        }
        6 => {
            let options = StoreOptions { room: random.of(&[1.0, 1.5, 2.5]), ..StoreOptions::default() };
            store.compact(x, none, &options).map_err(Stop::of(format!("{options:?}")))?;
            return Ok(format!("{options:?}"));
        }
        7 if faces < FACES[1] => {
            let options =
                StoreRemeshOptions { length: factor.max(0.9) * length, iterations: 1, smoothing: 1 };
            store.remesh(x, none, &options).map_err(Stop::of(format!("{options:?}")))?;
            return Ok(format!("{options:?}"));
        }
        _ => StoreChange::FlipDelaunay,
    };
    let report = store.change_enlarging(change, x, none).map_err(Stop::of(format!("{change:?}")))?;
    tally.filled += u64::from(report.filled);
    tally.moved += u64::from(report.moved);
    tally.cuts += u64::from(report.cuts);
    tally.enlarged += u64::from(report.enlarged);
    tally.remade += u64::from(report.remade);
    tally.longest_chain = tally.longest_chain.max(report.longest_chain);
    Ok(format!("{change:?}"))
}

/// Mean length of the sides of a mesh.
fn mean(shape: &TriangleMesh) -> f32 {
    let sides = shape.faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    let length = |[a, b]: [u32; 2]| (shape.positions[a as usize] - shape.positions[b as usize]).length();
    (sides.map(length).sum::<f64>() / (3 * shape.faces.len()).max(1) as f64) as f32
}

/// Compares the faces that a store has with its counts, and looks at edges and positions.
fn compare(store: &PatchStore, x: &PatchAttribute<Vertex, Vec3>, manifold: bool) -> Result<(), String> {
    let faces = store.triangles().map_err(|e| e.to_string())?;
    let points = x.values(store).map_err(|e| e.to_string())?;
    let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
    for [a, b] in faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]) {
        *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    let most = edges.values().copied().max().unwrap_or(0);
    if edges.len() != store.count(ElementKind::Edge) || faces.len() != store.count(ElementKind::Face) {
        return Err(format!("{} edges and {} faces", edges.len(), faces.len()));
    }
    if manifold && most > 2 {
        return Err(format!("an edge of {most} faces"));
    }
    let lost = points.iter().filter(|x| !x.is_finite()).count();
    if lost > 0 { Err(format!("{lost} positions are no numbers")) } else { Ok(()) }
}
