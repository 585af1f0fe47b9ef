//! Test of a user's own velocity: a kernel of one line, on the CPU, as its PTX is not compiled.
use ribbonmesh::device::{Block, Parameter, PtxModule, Vec3, kernel};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_track::advect::{Advection, Velocity, advect};
use ribbonmesh_track::{
    Computed, Flow, Integration, Motion, Scene, SceneKind, TrackError, TrackOptions, Tracker,
};

static PTX: PtxModule = PtxModule::cpu_only("flow");

/// A velocity that turns around the z axis, and rises with the square of the time.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Screw {
    /// Radians for each unit of time.
    pub speed: f32,
}
impl Velocity for Screw {
    #[inline(always)]
    fn at(&self, x: Vec3, time: f32) -> Vec3 {
        Vec3::new(-self.speed * x.y, self.speed * x.x, 3.0 * time * time)
    }
}
/// Makes one step of it.
#[kernel(threads = 256)]
pub fn screwing<'a>(block: &Block, motion: Advection<'a>, velocity: Screw) {
    advect(block, motion, velocity);
}
impl Flow for Screw {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let (device, blocks) = (motion.device(), motion.blocks());
        device.launch(blocks, Screwing { motion: motion.arguments(), velocity: *self })
    }
}

fn centre(tracker: &mut Tracker) -> DVec3 {
    let mesh = tracker.download().expect("memory");
    mesh.positions.iter().sum::<DVec3>() / mesh.positions.len() as f64
}

#[test]
fn both_integrations_have_their_order() {
    let scene = Scene::new(SceneKind::Rotation, Some(4), 0).expect("a size");
    // a quarter turn, to (−0.75, 0.5, 1.5)
    let error = |integration, steps: u32| {
        let options = TrackOptions { integration, improve: false, ..TrackOptions::default() };
        let mut tracker = Tracker::new(&Device::cpu(), &scene.mesh, &options).expect("a manifold");
        let mut flow = Screw { speed: std::f32::consts::FRAC_PI_2 };
        for _ in 0..steps {
            tracker.step(1.0 / f64::from(steps), &mut flow).expect("a step");
        }
        centre(&mut tracker).distance(DVec3::new(-0.75, 0.5, 1.5))
    };
    let euler = [20, 40].map(|steps| error(Integration::Euler, steps));
    assert!((euler[0] / euler[1] - 2.0).abs() < 0.15, "{euler:?}");
    let fourth = [10, 20].map(|steps| error(Integration::RungeKutta, steps));
    assert!(fourth[0] < 1e-4 && fourth[1] < 1e-5, "{fourth:?}");
}

#[test]
fn what_is_computed_elsewhere_is_integrated_as_a_kernel_is() {
    let scene = Scene::new(SceneKind::Rotation, Some(4), 0).expect("a size");
    let speed = 1.5;
    for integration in [Integration::Euler, Integration::RungeKutta] {
        let options = TrackOptions { integration, ..TrackOptions::default() };
        let new = || Tracker::new(&Device::cpu(), &scene.mesh, &options).expect("a manifold");
        let (mut one, mut other) = (new(), new());
        let mut computed = Computed(|x: Buffer<Vec3>, time: f64| {
            let screw = Screw { speed };
            let velocities: Vec<Vec3> = x.read()?.into_iter().map(|x| screw.at(x, time as f32)).collect();
            x.device().upload(&velocities)
        });
        for _ in 0..10 {
            one.step(0.1, &mut Screw { speed }).expect("a step");
            other.step(0.1, &mut computed).expect("a step");
        }
        let [one, other] = [&mut one, &mut other].map(centre);
        assert!(one.distance(other) < 1e-4, "{one} {other}");
    }
    // too few velocities, and none
    let mut tracker =
        Tracker::new(&Device::cpu(), &scene.mesh, &TrackOptions::default()).expect("a manifold");
    let before = centre(&mut tracker);
    let few = tracker.step(0.1, &mut Computed(|x: Buffer<Vec3>, _| x.device().zeros(3)));
    assert!(matches!(few, Err(TrackError::Library(Error::Length { .. }))), "{few:?}");
    let none = tracker.step(0.1, &mut Computed(|_, _| Err(Error::Stopped)));
    assert!(matches!(none, Err(TrackError::Library(Error::Stopped))), "{none:?}");
    assert_eq!(centre(&mut tracker), before);
}

#[test]
fn a_bad_one_is_refused() {
    let scene = Scene::new(SceneKind::Rotation, Some(4), 0).expect("a size");
    let mut tracker =
        Tracker::new(&Device::cpu(), &scene.mesh, &TrackOptions::default()).expect("a manifold");
    let before = tracker.download().expect("memory");
    let error = tracker.step(0.01, &mut Screw { speed: f32::NAN }).expect_err("not a number");
    assert!(matches!(error, TrackError::NotFinite { vertex: 0, .. }), "{error}");
    assert!(tracker.download().expect("memory").positions == before.positions);
}
