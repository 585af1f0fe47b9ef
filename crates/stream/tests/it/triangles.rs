//! Triangles: their bytes, what a client gets once, and when it gets them.

use crate::support::{Counter, HELLO, frames, query, request_of, sliced, texts, view};
use proptest::prelude::*;
use ribbonmesh_stream::{
    Action, Client, Frame, Header, Hub, Limits, Mode, NO_VALUE, Places, Source, Step, Triangles, View,
};
use std::time::Duration;

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A frame's bytes, read again.
fn read(frame: &Frame) -> (Header, Triangles) {
    let bytes = frame.to_bytes();
    let header = Header::read(&bytes).expect("a frame");
    (header, Triangles::read(&header, &bytes[64..]).expect("triangles"))
}

#[test]
fn steps_of_values_and_places() {
    let values = [-2.0, f32::NAN, 1.0, 0.25, f32::INFINITY];
    let triangles = Triangles::with_values(&values, false);
    assert_eq!((triangles.minimum, triangles.maximum), (-2.0, 1.0));
    assert_eq!(triangles.values, [0, NO_VALUE, 65_534, 49_151, NO_VALUE]);
    let none = Triangles::with_values(&[f32::NAN], true);
    assert_eq!((none.minimum, none.maximum, none.values), (0.0, 0.0, vec![NO_VALUE]));
    let same = Triangles::with_values(&[7.0; 2], true);
    assert_eq!((same.minimum, same.maximum, same.values), (7.0, 7.0, vec![0; 2]));

    let places = Places::of(&[[0.0, 5.0, f32::NAN], [2.0, 5.0, 1.0], [1.0, 5.0, 2.0]], [1e6, 0.0, -3.0]);
    assert_eq!(places.bounds, [[1e6, 5.0, -2.0], [1e6 + 2.0, 5.0, -1.0]]);
    assert_eq!(places.numbers[..2], [0, 0]);
    assert_eq!(places.numbers[3..], [65_535, 0, 0, 32_768, 0, 65_535]);
}

