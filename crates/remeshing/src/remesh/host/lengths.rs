//! Target lengths, and curves of the input.
use super::options::{Boundary, RemeshOptions};
use super::values::Values;
use crate::remesh::curves::{
    Classify, CountLoose, CountThin, KEEP, MarkCurves, MarkEdges, ROUND, SLIDE, Segments, Settle,
};
use crate::remesh::held::{AtLeast, FallOff, HoldLengths};
use crate::remesh::sizing::{Average, Curvatures, Grade, Lengths, VertexNormals};
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::{self, ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::features::{Features, MarksArguments};
use ribbonmesh::surface::Seams;
use ribbonmesh::{Buffer, Edge, Error, Result, Vertex, array};
use ribbonmesh_application::Length;

/// Angle in degrees from which on a turn of a curve is a corner; the feature angle is used if it is less.
const CORNER_ANGLE: f32 = 60.0;
/// Steps of averaging curvatures.
const AVERAGES: u32 = 2;
/// Growth of target lengths per length.
const SLOPE: f32 = 0.5;
/// Steps of limiting that growth.
const GRADES: u32 = 8;

/// Angle in degrees from which on edges are sharp, where no angle is given.
pub const SHARP_ANGLE: f32 = 30.0;
/// Greatest part of the ends of sharp edges without another sharp edge for which sharp edges form curves.
pub const LOOSE: f64 = 0.125;
/// Part of thin triangles from which on a mesh is one of thin triangles.
pub const THIN: f64 = 0.1;

/// Lengths of the input.
pub struct Measures {
    /// Mean length of the edges.
    pub mean: f64,
    /// Diagonal of the box of the vertices.
    pub diagonal: f64,
}
impl Measures {
    /// A length in the units of the positions on the device, which are such that the diagonal is near 1.
    pub fn resolve(&self, option: &'static str, length: Length, scale: f64) -> Result<f32> {
        let l = match length {
            Length::Absolute(l) => (l as f64 * scale) as f32,
            Length::Mean(l) => (l as f64 * self.mean) as f32,
            Length::Diagonal(l) => (l as f64 * self.diagonal) as f32,
            Length::Usual => self.mean.min(Length::USUAL * self.diagonal) as f32,
        };
        // squares of areas must neither overflow nor vanish
        if (1e-9..1e9).contains(&l) {
            return Ok(l);
        }
        let expected = "a length from 1e-9 to 1e9 diagonals of the box around the mesh";
        Err(Error::Option { option, value: format!("{length} = {:e}", l as f64 / scale), expected })
    }
}

/// Properties of the edges and faces of a mesh.
#[derive(Clone, Copy)]
pub struct Survey {
    /// Whether it has sharp edges that form curves.
    pub sharp: bool,
    /// Whether many of its triangles are long and thin.
    pub thin: bool,
}
/// Measures the angles at edges and the shapes of faces. Waits.
pub fn survey(mesh: &mut DynamicMesh, values: &mut Values) -> Result<Survey> {
    let device = mesh.device().clone();
    let [v, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind));
    let MarkedEdges { counts, marked, .. } = mark_edges(mesh, &values.x, None, Some(SHARP_ANGLE), true)?;
    let mut found = device.zeros::<u32>(4)?;
    device.launch(tiles(v), CountLoose { n: v, counts: counts.view(), found: found.view_mut() })?;
    let (x, to) = (values.x.view(), found.view_mut());
    device.launch(tiles(f), CountThin { mesh: mesh.view(), n: f, x, found: to })?;
    let [_, _, loose, thin] = found.read()?[..].try_into().unwrap_or_default();
    let sharp = marked[0];
    let part = |n: u32, of: u32| f64::from(n) / f64::from(of.max(1));
    Ok(Survey { sharp: sharp > 0 && part(loose, 2 * sharp) <= LOOSE, thin: part(thin, f) >= THIN })
}

