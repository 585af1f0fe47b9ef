//! The page in Chromium on this machine, near and far: what it measures while the mouse turns a mesh of
//! points that makes steps.
use super::percentiles;
use super::served::{Moving, Place, serve_steps};
use anyhow::{Context, Result, ensure};
use ribbonmesh::Device;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_render::Up;
use ribbonmesh_serve::{Limiter, MeshSource};
use ribbonmesh_suite::browser::{Browser, installed};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::{Duration, Instant};

/// Subdivisions of the sphere: 82 thousand faces.
const LEVEL: u32 = 6;
/// The page's size.
const SIZE: [u32; 2] = [800, 600];
/// Moves of the mouse, and the time between two.
const MOVES: u32 = 120;
const BETWEEN: Duration = Duration::from_millis(30);
/// The time between two steps of the source.
const STEP: Duration = Duration::from_millis(33);
/// Networks: megabits a second in each direction, and milliseconds to the server and back.
const NETWORKS: [Option<(f64, u64)>; 5] =
    [None, Some((1000.0, 10)), Some((1000.0, 33)), Some((1000.0, 100)), Some((100.0, 33))];

/// Measurements of the page over one network. Milliseconds are medians and 95 %.
#[derive(Serialize)]
pub struct Watched {
    /// Megabits a second and milliseconds of the way to the server and back; none on this machine itself.
    pub network: Option<(f64, u64)>,
    /// Frames that were drawn.
    pub frames: usize,
    /// Bytes of one, the mean.
    pub bytes: f64,
    /// From an event of the mouse to the picture of the points that the page has, from the new camera.
    pub picture_ms: [f64; 2],
    /// From this event to the picture of a frame that was made for this camera or a later one.
    pub photon_ms: [f64; 2],
    /// From a step to the picture of its frame, by the clock that server and browser share.
    pub age_ms: [f64; 2],
    /// The same as the page estimates it, which knows the server's time and half of a round trip.
    pub estimated_ms: [f64; 2],
    /// The rows of its statistics.
    pub statistics: Vec<(String, String)>,
}

/// Numbers that the page hands over: milliseconds, and bytes of frames.
#[derive(Default, Deserialize)]
struct Heard {
    picture: Vec<f64>,
    photon: Vec<f64>,
    age: Vec<f64>,
    exact: Vec<f64>,
    bytes: Vec<f64>,
}

/// All networks; none without Chromium.
pub fn measure(device: &Device) -> Result<Vec<Watched>> {
    if installed().is_none() {
        return Ok(vec![]);
    }
    let mut source = Moving::new(MeshSource::new(device, &bumpy_sphere(LEVEL, 1)?, "sphere", Up::Y)?);
    let mut all = vec![];
    for network in NETWORKS {
        all.extend(serve_steps(&mut source, STEP, |place| watch(place, network))?);
    }
    Ok(all)
}

fn watch(place: &Place, network: Option<(f64, u64)>) -> Result<Option<Watched>> {
    let far = |(megabits, turnaround): (f64, u64)| {
        Limiter::start(place.address, megabits * 1e6 / 8.0, Duration::from_millis(turnaround) / 2)
    };
    let limiter = network.map(far).transpose()?;
    let url = match &limiter {
        Some(limiter) => place.url.replace(&place.address.to_string(), &limiter.address().to_string()),
        None => place.url.clone(),
    };
    let Some(mut browser) = Browser::start(&[]) else { return Ok(None) };
    // else it hands each frame on to this process
    browser.call("Network.disable", json!({}));
    browser.visit(&url, SIZE[0], SIZE[1]);
    // triangles would come once, whatever the mouse does
    browser.value(
        "(() => { const mode = document.getElementById('mode'); mode.value = '2'; \
         mode.dispatchEvent(new Event('change')); })()",
    );
    wait(&mut browser, "document.documentElement.dataset.mode === '2' && live.settled()")?;
    browser.value(
        "(() => { const all = live.all = { picture: [], photon: [], age: [], decode: [], exact: [], bytes: [] };
           live.measured = (name, value, frame) => {
             all[name].push(value);
             if (!frame) return;
             all.exact.push(performance.timeOrigin + performance.now() - 1000 * frame.time);
             all.bytes.push(frame.parts.reduce((sum, part) => sum + part, 64));
           }; })()",
    );
    let mut mouse = |kind: &str, k: u32| {
        let x = 200.0 + 100.0 * (0.1 * f64::from(k)).sin();
        let event = json!({"type": kind, "x": x, "y": 250, "button": "left", "buttons": 1, "clickCount": 1});
        browser.call("Input.dispatchMouseEvent", event);
    };
    mouse("mousePressed", 0);
    for k in 1..=MOVES {
        mouse("mouseMoved", k);
        std::thread::sleep(BETWEEN);
    }
    mouse("mouseReleased", MOVES);
    // statistics are shown twice a second
    std::thread::sleep(Duration::from_millis(600));
    let heard: Heard = serde_json::from_value(browser.value("live.all"))?;
    let rows = browser.value(
        "[...document.getElementById('statistics').rows].map(row => [...row.cells].map(cell => cell.textContent))",
    );
    ensure!(!heard.photon.is_empty(), "no frame shows what the mouse did");
    Ok(Some(Watched {
        network,
        frames: heard.age.len(),
        bytes: heard.bytes.iter().sum::<f64>() / heard.bytes.len() as f64,
        picture_ms: percentiles(heard.picture),
        photon_ms: percentiles(heard.photon),
        age_ms: percentiles(heard.exact),
        estimated_ms: percentiles(heard.age),
        statistics: serde_json::from_value(rows.clone()).with_context(|| rows.to_string())?,
    }))
}

fn wait(browser: &mut Browser, what: &str) -> Result<()> {
    let begin = Instant::now();
    while browser.value(what) != true {
        ensure!(begin.elapsed() < Duration::from_secs(60), "the page does not say {what:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
