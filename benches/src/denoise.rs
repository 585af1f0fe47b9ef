//! Times of bilateral denoising, compared with directed edges.
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, StaticMesh, Vertex};
use ribbonmesh_baselines::{Pde, PdeDenoise};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, Method, Radius};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::add_noise;
use std::cell::RefCell;

/// Iterations of a run.
const ITERATIONS: u32 = 5;
/// Standard deviation of the noise, in mean edge lengths, and its seed.
const NOISE: (f64, u64) = (0.2, 1);

/// Times runs of five iterations on `mesh`, of `subject`, with noise; what is stored once; and directed
/// edges.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let mut shape = TriangleMesh::from_f32(subject.positions.clone(), subject.faces.clone());
    add_noise(&mut shape, NOISE.0, NOISE.1);
    let noisy: Vec<Vec3> = shape.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &noisy)?;
    let denoised = RefCell::new(Attribute::zeros(mesh)?);
    let vertices = mesh.vertices() as u64;
    let mut times = Vec::new();
    for (radius, rings) in
        [(Radius::Shortest, 3), (Radius::Shortest, 4), (Radius::Mean, 4), (Radius::Shortest, 0)]
    {
        let options = DenoiseOptions {
            method: Method::Bilateral,
            iterations: Some(ITERATIONS),
            radius,
            stored_rings: Some(rings),
            ..Default::default()
        };
        if rings > 0 && radius == Radius::Shortest {
            // VV read and written, and the entries of rings written
            let floor = 56 * vertices + 6 * u64::from(rings * (rings + 1)) * vertices;
            times.push(clock.time(mesh, from, format!("storing {rings} rings"), floor, None, || {
                Denoiser::new(mesh, &options).map(drop)
            })?);
        }
        let denoiser = RefCell::new(Denoiser::new(mesh, &options)?);
        let stored = if rings == 0 { "no stored ring".to_owned() } else { format!("{rings} stored rings") };
        let name = format!("{ITERATIONS} iterations, {radius} edge, {stored}");
        times.push(clock.time(mesh, from, name, u64::from(ITERATIONS) * FLOOR * vertices, None, || {
            denoiser.borrow_mut().denoise(&positions, &mut denoised.borrow_mut()).map(drop)
        })?);
    }

    let pde = Pde::new(mesh.device(), noisy.len(), &subject.faces)?;
    let filter = RefCell::new(PdeDenoise::new(&pde, &noisy)?);
    let name = "directed edges: 1 iteration, shortest edge".to_owned();
    let floor = FLOOR * vertices;
    match clock.time(mesh, from, name, floor, None, || filter.borrow_mut().filter()) {
        Ok(time) => times.push(time),
        // a neighbourhood has more vertices than its memory for a thread holds
        Err(why) => eprintln!("directed edges are left out: {why:#}"),
    }
    Ok(times)
}

/// Bytes per vertex of an iteration: positions and normals read and written, and VV (see
/// docs/apps/denoise.md).
const FLOOR: u64 = 12 + 12 + 12 + 12 + 28;
