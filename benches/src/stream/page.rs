//! The page in Chromium on this machine: its own statistics while the mouse turns a mesh of points.
use super::served::serve_while;
use anyhow::{Context, Result};
use ribbonmesh::Device;
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_render::Up;
use ribbonmesh_serve::MeshSource;
use ribbonmesh_suite::browser::{Browser, installed};
use serde_json::json;
use std::time::{Duration, Instant};

/// Subdivisions of the sphere: 82 thousand faces.
const LEVEL: u32 = 6;
/// Moves of the mouse, and the time between two.
const MOVES: u32 = 200;
const BETWEEN: Duration = Duration::from_millis(25);

/// The rows of the page's statistics after some seconds of turning; none without Chromium.
pub fn measure(device: &Device) -> Result<Vec<(String, String)>> {
    if installed().is_none() {
        return Ok(vec![]);
    }
    let mut source = MeshSource::new(device, &bumpy_sphere(LEVEL, 1)?, "sphere", Up::Y)?;
    serve_while(&mut source, |place| {
        let Some(mut browser) = Browser::start(&[]) else { return Ok(vec![]) };
        // else it hands each frame on to this process
        browser.call("Network.disable", json!({}));
        browser.visit(&place.url, 1280, 1024);
        let begin = Instant::now();
        while browser.value("document.documentElement.dataset.state === 'ready'") != true {
            anyhow::ensure!(begin.elapsed() < Duration::from_secs(60), "the page shows nothing");
            std::thread::sleep(Duration::from_millis(50));
        }
        // triangles would come once, whatever the mouse does
        browser.value(
            "(() => { const mode = document.getElementById('mode'); mode.value = '2'; \
             mode.dispatchEvent(new Event('change')); })()",
        );
        let mut mouse = |kind: &str, k: u32| {
            let x = 300.0 + 200.0 * (0.1 * f64::from(k)).sin();
            let event =
                json!({"type": kind, "x": x, "y": 400, "button": "left", "buttons": 1, "clickCount": 1});
            browser.call("Input.dispatchMouseEvent", event);
        };
        mouse("mousePressed", 0);
        for k in 0..MOVES {
            mouse("mouseMoved", k);
            std::thread::sleep(BETWEEN);
        }
        mouse("mouseReleased", MOVES);
        // they are shown twice a second
        std::thread::sleep(Duration::from_millis(600));
        let rows = browser.value(
            "[...document.getElementById('statistics').rows]\
             .map(row => [...row.cells].map(cell => cell.textContent))",
        );
        serde_json::from_value(rows.clone()).with_context(|| rows.to_string())
    })
}
