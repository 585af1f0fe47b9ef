//! A mesh that changes, on both machines.

use crate::client::{Served, Talk, looking};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::{Control, DepthBits, Frame, Header, Hub, Limits, Triangles, View};
use ribbonmesh_serve::{Background, Live, LiveError, MeshSource, Moment, Source};
use ribbonmesh_suite::suite;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const EMPTY: View = View {
    size: [96, 96],
    view: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., -5., 1.],
    projection: [0.5, 0., 0., 0., 0., 0.5, 0., 0., 0., 0., -0.2, 0., 0., 0., -1., 1.],
    depth: DepthBits::Bits16,
    slice: None,
};

fn ball(size: f64, parts: u32) -> TriangleMesh {
    let mut mesh = shapes::icosphere(parts).expect("small");
    mesh.positions.iter_mut().for_each(|p| *p *= size);
    let heights: Vec<f32> = mesh.positions.iter().map(|p| p.z as f32).collect();
    mesh.vertices_mut().insert("height", heights).expect("a row for each");
    mesh
}

/// The ball in buffers, with fields of three types.
fn moment(device: &Device, mesh: &TriangleMesh, time: f64) -> Moment {
    let points: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let heights: Vec<f32> = points.iter().map(|p| p.z).collect();
    let numbers: Vec<f32> = (0..mesh.faces.len()).map(|face| face as f32).collect();
    let up = |values: &[f32]| device.upload(values).expect("memory");
    Moment::at(time)
        .positions(device.upload(&points).expect("memory"))
        .faces(device.upload(mesh.faces.as_flattened()).expect("memory"))
        .of_vertices("height", up(&heights))
        .of_vertices("velocity", device.upload(&points).expect("memory"))
        .of_faces("number", up(&numbers))
}

