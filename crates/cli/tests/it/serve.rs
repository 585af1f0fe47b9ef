//! `ribbonmesh serve`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;
use ribbonmesh_serve::stream::{Header, Request};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Ends the program in any case.
pub struct Running(pub Child);
impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// The line with the address that the program writes into a file.
pub fn address_in(folder: &Folder, file: &str) -> String {
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.path(file)).unwrap_or_default();
        let complete = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        if let Some(url) = complete.lines().find(|line| line.starts_with("http://")) {
            return url.to_owned();
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "no address: {text}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A client of a command that is seen while it computes.
struct Talk(WebSocket<TcpStream>);
impl Talk {
    fn new(url: &str) -> Self {
        let (address, query) =
            url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a URL");
        let stream = TcpStream::connect(address).expect("a server");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let (socket, _) =
            tungstenite::client(format!("ws://{address}/frames{query}"), stream).expect("a handshake");
        Self(socket)
    }
    fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).expect("sent");
    }
    /// The next text with a key; frames before it are left out.
    fn text(&mut self, key: &str) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().expect("a message") {
                let text: Value = serde_json::from_str(&text).expect("JSON");
                if text.get(key).is_some() {
                    return text;
                }
            }
        }
    }
    /// Pauses, and makes so many steps.
    fn pause_and_step(&mut self, steps: u32) {
        self.say(json!({"control": "pause"}));
        self.text("control");
        for _ in 0..steps {
            self.say(json!({"control": "step"}));
            assert_eq!(self.text("control")["control"], "step");
        }
    }
    /// Asks for a frame of an expression, seen from above a box, with the slice that a page begins with;
    /// returns its header.
    fn frame(&mut self, number: u32, expression: &str, described: &Value) -> Header {
        self.say(json!({"query": number, "expr": expression}));
        assert_eq!(self.text("query")["error"], Value::Null);
        let end = |end: usize, k: usize| described["box"][end][k].as_f64().expect("a number");
        let [x, y, z] = [0, 1, 2].map(|k| -0.5 * (end(0, k) + end(1, k)));
        let size = 2.0 / [0, 1, 2].map(|k| end(1, k) - end(0, k)).iter().sum::<f64>();
        let view = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., x, y, z, 1.];
        let projection = [size, 0., 0., 0., 0., size, 0., 0., 0., 0., -size, 0., 0., 0., 0., 1.];
        let mut camera = json!({"view": number, "size": [64, 64], "V": view, "P": projection, "depth": 16});
        if !described["begins"].is_null() {
            camera["slice"] = described["begins"].clone();
        }
        self.say(camera);
        let request = Request { mode: 2, credits: 8, query: number, view: number };
        self.0.send(Message::binary(request.to_bytes().to_vec())).expect("sent");
        loop {
            if let Message::Binary(bytes) = self.0.read().expect("a message") {
                let header = Header::read(&bytes).expect("a frame");
                if header.query == number {
                    return header;
                }
            }
        }
    }
}

