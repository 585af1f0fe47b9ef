//! The pressure: what it must leave alone, and what it must make.
use crate::support::{
    GIVEN, WALLS, all, beyond, boxed, cylinder, face, faces, index, middle, nodes, obstacle, of_faces,
    options, prism, random, sphere, voxels,
};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_flow::{Flow, FlowOptions, Method, Motion, PoissonOptions, Side, Solve};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{Random, size, suite};
use std::cell::RefCell;

/// The root of the mean square of the difference from known velocities, weighted by open fractions.
fn error(flow: &Flow, n: [u32; 3], exact: impl Fn(DVec3) -> DVec3) -> f64 {
    let [found, open] = [flow.faces(), flow.open()].map(|buffer| buffer.read().expect("memory"));
    let edge = f64::from(flow.options().edge);
    let (mut sum, mut weight) = (0.0, 0.0);
    for d in 0..2 {
        for at in faces(n, d) {
            let f = face(n, d, at);
            let w = f64::from(open[f]);
            if w > 0.0 {
                sum += w * (f64::from(found[f]) - exact(middle(edge, d, at))[d]).powi(2);
                weight += w;
            }
        }
    }
    (sum / weight).sqrt()
}
/// Velocities that are known on the sides of the box, and 0 within.
fn on_sides(n: [u32; 3], edge: f64, exact: impl Fn(DVec3) -> DVec3) -> Vec<f32> {
    let of = |d: usize, at: [u32; 3]| {
        let on = d < 2 && (at[d] == 0 || at[d] == n[d]);
        if on { exact(middle(edge, d, at))[d] as f32 } else { 0.0 }
    };
    of_faces(n, of)
}
/// A box in two dimensions around something: its mesh, and what is inside of it.
struct Case<'a> {
    mesh: TriangleMesh,
    inside: &'a dyn Fn(DVec3) -> bool,
    /// The part of a line along y (0) or x (1) from one position to another that is outside.
    outside: &'a dyn Fn(usize, DVec3, DVec3) -> f64,
    exact: &'a dyn Fn(DVec3) -> DVec3,
}
impl Case<'_> {
    /// The errors with this many cells along a side: of faces cut by the mesh, with exact fractions, with
    /// whole cells.
    fn errors(&self, device: &Device, n: u32) -> [f64; 3] {
        let (cells, edge) = ([n, n, 1], 1.0 / f64::from(n));
        let options = options(cells, GIVEN);
        let cut = Flow::new(device, &options, Some(obstacle(device, &self.mesh, Motion::default())));
        let fractions = of_faces(cells, |d, at| {
            let along = edge * if d == 0 { DVec3::Y } else { DVec3::X };
            let from = edge * DVec3::new(f64::from(at[0]), f64::from(at[1]), 0.0);
            if d < 2 { (self.outside)(d, from, from + along) as f32 } else { 1.0 }
        });
        let exact = Flow::with_fractions(device, &options, &fractions);
        let whole = Flow::with_fractions(device, &options, &voxels(cells, edge, self.inside));
        [cut, exact, whole].map(|flow| {
            let mut flow = flow.expect("a flow");
            let solve = flow.set_faces(&on_sides(cells, edge, self.exact)).expect("a solution");
            assert!(solve.converged, "{solve:?}");
            error(&flow, cells, self.exact)
        })
    }
    fn all(&self, device: &Device, sizes: [u32; 4]) -> [[f64; 4]; 3] {
        let found = sizes.map(|n| self.errors(device, n));
        let of = [0, 1, 2].map(|i| found.map(|errors| errors[i]));
        println!("cut {:?}\nexact {:?}\nwhole {:?}", of[0], of[1], of[2]);
        of
    }
}
fn past_sphere(device: &Device, n: u32, method: Method) -> Flow {
    let pressure = PoissonOptions { method, tolerance: 1e-5, ..PoissonOptions::default() };
    let options = FlowOptions { pressure, ..options([n; 3], FlowOptions::default().sides) };
    let sphere = sphere(DVec3::new(0.45, 0.5, 0.52), 0.2);
    Flow::new(device, &options, Some(obstacle(device, &sphere, Motion::default()))).expect("a flow")
}
/// Cells along each axis: more of them where they are fast.
fn sizes(device: &Device) -> &'static [u32] {
    let all = &[16, 32, 64, 128, 256];
    if device.kind() == DeviceKind::Cuda { all } else { &all[..size(3, 2)] }
}
/// A solve past a sphere that begins with velocities at random.
fn of_noise(device: &Device, n: u32, method: Method) -> Solve {
    let numbers = RefCell::new(Random(9));
    let of = |d: usize, at: [u32; 3]| match at[d] {
        0 => {
            if d == 0 {
                1.0
            } else {
                0.0
            }
        }
        i if d > 0 && i == n => 0.0,
        _ => 1.0 + random(&mut numbers.borrow_mut()),
    };
    past_sphere(device, n, method).set_faces(&of_faces([n; 3], of)).expect("a solution")
}

