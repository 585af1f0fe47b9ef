//! Repeated searches beside those of new trees.
use ribbonmesh::device::NONE;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::intersections::{SearchAgain, Triangles, self_intersections};
use ribbonmesh_suite::suite;

/// Compares a search of faces, some of which are missing, with a search of those that are there.
fn compare(device: &Device, again: &mut SearchAgain, x: &[Vec3], faces: &[[u32; 3]]) {
    let positions = device.upload(x).expect("memory");
    let corners = device.upload(faces.as_flattened()).expect("memory");
    let mesh = Triangles { positions: &positions, faces: &corners };
    again.update(mesh).expect("finite");
    let living: Vec<u32> = (0..faces.len() as u32).filter(|&f| faces[f as usize][0] != NONE).collect();
    let compact: Vec<u32> = living.iter().flat_map(|&f| faces[f as usize]).collect();
    let compact = device.upload(&compact).expect("memory");
    let expected = self_intersections(Triangles { positions: &positions, faces: &compact }).expect("finite");
    let pairs = expected.pairs.read().expect("memory");
    let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|pair| pair.map(|f| living[f as usize])).collect();
    assert_eq!(again.all(mesh).expect("finite").pairs.read().expect("memory"), pairs);
    // the faces at every second place
    let places: Vec<u32> = (0..faces.len() as u32).step_by(2).collect();
    let met = again.meet_others(mesh, &device.upload(&places).expect("memory")).expect("finite");
    let (listed, found) = (met.faces.read().expect("memory"), met.intersects.read().expect("memory"));
    let intersects = |f: u32| pairs.iter().any(|pair| pair.contains(&f));
    let mut count = 0;
    for (&face, &found) in listed.iter().zip(&found) {
        assert_eq!(found != 0, intersects(face), "face {face}");
        count += found;
    }
    assert_eq!((met.count, listed.len()), (count, places.len()));
}

suite! {
    fn as_new_trees(device) {
        let mut shape: TriangleMesh = shapes::icosphere(3).expect("small");
        shapes::shuffle(&mut shape, 1);
        let (mut x, mut faces) = (shape.points(), shape.faces.clone());
        let mut again = SearchAgain::default();
        compare(device, &mut again, &x, &faces);
        for round in 0..4_u32 {
            for (i, p) in x.iter_mut().enumerate() {
                let turn = ((i as u32).wrapping_mul(2_654_435_761) >> 8).wrapping_add(round) as f32;
                *p += Vec3::new(turn.sin(), turn.cos(), (2.0 * turn).sin()) * 0.04;
            }
            for i in (round as usize..faces.len()).step_by(5) {
                faces[i] = if faces[i][0] == NONE { shape.faces[i] } else { [NONE; 3] };
            }
            compare(device, &mut again, &x, &faces);
        }
        // a tree of fewer faces is a new one
        compare(device, &mut again, &x, &faces[..500]);
    }
    fn more_open_pairs_than_there_is_room_for(device) {
        // triangles in one plane, each across most others: twenty times as many pairs as there is room for
        let turned = |v: u32| {
            let (s, c) = (0.07 * (v / 3) as f32 + 2.1 * (v % 3) as f32).sin_cos();
            Vec3::new(c, s, 0.0)
        };
        let x: Vec<Vec3> = (0..1200).map(turned).collect();
        let faces: Vec<[u32; 3]> = (0..400).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        compare(device, &mut SearchAgain::default(), &x, &faces);
    }
    fn refusals(device) {
        let shape = shapes::icosphere(1).expect("small");
        let faces = device.upload(shape.faces.as_flattened()).expect("memory");
        let mut x = shape.points();
        let positions = device.upload(&x).expect("memory");
        let mesh = Triangles { positions: &positions, faces: &faces };
        let places = device.upload(&[0, 80]).expect("memory");
        let mut again = SearchAgain::default();
        assert!(matches!(again.all(mesh), Err(Error::Invalid(_))));
        again.update(mesh).expect("finite");
        assert!(matches!(again.meet_others(mesh, &places), Err(Error::Invalid(_))));
        x[7].y = f32::NAN;
        let positions = device.upload(&x).expect("memory");
        let mesh = Triangles { positions: &positions, faces: &faces };
        again.update(mesh).expect("as many faces");
        assert!(matches!(again.all(mesh), Err(Error::NotFinite { vertex: 7 })));
    }
}
