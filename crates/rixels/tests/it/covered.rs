//! Each pixel of a surface belongs to one face.
use crate::support::{Random, Shape, looking};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::shapes::icosphere;
use ribbonmesh_rixels::{Painter, Picture, Values, View};
use ribbonmesh_suite::suite;

suite! {
    /// Faces that fill the picture, drawn one by one, cover each pixel once. Corners are on middles of pixels,
    /// on sides of others, and anywhere.
    fn once(device) {
        let n = 8;
        let mut random = Random(3);
        let mut painter = Painter::new(device);
        for shake in [0.0, 0.25, 0.1] {
            let mut points = vec![];
            for y in 0..=n {
                for x in 0..=n {
                    let inner = (1..n).contains(&x) && (1..n).contains(&y);
                    let moved = if inner { shake * random.point() } else { Vec3::ZERO };
                    points.push(Vec3::new(x as f32, y as f32, 0.0) + Vec3::new(moved.x, moved.y, 0.0));
                }
            }
            let at = |x: u32, y: u32| y * (n as u32 + 1) + x;
            let cells = (0..n as u32).flat_map(|y| (0..n as u32).map(move |x| (x, y)));
            let faces: Vec<_> = cells
                .flat_map(|(x, y)| {
                    let (a, b, c, d) = (at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
                    // both diagonals, and both directions around
                    if (x + y) % 2 == 0 { [[a, b, c], [a, d, c]] } else { [[a, b, d], [b, c, d]] }
                })
                .collect();
            let middle = Vec3::new(n as f32 / 2.0, n as f32 / 2.0, 0.0);
            let points: Vec<_> = points.into_iter().map(|p| p - middle).collect();
            // the border is beyond the picture, or on its edge
            for (size, wide) in [(14, 7.0), (28, 7.0), (32, 8.0), (160, 7.0)] {
                let projection = View::parallel(wide, wide, 0.5, 2.0);
                let view = looking(DVec3::Z, DVec3::Y, projection, [size, size]);
                let mut covered = vec![0; (size * size) as usize];
                for face in &faces {
                    let shape = Shape::new(device, points.clone(), vec![*face]);
                    let picture = painter.paint(&shape.scene(Values::Plain), &view).expect("a picture");
                    let of = picture.faces.iter().map(|face| u32::from(*face != Picture::NOTHING));
                    covered.iter_mut().zip(of).for_each(|(sum, one)| *sum += one);
                }
                assert!(covered.iter().all(|times| *times == 1), "{shake} {size}: {covered:?}");
            }
        }
    }
    /// A closed surface around the eye, which is clipped at the near plane everywhere: no pixel is empty.
    fn no_holes(device) {
        let shape = Shape::of(device, &icosphere(3).expect("a sphere"));
        let mut painter = Painter::new(device);
        for (eye, near) in [(0.3, 0.01), (0.9, 1e-4), (0.995, 1e-6)] {
            let projection = View::perspective(2.0, 1.0, near, 10.0);
            let eye = eye * DVec3::new(0.3, 0.5, 0.8).normalize();
            let view = looking(eye, DVec3::Y, projection, [200, 200]);
            // turned around, so that the near wall is seen, too
            let turn = ribbonmesh::glam::DMat4::from_rotation_y(std::f64::consts::PI);
            for view in [view, View::new(200, 200, turn * view.view(), projection).expect("a view")] {
                let picture = painter.paint(&shape.scene(Values::Plain), &view).expect("a picture");
                assert!(!picture.faces.contains(&Picture::NOTHING), "{eye} {near}");
            }
        }
    }
}
