//! `ribbonmesh elasticity`.
mod modes;
mod moving;

use crate::encoding::Encoding as MeshEncoding;
use crate::failure::Failure;
use crate::numbers::{list, number};
use crate::serving::{self, Serving};
use crate::session::Session;
use crate::streams::input_name;
use crate::volume::files::{self, Encoding, Reading, Turning};
use clap::{Args, ValueEnum, value_parser};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::short;
use ribbonmesh_fem::elasticity::{
    Load, LoadSum, Material, Options, Place, Precision, Preconditioner, Problem, Report, Selection, Support,
    solve,
};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_serve::{Background, Live, Moment, Server};
use ribbonmesh_volume::{CellKind, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::{VolumeData, VolumeLoss};
use serde::Serialize;
use std::path::PathBuf;
use std::str::FromStr;

/// Find how a solid body deforms under loads, moves or vibrates, by finite elements
///
/// The volume has tetrahedra alone or hexahedra alone. Displacements are small, unless --large or --dynamic
/// is given. The volume is written with the displacement and the reaction of each vertex, and with stress
/// (xx, yy, zz, xy, yz, zx), principal stresses and von Mises stress of each vertex and of each cell's
/// middle. Units are those of the file: with metres, newtons and kilograms, moduli and stresses are in
/// pascals; with seconds, frequencies are in hertz.
///
/// WHERE is all; min-x or max-z, a side of the bounding box; x=0.5, y<0.1, z>2, a plane or a side of it;
/// box:X,Y,Z,X,Y,Z, from the lowest to the highest corner; region:NAME, a region of the file by name or
/// number: its faces for supports and loads, its cells for materials; faces:NAME, cells:NAME, those alone.
/// Supports hold nodes all of whose vertices are selected; loads are on faces of the surface all of whose
/// vertices are selected; materials are of cells all of whose vertices are selected, or of the cells of a
/// region.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume generate tetrahedra 8 2 2 -o beam.vtu
  ribbonmesh elasticity beam.vtu -o o.vtu --fix min-x --load max-x@0,0,-1e3 --young 210e9 --order 2
  ribbonmesh elasticity beam.vtu -o out.vtu --fix 'x<0.5' --pressure max-z@2e6 --young 70e9
  ribbonmesh elasticity beam.vtu -o out.vtu --fix min-x --gravity 0,0,-9.81 --density 7850
  ribbonmesh elasticity beam.vtu -o o.vtu --fix min-x --load max-x@1,0,0 --material 'z>1@70e9,0.33'
  ribbonmesh elasticity beam.vtu -o out.vtu --fix min-x --load max-x@0,0,-1e-4 --surface bent.ply
  ribbonmesh elasticity beam.vtu -o out.vtu --large --fix min-x --load max-x@0,0,-0.05
  ribbonmesh elasticity beam.vtu -o o.vtu --dynamic --fix min-x --gravity 0,0,-0.1 --frames swing
  ribbonmesh elasticity beam.vtu -o o.vtu --modes 8 --fix min-x --young 210e9 --density 7850")]
pub struct Elasticity {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Hold vertices; may be repeated
    #[arg(long, value_name = "WHERE")]
    fix: Vec<Selection>,
    /// Prescribe displacements along x, y and z; _ leaves a direction free; may be repeated
    #[arg(long = "move", value_name = "WHERE@X,Y,Z", allow_hyphen_values = true)]
    moves: Vec<At<[Option<f64>; 3]>>,
    /// Force, spread over faces of the surface by area; may be repeated
    #[arg(long, value_name = "WHERE@X,Y,Z", allow_hyphen_values = true)]
    load: Vec<At<DVec3>>,
    /// Force per area; may be repeated
    #[arg(long, value_name = "WHERE@X,Y,Z", allow_hyphen_values = true)]
    traction: Vec<At<DVec3>>,
    /// Pressure on the surface, negative where it pulls; may be repeated
    #[arg(long, value_name = "WHERE@P", allow_hyphen_values = true)]
    pressure: Vec<At<f64>>,
    /// Acceleration of gravity
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, default_value = "0,0,0")]
    gravity: Three,
    /// Mass per volume, for gravity and the mass in the report
    #[arg(long, value_name = "DENSITY", default_value_t = 1.0, value_parser = one_number)]
    density: f64,
    /// Young's modulus
    #[arg(long, value_name = "E", default_value_t = 1.0, value_parser = one_number)]
    young: f64,
    /// Poisson's ratio, above -1 and below 0.5
    #[arg(long, value_name = "NU", default_value_t = 0.3, allow_negative_numbers = true, value_parser = one_number)]
    poisson: f64,
    /// Von Mises stress at which the material yields: the report has the safety factor
    #[arg(long = "yield", value_name = "STRESS", value_parser = one_number)]
    yield_stress: Option<f64>,
    /// Another material for some cells, with its own density if there is one; may be repeated, the last one
    /// counts
    #[arg(long, value_name = "WHERE@E,NU[,DENSITY]")]
    material: Vec<At<Stuff>>,
    /// Large displacements and strains: neo-Hookean tetrahedra of order 1, with the same moduli where strains
    /// are small; loads keep their forces and directions
    #[arg(long, conflicts_with_all = ["order", "precision", "preconditioner"])]
    large: bool,
    #[command(flatten)]
    moving: moving::Moving,
    #[command(flatten)]
    vibrating: modes::Vibrating,
    /// Order of the elements: 1, 2 or 3 on tetrahedra, 1 on hexahedra
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = value_parser!(u32).range(1..=3))]
    order: u32,
    /// Residual at the end divided by that at the beginning [default: 1e-8]; with --modes the residual of a
    /// mode as a part of its ω² [default: 1e-6]
    #[arg(long, value_name = "NUMBER", value_parser = one_number)]
    tolerance: Option<f64>,
    /// Most iterations [default: 20000; with --modes 200]; with --large or --dynamic, of Newton's method
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    max_iterations: Option<u32>,
    /// Numbers of the matrix to iterate with: single (mixed) or double precision; the result is within the
    /// tolerance in double precision always
    #[arg(long, value_name = "PRECISION", default_value = "double")]
    precision: Numbers,
    /// Multigrid: some tens of iterations; or the inverted block of each node: less memory, hundreds of
    /// iterations; automatic is multigrid, and blocks if that breaks down
    #[arg(long, value_name = "KIND", default_value = "automatic")]
    preconditioner: Kind,
    /// Also write the deformed surface as triangles, with the displacement and the von Mises stress of
    /// vertices: OBJ, PLY, OFF, STL, GLB or glTF
    #[arg(long, value_name = "OUT")]
    surface: Option<PathBuf>,
    /// Factor of the displacements of the surface; with --modes 1 is a greatest displacement of a tenth of
    /// the bounding box's diagonal
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        requires = "surface",
        allow_negative_numbers = true,
        value_parser = one_number
    )]
    scale: f64,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Clone, Copy, ValueEnum)]
