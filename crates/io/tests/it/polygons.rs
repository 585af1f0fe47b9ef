//! Polygons become triangles that cover them.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::time::Instant;

use glam::{DMat3, DQuat, DVec2, DVec3};
use proptest::prelude::*;
use ribbonmesh_io::{Format, Loaded};

use crate::common::accept;

/// Numbers from 0 to 1 without a pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A plane: two axes and an origin.
#[derive(Clone, Copy)]
struct Plane(DMat3, DVec3);

impl Plane {
    const FLAT: Self = Self(DMat3::IDENTITY, DVec3::ZERO);

    fn random(random: &mut Random, far: f64) -> Self {
        let mut three = || DVec3::new(random.next(), random.next(), random.next()) * 2.0 - 1.0;
        Self(DMat3::from_quat(DQuat::from_scaled_axis(4.0 * three())), far * three())
    }
    fn place(&self, point: DVec2) -> DVec3 {
        self.0 * point.extend(0.0) + self.1
    }
}

/// The polygon as a file of each format that has polygons.
fn files(corners: &[DVec3]) -> [(Format, String); 3] {
    let n = corners.len();
    let lines =
        |start: &str| corners.iter().map(|p| format!("{start}{} {} {}\n", p.x, p.y, p.z)).collect::<String>();
    let numbers = |first: usize| (first..first + n).map(|i| format!(" {i}")).collect::<String>();
    let ply = format!(
        "ply\nformat ascii 1.0\nelement vertex {n}\nproperty double x\nproperty double y\nproperty double z\n\
         element face 1\nproperty list uint uint vertex_indices\nend_header\n{}{n}{}\n",
        lines(""),
        numbers(0)
    );
    [
        (Format::Obj, format!("{}f{}\n", lines("v "), numbers(1))),
        (Format::Off, format!("OFF\n{n} 1 0\n{}{n}{}\n", lines(""), numbers(0))),
        (Format::Ply, ply),
    ]
}

/// The triangles that the formats make of a polygon: discs of two triangles less than corners.
fn read(corners: &[DVec3]) -> Vec<[u32; 3]> {
    let all = files(corners).map(|(format, text)| accept(format, text).mesh.faces);
    for faces in &all {
        assert_eq!(faces.len(), corners.len() - 2);
        assert!(is_disc(faces, corners.len()), "{faces:?}");
    }
    let [first, ..] = all;
    first
}

/// Twice the area of a polygon along its normal.
fn newell(corners: &[DVec3]) -> DVec3 {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    sides.map(|(a, b)| (*a - corners[0]).cross(*b - corners[0])).sum()
}

/// Whether every side of the polygon is one of a triangle, and every other side of triangles one of two that
/// run against each other.
fn is_disc(triangles: &[[u32; 3]], n: usize) -> bool {
    let mut sides: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for face in triangles {
        for i in 0..3 {
            *sides.entry([face[i], face[(i + 1) % 3]]).or_default() += 1;
        }
    }
    let outer = |[a, b]: [u32; 2]| b == (a + 1) % n as u32;
    let all = (0..n as u32).all(|a| sides.contains_key(&[a, (a + 1) % n as u32]));
    all && sides.iter().all(|(&[a, b], &count)| count == 1 && (outer([a, b]) != sides.contains_key(&[b, a])))
}

/// Whether triangles cover a simple polygon: none is turned over or without area, and together they have its
/// area.
fn covers(triangles: &[[u32; 3]], corners: &[DVec3]) -> Result<(), String> {
    let whole = newell(corners);
    let normal = whole.normalize();
    let doubled = |face: &[u32; 3]| newell(&face.map(|corner| corners[corner as usize])).dot(normal);
    if !is_disc(triangles, corners.len()) {
        return Err(format!("no disc: {triangles:?}"));
    }
    if let Some(face) = triangles.iter().find(|face| doubled(face).is_nan() || doubled(face) <= 0.0) {
        return Err(format!("{face:?} has the area {}", doubled(face)));
    }
    let sum: f64 = triangles.iter().map(doubled).sum();
    let slack = 1e-12 * corners.iter().map(|p| p.length()).fold(1.0, f64::max) * corners.len() as f64;
    if (sum - whole.length()).abs() > slack * whole.length().max(1.0) {
        return Err(format!("area {sum} of {}", whole.length()));
    }
    Ok(())
}

