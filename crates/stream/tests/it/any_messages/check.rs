//! The property that holds for any bytes.

use ribbonmesh_expression::{Field, Type};
use ribbonmesh_stream::{
    Action, Description, Encoded, Frames, Hub, Limits, Query, Served, Source, Step, View,
};
use std::time::Duration;

struct Still;
impl Source for Still {
    fn describe(&self) -> Description {
        let field = |name, of_type| Served::new(Field::new(name, of_type, "vertices"), 1);
        let fields = vec![field("height", Type::Scalar), field("velocity", Type::Vector)];
        Description { fields, ..Description::default() }
    }
    fn step(&self) -> Step {
        Step { number: 0, time: 0.0 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
}

impl Frames for Still {
    fn prepare(&mut self, _: &Query) -> Result<String, String> {
        Ok("cpu".into())
    }
    fn encode(&mut self, _: &Query, view: &View) -> Result<Encoded, String> {
        Ok(Encoded::empty(view))
    }
}

/// A session takes the bytes, as a whole and as messages between lines, after and before messages that are
/// right: it answers, goes on or ends.
pub fn check(bytes: &[u8]) {
    let identity = "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]";
    let view = format!(r#"{{"view":3,"size":[8,8],"V":{identity},"P":{identity},"depth":16}}"#);
    let right: [&[u8]; 4] = [
        br#"{"hello":1}"#,
        br#"{"query":7,"expr":"height"}"#,
        view.as_bytes(),
        b"\x01\x02\x01\x00\x07\x00\x00\x00\x03\x00\x00\x00",
    ];
    let (mut hub, mut source) = (Hub::new(Limits::default()), Still);
    let client = hub.connect(Duration::ZERO).expect("there is room");
    let mut frames = 0;
    for message in right.into_iter().chain([bytes]).chain(bytes.split(|b| *b == b'\n')).chain([right[3]]) {
        let actions = hub.receive(client, message, Duration::ZERO, &mut source);
        assert!(actions.len() <= 1);
        if let [Action::Close(_, refusal)] = &actions[..] {
            assert!(refusal.is_fatal() && !refusal.to_string().is_empty());
            assert_eq!(hub.clients(), 0);
        }
        while let Some(Action::Frame(..)) = hub.serve(&mut source, || Duration::ZERO) {
            frames += 1;
            assert!(frames <= 16, "a frame for each query and view");
        }
    }
}
