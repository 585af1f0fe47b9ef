//! The page in a browser, if there is one.

use crate::client::Served;
use crate::sphere::Sphere;
use ribbonmesh_serve::{Limiter, Options};
use ribbonmesh_suite::browser::Browser;
use std::time::{Duration, Instant};

/// Waits until an expression of the page is true.
pub fn until(browser: &mut Browser, expression: &str) {
    let begin = Instant::now();
    while browser.value(expression) != true {
        let message = browser.value("document.getElementById('message').textContent");
        assert!(begin.elapsed() < Duration::from_secs(60), "{expression}: {message}");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// Types into the expression's box, instead of what is there.
pub fn type_in(browser: &mut Browser, text: &str) {
    browser
        .value("(() => { const box = document.getElementById('expression'); box.focus(); box.select(); })()");
    browser.call("Input.insertText", serde_json::json!({"text": text}));
}

/// Writes what is seen where `RIBBONMESH_PICTURES` says, to be looked at.
pub fn keep(browser: &mut Browser, name: &str) {
    let Some(folder) = std::env::var_os("RIBBONMESH_PICTURES") else { return };
    let shot = browser.call("Page.captureScreenshot", serde_json::json!({"format": "png"}));
    let text = shot["data"].as_str().expect("a picture");
    let engine = base64::engine::general_purpose::STANDARD;
    let bytes = base64::Engine::decode(&engine, text).expect("base64");
    std::fs::write(std::path::Path::new(&folder).join(name), bytes).expect("written");
}

/// The part of pixels that differ by more than a little, and the mean difference of all.
pub fn difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    let distance = |(p, q): (&[u8; 3], &[u8; 3])| (0..3).map(|i| p[i].abs_diff(q[i])).max().unwrap_or(0);
    let all: Vec<u8> = a.iter().zip(b).map(distance).collect();
    let n = all.len() as f64;
    (all.iter().filter(|d| **d > 24).count() as f64 / n, all.iter().map(|d| f64::from(*d)).sum::<f64>() / n)
}

#[test]
fn a_sphere_in_a_browser() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let served = Served::new(Sphere::still(), Options::default());
    assert_eq!(browser.visit(&served.url, 900, 640), "ready");
    until(&mut browser, "document.getElementById('sizes') && document.title === 'a sphere'");
    keep(&mut browser, "sphere-wave.png");
    let (wave, width, height) = browser.pixels("#canvas");
    let paper = wave[0];
    let covered = wave.iter().filter(|p| **p != paper).count() as f64;
    // the box around the sphere fills the height: a disc between a third and all of it
    let of_height = (4.0 * covered / std::f64::consts::PI).sqrt() / height as f64;
    assert!((0.33..1.0).contains(&of_height), "{of_height} of the height, {width} x {height}");

    // an expression that is wrong: marks under the bytes, and the picture stays
    type_in(&mut browser, "2 * wvae");
    until(&mut browser, "!document.getElementById('error').hidden");
    let error = browser.value("document.getElementById('error').textContent");
    let error = error.as_str().expect("text");
    assert!(error.contains("2 * wvae\n    ^^^^") && error.contains("did you mean \"wave\""), "{error}");
    keep(&mut browser, "sphere-error.png");
    assert_eq!(difference(&wave, &browser.pixels("#canvas").0).0, 0.0);

    // another one
    type_in(&mut browser, "position.x");
    until(&mut browser, "document.getElementById('error').hidden && live.shown() === 'position.x'");
    let (x, ..) = browser.pixels("#canvas");
    assert!(difference(&wave, &x).0 > 0.1, "other colours");
    keep(&mut browser, "sphere-x.png");

    // a turn: the points of the old view are moved, and look as the new view does
    browser.value("live.hold(true)");
    browser.drag("left", [300.0, 300.0], [340.0, 312.0]);
    let (moved, ..) = browser.pixels("#canvas");
    keep(&mut browser, "sphere-moved.png");
    let frames = browser.value("Number(document.documentElement.dataset.frames)").as_f64().expect("a number");
    browser.value("live.hold(false)");
    until(&mut browser, &format!("Number(document.documentElement.dataset.frames) > {frames}"));
    let (fresh, ..) = browser.pixels("#canvas");
    keep(&mut browser, "sphere-turned.png");
    assert!(difference(&x, &fresh).1 > 2.0, "it has turned");
    let (part, mean) = difference(&moved, &fresh);
    println!("moved points: {part:.4} of the pixels differ, by {mean:.2} on average");
    assert!(part < 0.05 && mean < 6.0, "{part} of the pixels differ, {mean} on average");

    // the value under the mouse
    let [x, y] = [300.0, 320.0];
    let event = serde_json::json!({"type": "mouseMoved", "x": x, "y": y});
    browser.call("Input.dispatchMouseEvent", event);
    until(&mut browser, "document.documentElement.dataset.probed !== undefined");
    let value = browser.value("Number(document.documentElement.dataset.probed)").as_f64().expect("a number");
    assert!((8.0..12.0).contains(&value), "{value}");
    keep(&mut browser, "sphere-probe.png");

    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:?}");
    let statistics = browser.value("document.getElementById('statistics').textContent");
    println!("{statistics}");
    let elsewhere = browser.requests().into_iter().find(|url| !url.contains(&served.address.to_string()));
    assert_eq!(elsewhere, None, "nothing from other sites");
}

