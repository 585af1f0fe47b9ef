//! `--resolver patches`: the change in a store of patches (thesis 5.3, decision 68).
use crate::failure::Failure;
use crate::session::Session;
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Face, Result as Done, Surface, TriangleMesh, Vertex};
use ribbonmesh_application::{Compared, Given, Length, Measuring, Need, Run, counted};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, StoreChange, StoreChanges, StoreError, StoreOptions,
    StoreRemeshOptions,
};
use ribbonmesh_mesh::{Element, MeshError, Role};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Work in patches.
#[derive(Clone, Copy)]
enum Task {
    Flips,
    Remeshing {
        /// In the units of the positions.
        length: f64,
        iterations: u32,
        smoothing: u32,
    },
    Simplification {
        faces: usize,
    },
}
impl Task {
    /// Of an application with its options.
    fn of(name: &str, given: &Given, mesh: &TriangleMesh) -> Result<Self, ribbonmesh_application::Failure> {
        let usual = StoreRemeshOptions::default();
        Ok(match name {
            "remesh" => Self::Remeshing {
                length: given.value("target_length")?.unwrap_or(Length::Usual).in_units(mesh),
                iterations: given.value("iterations")?.unwrap_or(usual.iterations),
                smoothing: given.value("smoothing")?.unwrap_or(usual.smoothing),
            },
            "simplify" => {
                let part = |ratio: f64| (ratio * mesh.faces.len() as f64).round() as usize;
                let faces: Option<u32> = given.value("faces")?;
                let ratio = given.value("ratio")?.unwrap_or(0.0);
                Self::Simplification { faces: faces.map_or_else(|| part(ratio), |faces| faces as usize) }
            }
            _ => Self::Flips,
        })
    }
    fn target_length(self) -> Option<f64> {
        if let Self::Remeshing { length, .. } = self { Some(length) } else { None }
    }
}

