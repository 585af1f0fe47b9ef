//! Credits over networks with bandwidth and delay, in computed time.

use crate::support::{Counter, query, request, view};
use ribbonmesh_stream::{Action, Hub, Limits, Link};
use std::collections::BTreeMap;
use std::time::Duration;

/// Events of one moment.
#[derive(PartialEq)]
enum Event {
    /// The source makes a step.
    Step,
    /// A frame of this step arrives at the client, which answers.
    Frame(u64),
    /// The client's request arrives at the server.
    Request,
}

/// Ten seconds of a source with 1,000 steps a second, and a client with so many credits whose requests arrive
/// a delay after a frame. Returns the part of the bandwidth that frames of 4 MiB used, and the formula's.
fn utilisation(credits: u32, megabits: f64, turnaround: Duration) -> (f64, f64) {
    let (mut hub, mut source) = (Hub::new(Limits::default()), Counter::new());
    source.bytes = 4 << 20;
    let client = hub.connect(Duration::ZERO).expect("room");
    let hello = format!(r#"{{"hello":1,"credits":{credits}}}"#);
    for message in [hello.into_bytes(), query(1, "height"), view(1, [4, 4]), request(0, 1, 1)] {
        hub.receive(client, &message, Duration::ZERO, &mut source);
    }
    let mut link = Link::new(megabits * 1e6 / 8.0, turnaround / 2);
    let (mut events, mut count) = (BTreeMap::new(), 0);
    let mut plan = |events: &mut BTreeMap<_, _>, at: Duration, event| {
        count += 1;
        events.insert((at, count), event);
    };
    plan(&mut events, Duration::ZERO, Event::Step);
    let (mut flying, mut bytes, mut last) = (0, 0, 0);
    let end = Duration::from_secs(10);
    while let Some(((now, _), event)) = events.pop_first() {
        if now >= end {
            break;
        }
        match event {
            Event::Step => {
                source.step += 1;
                plan(&mut events, now + Duration::from_millis(1), Event::Step);
            }
            Event::Frame(step) => {
                assert!(step > last, "steps ascend");
                last = step;
                flying -= 1;
                plan(&mut events, now + turnaround / 2, Event::Request);
            }
            Event::Request => drop(hub.receive(client, &request(1, 1, 1), now, &mut source)),
        }
        while let Some(Action::Frame(_, frame)) = hub.serve(&mut source, || now) {
            assert_eq!(frame.header.step, source.step, "the newest when encoded");
            flying += 1;
            bytes += frame.len();
            assert!(flying <= credits, "{flying} frames on their way with {credits} credits");
            let arrives = link.send(frame.len(), now);
            plan(&mut events, arrives, Event::Frame(frame.header.step));
        }
    }
    let used = bytes as f64 / (link.bandwidth * link.free().max(end).as_secs_f64());
    (used, link.utilisation(credits, (4 << 20) + 64, turnaround))
}

/// 4 MiB at 500 Mbit/s take 67 ms: with a turnaround of 33 ms a second credit brings half as much again, as
/// the thesis reports (6.3.3).
#[test]
fn utilisation_of_the_network() {
    println!("Mbit/s  turnaround  credits  used  formula");
    for megabits in [10.0, 100.0, 500.0, 1000.0] {
        for turnaround in [10, 33, 100] {
            for credits in 1..=3 {
                let (used, formula) = utilisation(credits, megabits, Duration::from_millis(turnaround));
                println!("{megabits:6} {turnaround:8} ms {credits:8} {used:6.3} {formula:6.3}");
                // the source's step and the last frame
                assert!((used - formula).abs() < 0.05, "{megabits} {turnaround} {credits}: {used} {formula}");
            }
        }
    }
    let (one, _) = utilisation(1, 500.0, Duration::from_millis(33));
    let (two, _) = utilisation(2, 500.0, Duration::from_millis(33));
    assert!(two / one > 1.4 && two > 0.95, "{one} {two}");
}

#[test]
fn one_after_the_other() {
    let ms = Duration::from_millis;
    let mut link = Link::new(1e6, ms(10));
    assert_eq!(link.send(1000, ms(5)), ms(16));
    assert_eq!(link.send(2000, ms(5)), ms(18));
    assert_eq!(link.send(1000, ms(50)), ms(61));
    assert_eq!(Link::new(f64::INFINITY, ms(3)).send(usize::MAX, ms(1)), ms(4));
}
