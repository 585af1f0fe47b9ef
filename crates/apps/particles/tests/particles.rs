//! Tests of particles: neighbours, momentum, free fall, rest, walls, the field.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
use common::{Random, size};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, DeviceKind, Error};
use ribbonmesh_particles::physics::Jet;
use ribbonmesh_particles::{
    Ball, Liquid, LiquidFlow, LiquidOptions, ParticleScene, SurfaceOptions, Walls, cells, neighbours_of,
};

fn points(random: &mut Random, n: u32, extent: f32) -> Vec<Vec3> {
    let mut next = || extent * (random.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5);
    (0..n).map(|_| Vec3::new(next(), next(), next())).collect()
}
/// A lattice in a box with distances of 1; its first particle is half a distance from the origin.
fn lattice([nx, ny, nz]: [u32; 3]) -> Vec<Vec3> {
    let all = (0..nx).flat_map(|x| (0..ny).flat_map(move |y| (0..nz).map(move |z| [x, y, z])));
    all.map(|p| Vec3::from_array(p.map(|x| x as f32 + 0.5))).collect()
}
fn brute(points: &[Vec3], radius: f32) -> Vec<Vec<u32>> {
    let near = |i: usize| {
        let others = points.iter().enumerate();
        let near = others.filter(|(j, q)| *j != i && (points[i] - **q).length_squared() < radius * radius);
        near.map(|(j, _)| j as u32).collect()
    };
    (0..points.len()).map(near).collect()
}
/// Options without external effects.
fn free(spacing: f32) -> LiquidOptions {
    LiquidOptions { gravity: Vec3::ZERO, ..LiquidOptions::new(spacing) }
}
fn momentum(liquid: &Liquid) -> Vec3 {
    let velocities = liquid.velocities().read().expect("memory");
    velocities.iter().map(|v| v.as_dvec3()).sum::<ribbonmesh::glam::DVec3>().as_vec3()
}
fn bits(values: &[Vec3]) -> Vec<[u32; 3]> {
    values.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

suite! {
    fn neighbours_are_those_of_all_pairs(device) {
        let mut random = Random(5);
        let mut clustered = points(&mut random, 400, 0.2);
        clustered.extend(points(&mut random, 400, 500.0));
        let mut coincident = vec![Vec3::splat(-0.3); 150];
        coincident.extend(points(&mut random, 200, 3.0));
        // a thousand places within one cell, another thousand within the next
        let mut dense = points(&mut random, 1000, 0.5);
        dense.extend(dense.clone().iter().map(|p| *p + Vec3::X));
        let cases =
            [vec![], vec![Vec3::ONE], points(&mut random, 1500, 9.0), clustered, coincident, dense, lattice([7, 8, 9])];
        for points in common::cases(cases) {
            let buffer = device.upload(&points).expect("memory");
            for radius in [0.7_f32, 1.3] {
                let mut found = neighbours_of(&buffer, radius).expect("finite");
                found.iter_mut().for_each(|list| list.sort_unstable());
                assert!(found == brute(&points, radius));
            }
        }
    }
    fn momentum_is_kept(device) {
        let mut random = Random(3);
        // pressed together, with velocities that differ
        let places = points(&mut random, 1200, 9.0);
        let velocities = points(&mut random, 1200, 4.0);
        let options = LiquidOptions {
            cohesion: 0.5, viscosity: 0.1, substep: 0.02, fastest: 1e6, ..free(1.0)
        };
        let mut liquid = Liquid::new(device, &places, &velocities, &options).expect("finite");
        let before = momentum(&liquid);
        let density = |liquid: &mut Liquid| {
            liquid.densities().expect("memory").into_iter().fold(0.0, f32::max)
        };
        let most = density(&mut liquid);
        liquid.step(0.1).expect("finite");
        let after = momentum(&liquid);
        // relative to the sum of velocities of about 10
        assert!((after - before).length() < 1e-5 * 1200.0 * 10.0, "{before} {after}");
        assert!(density(&mut liquid) < 0.9 * most);
    }
    fn free_fall_is_a_parabola(device) {
        let places: Vec<Vec3> = lattice([5, 6, 7]).iter().map(|p| 1.1 * *p).collect();
        let velocity = Vec3::new(1.0, 2.0, -0.5);
        let options = LiquidOptions { substep: 0.01, viscosity: 0.1, ..LiquidOptions::new(1.0) };
        let mut liquid = Liquid::new(device, &places, &vec![velocity; places.len()], &options).expect("finite");
        for _ in 0..10 {
            liquid.step(0.025).expect("finite");
        }
        let t = liquid.time() as f32;
        assert!((t - 0.25).abs() < 1e-6);
        let way = t * velocity + 0.5 * t * t * options.gravity;
        for ((p, q), v) in places.iter().zip(liquid.places().read().expect("memory")).zip(liquid.velocities().read().expect("memory")) {
            assert!((*p + way - q).length() < 1e-5, "{p} {q}");
            assert!((velocity + t * options.gravity - v).length() < 1e-5, "{v}");
        }
    }
    fn a_block_rests(device) {
        let walls = Walls { low: Vec3::ZERO, high: Vec3::new(8.0, f32::INFINITY, 8.0) };
        // gravity in centimetres per second squared
        let gravity = Vec3::new(0.0, -981.0, 0.0);
        let options = LiquidOptions { gravity, walls: Some(walls), substep: 1.0 / 240.0, ..LiquidOptions::new(1.0) };
        let places = lattice([8, 10, 8]);
        let mut liquid = Liquid::new(device, &places, &vec![Vec3::ZERO; places.len()], &options).expect("finite");
        for _ in 0..size(120, 12) {
            liquid.step(1.0 / 60.0).expect("finite");
        }
        let densities = liquid.densities().expect("memory");
        let (places, velocities) = (liquid.places().read().expect("memory"), liquid.velocities().read().expect("memory"));
        let within = places.iter().zip(&densities).filter(|(p, _)| p.y < 7.0);
        let inner: Vec<f32> = within.map(|(_, density)| *density).collect();
        let mean = inner.iter().sum::<f32>() / inner.len() as f32;
        assert!((mean - 1.0).abs() < 0.04, "{mean}");
        assert!(inner.iter().all(|density| (0.8..1.2).contains(density)));
        // a fall of half a spacing gives a speed of 31
        let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f32::max);
        assert!(fastest < 31.0, "{fastest}");
        let highest = places.iter().map(|p| p.y).fold(0.0, f32::max);
        assert!((8.5..11.0).contains(&highest), "{highest}");
        let gap = Vec3::splat(0.2499);
        assert!(places.iter().all(|p| p.cmpge(walls.low + gap).all() && p.cmple(walls.high - gap).all()));
    }
    fn the_same_twice(device) {
        let run = |device: &Device| {
            let mut random = Random(9);
            let (places, velocities) = (points(&mut random, 3000, 12.0), points(&mut random, 3000, 5.0));
            let walls = Walls { low: Vec3::splat(-7.0), high: Vec3::splat(7.0) };
            let options = LiquidOptions { walls: Some(walls), cohesion: 0.1, substep: 0.02, ..LiquidOptions::new(1.0) };
            let mut liquid = Liquid::new(device, &places, &velocities, &options).expect("finite");
            for _ in 0..5 {
                liquid.step(0.05).expect("finite");
            }
            (bits(&liquid.places().read().expect("memory")), bits(&liquid.velocities().read().expect("memory")))
        };
        let first = run(device);
        assert!(first == run(device));
        if device.kind() == DeviceKind::Cpu {
            for threads in [1, 3] {
                assert!(first == run(&Device::cpu_with_threads(threads).expect("threads")));
            }
        }
    }
    fn coincident_particles_part(device) {
        let mut places = lattice([4, 4, 4]);
        places.extend(lattice([4, 4, 4]));
        let mut liquid = Liquid::new(device, &places, &vec![Vec3::ZERO; 128], &free(1.0)).expect("finite");
        for _ in 0..20 {
            liquid.step(0.02).expect("finite");
        }
        let after = liquid.places().read().expect("memory");
        let nearest = (0..128).flat_map(|i| (0..i).map(move |j| [i, j]));
        let nearest = nearest.map(|[i, j]| after[i].distance(after[j])).fold(f32::INFINITY, f32::min);
        assert!(nearest > 0.3, "{nearest}");
        let most = liquid.densities().expect("memory").into_iter().fold(0.0, f32::max);
        assert!(most < 1.2, "{most}");
    }
    fn a_ball_pushes_and_a_jet_drives(device) {
        let places: Vec<Vec3> = lattice([10, 10, 10]).iter().map(|p| *p - Vec3::splat(5.0)).collect();
        let ball = Ball { centre: Vec3::new(-9.0, 0.0, 0.0), velocity: Vec3::X, radius: 3.0 };
        let jet = Jet { base: [3.5, -1.0, 0.0], axis: [0.0, 1.0, 0.0], length: 2.0, radius: 1.0, speed: 0.5, acceleration: 10.0 };
        let options = LiquidOptions { ball: Some(ball), jets: vec![jet], substep: 0.1, ..free(1.0) };
        let mut liquid = Liquid::new(device, &places, &vec![Vec3::ZERO; 1000], &options).expect("finite");
        for i in 1..=20 {
            liquid.step(0.2).expect("finite");
            let centre = ball.centre + 0.2 * i as f32 * ball.velocity;
            let after = liquid.places().read().expect("memory");
            assert!(after.iter().all(|p| p.distance(centre) > 3.49));
        }
        let moved = momentum(&liquid) / 1000.0;
        assert!(moved.x > 0.01 && moved.y > 0.002, "{moved}");
        // no particle is faster than the jet drives it, except those that the ball has hit
        let velocities = liquid.velocities().read().expect("memory");
        assert!(velocities.iter().all(|v| v.is_finite() && v.length() < 3.0));
    }
    fn cohesion_pulls_together_and_viscosity_makes_equal(device) {
        // two particles 1.2 apart, which are not pressed together
        let places = [Vec3::ZERO, Vec3::new(1.2, 0.0, 0.0)];
        let velocities = [Vec3::Y, Vec3::ZERO];
        let end = |cohesion: f32, viscosity: f32| {
            let options = LiquidOptions { cohesion, viscosity, substep: 0.01, ..free(1.0) };
            let mut liquid = Liquid::new(device, &places, &velocities, &options).expect("finite");
            liquid.step(0.05).expect("finite");
            let v = liquid.velocities().read().expect("memory");
            v[0] - v[1]
        };
        assert_eq!(end(0.0, 0.0), Vec3::Y);
        let pulled = end(2.0, 0.0);
        assert!(pulled.x > 0.1 && pulled.x < 0.2, "{pulled}");
        let equal = end(0.0, 0.5);
        assert!(equal.y < 0.95 && equal.y > 0.5 && equal.x.abs() < 1e-6, "{equal}");
    }
    fn the_field_is_half_at_a_plane(device) {
        let mut liquid = Liquid::new(device, &lattice([12, 12, 12]), &vec![Vec3::ZERO; 1728], &free(1.0)).expect("finite");
        let at = |x: f32| Vec3::new(x, 6.3, 5.9);
        let found = liquid.field(&[at(6.0), at(12.0), at(13.8)]).expect("memory");
        assert!((found[0] - 1.0).abs() < 0.03 && (found[1] - 0.5).abs() < 0.05 && found[2] == 0.0, "{found:?}");
        let densities = liquid.densities().expect("memory");
        let most = densities.iter().copied().fold(0.0, f32::max);
        assert!((most - 1.0).abs() < 1e-4, "{most}");
        // a corner
        assert!(densities[0] < 0.6, "{}", densities[0]);
    }
    fn bad_places_are_refused(device) {
        let options = free(1.0);
        let mut places = lattice([3, 3, 3]);
        let rest = vec![Vec3::ZERO; 27];
        let error = Liquid::new(device, &places, &rest[1..], &options).map(drop);
        assert!(matches!(error, Err(Error::Length { expected: 27, found: 26, .. })));
        places[13].y = f32::NAN;
        let error = Liquid::new(device, &places, &rest, &options).map(drop).expect_err("not finite");
        assert!(error.to_string().contains("number 13"), "{error}");
        let buffer = device.upload(&places).expect("memory");
        let error = neighbours_of(&buffer, 1.0).expect_err("not finite");
        assert!(matches!(error, Error::Kernel { code: cells::NOT_FINITE, first: 13, .. }), "{error}");
        let mut none = Liquid::new(device, &[], &[], &options).expect("nothing");
        none.step(0.1).expect("nothing");
        assert!(none.step(0.0).is_err() && none.step(f64::NAN).is_err() && none.step(-1.0).is_err());
    }
}