/// A mesh in patches.
struct Patches {
    store: PatchStore,
    x: PatchAttribute<Vertex, ribbonmesh::glam::Vec3>,
    /// The face of the input of which each face was made.
    sources: PatchAttribute<Face, u32>,
    /// Positions in the store are relative to this, ...
    origin: DVec3,
    /// ... times this, a power of two for which the diagonal of the box is about 1.
    scale: f64,
    all: StoreChanges,
}
impl Patches {
    fn new(store: PatchStore, mesh: &TriangleMesh) -> Result<Self, StoreError> {
        let origin = mesh.local_origin();
        let diagonal = mesh.bounding_box().map_or(1.0, |bounds| bounds.diagonal());
        let scale = if diagonal.is_normal() { (-diagonal.log2().round()).exp2() } else { 1.0 };
        let points: Vec<_> = mesh.positions.iter().map(|&x| (scale * (x - origin)).as_vec3()).collect();
        let faces: Vec<u32> = (0..mesh.faces.len() as u32).collect();
        let x = PatchAttribute::from_input(&store, &points)?;
        let sources = PatchAttribute::from_input(&store, &faces)?;
        Ok(Self { store, x, sources, origin, scale, all: StoreChanges::default() })
    }
    /// Does the work; what a report says of it beside the sums.
    fn change(&mut self, task: Task) -> Result<Map<String, Value>, StoreError> {
        let mut carried = Carried::none().copied(&mut self.sources)?;
        let (store, x) = (&mut self.store, &mut self.x);
        let results = match task {
            Task::Flips => {
                self.all = store.change_enlarging(StoreChange::FlipDelaunay, x, &mut carried)?;
                vec![("flips", self.all.filled.into())]
            }
            Task::Simplification { faces } => {
                let done = store.simplify(x, &mut carried, faces)?;
                self.all = done.collapses;
                vec![
                    ("collapses", self.all.filled.into()),
                    ("stages", done.stages.into()),
                    ("patches_made_anew", done.merged.into()),
                    ("target_faces", faces.into()),
                ]
            }
            Task::Remeshing { length, iterations, smoothing } => {
                let scaled = (self.scale * length) as f32;
                let options = StoreRemeshOptions { length: scaled, iterations, smoothing };
                let done = store.remesh(x, &mut carried, &options)?;
                let phases = done.iter().flat_map(|one| [one.splits, one.collapses, one.flips]);
                phases.for_each(|changes| self.all += changes);
                let words = |changes: &StoreChanges| Value::Object(work(changes));
                let iterations: Vec<Value> = (done.iter())
                    .map(|one| {
                        json!({
                            "splits": words(&one.splits),
                            "collapses": words(&one.collapses),
                            "flips": words(&one.flips),
                        })
                    })
                    .collect();
                vec![("target_length", length.into()), ("iterations", iterations.into())]
            }
        };
        Ok(results.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
    /// The mesh of the result, in the order of the input where vertices stay; attributes as far as they
    /// follow.
    fn mesh(&self, before: &TriangleMesh, task: Task) -> Result<TriangleMesh, Failure> {
        let (triangles, sources) = (self.store.triangles()?, self.sources.values(&self.store)?);
        let mut faces: Vec<(u32, [u32; 3])> = sources.into_iter().zip(triangles).collect();
        let mut mesh = if let Task::Remeshing { .. } = task {
            self.moved(before, &mut faces)?
        } else {
            let inputs = self.store.inputs::<Vertex>()?;
            let order = self.store.order(ElementKind::Vertex)?;
            let living = inputs.into_iter().zip(order).filter(|(_, number)| *number != NONE);
            kept(before, &living.map(|(input, _)| input).collect::<Vec<_>>(), &mut faces)?
        };
        mesh.faces_of_mut().retain(|column| column.role() != Role::Normal);
        mesh.corners_mut().retain(|_| false);
        mesh.tables = before.tables.clone();
        Ok(mesh)
    }
    /// With vertices where they are now, and without their attributes.
    fn moved(&self, before: &TriangleMesh, faces: &mut [(u32, [u32; 3])]) -> Result<TriangleMesh, Failure> {
        faces.sort_by_key(|(source, _)| *source);
        let points = self.x.values(&self.store)?;
        let mut mesh = before.part(&vec![0; points.len()], faces)?;
        mesh.vertices_mut().retain(|_| false);
        mesh.positions = points.iter().map(|x| self.origin + x.as_dvec3() / self.scale).collect();
        Ok(mesh)
    }
}

/// The mesh of vertices of the input, whose indices there are in the order by which faces name them.
fn kept(
    before: &TriangleMesh,
    inputs: &[u32],
    faces: &mut [(u32, [u32; 3])],
) -> Result<TriangleMesh, MeshError> {
    let mut vertices = inputs.to_vec();
    vertices.sort_unstable();
    let mut numbers = vec![NONE; before.positions.len()];
    (0..).zip(&vertices).for_each(|(number, &input)| numbers[input as usize] = number);
    for (_, corners) in faces.iter_mut() {
        *corners = corners.map(|v| numbers[inputs[v as usize] as usize]);
    }
    faces.sort_by_key(|(source, _)| *source);
    before.part(&vertices, faces)
}

/// The work of patches, for a report.
pub fn work(changes: &StoreChanges) -> Map<String, Value> {
    let entries = [
        ("cavities_filled", changes.filled),
        ("patches_taken", changes.scheduled),
        ("patches_dropped", changes.discarded),
        ("patches_alone", changes.alone),
        ("patches_waited", changes.stuck),
        ("patches_cut", changes.cuts),
        ("elements_moved", changes.moved),
        ("longest_chain", changes.longest_chain),
        ("launches", changes.launches),
        ("laid_out_again", changes.enlarged + changes.remade),
    ];
    entries.into_iter().map(|(name, n)| (name.to_owned(), n.into())).collect()
}

/// Numbers of vertices, edges and faces, for a report.
fn sizes(counts: [usize; 3]) -> Value {
    json!({ "vertices": counts[0], "edges": counts[1], "faces": counts[2] })
}

/// An application in patches: its result, which is compared with the input, and what the report says.
/// # Errors
/// Errors of the store and of the device.
pub fn run(
    session: &mut Session,
    (name, given): (&str, &Given),
    before: &TriangleMesh,
    output: &Path,
) -> Result<(TriangleMesh, Map<String, Value>), Failure> {
    let device = session.device()?;
    let task = Task::of(name, given, before)?;
    let input = session.surface(&device, before, Need::Triangles)?;
    let built = session.build(&device, before)?;
    let seed = session.seed();
    let mut log = session.log(output);
    let mut run = Run::new(seed, &mut log);
    run.measuring = Some(Measuring::default());
    run.sample(&input)?;
    drop(input);
    let mut patches = run
        .phase("store", || Patches::new(PatchStore::from_mesh(&built, &StoreOptions::default())?, before))?;
    drop(built);
    let counts = |store: &PatchStore| {
        [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| store.count(kind))
    };
    let sizes_before = counts(&patches.store);
    let mut results = run.phase(name, || patches.change(task))?;
    if given.has("validate") {
        run.phase("validate", || patches.store.validate())?;
    }
    let after = run.phase("download", || patches.mesh(before, task))?;
    say(&patches.all, [before, &after], task, &mut run);
    results.insert("resolver".into(), "patches".into());
    results.insert("before".into(), sizes(sizes_before));
    results.insert("after".into(), sizes(counts(&patches.store)));
    results.insert("store_bytes_per_face".into(), patches.store.memory().per_face().into());
    results.extend(work(&patches.all));
    drop(patches);
    let compared = compared(&device, &mut run, [before, &after], task)?;
    if let Ok(Value::Object(entries)) = serde_json::to_value(compared) {
        results.extend(entries);
    }
    let lost = lost(before, &after);
    if !lost.is_empty() {
        session.note(format!("attributes left out: {}", lost.join(", ")));
    }
    Ok((after, results))
}

/// The attributes of a mesh that another one does not have.
fn lost(before: &TriangleMesh, after: &TriangleMesh) -> Vec<String> {
    let of = |element: Element| {
        let there = after.attributes(element);
        let columns =
            before.attributes(element).iter().filter(move |column| there.column(column.name()).is_none());
        columns.map(move |column| format!("{element}.{}", column.name()))
    };
    [Element::Vertex, Element::Face, Element::Corner, Element::Edge].into_iter().flat_map(of).collect()
}

/// Prints what was done.
fn say(all: &StoreChanges, [before, after]: [&TriangleMesh; 2], task: Task, run: &mut Run<'_>) {
    let faces = [before, after].map(|mesh| counted(mesh.faces.len() as u64, "face"));
    let [from, to] = faces;
    let done = match task {
        Task::Flips => counted(all.filled.into(), "flip"),
        Task::Remeshing { .. } => format!("{} splits, collapses and flips", all.filled),
        Task::Simplification { .. } => counted(all.filled.into(), "collapse"),
    };
    run.say(format!(
        "{from} to {to}, {done}; patches were taken {}, and dropped {}, in {}",
        counted(all.scheduled.into(), "time"),
        counted(all.discarded.into(), "time"),
        match all.launches {
            1 => "1 launch".to_owned(),
            n => format!("{n} launches"),
        }
    ));
    if let Task::Simplification { faces } = task
        && after.faces.len() > faces
    {
        run.fall_short(format!(
            "{to}: {faces} faces were wanted, and no other vertex may be collapsed; vertices stay at edges that \
             have other than two faces"
        ));
    }
}

/// Compares the result with the input, and prints it.
fn compared(device: &Device, run: &mut Run<'_>, meshes: [&TriangleMesh; 2], task: Task) -> Done<Compared> {
    let result = Surface::new(device, meshes[1], &Default::default())?;
    let distance = run.measure(&result)?;
    let compared = Compared::new(device, meshes, task.target_length(), distance);
    compared.say(run, "smaller changes keep it nearer");
    Ok(compared)
}
