//! Clients of all kinds, for the soak of the server.
use super::frames;
use super::served::{Answer, Client, Place, looking, view_message};
use anyhow::{Context, Result, bail, ensure};
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::SplitMix64;
use ribbonmesh_serve::stream::Header;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The kinds of clients; half of them are guests.
pub const KINDS: [&str; 8] =
    ["guest", "guest", "guest", "guest", "one that stalls", "liar", "one that vanishes", "stranger"];

/// Frames, and the longest wait for one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lived {
    /// Frames that guests have read.
    pub frames: u64,
    /// The longest wait of a guest for a frame.
    pub wait: Duration,
}

/// The life of one client.
/// # Errors
/// The server has not done what it must.
pub fn live(kind: &str, place: &Place, random: &mut SplitMix64) -> Result<Lived> {
    match kind {
        "guest" => return guest(place, random),
        "one that stalls" => stall(place, random),
        "liar" => lie(place, random),
        "one that vanishes" => vanish(place, random),
        _ => stranger(place, random),
    }?;
    Ok(Lived::default())
}

const EXPRESSIONS: [&str; 4] = ["z", "sin(9*x) + y^2", "mag(position)", "atan2(x, y) > 0.5 ? z : -z"];
const NO_EXPRESSIONS: [&str; 4] = ["z +", "nothing", "x * position)", "((((("];
/// The time in which a guest gets what it asks for.
const PATIENCE: Duration = Duration::from_secs(20);

fn some_view(random: &mut SplitMix64, most: u32) -> ribbonmesh_serve::stream::View {
    let side = 16 + random.below(most - 16);
    looking(side, DVec3::ZERO, 0.5 + 3.0 * random.unit(), 7.0 * random.unit())
}

/// Connects; while the server has no place, again.
fn connect(place: &Place, credits: u32) -> Result<Client> {
    let begin = Instant::now();
    loop {
        match Client::begin(place, credits, &EXPRESSIONS[..1]) {
            Err(error) if begin.elapsed() > PATIENCE => return Err(error.context("a guest is not admitted")),
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
            Ok(client) => return Ok(client),
        }
    }
}

/// The state of a guest.
struct Guest {
    client: Client,
    query: u32,
    view: u32,
    /// Query, view and step of the last frame.
    last: Option<(u32, u32, u64)>,
    lived: Lived,
}

/// A client that keeps to the rules: it checks frames and answers for up to two seconds, and leaves in one of
/// several ways.
fn guest(place: &Place, random: &mut SplitMix64) -> Result<Lived> {
    let client = connect(place, 1 + random.below(8))?;
    client.stream().set_read_timeout(Some(PATIENCE))?;
    let mut guest = Guest { client, query: 1, view: 1, last: None, lived: Lived::default() };
    guest.client.say(&view_message(1, &some_view(random, 400)))?;
    guest.client.say(&json!({"control": random.of(&["play", "step", "play", "pause"])}))?;
    guest.client.request(0, 1, 1)?;
    let end = Instant::now() + Duration::from_secs_f64(0.1 + 2.0 * random.unit());
    while Instant::now() < end {
        guest.frame(random)?;
        guest.act(random)?;
        std::thread::sleep(Duration::from_millis(4));
    }
    match random.below(3) {
        0 => guest.client.close()?,
        1 => guest.client.stream().shutdown(Shutdown::Write)?,
        _ => {}
    }
    Ok(guest.lived)
}

impl Guest {
    /// Waits for the next frame and gives back its credit; answers before it are checked.
    fn frame(&mut self, random: &mut SplitMix64) -> Result<()> {
        // the source may be at rest
        self.client.say(&json!({"control": "step"}))?;
        let begin = Instant::now();
        let bytes = loop {
            match self.client.next().context("a guest gets no frame")? {
                Answer::Text(text) => Self::check(&text)?,
                Answer::Frame(bytes) => break bytes,
            }
        };
        self.lived.wait = self.lived.wait.max(begin.elapsed());
        self.lived.frames += 1;
        let header = Header::read(&bytes)?;
        let now = (header.query, header.view, header.step);
        ensure!(now.0 <= self.query && now.1 <= self.view, "a frame of another client");
        if let Some(last) = self.last {
            ensure!(now != last && now.2 >= last.2 && now.1 >= last.1, "after {last:?} comes {now:?}");
        }
        self.last = Some(now);
        if random.below(4) == 0 {
            ensure!(frames::read(&bytes)?.len() == header.count as usize, "points are missing");
        }
        self.client.request(1, self.query, self.view)
    }
    /// Answers that a guest may get.
    fn check(text: &Value) -> Result<()> {
        let known = ["query", "probe", "pong", "control", "credits"];
        let refused = text["error"].is_object() && text["error"]["code"] != "queries";
        ensure!(
            !refused && (known.iter().any(|key| !text[key].is_null()) || !text["error"].is_null()),
            "{text}"
        );
        Ok(())
    }
    /// Now and then another view or query, a probe, a ping.
    fn act(&mut self, random: &mut SplitMix64) -> Result<()> {
        match random.below(60) {
            0..6 => {
                self.view += 1;
                self.client.say(&view_message(self.view, &some_view(random, 400)))?;
                self.client.request(0, self.query, self.view)
            }
            6 => self.client.say(&json!({"query": self.query + 100, "expr": random.of(&NO_EXPRESSIONS)})),
            7 => {
                let text = random.of(&EXPRESSIONS);
                self.client.say(&json!({"query": self.query + 1, "expr": text}))?;
                self.query += 1;
                self.client.request(0, self.query, self.view)
            }
            8 => {
                let (query, view) = (self.query, self.view);
                self.client.say(&json!({"probe": 1, "query": query, "view": view, "pixel": [8, 8]}))
            }
            9 => self.client.say(&json!({"ping": 5})),
            _ => Ok(()),
        }
    }
}

