//! Flips to a Delaunay mesh: the host's part.
use super::sequence::{Flipped, flip_in_sequence};
use crate::check::Search;
use crate::delaunay::kernels::{
    CountBad, FlipDelaunay, FlipDelaunayArguments, INTERSECTS, SEAM, TURNS, WORSE,
};
use crate::order::Order;
use glam::Vec3;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::{
    AttributeSet, DynamicAttribute, DynamicMesh, ExecutionMode, Limits, Operation, PassReport, rejections,
};
use ribbonmesh::features::MarksArguments;
use ribbonmesh::surface::{Changed, Surface, Vertices};
use ribbonmesh::{Edge, Error, Result, Vertex};
use ribbonmesh_application::Options;
use serde::Serialize;
use std::time::Instant;

/// Options of flipping.
#[derive(Options, Clone, Copy, Debug)]
pub struct DelaunayOptions {
    /// Order of the flips
    pub order: Order,
    /// Flip no edge if a face's normal would turn by more
    #[option(unit = "DEGREES")]
    pub max_normal_deviation: Option<f32>,
    /// Take back flips that would make faces intersect others
    pub no_self_intersections: bool,
    /// Most passes.
    #[option(skip)]
    pub passes: u32,
    /// How the phases of a round follow each other; the result does not depend on it.
    #[option(skip)]
    pub mode: ExecutionMode,
    /// Check the result before it is written
    pub validate: bool,
}
impl Default for DelaunayOptions {
    /// Allows any angle, and runs until no edge is left to flip.
    fn default() -> Self {
        let Limits { passes, mode } = Limits::default();
        Self {
            order: Order::Auto,
            max_normal_deviation: None,
            no_self_intersections: false,
            passes,
            mode,
            validate: false,
        }
    }
}

/// Edges that are not Delaunay and may not be flipped, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// The edge between the two opposite vertices exists already.
    pub edge_exists: u32,
    /// A face would coincide with another one, or the result would not be a surface.
    pub topology: u32,
    /// Normals would turn too far.
    pub normals: u32,
    /// The edge is a seam of an attribute.
    pub seams: u32,
    /// A face would get a smaller angle than both faces have: on surfaces that fold, or where vertices
    /// coincide.
    pub worse: u32,
    /// A face would intersect another one; with
    /// [`no_self_intersections`](DelaunayOptions::no_self_intersections).
    pub intersections: u32,
}

/// Report of flipping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DelaunayReport {
    /// The order of flips: in sequence or in rounds.
    pub order: Order,
    /// Edges that were not Delaunay at the beginning.
    pub non_delaunay_before: u32,
    /// Edges that are not Delaunay at the end: the blocked ones, if the run is finished.
    pub non_delaunay_after: u32,
    /// Flips.
    pub flips: u64,
    /// Times that all flips were taken back and repeated without those that had made faces that intersect
    /// others.
    pub repeats: u32,
    /// Passes over the mesh.
    pub passes: u32,
    /// Rounds of these passes; 0 in sequence.
    pub rounds: u32,
    /// Whether all edges were flipped that may be.
    pub finished: bool,
    /// Seconds of the flips, without the counts before and after.
    pub seconds: f64,
    /// Reasons for which the other edges were not flipped.
    pub blocked: Blocked,
}

struct Flips<'m> {
    x: &'m DynamicAttribute<Vertex, Vec3>,
    seams: Option<&'m mut DynamicAttribute<Edge, u32>>,
    barred: Option<DynamicAttribute<Vertex, u32>>,
    least_cosine: f32,
}
// flips make no element
impl AttributeSet for Flips<'_> {}
impl Operation for Flips<'_> {
    type Operator<'a>
        = FlipDelaunay<'a>
    where
        Self: 'a;
    // one edge in six may be flipped at once
    const RECORDS: usize = 8;
    fn operator(&mut self) -> FlipDelaunayArguments<'_> {
        FlipDelaunayArguments {
            x: self.x.view(),
            marks: MarksArguments::new(self.seams.as_deref_mut()),
            checked: self.barred.is_some().into(),
            barred: DynamicAttribute::view_mut_or_empty(self.barred.as_mut()),
            least_cosine: self.least_cosine,
        }
    }
}

/// Runs flips. If vertices can be barred, faces that they made are searched; if some intersect others, their
/// vertices are barred, and all flips are taken back and repeated, until none does. That ends, since no face
/// of barred vertices is made again. Returns how often flips were taken back. Waits.
fn run(mesh: &mut DynamicMesh, mut flips: Flips<'_>, limits: Limits) -> Result<(PassReport, u32)> {
    if flips.barred.is_none() {
        return Ok((mesh.run(&mut flips, limits)?, 0));
    }
    let before = mesh.snapshot()?;
    let seams = flips.seams.as_deref().map(DynamicAttribute::try_clone).transpose()?;
    let (mut repeats, mut search) = (0, Search::default());
    loop {
        let pass = mesh.pass();
        let run = mesh.run(&mut flips, limits)?;
        if run.executed == 0 {
            return Ok((run, repeats));
        }
        let crossing = search.crossing(mesh, pass, flips.x)?;
        let (Some(crossing), Some(barred)) = (crossing, &mut flips.barred) else { return Ok((run, repeats)) };
        crossing.bar(barred, 1)?;
        mesh.restore(&before)?;
        if let (Some(seams), Some(copy)) = (&mut flips.seams, &seams) {
            seams.restore(copy)?;
        }
        repeats += 1;
    }
}