fn star(random: &mut Random, n: usize, plane: Plane) -> Vec<DVec3> {
    let corner = |i: usize| {
        let turn = DVec2::from_angle(TAU * i as f64 / n as f64);
        plane.place((0.1 + 0.9 * random.next()) * turn)
    };
    (0..n).map(corner).collect()
}

#[test]
fn stars_in_all_planes() {
    let mut random = Random(7);
    for far in [0.0, 1.0, 1e7] {
        for i in 0..200 {
            let plane = Plane::random(&mut random, far);
            let corners = star(&mut random, 5 + i % 40, plane);
            covers(&read(&corners), &corners)
                .unwrap_or_else(|wrong| panic!("{i}, {far}: {wrong}: {corners:?}"));
        }
    }
}

#[test]
fn collinear_runs_give_no_empty_triangles() {
    let mut random = Random(3);
    // an L, a comb, and a square, with points on their sides, from every corner on
    let l = [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]];
    let comb =
        [[0, 0], [7, 0], [7, 3], [6, 3], [6, 1], [5, 1], [5, 3], [3, 3], [3, 1], [1, 1], [1, 4], [0, 4]];
    let square = [[0, 0], [3, 0], [3, 3], [0, 3]];
    for outline in [&l[..], &comb[..], &square[..]] {
        let at = |i: usize| DVec2::from(outline[i % outline.len()].map(f64::from));
        for far in [0.0, 1e7] {
            let plane = if far == 0.0 { Plane::FLAT } else { Plane::random(&mut random, far) };
            let dense: Vec<DVec3> = (0..outline.len())
                .flat_map(|i| (0..5).map(move |k| at(i).lerp(at(i + 1), f64::from(k) / 5.0)))
                .map(|point| plane.place(point))
                .collect();
            for first in 0..dense.len() {
                let mut corners = dense.clone();
                corners.rotate_left(first);
                covers(&read(&corners), &corners).unwrap_or_else(|wrong| panic!("{first}, {far}: {wrong}"));
            }
        }
    }
}

/// A band around a spiral, out and back.
fn spiral(n: usize, turns: f64, plane: Plane) -> Vec<DVec3> {
    let arm = |i: usize, shift: f64| {
        let share = (i as f64 + 1.0) / (n / 2) as f64;
        plane.place((share * turns + 1.0 + shift) * DVec2::from_angle(TAU * turns * share))
    };
    let out = (0..n / 2).map(|i| arm(i, 0.3));
    out.chain((0..n / 2).rev().map(|i| arm(i, -0.3))).collect()
}

#[test]
fn spirals() {
    let mut random = Random(11);
    for (n, turns) in [(12, 1.0), (60, 3.0), (400, 8.0), (1000, 4.0)] {
        let plane = Plane::random(&mut random, 5.0);
        let corners = spiral(n, turns, plane);
        covers(&read(&corners), &corners).unwrap_or_else(|wrong| panic!("{n}: {wrong}"));
    }
}

