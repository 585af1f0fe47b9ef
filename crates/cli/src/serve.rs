//! `ribbonmesh serve`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::serving::Where;
use crate::session::Session;
use crate::streams::input_name;
use crate::volume::files;
use clap::Args;
use ribbonmesh_serve::{MeshSource, Source, VolumeSource};
use std::path::PathBuf;
use std::time::Duration;

/// Show a mesh or a volume in a browser, also of a machine far away
///
/// The mesh stays on this machine: the browser gets the visible points with the values of an expression that
/// is typed there. Of a volume it shows the surface, or slices. Prints an address with a secret token, and
/// serves until it is ended (Ctrl-C).
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh serve dragon.ply
  ribbonmesh serve dragon.ply --up z --port 9000
  ribbonmesh volume generate hexahedra 8 8 4 -o block.vtu
  ribbonmesh serve block.vtu

From a laptop, where the mesh is on a machine NODE: run on the laptop
  ssh -t -L 8080:127.0.0.1:8080 NODE ribbonmesh serve scan.ply
and open the address that it prints.")]
pub struct Serve {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; or volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    mesh: PathBuf,
    #[command(flatten)]
    at: Where,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    volume: files::Reading,
    #[command(flatten)]
    turning: files::Turning,
}

impl Serve {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if session.globals().report.is_some() {
            return Err(Failure::Usage(
                "--report: serve does not end by itself, and writes no report".into(),
            ));
        }
        // before the work, which may be long
        let mut server = self.at.bind()?;
        let mut source = match self.volume.names_one(&self.mesh) {
            true => self.of_volume(session)?,
            false => self.of_mesh(session)?,
        };
        let url = server.url();
        session.emit(None, |out| {
            writeln!(out, "{url}")?;
            out.flush()
        })?;
        self.at.warn(session, &server);
        loop {
            server.poll(&mut *source, Duration::from_secs(1));
        }
    }

    fn title(&self) -> String {
        let name = self.mesh.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| input_name(&self.mesh).to_string())
    }
    fn of_mesh(&self, session: &mut Session) -> Result<Box<dyn Source>, Failure> {
        if self.turning.turns() {
            return Err(Failure::Usage("--turn-inverted: a mesh has no cells; it is for volumes".into()));
        }
        let mesh = session.read_as(&self.mesh, self.reading.format)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let make = || MeshSource::new(&device, &mesh, self.title(), self.at.up());
        Ok(Box::new(session.phase("upload", make)?))
    }
    fn of_volume(&self, session: &mut Session) -> Result<Box<dyn Source>, Failure> {
        if let Some(format) = self.reading.format {
            let name = self.mesh.display();
            return Err(Failure::Usage(format!("--format {format}: {name} is a volume; use --from")));
        }
        let volume = files::read(session, &self.mesh, &self.volume)?;
        let device = session.device()?;
        let make =
            || VolumeSource::new(&device, &volume, self.title(), self.at.up(), &self.turning.options());
        let source =
            session.phase("upload", || make().map_err(|error| Failure::of_file(&self.mesh, error)))?;
        let loose = source.loose_triangles();
        if loose > 0 {
            session.note(format!("{loose} triangles of faces that belong to no cell are not shown"));
        }
        Ok(Box::new(source))
    }
}