suite! {
    fn what_rests_stays_at_rest(device) {
        let cells = [12, 16, 10];
        let acceleration = [0.0, -9.81, 0.0];
        let open_above = [WALLS[0], [Side::Wall, Side::Outflow], WALLS[2]];
        for sides in [WALLS, open_above] {
            let options = FlowOptions { acceleration, inflow: [0.0; 3], ..options(cells, sides) };
            let sphere = sphere(DVec3::new(0.5, 0.6, 0.4), 0.3);
            let sphere = obstacle(device, &sphere, Motion::default());
            let mut flow = Flow::new(device, &options, Some(sphere)).expect("a flow");
            assert_eq!(flow.closed_parts(), usize::from(sides == WALLS));
            let dt = 0.01;
            for _ in 0..5 {
                let solve = flow.step(dt).expect("a step");
                assert!(solve.converged, "{solve:?}");
            }
            // 0.5 without a pressure
            assert!(flow.speed().expect("finite") < 2e-5, "{:?}", flow.speed());
            let [open, p] = [flow.open(), flow.pressure()].map(|buffer| buffer.read().expect("memory"));
            let between = |at: &[u32; 3]| at[1] > 0 && at[1] < 16 && open[face(cells, 1, *at)] > 0.0;
            for at in faces(cells, 1).filter(between) {
                let mut below = at;
                below[1] -= 1;
                let found = p[index(cells, at)] - p[index(cells, below)];
                assert!((found + 0.0981).abs() < 2e-5, "{at:?}: {found}");
            }
        }
    }
    fn nothing_leaks(device) {
        let mut flow = past_sphere(device, 24, Method::ConjugateGradients);
        for _ in 0..size(6, 2) {
            let solve = flow.step(0.03).expect("a step");
            assert!(solve.converged, "{solve:?}");
            // velocities of about 1, and what is left of the first residual
            assert!(flow.leak().expect("finite") < 1e-3, "{:?}", flow.leak());
        }
        // the same by plain code
        let cells = [24; 3];
        let [u, open] = [flow.faces(), flow.open()].map(|buffer| buffer.read().expect("memory"));
        let of = |d: usize, at: [u32; 3]| {
            let f = face(cells, d, at);
            f64::from(open[f] * u[f])
        };
        let out = |at: [u32; 3]| (0..3).map(|d| of(d, beyond(at, d)) - of(d, at)).sum::<f64>().abs();
        let most = all(cells).map(out).fold(0.0, f64::max);
        assert!((most - f64::from(flow.leak().expect("finite"))).abs() < 1e-5, "{most}");
        // what flows in flows out
        let through = |i: u32| faces(cells, 0).filter(|at| at[0] == i).map(|at| of(0, at)).sum::<f64>();
        let (first, last) = (through(0), through(24));
        assert!((first - 576.0).abs() < 1e-3 && (last / first - 1.0).abs() < 1e-4, "{first} {last}");
    }
    fn flow_around_a_cylinder_is_the_known_one(device) {
        let (middle, radius) = (DVec3::new(0.5, 0.5, 0.0), 0.2);
        let exact = |p: DVec3| {
            let q = DVec3::new(p.x - middle.x, p.y - middle.y, 0.0);
            let rr = q.length_squared();
            let k = radius * radius / (rr * rr);
            DVec3::new(1.0 - k * (q.x * q.x - q.y * q.y), -2.0 * k * q.x * q.y, 0.0)
        };
        let inside = |p: DVec3| (p.x - 0.5).hypot(p.y - 0.5) < radius;
        let outside = |d: usize, from: DVec3, to: DVec3| {
            let (across, ends) = (from[d] - 0.5, [from[1 - d] - 0.5, to[1 - d] - 0.5]);
            let half = (radius * radius - across * across).max(0.0).sqrt();
            let within = ends[1].min(half) - ends[0].max(-half);
            1.0 - within.max(0.0) / (ends[1] - ends[0])
        };
        let mesh = cylinder([0.5, 0.5], radius);
        let case = Case { mesh, inside: &inside, outside: &outside, exact: &exact };
        let [cut, fine, whole] = case.all(device, [16, 32, 64, 128]);
        // points of a lattice give fractions to about a sixteenth, at any size of the cells
        assert!(cut.iter().zip(&whole).all(|(cut, whole)| 5.0 * cut < *whole) && cut[3] < cut[0] / 2.0);
        // of an order of about 1.4, where whole cells have one half
        assert!(fine[3] < fine[0] / 14.0 && whole[3] > whole[0] / 4.0);
    }
    fn flow_along_a_turned_channel_is_even(device) {
        let angle = 0.35_f64;
        let (along, across) =
            (DVec3::new(angle.cos(), angle.sin(), 0.0), DVec3::new(-angle.sin(), angle.cos(), 0.0));
        let (middle, half) = (DVec3::new(0.5, 0.5, 0.0), 0.187);
        let wall = |side: f64| {
            let of = |s: f64, t: f64| {
                let p = middle + s * along + side * t * across;
                [p.x, p.y]
            };
            let mut corners = [of(-3.0, half), of(3.0, half), of(3.0, 2.0), of(-3.0, 2.0)];
            if side < 0.0 {
                corners.reverse();
            }
            prism(&corners)
        };
        let mut mesh = wall(1.0);
        mesh.append(&wall(-1.0)).expect("small");
        let inside = |p: DVec3| (p - middle).dot(across).abs() > half;
        let outside = |_: usize, from: DVec3, to: DVec3| {
            let ends = [from, to].map(|p| (p - middle).dot(across));
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            ((high.min(half) - low.max(-half)) / (high - low)).max(0.0)
        };
        let case = Case { mesh, inside: &inside, outside: &outside, exact: &|_| along };
        let [cut, fine, whole] = case.all(device, [16, 32, 64, 128]);
        assert!(cut.iter().zip(&whole).all(|(cut, whole)| 5.0 * cut < *whole) && cut[3] < cut[0] / 2.0);
        assert!(fine.iter().all(|error| *error < 1e-5) && whole[3] > whole[0] / 4.0);
    }
    fn a_piston_pushes_all_before_it(device) {
        let cells = [32, 8, 1];
        let sides = [[Side::Wall, Side::Outflow], WALLS[1], WALLS[2]];
        let options = FlowOptions { inflow: [0.0; 3], ..options(cells, sides) };
        // from below the box to above it, between faces
        let piston = boxed([0.131, -0.2], [0.347, 0.6]);
        let motion = Motion { velocity: [0.5, 0.0, 0.0], ..Motion::default() };
        let mut flow = Flow::new(device, &options, Some(obstacle(device, &piston, motion))).expect("a flow");
        // what is behind it cannot be filled
        assert_eq!(flow.closed_parts(), 1);
        for _ in 0..8 {
            flow.step(0.05).expect("a step");
            let front = 32.0 * (0.347 + 0.5 * flow.time());
            let u = flow.faces().read().expect("memory");
            for at in faces(cells, 0).filter(|at| f64::from(at[0]) > front + 1.0) {
                let found = u[face(cells, 0, at)];
                assert!((found - 0.5).abs() < 5e-4, "{at:?}: {found}");
            }
        }
        let moved = flow.obstacle().expect("one").triangles().0.read().expect("memory");
        assert!((moved[0].x - 0.331).abs() < 1e-5, "{}", moved[0]);
    }
    fn a_turning_disc_moves_nothing(device) {
        // its surface moves along itself, and the fluid slips
        let cells = [32, 32, 1];
        let options = FlowOptions { inflow: [0.0; 3], ..options(cells, WALLS) };
        let motion = Motion { turn: [0.0, 0.0, 2.0], centre: [0.5, 0.5, 0.0], ..Motion::default() };
        let disc = cylinder([0.5, 0.5], 0.3);
        let mut flow = Flow::new(device, &options, Some(obstacle(device, &disc, motion))).expect("a flow");
        for _ in 0..3 {
            flow.step(0.02).expect("a step");
        }
        let [u, open] = [flow.faces(), flow.open()].map(|buffer| buffer.read().expect("memory"));
        let of_fluid = u.iter().zip(&open).filter(|(_, open)| **open > 0.0);
        let most = of_fluid.fold(0.0_f32, |most, (u, _)| most.max(u.abs()));
        assert!(most < 0.06, "{most}");
    }
    fn parts_without_an_outflow_keep_what_flows_in(device) {
        // a shell within a box of given velocities, of which more flows in than out
        let cells = [20; 3];
        let mut shell = sphere(DVec3::splat(0.5), 0.4);
        shell.append(&sphere(DVec3::splat(0.5), 0.27)).expect("small");
        let shell = obstacle(device, &shell, Motion::default());
        let mut flow = Flow::new(device, &options(cells, GIVEN), Some(shell)).expect("a flow");
        assert_eq!(flow.closed_parts(), 2);
        let numbers = RefCell::new(Random(5));
        let velocities = of_faces(cells, |d, at| match at[d] {
            0 if d == 0 => 1.0,
            i if i == 0 || i == cells[d] => 0.0,
            _ => random(&mut numbers.borrow_mut()),
        });
        let solve = flow.set_faces(&velocities).expect("a solution");
        assert!(solve.converged, "{solve:?}");
        // what flows in is spread over the outer cells
        let [open, u] = [flow.open(), flow.faces()].map(|buffer| buffer.read().expect("memory"));
        let out = |at: [u32; 3]| {
            let of = |d: usize, at: [u32; 3]| f64::from(open[face(cells, d, at)] * u[face(cells, d, at)]);
            (0..3).map(|d| of(d, beyond(at, d)) - of(d, at)).sum::<f64>()
        };
        let is_open = |at: &[u32; 3]| {
            let along = |d: usize| [*at, beyond(*at, d)].iter().any(|at| open[face(cells, d, *at)] > 0.0);
            (0..3).any(along)
        };
        let from_middle = |at: &[u32; 3]| DVec3::from_array(at.map(|i| f64::from(i) - 9.5)).length();
        let far = |at: &[u32; 3]| from_middle(at) > 6.7;
        let outer: Vec<f64> = all(cells).filter(|at| is_open(at) && far(at)).map(out).collect();
        let inner: Vec<f64> = all(cells).filter(|at| is_open(at) && !far(at)).map(out).collect();
        let mean = -400.0 / outer.len() as f64;
        assert!(!inner.is_empty() && inner.iter().all(|out| out.abs() < 1e-3), "{inner:?}");
        assert!(outer.iter().all(|out| (out - mean).abs() < 1e-3), "{mean}");
    }
    fn iterations_hardly_depend_on_the_resolution(device) {
        for (method, most) in [(Method::ConjugateGradients, 9), (Method::Cycles, 14)] {
            let solves: Vec<Solve> = sizes(device).iter().map(|n| of_noise(device, *n, method)).collect();
            let factors = solves.iter().map(|solve| solve.residual.powf(1.0 / f64::from(solve.iterations)));
            println!("{method:?}: {solves:?}, factors {:?}", factors.collect::<Vec<f64>>());
            assert!(solves.iter().all(|solve| solve.converged && solve.iterations <= most), "{solves:?}");
            let [first, last] = [0, solves.len() - 1].map(|i| f64::from(solves[i].iterations));
            assert!(method == Method::Cycles || last <= 1.5 * first, "{solves:?}");
        }
    }
    fn an_even_flow_stays_even(device) {
        for cells in [[16, 8, 8], [24, 12, 1]] {
            let sides = [[Side::Inflow, Side::Outflow], [Side::Outflow, Side::Inflow], WALLS[2]];
            let options = FlowOptions { inflow: [1.0, -0.5, 0.0], ..options(cells, sides) };
            let mut flow = Flow::new(device, &options, None).expect("a flow");
            assert_eq!(flow.faces().len(), 3 * nodes(cells));
            for _ in 0..3 {
                flow.step(0.07).expect("a step");
            }
            let u = flow.faces().read().expect("memory");
            for d in 0..3 {
                for at in faces(cells, d) {
                    let found = u[face(cells, d, at)];
                    assert!((found - [1.0, -0.5, 0.0][d]).abs() < 1e-6, "{d} {at:?}: {found}");
                }
            }
        }
    }
}