#[test]
fn many_corners_end_soon() {
    let mut random = Random(5);
    let n = 100_000;
    let zigzag = |i: usize| {
        let x = if i < n / 2 { i } else { n - i };
        DVec3::new(x as f64, (if i < n / 2 { 0.0 } else { 1e5 }) + 4e4 * random.next(), 0.0)
    };
    let zigzag: Vec<DVec3> = (0..n).map(zigzag).collect();
    let knot: Vec<DVec3> = (0..n).map(|_| DVec3::new(random.next(), random.next(), 0.0)).collect();
    let one_line: Vec<DVec3> = (0..n).map(|i| DVec3::splat(i as f64)).collect();
    // teeth of all lengths, whose ears are as long as the comb
    let comb = |i: usize| {
        DVec3::new((i / 2) as f64, if i.is_multiple_of(2) { 0.0 } else { 1e5 * random.next() }, 0.0)
    };
    let comb: Vec<DVec3> = (0..n - 1).map(comb).chain([DVec3::new(n as f64, -1.0, 0.0)]).rev().collect();
    let round: Vec<DVec3> =
        (0..n).map(|i| DVec2::from_angle(TAU * i as f64 / n as f64).extend(0.0)).collect();
    let all = [
        ("star", star(&mut random, n, Plane::FLAT), true),
        ("spiral", spiral(n, 50.0, Plane::FLAT), true),
        ("tight spiral", spiral(n, 5000.0, Plane::FLAT), true),
        ("zigzag", zigzag, true),
        ("comb", comb, true),
        ("convex", round, true),
        ("knot", knot, false),
        ("one line", one_line, false),
    ];
    for (name, corners, simple) in all {
        let start = Instant::now();
        let [_, (format, text), _] = files(&corners);
        let faces = accept(format, text).mesh.faces;
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {seconds:.2} s");
        assert_eq!(faces.len(), n - 2, "{name}");
        assert!(seconds < 60.0, "{name}: {seconds} s");
        if simple {
            covers(&faces, &corners).unwrap_or_else(|wrong| panic!("{name}: {:.200}", wrong));
        }
    }
}

#[test]
fn polygons_with_holes() {
    // to the hole and back along the same line, from every corner on
    let outline = [[0, 0], [6, 0], [6, 6], [0, 6], [0, 0], [2, 2], [2, 4], [4, 4], [4, 2], [2, 2]];
    for first in 0..outline.len() {
        let mut corners = outline.map(|[x, y]| DVec3::new(f64::from(x), f64::from(y), 0.0));
        corners.rotate_left(first);
        let faces = read(&corners);
        covers(&faces, &corners).unwrap_or_else(|wrong| panic!("{first}: {wrong}"));
        // 36 less 4, and nothing inside of the hole
        let middle = |face: &[u32; 3]| face.map(|v| corners[v as usize]).iter().sum::<DVec3>() / 3.0;
        assert!(faces.iter().map(middle).all(|p| !(p.x > 2.0 && p.x < 4.0 && p.y > 2.0 && p.y < 4.0)));
    }
}

#[test]
fn convex_polygons_stay_fans() {
    let mut random = Random(2);
    for n in 4..30 {
        let plane = Plane::random(&mut random, 1.0);
        let corner = |i: usize| plane.place(DVec2::from_angle(TAU * i as f64 / n as f64));
        let corners: Vec<DVec3> = (0..n).map(corner).collect();
        let fan: Vec<[u32; 3]> = (1..n as u32 - 1).map(|i| [0, i, i + 1]).collect();
        assert_eq!(read(&corners), fan);
    }
    // a quad that is not flat
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.4], [1.0, 1.0, 0.0], [0.0, 1.0, 0.4]].map(DVec3::from);
    assert_eq!(read(&corners), [[0, 1, 2], [0, 2, 3]]);
    // an arrow head, from each corner on
    let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [0.5, 1.0]].map(|p| DVec2::from(p).extend(0.0));
    for first in 0..4 {
        let mut corners = arrow;
        corners.rotate_left(first);
        covers(&read(&corners), &corners).unwrap_or_else(|wrong| panic!("{first}: {wrong}"));
    }
}