/// Marks of feature edges.
pub struct MarkedEdges {
    /// The marks, if there is one.
    pub marks: Option<DynamicAttribute<Edge, u32>>,
    /// Number of marked edges and of boundary edges at each vertex.
    pub counts: Buffer<u32>,
    /// Number of marked edges, and of boundary edges.
    pub marked: Vec<u32>,
}
/// Marks feature edges, in addition to the given seams: those of at least this angle in degrees, if there is
/// one. `thin`: beside thin triangles, the angle is that of the surface around them. Waits.
pub fn mark_edges(
    mesh: &mut DynamicMesh,
    x: &DynamicAttribute<Vertex, Vec3>,
    seams: Option<Seams>,
    angle: Option<f32>,
    thin: bool,
) -> Result<MarkedEdges> {
    let device = mesh.device().clone();
    let [v, e] = [ElementKind::Vertex, ElementKind::Edge].map(|kind| mesh.ids(kind));
    let (mut marks, mut counts) = match seams {
        Some(Seams { marks, poles }) => (marks, poles),
        None => (DynamicAttribute::zeros(mesh)?, device.zeros::<u32>(v as usize)?),
    };
    let mut marked = device.zeros::<u32>(2)?;
    let mark = MarkEdges {
        mesh: mesh.view(),
        x: x.view(),
        // every cosine is above −2
        cosine: angle.map_or(-2.0, |degrees| degrees.to_radians().cos()),
        thin: thin as u32,
        marks: MarksArguments::new(Some(&mut marks)),
        counts: counts.view_mut(),
        marked: marked.view_mut(),
    };
    device.launch_each(e, mark)?;
    let marked = marked.read()?;
    Ok(MarkedEdges { marks: (marked[0] > 0).then_some(marks), counts, marked })
}

/// Finds feature edges of at least this angle, if there is one, in addition to the given seams, curves and
/// corners.
pub fn find_curves(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    seams: Option<Seams>,
    (options, angle): (&RemeshOptions, Option<f32>),
) -> Result<Features> {
    let device = mesh.device().clone();
    let v = mesh.ids(ElementKind::Vertex);
    let found = mark_edges(mesh, &values.x, seams, angle, values.moved.is_some())?;
    let MarkedEdges { marks, counts, marked } = found;
    values.marks = marks;
    values.fixed = options.boundary == Boundary::Fixed;
    let mut kinds = device.zeros::<u32>(3)?;
    let classify = Classify {
        mesh: mesh.refresh_view()?,
        values: values.view(),
        counts: counts.view(),
        cosine: corner_cosine(options),
        boundary: match options.boundary {
            Boundary::Fixed => KEEP,
            Boundary::Slide => SLIDE,
            Boundary::Free => ROUND,
        },
        kinds: kinds.view_mut(),
    };
    device.launch_each(v, classify)?;
    let kinds = kinds.read()?;
    Ok(Features::new(&marked, &kinds))
}

/// Makes vertices at which two curves were merged vertices of one curve. Returns how many became that, and
/// how many still wait.
pub fn settle(mesh: &mut DynamicMesh, values: &mut Values, options: &RemeshOptions) -> Result<[u64; 2]> {
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Vertex);
    let mut joints = device.zeros::<u32>(2)?;
    let kernel = Settle {
        mesh: mesh.refresh_view()?,
        values: values.view(),
        cosine: corner_cosine(options),
        joints: joints.view_mut(),
    };
    device.launch_each(n, kernel)?;
    let joints = joints.read()?;
    Ok([joints[0].into(), joints[1].into()])
}
/// The cosine of the angle by which a curve turns at a corner.
fn corner_cosine(options: &RemeshOptions) -> f32 {
    options.feature_angle.map_or(CORNER_ANGLE, |a| a.min(CORNER_ANGLE)).to_radians().cos()
}

/// The tree of the input's curves. `positions` are those of `values`, by id.
pub fn curve_tree(mesh: &mut DynamicMesh, values: &mut Values, positions: &Buffer<Vec3>) -> Result<Bvh> {
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Edge);
    let mut marks = device.unspecified::<u32>(n as usize)?;
    let mark = MarkCurves { mesh: mesh.view(), values: values.view(), marks: marks.view_mut() };
    device.launch_each(n, mark)?;
    let edges = array::select(&marks)?;
    // an edge is a face that is a segment
    let n = edges.len() as u32;
    let mut segments = device.unspecified::<u32>(3 * edges.len())?;
    let list = Segments { mesh: mesh.view(), edges: edges.view(), ends: segments.view_mut() };
    device.launch_each(n, list)?;
    Bvh::from_buffers(positions, &segments)
}

