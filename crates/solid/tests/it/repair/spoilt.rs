//! Repair of very bad meshes on devices gives what sequential repair on the host gives.
use crate::repair::oracle::Face;
use crate::repair::same::{options, places, same};
use glam::DVec3;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{Random, suite};

/// Turns each face with a probability of 1 in `one_in`.
fn turn(faces: &mut [Face], one_in: u32, random: &mut Random) {
    faces.iter_mut().filter(|_| random.below(one_in) == 0).for_each(|face| face.swap(1, 2));
}
/// Moves faces around.
fn shuffle(faces: &mut [Face], random: &mut Random) {
    (1..faces.len()).rev().for_each(|i| faces.swap(i, random.below(i as u32 + 1) as usize));
}
/// Many parts side by side.
fn side_by_side(parts: &[TriangleMesh]) -> TriangleMesh {
    let mut all = TriangleMesh::default();
    for (i, part) in parts.iter().enumerate() {
        let mut part = part.clone();
        part.positions.iter_mut().for_each(|p| *p += DVec3::X * 5.0 * i as f64);
        all.append(&part).expect("no columns");
    }
    all
}
/// Faces around the edge between the vertices 0 and 1, with a vertex of its own each.
fn book(pages: u32, random: &mut Random) -> (Vec<DVec3>, Vec<Face>) {
    let mut positions = vec![DVec3::ZERO, DVec3::Z];
    let mut faces = vec![];
    for page in 0..pages {
        let angle = f64::from(random.below(1000)) * 0.00628;
        positions.push(DVec3::new(angle.cos(), angle.sin(), 0.5));
        faces.push(if random.below(2) == 0 { [0, 1, page + 2] } else { [1, 0, page + 2] });
    }
    (positions, faces)
}

suite! {
    fn faces_several_times(device) {
        let mut random = Random(31);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(200)) {
            let shape = match i % 4 {
                0 => shapes::grid(5, 1),
                1 => shapes::torus(6, 1),
                2 => shapes::mobius(9, 2),
                _ => shapes::icosphere(1),
            };
            let TriangleMesh { positions, mut faces, .. } = shape.expect("small");
            // a part of the shape, of which each face is there up to four more times, in any orientation
            let (n, few) = (faces.len() as u32, 1 + random.below(40));
            let first = random.below(n);
            for k in 0..few {
                let f = faces[((first + k) % n) as usize];
                for _ in 0..random.below(5) {
                    let k = random.below(3) as usize;
                    let [a, b, c] = [f[k], f[(k + 1) % 3], f[(k + 2) % 3]];
                    faces.push(if random.below(2) == 0 { [a, b, c] } else { [a, c, b] });
                }
            }
            shuffle(&mut faces, &mut random);
            same(device, "several times", &positions, &faces, &options);
        }
    }
    fn sheets_with_both_sides(device) {
        let mut random = Random(32);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(60)) {
            let shape = if i % 2 == 0 { shapes::grid(6, 1) } else { shapes::icosphere(2) };
            let TriangleMesh { positions, mut faces, .. } = shape.expect("small");
            let first = if i % 3 == 0 { 0 } else { random.below(faces.len() as u32) as usize };
            // a fold where others meet it, else a sheet
            let backs: Vec<Face> = faces[first..].iter().map(|&[a, b, c]| [a, c, b]).collect();
            faces.extend(backs);
            if i % 5 == 0 {
                turn(&mut faces, 4, &mut random);
            }
            shuffle(&mut faces, &mut random);
            same(device, "both sides", &positions, &faces, &options);
        }
    }
    fn books(device) {
        let mut random = Random(33);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(120)) {
            let (positions, mut faces) = book(3 + i % 6, &mut random);
            for _ in 0..random.below(4) {
                let [a, b, c] = faces[random.below(faces.len() as u32) as usize];
                faces.push(if random.below(2) == 0 { [b, c, a] } else { [c, b, a] });
            }
            same(device, "book", &positions, &faces, &options);
        }
        // edges of many faces, all of them doubled
        let (positions, mut faces) = book(400, &mut random);
        faces.extend_from_within(..);
        same(device, "large book", &positions, &faces, &options()[2]);
    }
    fn strips_that_cannot_be_oriented(device) {
        let mut random = Random(34);
        for (i, options) in (0..).zip(options().into_iter().cycle().take(40)) {
            let part = |random: &mut Random| {
                let n = 5 + random.below(20);
                match random.below(4) {
                    0 => shapes::torus(3 + n / 4, 1),
                    1 => shapes::grid(2 + n / 5, 1),
                    _ => shapes::mobius(n, 2 + random.below(3)),
                }
            };
            let parts: Vec<_> = (0..12).map(|_| part(&mut random).expect("small")).collect();
            let TriangleMesh { positions, mut faces, .. } = side_by_side(&parts);
            turn(&mut faces, [2, 3, 9, 40][i % 4], &mut random);
            if i % 2 == 0 {
                shuffle(&mut faces, &mut random);
            }
            same(device, "strips", &positions, &faces, &options);
        }
    }
    fn many_patches(device) {
        let mut random = Random(35);
        for (i, options) in (0..).zip(options()) {
            let parts: Vec<_> = (0..3).map(|_| shapes::icosphere(3).expect("small")).collect();
            let TriangleMesh { positions, mut faces, .. } = side_by_side(&parts);
            let n = faces.len() / 3;
            turn(&mut faces[..n], 2, &mut random);
            // half of the faces: the orientation of the first one stays
            faces[n..2 * n].iter_mut().step_by(2).for_each(|face| face.swap(0, 1));
            turn(&mut faces[2 * n..], 10, &mut random);
            if i % 2 == 0 {
                shuffle(&mut faces, &mut random);
            }
            same(device, "patches", &positions, &faces, &options);
        }
    }
    fn large_spheres(device) {
        let mut random = Random(36);
        for (i, options) in [(0, options()[3]), (1, options()[10]), (2, options()[17])] {
            let TriangleMesh { mut positions, mut faces, .. } = shapes::icosphere(5).expect("small");
            faces.retain(|face| face.iter().all(|v| v % 500 != 0));
            faces.iter_mut().step_by(7).for_each(|face| face.swap(0, 2));
            let doubled: Vec<Face> = faces.iter().copied().step_by(11).collect();
            faces.extend(doubled);
            if i > 0 {
                for _ in 0..200 * i {
                    let (f, g) = (random.below(20_000) as usize, random.below(20_000) as usize);
                    faces[f][0] = faces[g][1];
                }
                shuffle(&mut faces, &mut random);
            }
            if i == 2 {
                let others = places(positions.len(), 12, &mut random);
                positions.iter_mut().zip(others).step_by(50).for_each(|(p, other)| *p = other);
            }
            same(device, "large sphere", &positions, &faces, &options);
        }
    }
}
