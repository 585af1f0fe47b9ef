//! Answers of a session.

use crate::support::{Counter, HELLO, at, frames, query, request, sliced, texts, view};
use ribbonmesh_stream::{Action, Client, Hub, Limits, Refusal, Slice};
use std::time::Duration;

struct Trial {
    hub: Hub,
    source: Counter,
    client: Client,
}

impl Trial {
    fn new() -> Self {
        let mut hub = Hub::new(Limits::default());
        let client = hub.connect(at(0)).expect("room");
        Self { hub, source: Counter::new(), client }
    }
    fn greeted() -> Self {
        let mut trial = Self::new();
        trial.say(HELLO);
        trial
    }
    fn say_at(&mut self, bytes: &[u8], now: Duration) -> Vec<Action> {
        self.hub.receive(self.client, bytes, now, &mut self.source)
    }
    fn say(&mut self, bytes: &[u8]) -> Vec<Action> {
        self.say_at(bytes, at(0))
    }
    fn text(&mut self, bytes: &[u8]) -> String {
        texts(&self.say(bytes)).concat()
    }
    fn frames(&mut self) -> Vec<ribbonmesh_stream::Frame> {
        frames(&mut self.hub, &mut self.source, at(0))
    }
}

#[test]
fn a_whole_session() {
    let mut trial = Trial::new();
    let hello = trial.text(HELLO);
    for part in [r#""title":"counter""#, r#""name":"velocity""#, r#""faces":16"#, r#""version":1"#] {
        assert!(hello.contains(part), "{part} in {hello}");
    }
    let accepted = trial.text(&query(7, "mag(velocity) + height"));
    assert_eq!(accepted, r#"{"of":"vertices","query":7,"tier":"cpu","type":"scalar"}"#);
    assert!(trial.say(&view(3, [8, 4])).is_empty());
    assert!(trial.frames().is_empty(), "nothing was asked for");
    assert!(trial.say(&request(0, 7, 3)).is_empty());

    let sent = trial.frames();
    assert_eq!(sent.len(), 1, "the step does not change");
    let header = sent[0].header;
    assert_eq!((header.query, header.view, header.step, header.time), (7, 3, 1, 0.5));
    assert_eq!((header.width, header.height, header.parts), (8, 4, [0, 80, 0]));

    trial.source.step = 5;
    assert_eq!(trial.frames().len(), 1, "the second of two credits");
    trial.source.step = 6;
    assert!(trial.frames().is_empty(), "no credit is left");
    trial.source.step = 9;
    trial.say(&request(1, 7, 3));
    let sent = trial.frames();
    assert_eq!(sent.iter().map(|frame| frame.header.step).collect::<Vec<_>>(), [9], "the newest");

    // another view is answered at once
    trial.say(&view(4, [9, 9]));
    trial.say(&request(1, 7, 4));
    assert_eq!(trial.frames()[0].header.view, 4);
}

#[test]
fn errors_under_the_byte() {
    let mut trial = Trial::greeted();
    assert_eq!(
        trial.text(&query(1, "2 * heigth")),
        r#"{"at":4,"error":"no field is called \"heigth\"; did you mean \"height\"?","length":6,"query":1}"#
    );
    assert!(trial.text(&query(2, "height + area")).contains("use fields of one kind"));
    assert!(trial.text(&query(3, "velocity")).contains("the result is a vector"));
    assert!(trial.text(&query(4, "13")).contains("not 13"));
    // a number of a query that was not accepted is free
    assert!(trial.text(&query(1, "height")).contains("tier"));
    assert!(trial.text(&query(1, "height")).contains("numbers of queries ascend: 1 is not above 1"));
}

#[test]
fn refusals_after_which_it_goes_on() {
    let mut trial = Trial::greeted();
    for (message, part) in [
        (request(0, 1, 1), r#""code":"missing","message":"there is no query 1""#),
        (view(1, [0, 5]), r#""code":"view""#),
        (view(2, [5000, 5]), r#""code":"view""#),
        (sliced(3, r#"{"normal":[0,0,0],"offset":1}"#), "a normal that is not 0"),
        (br#"{"probe":1,"query":1,"view":1,"pixel":[0,0]}"#.to_vec(), r#""probe":1"#),
        (b"\x01\x09\0\0\0\0\0\0\0\0\0\0".to_vec(), r#""code":"mode""#),
    ] {
        let text = trial.text(&message);
        assert!(text.contains(part), "{part} in {text}");
    }
    trial.source.moves = false;
    assert!(trial.text(br#"{"control":"pause"}"#).contains(r#""code":"still""#));
    trial.source.moves = true;
    assert_eq!(trial.text(br#"{"control":"step"}"#), r#"{"control":"step"}"#);
    assert_eq!(trial.source.step, 2);
    assert_eq!(trial.text(br#"{"ping":5}"#), r#"{"pong":5}"#);
}

/// Planes in both ways of writing; those of a source without slices are refused.
#[test]
fn slices() {
    let mut trial = Trial::greeted();
    for (number, slice) in [(1, r#"{"axis":"y","at":-2.5}"#), (2, r#"{"normal":[1,0,2],"offset":4}"#)] {
        assert!(trial.say(&sliced(number, slice)).is_empty());
    }
    trial.say(&query(1, "height"));
    trial.say(&request(0, 1, 2));
    assert_eq!(frames(&mut trial.hub, &mut trial.source, at(0)).len(), 1);
    let plane = |normal, offset| Some(Slice { normal, offset });
    assert_eq!(trial.source.slices, [plane([1.0, 0.0, 2.0], 4.0)]);
    trial.say(&request(1, 1, 1));
    assert_eq!(frames(&mut trial.hub, &mut trial.source, at(0)).len(), 1);
    assert_eq!(trial.source.slices[1], plane([0.0, 1.0, 0.0], -2.5));
    trial.source.has_slices = false;
    assert!(trial.text(&sliced(3, r#"{"axis":"x","at":1}"#)).contains("nothing here has slices"));
}

#[test]
fn refusals_that_end_a_session() {
    let long = vec![b' '; 20_000];
    for (first, message, code) in [
        (None, &request(0, 1, 1)[..], "greeting"),
        (None, br#"{"hello":2}"#, "version"),
        (Some(HELLO), HELLO, "greeting"),
        (Some(HELLO), b"", "unknown"),
        (Some(HELLO), b"\x02\x02\0\0\0\0\0\0\0\0\0\0", "unknown"),
        (Some(HELLO), br#"{"quarry":1}"#, "unknown"),
        (Some(HELLO), br#"{"query":1,"expr":"1","of":"faces"}"#, "unknown"),
        (Some(HELLO), br#"{"query":-1,"expr":"1"}"#, "unknown"),
        (Some(HELLO), &sliced(1, r#"{"axis":"w","at":1}"#), "unknown"),
        (Some(HELLO), &sliced(1, r#"{"axis":"x","normal":[1,0,0],"offset":1}"#), "unknown"),
        (Some(HELLO), &long, "too-long"),
    ] {
        let mut trial = Trial::new();
        first.map(|first| trial.say(first));
        let actions = trial.say(message);
        let [Action::Close(_, refusal)] = &actions[..] else { panic!("{actions:?}") };
        assert_eq!(refusal.code(), code);
        assert_eq!(trial.hub.clients(), 0);
        assert!(trial.say(HELLO).is_empty(), "it is forgotten");
    }
}

#[test]
fn rates_and_numbers_of_clients() {
    let limits = Limits { clients: 2, ..Limits::default() };
    let (mut hub, mut source) = (Hub::new(limits), Counter::new());
    let client = hub.connect(at(0)).expect("room");
    hub.connect(at(0)).expect("room");
    assert_eq!(hub.connect(at(0)), Err(Refusal::Clients(2)));

    hub.receive(client, HELLO, at(0), &mut source);
    let refused = (1..=60).filter(|&n| {
        let actions = hub.receive(client, &query(n, "1"), at(0), &mut source);
        texts(&actions).concat().contains(r#""code":"queries""#)
    });
    assert_eq!(refused.count(), 20, "40 at once");
    let actions = hub.receive(client, &query(100, "1"), at(1), &mut source);
    assert!(texts(&actions).concat().contains("tier"), "20 each second");

    let flood = (0..3000).find_map(|_| {
        let actions = hub.receive(client, br#"{"ping":1}"#, at(1), &mut source);
        actions.into_iter().find(|action| matches!(action, Action::Close(..)))
    });
    assert!(matches!(flood, Some(Action::Close(_, Refusal::Flood(1000)))), "{flood:?}");
    assert!(hub.connect(at(1)).is_ok());
}

#[test]
fn silent_clients_lose_their_credits() {
    let mut trial = Trial::greeted();
    trial.say_at(&query(1, "height"), at(10));
    trial.say_at(&view(1, [4, 4]), at(10));
    trial.say_at(&request(0, 1, 1), at(10));
    assert_eq!(trial.hub.deadline(), Some(at(40)));
    assert!(trial.hub.tick(at(39)).is_empty());
    assert_eq!(texts(&trial.hub.tick(at(40))), [r#"{"because":"nothing was heard for 30 s","credits":0}"#]);
    assert!(trial.hub.tick(at(41)).is_empty(), "once");
    assert!(trial.frames().is_empty());
    trial.say_at(&request(2, 1, 1), at(50));
    assert_eq!(trial.frames().len(), 1);
}

#[test]
fn probes() {
    let mut trial = Trial::greeted();
    trial.say(&query(1, "height"));
    trial.say(&view(1, [4, 4]));
    let probe = |x: u32| format!(r#"{{"probe":9,"query":1,"view":1,"pixel":[{x},2]}}"#).into_bytes();
    assert_eq!(trial.text(&probe(3)), r#"{"face":2,"position":[1.0,2.0,3.0],"probe":9,"value":3.0}"#);
    assert_eq!(trial.text(&probe(0)), r#"{"position":null,"probe":9,"value":null}"#);
    assert!(trial.text(&probe(4)).contains("pixel 4, 2 is not in 4 x 4"));
}

#[test]
fn clients_share_frames_and_take_turns() {
    let mut hub = Hub::new(Limits::default());
    let mut source = Counter::new();
    let clients: Vec<_> = (0..3).map(|_| hub.connect(at(0)).expect("room")).collect();
    for (i, &client) in clients.iter().enumerate() {
        let number = 10 + i as u32;
        for message in
            [HELLO.to_vec(), query(number, "height"), view(number, [4, 4]), request(0, number, number)]
        {
            hub.receive(client, &message, at(0), &mut source);
        }
    }
    let mut served = vec![];
    while let Some(Action::Frame(client, frame)) = hub.serve(&mut source, || at(0)) {
        assert_eq!(u64::from(frame.header.query), 9 + client.0, "its own number");
        served.push(client);
    }
    assert_eq!(served, clients);
    assert_eq!(source.encoded, [1], "encoded once");
}

#[test]
fn a_source_that_fails_is_told_once() {
    let mut trial = Trial::greeted();
    trial.say(&query(1, "14"));
    trial.say(&view(1, [4, 4]));
    trial.say(&request(0, 1, 1));
    let mut told = 0;
    for step in 1..4 {
        trial.source.step = step;
        while let Some(action) = trial.hub.serve(&mut trial.source, || at(0)) {
            assert!(texts(&[action]).concat().contains(r#""message":"not 14""#));
            told += 1;
        }
    }
    assert_eq!(told, 1, "the client is told once");
}