/// Waits until a file has a text.
fn until(folder: &Folder, file: &str, text: &str) {
    let begin = Instant::now();
    while !std::fs::read_to_string(folder.path(file)).unwrap_or_default().contains(text) {
        assert!(begin.elapsed() < Duration::from_secs(240), "{file} has no {text:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_surface_that_is_tracked() {
    let folder = Folder::new();
    // what is seen or saved is numbered anew, in each step
    let line = "track enright --size 2 --steps 100 --every 1 --save ply --device cpu -o";
    let alone = folder.line(&format!("{line} alone"));
    assert_eq!(alone.status, 0, "{alone:?}");
    let command = format!("exec ribbonmesh {line} seen --report r.json --serve --port 0 2> said.txt");
    let running = Running(folder.start(&command));
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    talk.say(json!({"control": "pause"}));
    talk.text("control");
    // nonsense of another client does not matter
    let mut liar = Talk::new(&address_in(&folder, "said.txt"));
    liar.say(json!({"nonsense": 1}));
    assert!(!folder.path("r.json").exists(), "it is paused");
    talk.say(json!({"hello": 1}));
    drop(talk);
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    let hello = talk.text("version");
    assert_eq!(hello["moves"], true);
    let before = talk.frame(1, "x", &hello);
    assert!(before.count > 200, "{before:?}");
    talk.say(json!({"control": "step"}));
    talk.text("control");
    talk.say(json!({"control": "play"}));
    // after the last step: files are complete, and the last surface is there
    until(&folder, "said.txt", "serving the result until Ctrl-C");
    let last = talk.frame(2, "y", &hello);
    assert_eq!(last.step, 101, "the first surface, and 100 steps");
    talk.say(json!({"control": "pause"}));
    assert_eq!(talk.text("error")["error"]["code"], "still");
    until(&folder, "r.json", "\"exit_status\": 0");
    drop(running);
    // whatever clients did, the surface is the same
    let [a, b] = ["alone", "seen"].map(|name| std::fs::read(folder.path(name).join("frame-000100.ply")));
    assert!(a.expect("a frame") == b.expect("a frame"), "another surface");
}

#[test]
fn a_flow_around_a_mesh() {
    let folder = Folder::new();
    folder.mesh("a.ply", &mesh(shapes::icosphere(2).expect("small")));
    let line = "flow a.ply --cells 24 --steps 60 --every 60 --save vti --turn 0,0,1 --device cpu -o";
    let alone = folder.line(&format!("{line} alone"));
    assert_eq!(alone.status, 0, "{alone:?}");
    let command = format!("exec ribbonmesh {line} seen --report r.json --serve --port 0 2> said.txt");
    let _running = Running(folder.start(&command));
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    talk.pause_and_step(1);
    drop(talk);
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    let hello = talk.text("version");
    let names: Vec<_> = hello["fields"].as_array().expect("fields").iter().map(|f| &f["name"]).collect();
    assert_eq!(names, ["smoke", "speed", "pressure", "velocity"]);
    let domain = json!({"kind": "grid", "cells": 24 * 14 * 14, "faces": 320});
    assert_eq!((&hello["moves"], &hello["slices"], &hello["domain"]), (&json!(true), &json!(true), &domain));
    assert_eq!(hello["begins"], json!({"normal": [0.0, 0.0, 1.0], "offset": 0.0}));
    let speed = talk.frame(1, "speed", &hello);
    assert!(speed.count > 500 && speed.minimum >= 0.0 && speed.maximum > 0.9, "{speed:?}");
    // the surface, which moves
    let surface = json!({"box": hello["box"]});
    let pressure = talk.frame(2, "pressure", &surface);
    assert!(pressure.count > 20 && pressure.maximum > pressure.minimum, "{pressure:?}");
    assert_eq!((pressure.step, pressure.time), (speed.step, speed.time), "it is paused");
    talk.say(json!({"control": "play"}));
    until(&folder, "said.txt", "serving the result until Ctrl-C");
    let last = talk.frame(3, "mag(velocity) - speed", &hello);
    assert_eq!((last.step, last.minimum, last.maximum), (61, 0.0, 0.0), "the beginning, and 60 steps");
    until(&folder, "r.json", "\"exit_status\": 0");
    let [a, b] = ["alone", "seen"].map(|name| std::fs::read(folder.path(name).join("frame-000060.vti")));
    assert!(a.expect("a frame") == b.expect("a frame"), "another flow");
}

#[test]
fn water_over_land() {
    let folder = Folder::new();
    let line =
        "shallow island:40 --water 2 --dam 0,0,10,40@4 --time 30 --every 15 --save npy --device cpu -o";
    let alone = folder.line(&format!("{line} alone"));
    assert_eq!(alone.status, 0, "{alone:?}");
    let command = format!("exec ribbonmesh {line} seen --report r.json --serve --port 0 2> said.txt");
    let _running = Running(folder.start(&command));
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    let hello = talk.text("version");
    talk.pause_and_step(0);
    assert_eq!((&hello["moves"], &hello["title"]), (&json!(true), &json!("shallow island:40")));
    assert_eq!(hello["axes"][1], json!([0.0, 0.0, 1.0]), "z points up");
    let first = talk.frame(1, "depth", &hello);
    assert!(first.count > 500 && first.minimum == 0.0 && first.maximum > 1.0, "{first:?}");
    talk.say(json!({"control": "step"}));
    talk.text("control");
    let second = talk.frame(2, "level", &hello);
    assert_eq!(second.step, first.step + 1);
    // a step is shorter than a cell is crossed by the fastest wave
    assert!(second.time > first.time && second.time - first.time < 0.3, "{first:?} {second:?}");
    // the island is dry
    assert!(second.maximum > 3.0 && second.minimum >= 0.0, "{second:?}");
    talk.say(json!({"control": "play"}));
    until(&folder, "said.txt", "serving the result until Ctrl-C");
    let last = talk.frame(3, "mag(velocity)", &hello);
    assert_eq!(last.time, 30.0);
    until(&folder, "r.json", "\"exit_status\": 0");
    for name in ["frame-000002-depth.npy", "frame-000002-velocity.npy"] {
        let [a, b] = ["alone", "seen"].map(|run| std::fs::read(folder.path(run).join(name)));
        assert!(a.expect("a frame") == b.expect("a frame"), "{name} is another");
    }
}

#[test]
fn a_volume_that_is_smoothed() {
    let folder = Folder::new();
    assert_eq!(folder.line("volume generate tetrahedra 4 4 4 --device cpu -o block.vtu").status, 0);
    let line = "volume smooth block.vtu --steps 5 --device cpu -o";
    assert_eq!(folder.line(&format!("{line} alone.vtu")).status, 0);
    let command = format!("exec ribbonmesh {line} seen.vtu --serve --port 0 2> said.txt");
    let _running = Running(folder.start(&command));
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    until(&folder, "said.txt", "serving the result until Ctrl-C");
    talk.say(json!({"hello": 1}));
    let hello = talk.text("version");
    assert_eq!(
        (&hello["moves"], &hello["step"], &hello["title"]),
        (&json!(false), &json!(6), &json!("block.vtu"))
    );
    let frame = talk.frame(1, "mag(position - start)", &hello);
    assert!(frame.count > 200 && frame.minimum == 0.0, "{frame:?}");
    let [a, b] = ["alone.vtu", "seen.vtu"].map(|name| std::fs::read(folder.path(name)).expect("a volume"));
    assert!(a == b, "another volume");
}

#[test]
fn a_body_that_is_loaded() {
    let folder = Folder::new();
    assert_eq!(folder.line("volume generate tetrahedra 4 1 1 --device cpu -o beam.vtu").status, 0);
    let line =
        "elasticity beam.vtu --fix min-x --load max-x@0,0,-1e-3 --order 2 --device cpu --serve --port 0";
    let _running = Running(folder.start(&format!("exec ribbonmesh {line} -o out.vtu 2> said.txt")));
    let mut talk = Talk::new(&address_in(&folder, "said.txt"));
    talk.say(json!({"hello": 1}));
    until(&folder, "said.txt", "serving the result until Ctrl-C");
    let hello = talk.text("version");
    talk.frame(1, "x", &hello);
    let frame = talk.frame(2, "mag(displacement)", &hello);
    assert!(frame.maximum > 0.0 && frame.time == 1.0, "{frame:?}");
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a server");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The address that a command prints.
fn address(folder: &Folder, command: &str) -> (Running, String) {
    let running =
        Running(folder.start(&format!("exec ribbonmesh {command} --port 0 --device cpu > url.txt")));
    let url = address_in(folder, "url.txt");
    (running, url)
}

#[test]
fn an_address_with_a_page() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(3).expect("small")));
    let (_running, url) = address(&folder, "serve ball.ply");
    let (address, query) =
        url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    assert!(address.starts_with("127.0.0.1:") && query.starts_with("?token="), "{url}");
    assert!(get(address, &format!("/{query}")).starts_with("HTTP/1.1 200 OK"));
    assert!(get(address, "/").starts_with("HTTP/1.1 403"));
    // the port is taken
    let port = address.rsplit_once(':').expect("a port").1;
    let ran = folder.line(&format!("serve ball.ply --port {port}"));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("cannot be bound") && ran.err.contains("--port"), "{}", ran.err);
}

