//! Most bytes a face that jobs hold on the CPU, where buffers of kernels are memory of the process, and what
//! these consist of. Faces are those of the input, which itself is not counted.
//!
//! `cargo run --release -p ribbonmesh-remeshing --example memory -- MESH|SPHERE_LEVEL…`
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::Order;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, delaunay};
use ribbonmesh_remeshing::remesh::{RemeshOptions, remesh};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use std::alloc::{GlobalAlloc, Layout, System};
use std::error::Error;
use std::sync::{Mutex, PoisonError};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Bytes from which on an allocation is listed.
const LARGE: usize = 1 << 16;
/// Most large allocations at the same time.
const MOST: usize = 2048;

/// The large allocations that live, as their bytes, and those of the moment with the most bytes.
struct Live {
    now: [usize; MOST],
    count: usize,
    bytes: usize,
    peak: [usize; MOST],
    peak_count: usize,
    peak_bytes: usize,
}
static LIVE: Mutex<Live> =
    Mutex::new(Live { now: [0; MOST], count: 0, bytes: 0, peak: [0; MOST], peak_count: 0, peak_bytes: 0 });

impl Live {
    fn add(&mut self, bytes: usize) {
        if self.count < MOST {
            self.now[self.count] = bytes;
            self.count += 1;
        }
        self.bytes += bytes;
        if self.bytes > self.peak_bytes {
            (self.peak, self.peak_count, self.peak_bytes) = (self.now, self.count, self.bytes);
        }
    }
    fn remove(&mut self, bytes: usize) {
        if let Some(at) = self.now[..self.count].iter().position(|other| *other == bytes) {
            self.count -= 1;
            self.now[at] = self.now[self.count];
        }
        self.bytes = self.bytes.saturating_sub(bytes);
    }
}

/// The system's memory, of which large allocations are counted.
struct Counted;

fn live(change: impl FnOnce(&mut Live)) {
    change(&mut LIVE.lock().unwrap_or_else(PoisonError::into_inner));
}

// SAFETY: all is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE {
            live(|live| live.add(layout.size()));
        }
        // SAFETY: by this function's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE {
            live(|live| live.add(layout.size()));
        }
        // SAFETY: by this function's contract.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if layout.size() >= LARGE {
            live(|live| live.remove(layout.size()));
        }
        // SAFETY: by this function's contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn faces_of(surface: &Surface) -> usize {
    surface.triangles().faces().len() / 3
}

/// Runs a job on a copy of a surface, and prints the bytes a face at its greatest moment.
fn measure(name: &str, surface: &Surface, job: impl FnOnce(&mut Surface) -> Outcome<String>) -> Outcome<()> {
    let (mut copy, faces) = (surface.try_clone()?, faces_of(surface) as f64);
    let mut before = 0;
    live(|live| {
        (live.peak, live.peak_count, live.peak_bytes) = (live.now, live.count, live.bytes);
        before = live.bytes;
    });
    let said = job(&mut copy)?;
    let (mut sizes, mut count, mut most) = ([0; MOST], 0, 0);
    live(|live| (sizes, count, most) = (live.peak, live.peak_count, live.peak_bytes - before));
    let sizes = &mut sizes[..count];
    sizes.sort_by(|a, b| b.cmp(a));
    let list: Vec<_> =
        sizes.chunk_by(|a, b| a == b).map(|same| (same.len(), same[0] as f64 / faces)).collect();
    println!("  {name}: {:.1} bytes a face; {said}", most as f64 / faces);
    let words =
        list.iter().take_while(|(_, bytes)| *bytes >= 1.0).map(|(n, bytes)| format!("{n} x {bytes:.1}"));
    println!("    all that lives then, the input too: {}", words.collect::<Vec<_>>().join(", "));
    Ok(())
}

fn main() -> Outcome<()> {
    let device = Device::cpu();
    for name in std::env::args().skip(1) {
        let mesh = match name.parse() {
            Ok(level) => shapes::bumpy_sphere(level, 1)?,
            Err(_) => ribbonmesh_io::read(&name)?.mesh,
        };
        let mut surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
        drop(mesh);
        surface.flat_topology()?;
        println!("{name}: {} faces", faces_of(&surface));
        measure("the dynamic mesh", &surface, |surface| {
            let mesh = DynamicMesh::from_flat(surface.flat_topology()?.0, 0.0)?;
            Ok(format!("{:.1} at the end", mesh.bytes() as f64 / faces_of(surface) as f64))
        })?;
        measure("delaunay", &surface, |surface| {
            let report =
                delaunay(surface, &DelaunayOptions { order: Order::Rounds, ..DelaunayOptions::default() })?;
            Ok(format!("{} flips", report.flips))
        })?;
        measure("remesh", &surface, |surface| {
            let report = remesh(surface, &RemeshOptions::default())?;
            Ok(format!("{} faces", report.after.faces))
        })?;
        measure("simplify to a tenth", &surface, |surface| {
            let report = simplify(
                surface,
                &SimplifyOptions {
                    order: Order::Rounds,
                    target: Some(Target::Ratio(0.1)),
                    ..SimplifyOptions::default()
                },
            )?;
            Ok(format!("{} faces", report.after.faces))
        })?;
    }
    Ok(())
}
