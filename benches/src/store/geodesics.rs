//! Table 5.1: geodesic distances on a store that has changed, beside those on static patches of the same
//! triangles.
use super::{Measured, Subject};
use crate::timed::processor_seconds;
use anyhow::Result;
use ribbonmesh::device::{NONE, Vec3};
use ribbonmesh::{Attribute, DeviceKind, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_dynamic::{Carried, PatchAttribute, PatchStore, StoreOptions};
use ribbonmesh_fields::geodesic::GeodesicOptions;
use ribbonmesh_patches::{Geodesic, StoreGeodesic};
use std::time::Instant;

/// Milliseconds of a ring and of distances.
#[derive(Clone, Copy)]
struct Times {
    ring: f64,
    run: f64,
}

/// Static patches with positions, and the vertex from which distances are found.
struct Flat<'s> {
    mesh: &'s StaticMesh,
    x: Attribute<Vertex, Vec3>,
    source: u32,
}

impl Subject<'_> {
    /// Flips a store to a Delaunay mesh; distances from the first vertex there, laid out with room to grow
    /// and then without, and on static patches of the same triangles. Milliseconds on a GPU, milliseconds of
    /// processor time on a CPU.
    pub fn geodesics(&self) -> Result<Vec<Measured>> {
        let mut store = PatchStore::from_mesh(&self.mesh()?, &StoreOptions::default())?;
        let mut x = PatchAttribute::from_input(&store, &self.shape.points())?;
        let flips = store.flip_delaunay(&mut x)?.filled;
        let (faces, points) = (store.triangles()?, x.values(&store)?);
        let options = MeshOptions { patch_size: self.patch_size, ..MeshOptions::default() };
        let mesh = &StaticMesh::new(self.device, points.len(), &faces, &options)?;
        // the first vertex of the input in the order of the store
        let mut living = store.inputs::<Vertex>()?.into_iter().filter(|&input| input != NONE);
        let source = living.position(|input| input == 0).unwrap_or(0) as u32;
        let flat = Flat { mesh, x: Attribute::from_input(mesh, &points)?, source };
        let roomy = self.beside(&flat, &store, &x)?;
        store.compact(&mut x, &mut Carried::none(), &StoreOptions::still())?;
        let close = self.beside(&flat, &store, &x)?;
        let row = |case: &str, [of, flat]: [Times; 2]| {
            let note = format!(
                "{:.1} on static patches, {:.2} times; the ring {:.1} and {:.1}; after {flips} flips",
                flat.run,
                of.run / flat.run,
                of.ring,
                flat.ring
            );
            self.row("geodesic distances, ms", format!("Table 5.1, {case}"), of.run, note)
        };
        Ok(vec![row("room to grow", roomy), row("no room to grow", close)])
    }
    /// The least times of the store, and of the static patches, in turns.
    fn beside(
        &self,
        flat: &Flat<'_>,
        store: &PatchStore,
        x: &PatchAttribute<Vertex, Vec3>,
    ) -> Result<[Times; 2]> {
        let mut times = [const { vec![] }; 2];
        for _ in 0..self.runs.max(5) {
            times[0].push(self.timed(|clock| {
                let mut geodesic = clock.ring(|| Ok(StoreGeodesic::new(store, x)?))?;
                clock.run(|| Ok(geodesic.run(&[0], &GeodesicOptions::default()).map(drop)?))
            })?);
            times[1].push(self.timed(|clock| {
                let mut geodesic = clock.ring(|| Ok(Geodesic::new(flat.mesh, &flat.x)?))?;
                clock.run(|| Ok(geodesic.run(&[flat.source], &GeodesicOptions::default()).map(drop)?))
            })?);
        }
        Ok(times.map(best))
    }
    fn timed(&self, work: impl FnOnce(&mut Stopwatch<'_>) -> Result<()>) -> Result<Times> {
        let mut clock = Stopwatch { subject: self, times: Times { ring: 0.0, run: 0.0 } };
        work(&mut clock)?;
        Ok(clock.times)
    }
}

struct Stopwatch<'s> {
    subject: &'s Subject<'s>,
    times: Times,
}
impl Stopwatch<'_> {
    fn ring<T>(&mut self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let (made, ms) = self.ms(work)?;
        self.times.ring = ms;
        Ok(made)
    }
    fn run(&mut self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        self.times.run = self.ms(work)?.1;
        Ok(())
    }
    fn ms<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
        let device = self.subject.device;
        device.synchronize()?;
        let (wall, processor) = (Instant::now(), processor_seconds());
        let made = work()?;
        device.synchronize()?;
        let wall = wall.elapsed().as_secs_f64();
        let seconds = match device.kind() {
            DeviceKind::Cuda => wall,
            DeviceKind::Cpu => processor_seconds().zip(processor).map_or(wall, |(end, begin)| end - begin),
        };
        Ok((made, 1e3 * seconds))
    }
}

/// The shortest of all runs.
fn best(times: Vec<Times>) -> Times {
    let least = |of: fn(&Times) -> f64| times.iter().map(of).fold(f64::INFINITY, f64::min);
    Times { ring: least(|times| times.ring), run: least(|times| times.run) }
}