/// Flips edges of a surface until all are Delaunay, or blocked; seams of its attributes are blocked. Vertices
/// do not change; a face has the index of the face from which flips made it. Attributes are transferred.
/// # Errors
/// [`Error::Option`]; [`Error::NotManifold`], as [`Surface::to_dynamic`]; as [`DynamicMesh::run`] and
/// [`Surface::replace`]; in sequence [`Error::Stopped`] by the watch of the thread, and with
/// `no_self_intersections` [`Error::NotFinite`]. The surface is unchanged then.
pub fn delaunay(surface: &mut Surface, options: &DelaunayOptions) -> Result<DelaunayReport> {
    let (report, changed) = flipped(surface, options)?;
    changed.map_or(Ok(()), |changed| changed.put(surface))?;
    Ok(report)
}
/// The triangles that replace a surface so that all edges are Delaunay, or blocked.
pub(super) enum NewFaces {
    InSequence(Flipped),
    InRounds(Box<Changed>),
}
/// Those of a surface; `None` if it stays.
pub(super) fn flipped(
    surface: &mut Surface,
    options: &DelaunayOptions,
) -> Result<(DelaunayReport, Option<NewFaces>)> {
    if options.order.on(surface.device())? == Order::Sequence {
        let (report, flipped) = flip_in_sequence(surface, options, least_cosine(options)?)?;
        return Ok((report, flipped.map(NewFaces::InSequence)));
    }
    let (mut dynamic, x) = surface.to_dynamic(0.0, 1.0)?;
    let mut curves = surface.seams(&mut dynamic)?.map(|seams| seams.marks);
    let report = flip(&mut dynamic, &x, curves.as_mut(), options)?;
    let changed = (report.flips > 0).then(|| {
        NewFaces::InRounds(Box::new(Changed {
            mesh: dynamic,
            positions: x,
            scale: 1.0,
            vertices: Vertices::Same,
            curves,
            seams_kept: true,
            sources: None,
        }))
    });
    Ok((report, changed))
}
impl NewFaces {
    /// Replaces the triangles of the surface.
    pub fn put(self, surface: &mut Surface) -> Result<()> {
        match self {
            Self::InSequence(flipped) => flipped.put(surface),
            Self::InRounds(changed) => surface.replace(*changed),
        }
    }
}

/// The cosine of the largest angle by which normals may turn; below -1 for any.
fn least_cosine(options: &DelaunayOptions) -> Result<f32> {
    match options.max_normal_deviation {
        None => Ok(-2.0),
        Some(degrees) if (0.0..=180.0).contains(&degrees) => Ok(degrees.to_radians().cos()),
        Some(degrees) => {
            let (option, expected) = ("max normal deviation", "0 to 180 degrees");
            Err(Error::Option { option, value: degrees.to_string(), expected })
        }
    }
}

/// Flips edges of a dynamic mesh in rounds until all are Delaunay, or blocked; edges that `seams` marks are
/// blocked. Ids of faces and edges stay in use; ids of vertices keep their meaning.
/// # Errors
/// [`Error::Option`]; [`Error::OtherMesh`] and [`Error::OtherNumbering`] for positions or seams of another
/// mesh, or from before a renumbering; as [`DynamicMesh::run`].
pub fn flip(
    mesh: &mut DynamicMesh,
    x: &DynamicAttribute<Vertex, Vec3>,
    seams: Option<&mut DynamicAttribute<Edge, u32>>,
    options: &DelaunayOptions,
) -> Result<DelaunayReport> {
    let least_cosine = least_cosine(options)?;
    // neither is among the attributes of the operation, so both are checked here
    x.require_mesh(mesh)?;
    seams.iter().try_for_each(|seams| seams.require_mesh(mesh))?;
    let before = count(mesh, x)?;
    let limits = Limits { passes: options.passes, mode: options.mode };
    mesh.make_working_memory(Flips::RECORDS)?;
    let start = Instant::now();
    let barred = match options.no_self_intersections {
        true => Some(DynamicAttribute::zeros(mesh)?),
        false => None,
    };
    let flips = Flips { x, seams, barred, least_cosine };
    let (run, repeats) = run(mesh, flips, limits)?;
    let seconds = start.elapsed().as_secs_f64();
    if options.validate {
        mesh.validate()?;
    }
    let edge_exists = run.blocked_by(rejections::EDGE_EXISTS);
    let normals = run.blocked_by(TURNS);
    let seams = run.blocked_by(SEAM);
    let worse = run.blocked_by(WORSE);
    let intersections = run.blocked_by(INTERSECTS);
    Ok(DelaunayReport {
        order: Order::Rounds,
        non_delaunay_before: before,
        non_delaunay_after: count(mesh, x)?,
        flips: run.executed,
        repeats,
        passes: run.passes,
        rounds: run.rounds,
        finished: run.finished,
        seconds,
        blocked: Blocked {
            edge_exists,
            normals,
            seams,
            worse,
            intersections,
            topology: run.blocked.iter().sum::<u32>() - edge_exists - normals - seams - worse - intersections,
        },
    })
}

fn count(mesh: &mut DynamicMesh, x: &DynamicAttribute<Vertex, Vec3>) -> Result<u32> {
    let (device, edges) = (mesh.device().clone(), mesh.ids(ElementKind::Edge));
    let mut count = device.zeros::<u32>(1)?;
    let kernel = CountBad { mesh: mesh.refresh_view()?, edges, x: x.view(), count: count.view_mut() };
    device.launch(tiles(edges), kernel)?;
    Ok(count.read()?[0])
}
