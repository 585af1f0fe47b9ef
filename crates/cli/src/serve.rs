//! `ribbonmesh serve`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use crate::volume::files;
use clap::{Args, value_parser};
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::Limits;
use ribbonmesh_serve::{MeshSource, Options, Server, Source, VolumeSource};
use std::net::{IpAddr, Ipv4Addr};
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
  ssh -L 8080:127.0.0.1:8080 NODE ribbonmesh serve scan.ply
and open the address that it prints.")]
pub struct Serve {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; or volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    mesh: PathBuf,
    /// Port; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    port: u16,
    /// Address of this machine to be bound to; 0.0.0.0 lets other machines connect, without encryption
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Another name under which browsers ask for the page, that of a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Most browsers at a time
    #[arg(long, value_name = "N", default_value_t = Limits::default().clients as u32,
          value_parser = value_parser!(u32).range(1..=1000))]
    clients: u32,
    /// The axis that points up: x, y, z, -x, -y or -z; with z, the front is seen from -y
    #[arg(long, value_name = "AXIS", default_value_t, allow_hyphen_values = true)]
    up: Up,
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
        let limits = Limits { clients: self.clients as usize, ..Limits::default() };
        let options = Options { bind: self.bind, port: self.port, hosts: self.host.clone(), limits };
        // before the work, which may be long
        let mut server = Server::bind(options)?;
        let mut source = match self.volume.names_one(&self.mesh) {
            true => self.of_volume(session)?,
            false => self.of_mesh(session)?,
        };
        let url = server.url();
        session.emit(None, |out| {
            writeln!(out, "{url}")?;
            out.flush()
        })?;
        if !self.bind.is_loopback() {
            session.warn(format!(
                "{} is reachable from other machines, and the connection is not encrypted",
                server.address()
            ));
        }
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
        let make = || MeshSource::new(&device, &mesh, self.title(), self.up);
        Ok(Box::new(session.phase("upload", make)?))
    }
    fn of_volume(&self, session: &mut Session) -> Result<Box<dyn Source>, Failure> {
        if let Some(format) = self.reading.format {
            let name = self.mesh.display();
            return Err(Failure::Usage(format!("--format {format}: {name} is a volume; use --from")));
        }
        let volume = files::read(session, &self.mesh, &self.volume)?;
        let device = session.device()?;
        let make = || VolumeSource::new(&device, &volume, self.title(), self.up, &self.turning.options());
        let source = session.phase("upload", make)?;
        let loose = source.loose_triangles();
        if loose > 0 {
            session.note(format!("{loose} triangles of faces that belong to no cell are not shown"));
        }
        Ok(Box::new(source))
    }
}