#[test]
fn volumes() {
    let folder = Folder::new();
    assert_eq!(folder.line("volume generate hexahedra 2 -o block.vtu").status, 0);
    for command in ["serve block.vtu", "serve - --from vtu --turn-inverted < block.vtu"] {
        let (_running, url) = address(&folder, command);
        let (address, query) = url["http://".len()..].split_once('/').expect("an address");
        assert!(get(address, &format!("/{query}")).starts_with("HTTP/1.1 200 OK"));
        std::fs::remove_file(folder.path("url.txt")).expect("a file");
    }
}

#[test]
fn several_meshes() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(3).expect("small")));
    folder.mesh("torus.ply", &mesh(shapes::torus(20, 1).expect("small")));
    let (_running, url) = address(&folder, "serve ball.ply torus.ply --rate 50");
    let mut talk = Talk::new(&url);
    talk.say(json!({"hello": 1}));
    let hello = talk.text("version");
    assert_eq!((&hello["title"], &hello["moves"]), (&json!("ball.ply and 1 more"), &json!(true)));
    talk.pause_and_step(0);
    let paused = talk.frame(1, "x", &hello);
    let seen: Vec<_> = (2..7)
        .map(|number| {
            let before = paused.step + u64::from(number) - 2;
            talk.pause_and_step(1);
            let mut frame = talk.frame(number, "x", &hello);
            let begin = Instant::now();
            while frame.step == before {
                assert!(begin.elapsed() < Duration::from_secs(60), "no step after {before}");
                frame = talk.frame(number, "x", &hello);
            }
            (frame.step - before, frame.time)
        })
        .collect();
    // one after the other, and again from the beginning
    let other = 1.0 - paused.time;
    let times = [other, paused.time, other, paused.time, other];
    assert_eq!(seen, times.map(|time| (1, time)));
}