/// A turn over a network whose messages take 40 ms in each direction: the points that are there move at once,
/// their frame cannot come before twice that.
#[test]
fn from_the_mouse_to_the_frame() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let served = Served::new(Sphere::still(), Options::default());
    let far = Duration::from_millis(40);
    let network = Limiter::start(served.address, f64::INFINITY, far).expect("a port");
    let url = served.url.replace(&served.address.to_string(), &network.address().to_string());
    assert_eq!(browser.visit(&url, 480, 320), "ready");
    until(&mut browser, "live.settled()");
    browser.value(
        "(live.all = { picture: [], photon: [], age: [], decode: [] }, \
         live.measured = (name, value) => live.all[name].push(value), 0)",
    );
    browser.drag("left", [150.0, 150.0], [190.0, 160.0]);
    until(
        &mut browser,
        "live.all.photon.length > 0 && live.all.picture.length > 0 && live.all.age.length > 0",
    );
    let first = |browser: &mut Browser, name| {
        browser.value(&format!("live.all.{name}[0]")).as_f64().expect("a number")
    };
    let [picture, photon, age] = ["picture", "photon", "age"].map(|name| first(&mut browser, name));
    println!("to the picture {picture:.1} ms, to its frame {photon:.1} ms, age {age:.1} ms");
    assert!(photon >= 80.0 && picture > 0.0 && picture <= photon, "{picture}, {photon}");
    // half of the round trip, which was measured at the beginning
    assert!(age >= 40.0, "{age}");
    browser.value("new Promise(done => setTimeout(done, 600))");
    let rows = browser.value("document.getElementById('statistics').textContent").to_string();
    assert!(rows.contains("input to its frame") && !rows.contains("input to its frame–"), "{rows}");
}

#[test]
fn a_source_that_moves() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let served = Served::new(Sphere { moves: true, plays: true, step: 0 }, Options::default());
    assert_eq!(browser.visit(&served.url, 480, 320), "ready");
    until(&mut browser, "Number(document.documentElement.dataset.frames) > 10");
    let click =
        |browser: &mut Browser, id| browser.value(&format!("document.getElementById('{id}').click()"));
    click(&mut browser, "pause");
    std::thread::sleep(Duration::from_millis(500));
    let time =
        |browser: &mut Browser| browser.value("document.getElementById('time').textContent").to_string();
    let paused = time(&mut browser);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(time(&mut browser), paused);
    click(&mut browser, "step");
    let begin = Instant::now();
    while time(&mut browser) == paused {
        assert!(begin.elapsed() < Duration::from_secs(20), "a step");
    }
    // the server ends, and the page says so
    let sphere = served.end();
    assert!(!sphere.plays);
    until(&mut browser, "document.documentElement.dataset.state === 'lost'");
}