#[test]
fn bad_options_are_refused() {
    let refused = |change: &dyn Fn(&mut LiquidOptions)| {
        let mut options = LiquidOptions::new(0.1);
        assert!(options.check().is_ok());
        change(&mut options);
        match options.check() {
            Err(Error::Option { option, .. }) => option,
            other => panic!("{other:?}"),
        }
    };
    let jet = Jet {
        axis: [0.0, 1.0, 0.0],
        length: 1.0,
        radius: 0.1,
        speed: 1.0,
        acceleration: 1.0,
        ..Jet::default()
    };
    assert_eq!(refused(&|o| o.spacing = 0.0), "spacing");
    assert_eq!(refused(&|o| o.spacing = f32::NAN), "spacing");
    assert_eq!(refused(&|o| o.radius = 1.0), "radius");
    assert_eq!(refused(&|o| o.gravity.z = f32::INFINITY), "gravity");
    assert_eq!(refused(&|o| o.substep = 0.0), "substep");
    assert_eq!(refused(&|o| o.iterations = 0), "iterations");
    assert_eq!(refused(&|o| o.relaxation = 0.0), "relaxation");
    assert_eq!(refused(&|o| o.tensile = -1.0), "tensile");
    assert_eq!(refused(&|o| o.viscosity = 0.6), "viscosity");
    assert_eq!(refused(&|o| o.cohesion = f32::NAN), "cohesion");
    assert_eq!(refused(&|o| o.fastest = 0.0), "fastest");
    assert_eq!(refused(&|o| o.walls = Some(Walls { low: Vec3::ZERO, high: Vec3::splat(0.1) })), "walls");
    assert_eq!(refused(&|o| o.walls = Some(Walls { low: Vec3::NAN, high: Vec3::ONE })), "walls");
    let ball = Ball { centre: Vec3::ZERO, velocity: Vec3::NAN, radius: 1.0 };
    assert_eq!(refused(&|o| o.ball = Some(ball)), "ball");
    assert_eq!(refused(&|o| o.ball = Some(Ball { velocity: Vec3::X, radius: 0.0, ..ball })), "ball");
    assert_eq!(refused(&|o| o.jets = vec![jet; 5]), "jets");
    assert_eq!(refused(&|o| o.jets = vec![Jet { axis: [0.0, 2.0, 0.0], ..jet }]), "jet");
    assert_eq!(refused(&|o| o.jets = vec![Jet { speed: f32::NAN, ..jet }]), "jet");
    for surface in [
        SurfaceOptions { level: 1.0, ..Default::default() },
        SurfaceOptions { draw: f32::NAN, ..Default::default() },
        SurfaceOptions { relax: -0.1, ..Default::default() },
    ] {
        assert!(LiquidFlow::new(vec![], vec![], &LiquidOptions::new(0.1), &surface).is_err());
    }
    for size in [0, 7, 401] {
        assert!(matches!(
            ParticleScene::Balloon.scene(Some(size), 0),
            Err(Error::Option { option: "size", .. })
        ));
    }
    assert!("geyser".parse::<ParticleScene>().is_err_and(|text| text.contains("ball-splash")));
    for (scene, name) in ParticleScene::ALL {
        assert_eq!((scene.to_string().as_str(), name.parse()), (name, Ok(scene)));
    }
}
