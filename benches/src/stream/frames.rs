//! Table 6.1: the server's time for a frame, and the client's, for one to three fields.
use super::served::{Moving, Place, looking, serve_while, view_message};
use anyhow::{Context, Result, bail};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_mesh::shapes::grid;
use ribbonmesh_render::Up;
use ribbonmesh_rixels::{Depth, Header as RixelHeader, Pixel, Rixels};
use ribbonmesh_serve::MeshSource;
use ribbonmesh_serve::stream::{Action, Client, Header, Hub, Limits, Request, View};
use ribbonmesh_suite::browser::{Browser, installed};
use serde::Serialize;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The side of a field and of its picture.
pub const SIDE: u32 = 1024;
/// The fields.
const FIELDS: [&str; 3] = ["Pressure", "VelocityX", "VelocityY"];

/// The frames of some fields, milliseconds, means.
#[derive(Serialize)]
pub struct Frames {
    /// The number of fields.
    pub fields: usize,
    /// Bytes of all frames.
    pub bytes: usize,
    /// From the request to bytes for the socket: drawing, packing, the copy to the host.
    pub server_ms: f64,
    /// Without a browser: from bytes to the place, the value and the depth of each pixel.
    pub native_ms: f64,
    /// In Chromium, of a picture that is seen whole, of one with a margin that is another one than in the
    /// frame before, and of one with the same margin. None without Chromium.
    pub browser_ms: Option<[Read; 3]>,
}

/// Milliseconds of the page's scripts, median and 95 %: from bytes to three arrays, and from these to memory
/// of the graphics card, which is the CPU's without one.
pub type Read = [[f64; 2]; 2];

/// A square with a value of each field at each of 1024² vertices, which fills the picture.
fn square(device: &Device) -> Result<(Moving, View)> {
    let mut mesh = grid(SIDE, 1)?;
    for (k, name) in FIELDS.into_iter().enumerate() {
        let wave = |p: &DVec3| (9.0 * p.x + k as f64).sin() * (7.0 * p.y).cos();
        let values: Vec<f32> = mesh.positions.iter().map(|p| wave(p) as f32).collect();
        mesh.vertices_mut().insert(name, values)?;
    }
    let end = f64::from(SIDE - 1) / f64::from(SIDE);
    let view = looking(SIDE, DVec3::new(end / 2.0, end / 2.0, 0.0), 0.999 * end, 0.0);
    Ok((Moving::new(MeshSource::new(device, &mesh, "three fields", Up::Y)?), view))
}

/// Measures one, two and three fields.
pub fn measure(device: &Device) -> Result<Vec<Frames>> {
    let sets = if device.kind() == DeviceKind::Cuda { 200 } else { 5 };
    let (mut source, view) = square(device)?;
    let mut all = vec![];
    for fields in 1..=FIELDS.len() {
        let mut session = Session::begin(&mut source, &view)?;
        let first = session.frames(&mut source, fields)?;
        let begin = Instant::now();
        for _ in 0..sets {
            black_box(session.frames(&mut source, fields)?);
        }
        let server_ms = 1e3 * begin.elapsed().as_secs_f64() / f64::from(sets);
        let (begin, reads) = (Instant::now(), sets.min(20));
        for _ in 0..reads {
            for bytes in &first {
                black_box(read(bytes)?);
            }
        }
        let native_ms = 1e3 * begin.elapsed().as_secs_f64() / f64::from(reads);
        let bytes = first.iter().map(Vec::len).sum();
        eprintln!("{fields} fields: server {server_ms:.2} ms, client {native_ms:.2} ms");
        all.push(Frames { fields, bytes, server_ms, native_ms, browser_ms: None });
    }
    if installed().is_some() {
        let found = serve_while(&mut source, |place| in_browser(place, &view))?;
        for (frames, found) in all.iter_mut().zip(found) {
            frames.browser_ms = Some(found);
        }
    }
    Ok(all)
}

/// A session without a socket.
struct Session {
    hub: Hub,
    client: Client,
}

