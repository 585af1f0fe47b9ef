//! Viscosity: known flows, and the drag of a cylinder.
use crate::support::{WALLS, boxed, cylinder, face, faces, middle, obstacle, of_faces};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_flow::{Flow, FlowOptions, Motion, PoissonOptions, Side};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{size, suite};

/// Fluid at rest in a box whose side along y has the length 1.
fn still(cells: [u32; 3], sides: [[Side; 2]; 3], viscosity: f64) -> FlowOptions {
    let pressure = PoissonOptions { tolerance: 1e-6, ..PoissonOptions::default() };
    let edge = 1.0 / cells[1] as f32;
    let viscosity = viscosity as f32;
    FlowOptions { cells, edge, sides, pressure, viscosity, inflow: [0.0; 3], ..FlowOptions::default() }
}
fn run(flow: &mut Flow, steps: usize, dt: f64) {
    for _ in 0..steps {
        flow.step(dt).expect("a step");
    }
    let report = flow.report();
    assert_eq!((report.unconverged, report.viscous_unconverged), (0, 0), "{report:?}");
}
/// The greatest difference from a known velocity on faces of component `d` whose middles are `within`.
fn most(flow: &Flow, d: usize, within: impl Fn(DVec3) -> bool, exact: impl Fn(DVec3) -> f64) -> f64 {
    let (n, u) = (flow.options().cells, flow.faces().read().expect("memory"));
    let edge = f64::from(flow.options().edge);
    let inside = faces(n, d).filter(|at| within(middle(edge, d, *at)));
    let errors = inside.map(|at| (f64::from(u[face(n, d, at)]) - exact(middle(edge, d, at))).abs());
    errors.fold(0.0, f64::max)
}
/// A solid that is open within a cylinder along z.
fn pipe(radius: f64) -> TriangleMesh {
    let mut pipe = boxed([-1.0, -1.0], [2.0, 2.0]);
    pipe.append(&cylinder([0.5, 0.5], radius)).expect("small");
    pipe
}
const FREE: [Side; 2] = [Side::Outflow; 2];

/// The greatest drag and lift, from a time on, of a cylinder between plates: the benchmarks 2D-1 and 2D-2 of
/// Schäfer and Turek (1996) with the diameter and the mean velocity as units, and `across` cells for a
/// diameter.
fn drag_and_lift(
    device: &Device,
    across: u32,
    length: u32,
    reynolds: f64,
    from: f64,
    until: f64,
) -> [f64; 2] {
    let height = 4.1;
    let cells = [across * length, (height * f64::from(across)).round() as u32, 1];
    let edge = height / f64::from(cells[1]);
    let options = FlowOptions {
        cells,
        edge: edge as f32,
        sides: [[Side::Inflow, Side::Outflow], [Side::NoSlip; 2], WALLS[2]],
        viscosity: 1.0 / reynolds as f32,
        ..FlowOptions::default()
    };
    let cylinder = obstacle(device, &cylinder([2.0, 2.0], 0.5), Motion::default());
    let mut flow = Flow::new(device, &options, Some(cylinder)).expect("a flow");
    let parabola = |y: f64| 6.0 * y * (height - y) / (height * height);
    let of = |d: usize, at| if d == 0 { parabola(middle(edge, d, at).y) as f32 } else { 0.0 };
    flow.set_faces(&of_faces(cells, of)).expect("a solution");
    let (dt, mut most) = (0.5 * edge, [0.0_f64; 2]);
    while flow.time() < until {
        flow.step(dt).expect("a step");
        if flow.time() >= from {
            let force = flow.force().expect("memory").map(|f| 2.0 * f / edge);
            most = [most[0].max(force[0]), most[1].max(force[1])];
        }
    }
    most
}

