//! `ribbonmesh lod`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::{number, three};
use crate::session::Session;
use crate::streams::is_standard;
use clap::{Args, Subcommand};
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::{Length, OptionValue, counted, short};
use ribbonmesh_mesh::Element;
use ribbonmesh_tiles::lod::{About, Cut as Chosen, LevelReport, Levels, LevelsOptions};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Make levels of detail for viewers, and the surfaces that they contain
///
/// A surface is divided into meshlets of at most 128 triangles. Groups of neighbours are simplified to half
/// and divided again, until one is left. A viewer reads the pieces that it needs from a file, and draws those
/// that a point of view asks for, without cracks.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh lod build dragon.ply -o dragon.json
  ribbonmesh lod cut dragon.json -o coarse.ply --error 0.1%
  ribbonmesh lod cut dragon.json -o view.glb --from 0,0.1,0.5 --slope 0.001")]
pub struct Lod {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    Build(Build),
    Cut(Cut),
}

impl Lod {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        match &self.work {
            Work::Build(command) => command.run(session),
            Work::Cut(command) => command.run(session),
        }
    }
}

/// Make levels of detail of a mesh
///
/// The mesh must be an oriented manifold of triangles, with or without boundary. Attributes are left out;
/// vertices have the numbers that they have in the mesh, by which a viewer finds attributes. The work is done
/// by all threads of the CPU, and the result does not depend on their number.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh lod build dragon.ply -o dragon.json
  ribbonmesh lod build dragon.ply -o sharp.json --feature-angle 40")]
struct Build {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: JSON; the data are beside it, with .bin behind the same name
    #[arg(long, short, value_name = "OUT.json")]
    output: PathBuf,
    /// Keep edges whose faces' normals have a greater angle than this
    #[arg(long, value_name = "DEGREES")]
    feature_angle: Option<f32>,
    /// How much the shape of boundary and features counts, beside that of faces
    #[arg(long, value_name = "FACTOR", default_value_t = LevelsOptions::default().curve_weight)]
    curve_weight: f32,
    /// Largest angle by which a collapse may turn a face
    #[arg(long, value_name = "DEGREES", default_value_t = LevelsOptions::default().max_turn)]
    max_turn: f32,
}

#[derive(Serialize)]
struct Built<'a> {
    mesh: &'a Path,
    data: &'a Path,
    groups: usize,
    meshlets: usize,
    levels: &'a [LevelReport],
}

impl Build {
    fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if is_standard(&self.output) {
            return Err(Failure::Usage(
                "levels of detail are written to files, not to standard output".into(),
            ));
        }
        let data = Levels::data_of(&self.output).map_err(|error| Failure::Usage(error.to_string()))?;
        for file in [&self.output, &data] {
            session.keep(Some(file), &[&self.mesh])?;
        }
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        session.left_out(&mesh, &[Element::Vertex, Element::Face, Element::Corner, Element::Edge]);
        let Self { feature_angle, curve_weight, max_turn, .. } = *self;
        let options = LevelsOptions { feature_angle, curve_weight, max_turn };
        let levels = session.phase("levels", || {
            Levels::build(&mesh, &options).map_err(|error| super::tiles::failure(&self.mesh, error))
        })?;
        session.phase("write", || {
            levels.write(&self.output).map_err(|error| super::tiles::failure(&self.output, error))
        })?;
        session.wrote(&self.output);
        session.wrote(&data);
        self.tell(session, &levels);
        session.results(&Built {
            mesh: &self.mesh,
            data: &data,
            groups: levels.groups().len(),
            meshlets: levels.meshlets().len(),
            levels: &levels.about().levels,
        });
        Ok(())
    }
    fn tell(&self, session: &Session, levels: &Levels) {
        let About { levels: all, .. } = levels.about();
        for (i, LevelReport { meshlets, triangles, error }) in all.iter().enumerate() {
            let error = short((*error).into());
            session.detail(format!("level {i}: {triangles} triangles, {meshlets} meshlets, error {error}"));
        }
        let (count, last) = (counted(all.len() as u64, "level"), all.last().map_or(0, |last| last.triangles));
        session.say(format!("{count}, {} to {last} triangles", levels.about().faces));
        session.say(format!(
            "wrote {}: {}",
            self.output.display(),
            counted(levels.meshlets().len() as u64, "meshlet")
        ));
    }
}

/// Write the surface of an accuracy
///
/// It has no cracks. Its faces have the attribute `level`, 0 for those of the mesh from which levels were
/// made; vertices have the lowest one of their faces.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh lod cut dragon.json -o coarse.ply --error 0.1%
  ribbonmesh lod cut dragon.json -o view.ply --from 0,0.1,0.5 --slope 0.001")]
struct Cut {
    /// Levels of detail: the JSON file, with its data beside it
    levels: PathBuf,
    /// Mesh to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Largest error, in units of the mesh or in % of the diagonal of its box
    #[arg(long, value_name = "LENGTH", value_parser = length, required_unless_present = "from",
          conflicts_with = "from")]
    error: Option<Length>,
    /// Point of view: errors grow with the distance from it
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = three, requires = "slope")]
    from: Option<[f64; 3]>,
    /// Largest error at distance 1 from the point of view; that of a pixel is its size there
    #[arg(long, value_name = "NUMBER", value_parser = slope, requires = "from")]
    slope: Option<f64>,
    #[command(flatten)]
    encoding: Encoding,
}

fn length(text: &str) -> Result<Length, String> {
    match Length::parse(text)? {
        Length::Mean(_) => Err("a length is needed, or % of the diagonal".into()),
        length => Ok(length),
    }
}

fn slope(text: &str) -> Result<f64, String> {
    number(text).filter(|&slope| slope > 0.0).ok_or_else(|| "not a number above 0".into())
}

#[derive(Serialize)]
struct CutResults<'a> {
    levels: &'a Path,
    meshlets: usize,
    triangles: usize,
    vertices: usize,
    /// Triangles of each level, the finest first.
    of_levels: Vec<usize>,
}

impl Cut {
    fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(Some(&self.output), &[&self.levels])?;
        let of_file = |error| super::tiles::failure(&self.levels, error);
        let levels = session.phase("read", || Levels::open(&self.levels).map_err(of_file))?;
        let cut = self.chosen(levels.about());
        let mesh = session.phase("cut", || levels.mesh(&cut).map_err(of_file))?;
        let mut of_levels = vec![0; levels.about().levels.len()];
        for &level in mesh.faces_of().get::<u32>("level").into_iter().flatten() {
            of_levels[level as usize] += 1;
        }
        session.results(&CutResults {
            levels: &self.levels,
            meshlets: levels.chosen(&cut).len(),
            triangles: mesh.faces.len(),
            vertices: mesh.positions.len(),
            of_levels,
        });
        session.write(&self.output, &mesh, &encoded)
    }
    fn chosen(&self, about: &About) -> Chosen {
        match (self.error, self.from, self.slope) {
            (_, Some(from), Some(slope)) => Chosen::View { from: DVec3::from_array(from), slope },
            (Some(Length::Diagonal(share)), ..) => Chosen::Error(f64::from(share) * about.diagonal()),
            (Some(Length::Absolute(error)), ..) => Chosen::Error(error.into()),
            // one of both is required
            _ => Chosen::Error(0.0),
        }
    }
}