#[test]
fn frames_without_a_browser() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(3).expect("small")));
    let _running = Running(folder.start("exec ribbonmesh serve ball.ply --port 0 --device cpu > url.txt"));
    let url = address_in(&folder, "url.txt");
    let line =
        format!("view '{url}' --expr z --size 80x60 --frames 1 --log log.jsonl -o last.png --report r.json");
    let ran = folder.shell(&format!("ribbonmesh {line}"));
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.starts_with("1 frame in "), "{}", ran.out);
    let log = std::fs::read_to_string(folder.path("log.jsonl")).expect("a log");
    let line: Value = serde_json::from_str(log.trim_end()).expect("one line of JSON");
    // a disc in a picture of the box's sphere
    let disc = std::f64::consts::PI * 900.0 / 3.0;
    let points = line["points"].as_f64().expect("a number");
    assert!((points - disc).abs() < 0.1 * disc, "{points} points, {disc} expected");
    let picture = std::fs::File::open(folder.path("last.png")).expect("a picture");
    let reader = png::Decoder::new(std::io::BufReader::new(picture)).read_info().expect("PNG");
    assert_eq!(reader.info().size(), (80, 60));
    // a mesh at rest has no second frame
    let ran = folder.shell(&format!("ribbonmesh view '{url}' --frames 2 --seconds 0.5 --size 64x64"));
    assert!(ran.status == 0 && ran.out.starts_with("1 frame in "), "{ran:?}");
    let wrong = folder.shell(&format!("ribbonmesh view '{url}' --expr zz"));
    assert!(wrong.status != 0 && wrong.err.contains("zz"), "{wrong:?}");
    let nobody = folder.line("view http://127.0.0.1:9/?token=1");
    assert_eq!(nobody.status, 1, "{nobody:?}");
    let nothing = folder.line("view 127.0.0.1:9");
    assert!(nothing.status == 3 && nothing.err.contains("not the address of a server"), "{nothing:?}");
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    let points =
        "# vtk DataFile Version 3.0\npoints\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n0 0 0\n";
    folder.write("points.vtk", format!("{points}CELLS 0 0\nCELL_TYPES 0\n"));
    for (line, status, part) in [
        ("serve missing.ply --port 0", 1, "missing.ply"),
        ("serve points.obj --port 0", 3, "no faces"),
        ("serve points.vtk --port 0", 3, "points.vtk: the file has 1 vertices and 0 faces, but no cells"),
        ("serve points.obj --port 0 --report a.json", 2, "--report"),
        ("serve points.obj --port 70000", 2, "--port"),
        ("serve points.obj --port 0 --turn-inverted", 2, "--turn-inverted"),
        ("serve block.vtu --port 0 --format ply", 2, "--from"),
        ("serve block.vtu --port 0", 1, "block.vtu"),
        ("serve points.obj --bind somewhere", 2, "--bind"),
        ("serve points.obj --clients 0", 2, "--clients"),
        ("serve", 2, "<MESH>"),
        ("serve points.obj --rate 5", 2, "--rate: it is for several meshes"),
        ("serve points.obj points.obj --rate 0", 2, "from 0.001 to 1000"),
        ("serve points.obj - --port 0", 2, "standard input"),
        ("serve points.obj block.vtu --port 0", 2, "block.vtu is a volume"),
        ("serve points.obj points.obj --port 0", 3, "no faces"),
        ("serve points.obj points.obj --port 0 --turn-inverted", 2, "--turn-inverted"),
        ("track enright -o out --port 9000", 2, "--port needs --serve"),
        ("volume smooth a.vtu -o b.vtu --up z", 2, "--up needs --serve"),
        ("shallow flat:4 -o out --clients 3", 2, "--clients needs --serve"),
        ("flow a.ply -o out --host a", 2, "--host needs --serve"),
    ] {
        folder.refuses(line, status, part);
    }
}