/// The boundary edges that stay, although they are longer than the target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Number of those that are longer than 4/3 of the target length.
    pub edges: u64,
    /// The length of the longest boundary edge.
    pub longest: f32,
}

/// Lengthens target lengths beside boundary edges that stay and are too long for the target.
pub fn hold_lengths(mesh: &mut DynamicMesh, values: &mut Values) -> Result<Held> {
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Vertex);
    let mut a = DynamicAttribute::<Vertex, f32>::zeros(mesh)?;
    let mut held = device.zeros::<u32>(2)?;
    let mut view = mesh.refresh_view()?;
    let kernel = HoldLengths {
        mesh: view.reborrow(),
        values: values.view(),
        lengths: a.view_mut(),
        held: held.view_mut(),
    };
    device.launch_each(n, kernel)?;
    let words = held.read()?;
    let held = Held { edges: words[0] as u64, longest: f32::from_bits(words[1]) };
    if held.edges == 0 {
        return Ok(held);
    }
    let mut b = DynamicAttribute::<Vertex, f32>::zeros(mesh)?;
    let mut view = mesh.refresh_view()?;
    for _ in 0..GRADES {
        let (from, to) = (a.view(), b.view_mut());
        device.launch_each(n, FallOff { mesh: view.reborrow(), x: values.x.view(), from, to })?;
        std::mem::swap(&mut a, &mut b);
    }
    match &mut values.size {
        Some(size) if !values.held => {
            device.launch_each(n, AtLeast { least: a.view(), lengths: size.view_mut() })?
        }
        _ => {
            values.size = Some(a);
            values.held = true;
        }
    }
    Ok(held)
}

/// Computes target lengths by curvature.
pub fn find_sizes(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    tolerance: f32,
    [shortest, longest]: [f32; 2],
) -> Result<()> {
    let device = mesh.device().clone();
    let n = mesh.ids(ElementKind::Vertex);
    let mut a = DynamicAttribute::<Vertex, f32>::zeros(mesh)?;
    let mut b = DynamicAttribute::<Vertex, f32>::zeros(mesh)?;
    let mut view = mesh.refresh_view()?;
    let normals = VertexNormals { mesh: view.reborrow(), x: values.x.view(), normals: values.y.view_mut() };
    device.launch_each(n, normals)?;
    let normals = values.y.buffer().try_clone()?;
    let kernel = Curvatures {
        mesh: view.reborrow(),
        values: values.view(),
        normals: device::ColumnView::new(normals.view()),
        to: a.view_mut(),
    };
    device.launch_each(n, kernel)?;
    for _ in 0..AVERAGES {
        device.launch_each(n, Average { mesh: view.reborrow(), from: a.view(), to: b.view_mut() })?;
        std::mem::swap(&mut a, &mut b);
    }
    let kernel = Lengths { curvatures: a.view(), tolerance, shortest, longest, to: b.view_mut() };
    device.launch_each(n, kernel)?;
    values.size = Some(b);
    grade(mesh, values)
}

/// Limits target lengths so that they grow by at most [`SLOPE`] per length from vertex to vertex.
pub fn grade(mesh: &mut DynamicMesh, values: &mut Values) -> Result<()> {
    let (device, n) = (mesh.device().clone(), mesh.ids(ElementKind::Vertex));
    let Some(mut lengths) = values.size.take() else { return Ok(()) };
    let mut next = DynamicAttribute::<Vertex, f32>::zeros(mesh)?;
    let mut view = mesh.refresh_view()?;
    for _ in 0..GRADES {
        let (x, from, to) = (values.x.view(), lengths.view(), next.view_mut());
        device.launch_each(n, Grade { mesh: view.reborrow(), x, slope: SLOPE, from, to })?;
        std::mem::swap(&mut lengths, &mut next);
    }
    values.size = Some(lengths);
    Ok(())
}
