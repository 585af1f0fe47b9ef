//! Sessions beside a model that only counts, under any order of messages.

use crate::support::{Counter, HELLO, query, request_of, view};
use proptest::prelude::*;
use ribbonmesh_stream::{Action, Client, Hub, Limits, Mode, Triangles};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug)]
enum Move {
    Connect,
    Leave(usize),
    Hello(usize, Option<u32>),
    Query(usize, u32, &'static str),
    View(usize, u32),
    Request(usize, u8, u16, u32, u32),
    Ping(usize),
    Nonsense(usize),
    Step(u64),
    Wait(u64),
    Serve,
}

fn moves() -> impl Strategy<Value = Move> {
    let who = 0..4_usize;
    let number = 1..8_u32;
    let mode = prop_oneof![4 => Just(2_u8), 2 => Just(0_u8), 2 => Just(3_u8)];
    let text = prop_oneof![Just("height"), Just("area * 2"), Just("nothing"), Just("13"), Just("14")];
    prop_oneof![
        2 => Just(Move::Connect),
        1 => who.clone().prop_map(Move::Leave),
        4 => (who.clone(), proptest::option::of(0..12_u32)).prop_map(|(who, n)| Move::Hello(who, n)),
        6 => (who.clone(), number.clone(), text).prop_map(|(who, n, text)| Move::Query(who, n, text)),
        6 => (who.clone(), number.clone()).prop_map(|(who, n)| Move::View(who, n)),
        20 => (who.clone(), mode, 0..5_u16, number.clone(), number)
            .prop_map(|(who, mode, credits, q, v)| Move::Request(who, mode, credits, q, v)),
        1 => who.clone().prop_map(Move::Ping),
        1 => who.prop_map(Move::Nonsense),
        8 => (0..3_u64).prop_map(Move::Step),
        3 => (0..40_u64).prop_map(Move::Wait),
        12 => Just(Move::Serve),
    ]
}

/// The model's knowledge of a client: at most so many frames may come.
#[derive(Default)]
struct Known {
    greeted: bool,
    credits: u32,
    heard: u64,
    /// Mode, query, view and step of the last frame.
    last: Option<(u8, u32, u32, u64)>,
    /// The mode that it asks for.
    mode: u8,
    /// The triangles that it has.
    has: Option<[u64; 2]>,
}

struct Trial {
    hub: Hub,
    source: Counter,
    seconds: u64,
    clients: Vec<Client>,
    known: BTreeMap<Client, Known>,
}

impl Trial {
    fn now(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    fn apply(&mut self, step: Move) {
        let most = self.hub.limits().most;
        match step {
            Move::Connect => {
                if let Ok(client) = self.hub.connect(self.now()) {
                    self.clients.push(client);
                    self.known.insert(client, Known { heard: self.seconds, ..Known::default() });
                }
            }
            Move::Leave(who) => {
                if let Some(client) = self.client(who) {
                    self.hub.disconnect(client);
                    self.known.remove(&client);
                }
            }
            Move::Hello(who, credits) => {
                let text = credits.map(|n| format!(r#"{{"hello":1,"credits":{n}}}"#).into_bytes());
                self.say(who, &text.unwrap_or(HELLO.to_vec()), |known| {
                    known.credits = credits.unwrap_or(2).min(most);
                    known.greeted = true;
                });
            }
            Move::Query(who, number, text) => _ = self.say(who, &query(number, text), |_| ()),
            Move::View(who, number) => _ = self.say(who, &view(number, [4, 4]), |_| ()),
            Move::Request(who, mode, credits, q, v) => {
                // the session asks for the last that it had where there is no such query or view
                let before = self.client(who).map(|client| self.known[&client].mode);
                let missing = self.say(who, &request_of(mode, credits, q, v), |known| {
                    known.credits = (known.credits + u32::from(credits)).min(most);
                    known.mode = mode;
                });
                let known = self.client(who).and_then(|client| self.known.get_mut(&client));
                if let (Some(known), Some(before), true) = (known, before, missing) {
                    known.mode = before;
                }
            }
            Move::Ping(who) => _ = self.say(who, br#"{"ping":1}"#, |_| ()),
            Move::Nonsense(who) => _ = self.say(who, b"nonsense", |_| ()),
            Move::Step(by) => self.source.step += by,
            Move::Wait(seconds) => {
                self.seconds += seconds;
                let actions = self.hub.tick(self.now());
                for known in self.known.values_mut() {
                    if self.seconds - known.heard >= 30 {
                        known.credits = 0;
                    }
                }
                self.follow(actions);
            }
            Move::Serve => self.serve(),
        }
    }

    fn client(&self, who: usize) -> Option<Client> {
        self.clients.iter().rev().copied().filter(|client| self.known.contains_key(client)).nth(who)
    }

    /// Whether there is an answer.
    fn say(&mut self, who: usize, bytes: &[u8], then: impl Fn(&mut Known)) -> bool {
        let Some(client) = self.client(who) else { return false };
        let actions = self.hub.receive(client, bytes, self.now(), &mut self.source);
        let (seconds, answers) = (self.seconds, !actions.is_empty());
        self.follow(actions);
        if let Some(known) = self.known.get_mut(&client) {
            known.heard = seconds;
            then(known);
        }
        answers
    }

    fn follow(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Close(client, refusal) => {
                    assert!(refusal.is_fatal());
                    self.known.remove(&client);
                }
                Action::Text(client, _) => assert!(self.known.contains_key(&client)),
                Action::Frame(..) => panic!("frames come by serving"),
            }
        }
    }

    fn serve(&mut self) {
        let now = self.now();
        let mut turns = 0;
        while let Some(action) = self.hub.serve(&mut self.source, || now) {
            turns += 1;
            assert!(turns <= 2 * self.known.len(), "one frame or error for each client, and a text");
            let Action::Frame(client, frame) = action else {
                self.follow(vec![action]);
                continue;
            };
            let known = self.known.get_mut(&client).expect("a client that is there");
            let (query, view, step) = (frame.header.query, frame.header.view, frame.header.step);
            assert!(known.greeted && known.credits > 0, "a frame without a credit");
            known.credits -= 1;
            assert_eq!(step, self.source.step, "not the newest step");
            if let Some((mode, q, v, last)) = known.last {
                assert!(step >= last, "steps descend");
                let other = (mode, q, v) != (known.mode, query, view);
                assert!(step > last || other, "the same frame twice");
                let camera = frame.header.mode == Mode::Geometry && (mode, q) == (known.mode, query);
                assert!(step > last || !camera, "the same triangles for another camera");
            }
            known.last = Some((known.mode, query, view, step));
            match frame.header.mode {
                Mode::Geometry => {
                    assert_ne!(known.mode, 2, "triangles for a client that wants points");
                    let triangles = Triangles::read(&frame.header, &frame.body).expect("triangles");
                    let [topology, placement] = known.has.unwrap_or([u64::MAX; 2]);
                    assert_eq!(triangles.faces.is_some(), topology != step / 2, "faces once");
                    assert_eq!(triangles.places.is_some(), placement != step, "places once");
                    known.has = Some([step / 2, step]);
                }
                mode => assert!(mode == Mode::Rixel && known.mode != 3, "points for triangles"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn any_order_of_messages(faces in 0..3_u64, moves in proptest::collection::vec(moves(), 0..120)) {
        let limits = Limits { clients: 4, queries: 1000, ..Limits::default() };
        let mut trial = Trial {
            hub: Hub::new(limits),
            source: Counter { faces, ..Counter::new() },
            seconds: 0,
            clients: vec![],
            known: BTreeMap::new(),
        };
        for step in moves {
            trial.apply(step);
        }
        trial.serve();
        prop_assert!(trial.source.encoded.is_sorted());
        prop_assert_eq!(trial.hub.clients(), trial.known.len());
    }
}
