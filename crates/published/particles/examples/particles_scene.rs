//! Writes the surface of a scene as a PLY file every so many steps.
//!
//! `cargo run --release -p ribbonmesh-particles --example particles_scene -- fountain FOLDER [SIZE] [EVERY]`
use ribbonmesh::Device;
use ribbonmesh_io::WriteOptions;
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{TrackOptions, Tracker};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind: ParticleScene = arguments.next().ok_or("a scene is wanted")?.parse()?;
    let folder = PathBuf::from(arguments.next().ok_or("a folder is wanted")?);
    let size = arguments.next().map(|size| size.parse()).transpose()?;
    let every: u64 = arguments.next().map_or(Ok(10), |every| every.parse())?;
    let mut scene = kind.scene(size, 0)?;
    let given = TrackOptions { method: scene.method, ..TrackOptions::default() };
    let mut tracker = Tracker::new(&Device::auto(), &scene.mesh, &scene.options(&given))?;
    std::fs::create_dir_all(&folder)?;
    for step in 1..=scene.steps {
        tracker.step(scene.dt, scene.flow.as_mut())?;
        if step % every == 0 || step == scene.steps {
            let file = folder.join(format!("frame-{step:06}.ply"));
            ribbonmesh_io::write(&file, &tracker.download()?, &WriteOptions::default())?;
        }
    }
    Ok(())
}
