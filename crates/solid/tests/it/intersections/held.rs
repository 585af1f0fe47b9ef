//! Tests of moves that are held back.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::intersections::{HeldBack, SearchAgain, Triangles, hold_back, self_intersections};
use ribbonmesh_suite::{
    forms::{joined, moved, sheet},
    suite,
};

/// Moves the vertices of a shape; what was held back, the positions in the end, and the pairs of faces that
/// intersect then.
fn held(
    device: &Device,
    shape: &TriangleMesh,
    way: impl Fn(usize, Vec3) -> Vec3,
) -> (HeldBack, Vec<Vec3>, usize) {
    let x = shape.points();
    let to: Vec<Vec3> = x.iter().enumerate().map(|(i, &p)| p + way(i, p)).collect();
    let faces = device.upload(shape.faces.as_flattened()).expect("memory");
    let (from, mut to) = (device.upload(&x).expect("memory"), device.upload(&to).expect("memory"));
    let found =
        hold_back(&mut SearchAgain::default(), Triangles { positions: &from, faces: &faces }, &mut to)
            .expect("finite");
    let pairs = self_intersections(Triangles { positions: &to, faces: &faces }).expect("finite").pairs.len();
    (found, to.read().expect("memory"), pairs)
}

suite! {
    fn a_move_that_meets_nothing_is_made(device) {
        let shape = shapes::icosphere(3).expect("small");
        let (found, to, _) = held(device, &shape, |_, p| 0.01 * p);
        assert_eq!(found, HeldBack::default());
        assert!(shape.points().iter().zip(&to).all(|(&p, &q)| q == p + 0.01 * p));
        // farther than faces are large
        let (found, to, _) = held(device, &shape, |_, p| p);
        assert!(found.suspects > 0 && found.vertices == 0);
        assert!(shape.points().iter().zip(&to).all(|(&p, &q)| q == p + p));
    }
    fn a_sphere_grows_up_to_the_next_one(device) {
        let sphere = shapes::icosphere(3).expect("small");
        let shape = joined(&[sphere.clone(), moved(sphere.clone(), 0.9, [0.0; 3])]);
        let inner = sphere.positions.len();
        let grown = |i: usize, p: Vec3| if i < inner { Vec3::ZERO } else { 0.3 * p * (1.0 + p.x) };
        let (found, to, pairs) = held(device, &shape, grown);
        assert!(found.vertices > 0 && found.rounds > 0);
        assert_eq!(pairs, 0);
        assert!(to[..inner] == shape.points()[..inner] && to[inner..] != shape.points()[inner..]);
    }
    fn a_sheet_does_not_pass_through_another(device) {
        let shape = joined(&[sheet(6, |x, y| [x, y, 0.0]), sheet(6, |x, y| [x, y, 1.0])]);
        let half = shape.positions.len() / 2;
        let up = |i: usize, _| if i < half { Vec3::new(0.0, 0.0, 3.0) } else { Vec3::ZERO };
        let (found, to, pairs) = held(device, &shape, up);
        assert_eq!((found.vertices, pairs), (half as u64, 0));
        assert!(to[..half].iter().all(|p| p.z < 1.0));
    }
    fn refusals(device) {
        let shape = shapes::icosphere(1).expect("small");
        let faces = device.upload(shape.faces.as_flattened()).expect("memory");
        let from = device.upload(&shape.points()).expect("memory");
        let triangles = Triangles { positions: &from, faces: &faces };
        let mut search = SearchAgain::default();
        let mut few = device.upload(&[Vec3::ZERO]).expect("memory");
        let short = hold_back(&mut search, triangles, &mut few);
        assert!(matches!(short, Err(Error::Length { expected: 42, found: 1, .. })));
        let mut points = shape.points();
        points[7].y = f32::NAN;
        let mut to = device.upload(&points).expect("memory");
        assert!(matches!(hold_back(&mut search, triangles, &mut to), Err(Error::NotFinite { vertex: 7 })));
    }
}