enum Numbers {
    Mixed,
    Double,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Automatic,
    Multigrid,
    Blocks,
}

/// Clients that watch, with the device of what they see.
type Watched = (Background<Live>, Device);

/// `WHERE@WHAT`.
#[derive(Clone)]
struct At<T> {
    at: Selection,
    what: T,
}
impl<T: What> FromStr for At<T> {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (at, what) = text
            .rsplit_once('@')
            .ok_or_else(|| format!("{text:?} has no @ between WHERE and {}", T::FORM))?;
        let what = T::read(what).ok_or_else(|| format!("{what:?} is not {}", T::FORM))?;
        Ok(Self {
            at: at.parse().map_err(|e: ribbonmesh_fem::elasticity::SelectionError| e.to_string())?,
            what,
        })
    }
}
trait What: Sized {
    const FORM: &'static str;
    fn read(text: &str) -> Option<Self>;
}
/// For options that are a number.
fn one_number(text: &str) -> Result<f64, String> {
    number(text).ok_or_else(|| "not a number".to_owned())
}
impl What for f64 {
    const FORM: &'static str = "a number";
    fn read(text: &str) -> Option<Self> {
        number(text)
    }
}
impl What for DVec3 {
    const FORM: &'static str = "three numbers X,Y,Z";
    fn read(text: &str) -> Option<Self> {
        list(text, number).map(Self::from_array)
    }
}
impl What for [Option<f64>; 3] {
    const FORM: &'static str = "three numbers X,Y,Z, or _ in their places";
    fn read(text: &str) -> Option<Self> {
        list(text, |one| if one.trim() == "_" { Some(None) } else { number(one).map(Some) })
    }
}
/// Young's modulus, Poisson's ratio, density.
#[derive(Clone, Copy)]
struct Stuff(f64, f64, Option<f64>);
impl What for Stuff {
    const FORM: &'static str = "two or three numbers E,NU,DENSITY";
    fn read(text: &str) -> Option<Self> {
        let all: Vec<f64> = text.split(',').map(number).collect::<Option<_>>()?;
        match all[..] {
            [young, poisson] => Some(Self(young, poisson, None)),
            [young, poisson, density] => Some(Self(young, poisson, Some(density))),
            _ => None,
        }
    }
}
#[derive(Clone, Copy)]
struct Three(DVec3);
impl FromStr for Three {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        DVec3::read(text).map(Self).ok_or_else(|| format!("{text:?} is not {}", DVec3::FORM))
    }
}

