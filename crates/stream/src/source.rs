//! Sources of frames.

use crate::{Control, Encoded, Extent, Lacking, Refusal, Slice, Triangles, View};
use ribbonmesh_expression::{Expression, Field};

/// Something that can be seen: a mesh, or a simulation whose fields change from step to step.
///
/// The hub calls it on one thread. A simulation makes a step, then lets the hub answer its clients.
pub trait Source {
    /// The fields and the place of what is served. It is sent to each client at the beginning, and again
    /// when [`Source::revision`] has changed.
    fn describe(&self) -> Description;

    /// A number that changes when the description does.
    fn revision(&self) -> u64 {
        0
    }

    /// The present step. Numbers ascend.
    fn step(&self) -> Step;

    /// The maker of the frames of the present step: the source itself, or a part of it.
    fn frames(&mut self) -> &mut dyn Frames;

    /// Plays, pauses or makes a step.
    /// # Errors
    /// [`Refusal::Still`] of sources that do not move.
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        let _ = control;
        Err(Refusal::Still)
    }
}

/// The frames of a source at its present step.
pub trait Frames {
    /// Accepts a query, and says by what it is evaluated, such as `cpu`. It may compile the expression.
    /// # Errors
    /// A sentence for the client: why the expression, which is valid, cannot be served.
    fn prepare(&mut self, query: &Query) -> Result<String, String>;

    /// A frame of points.
    /// # Errors
    /// A sentence for the client. The hub goes on.
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String>;

    /// The triangles that a view sees, wherever its camera is; none where there are only points.
    /// # Errors
    /// A sentence for the client.
    fn extent(&mut self, view: &View) -> Result<Option<Extent>, String> {
        let _ = view;
        Ok(None)
    }

    /// The triangles that a view sees, with the parts that a client lacks.
    /// # Errors
    /// A sentence for the client. The hub goes on.
    fn triangles(&mut self, query: &Query, view: &View, lacking: Lacking) -> Result<Triangles, String> {
        let _ = (query, view, lacking);
        Err("this source has no triangles".into())
    }

    /// The exact value at a pixel (from the left, from below) of a view; none where nothing is seen.
    /// # Errors
    /// A sentence for the client.
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let _ = (query, view, pixel);
        Err("this source has no exact values".into())
    }
}

/// A description of a source, in words and numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Description {
    /// Its name, such as that of a file.
    pub title: String,
    /// The fields that expressions may name.
    pub fields: Vec<Served>,
    /// The kind of domain: `surface`, `volume` or `grid`; and numbers of elements, such as
    /// `("faces", 12)`.
    pub domain: (&'static str, Vec<(&'static str, u64)>),
    /// The least and the greatest coordinates.
    pub bounds: [[f64; 3]; 2],
    /// The directions right, up and towards the viewer, when it is seen from the front.
    pub axes: [[f64; 3]; 3],
    /// Whether there are more steps than one, with play, pause and step.
    pub moves: bool,
    /// Whether views may have a slice.
    pub slices: bool,
    /// The slice with which a page should begin, where there are slices; none for the surface.
    pub begins: Option<Slice>,
    /// Words about the machine, such as its name.
    pub machine: String,
}

impl Default for Description {
    /// Without fields, at the origin, with y up.
    fn default() -> Self {
        Self {
            title: String::new(),
            fields: vec![],
            domain: ("surface", vec![]),
            bounds: [[0.0; 3]; 2],
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            moves: false,
            slices: false,
            begins: None,
            machine: String::new(),
        }
    }
}

/// A field that is served.
#[derive(Clone, PartialEq, Debug)]
pub struct Served {
    /// The name and type.
    pub field: Field,
    /// The number of elements.
    pub count: u64,
    /// The unit, or nothing.
    pub unit: String,
    /// The least and the greatest finite number of a scalar, where they are known.
    pub range: Option<[f32; 2]>,
}

impl Served {
    /// A field without unit and range.
    pub fn new(field: Field, count: u64) -> Self {
        Self { field, count, unit: String::new(), range: None }
    }
}

/// A step of a source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Its number.
    pub number: u64,
    /// The time in the simulation.
    pub time: f64,
}

/// An expression that was accepted.
#[derive(Clone, Debug)]
pub struct Query {
    /// The text. Queries with the same text are the same.
    pub text: String,
    /// The expression over the fields of the description.
    pub expression: Expression,
}

/// The exact value at a pixel.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The value of the expression.
    pub value: f32,
    /// The element that is seen: its kind and its number, such as `("face", 5)`.
    pub element: (&'static str, u64),
    /// The place that is seen.
    pub position: [f64; 3],
}