/// The values of corners follow their corners.
#[test]
fn values_of_corners_follow() {
    let mut random = Random(13);
    for n in [4, 5, 9, 30] {
        let two: Vec<Vec<DVec3>> = (0..2)
            .map(|_| {
                let plane = Plane::random(&mut random, 1.0);
                star(&mut random, n, plane)
            })
            .collect();
        let mut obj = String::new();
        let mut ply = format!(
            "ply\nformat ascii 1.0\nelement vertex {n}\nproperty double x\nproperty double y\nproperty double z\n\
             element face 3\nproperty list uint uint vertex_indices\nproperty list uint float texcoord\n\
             property list uint uchar corner_mark\nproperty ushort label\nend_header\n"
        );
        for p in &two[0] {
            obj += &format!("v {} {} {}\n", p.x, p.y, p.z);
            ply += &format!("{} {} {}\n", p.x, p.y, p.z);
        }
        // three polygons of the same corners, with values of their own
        for polygon in 0..3 {
            let values = |i: usize| [i as f32, polygon as f32];
            (0..n).for_each(|i| obj += &format!("vt {} {}\n", values(i)[0], values(i)[1]));
            obj += "f";
            (1..=n).for_each(|i| obj += &format!(" {i}/{}", polygon * n + i));
            obj += "\n";
            let list = |each: &dyn Fn(usize) -> String| (0..n).map(each).collect::<String>();
            ply += &format!(
                "{n}{} {}{} {n}{} {polygon}\n",
                list(&|i| format!(" {i}")),
                2 * n,
                list(&|i| format!(" {i} {polygon}")),
                list(&|i| format!(" {i}"))
            );
        }
        for (format, text) in [(Format::Obj, obj), (Format::Ply, ply)] {
            let Loaded { mesh, notes, .. } = accept(format, text);
            assert_eq!((notes.polygons_triangulated, mesh.faces.len()), (3, 3 * (n - 2)));
            let values = mesh.corners().get::<[f32; 2]>("texcoord").unwrap();
            for (corner, (&v, value)) in mesh.faces.as_flattened().iter().zip(values).enumerate() {
                assert_eq!(*value, [v as f32, (corner / (3 * (n - 2))) as f32]);
            }
            if format == Format::Ply {
                let marks = mesh.corners().get::<u8>("mark").unwrap();
                assert!(mesh.faces.as_flattened().iter().zip(marks).all(|(&v, &mark)| v == u32::from(mark)));
                let names: Vec<&str> = mesh.corners().iter().map(|column| column.name()).collect();
                assert_eq!(names, ["texcoord", "mark"]);
                assert_eq!(mesh.faces_of().get::<u16>("label").unwrap()[n - 3..n - 1], [0, 1]);
            }
            covers(&mesh.faces[..n - 2], &two[0]).unwrap_or_else(|wrong| panic!("{n}: {wrong}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]
    /// Whatever the corners: as many triangles over the same corners, a disc of them.
    #[test]
    fn any_polygon_becomes_triangles(
        corners in prop::collection::vec(prop::array::uniform3(-3_i8..3), 3..40),
        flat: bool,
        scale in prop::sample::select(vec![1.0, 0.1, 1e-30, 1e37]),
    ) {
        let place = |[x, y, z]: [i8; 3]| scale * DVec3::from([x, y, if flat { x - y } else { z }].map(f64::from));
        let corners: Vec<DVec3> = corners.into_iter().map(place).collect();
        read(&corners);
    }
    /// Stars with corners of a grid: many in line, many at the same place from the middle.
    #[test]
    fn stars_of_a_grid(corners in prop::collection::btree_set([-6_i32..7, -6_i32..7], 5..40), far: bool) {
        let mut corners: Vec<[i32; 2]> = corners.into_iter().filter(|p| *p != [0, 0]).collect();
        // by angle around the middle; the nearer of two in line is left out
        let angle = |p: &[i32; 2]| f64::from(p[1]).atan2(f64::from(p[0]));
        corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)).then((b[0].abs() + b[1].abs()).cmp(&(a[0].abs() + a[1].abs()))));
        corners.dedup_by(|a, b| a[0] * b[1] == a[1] * b[0] && a[0] * b[0] + a[1] * b[1] > 0);
        let n = corners.len();
        let turns = |i: usize| {
            let [a, b] = [corners[i], corners[(i + 1) % n]];
            a[0] * b[1] - a[1] * b[0] > 0
        };
        prop_assume!(n > 3 && (0..n).all(turns));
        let plane = if far { Plane::random(&mut Random(n as u64), 1e6) } else { Plane::FLAT };
        let corners: Vec<DVec3> = corners.iter().map(|p| plane.place(DVec2::from(p.map(f64::from)))).collect();
        let covered = covers(&read(&corners), &corners);
        prop_assert!(covered.is_ok(), "{:?}", covered);
    }
}