/// The reaction of a support.
#[derive(Serialize)]
struct Held {
    at: String,
    reaction: [f64; 3],
    /// About the origin of the file's coordinates.
    moment: [f64; 3],
}
/// The sums of a load.
#[derive(Serialize)]
struct Loaded {
    at: String,
    area: f64,
    force: [f64; 3],
    /// About the origin of the file's coordinates.
    moment: [f64; 3],
}
/// A vertex and its position.
#[derive(Serialize)]
struct At3 {
    vertex: usize,
    position: [f64; 3],
}
impl From<Place> for At3 {
    fn from(Place { vertex, position }: Place) -> Self {
        Self { vertex, position: position.to_array() }
    }
}

#[derive(Serialize)]
struct Results {
    order: u32,
    /// Cells of each --material.
    material_cells: Vec<usize>,
    unknowns: usize,
    fixed: usize,
    blocks: u64,
    matrix_bytes: usize,
    padding: f64,
    /// Nodes of multigrid's levels.
    levels: Vec<usize>,
    multigrid_bytes: usize,
    iterations: usize,
    /// Of Newton's method, with --large.
    newton_steps: usize,
    /// In which supports moved, with --large.
    stages: usize,
    /// Computed anew from the solution in double precision, by the one at the beginning.
    residual: f64,
    /// The same by the size of the forces.
    true_residual: f64,
    /// The least residual that rounding permits, if the tolerance is not reached.
    rounding: f64,
    converged: bool,
    /// Ways that failed before.
    fallbacks: Vec<String>,
    strain_energy: f64,
    /// Loads times displacements: twice the strain energy if nothing is moved by --move.
    work: f64,
    load: [f64; 3],
    load_moment: [f64; 3],
    reaction: [f64; 3],
    reaction_moment: [f64; 3],
    /// The supports of each --fix, then of each --move.
    supports: Vec<Held>,
    /// The loads of each --load, then of each --traction and --pressure.
    loads: Vec<Loaded>,
    volume: f64,
    mass: f64,
    greatest_displacement: f64,
    greatest_displacement_at: At3,
    /// At vertices.
    greatest_von_mises: f64,
    greatest_von_mises_at: At3,
    /// At the middles of cells.
    greatest_cell_von_mises: f64,
    greatest_cell: usize,
    /// Tension, of vertices.
    greatest_principal: f64,
    greatest_principal_at: At3,
    /// Compression, of vertices.
    least_principal: f64,
    least_principal_at: At3,
    /// --yield by the greatest von Mises stress.
    safety_factor: Option<f64>,
    /// The error of stresses, in the norm of the energy.
    estimated_error: f64,
    isolated_vertices: usize,
    /// Seconds of stages.
    prepare_seconds: f64,
    pattern_seconds: f64,
    assemble_seconds: f64,
    precondition_seconds: f64,
    solve_seconds: f64,
    evaluate_seconds: f64,
}
impl Results {
    fn of(order: u32, problem: &Problem, r: &Report) -> Self {
        let reactions = r.support_reactions.iter().zip(&r.support_moments);
        let held = |(support, (reaction, moment)): (&Support, (&DVec3, &DVec3))| Held {
            at: support.at.to_string(),
            reaction: reaction.to_array(),
            moment: moment.to_array(),
        };
        let loaded = |(load, sum): (&Load, &LoadSum)| Loaded {
            at: load.at().to_string(),
            area: sum.area,
            force: sum.force.to_array(),
            moment: sum.moment.to_array(),
        };
        Self {
            order,
            material_cells: r.material_cells.clone(),
            unknowns: r.unknowns,
            fixed: r.fixed,
            blocks: r.blocks,
            matrix_bytes: r.matrix_bytes,
            padding: r.padding,
            levels: r.levels.clone(),
            multigrid_bytes: r.multigrid_bytes,
            iterations: r.iterations,
            newton_steps: r.newton_steps,
            stages: r.stages,
            residual: r.residual,
            true_residual: r.true_residual,
            rounding: r.rounding,
            converged: r.converged,
            fallbacks: r.fallbacks.clone(),
            strain_energy: r.strain_energy,
            work: r.work,
            load: r.load.to_array(),
            load_moment: r.load_moment.to_array(),
            reaction: r.reaction.to_array(),
            reaction_moment: r.reaction_moment.to_array(),
            supports: problem.supports.iter().zip(reactions).map(held).collect(),
            loads: problem.loads.iter().zip(&r.loads).map(loaded).collect(),
            volume: r.volume,
            mass: r.mass,
            greatest_displacement: r.greatest_displacement,
            greatest_displacement_at: r.greatest_displacement_at.into(),
            greatest_von_mises: r.greatest_von_mises,
            greatest_von_mises_at: r.greatest_von_mises_at.into(),
            greatest_cell_von_mises: r.greatest_cell_von_mises,
            greatest_cell: r.greatest_cell,
            greatest_principal: r.greatest_principal,
            greatest_principal_at: r.greatest_principal_at.into(),
            least_principal: r.least_principal,
            least_principal_at: r.least_principal_at.into(),
            safety_factor: r.safety_factor,
            estimated_error: r.estimated_error,
            isolated_vertices: r.isolated_vertices,
            prepare_seconds: r.times.prepare,
            pattern_seconds: r.times.pattern,
            assemble_seconds: r.times.assemble,
            precondition_seconds: r.times.precondition,
            solve_seconds: r.times.solve,
            evaluate_seconds: r.times.evaluate,
        }
    }
}

