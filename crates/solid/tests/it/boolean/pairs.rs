//! Random pairs of meshes of several families, and what holds for all of their combinations.
use glam::{DMat3, DVec3};
use ribbonmesh::Device;
use ribbonmesh_mesh::SplitMix64 as Random;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_solid::boolean::{BooleanOptions, BooleanReport, Operation, boolean};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::manifold_violations;
use std::error::Error;

pub const ALL: [Operation; 4] =
    [Operation::Union, Operation::Intersection, Operation::Difference, Operation::Xor];
/// Greatest deviation of identities of volumes, as a part of both volumes, or of the cube of the largest
/// coordinate: that by which mending may change thin results.
const TOLERANCE: [f64; 2] = [1e-4, 24.0 * f32::EPSILON as f64];

/// Two meshes from a random generator.
pub type Make = fn(&mut Random) -> [TriangleMesh; 2];

/// All families, by name.
pub const FAMILIES: [(&str, Make); 12] = [
    ("boxes", boxes),
    ("coplanar", coplanar),
    ("touching", touching),
    ("tetrahedra", tetrahedra),
    ("nested", nested),
    ("thin", thin),
    ("slabs", slabs),
    ("turned", turned),
    ("slightly_turned", slightly_turned),
    ("nearly_equal", nearly_equal),
    ("nearly_equal_fine", nearly_equal_fine),
    ("shifted", shifted),
];

/// A box of 12 n² faces.
pub fn block(low: [i32; 3], high: [i32; 3], n: i32) -> TriangleMesh {
    let (low, high) = (DVec3::from_array(low.map(f64::from)), DVec3::from_array(high.map(f64::from)));
    let mut mesh = TriangleMesh::from_f32(Vec::<[f32; 3]>::new(), vec![]);
    let mut numbers = std::collections::HashMap::new();
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, n] {
            for u in 0..n {
                for v in 0..n {
                    let corner = |u: i32, v: i32| {
                        let mut at = [0; 3];
                        (at[axis], at[i], at[j]) = (side, u, v);
                        at
                    };
                    let square = [corner(u, v), corner(u + 1, v), corner(u + 1, v + 1), corner(u, v + 1)];
                    let [a, b, c, d] = square.map(|at| {
                        *numbers.entry(at).or_insert_with(|| {
                            let part = DVec3::from_array(at.map(f64::from)) / f64::from(n);
                            mesh.positions.push((low + part * (high - low)).as_vec3().as_dvec3());
                            mesh.positions.len() as u32 - 1
                        })
                    });
                    let faces = if side == n { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                    mesh.faces.extend(faces);
                }
            }
        }
    }
    mesh
}

/// A mesh, of which each vertex goes elsewhere, in single precision.
pub fn mapped(mesh: &TriangleMesh, mut to: impl FnMut(DVec3) -> DVec3) -> TriangleMesh {
    let mut mapped = mesh.clone();
    mapped.positions.iter_mut().for_each(|p| *p = to(*p).as_vec3().as_dvec3());
    mapped
}

/// A rotation.
fn rotation(random: &mut Random) -> DMat3 {
    let mut angle = || random.unit() * std::f64::consts::TAU;
    DMat3::from_rotation_x(angle()) * DMat3::from_rotation_z(angle()) * DMat3::from_rotation_y(angle())
}
fn vector(random: &mut Random) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| 2.0 * random.unit() - 1.0))
}
/// A power of ten, evenly between two.
fn power(random: &mut Random, least: f64, most: f64) -> f64 {
    10.0_f64.powf(least + (most - least) * random.unit())
}

