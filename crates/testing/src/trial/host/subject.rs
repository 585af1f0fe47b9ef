//! A tagged mesh on a device.
use super::choice::{Choice, Naming};
use super::state::State;
use super::surface::Surface;
use crate::trial::trial::{
    AtEdges, AtEdgesArguments, AtFaces, AtFacesArguments, AtVertices, AtVerticesArguments, TrialArguments,
    USER,
};
use glam::UVec2;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{
    AttributeSet, Compaction, DynamicAttribute, DynamicMesh, Limits, Operation, PassReport,
};
use ribbonmesh::{Buffer, Device, Edge, Face, MeshOptions, Result, StaticMesh, Vertex};

/// Tags of vertices, edges and faces: all different, and never used again.
#[derive(AttributeSet)]
struct Tags {
    vertices: DynamicAttribute<Vertex, UVec2>,
    edges: DynamicAttribute<Edge, UVec2>,
    faces: DynamicAttribute<Face, UVec2>,
}

/// A mesh whose elements have tags, on a device.
pub struct Subject {
    /// The mesh.
    pub mesh: DynamicMesh,
    tags: Tags,
    /// Number of the last operation.
    serial: u32,
    executed: Vec<u32>,
    inputs: Vec<u32>,
}

#[derive(AttributeSet)]
struct Run<'s> {
    template: u32,
    filling: u32,
    serial: u32,
    priority: Buffer<f32>,
    label: Buffer<u32>,
    executed: Buffer<u32>,
    #[attributes]
    tags: &'s mut Tags,
}
impl Run<'_> {
    fn trial(&mut self) -> TrialArguments<'_> {
        TrialArguments {
            template: self.template,
            filling: self.filling,
            serial: self.serial,
            priority: self.priority.view(),
            label: self.label.view(),
            executed: self.executed.view_mut(),
            vertices: self.tags.vertices.view_mut(),
            edges: self.tags.edges.view_mut(),
            faces: self.tags.faces.view_mut(),
        }
    }
}
macro_rules! runs { ($($name:ident $operator:ident $arguments:ident $of_vertices:literal;)*) => { $(
    #[derive(AttributeSet)]
    struct $name<'r, 's>(#[attributes] &'r mut Run<'s>);
    impl Operation for $name<'_, '_> {
        type Operator<'a> = $operator<'a> where Self: 'a;
        const OF_VERTICES: bool = $of_vertices;
        fn operator(&mut self) -> $arguments<'_> {
            $arguments { trial: self.0.trial() }
        }
    }
)* } }
runs! {
    RunAtVertices AtVertices AtVerticesArguments true;
    RunAtEdges AtEdges AtEdgesArguments false;
    RunAtFaces AtFaces AtFacesArguments false;
}

impl Subject {
    /// A mesh of these faces, with room for additional elements, as a fraction. Tags are `(0, id)`.
    /// # Errors
    /// As [`StaticMesh::new`] and [`DynamicMesh::new`].
    pub fn new(device: &Device, vertices: usize, faces: &[[u32; 3]], spare: f32) -> Result<Self> {
        let options = MeshOptions { patch_size: 128, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, vertices, faces, &options)?;
        let inputs = mesh.vertex_inputs().read()?;
        let mesh = DynamicMesh::new(&mesh, spare)?;
        let first =
            |kind: ElementKind| -> Vec<UVec2> { (0..mesh.ids(kind)).map(|i| UVec2::new(0, i)).collect() };
        let tags = Tags {
            vertices: DynamicAttribute::from_ids(&mesh, &first(ElementKind::Vertex))?,
            edges: DynamicAttribute::from_ids(&mesh, &first(ElementKind::Edge))?,
            faces: DynamicAttribute::from_ids(&mesh, &first(ElementKind::Face))?,
        };
        Ok(Self { mesh, tags, serial: 0, executed: vec![], inputs })
    }
    /// The input index of each vertex that existed at the beginning, by the id that it had then.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }
    /// The numbers of ids of vertices, edges and faces in use.
    pub fn ids(&self) -> [u32; 3] {
        [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| self.mesh.ids(kind))
    }
    /// One pass of an operation.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn pass(&mut self, choice: &Choice) -> Result<PassReport> {
        self.run(choice, Limits::passes(1))
    }
    /// An operation until it is finished or at its limits.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn run(&mut self, choice: &Choice, limits: Limits) -> Result<PassReport> {
        self.serial += 1;
        let device = self.mesh.device().clone();
        let mut run = Run {
            template: match choice.naming {
                Naming::Template(template) => same_faces(template) as u32,
                Naming::User(_) => USER,
            },
            filling: choice.filling as u32,
            serial: self.serial,
            priority: device.upload(&choice.priority)?,
            label: device.upload(&choice.label)?,
            executed: device.zeros(choice.priority.len())?,
            tags: &mut self.tags,
        };
        let report = match choice.naming.seed() {
            ElementKind::Vertex => self.mesh.run(&mut RunAtVertices(&mut run), limits)?,
            ElementKind::Edge => self.mesh.run(&mut RunAtEdges(&mut run), limits)?,
            ElementKind::Face => self.mesh.run(&mut RunAtFaces(&mut run), limits)?,
        };
        self.executed = run.executed.read()?;
        Ok(report)
    }
    /// Makes ids contiguous; tags follow.
    /// # Errors
    /// As [`DynamicMesh::compact`].
    pub fn compact(&mut self) -> Result<Compaction> {
        let compaction = self.mesh.compact()?;
        compaction.apply_to(&mut self.tags)?;
        self.executed.clear();
        Ok(compaction)
    }
    /// All of it in host memory.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn state(&mut self) -> Result<State> {
        let faces = self.mesh.read_faces()?;
        Ok(State {
            surface: Surface::new(&faces),
            faces,
            edges: self.mesh.read_edges()?,
            vertices: self.mesh.read_living_vertices()?,
            tags: [
                self.tags.vertices.read(&self.mesh)?,
                self.tags.edges.read(&self.mesh)?,
                self.tags.faces.read(&self.mesh)?,
            ],
            executed: self.executed.clone(),
        })
    }
    /// The number of the last operation, part of the tags that it gave.
    pub fn serial(&self) -> u32 {
        self.serial
    }
}

use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
/// The template that the trial operators know for the same faces.
fn same_faces(template: Template) -> Template {
    match template {
        Template::V | Template::VE => Template::VF,
        Template::E => Template::EF,
        Template::FE => Template::FF,
        other => other,
    }
}
