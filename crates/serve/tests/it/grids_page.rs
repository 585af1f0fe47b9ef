//! A grid of cells in a browser, if there is one.

use crate::page::{covered, keep, until};
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::Slice;
use ribbonmesh_serve::{Background, CellGrid, Grid, GridMoment, Live, Options, Server};
use ribbonmesh_suite::browser::Browser;

/// The page begins with the slice that the source names; the surface is one choice away.
#[test]
fn a_slice_at_first() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let device = Device::cpu();
    let begins = Slice { normal: [0.0, 1.0, 0.0], offset: 0.5 };
    let cells = CellGrid { cells: [8; 3], edge: 0.25 };
    let live = Live::of(Grid::new(&device, cells, DVec3::ZERO, Some(begins)), "a grid", Up::Z);
    let background =
        Background::start(Server::bind(Options::default()).expect("a port"), live).expect("a thread");
    let heat: Vec<f32> = (0..512).map(|cell| (cell / 8 % 8) as f32).collect();
    let corners = [Vec3::splat(0.5), Vec3::new(1.5, 0.5, 0.5), Vec3::new(1.0, 1.0, 1.5)];
    let moment = GridMoment::at(0.0)
        .surface(device.upload(&corners).expect("memory"), device.upload(&[0, 1, 2]).expect("memory"))
        .of_cells("heat", device.upload(&heat).expect("memory"));
    background.with(|live, _| live.update(moment)).expect("a thread").expect("a moment");
    assert_eq!(browser.visit(background.url(), 700, 500), "ready");
    until(&mut browser, "live.shown() === 'heat' && live.settled()");
    assert_eq!(browser.value("document.getElementById('slice-plane').value"), "y");
    assert_eq!(browser.value("document.getElementById('slice-place').textContent"), "0.5");
    // the third layer of cells
    until(&mut browser, "document.getElementById('least').value === '2'");
    let of_slice = covered(&mut browser);
    keep(&mut browser, "grid-slice.png");
    let choose = "(() => { const plane = document.getElementById('slice-plane'); plane.value = ''; \
                  plane.dispatchEvent(new Event('change')); })()";
    browser.value(choose);
    until(&mut browser, "live.settled() && document.getElementById('slice-at').hidden");
    until(&mut browser, "document.getElementById('least').value !== '2'");
    keep(&mut browser, "grid-surface.png");
    let of_surface = covered(&mut browser);
    assert!(of_slice > 2 * of_surface && of_surface > 500, "{of_slice} {of_surface}");
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
