//! `ribbonmesh serve`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::numbers;
use crate::serving::Where;
use crate::session::Session;
use crate::streams::{input_name, is_standard};
use crate::volume::files;
use clap::Args;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_serve::{Live, MeshSource, Moment, Server, Source, VolumeSource};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Meshes that are shown a second unless an option says otherwise.
const RATE: f64 = 10.0;

/// Show a mesh or a volume in a browser, also of a machine far away
///
/// The mesh stays on this machine: the browser gets the visible points with the values of an expression that
/// is typed there. Of a volume it shows the surface, or slices. Several meshes are shown one after the other,
/// again and again; the page has play, pause and step. Prints an address with a secret token, and serves
/// until it is ended (Ctrl-C).
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh serve dragon.ply
  ribbonmesh serve dragon.ply --up z --port 9000
  ribbonmesh volume generate hexahedra 8 8 4 -o block.vtu
  ribbonmesh serve block.vtu
  ribbonmesh serve dragon.ply dragon.ply --rate 2

From a laptop, where the mesh is on a machine NODE: run on the laptop
  ssh -t -L 8080:127.0.0.1:8080 NODE ribbonmesh serve scan.ply
and open the address that it prints.")]
pub struct Serve {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; or volume: VTK, VTU, MSH, MESH or OVM; - is standard input.
    /// Several meshes are steps; each is read when it is shown, so that one is in memory
    #[arg(required = true, value_name = "MESH")]
    meshes: Vec<PathBuf>,
    /// Meshes that are shown a second, at most, where there are several [default: 10]
    #[arg(long, value_name = "N", value_parser = rate)]
    rate: Option<f64>,
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
        if let [_] = self.meshes[..] {
            if self.rate.is_some() {
                return Err(Failure::Usage("--rate: it is for several meshes".into()));
            }
        } else {
            self.check_steps()?;
        }
        // before the work, which may be long
        let mut server = self.at.bind()?;
        let mut source = match &self.meshes[..] {
            [volume] if self.volume.names_one(volume) => self.of_volume(volume, session)?,
            [mesh] => self.of_mesh(mesh, session)?,
            _ => return self.play(session, server),
        };
        self.say(session, &server)?;
        loop {
            server.poll(&mut *source, Duration::from_secs(1));
        }
    }

    /// Prints the address.
    fn say(&self, session: &mut Session, server: &Server) -> Result<(), Failure> {
        let url = server.url();
        session.emit(None, |out| {
            writeln!(out, "{url}")?;
            out.flush()
        })?;
        self.at.warn(session, server);
        Ok(())
    }
    fn title(&self) -> String {
        let first = &self.meshes[0];
        let name = first.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| input_name(first).to_string());
        match self.meshes.len() {
            1 => name,
            n => format!("{name} and {} more", n - 1),
        }
    }
    /// Refuses a volume or standard input among several files.
    fn check_steps(&self) -> Result<(), Failure> {
        for file in &self.meshes {
            let name = file.display();
            if is_standard(file) {
                return Err(Failure::Usage(
                    "standard input can be read once; several meshes are read again and again".into(),
                ));
            }
            if self.volume.names_one(file) {
                return Err(Failure::Usage(format!("{name} is a volume: several files are meshes")));
            }
        }
        self.refuse_turning()
    }
    fn refuse_turning(&self) -> Result<(), Failure> {
        match self.turning.turns() {
            true => Err(Failure::Usage("--turn-inverted: a mesh has no cells; it is for volumes".into())),
            false => Ok(()),
        }
    }
    /// Shows one mesh after the other, for ever.
    fn play(&self, session: &mut Session, mut server: Server) -> Result<(), Failure> {
        let pause = Duration::from_secs_f64(1.0 / self.rate.unwrap_or(RATE));
        let device = session.device()?;
        let mut live = Live::new(&device, self.title(), self.at.up())?;
        for (step, (number, file)) in self.meshes.iter().enumerate().cycle().enumerate() {
            let mesh = match step < self.meshes.len() {
                true => self.read(file, session)?,
                false => session.read_again(file, self.reading.format)?,
            };
            live.update(Moment::of_mesh(&device, &mesh, number as f64)?)?;
            drop(mesh);
            if step == 0 {
                self.say(session, &server)?;
            }
            let shown = Instant::now();
            while let Some(left) = pause.checked_sub(shown.elapsed()).filter(|left| !left.is_zero()) {
                server.poll(&mut live, left);
            }
            live.wait_for_turn(&mut server)?;
        }
        Ok(())
    }
    fn read(&self, file: &Path, session: &mut Session) -> Result<TriangleMesh, Failure> {
        let mesh = session.read_as(file, self.reading.format)?.mesh;
        match mesh.faces.is_empty() {
            true => Err(Failure::NoFaces(file.into())),
            false => Ok(mesh),
        }
    }
    fn of_mesh(&self, file: &Path, session: &mut Session) -> Result<Box<dyn Source>, Failure> {
        self.refuse_turning()?;
        let mesh = self.read(file, session)?;
        let device = session.device()?;
        let make = || MeshSource::new(&device, &mesh, self.title(), self.at.up());
        Ok(Box::new(session.phase("upload", make)?))
    }
    fn of_volume(&self, file: &Path, session: &mut Session) -> Result<Box<dyn Source>, Failure> {
        if let Some(format) = self.reading.format {
            let name = file.display();
            return Err(Failure::Usage(format!("--format {format}: {name} is a volume; use --from")));
        }
        let volume = files::read(session, file, &self.volume)?;
        let device = session.device()?;
        let make =
            || VolumeSource::new(&device, &volume, self.title(), self.at.up(), &self.turning.options());
        let source = session.phase("upload", || make().map_err(|error| Failure::of_file(file, error)))?;
        let loose = source.loose_triangles();
        if loose > 0 {
            session.note(format!("{loose} triangles of faces that belong to no cell are not shown"));
        }
        Ok(Box::new(source))
    }
}

/// Meshes a second.
fn rate(text: &str) -> Result<f64, String> {
    let per_second = numbers::number(text).filter(|n| (0.001..=1000.0).contains(n));
    per_second.ok_or_else(|| format!("{text:?} is not a number from 0.001 to 1000"))
}