/// Stresses of elements of order 1 that jump by more between cells ask for better elements.
const ROUGH: f64 = 0.25;

impl Elasticity {
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        self.surface.is_some() || self.moving.writes_more()
    }
    fn tolerance(&self) -> f64 {
        self.tolerance.unwrap_or(Options::default().tolerance)
    }
    fn max_iterations(&self) -> usize {
        self.max_iterations.map_or(Options::default().max_iterations, |most| most as usize)
    }
    fn problem(&self) -> Problem {
        let held = |at: &Selection| Support { at: at.clone(), values: [Some(0.0); 3] };
        let moved = |m: &At<[Option<f64>; 3]>| Support { at: m.at.clone(), values: m.what };
        let forces = self.load.iter().map(|l| Load::Force { at: l.at.clone(), total: l.what });
        let tractions = self.traction.iter().map(|l| Load::Traction { at: l.at.clone(), force: l.what });
        let pressures = self.pressure.iter().map(|l| Load::Pressure { at: l.at.clone(), pressure: l.what });
        let material = |m: &At<Stuff>| {
            let Stuff(young, poisson, density) = m.what;
            Material { at: m.at.clone(), young, poisson, density }
        };
        Problem {
            materials: self.material.iter().map(material).collect(),
            young: self.young,
            poisson: self.poisson,
            density: self.density,
            gravity: self.gravity.0,
            supports: self.fix.iter().map(held).chain(self.moves.iter().map(moved)).collect(),
            loads: forces.chain(tractions).chain(pressures).collect(),
            yield_stress: self.yield_stress,
        }
    }
    /// Says how selections of regions that both faces and cells have were taken.
    fn say_ambiguous(&self, session: &mut Session, names: &[String]) {
        for name in names {
            let own = name.strip_prefix("region:").unwrap_or(name);
            session.note(format!(
                "{name} is a region of faces and one of cells: taken as faces by supports and loads, as cells by materials; faces:{own} and cells:{own} say which"
            ));
        }
    }
    /// Warns about input that may be a mistake, and about elements that are unsuitable.
    fn advise(&self, session: &mut Session, report: &Report, problem: &Problem, tetrahedra: bool) {
        report.fallbacks.iter().for_each(|way| session.note(way.clone()));
        self.say_ambiguous(session, &report.ambiguous);
        if !problem.has_load() {
            session
                .warn("nothing loads the body: --load, --traction, --pressure, --gravity or --move".into());
        }
        let error = short(100.0 * report.estimated_error);
        let cure = if self.large {
            "smaller cells, four or more across what bends"
        } else if tetrahedra {
            "--order 2, or smaller cells"
        } else {
            "smaller cells, four or more across what bends, or tetrahedra with --order 2"
        };
        if report.locks(self.order, tetrahedra) {
            let cure = if self.large { "" } else { "; --order 2 does not" };
            session.warn(format!(
                "tetrahedra of order 1 lock where Poisson's ratio is {}: the body is too stiff{cure}",
                report.greatest_poisson
            ));
        } else if self.order == 1 && report.estimated_error > ROUGH {
            session.warn(format!(
                "elements of order 1 are too coarse here: stresses of neighbours differ by {error} % in the norm of the energy, and the body is too stiff; {cure}"
            ));
        }
    }
    /// Serves the surface as it is before the loads, on a thread and a device of its own: the solver works
    /// meanwhile, and has no steps.
    fn watch(&self, session: &mut Session, server: Server, volume: &VolumeData) -> Result<Watched, Failure> {
        let device = session.another_device()?;
        let mesh = volume.upload(&device, volume.local_origin(), &VolumeOptions::default())?;
        let (triangles, _) = volume.surface(&mesh)?;
        let mut live = self.serving.live(&device, input_name(&self.volume).to_string())?;
        live.update(Moment::of_mesh(&device, &triangles, 0.0)?)?;
        if !self.moving.dynamic {
            live.end();
        }
        Ok((Background::start(server, live)?, device))
    }
    /// The surface of a volume that is displaced, and what of its data is not on it.
    fn deformed(
        &self,
        mut volume: VolumeData,
        displacement: &[DVec3],
        mesh: &VolumeMesh,
    ) -> Result<(TriangleMesh, Vec<VolumeLoss>), Failure> {
        let moved = volume.positions.iter_mut().zip(displacement);
        moved.for_each(|(x, u)| *x += *u * self.scale);
        Ok(volume.surface(mesh)?)
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if let Some(tolerance) = self.tolerance.filter(|own| !(*own > 0.0 && *own < 1.0)) {
            return Err(Failure::Usage(format!("--tolerance {tolerance}: above 0 and below 1")));
        }
        let encoded = self.encoding.options(&self.output)?;
        let surface = match &self.surface {
            Some(file) => Some((file, MeshEncoding::default().options(file)?)),
            None => None,
        };
        session.keep(None, &[&self.volume, &self.output])?;
        let server = self.serving.begin(session, &self.output)?;
        let mut volume = files::read(session, &self.volume, &self.reading)?;
        if self.turning.turns() {
            let mesh = files::upload(session, &volume, &self.turning)?;
            files::take_turned(session, &mut volume, &mesh)?;
        }
        let device = session.device()?;
        let watched = server.map(|server| self.watch(session, server, &volume)).transpose()?;
        let precision = match self.precision {
            Numbers::Mixed => Precision::Mixed,
            Numbers::Double => Precision::Double,
        };
        let (order, tolerance, max_iterations) = (self.order, self.tolerance(), self.max_iterations());
        let preconditioner = match self.preconditioner {
            Kind::Automatic => Preconditioner::Automatic,
            Kind::Multigrid => Preconditioner::Multigrid,
            Kind::Blocks => Preconditioner::Blocks,
        };
        let large = self.large;
        let options = Options { order, tolerance, max_iterations, precision, preconditioner, large };
        let problem = self.problem();
        if self.moving.dynamic {
            return self.simulate(session, &device, volume, &problem, &encoded, watched);
        }
        if let Some(count) = self.vibrating.modes {
            return self.vibrate(session, &device, volume, (&problem, count), &encoded, watched);
        }
        let first = (!volume.cells.is_empty()).then(|| volume.cells.cell(0).0);
        let tetrahedra = first == Some(CellKind::Tetrahedron);
        let solution = session.phase("solve", || {
            solve(&device, &volume, &problem, &options).map_err(|error| Failure::of_file(&self.volume, error))
        })?;
        let report = &solution.report;
        session.results(&Results::of(order, &problem, report));
        let place = |place: &Place| {
            let [x, y, z] = place.position.to_array().map(short);
            format!("at {x}, {y}, {z}")
        };
        session.tell(
            &self.output,
            format_args!(
                "{} unknowns, {} iterations; greatest displacement {} {}",
                report.unknowns,
                report.iterations,
                short(report.greatest_displacement),
                place(&report.greatest_displacement_at)
            ),
        );
        session.tell(
            &self.output,
            format_args!(
                "greatest von Mises stress {} {}; principal stresses from {} to {}",
                short(report.greatest_von_mises),
                place(&report.greatest_von_mises_at),
                short(report.least_principal),
                short(report.greatest_principal)
            ),
        );
        if let Some(factor) = report.safety_factor {
            session.tell(&self.output, format_args!("safety factor {}", short(factor)));
        }
        for (support, force) in problem.supports.iter().zip(&report.support_reactions) {
            let [x, y, z] = force.to_array().map(short);
            session.tell(&self.output, format_args!("reaction at {}: {x}, {y}, {z}", support.at));
        }
        if !report.converged {
            session.fall_short(format!(
                "after {} iterations the residual is {} of the first, not {}",
                report.iterations,
                short(report.residual),
                short(tolerance)
            ));
        } else if report.residual > tolerance {
            session.note(format!(
                "the residual is {} of the first: rounding in double precision leaves as much",
                short(report.residual)
            ));
        }
        self.advise(session, report, &problem, tetrahedra);
        if report.isolated_vertices > 0 {
            session.note(format!("{} vertices belong to no cell and stay", report.isolated_vertices));
        }
        solution.store(&mut volume);
        files::write(session, &self.output, &volume, &encoded)?;
        if surface.is_some() || watched.is_some() {
            let mesh = session.phase("build", || {
                volume.upload(&device, volume.local_origin(), &VolumeOptions::default())
            })?;
            let (triangles, losses) =
                session.phase("surface", || self.deformed(volume, &solution.displacement, &mesh))?;
            if let Some((file, encoded)) = surface {
                files::say_losses(session, &losses);
                session.write(file, &triangles, &encoded)?;
            }
            if let Some((background, device)) = watched {
                background.update(Moment::of_mesh(&device, &triangles, 1.0)?)?;
                serving::stay(background, session);
            }
        }
        Ok(())
    }
}