suite! {
    /// Poiseuille's flow between two sides of the box: the error is that of the second difference at walls.
    fn between_plates(device) {
        for n in [8, 16, 32] {
            let sides = [FREE, [Side::NoSlip; 2], WALLS[2]];
            let options = FlowOptions { acceleration: [8.0, 0.0, 0.0], ..still([6, n, 1], sides, 1.0) };
            let mut flow = Flow::new(device, &options, None).expect("a flow");
            run(&mut flow, 40, 0.05);
            let found = most(&flow, 0, |_| true, |p| 4.0 * p.y * (1.0 - p.y));
            let expected = 1.0 / f64::from(n * n);
            assert!((found - expected).abs() < 1e-4, "{n}: {found} {expected}");
        }
    }
    /// The same between two meshes, at distances that are no multiples of cells: the walls' friction carries
    /// the whole force.
    fn between_meshes(device) {
        let (low, high) = (0.137, 0.861);
        let mut plates = boxed([-1.0, -1.0], [2.0, low]);
        plates.append(&boxed([-1.0, high], [2.0, 2.0])).expect("small");
        for n in [16, 32] {
            let options =
                FlowOptions { acceleration: [8.0, 0.0, 0.0], ..still([6, n, 1], [FREE, WALLS[1], WALLS[2]], 1.0) };
            let plates = obstacle(device, &plates, Motion::default());
            let mut flow = Flow::new(device, &options, Some(plates)).expect("a flow");
            run(&mut flow, 40, 0.05);
            let found = most(&flow, 0, |p| p.y > low && p.y < high, |p| 4.0 * (p.y - low) * (high - p.y));
            let edge = 1.0 / f64::from(n);
            println!("{n}: {found}");
            assert!(found < 0.2 * edge, "{n}: {found}");
            let force = flow.force().expect("memory");
            let expected = 8.0 * 6.0 * edge * edge * (high - low);
            assert!((force[0] / expected - 1.0).abs() < 0.05 && force[1].abs() < 1e-3, "{force:?} {expected}");
        }
    }
    /// Hagen's and Poiseuille's flow through a pipe whose wall is a mesh.
    fn through_a_pipe(device) {
        let radius = 0.41;
        let error = |n: u32| {
            let options = FlowOptions {
                acceleration: [0.0, 0.0, 4.0],
                ..still([n, n, 3], [WALLS[0], WALLS[1], FREE], 0.25)
            };
            let wall = obstacle(device, &pipe(radius), Motion::default());
            let mut flow = Flow::new(device, &options, Some(wall)).expect("a flow");
            run(&mut flow, 30, 0.1);
            let from_axis = |p: DVec3| (p.x - 0.5).hypot(p.y - 0.5);
            let exact = |p: DVec3| 4.0 * (radius * radius - from_axis(p).powi(2));
            let force = flow.force().expect("memory")[2];
            let expected = 4.0 * std::f64::consts::PI * radius * radius * 3.0 / f64::from(n);
            println!("{n}: force {force} {expected}");
            assert!((force / expected - 1.0).abs() < 0.05, "{force} {expected}");
            most(&flow, 2, |p| from_axis(p) < radius, exact) / (4.0 * radius * radius)
        };
        let [coarse, middle, fine] = [12, 24, 48].map(error);
        println!("{coarse} {middle} {fine}");
        assert!(coarse < 0.015 && middle < 0.015 && fine < 0.006, "{coarse} {middle} {fine}");
    }
    /// Fluid in a drum that turns ends up turning with it.
    fn in_a_drum(device) {
        let cells = [24, 24, 1];
        let motion = Motion { turn: [0.0, 0.0, 1.5], centre: [0.5, 0.5, 0.0], ..Motion::default() };
        let drum = obstacle(device, &pipe(0.43), motion);
        let mut flow = Flow::new(device, &still(cells, WALLS, 0.2), Some(drum)).expect("a flow");
        run(&mut flow, size(30, 3), 0.05);
        let within = |p: DVec3| (p.x - 0.5).hypot(p.y - 0.5) < 0.43;
        let found = most(&flow, 0, within, |p| -1.5 * (p.y - 0.5));
        println!("{found}");
        assert!(size(found, 0.0) < 0.03, "{found}");
    }
    /// Vortices of Taylor and Green between slippery walls decay as they have to.
    fn vortices_decay(device) {
        let (viscosity, time, pi) = (0.04, 0.5, std::f64::consts::PI);
        let error = |n: u32| {
            let cells = [n, n, 1];
            let mut flow = Flow::new(device, &still(cells, WALLS, viscosity), None).expect("a flow");
            let of = |d: usize, p: DVec3| match d {
                0 => (pi * p.x).sin() * (pi * p.y).cos(),
                1 => -(pi * p.x).cos() * (pi * p.y).sin(),
                _ => 0.0,
            };
            let first = of_faces(cells, |d, at| of(d, middle(1.0 / f64::from(n), d, at)) as f32);
            flow.set_faces(&first).expect("a solution");
            run(&mut flow, n as usize, time / f64::from(n));
            let left = (-2.0 * viscosity * pi * pi * time).exp();
            most(&flow, 0, |_| true, |p| left * of(0, p)) / left
        };
        let [coarse, fine] = [16, 32].map(error);
        println!("{coarse} {fine}");
        assert!(fine < 0.02 && fine < coarse / 1.8, "{coarse} {fine}");
    }
    /// A lid that moves: the side of an inflow along itself. Against Ghia, Ghia and Shin (1982) at 100.
    fn under_a_lid(device) {
        let n = 32;
        let sides = [[Side::NoSlip; 2], [Side::NoSlip, Side::Inflow], WALLS[2]];
        let pressure = PoissonOptions { tolerance: 1e-5, ..PoissonOptions::default() };
        let options = FlowOptions { inflow: [1.0, 0.0, 0.0], pressure, ..still([n, n, 1], sides, 0.01) };
        let mut flow = Flow::new(device, &options, None).expect("a flow");
        run(&mut flow, size(600, 5), 0.025);
        let u = flow.faces().read().expect("memory");
        // the velocity along x on the middle line, between faces
        let at = |y: f64| {
            let s = y * f64::from(n) - 0.5;
            let (j, t) = (s.floor() as u32, s - s.floor());
            let of = |j: u32| f64::from(u[face([n, n, 1], 0, [n / 2, j, 0])]);
            (1.0 - t) * of(j) + t * of(j + 1)
        };
        let known = [(0.1719, -0.10150), (0.4531, -0.21090), (0.6172, -0.13641), (0.7344, 0.00332), (0.9531, 0.68717)];
        for (y, expected) in known {
            println!("{y} {} {expected}", at(y));
            assert!(size((at(y) - expected).abs(), 0.0) < 0.03, "{y}: {} {expected}", at(y));
        }
    }
    /// Drag and lift at Reynolds numbers of 20, where the flow becomes steady, and 100, where vortices are
    /// shed.
    fn drag_of_a_cylinder(device) {
        let [drag, lift] = drag_and_lift(device, 10, 8, 20.0, size(7.5, 0.0), size(8.0, 0.1));
        println!("{drag} {lift}");
        assert!(size((drag / 5.58 - 1.0).abs(), 0.0) < 0.03, "{drag}");
        assert!(size((lift - 0.0106).abs(), 0.0) < 0.01, "{lift}");
        if device.kind() == DeviceKind::Cuda {
            let [drag, lift] = drag_and_lift(device, 20, 22, 100.0, size(40.0, 0.0), size(50.0, 0.1));
            println!("{drag} {lift}");
            assert!(size((drag / 3.23 - 1.0).abs(), 0.0) < 0.05, "{drag}");
            assert!(size((lift - 1.0).abs(), 0.0) < 0.15, "{lift}");
        }
    }
}
