//! A volume in a browser, if there is one.

use crate::client::Served;
use crate::page::{choose_mode, ends, keep, rendered, until};
use crate::volume::cube;
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_render::Up;
use ribbonmesh_serve::VolumeSource;
use ribbonmesh_suite::browser::Browser;
use ribbonmesh_volume::{VolumeOptions, shapes};
use std::time::Duration;

/// Chooses a plane and moves the slider, as a user does.
fn choose(browser: &mut Browser, plane: &str, at: u32) {
    browser.value(&format!(
        "(() => {{
            const set = (id, value, event) => {{
                const control = document.getElementById(id);
                control.value = value;
                control.dispatchEvent(new Event(event));
            }};
            set('slice-plane', '{plane}', 'change');
            set('slice-at', '{at}', 'input');
        }})()"
    ));
    until(browser, "live.settled()");
}

/// The surface covers what `render` covers; slices cover the sections, with the colours of their values.
#[test]
fn slices_in_a_browser() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let volume = cube(DVec3::new(1.0, 2.0, 3.0), shapes::kuhn_grid([5; 3]).expect("a size"));
    let device = Device::cpu();
    let options = VolumeOptions::default();
    let surface = volume.surface(&volume.upload(&device, DVec3::ZERO, &options).expect("a mesh"));
    let (surface, _) = surface.expect("a surface");
    let mut source = VolumeSource::new(&device, &volume, "cube", Up::Z, &options).expect("a source");
    let served = Served::of(move |server, told| {
        while !told() {
            server.poll(&mut source, Duration::from_millis(20));
        }
    });
    assert_eq!(browser.visit(&format!("{}#heat", served.url), 800, 600), "ready");
    until(&mut browser, "live.shown() === 'heat' && live.settled()");
    assert_eq!(browser.value("document.getElementById('slices').hidden"), false);
    browser.value("document.getElementById('help').hidden = true");
    browser.value("document.getElementById('light').click()");
    let (pixels, width, height) = browser.pixels("#canvas");
    keep(&mut browser, "cube.png");
    let (paper, camera) = (pixels[0], browser.value("live.camera()"));
    let covered = |pixels: &[[u8; 3]]| pixels.iter().filter(|p| **p != paper).count();
    let picture = rendered(&surface, &camera, width as u32, height as u32);
    let differ = pixels.iter().zip(&picture).filter(|(p, covered)| (**p != paper) != **covered).count();
    assert!(differ < covered(&pixels) / 50, "{differ} pixels");

    // 2 x + z: across x there is a third of the range of colours, at the slider's ends the range's ends
    let (mut areas, whole) = (vec![], picture.iter().filter(|covered| **covered).count());
    // from triangles, then from points
    for (mode, plane, at, expected) in [
        ("3", "x", 500, [-1.0, 1.0]),
        ("3", "x", 1000, [1.0, 3.0]),
        ("3", "x", 0, [-3.0, -1.0]),
        ("2", "x", 0, [-3.0, -1.0]),
        ("2", "z", 500, [-2.0, 2.0]),
        ("2", "y", 250, [-3.0, 3.0]),
    ] {
        choose_mode(&mut browser, mode);
        choose(&mut browser, plane, at);
        until(&mut browser, &format!("document.documentElement.dataset.mode === '{mode}'"));
        let found = ends(&mut browser);
        assert!((0..2).all(|i| (found[i] - expected[i]).abs() < 0.1), "{plane} {at}: {found:?}");
        let (pixels, ..) = browser.pixels("#canvas");
        keep(&mut browser, &format!("cube-{plane}-{at}-{mode}.png"));
        areas.push(covered(&pixels));
        assert!((2_000..whole).contains(&covered(&pixels)), "{areas:?}");
    }
    // the one that is facing the viewer is the largest
    choose(&mut browser, "facing", 500);
    let (facing, ..) = browser.pixels("#canvas");
    keep(&mut browser, "cube-facing.png");
    assert!(areas.iter().all(|area| *area < covered(&facing)), "{areas:?}");
    // a turn moves the slice with the camera
    browser.drag("left", [300.0, 300.0], [360.0, 340.0]);
    until(&mut browser, "live.settled()");
    keep(&mut browser, "cube-facing-turned.png");
    // the surface again
    choose(&mut browser, "", 500);
    assert_eq!(browser.value("document.getElementById('slice-at').hidden"), true);
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:?}");
}
