//! Figures 6.8 and 6.9: frames over networks with a bandwidth and a delay, in computed time.
use super::percentiles;
use anyhow::{Result, anyhow, ensure};
use ribbonmesh_expression::{Field, Type};
use ribbonmesh_serve::Source;
use ribbonmesh_serve::stream::{
    Action, Client, Description, Encoded, Frames, Hub, Limits, Link, Query, Request, Served, Step, View,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Megabits a second, beside a network without limit.
const MEGABITS: [f64; 6] = [10.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
/// Milliseconds from a frame's arrival until the server has the client's answer.
const TURNAROUNDS: [u64; 3] = [10, 33, 100];
/// Bytes of one field of 1024² in the thesis.
const FIELD: usize = 4 << 20;
/// The time that is computed, at least.
const LENGTH: Duration = Duration::from_secs(20);
/// Frames that the network could send in the time that is computed, at least.
const FRAMES: f64 = 50.0;
/// The time between two steps of the source, and between two moves of the camera: shorter than what a frame
/// of the fastest network takes.
const STEP: Duration = Duration::from_millis(1);
/// The time after which the page asks for a new view although the last one has not come.
const PATIENCE: Duration = Duration::from_millis(100);

/// Frames over one network.
#[derive(Serialize)]
pub struct Streamed {
    /// Its bandwidth.
    pub megabits: f64,
    /// Its delay both ways, and the client's work.
    pub turnaround_ms: u64,
    /// Bytes of a frame.
    pub bytes: usize,
    /// Credits of the client.
    pub credits: u32,
    /// Frames that arrive in a second.
    pub frames_per_second: f64,
    /// The part of the bandwidth that they use, and that of the formula.
    pub utilisation: f64,
    /// `n s / (s + B r)`, at most 1.
    pub formula: f64,
    /// Milliseconds from a step to the arrival of its frame, median and 95 %.
    pub age_ms: [f64; 2],
    /// Milliseconds from a move of the camera to the arrival of the first frame that shows it or a later one,
    /// median and 95 %.
    pub moved_ms: [f64; 2],
}

/// A source whose frames have bytes and nothing else.
struct Bytes {
    step: u64,
    bytes: usize,
}

impl Source for Bytes {
    fn describe(&self) -> Description {
        let field = Field::new("Pressure", Type::Scalar, "cells");
        Description { fields: vec![Served::new(field, 1)], moves: true, ..Description::default() }
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.step as f64 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
}

impl Frames for Bytes {
    fn prepare(&mut self, _: &Query) -> Result<String, String> {
        Ok("nothing".into())
    }
    fn encode(&mut self, _: &Query, view: &View) -> Result<Encoded, String> {
        let bytes = self.bytes as u32;
        Ok(Encoded { parts: [0, bytes, 0], body: vec![0; self.bytes], ..Encoded::empty(view) })
    }
}

/// Something that happens.
enum Event {
    /// The source makes a step.
    Step,
    /// A frame of this step and this view arrives at the client.
    Frame(u64, u32),
    /// A message of the client arrives at the server.
    Message(Vec<u8>),
    /// The camera moves.
    Move,
}

/// Events, in the order of time.
#[derive(Default)]
struct Plan {
    events: BTreeMap<(Duration, u64), Event>,
    count: u64,
}

impl Plan {
    fn add(&mut self, at: Duration, event: Event) {
        self.count += 1;
        self.events.insert((at, self.count), event);
    }
}

/// All networks: the thesis's frames of one to three fields with two credits and a turnaround of 33 ms, and
/// frames as large as one field with other credits and turnarounds; then, with two credits, frames of
/// `rixels` bytes.
pub fn measure(rixels: usize) -> Result<Vec<Streamed>> {
    let mut all = vec![];
    for megabits in MEGABITS {
        for fields in 1..=3 {
            for turnaround in TURNAROUNDS {
                for credits in 1..=3 {
                    if fields == 1 || turnaround == 33 && credits == 2 {
                        all.push(stream(megabits, turnaround, fields * FIELD, credits)?);
                    }
                }
            }
        }
        for turnaround in TURNAROUNDS {
            all.push(stream(megabits, turnaround, rixels, 2)?);
        }
    }
    Ok(all)
}

/// The client: it moves its camera all the time, and asks for a view as the page does.
struct Viewer {
    sent: u32,
    sent_at: Duration,
    /// Moves that no frame has shown yet: when, and the view that shows them.
    moves: Vec<(Duration, u32)>,
    moved_ms: Vec<f64>,
}

fn stream(megabits: f64, turnaround_ms: u64, bytes: usize, credits: u32) -> Result<Streamed> {
    let turnaround = Duration::from_millis(turnaround_ms);
    let mut hub = Hub::new(Limits { messages: 1_000_000, ..Limits::default() });
    let mut source = Bytes { step: 0, bytes };
    let client = hub.connect(Duration::ZERO).map_err(|refusal| anyhow!("{refusal}"))?;
    let hello = format!(r#"{{"hello":1,"credits":{credits}}}"#);
    let query = r#"{"query":1,"expr":"Pressure"}"#.to_owned();
    for message in [hello.into_bytes(), query.into_bytes(), view(1), request(0, 1)] {
        receive(&mut hub, client, &message, Duration::ZERO, &mut source)?;
    }
    let mut link = Link::new(megabits * 1e6 / 8.0, turnaround / 2);
    let length = LENGTH.max(Duration::from_secs_f64(FRAMES * bytes as f64 / link.bandwidth));
    let mut viewer = Viewer { sent: 1, sent_at: Duration::ZERO, moves: vec![], moved_ms: vec![] };
    let (mut plan, mut made, mut age_ms, mut arrived, mut used) = (Plan::default(), vec![], vec![], 0, 0);
    plan.add(Duration::ZERO, Event::Step);
    plan.add(STEP, Event::Move);
    while let Some(((now, _), event)) = plan.events.pop_first() {
        if now >= length {
            break;
        }
        match event {
            Event::Step => {
                source.step = made.len() as u64;
                made.push(now);
                plan.add(now + STEP, Event::Step);
            }
            Event::Move => {
                viewer.moves.push((now, viewer.sent + 1));
                if now - viewer.sent_at >= PATIENCE {
                    viewer.ask(0, now, turnaround / 2, &mut plan);
                }
                plan.add(now + STEP, Event::Move);
            }
            Event::Frame(step, view) => {
                arrived += 1;
                age_ms.push(1e3 * (now - made[step as usize]).as_secs_f64());
                viewer.see(view, now);
                if view == viewer.sent {
                    viewer.ask(1, now, turnaround / 2, &mut plan);
                } else {
                    plan.add(now + turnaround / 2, Event::Message(request(1, viewer.sent)));
                }
            }
            Event::Message(bytes) => receive(&mut hub, client, &bytes, now, &mut source)?,
        }
        while let Some(action) = hub.serve(&mut source, || now) {
            let Action::Frame(_, frame) = action else { continue };
            used += frame.len();
            let arrives = link.send(frame.len(), now);
            plan.add(arrives, Event::Frame(frame.header.step, frame.header.view));
        }
    }
    ensure!(arrived > 0, "no frame arrives at {megabits} Mbit/s");
    let seconds = link.free().max(length).as_secs_f64();
    Ok(Streamed {
        megabits,
        turnaround_ms,
        bytes,
        credits,
        frames_per_second: f64::from(arrived) / length.as_secs_f64(),
        utilisation: used as f64 / (link.bandwidth * seconds),
        formula: link.utilisation(credits, bytes + ribbonmesh_serve::stream::HEADER, turnaround),
        age_ms: percentiles(age_ms),
        moved_ms: percentiles(viewer.moved_ms),
    })
}

impl Viewer {
    /// Sends the present camera and asks for its frame.
    fn ask(&mut self, credits: u16, now: Duration, delay: Duration, plan: &mut Plan) {
        self.sent += 1;
        self.sent_at = now;
        plan.add(now + delay, Event::Message(view(self.sent)));
        plan.add(now + delay, Event::Message(request(credits, self.sent)));
    }
    /// A frame of a view is there.
    fn see(&mut self, view: u32, now: Duration) {
        let shown = self.moves.partition_point(|(_, shown_by)| *shown_by <= view);
        self.moved_ms.extend(self.moves.drain(..shown).map(|(at, _)| 1e3 * (now - at).as_secs_f64()));
    }
}

fn view(number: u32) -> Vec<u8> {
    let identity = "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]";
    format!(r#"{{"view":{number},"size":[4,4],"V":{identity},"P":{identity},"depth":16}}"#).into_bytes()
}

fn request(credits: u16, view: u32) -> Vec<u8> {
    Request { mode: 2, credits, query: 1, view }.to_bytes().to_vec()
}

/// Hands a message to the session, which must not refuse it.
fn receive(hub: &mut Hub, client: Client, message: &[u8], now: Duration, source: &mut Bytes) -> Result<()> {
    for action in hub.receive(client, message, now, source) {
        let refused = match &action {
            Action::Text(_, text) => text.contains("\"error\""),
            Action::Frame(..) => false,
            Action::Close(..) => true,
        };
        ensure!(!refused, "{}: {action:?}", String::from_utf8_lossy(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_uses_what_the_formula_says() {
        for (megabits, turnaround, credits) in [(500.0, 33, 1), (500.0, 33, 2), (100.0, 100, 1)] {
            let found = stream(megabits, turnaround, FIELD, credits).expect("frames");
            let (used, formula) = (found.utilisation, found.formula);
            assert!((used - formula).abs() < 0.03, "{megabits}, {credits} credits: {used} and {formula}");
            // on its way at least as long as it takes to send, plus the delay
            let least = 8e-3 * FIELD as f64 / megabits + turnaround as f64 / 2.0;
            assert!(found.age_ms[0] >= least, "{:?} and {least}", found.age_ms);
            assert!(found.moved_ms[0] >= least + turnaround as f64 / 2.0, "{:?} and {least}", found.moved_ms);
        }
    }
}
