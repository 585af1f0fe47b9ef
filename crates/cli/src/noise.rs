//! Noise on a mesh's vertices.
use crate::failure::Failure;
use crate::moving::moved;
use crate::session::Session;
use clap::Args;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_shapes::add_noise;

/// Noise on a mesh's vertices.
#[derive(Args)]
pub struct Noise {
    /// Move every vertex along its normal by a normally distributed length: standard deviation, in mean edge lengths;
    /// random by --seed
    #[arg(long, value_name = "SIGMA")]
    noise: Option<f64>,
}

impl Noise {
    /// Refuses what is no standard deviation, before any work.
    pub fn check(&self) -> Result<(), Failure> {
        match self.noise {
            Some(sigma) if !(0.0..=1e6).contains(&sigma) => {
                Err(Failure::Usage(format!("--noise {sigma}: 0 to 1000000 is expected")))
            }
            _ => Ok(()),
        }
    }
    /// Moves the vertices of `mesh`.
    pub fn add(&self, session: &mut Session, mesh: TriangleMesh) -> Result<TriangleMesh, Failure> {
        let Some(sigma) = self.noise else { return Ok(mesh) };
        let seed = session.seed();
        let mut mesh = session.phase("noise", || {
            let mut noisy = mesh;
            add_noise(&mut noisy, sigma, seed);
            Ok::<_, Failure>(noisy)
        })?;
        moved(session, &mut mesh)?;
        Ok(mesh)
    }
}
