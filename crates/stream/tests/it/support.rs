//! A source that counts.

use ribbonmesh_expression::{Field, Type};
use ribbonmesh_stream::{
    Action, Control, Description, Encoded, Extent, Found, Frame, Frames, Hub, Lacking, Places, Query,
    Refusal, Served, Slice, Source, Step, Triangles, View,
};
use std::time::Duration;

/// A source with a step that tests set. It notes the steps at which it encodes.
pub struct Counter {
    pub step: u64,
    pub encoded: Vec<u64>,
    /// Bytes of the values of a frame.
    pub bytes: usize,
    pub moves: bool,
    pub has_slices: bool,
    /// The slices of the views that it encodes.
    pub slices: Vec<Option<Slice>>,
    /// Triangles, whose vertices move with each step, and which change with every other one; none for 0.
    pub faces: u64,
    pub revision: u64,
}

impl Counter {
    pub fn new() -> Self {
        Self {
            step: 1,
            encoded: vec![],
            bytes: 80,
            moves: true,
            has_slices: true,
            slices: vec![],
            faces: 0,
            revision: 0,
        }
    }
}

impl Source for Counter {
    fn describe(&self) -> Description {
        let fields = [
            Field::new("height", Type::Scalar, "vertices"),
            Field::new("velocity", Type::Vector, "vertices"),
            Field::new("area", Type::Scalar, "faces"),
        ];
        Description {
            title: "counter".into(),
            fields: fields.into_iter().map(|field| Served::new(field, 10)).collect(),
            domain: ("surface", vec![("vertices", 10), ("faces", 16)]),
            moves: self.moves,
            slices: self.has_slices,
            ..Description::default()
        }
    }
    fn revision(&self) -> u64 {
        self.revision
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.step as f64 / 2.0 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        if !self.moves {
            return Err(Refusal::Still);
        }
        self.step += u64::from(control == Control::Step);
        Ok(())
    }
}

impl Frames for Counter {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        if query.text == "13" { Err("not 13".into()) } else { Ok("cpu".into()) }
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        if query.text == "14" {
            return Err("not 14".into());
        }
        self.encoded.push(self.step);
        self.slices.push(view.slice);
        Ok(Encoded { parts: [0, self.bytes as u32, 0], body: vec![7; self.bytes], ..Encoded::empty(view) })
    }
    fn extent(&mut self, _: &View) -> Result<Option<Extent>, String> {
        let (vertices, faces) = (self.faces + 2, self.faces);
        let extent = Extent { vertices, faces, topology: self.step / 2, placement: self.step };
        Ok((faces > 0).then_some(extent))
    }
    fn triangles(&mut self, query: &Query, view: &View, lacking: Lacking) -> Result<Triangles, String> {
        if query.text == "14" {
            return Err("not 14".into());
        }
        self.encoded.push(self.step);
        self.slices.push(view.slice);
        let values: Vec<f32> = (0..self.faces + 2).map(|i| i as f32 + self.step as f32).collect();
        let faces = lacking.faces.then(|| vec![0; 3 * self.faces as usize]);
        let places = lacking.places.then(|| Places::of(&vec![[1.0, 2.0, 3.0]; values.len()], [0.0; 3]));
        Ok(Triangles { faces, places, ..Triangles::with_values(&values, false) })
    }
    fn probe(&mut self, _: &Query, _: &View, [x, y]: [u32; 2]) -> Result<Option<Found>, String> {
        let found = || Found { value: x as f32, element: ("face", u64::from(y)), position: [1.0, 2.0, 3.0] };
        Ok((x > 0).then(found))
    }
}

pub const HELLO: &[u8] = br#"{"hello":1}"#;

pub fn query(number: u32, text: &str) -> Vec<u8> {
    format!(r#"{{"query":{number},"expr":"{text}"}}"#).into_bytes()
}

pub fn view(number: u32, size: [u32; 2]) -> Vec<u8> {
    let identity = "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]";
    let [w, h] = size;
    format!(r#"{{"view":{number},"size":[{w},{h}],"V":{identity},"P":{identity},"depth":16}}"#).into_bytes()
}

/// A view with a slice.
pub fn sliced(number: u32, slice: &str) -> Vec<u8> {
    let whole = String::from_utf8(view(number, [4, 4])).expect("text");
    whole.replace(r#""depth":16"#, &format!(r#""depth":16,"slice":{slice}"#)).into_bytes()
}

pub fn request(credits: u16, query: u32, view: u32) -> Vec<u8> {
    request_of(2, credits, query, view)
}

/// A request of a mode.
pub fn request_of(mode: u8, credits: u16, query: u32, view: u32) -> Vec<u8> {
    ribbonmesh_stream::Request { mode, credits, query, view }.to_bytes().to_vec()
}

/// The texts among actions.
pub fn texts(actions: &[Action]) -> Vec<&str> {
    let mut texts = vec![];
    for action in actions {
        if let Action::Text(_, text) = action {
            texts.push(text.as_str());
        }
    }
    texts
}

/// All frames that are due now.
pub fn frames(hub: &mut Hub, source: &mut Counter, now: Duration) -> Vec<Frame> {
    let mut all = vec![];
    while let Some(action) = hub.serve(source, || now) {
        if let Action::Frame(_, frame) = action {
            all.push(frame);
        }
        assert!(all.len() < 1000, "it ends");
    }
    all
}

/// The whole second.
pub fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}
