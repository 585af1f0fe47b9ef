//! Applications.
use crate::{Changes::*, Compared, Failure, Options, Run};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error, Result, Surface, TriangleMesh};
use serde::Serialize;
use serde_json::{Map, Value};

/// Texts of an application's help and documentation. Options are named as the command spells them.
#[derive(Clone, Copy, Debug)]
pub struct Docs {
    /// One line, in the imperative.
    pub title: &'static str,
    /// A paragraph.
    pub about: &'static str,
    /// A paragraph on notation and results; may be empty.
    pub notes: &'static str,
    /// Lines of the command.
    pub examples: &'static [&'static str],
    /// Lines of Python.
    pub python: &'static [&'static str],
}

/// How an application changes a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// Vertices move; vertices and faces keep their order.
    Positions,
    /// Triangles change.
    Triangles,
    /// Nothing: attributes are added.
    Attributes,
    /// Nothing at all.
    Nothing,
}
impl Changes {
    /// Whether the triangles stay.
    pub fn keeps_triangles(self) -> bool {
        self != Triangles
    }
}

/// The kind of an attribute of vertices that an application adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedKind {
    /// Unit normals, which most formats hold.
    Normals,
    /// Real numbers, which only PLY holds.
    Numbers,
    /// Numbers of vertices, -1 for none; only PLY holds them.
    Vertices,
}

/// Attributes of vertices that an application is for.
#[derive(Clone, Copy, Debug)]
pub struct Added {
    /// Names and kinds of the attributes. Some may be missing in a result, if options say so.
    pub attributes: &'static [(&'static str, AddedKind)],
    /// The type of the result in Python: `Array` is the first attribute; others take all.
    pub type_of_result: &'static str,
    /// Explanation of the result in Python.
    pub result: &'static str,
}
impl Added {
    /// Whether only PLY holds all of them.
    pub fn is_for_ply(&self) -> bool {
        self.attributes.iter().any(|(_, kind)| *kind != AddedKind::Normals)
    }
}

/// A line of straight segments on a surface, such as a shortest path.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points in the units of the positions; none if there is no such line.
    pub points: Vec<DVec3>,
}

/// A file of the command for curves that an application finds.
#[derive(Clone, Copy, Debug)]
pub struct Curves {
    /// The option of the command that names the file.
    pub option: &'static str,
    /// Explanation of the option.
    pub help: &'static str,
    /// The option that asks for curves.
    pub asked_by: &'static str,
}

/// Properties of an application.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// How it changes a mesh.
    pub changes: Changes,
    /// Whether the mesh has to be an oriented manifold.
    pub oriented: bool,
    /// Whether interfaces offer to repair the mesh first.
    pub repairs: bool,
    /// Whether a mesh without faces is refused.
    pub faces: bool,
    /// Whether interfaces may compare the result with the input.
    pub compared: bool,
    /// Whether it takes long also for few faces, unless [`Application::long`] says otherwise.
    pub long: bool,
    /// Whether it is a few kernels, so that a GPU is done at once.
    pub quick: bool,
    /// Whether it takes several meshes.
    pub several: bool,
    /// The attributes that it is for, if it is for attributes.
    pub adds: Option<Added>,
    /// The option with which it only looks at the mesh and returns a verdict.
    pub looks: Option<&'static str>,
    /// The file of curves, if it finds curves.
    pub curves: Option<Curves>,
    /// Exceptions of Python, each with its reason; that of `oriented` is understood.
    pub raises: &'static [(&'static str, &'static str)],
    /// Explanation of a further mesh with which the result is compared, if there is one.
    pub reference: Option<&'static str>,
}
impl Traits {
    /// Those of an application for any triangles.
    pub const fn new(changes: Changes) -> Self {
        Self {
            changes,
            oriented: false,
            repairs: false,
            faces: false,
            compared: false,
            long: false,
            quick: false,
            several: false,
            adds: None,
            looks: None,
            curves: None,
            raises: &[],
            reference: None,
        }
    }
    /// Those of an application that improves the triangles of an oriented manifold and stays near it.
    pub const fn improving() -> Self {
        Self { oriented: true, repairs: true, faces: true, compared: true, ..Self::new(Triangles) }
    }
}

/// Connectivity that an application needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Triangles on the host; no device is opened.
    Host,
    /// Triangles where they are: on a device, or on the host with a device beside them.
    Anywhere,
    /// Triangles on a device.
    Triangles,
    /// Triangles with their edges.
    Edges,
    /// Patches, or triangles with their edges where a vertex has too many faces for a patch.
    Patches,
}

