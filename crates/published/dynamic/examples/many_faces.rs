//! A mesh of very many faces that changes in a store: it is flipped to a Delaunay mesh, remeshed once and
//! validated, and what each step took is printed as soon as it is known.
//!
//! `cargo run --release -p ribbonmesh-dynamic --example many_faces -- [MILLIONS] [PATCH SIZE] [SPLIT]`
//!
//! The faces are those of a torus with jittered vertices. `SPLIT` is the part of them that is split in two
//! before anything else happens: the patches of a static mesh, of which a store is made, end at 400 million.
use rayon::prelude::*;
use ribbonmesh::device::{ElementKind, Vec3};
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, StoreChange, StoreChanges, StoreOptions, StoreRemeshOptions,
};
use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

/// Radius of the tube; the ring has 1.
const TUBE: f64 = 0.1;
/// Most that a vertex moves along each side of its square, as a part of the side.
const JITTER: f64 = 0.22;

/// A grid of squares on a torus, in two triangles each.
struct Torus {
    rings: u64,
    around: u64,
}
impl Torus {
    fn new(faces: f64) -> Self {
        let around = (faces / 2.0 * TUBE).sqrt() as u64;
        Self { rings: (faces / 2.0 / around as f64) as u64, around }
    }
    /// A number from 0 to 1 that looks random, for each vertex and `which`.
    fn random(vertex: u64, which: u64) -> f64 {
        let mut x = (2 * vertex + which).wrapping_add(0x9e37_79b9_7f4a_7c15);
        for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
            x = (x ^ x >> 30).wrapping_mul(factor);
        }
        (x >> 40) as f64 / f64::from(1 << 24)
    }
    fn point(&self, vertex: u64) -> Vec3 {
        let moved = |which| JITTER * (2.0 * Self::random(vertex, which) - 1.0);
        let u = ((vertex / self.around) as f64 + moved(0)) * TAU / self.rings as f64;
        let v = ((vertex % self.around) as f64 + moved(1)) * TAU / self.around as f64;
        let radius = 1.0 + TUBE * v.cos();
        Vec3::new((radius * u.cos()) as f32, (radius * u.sin()) as f32, (TUBE * v.sin()) as f32)
    }
    /// The corners of a square, in order.
    fn square(&self, square: u64) -> [u64; 4] {
        let (i, j) = (square / self.around, square % self.around);
        let (next, after) = ((i + 1) % self.rings, (j + 1) % self.around);
        let at = |i: u64, j: u64| i * self.around + j;
        [at(i, j), at(next, j), at(next, after), at(i, after)]
    }
    fn squares(&self) -> u64 {
        self.rings * self.around
    }
    fn faces(&self) -> Vec<[u32; 3]> {
        let triangles = |square: u64| {
            let [a, b, c, d] = self.square(square).map(|v| v as u32);
            if Self::random(square, 2) < 0.5 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        };
        (0..self.squares()).into_par_iter().flat_map_iter(triangles).collect()
    }
    fn points(&self) -> Vec<Vec3> {
        (0..self.squares()).into_par_iter().map(|vertex| self.point(vertex)).collect()
    }
    /// The length that this part of the squares' shorter diagonals exceeds, by a sample of them.
    fn long(&self, part: f64) -> f32 {
        let step = (self.squares() / 100_000).max(1);
        let mut lengths: Vec<f32> = (0..self.squares() / step)
            .map(|i| {
                let [a, b, c, d] = self.square(i * step).map(|v| self.point(v));
                a.distance(c).min(b.distance(d))
            })
            .collect();
        lengths.sort_unstable_by(f32::total_cmp);
        lengths[((1.0 - part) * (lengths.len() - 1) as f64) as usize]
    }
}

/// Prints the time of a step.
fn timed<T, E: Error + 'static>(
    device: &Device,
    what: &str,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, Box<dyn Error>> {
    device.synchronize()?;
    let start = Instant::now();
    let done = work()?;
    device.synchronize()?;
    print!("{what}: {:.3} s", start.elapsed().as_secs_f64());
    match device.free_memory() {
        Some(memory) => {
            println!(", {:.1} of {:.1} GB free", memory.free as f64 / 1e9, memory.total as f64 / 1e9)
        }
        None => println!(),
    }
    Ok(done)
}

fn say(what: &str, done: &StoreChanges, store: &PatchStore) {
    let [v, e, f] = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| store.count(kind));
    println!(
        "  {} {what}: {} patches taken, {} dropped, {} cut, {} launches, laid out again {} times; now {v} vertices, \
         {e} edges, {f} faces, {:.1} bytes a face",
        done.filled,
        done.scheduled,
        done.discarded,
        done.cuts,
        done.launches,
        done.enlarged + done.remade,
        store.memory().per_face()
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f64> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let of = |i: usize, usual: f64| numbers.get(i).copied().unwrap_or(usual);
    let (millions, patch_size, part) = (of(0, 2.0), of(1, 512.0) as u32, of(2, 0.0));
    let device = Device::auto();
    let torus = Torus::new(1e6 * millions);
    let (faces, points) = timed(&device, "faces and points made on the host", || {
        Ok::<_, ribbonmesh::Error>((torus.faces(), torus.points()))
    })?;
    let options = MeshOptions { patch_size, ..MeshOptions::default() };
    let mesh = timed(&device, "patches", || StaticMesh::new(&device, points.len(), &faces, &options))?;
    println!("  {:?}", mesh.build_report().phases);
    drop(faces);
    let options = StoreOptions { spare: 0.15, ..StoreOptions::default() };
    let mut store = timed(&device, "store", || PatchStore::from_mesh(&mesh, &options))?;
    drop(mesh);
    let mut x = timed(&device, "positions", || PatchAttribute::from_input(&store, &points))?;
    drop(points);
    println!("  {} faces in {} patches: {}", store.count(ElementKind::Face), store.patches(), store.memory());
    let carried = &mut Carried::none();
    let longest = torus.long(part.max(0.01));
    if part > 0.0 {
        let split = StoreChange::Split { longest };
        let done = timed(&device, "splits", || store.change_enlarging(split, &mut x, carried))?;
        say("splits", &done, &store);
    }
    let done = timed(&device, "flips", || store.flip_delaunay(&mut x))?;
    say("flips", &done, &store);
    timed(&device, "validation", || store.validate())?;
    let options = StoreRemeshOptions { length: 0.75 * longest, iterations: 1, smoothing: 3 };
    let done = timed(&device, "one iteration of remeshing", || store.remesh(&mut x, carried, &options))?;
    for one in done {
        for (what, done) in [("splits", one.splits), ("collapses", one.collapses), ("flips", one.flips)] {
            say(what, &done, &store);
        }
    }
    let report = timed(&device, "validation", || store.validate())?;
    println!("  {report:?}");
    Ok(())
}