proptest! {
    /// Any triangles are the same after the way, and any bytes are read without a panic.
    #[test]
    fn there_and_back(
        faces in proptest::option::of(proptest::collection::vec(any::<[u32; 3]>(), 1..9)),
        places in proptest::option::of(proptest::collection::vec(any::<[u16; 3]>(), 0..9)),
        values in proptest::collection::vec(any::<u16>(), 0..9),
        of_faces: bool,
        cut in 0..200_usize,
    ) {
        let triangles = Triangles {
            minimum: -1.0,
            maximum: 2.0,
            values,
            of_faces,
            faces: faces.map(|faces| faces.as_flattened().to_vec()),
            places: places.map(|places| Places {
                bounds: [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
                numbers: places.as_flattened().to_vec(),
            }),
        };
        let mut hub = Hub::new(Limits::default());
        let mut source = Given(triangles.clone());
        let client = hub.connect(ms(0)).expect("room");
        for message in [HELLO.to_vec(), query(1, "1"), view(1, [4, 4]), request_of(3, 0, 1, 1)] {
            hub.receive(client, &message, ms(0), &mut source);
        }
        let Some(Action::Frame(_, frame)) = hub.serve(&mut source, || ms(0)) else { panic!("a frame") };
        let (header, found) = read(&frame);
        prop_assert_eq!(&found, &triangles);
        prop_assert_eq!(header.complete, triangles.faces.is_some() && triangles.places.is_some());
        let bytes = frame.to_bytes();
        _ = Triangles::read(&header, &bytes[64..][..cut.min(bytes.len() - 64)]);
        let wrong = Header { count: u32::MAX, ..header };
        prop_assert_eq!(Triangles::read(&wrong, &bytes[64..]), None);
    }
}

struct Given(Triangles);
impl Source for Given {
    fn describe(&self) -> ribbonmesh_stream::Description {
        ribbonmesh_stream::Description::default()
    }
    fn step(&self) -> Step {
        Step { number: 0, time: 0.0 }
    }
    fn frames(&mut self) -> &mut dyn ribbonmesh_stream::Frames {
        self
    }
}

impl ribbonmesh_stream::Frames for Given {
    fn prepare(&mut self, _: &ribbonmesh_stream::Query) -> Result<String, String> {
        Ok("cpu".into())
    }
    fn encode(
        &mut self,
        _: &ribbonmesh_stream::Query,
        view: &View,
    ) -> Result<ribbonmesh_stream::Encoded, String> {
        Ok(ribbonmesh_stream::Encoded::empty(view))
    }
    fn extent(&mut self, _: &View) -> Result<Option<ribbonmesh_stream::Extent>, String> {
        let extent = ribbonmesh_stream::Extent { vertices: 1, faces: 1, topology: 0, placement: 0 };
        Ok(Some(extent))
    }
    fn triangles(
        &mut self,
        _: &ribbonmesh_stream::Query,
        _: &View,
        _: ribbonmesh_stream::Lacking,
    ) -> Result<Triangles, String> {
        Ok(self.0.clone())
    }
}

struct Trial {
    hub: Hub,
    source: Counter,
    client: Client,
    now: Duration,
}

impl Trial {
    fn new(faces: u64) -> Self {
        let mut hub = Hub::new(Limits::default());
        let client = hub.connect(ms(0)).expect("room");
        let source = Counter { faces, bytes: 40_000, ..Counter::new() };
        let mut trial = Self { hub, source, client, now: ms(0) };
        for message in
            [HELLO.to_vec(), query(1, "height"), query(2, "height * 2"), view(1, [8, 8]), view(2, [9, 9])]
        {
            trial.say(&message);
        }
        trial
    }
    fn say(&mut self, bytes: &[u8]) -> Vec<Action> {
        self.hub.receive(self.client, bytes, self.now, &mut self.source)
    }
    /// Asks, and gets the frames.
    fn ask(&mut self, mode: u8, credits: u16, query: u32, view: u32) -> Vec<Frame> {
        let actions = self.say(&request_of(mode, credits, query, view));
        assert!(actions.is_empty(), "{actions:?}");
        frames(&mut self.hub, &mut self.source, self.now)
    }
}

#[test]
fn faces_and_places_come_once() {
    let mut trial = Trial::new(6);
    let [first] = &trial.ask(3, 0, 1, 1)[..] else { panic!("a frame") };
    let (header, triangles) = read(first);
    assert!(header.complete && header.mode == Mode::Geometry && header.count == 8);
    assert!(triangles.faces.is_some() && triangles.places.is_some());
    // the camera does not matter
    assert!(trial.ask(3, 1, 1, 2).is_empty());
    // values alone
    let (header, triangles) = read(&trial.ask(3, 0, 2, 2)[0]);
    assert!(!header.complete && triangles.faces.is_none() && triangles.places.is_none());
    // a slice is other triangles; here they have the same numbers
    trial.say(&sliced(3, r#"{"axis":"x","at":1}"#));
    assert_eq!(trial.ask(3, 1, 2, 3).len(), 1);
    // points between; the client keeps the triangles
    assert_eq!(trial.ask(2, 1, 2, 3)[0].header.mode, Mode::Rixel);
    trial.source.step = 3;
    let (_, triangles) = read(&trial.ask(3, 1, 2, 3)[0]);
    assert!(triangles.faces.is_some() && triangles.places.is_some(), "both have changed");
    trial.source.step = 2;
    let (_, triangles) = read(&trial.ask(3, 1, 2, 3)[0]);
    assert!(triangles.faces.is_none() && triangles.places.is_some(), "places alone");
}

/// After another description a client has no triangles, also where their numbers are the same.
#[test]
fn another_description() {
    let mut trial = Trial::new(6);
    assert_eq!(trial.ask(3, 0, 1, 1).len(), 1);
    trial.source.revision = 1;
    trial.say(&request_of(3, 1, 2, 1));
    let mut next = || trial.hub.serve(&mut trial.source, || ms(0));
    let Some(Action::Text(_, text)) = next() else { panic!("a text") };
    assert!(text.contains(r#""changed":true"#), "{text}");
    let Some(Action::Frame(_, frame)) = next() else { panic!("a frame") };
    let (header, triangles) = read(&frame);
    assert!(header.complete && triangles.faces.is_some() && triangles.places.is_some());
    assert!(next().is_none());
    // a refusal of triangles is told, whatever was refused of points
    let mut trial = Trial::new(0);
    trial.say(&query(3, "14"));
    for mode in [2, 3] {
        trial.say(&request_of(mode, 0, 3, 1));
        let action = trial.hub.serve(&mut trial.source, || ms(0)).expect("a refusal");
        assert!(texts(&[action])[0].contains(if mode == 2 { "not 14" } else { "no triangles" }));
    }
}

#[test]
fn a_source_without_triangles() {
    let mut trial = Trial::new(0);
    assert_eq!(trial.ask(0, 0, 1, 1)[0].header.mode, Mode::Rixel);
    trial.say(&request_of(3, 1, 1, 1));
    let action = trial.hub.serve(&mut trial.source, || ms(0)).expect("a refusal");
    assert!(texts(&[action])[0].contains("this source has no triangles"));
    assert!(trial.hub.serve(&mut trial.source, || ms(0)).is_none(), "once");
}

/// The text before a frame, and the mode of the frame.
fn choice(trial: &mut Trial, credits: u16, query: u32, view: u32) -> (Option<String>, Mode) {
    trial.say(&request_of(0, credits, query, view));
    let now = trial.now;
    let mut text = None;
    loop {
        match trial.hub.serve(&mut trial.source, || now) {
            Some(Action::Text(_, told)) => text = Some(told),
            Some(Action::Frame(_, frame)) => return (text, frame.header.mode),
            other => panic!("{other:?}"),
        }
    }
}

/// Few triangles at once; more when the network is known to be fast; too many never.
#[test]
fn chosen_by_what_is_measured() {
    let mut few = Trial::new(100);
    let (text, mode) = choice(&mut few, 0, 1, 1);
    assert!(mode == Mode::Geometry && text.expect("a reason").contains("at most 262144"));

    // 100,000 triangles with places have 2 MB: 2 s at 8 Mbit/s
    for (milliseconds, expected, words) in
        [(10, Mode::Geometry, "100000 triangles take 0.50 s at 32"), (100, Mode::Rixel, "s at 3.2 Mbit/s")]
    {
        let mut trial = Trial::new(100_000);
        let (text, mode) = choice(&mut trial, 0, 1, 1);
        assert!(mode == Mode::Rixel && text.expect("a reason").contains("not measured yet"));
        // a frame of 40 kB has arrived
        trial.now += ms(milliseconds);
        // the same query and view: the choice is made again
        let (text, mode) = choice(&mut trial, 1, 1, 1);
        assert_eq!(mode, expected);
        if expected == Mode::Geometry {
            assert!(text.expect("a reason").contains(words));
        }
    }
    let mut many = Trial::new(2_000_001);
    let (text, mode) = choice(&mut many, 0, 1, 1);
    assert!(mode == Mode::Rixel && text.expect("a reason").contains("more than 2000000"));

    // steps that move vertices have more bytes than points
    let mut moving = Trial::new(10_000);
    assert_eq!(choice(&mut moving, 0, 1, 1).1, Mode::Geometry);
    let points = moving.ask(2, 1, 1, 1);
    assert_eq!(points.len(), 1);
    moving.source.step += 1;
    let (text, mode) = choice(&mut moving, 1, 1, 1);
    assert!(mode == Mode::Rixel, "{mode:?}");
    assert!(text.expect("a reason").contains("bytes as triangles, 40064 as points"));
}