/// Meshes on the host with a device.
pub struct Meshes {
    /// The device.
    pub device: Device,
    /// The first mesh, and the result.
    pub mesh: TriangleMesh,
    /// The others, of an application that takes several.
    pub others: Vec<TriangleMesh>,
}

/// Surfaces on a device.
pub struct Surfaces {
    /// The first mesh, and the result.
    pub surface: Surface,
    /// The others, of an application that takes several.
    pub others: Vec<Surface>,
}

/// A mesh to work on.
pub enum Work {
    /// On a device.
    Surface(Surface),
    /// On a device, with others.
    Surfaces(Surfaces),
    /// On the host.
    Mesh(TriangleMesh),
    /// On the host, with a device.
    Meshes(Meshes),
}

/// A mesh where it is.
pub enum Place<'a> {
    /// On a device.
    Device(&'a mut Surface),
    /// On the host, with a device for what is best done there.
    Host(Device, &'a mut TriangleMesh),
}
impl Work {
    /// The mesh, or the first of several, where it is; the device is the CPU where none is given.
    pub fn place(&mut self) -> Place<'_> {
        match self {
            Self::Surface(surface) | Self::Surfaces(Surfaces { surface, .. }) => Place::Device(surface),
            Self::Mesh(mesh) => Place::Host(Device::cpu(), mesh),
            Self::Meshes(Meshes { device, mesh, .. }) => Place::Host(device.clone(), mesh),
        }
    }
}

/// A type that applications work on.
pub trait Subject: Sized {
    /// The mesh as this type.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is in the other place.
    fn of(work: &mut Work) -> Result<&mut Self>;
}
impl Subject for Work {
    fn of(work: &mut Work) -> Result<&mut Self> {
        Ok(work)
    }
}
macro_rules! subjects { ($($variant:ident: $type:ty, $place:literal;)*) => { $(
    impl Subject for $type {
        fn of(work: &mut Work) -> Result<&mut Self> {
            match work {
                Work::$variant(subject) => Ok(subject),
                _ => Err(Error::Invalid(concat!("an application needs a mesh on ", $place).into())),
            }
        }
    }
)* } }
subjects! {
    Surface: Surface, "a device";
    Surfaces: Surfaces, "a device";
    Mesh: TriangleMesh, "the host";
    Meshes: Meshes, "the host beside a device";
}

/// The input and the result of a run on the host.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The input, as repaired.
    pub before: &'a TriangleMesh,
    /// The result.
    pub after: &'a TriangleMesh,
    /// The further mesh with which the result is compared, if it was given.
    pub reference: Option<&'a TriangleMesh>,
    /// The comparison, if [`Traits::compared`] allows one.
    pub compared: Option<&'a Compared>,
}

/// An application: a named algorithm with options and a report.
pub trait Application: Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// Its texts.
    const DOCS: Docs;
    /// Its properties.
    const TRAITS: Traits;
    /// Its options.
    type Options: Options;
    /// The mesh that it works on.
    type Subject: Subject;
    /// Its report, an object in JSON.
    type Report: Serialize + Send;

    /// The connectivity that it needs; edges, unless it says otherwise.
    fn need(_options: &Self::Options) -> Need {
        Need::Edges
    }
    /// Runs it.
    ///
    /// # Errors
    /// The mesh or an option is refused; out of memory; errors of the driver.
    fn run(
        &self,
        subject: &mut Self::Subject,
        options: &Self::Options,
        run: &mut Run<'_>,
    ) -> std::result::Result<Self::Report, Failure>;
    /// Whether it takes long also for few faces.
    fn long(_options: &Self::Options) -> bool {
        Self::TRAITS.long
    }
    /// The target length of edges, if there is one.
    fn target_length(_report: &Self::Report) -> Option<f64> {
        None
    }
    /// The curves that it has found.
    fn curves(_report: &Self::Report) -> &[Curve] {
        &[]
    }
    /// The verdict of a run that has only looked.
    fn verdict(_report: &Self::Report) -> Option<&'static str> {
        None
    }
    /// Says the results, and returns entries of the report that need both meshes on the host.
    fn summarize(
        &self,
        _options: &Self::Options,
        _report: &Self::Report,
        _seen: &Seen<'_>,
        _run: &mut Run<'_>,
    ) -> Map<String, Value> {
        Map::new()
    }
}
