//! Applications.
use crate::{Changes::*, Compared, Failure, Options, Run};
use ribbonmesh::{Error, Result, Surface, TriangleMesh};
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
    /// Whether it takes long also for few faces.
    pub long: bool,
    /// Explanation of a further mesh with which the result is compared, if there is one.
    pub reference: Option<&'static str>,
}
impl Traits {
    /// Those of an application for any triangles.
    pub const fn new(changes: Changes) -> Self {
        let (oriented, repairs, faces, compared, long) = (false, false, false, false, false);
        Self { changes, oriented, repairs, faces, compared, long, reference: None }
    }
}

/// Connectivity that an application needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Triangles on the host; no device is opened.
    Host,
    /// Triangles on a device.
    Triangles,
    /// Triangles with their edges.
    Edges,
    /// Patches, or triangles with their edges where a vertex has too many faces for a patch.
    Patches,
}

/// A mesh to work on.
#[expect(clippy::large_enum_variant, reason = "there is one in a run")]
pub enum Work {
    /// On a device.
    Surface(Surface),
    /// On the host.
    Mesh(TriangleMesh),
}

/// A type that applications work on.
pub trait Subject: Sized {
    /// The mesh as this type.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is in the other place.
    fn of(work: &mut Work) -> Result<&mut Self>;
}
impl Subject for Surface {
    fn of(work: &mut Work) -> Result<&mut Self> {
        match work {
            Work::Surface(surface) => Ok(surface),
            Work::Mesh(_) => Err(Error::Invalid("an application needs a mesh on a device".into())),
        }
    }
}
impl Subject for TriangleMesh {
    fn of(work: &mut Work) -> Result<&mut Self> {
        match work {
            Work::Mesh(mesh) => Ok(mesh),
            Work::Surface(_) => Err(Error::Invalid("an application needs a mesh on the host".into())),
        }
    }
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
    type Report: Serialize;

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
    /// The target length of edges, if there is one.
    fn target_length(_report: &Self::Report) -> Option<f64> {
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
