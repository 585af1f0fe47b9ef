//! Noise on a mesh's vertices.
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh_mesh::shapes::add_noise;
use ribbonmesh_mesh::{Column, Element, Policy, Role, TriangleMesh};

/// Noise on a mesh's vertices.
#[derive(Args)]
pub struct Noise {
    /// Move every vertex along its normal by a normally distributed length: standard deviation, in mean edge
    /// lengths; random by --seed
    #[arg(long, value_name = "SIGMA")]
    noise: Option<f64>,
}

impl Noise {
    /// Whether there is to be some.
    pub fn is_given(&self) -> bool {
        self.noise.is_some()
    }
    /// Refuses a value that is not a standard deviation, before any work.
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

/// Vertices have moved: normals of vertices are computed anew, and other attributes that follow from
/// positions are left out, with a note.
fn moved(session: &mut Session, mesh: &mut TriangleMesh) -> Result<(), Failure> {
    let stale = |column: &Column| column.policy() == Policy::Recompute;
    if let Some(column) = mesh.vertices().with_role(Role::Normal).filter(|column| stale(column)) {
        let name = column.name().to_owned();
        let normals = mesh.vertex_normals();
        mesh.vertices_mut().insert_column(Column::with_role(name.clone(), Role::Normal, normals))?;
        session.detail(format_args!("vertex attribute {name:?} computed anew"));
    }
    let mut left_out = vec![];
    for element in [Element::Vertex, Element::Face, Element::Corner, Element::Edge] {
        let keep = |column: &Column| {
            !stale(column) || element == Element::Vertex && column.values::<[f32; 3]>().is_some()
        };
        mesh.attributes_mut(element).retain(|column| {
            let kept = keep(column);
            if !kept {
                left_out.push(format!("{element}.{}", column.name()));
            }
            kept
        });
    }
    if !left_out.is_empty() {
        session.note(format!("attributes left out because vertices moved: {}", left_out.join(", ")));
    }
    Ok(())
}