fn a_box(random: &mut Random, size: i32) -> TriangleMesh {
    let ends = [(); 3].map(|()| {
        let low = random.below(size as u32) as i32;
        [low, low + 1 + random.below((size - low) as u32) as i32]
    });
    block(ends.map(|end| end[0]), ends.map(|end| end[1]), 1 + random.below(3) as i32)
}
/// Boxes with integer corners.
fn boxes(random: &mut Random) -> [TriangleMesh; 2] {
    let size = 2 + random.below(5) as i32;
    [(); 2].map(|()| a_box(random, size))
}
/// Boxes in a turned grid: their planes coincide but for rounding.
fn coplanar(random: &mut Random) -> [TriangleMesh; 2] {
    let turn = rotation(random);
    boxes(random).map(|mesh| mapped(&mesh, |p| turn * p))
}
/// Boxes that touch at a corner, an edge or a side, in a grid that may be turned.
fn touching(random: &mut Random) -> [TriangleMesh; 2] {
    let axes = 1 + random.below(3) as usize;
    let (size, n) = (1 + random.below(3) as i32, [(); 2].map(|()| 1 + random.below(3) as i32));
    let low: [i32; 3] =
        std::array::from_fn(|i| if i < axes { size } else { random.below(size as u32) as i32 });
    let high = low.map(|x| x + 1 + random.below(3) as i32);
    let turn = if random.below(2) == 0 { DMat3::IDENTITY } else { rotation(random) };
    [block([0; 3], [size; 3], n[0]), block(low, high, n[1])].map(|mesh| mapped(&mesh, |p| turn * p))
}
/// Tetrahedra with corners on a small grid.
fn tetrahedra(random: &mut Random) -> [TriangleMesh; 2] {
    let size = 2 + random.below(5);
    [(); 2].map(|()| {
        loop {
            let p = [(); 4].map(|()| DVec3::from_array([(); 3].map(|()| f64::from(random.below(size)))));
            let [a, b, c, d] = p;
            let volume = (b - a).cross(c - a).dot(d - a);
            let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
            let mut mesh = TriangleMesh::from_f32(p.map(|p| p.as_vec3().to_array()), faces);
            if volume < 0.0 {
                mesh.faces.iter_mut().for_each(|face| face.swap(0, 1));
            }
            if volume != 0.0 {
                return mesh;
            }
        }
    })
}
/// A shape of a few hundred faces, about as large as 1.
fn shape(random: &mut Random) -> TriangleMesh {
    let made = match random.below(5) {
        0 => Ok(mapped(&block([0; 3], [2, 3, 4], 1 + random.below(3) as i32), |p| (p - 1.5) / 2.0)),
        1 => shapes::icosphere(1 + random.below(2)),
        2 => shapes::torus_knot(2, 3, 8, 40).map(|knot| mapped(&knot, |p| p / 3.0)),
        3 => shapes::bumpy_sphere(2, random.bits()),
        _ => shapes::torus(10, random.bits()),
    };
    made.unwrap_or_default()
}
/// A shape within a smaller copy of it, which may touch it.
fn nested(random: &mut Random) -> [TriangleMesh; 2] {
    let (outer, part) = (shape(random), 1.0 - power(random, -4.0, -0.1));
    let inner = mapped(&outer, |p| p * part);
    if random.below(2) == 0 { [outer, inner] } else { [inner, outer] }
}
/// A thin box through a shape, or through another one.
fn thin(random: &mut Random) -> [TriangleMesh; 2] {
    let plate = |random: &mut Random| {
        let (height, turn, n) = (power(random, -6.0, -1.0), rotation(random), 1 + random.below(4) as i32);
        let away = 0.2 * vector(random);
        mapped(&block([-1, -1, 0], [1, 1, 1], n), |p| turn * (p * DVec3::new(1.0, 1.0, height)) + away)
    };
    let first = plate(random);
    let second = if random.below(2) == 0 { plate(random) } else { shape(random) };
    [first, second]
}
/// Boxes of whose coordinates those that are 0 are off by far less than single precision.
fn slabs(random: &mut Random) -> [TriangleMesh; 2] {
    let size = random.of(&[6.1e-17, 1e-13, 1e-10, 1e-8]);
    boxes(random).map(|mesh| {
        let middle = 2.0;
        mapped(&mesh, |p| {
            let at = (p - middle).to_array();
            DVec3::from_array(at.map(|x| if x == 0.0 { size * (random.unit() - 0.5) } else { x }))
        })
    })
}
/// Shapes in any position.
fn turned(random: &mut Random) -> [TriangleMesh; 2] {
    [(); 2].map(|()| {
        let (turn, away) = (rotation(random), 0.4 * vector(random));
        mapped(&shape(random), |p| turn * p + away)
    })
}
/// A shape, and the same turned a little.
fn slightly_turned(random: &mut Random) -> [TriangleMesh; 2] {
    let (first, axis) = (shape(random), vector(random).normalize_or(DVec3::X));
    let turn = DMat3::from_axis_angle(axis, power(random, -6.0, -1.0));
    let second = mapped(&first, |p| turn * p);
    [first, second]
}
/// A ball with noise, and the same with other noise.
fn balls(random: &mut Random, level: u32) -> [TriangleMesh; 2] {
    let noise = |mesh: &TriangleMesh, by: f64, random: &mut Random| {
        mapped(mesh, |p| p * (1.0 + by * (random.unit() - 0.5)))
    };
    let ball = noise(&shapes::icosphere(level).unwrap_or_default(), 0.02, random);
    let by = random.of(&[1e-3, 1e-4, 1e-4, 1e-5, 1e-6]);
    let other = noise(&ball, by, random);
    [ball, other]
}
fn nearly_equal(random: &mut Random) -> [TriangleMesh; 2] {
    balls(random, 2)
}
fn nearly_equal_fine(random: &mut Random) -> [TriangleMesh; 2] {
    balls(random, 4)
}
/// A shape, and the same moved a little.
fn shifted(random: &mut Random) -> [TriangleMesh; 2] {
    let (first, away) = (shape(random), vector(random) * power(random, -6.0, -1.0));
    let axes = DVec3::from_array([(); 3].map(|()| f64::from(random.below(2))));
    let second = mapped(&first, |p| p + away * axes);
    [first, second]
}