/// Fields and sizes that change while the page is open.
#[test]
fn a_mesh_that_changes() {
    use ribbonmesh_serve::{Background, Live, Moment, Server};
    let Some(mut browser) = Browser::start(&[]) else { return };
    let device = ribbonmesh::Device::cpu();
    let live = Live::new(&device, "changing", ribbonmesh_render::Up::Y).expect("a source");
    let server = Server::bind(Options::default()).expect("a port");
    let background = Background::start(server, live).expect("a thread");
    let torus = |parts, name: &str| {
        let mut mesh = ribbonmesh_mesh::shapes::torus(parts, 1).expect("small");
        let heat: Vec<f32> = mesh.positions.iter().map(|p| p.x as f32).collect();
        mesh.vertices_mut().insert(name, heat).expect("rows");
        Moment::of_mesh(&device, &mesh, 0.5).expect("memory")
    };
    assert_eq!(browser.visit(background.url(), 900, 640), "ready");
    // nothing is there yet; then the first scalar is shown, in the middle of the picture
    until(&mut browser, "live.shown() === '1'");
    background.update(torus(48, "heat")).expect("a moment");
    until(&mut browser, "live.shown() === 'heat' && document.getElementById('message').hidden");
    let sizes = "document.getElementById('sizes').textContent";
    let before = browser.value(sizes);
    keep(&mut browser, "changing.png");
    let settled = "live.settled() && document.documentElement.dataset.mode === '3'";
    until(&mut browser, settled);
    let first = covered(&mut browser);
    assert!(first > 5000, "{first} pixels");
    // a formula of the user's stays, and is shown with the new mesh
    type_in(&mut browser, "2 * heat");
    until(&mut browser, "live.shown() === '2 * heat'");
    background.update(torus(32, "heat")).expect("a moment");
    until(&mut browser, &format!("{sizes} !== {before}"));
    until(&mut browser, "document.getElementById('time').textContent === 'step 2, time 0.5'");
    // until it does not fit
    background.update(torus(32, "cold")).expect("a moment");
    until(&mut browser, "document.getElementById('message').textContent.includes('does not fit')");
    type_in(&mut browser, "cold");
    until(&mut browser, "live.shown() === 'cold' && document.getElementById('message').hidden");
    // emptied, and there again; what is written over the picture does not count
    browser.value("document.getElementById('message').style.visibility = 'hidden'");
    browser.value("document.getElementById('help').hidden = true");
    for mode in ["3", "2"] {
        choose_mode(&mut browser, mode);
        let nothing = Moment::at(1.0).of_vertices("cold", device.zeros::<f32>(0).expect("memory"));
        let faces = device.zeros(0).expect("memory");
        background
            .update(nothing.positions(device.zeros(0).expect("memory")).faces(faces))
            .expect("a moment");
        until(&mut browser, "document.getElementById('message').textContent === 'Nothing is in view.'");
        assert_eq!(covered(&mut browser), 0);
        background.update(torus(48, "cold")).expect("a moment");
        until(&mut browser, "document.getElementById('message').hidden");
        until(&mut browser, &format!("document.documentElement.dataset.mode === '{mode}' && live.settled()"));
        assert!(covered(&mut browser) > 5000);
    }
    // after the last step there is nothing to play, and the page knows at once
    assert_eq!(browser.value("document.getElementById('steps').hidden"), false);
    background.with(|live, _| live.end()).expect("a thread");
    until(&mut browser, "document.getElementById('steps').hidden");
    assert!(covered(&mut browser) > 5000);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

/// Pixels that are not those of the background.
pub fn covered(browser: &mut Browser) -> usize {
    let (pixels, ..) = browser.pixels("#canvas");
    pixels.iter().filter(|p| **p != pixels[0]).count()
}

/// The picture of a mesh in the page, from points and from triangles: it covers what `render` covers, before
/// and after a turn, with the colours that `render` has for values in the range to which the scale is
/// dragged.
#[test]
fn a_mesh_in_a_browser() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let mesh = ribbonmesh_mesh::shapes::torus(64, 1).expect("small");
    let device = ribbonmesh::Device::cpu();
    let up = ribbonmesh_render::Up::Y;
    let mut source = ribbonmesh_serve::MeshSource::new(&device, &mesh, "torus", up).expect("a source");
    let served = Served::of(move |server, told| {
        while !told() {
            server.poll(&mut source, Duration::from_millis(20));
        }
    });
    assert_eq!(browser.visit(&format!("{}#x", served.url), 900, 640), "ready");
    until(&mut browser, "live.shown() === 'x'");
    keep(&mut browser, "torus-x.png");
    // few triangles come by themselves, and the page says why
    until(&mut browser, "document.documentElement.dataset.mode === '3'");
    let statistics = "document.getElementById('statistics').textContent";
    until(&mut browser, &format!("{statistics}.includes(' triangles') && {statistics}.includes('at most')"));
    // nothing over the picture, and colours as they are
    browser.value("document.getElementById('help').hidden = true");
    browser.value("document.getElementById('light').click()");
    for (mode, text) in [("2", "mag(position)"), ("3", "x * y + z")] {
        choose_mode(&mut browser, mode);
        type_in(&mut browser, text);
        until(&mut browser, &format!("live.shown() === '{text}'"));
        until(&mut browser, &format!("document.documentElement.dataset.mode === '{mode}'"));
        // the handle at the upper end, down by a third; it stays there
        browser.value("document.getElementById('range').value = 'frame'");
        browser.value("document.getElementById('range').dispatchEvent(new Event('change'))");
        let [x, y, height] = place_of(&mut browser, "#high");
        let whole = ends(&mut browser);
        browser.drag("left", [x, y], [x, y + 120.0]);
        assert_eq!(browser.value("document.getElementById('range').value"), "fixed");
        let range = ends(&mut browser);
        assert!(range[0] == whole[0] && range[1] > whole[1], "{whole:?} {range:?} {height}");
        for turned in [false, true] {
            if turned {
                browser.drag("left", [300.0, 300.0], [380.0, 340.0]);
            }
            until(&mut browser, "live.settled()");
            let (pixels, width, height) = browser.pixels("#canvas");
            keep(&mut browser, &format!("torus-{mode}-{turned}.png"));
            compare(&mesh, &browser.value("live.camera()"), &pixels, [width, height], text, range);
        }
    }
    // a value under the mouse, and the exact one, of triangles as well
    let [x, y] = [230.0, 320.0];
    let event = serde_json::json!({"type": "mouseMoved", "x": x, "y": y});
    browser.call("Input.dispatchMouseEvent", event);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

/// Points, triangles, or whatever suits.
pub fn choose_mode(browser: &mut Browser, mode: &str) {
    browser.value(&format!(
        "(() => {{ const choice = document.getElementById('mode'); choice.value = '{mode}'; \
         choice.dispatchEvent(new Event('change')); }})()"
    ));
}

/// The numbers at the ends of the scale.
pub fn ends(browser: &mut Browser) -> [f64; 2] {
    ["least", "greatest"].map(|id| {
        let value = browser.value(&format!("Number(document.getElementById('{id}').value)"));
        value.as_f64().expect("a number")
    })
}

/// The middle of an element, and its height.
fn place_of(browser: &mut Browser, element: &str) -> [f64; 3] {
    let place = browser.value(&format!(
        "(({{x, y, width, height}}) => [x + width / 2, y + height / 2, height])\
         (document.querySelector('{element}').getBoundingClientRect())"
    ));
    std::array::from_fn(|i| place[i].as_f64().expect("a number"))
}

/// Compares pixels with what `render` covers, and with its colours of the values there.
fn compare(
    mesh: &ribbonmesh_mesh::TriangleMesh,
    camera: &serde_json::Value,
    pixels: &[[u8; 3]],
    [width, height]: [usize; 2],
    text: &str,
    range: [f64; 2],
) {
    let paper = pixels[0];
    let covered = rendered(mesh, camera, width as u32, height as u32);
    let differ = pixels.iter().zip(&covered).filter(|(p, covered)| (**p != paper) != **covered).count();
    let count = covered.iter().filter(|covered| **covered).count();
    assert!(count > 20_000, "{count}");
    // no more than the pixels of the outlines
    assert!((differ as f64) < 0.02 * count as f64, "{differ} of {count} pixels");
    let values = values_of(mesh, camera, [width as u32, height as u32], text);
    let map = ribbonmesh_render::Colormap::Viridis;
    let mut wrong = 0;
    for ((pixel, value), covered) in pixels.iter().zip(&values).zip(&covered) {
        let share = ((f64::from(*value) - range[0]) / (range[1] - range[0])).clamp(0.0, 1.0);
        let expected = map.at(share as f32);
        let off = (0..3).map(|k| pixel[k].abs_diff(expected[k])).max().unwrap_or(0);
        wrong += usize::from(*covered && value.is_finite() && off > 12);
    }
    assert!(wrong < count / 50, "{wrong} of {count} colours of {text}");
}

/// The value at each pixel, row by row from above.
fn values_of(
    mesh: &ribbonmesh_mesh::TriangleMesh,
    camera: &serde_json::Value,
    [width, height]: [u32; 2],
    text: &str,
) -> Vec<f32> {
    use ribbonmesh_rixels::{Painter, Scene, Values, View};
    let device = ribbonmesh::Device::cpu();
    let numbers =
        |name: &str| -> [f64; 16] { std::array::from_fn(|i| camera[name][i].as_f64().expect("a number")) };
    let view = View::from_columns(width, height, &numbers("V"), &numbers("P")).expect("a view");
    let points: Vec<_> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let value = |p: &ribbonmesh::glam::Vec3| match text {
        "mag(position)" => p.length(),
        _ => p.x * p.y + p.z,
    };
    let values: Vec<f32> = points.iter().map(value).collect();
    let upload = |values: &[f32]| device.upload(values).expect("memory");
    let (values, positions) = (upload(&values), device.upload(&points).expect("memory"));
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let scene = Scene { positions: &positions, faces: &faces, values: Values::OfVertices(&values) };
    let picture = Painter::new(&device).paint(&scene, &view).expect("a picture");
    picture.values.chunks(width as usize).rev().flatten().copied().collect()
}

/// Which pixels `render` covers, row by row from above.
pub fn rendered(
    mesh: &ribbonmesh_mesh::TriangleMesh,
    camera: &serde_json::Value,
    width: u32,
    height: u32,
) -> Vec<bool> {
    use ribbonmesh_render::glam::{DMat4, DVec3};
    use ribbonmesh_render::{Background, Camera, Projection, Scene, Style};
    let numbers =
        |name: &str| -> [f64; 16] { std::array::from_fn(|i| camera[name][i].as_f64().expect("a number")) };
    let (view, projection) = (DMat4::from_cols_array(&numbers("V")), numbers("P"));
    let back = view.inverse();
    let eye = back.transform_point3(DVec3::ZERO);
    let camera = Camera {
        eye,
        target: back.transform_point3(-DVec3::Z),
        up: back.transform_vector3(DVec3::Y),
        projection: Projection::Perspective {
            field_of_view: 2.0 * (1.0 / projection[5]).atan().to_degrees(),
        },
    };
    let style = Style { width, height, samples: 1, background: Background::Transparent, ..Style::default() };
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let image = scene.render(&ribbonmesh::Device::cpu(), &camera, &style).expect("a picture");
    image.pixels().iter().map(|pixel| pixel[3] > 0).collect()
}