/// Asks for many frames and takes none for a while; then it reads some, or leaves.
fn stall(place: &Place, random: &mut SplitMix64) -> Result<()> {
    let mut client = connect(place, 8)?;
    client.say(&json!({"control": "play"}))?;
    let views = 1 + random.below(12);
    for view in 1..=views {
        client.say(&view_message(view, &some_view(random, 600)))?;
        client.request(u16::MAX, 1, view)?;
    }
    let waits = if random.below(50) == 0 { 35.0 } else { 2.0 * random.unit() };
    std::thread::sleep(Duration::from_secs_f64(waits));
    // it may be cut off meanwhile
    for _ in 0..random.below(20) {
        if client.next().is_err() {
            break;
        }
    }
    Ok(())
}

/// A message that should not be.
fn lies(random: &mut SplitMix64) -> Vec<u8> {
    let number = random.bits() as u32;
    let (nothing, huge) = ([0; 16], [1e300; 16]);
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    let text = match random.below(14) {
        0 => return (0..random.below(200)).map(|_| random.bits() as u8).collect(),
        1 => return vec![1; 12],
        2 => return [&[1, 2, 255, 255][..], &[255; 8]].concat(),
        3 => "[".repeat(random.below(15_000) as usize),
        4 => " ".repeat(20_000),
        5 => json!({"query": number, "expr": "(".repeat(1000)}).to_string(),
        6 => json!({"query": number, "expr": "sqrt(x)+".repeat(100) + "1"}).to_string(),
        7 => {
            json!({"view": number, "size": [0, number], "V": nothing, "P": nothing, "depth": 16}).to_string()
        }
        8 => json!({"view": number, "size": [9, 9], "V": huge, "P": identity, "depth": 32}).to_string(),
        9 => json!({"view": number, "size": [4096, 4096], "V": identity, "P": identity, "depth": 32})
            .to_string(),
        10 => json!({"probe": number, "query": 1, "view": number, "pixel": [number, 0]}).to_string(),
        11 => json!({"control": "explode", "ping": -1}).to_string(),
        12 => json!({"hello": 1, "credits": u32::MAX}).to_string(),
        _ => json!({"query": 1, "expr": "x"}).to_string(),
    };
    text.into_bytes()
}

/// Sends what should not be, until the server ends the session or it is tired. Some flood it.
fn lie(place: &Place, random: &mut SplitMix64) -> Result<()> {
    let mut client =
        if random.below(3) == 0 { Client::connect(place) } else { connect(place, random.below(8)) }?;
    client.stream().set_read_timeout(Some(Duration::from_millis(300)))?;
    if random.below(6) == 0 {
        // it is cut off meanwhile, or leaves without its answers
        let pings = (0..6000).take_while(|k| client.say(&json!({"ping": k})).is_ok()).count();
        ensure!(pings > 0, "no message is taken");
        return Ok(());
    }
    for _ in 0..random.below(30) {
        let bytes = lies(random);
        let sent = match String::from_utf8(bytes) {
            Ok(text) if random.below(2) == 0 => client.say_text(text),
            Ok(text) => client.send(text.into_bytes()),
            Err(bytes) => client.send(bytes.into_bytes()),
        };
        if sent.is_err() {
            break;
        }
    }
    for _ in 0..40 {
        if client.next().is_err() {
            break;
        }
    }
    Ok(())
}

/// Leaves at a bad moment.
fn vanish(place: &Place, random: &mut SplitMix64) -> Result<()> {
    match random.below(4) {
        // in the middle of the head of its request
        0 => {
            let mut stream = TcpStream::connect(place.address)?;
            stream.write_all(b"GET /frames?tok")?;
        }
        // in the middle of a message
        1 => {
            let client = connect(place, 2)?;
            client.stream().write_all(&[0x82, 0xfe, 0x10])?;
        }
        // with frames on their way
        2 => {
            let mut client = connect(place, 8)?;
            client.say(&view_message(1, &some_view(random, 400)))?;
            client.request(8, 1, 1)?;
        }
        // before the answer to its hello
        _ => Client::connect(place)?.say(&json!({"hello": 1}))?,
    }
    Ok(())
}

/// A stranger without the token, which must get nothing, or with it, which may not read the page to its end.
fn stranger(place: &Place, random: &mut SplitMix64) -> Result<()> {
    let Place { address, token, .. } = place;
    let (head, allowed) = match random.below(6) {
        0 => (format!("GET /?token=0 HTTP/1.1\r\nHost: {address}\r\n\r\n"), false),
        1 => (format!("GET /?token={token} HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"), false),
        2 => (format!("POST /?token={token} HTTP/1.1\r\nHost: {address}\r\n\r\n"), false),
        3 => ("x".repeat(1 + random.below(20_000) as usize), false),
        4 => (format!("GET /frames HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\n\r\n"), false),
        _ => (format!("GET /?token={token} HTTP/1.1\r\nHost: {address}\r\n\r\n"), true),
    };
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // the server may have ended it already
    _ = stream.write_all(head.as_bytes());
    if random.below(4) == 0 {
        return Ok(());
    }
    let mut answer = vec![];
    // it may be reset, with or without an answer
    _ = stream.take(100).read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    match answer.get(9..12) {
        Some("200") if !allowed => bail!("{head:?} gets {answer:?}"),
        Some("503") | None => Ok(()),
        Some(status) => {
            ensure!(!allowed || status == "200", "{head:?} gets {answer:?}");
            Ok(())
        }
    }
}