/// The pair of a family from a seed.
pub fn pair(make: Make, seed: u64) -> [TriangleMesh; 2] {
    make(&mut Random::new(seed))
}

/// The result of an operation, if it is closed, an oriented manifold, and free of intersections.
pub fn sound(
    device: &Device,
    meshes: &[TriangleMesh],
    operation: Operation,
) -> Result<(TriangleMesh, BooleanReport), Box<dyn Error>> {
    let options = BooleanOptions { operation, ..BooleanOptions::default() };
    let (mesh, report) = boolean(device, meshes, &options)?;
    mesh.check()?;
    if mesh.faces.is_empty() {
        return Ok((mesh, report));
    }
    if !mesh.is_closed() {
        return Err(format!("the result is not closed: {report:?}").into());
    }
    let found = manifold_violations(device, mesh.positions.len(), &mesh.faces)?;
    if !found.is_empty() {
        return Err(format!("{found}: {report:?}").into());
    }
    let positions = device.upload(&mesh.points_around(mesh.local_origin()))?;
    let faces = device.upload(mesh.faces.as_flattened())?;
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces })?.pairs;
    if !pairs.is_empty() {
        return Err(format!("{} pairs intersect: {report:?}", pairs.len()).into());
    }
    Ok((mesh, report))
}

fn volume(mesh: &TriangleMesh) -> f64 {
    if mesh.faces.is_empty() { 0.0 } else { mesh.volume().unwrap_or(f64::NAN) }
}

/// The reports of all operations; for each the error if it fails. If none does, their volumes are compared.
/// # Errors
/// Volumes that contradict each other.
#[expect(clippy::type_complexity, reason = "a result for each operation")]
pub fn combined(
    device: &Device,
    meshes: &[TriangleMesh; 2],
) -> Result<[Result<BooleanReport, Box<dyn Error>>; 4], String> {
    let found = ALL.map(|operation| sound(device, meshes, operation));
    if let [Ok(union), Ok(intersection), Ok(difference), Ok(xor)] = &found {
        let [union, intersection, difference, xor] =
            [union, intersection, difference, xor].map(|of| volume(&of.0));
        let [a, b] = [0, 1].map(|i| volume(&meshes[i]));
        let largest = meshes.iter().flat_map(|mesh| &mesh.positions).map(|p| p.abs().max_element());
        let size = largest.fold(0.0, f64::max);
        let most = (TOLERANCE[0] * (a.abs() + b.abs())).max(TOLERANCE[1] * size.powi(3));
        let off =
            [union + intersection - a - b, difference + intersection - a, xor + 2.0 * intersection - a - b];
        if !off.iter().all(|off| off.abs() <= most) {
            return Err(format!("volumes {a} {b}: {union} {intersection} {difference} {xor}"));
        }
    }
    Ok(found.map(|of| of.map(|of| of.1)))
}