impl Session {
    /// With all queries, the view 1 and no credits.
    fn begin(source: &mut Moving, view: &View) -> Result<Self> {
        let mut hub = Hub::new(Limits { messages: 1_000_000, ..Limits::default() });
        let client = hub.connect(Duration::ZERO).map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        let mut session = Self { hub, client };
        let queries =
            (1..).zip(FIELDS).map(|(number, name): (u32, _)| json!({"query": number, "expr": name}));
        let messages = [json!({"hello": 1, "credits": 0})].into_iter().chain(queries);
        for message in messages.chain([view_message(1, view)]) {
            session.receive(source, message.to_string().as_bytes())?;
        }
        Ok(session)
    }
    fn receive(&mut self, source: &mut Moving, message: &[u8]) -> Result<()> {
        for action in self.hub.receive(self.client, message, Duration::ZERO, source) {
            match action {
                Action::Text(_, text) if !text.contains("\"error\"") => {}
                other => bail!("{}: {other:?}", String::from_utf8_lossy(message)),
            }
        }
        Ok(())
    }
    /// The frames of the next step, as they go to the socket.
    fn frames(&mut self, source: &mut Moving, fields: usize) -> Result<Vec<Vec<u8>>> {
        source.step += 1;
        let one = |query: usize| {
            let request = Request { mode: 2, credits: 1, query: query as u32, view: 1 };
            self.receive(source, &request.to_bytes())?;
            match self.hub.serve(source, || Duration::ZERO) {
                Some(Action::Frame(_, frame)) => Ok(frame.to_bytes()),
                other => bail!("{other:?} instead of a frame"),
            }
        };
        (1..=fields).map(one).collect()
    }
}

/// The pixels of a frame.
pub fn read(bytes: &[u8]) -> Result<Vec<Pixel>> {
    let header = Header::read(bytes)?;
    let depth = match (header.linear, header.depth_bits) {
        (true, 16) => Depth::Linear16,
        (true, _) => Depth::Linear32,
        (false, 16) => Depth::Window16,
        (false, _) => Depth::Window32,
    };
    let rixels = RixelHeader {
        width: header.width.into(),
        height: header.height.into(),
        count: header.count,
        minimum: header.minimum,
        maximum: header.maximum,
        nearest: 0.0,
        farthest: 0.0,
        depth,
        sparse: header.sparse,
    };
    let mut rest = bytes.get(ribbonmesh_serve::stream::HEADER..).context("a frame without parts")?;
    let mut next = |length: u32| {
        let (part, others) = rest.split_at_checked(length as usize).context("a part is too short")?;
        rest = others;
        anyhow::Ok(part)
    };
    let [a, b, c] = header.parts;
    let parts = [next(a)?, next(b)?, next(c)?];
    Ok(Rixels::from_parts(rixels, parts)?.pixels().collect())
}

/// Reads frames by the scripts of the page, of four views in turns, of which three have margins of about a
/// fiftieth.
fn in_browser(place: &Place, view: &View) -> Result<Vec<[Read; 3]>> {
    let Some(mut browser) = Browser::start(&[]) else { return Ok(vec![]) };
    // the page's own connection would read frames meanwhile
    let idle =
        "window.Socket = WebSocket; window.WebSocket = function () { return { addEventListener() {} }; };";
    // else it hands each frame on to this process
    browser.call("Network.disable", json!({}));
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": idle}));
    browser.call("Page.navigate", json!({"url": place.url}));
    let begin = Instant::now();
    while browser.value("typeof pointPainter === 'function' && document.readyState === 'complete'") != true {
        anyhow::ensure!(begin.elapsed() < Duration::from_secs(60), "the page does not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    let wider = |by: f64| {
        let mut wider = view.clone();
        [0, 5].iter().for_each(|&k| wider.projection[k] *= by);
        wider
    };
    let views = [view.clone(), wider(0.98), wider(0.978), wider(0.98)];
    let views: Vec<Value> = (1..).zip(&views).map(|(number, view)| view_message(number, view)).collect();
    let address = format!("ws://{}/frames?token={}", place.address, place.token);
    let messages: Vec<Value> =
        (1..).zip(FIELDS).map(|(number, name): (u32, _)| json!({"query": number, "expr": name})).collect();
    let call =
        format!("({})({}, {}, {})", include_str!("read.js"), json!(address), json!(messages), json!(views));
    let found = browser.value(&call);
    let found: Vec<[Read; 3]> = serde_json::from_value(found.clone()).with_context(|| found.to_string())?;
    Ok(found)
}