/// The hub of a source and one client, without sockets.
struct Pair {
    hub: Hub,
    client: ribbonmesh_serve::stream::Client,
}
impl Pair {
    fn new(live: &mut Live) -> Self {
        let mut hub = Hub::new(Limits::default());
        let client = hub.connect(Duration::ZERO).expect("room");
        let mut pair = Self { hub, client };
        assert_eq!(pair.say(live, json!({"hello": 1, "credits": 8}))[0]["version"], 1);
        let View { size, view, projection, .. } = EMPTY;
        pair.say(live, json!({"view": 1, "size": size, "V": view, "P": projection, "depth": 16}));
        pair
    }
    fn say(&mut self, live: &mut Live, message: Value) -> Vec<Value> {
        let text = message.to_string();
        let answers = self.hub.receive(self.client, text.as_bytes(), Duration::ZERO, live);
        answers.into_iter().map(in_words).collect()
    }
    /// Texts until a frame comes, or there is nothing more.
    fn frame(&mut self, live: &mut Live, query: u32) -> (Vec<Value>, Option<Frame>) {
        self.frame_of(2, live, query)
    }
    /// The triangles that a frame has, with their header.
    fn triangles(&mut self, live: &mut Live, query: u32) -> (Vec<Value>, Header, Triangles) {
        let (texts, frame) = self.frame_of(3, live, query);
        let bytes = frame.expect("a frame").to_bytes();
        let header = Header::read(&bytes).expect("a frame");
        (texts, header, Triangles::read(&header, &bytes[64..]).expect("triangles"))
    }
    fn frame_of(&mut self, mode: u8, live: &mut Live, query: u32) -> (Vec<Value>, Option<Frame>) {
        let request = ribbonmesh_serve::stream::Request { mode, credits: 1, query, view: 1 };
        self.hub.receive(self.client, &request.to_bytes(), Duration::ZERO, live);
        let mut texts = vec![];
        while let Some(action) = self.hub.serve(live, || Duration::ZERO) {
            match action {
                ribbonmesh_serve::stream::Action::Frame(_, frame) => return (texts, Some(frame)),
                other => texts.push(in_words(other)),
            }
        }
        (texts, None)
    }
}
fn in_words(action: ribbonmesh_serve::stream::Action) -> Value {
    match action {
        ribbonmesh_serve::stream::Action::Text(_, text) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

suite! {
fn moments(device) {
    let mut live = Live::new(device, "ball", Up::Y).expect("a source");
    let mut pair = Pair::new(&mut live);
    // nothing is there yet, which is no error
    assert_eq!(pair.say(&mut live, json!({"query": 1, "expr": "1"}))[0]["type"], "scalar");
    assert_eq!(pair.frame(&mut live, 1).1.expect("a frame").header.count, 0);

    live.update(moment(device, &ball(1.0, 2), 0.5)).expect("a moment");
    let (texts, frame) = pair.frame(&mut live, 1);
    let frame = frame.expect("a frame");
    assert_eq!((frame.header.step, frame.header.time), (1, 0.5));
    // the client is told what there is now, before its frame
    assert_eq!((&texts[0]["changed"], &texts[0]["domain"]["vertices"]), (&json!(true), &json!(162)));
    let fields: Vec<_> = texts[0]["fields"].as_array().expect("fields").iter().map(|f| &f["name"]).collect();
    assert_eq!(fields, ["height", "velocity", "number", "position", "x", "y", "z"]);
    assert!((texts[0]["box"][1][2].as_f64().expect("a number") - 1.0).abs() < 1e-6, "{}", texts[0]);

    // the same picture as that of the mesh at rest
    let mut still = MeshSource::new(device, &ball(1.0, 2), "ball", Up::Y).expect("a source");
    pair.say(&mut live, json!({"query": 2, "expr": "height * 2 + mag(velocity)"}));
    let frame = pair.frame(&mut live, 2).1.expect("a frame");
    let query = crate::mesh::query(&still, "height * 2 + mag(position)");
    let expected = still.frames().encode(&query, &EMPTY).expect("a frame");
    assert_eq!(*frame.body, expected.body);

    // other places, the same faces: no description
    let smaller: Vec<Vec3> = ball(0.5, 2).positions.iter().map(|p| p.as_vec3()).collect();
    let smaller = Moment::at(1.0).positions(device.upload(&smaller).expect("memory"));
    let heights = device.upload(&[3.0_f32; 162]).expect("memory");
    let velocity: Buffer<Vec3> = device.zeros(162).expect("memory");
    let fields = smaller.of_vertices("height", heights).of_vertices("velocity", velocity);
    live.update(fields.of_faces("number", device.zeros::<f32>(320).expect("memory"))).expect("a moment");
    let (texts, less) = pair.frame(&mut live, 2);
    let less = less.expect("a frame");
    assert_eq!(texts, [] as [Value; 0]);
    let part = f64::from(less.header.count) / f64::from(frame.header.count);
    assert!((part - 0.25).abs() < 0.01, "{part}");
    assert_eq!([less.header.minimum, less.header.maximum], [6.0; 2]);

    // another topology and other fields: the expression does not fit, and is refused once
    let points: Vec<Vec3> = ball(1.0, 1).positions.iter().map(|p| p.as_vec3()).collect();
    let mesh = ball(1.0, 1);
    let other = |time| Moment::at(time)
        .positions(device.upload(&points).expect("memory"))
        .faces(device.upload(mesh.faces.as_flattened()).expect("memory"))
        .of_faces("pressure", device.upload(&vec![7.0_f32; mesh.faces.len()]).expect("memory"));
    live.update(other(2.0)).expect("a moment");
    let (texts, none) = pair.frame(&mut live, 2);
    assert!(none.is_none(), "the picture stays");
    assert_eq!((&texts[0]["changed"], texts[0]["fields"][0]["name"].as_str()), (&json!(true), Some("pressure")));
    let why = texts[1]["error"]["message"].as_str().expect("a refusal");
    assert!(why.contains("does not fit") && why.contains("height"), "{why}");
    assert_eq!(texts[1]["error"]["query"], 2);
    live.update(other(3.0)).expect("a moment");
    let (texts, none) = pair.frame(&mut live, 2);
    assert!(texts.is_empty() && none.is_none(), "it is told once: {texts:?}");
    pair.say(&mut live, json!({"query": 3, "expr": "pressure"}));
    let frame = pair.frame(&mut live, 3).1.expect("a frame");
    assert_eq!((frame.header.step, frame.header.minimum), (4, 7.0));
    // a field of the same name and another kind: the same text, and other elements
    let heights = device.upload(&vec![9.0_f32; points.len()]).expect("memory");
    live.update(Moment::at(4.0).of_vertices("pressure", heights)).expect("a moment");
    let (texts, frame) = pair.frame(&mut live, 3);
    assert_eq!(texts[0]["fields"][0]["of"], "vertices");
    assert_eq!(frame.expect("a frame").header.maximum, 9.0);
}

fn triangles_that_change(device) {
    let mut live = Live::new(device, "ball", Up::Y).expect("a source");
    live.update(moment(device, &ball(1.0, 2), 0.0)).expect("a moment");
    let mut pair = Pair::new(&mut live);
    pair.say(&mut live, json!({"query": 1, "expr": "x + 1"}));
    let (_, header, all) = pair.triangles(&mut live, 1);
    assert!(header.complete && header.step == 1);
    let mesh = ball(1.0, 2);
    assert_eq!(all.faces.as_deref(), Some(mesh.faces.as_flattened()));
    let near = |x: f32, y: f64| (f64::from(x) - y).abs() < 1e-6;
    assert!(near(all.minimum, 0.0) && near(all.maximum, 2.0), "{header:?}");

    // a step that moves vertices: places and values, which are those of the new places
    let up = |size: f64| {
        let points: Vec<Vec3> = ball(size, 2).positions.iter().map(|p| p.as_vec3()).collect();
        device.upload(&points).expect("memory")
    };
    let fields = |moment: Moment| moment
        .of_vertices("height", device.zeros::<f32>(162).expect("memory"))
        .of_vertices("velocity", device.zeros::<Vec3>(162).expect("memory"))
        .of_faces("number", device.zeros::<f32>(320).expect("memory"));
    live.update(fields(Moment::at(1.0).positions(up(3.0)))).expect("a moment");
    let (texts, header, moved) = pair.triangles(&mut live, 1);
    assert!(texts.is_empty() && !header.complete && moved.faces.is_none());
    let places = moved.places.expect("places");
    assert!((places.bounds[1][2] - 3.0).abs() < 1e-6 && near(moved.maximum, 4.0), "{header:?}");
    // one that moves none: values alone
    live.update(fields(Moment::at(2.0))).expect("a moment");
    let (texts, _, values) = pair.triangles(&mut live, 1);
    assert!(texts.is_empty() && values.faces.is_none() && values.places.is_none());
    assert_eq!(values.values, moved.values);
    // the same places relative to another point
    live.update(fields(Moment::at(3.0).around(DVec3::Z))).expect("a moment");
    let places = pair.triangles(&mut live, 1).2.places.expect("places");
    assert!((places.bounds[1][2] - 4.0).abs() < 1e-6);

    // others, or none: the description, then all parts
    for (mesh, vertices) in [(ball(1.0, 1), 42), (TriangleMesh::default(), 0)] {
        live.update(Moment::of_mesh(device, &mesh, 4.0).expect("memory")).expect("a moment");
        let (texts, header, all) = pair.triangles(&mut live, 1);
        assert_eq!((&texts[0]["changed"], &texts[0]["domain"]["vertices"]), (&json!(true), &json!(vertices)));
        assert!(header.complete && header.count == vertices, "{header:?}");
        assert_eq!(all.faces.as_deref(), Some(mesh.faces.as_flattened()));
        assert_eq!(all.places.expect("places").numbers.len(), 3 * vertices as usize);
    }
    // a face that names a vertex that does not exist
    let faces = device.upload(&[0_u32, 1, 99]).expect("memory");
    live.update(Moment::at(5.0).positions(up(1.0)).faces(faces)).expect("a moment");
    assert_eq!(pair.triangles(&mut live, 1).2.faces, Some(vec![0, 1, 99]));
    live.update(Moment::at(6.0).positions(device.zeros(42).expect("memory"))).expect("a moment");
    let (texts, none) = pair.frame_of(3, &mut live, 1);
    assert!(none.is_none() && texts[1]["error"]["message"].as_str().expect("why").contains("99"), "{texts:?}");
}

fn relative_to_a_point(device) {
    let origin = DVec3::new(5e6, -4e5, 300.0);
    let mesh = ball(1.0, 2);
    let mut live = Live::new(device, "ball", Up::Y).expect("a source");
    live.update(moment(device, &mesh, 0.0).around(origin)).expect("a moment");
    let [low, high] = live.describe().bounds.map(DVec3::from);
    assert!((low + 1.0 - origin).length() < 0.1 && (high - 1.0 - origin).length() < 0.1, "{low} {high}");
    let query = crate::mesh::query(&live, "x");
    let [x, y, z] = (-origin - 5.0 * DVec3::Z).to_array();
    let mut view = EMPTY;
    view.view[12..15].copy_from_slice(&[x, y, z]);
    let frame = live.frames().encode(&query, &view).expect("a frame");
    assert!(frame.count > 1500, "{}", frame.count);
    assert!((frame.minimum - (5e6 - 1.0)).abs() <= 1.0 && (frame.maximum - (5e6 + 1.0)).abs() <= 1.0);
}

fn moments_that_cannot_be_shown(device) {
    let mut live = Live::new(device, "ball", Up::Y).expect("a source");
    live.update(moment(device, &ball(1.0, 1), 0.0)).expect("a moment");
    let up = |n: usize| device.zeros::<f32>(n).expect("memory");
    let text = |error: Result<(), LiveError>| error.expect_err("no moment").to_string();
    let short = text(live.update(Moment::at(1.0).of_vertices("heat", up(5))));
    assert_eq!(short, "the field \"heat\" has 5 numbers: 1 for each of 42 vertices are needed");
    let long = text(live.update(Moment::at(1.0).rows_of_faces("stress", 6, up(42 * 6))));
    assert_eq!(long, "the field \"stress\" has 252 numbers: 6 for each of 80 faces are needed");
    let faces = text(live.update(Moment::at(1.0).faces(device.zeros(7).expect("memory"))));
    assert_eq!(faces, "the faces have 7 numbers, which is not a multiple of three");
    let far = text(live.update(Moment::at(1.0).around(DVec3::splat(f64::INFINITY))));
    assert!(far.contains("not finite"), "{far}");
    let other = Device::cpu().upload(&[Vec3::ZERO]).expect("memory");
    let elsewhere = text(live.update(Moment::at(1.0).positions(other)));
    assert!(elsewhere.contains("another device"), "{elsewhere}");
    assert_eq!(live.step().number, 1, "all is as before");
    // a face that names a vertex that does not exist: clients are told, and the next moment is shown
    let query = crate::mesh::query(&live, "x");
    live.update(Moment::at(1.0).faces(device.upload(&[0, 1, 99]).expect("memory"))).expect("a moment");
    let why = live.frames().encode(&query, &EMPTY).expect_err("no frame");
    assert!(why.contains("99"), "{why}");
    live.update(moment(device, &ball(1.0, 1), 2.0)).expect("a moment");
    assert!(live.frames().encode(&query, &EMPTY).expect("a frame").count > 1000);
}

fn play_pause_and_step(device) {
    let device = device.clone();
    // steps as fast as they can, over real connections
    let served = Served::of(move |server, told| {
        let mut live = Live::new(&device, "ball", Up::Y).expect("a source");
        for step in 0_u32.. {
            let size = 1.0 + 0.01 * f64::from(step % 100);
            live.update(moment(&device, &ball(size, 1), f64::from(step))).expect("a moment");
            while !told() && !live.take_turn() {
                server.poll(&mut live, Duration::from_millis(2));
            }
            server.poll(&mut live, Duration::ZERO);
            if told() {
                break;
            }
        }
        live.end();
        server.poll(&mut live, Duration::from_millis(500));
    });
    let mut talk = served.connect();
    talk.say(json!({"hello": 1}));
    let hello = talk.text();
    assert_eq!(hello["moves"], true);
    talk.say(json!({"query": 1, "expr": "height"}));
    assert_eq!(talk.text()["query"], 1);
    talk.say(looking(1, [64, 64]));
    talk.request(0, 1, 1);
    let mut last = talk.frame().step;
    for _ in 0..3 {
        talk.request(1, 1, 1);
        let step = talk.frame().step;
        assert!(step > last);
        last = step;
    }
    talk.say(json!({"control": "pause"}));
    last = until_said(&mut talk, "pause").unwrap_or(last);
    talk.request(8, 1, 1);
    // at most the frames of the steps before the pause come
    talk.socket.get_ref().set_read_timeout(Some(Duration::from_millis(300))).expect("a time");
    while let Ok(message) = talk.socket.read() {
        last = ribbonmesh_serve::stream::Header::read(&message.into_data()).expect("a frame").step;
    }
    talk.socket.get_ref().set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    for _ in 0..2 {
        let begin = Instant::now();
        talk.say(json!({"control": "step"}));
        until_said(&mut talk, "step");
        talk.request(1, 1, 1);
        let step = talk.frame().step;
        assert_eq!(step, last + 1);
        last = step;
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
    talk.say(json!({"control": "play"}));
    until_said(&mut talk, "play");
    for _ in 0..3 {
        talk.request(1, 1, 1);
        assert!(talk.frame().step > last);
    }
    drop(served);
}

fn in_the_background(device) {
    let live = Live::new(device, "ball", Up::Y).expect("a source");
    let server = ribbonmesh_serve::Server::bind(ribbonmesh_serve::Options::default()).expect("a port");
    let token = server.token().secret().to_owned();
    let background = Background::start(server, live).expect("a thread");
    background.update(moment(device, &ball(1.0, 2), 0.25)).expect("a moment");
    // clients are answered while the program does nothing
    let mut talk = Talk::with(background.address(), &[], &token).expect("a handshake");
    talk.say(json!({"hello": 1}));
    assert_eq!(talk.text()["time"], 0.25);
    talk.say(json!({"query": 1, "expr": "height"}));
    talk.text();
    talk.say(looking(1, [64, 64]));
    talk.request(0, 1, 1);
    assert_eq!(talk.frame().step, 1);
    let begin = Instant::now();
    background.update(moment(device, &ball(1.0, 2), 0.5)).expect("a moment");
    assert!(begin.elapsed() < Duration::from_millis(900), "it is woken");
    assert_eq!(talk.frame().time, 0.5);
    talk.say(json!({"control": "pause"}));
    assert_eq!(talk.text(), json!({"control": "pause"}));
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| background.wait_for_turn());
        std::thread::sleep(Duration::from_millis(50));
        assert!(!waits.is_finished());
        talk.say(json!({"control": "step"}));
        waits.join().expect("no panic").expect("a turn");
    });
    let error = background.update(Moment::at(0.0).faces(device.zeros(1).expect("memory"))).expect_err("no");
    assert!(error.to_string().contains("multiple of three"));
    assert_eq!(background.with(|live, server| (live.step().number, server.clients())).expect("a thread"), (2, 1));
    drop(background);
    assert_eq!(talk.text(), json!({"control": "step"}));
    assert!(talk.end().contains("error"));
}

fn a_program_waits_for_its_turn(device) {
    let mut live = Live::new(device, "ball", Up::Y).expect("a source");
    assert!(live.take_turn() && !live.is_paused());
    live.steer(Control::Pause);
    assert!(!live.take_turn() && live.is_paused());
    live.steer(Control::Step);
    live.steer(Control::Step);
    assert_eq!([live.take_turn(), live.take_turn(), live.take_turn()], [true, true, false]);
    live.steer(Control::Step);
    live.steer(Control::Pause);
    assert!(!live.take_turn(), "a pause forgets steps");
    live.steer(Control::Play);
    assert!(live.take_turn());
    live.end();
    live.steer(Control::Pause);
    assert!(live.take_turn() && live.control(Control::Pause).is_err() && !live.describe().moves);
    // a whole loop without clients does not wait
    let mut server = ribbonmesh_serve::Server::bind(ribbonmesh_serve::Options::default()).expect("a port");
    for step in 0..20 {
        live.update(moment(device, &ball(1.0, 1), f64::from(step))).expect("a moment");
        live.wait_for_turn(&mut server).expect("a turn");
    }
    assert_eq!(live.step().number, 20);
}
}

/// Reads until the server says that control; returns the step of the last frame before it.
fn until_said(talk: &mut Talk, control: &str) -> Option<u64> {
    let mut last = None;
    loop {
        match talk.socket.read().expect("a message") {
            tungstenite::Message::Text(text)
                if serde_json::from_str::<Value>(&text).expect("JSON")["control"] == control =>
            {
                return last;
            }
            tungstenite::Message::Binary(bytes) => {
                last = Some(ribbonmesh_serve::stream::Header::read(&bytes).expect("a frame").step);
            }
            other => panic!("{other:?}"),
        }
    }
}
