//! Tests of changed motions: nothing collides, and no faces intersect.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_mesh::shapes;
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::{Random, size, suite};
use ribbonmesh_track::collide::{
    CollideError, CollideOptions, CollideReport, Moved, colliding_faces, collisions, keep_apart,
};

/// A number from -1 to 1.
fn number(random: &mut Random) -> f32 {
    (f64::from(random.next()) / f64::from(1_u32 << 30) - 1.0) as f32
}
fn vector(random: &mut Random) -> Vec3 {
    Vec3::new(number(random), number(random), number(random))
}
/// Triangles that do not intersect, around the points of a grid.
fn soup(side: u32, random: &mut Random) -> (Vec<Vec3>, Vec<u32>) {
    let mut x = vec![];
    for i in 0..side.pow(3) {
        let place = Vec3::new((i % side) as f32, (i / side % side) as f32, (i / side / side) as f32);
        x.extend((0..3).map(|_| place + 0.45 * vector(random)));
    }
    let faces = (0..x.len() as u32).collect();
    (x, faces)
}
fn pairs(positions: &Buffer<Vec3>, faces: &Buffer<u32>) -> usize {
    self_intersections(Triangles { positions, faces }).expect("memory").pairs.len()
}
/// Changes a motion, and checks the guarantees.
fn apart(
    device: &Device,
    (before, after): (&[Vec3], &[Vec3]),
    faces: &[u32],
    options: &CollideOptions,
) -> (CollideReport, Vec<Vec3>) {
    let [before, given] = [before, after].map(|x| device.upload(x).expect("memory"));
    let (mut after, faces) = (given.try_clone().expect("memory"), device.upload(faces).expect("memory"));
    assert_eq!(pairs(&before, &faces), 0);
    let report = keep_apart(&before, &mut after, &faces, options).expect("apart");
    let left = collisions(Moved { before: &before, after: &after, faces: &faces }).expect("memory");
    assert!(left.is_empty(), "{report:?}: {:?}", left[0]);
    assert_eq!(pairs(&after, &faces), 0);
    // a second run gives the same
    let mut again = given;
    let second = keep_apart(&before, &mut again, &faces, options).expect("apart");
    let after = after.read().expect("memory");
    assert_eq!((second, again.read().expect("memory")), (report, after.clone()));
    (report, after)
}

