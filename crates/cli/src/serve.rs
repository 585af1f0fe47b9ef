//! `ribbonmesh serve`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::serving::Where;
use crate::session::Session;
use crate::streams::input_name;
use clap::Args;
use ribbonmesh_serve::MeshSource;
use std::path::PathBuf;
use std::time::Duration;

/// Show a mesh in a browser, also of a machine far away
///
/// The mesh stays on this machine: the browser gets the visible points with the values of an expression that
/// is typed there. Prints an address with a secret token, and serves until it is ended (Ctrl-C).
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh serve dragon.ply
  ribbonmesh serve dragon.ply --up z --port 9000

From a laptop, where the mesh is on a machine NODE: run on the laptop
  ssh -L 8080:127.0.0.1:8080 NODE ribbonmesh serve scan.ply
and open the address that it prints.")]
pub struct Serve {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    #[command(flatten)]
    at: Where,
    #[command(flatten)]
    reading: Reading,
}

impl Serve {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if session.globals().report.is_some() {
            return Err(Failure::Usage(
                "--report: serve does not end by itself, and writes no report".into(),
            ));
        }
        let mut server = self.at.bind()?;
        let mesh = session.read_as(&self.mesh, self.reading.format)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let title = self
            .mesh
            .file_name()
            .map_or_else(|| input_name(&self.mesh).to_string(), |name| name.to_string_lossy().into_owned());
        let mut source = session.phase("upload", || MeshSource::new(&device, &mesh, title, self.at.up()))?;
        drop(mesh);
        let url = server.url();
        session.emit(None, |out| {
            writeln!(out, "{url}")?;
            out.flush()
        })?;
        self.at.warn(session, &server);
        loop {
            server.poll(&mut source, Duration::from_secs(1));
        }
    }
}