suite! {
    fn soups_at_random(device) {
        let mut random = Random(1);
        let (mut all, mut impulses) = (0, 0);
        for speed in [0.1, 1.0, 10.0] {
            for _ in 0..size(4, 1) {
                let (before, faces) = soup(5, &mut random);
                let after: Vec<Vec3> = before.iter().map(|x| x + speed * vector(&mut random)).collect();
                let (report, _) = apart(device, (&before, &after), &faces, &CollideOptions::default());
                (all, impulses) = (all + report.collisions, impulses + report.impulses);
            }
        }
        assert!(all > 1000 && impulses > 100, "{all} {impulses}");
    }
    fn each_stage_alone(device) {
        let mut random = Random(2);
        let (before, faces) = soup(4, &mut random);
        let after: Vec<Vec3> = before.iter().map(|x| x + vector(&mut random)).collect();
        for (impulses, zones) in [(0, 0), (20, 0), (0, 20)] {
            let options = CollideOptions { impulses, zones, ..CollideOptions::default() };
            let (report, _) = apart(device, (&before, &after), &faces, &options);
            assert_eq!(report.impulses > 0, impulses > 0);
            assert_eq!(report.zones > 0, zones > 0);
            assert!(zones > 0 || impulses > 0 || report.stopped > 0);
        }
    }
    fn what_does_not_collide_stays_as_it_is(device) {
        let sphere = shapes::icosphere(3).expect("small");
        let before = sphere.points();
        // a turn, a motion, a stretch
        let after: Vec<Vec3> = before.iter().map(|p| Vec3::new(p.y, -p.x, 2.0 * p.z) * 0.8 + 3.0).collect();
        let stretched: Vec<Vec3> = before.iter().map(|p| Vec3::new(1.5 * p.x, p.y, p.z + 0.3 * p.x)).collect();
        let faces = sphere.faces.as_flattened();
        let turned = before.iter().map(|p| Vec3::new(p.x - 0.2 * p.y, p.y + 0.2 * p.x, p.z)).collect();
        for given in [stretched, turned, before.clone()] {
            let (report, found) = apart(device, (&before, &given), faces, &CollideOptions::default());
            assert_eq!((report, found), (CollideReport { rounds: 1, parts: 1, ..CollideReport::default() }, given));
        }
        // a quarter of a turn along straight lines makes it thin, but it does not pass through itself
        apart(device, (&before, &after), faces, &CollideOptions::default());
    }
    fn a_heap_on_a_floor(device) {
        // two triangles one above the other, and a floor that does not move
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let lifted = |z: f32| triangle.map(|p| p + Vec3::new(0.1, 0.1, z));
        let floor = triangle.map(|p| 9.0 * (p - Vec3::new(0.3, 0.3, 0.0)));
        let before = [floor, lifted(0.5), lifted(1.0)].concat();
        let mut after = before.clone();
        after[3..].iter_mut().for_each(|p| p.z -= 5.0);
        let faces: Vec<u32> = (0..9).collect();
        let options = CollideOptions { separation: 0.01, ..CollideOptions::default() };
        let (report, found) = apart(device, (&before, &after), &faces, &options);
        assert!(report.collisions > 0 && report.stopped == 0, "{report:?}");
        let lowest = found[3..6].iter().map(|p| p.z).fold(f32::MAX, f32::min);
        assert!(lowest < 0.5, "{report:?} {found:?}");
    }
    fn all_to_one_point(device) {
        let sphere = shapes::icosphere(size(2, 1)).expect("small");
        let before = sphere.points();
        let after = vec![Vec3::ZERO; before.len()];
        let (report, _) = apart(device, (&before, &after), sphere.faces.as_flattened(), &CollideOptions::default());
        assert!(report.collisions > 0);
        // inside out
        let after: Vec<Vec3> = before.iter().map(|p| -*p).collect();
        apart(device, (&before, &after), sphere.faces.as_flattened(), &CollideOptions::default());
    }
    fn sheets_pressed_together(device) {
        // grids at a distance of a millionth that go through each other
        let (n, mut before, mut faces) = (7_u32, vec![], vec![]);
        for sheet in 0..4_u32 {
            let at = |i: u32, j: u32| sheet * n * n + i * n + j;
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                before.push(Vec3::new(i as f32, j as f32 + 0.3 * (sheet % 2) as f32, 1e-6 * sheet as f32));
                if i + 1 < n && j + 1 < n {
                    faces.extend([at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
        let mut after = before.clone();
        for (i, p) in after.iter_mut().enumerate() {
            p.z += if i as u32 / (n * n) < 2 { 0.5 } else { -0.5 };
        }
        let (report, _) = apart(device, (&before, &after), &faces, &CollideOptions::default());
        assert!(report.collisions > 0);
    }
    fn errors_name_what_is_wrong(device) {
        let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let up = |x: &[Vec3]| device.upload(x).expect("memory");
        let faces = device.upload(&[0, 1, 2]).expect("memory");
        let default = CollideOptions::default();
        let keep = |before: &[Vec3], after: &[Vec3], faces: &Buffer<u32>, options: &CollideOptions| {
            let mut to = up(after);
            let outcome = keep_apart(&up(before), &mut to, faces, options);
            (outcome.expect_err("wrong"), to.read().expect("memory"))
        };
        for bad in [f32::NAN, f32::INFINITY] {
            let mut after = triangle;
            after[1].y = bad;
            let (error, _) = keep(&triangle, &after, &faces, &default);
            assert!(matches!(error, CollideError::Library(Error::NotFinite { vertex: 1 })), "{error}");
            let (error, _) = keep(&after, &triangle, &faces, &default);
            assert!(matches!(error, CollideError::Library(Error::NotFinite { vertex: 1 })), "{error}");
        }
        let (error, _) = keep(&triangle, &triangle[..2], &faces, &default);
        assert!(matches!(error, CollideError::Library(Error::Length { expected: 3, found: 2, .. })), "{error}");
        let wrong = device.upload(&[0, 1, 2, 0, 3, 1]).expect("memory");
        let (error, _) = keep(&triangle, &triangle, &wrong, &default);
        assert!(
            matches!(error, CollideError::Library(Error::IndexOutOfRange { face: 1, vertex: 3, vertices: 3 })),
            "{error}"
        );
        for separation in [-1.0, f32::NAN] {
            let (error, _) = keep(&triangle, &triangle, &faces, &CollideOptions { separation, ..default.clone() });
            assert!(matches!(error, CollideError::Library(Error::Option { option: "separation", .. })), "{error}");
        }
        // two that pass through each other before they move
        let crossing = [triangle, [Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0), Vec3::new(0.3, 9.0, 0.0)]].concat();
        // if all move, no new contact occurs; if the first moves upwards, it meets a corner of the second
        let along: Vec<Vec3> = crossing.iter().map(|p| p + Vec3::X).collect();
        let mut moved = crossing.clone();
        moved[..3].iter_mut().for_each(|p| p.z += 2.0);
        let both = device.upload(&[0, 1, 2, 3, 4, 5]).expect("memory");
        let (error, _) = keep(&crossing, &moved, &both, &default);
        assert!(matches!(error, CollideError::Intersects { faces: [0, 1], pairs: 1 }), "{error}");
        let report = keep_apart(&up(&crossing), &mut up(&along), &both, &default).expect("no collision");
        assert_eq!(report.collisions, 0);
        for part in [0.0, -1.0, f32::NAN] {
            let (error, _) = keep(&triangle, &triangle, &faces, &CollideOptions { part, ..default.clone() });
            assert!(matches!(error, CollideError::Library(Error::Option { option: "part", .. })), "{error}");
        }
    }
    fn nothing_to_move(device) {
        let (x, faces) = (device.zeros::<Vec3>(0).expect("memory"), device.zeros::<u32>(0).expect("memory"));
        assert_eq!(colliding_faces(Moved { before: &x, after: &x, faces: &faces }).expect("nothing"), [[0; 2]; 0]);
    }
}
