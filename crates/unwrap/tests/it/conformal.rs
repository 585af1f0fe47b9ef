//! Maps that keep angles.
use crate::disks::cap;
use crate::oracle::{coordinates, twice};
use crate::{mesh, sheet};
use glam::{DMat2, DVec2, DVec3};
use ribbonmesh::Device;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::{Random, size, suite};
use ribbonmesh_unwrap::{Method, ParameterizeOptions, ParameterizeReport, parameterize};

const CONFORMAL: [Method; 4] = [Method::Lscm, Method::Spectral, Method::Bff, Method::BffDisk];

/// The positions of vertices in the plane, and the report, whose flips are counted again.
fn mapped(device: &Device, mesh: &TriangleMesh, method: Method) -> (Vec<DVec2>, ParameterizeReport) {
    let mut mesh = mesh.clone();
    let options = ParameterizeOptions { method, ..ParameterizeOptions::default() };
    let report = parameterize(device, &mut mesh, &options).unwrap_or_else(|e| panic!("{method}: {e}"));
    let flat = coordinates(&mesh);
    let flipped = flat.iter().filter(|face| twice(**face) <= 0.0).count();
    assert_eq!(report.flipped, flipped as u64, "{method}");
    assert!(report.converged, "{method}: {report:?}");
    let mut at = vec![DVec2::ZERO; mesh.positions.len()];
    for (face, flat) in mesh.faces.iter().zip(flat) {
        for (v, p) in face.iter().zip(flat) {
            assert!(p.min_element() >= 0.0 && p.max_element() <= 1.0, "{method}");
            at[*v as usize] = p;
        }
    }
    (at, report)
}
/// The vertices of the boundary, in order.
fn boundary(mesh: &TriangleMesh) -> Vec<usize> {
    let sides = |face: &[u32; 3]| [0, 1, 2].map(|k| (face[k] as usize, face[(k + 1) % 3] as usize));
    let all: std::collections::HashMap<_, _> =
        mesh.faces.iter().flat_map(sides).map(|side| (side, ())).collect();
    let outer: std::collections::BTreeMap<usize, usize> =
        all.keys().filter(|(a, b)| !all.contains_key(&(*b, *a))).copied().collect();
    let first = *outer.keys().next().expect("a boundary");
    let mut found = vec![first];
    while let next = outer[&found[found.len() - 1]]
        && next != first
    {
        found.push(next);
    }
    assert_eq!(found.len(), outer.len());
    found
}
/// The gradient of the conformal energy, Dirichlet's energy minus the area: cotangents for the one, the sides
/// at the boundary for the other.
fn gradient(mesh: &TriangleMesh, at: &[DVec2]) -> Vec<DVec2> {
    let mut sums = vec![DVec2::ZERO; at.len()];
    for face in &mesh.faces {
        for k in 0..3 {
            let [i, j, o] = [0, 1, 2].map(|d| face[(k + d) % 3] as usize);
            let (u, v) = (mesh.positions[i] - mesh.positions[o], mesh.positions[j] - mesh.positions[o]);
            let cotangent = u.dot(v) / u.cross(v).length();
            sums[i] += 0.5 * cotangent * (at[i] - at[j]);
            sums[j] += 0.5 * cotangent * (at[j] - at[i]);
            // the area is half the sum of p × q over sides
            sums[i] -= 0.5 * DVec2::new(at[j].y, -at[j].x);
            sums[j] -= 0.5 * DVec2::new(-at[i].y, at[i].x);
        }
    }
    sums
}
/// Squared distances from the mean of the boundary.
fn spread(boundary: &[usize], at: &[DVec2]) -> f64 {
    let mean = boundary.iter().map(|&v| at[v]).sum::<DVec2>() / boundary.len() as f64;
    boundary.iter().map(|&v| at[v].distance_squared(mean)).sum()
}
fn energy(gradient: &[DVec2], at: &[DVec2]) -> f64 {
    0.5 * gradient.iter().zip(at).map(|(g, p)| g.dot(*p)).sum::<f64>()
}
/// The greatest distance after the similarity that fits best.
fn off(from: &[DVec2], to: &[DVec2]) -> f64 {
    let mean = |all: &[DVec2]| all.iter().copied().sum::<DVec2>() / all.len() as f64;
    let (a, b) = (mean(from), mean(to));
    let (mut sum, mut squares) = (DVec2::ZERO, 0.0);
    for (p, q) in from.iter().zip(to) {
        let (p, q) = (*p - a, *q - b);
        sum += DVec2::new(p.dot(q), p.perp_dot(q));
        squares += p.length_squared();
    }
    let by = sum / squares;
    from.iter().zip(to).map(|(p, q)| by.rotate(*p - a).distance(*q - b)).fold(0.0, f64::max)
}
/// A flat sheet with an outline that is not convex, and irregular triangles.
fn bay(n: u32) -> TriangleMesh {
    let mut flat =
        sheet(n, |x, y| DVec3::new(2.0 * x + 0.04 * (31.0 * y).sin(), y + 0.03 * (23.0 * x).cos(), 0.0));
    let positions = flat.positions.clone();
    flat.faces.retain(|face| {
        let middle = face.iter().map(|&v| positions[v as usize]).sum::<DVec3>() / 3.0;
        !((0.8..1.4).contains(&middle.x) && middle.y > 0.5)
    });
    crate::compact(&mut flat);
    flat
}
/// A slope with hills.
fn hills(n: u32) -> TriangleMesh {
    sheet(n, |x, y| DVec3::new(x, 1.3 * y, 0.2 * (6.0 * x).sin() * (5.0 * y).cos()))
}

suite! {
    /// A flat sheet keeps its shape, however it is turned in space.
    fn flat(device) {
        let flat = bay(size(24, 10));
        let plane: Vec<DVec2> = flat.positions.iter().map(|p| p.truncate()).collect();
        let mut turned = flat.clone();
        let (u, v) = (DVec3::new(2.0, 1.0, 2.0) / 3.0, DVec3::new(-2.0, 2.0, 1.0) / 3.0);
        turned.positions = plane.iter().map(|p| 7.0 * (p.x * u + p.y * v) + DVec3::splat(3.0)).collect();
        for method in [Method::Lscm, Method::Spectral, Method::Bff] {
            let (at, report) = mapped(device, &turned, method);
            assert!(off(&plane, &at) < 3e-7, "{method}: {}", off(&plane, &at));
            let found = report.distortion;
            assert!((found.angle - 1.0).abs() < 1e-7 && (found.max_stretch - 1.0).abs() < 1e-6, "{report:?}");
            assert!(report.flipped == 0 && !report.overlaps);
        }
    }
    /// Only at two vertices of the boundary has the conformal energy a gradient, and it keeps them apart.
    fn least_squares(device) {
        let hills = hills(size(20, 8));
        let (at, _) = mapped(device, &hills, Method::Lscm);
        let gradient = gradient(&hills, &at);
        let pulled: Vec<usize> = (0..at.len()).filter(|&v| gradient[v].length() > 1e-5).collect();
        let boundary = boundary(&hills);
        assert!(pulled.len() == 2 && pulled.iter().all(|v| boundary.contains(v)), "{pulled:?}");
    }
    /// The gradient is a multiple of the distance from the mean at the boundary, and 0 within; no other map
    /// has less energy for its spread.
    fn spectral(device) {
        for shape in [hills(size(20, 8)), cap(size(4, 3), -0.5)] {
            let (at, _) = mapped(device, &shape, Method::Spectral);
            let (found, outer) = (gradient(&shape, &at), boundary(&shape));
            let quotient = |at: &[DVec2]| energy(&gradient(&shape, at), at) / spread(&outer, at);
            let least = quotient(&at);
            let mean = outer.iter().map(|&v| at[v]).sum::<DVec2>() / outer.len() as f64;
            for v in 0..at.len() {
                let expected = if outer.contains(&v) { 2.0 * least * (at[v] - mean) } else { DVec2::ZERO };
                assert!((found[v] - expected).length() < 1e-5, "{v}: {} {expected}", found[v]);
            }
            for method in [Method::Lscm, Method::Bff, Method::BffDisk, Method::Tutte] {
                let other = quotient(&mapped(device, &shape, method).0);
                assert!(other > least - 1e-9, "{method}: {other}, {least}");
            }
        }
    }
    /// Of a hemisphere, whose stereographic projection is conformal, angles are kept better and better.
    fn refinement(device) {
        for method in CONFORMAL {
            let error = |n| {
                let (_, report) = mapped(device, &half_ball(n), method);
                assert!(report.flipped == 0 && !report.overlaps, "{method}: {report:?}");
                report.distortion.angle - 1.0
            };
            let errors: Vec<f64> = [6, 12, 24].into_iter().take(size(3, 2)).map(error).collect();
            println!("{method}: {errors:?}");
            assert!(errors.windows(2).all(|pair| pair[1] < 0.6 * pair[0]), "{method}: {errors:?}");
        }
    }
    /// A hemisphere becomes a disk whose radius at a height is that of the stereographic projection.
    fn closed_form(device) {
        let ball = half_ball(size(24, 12));
        let at = mapped(device, &ball, Method::BffDisk).0;
        for (p, q) in ball.positions.iter().zip(&at) {
            let expected = 0.5 * p.truncate().length() / (1.0 + p.z);
            let found = q.distance(DVec2::splat(0.5));
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
    }
    /// The boundary is a circle, for hills and for most of a sphere.
    fn circle(device) {
        for shape in [hills(size(20, 8)), cap(size(4, 3), -0.6)] {
            let at = mapped(device, &shape, Method::BffDisk).0;
            let outer = boundary(&shape);
            let middle = outer.iter().map(|&v| at[v]);
            let (low, high) = middle.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
                (low.min(p), high.max(p))
            });
            // through three points
            let [a, b, c] = [0, outer.len() / 3, 2 * outer.len() / 3].map(|i| at[outer[i]]);
            let system = DMat2::from_cols(b - a, c - a).transpose();
            let squares = DVec2::new((b - a).length_squared(), (c - a).length_squared());
            let centre = a + system.inverse() * (0.5 * squares);
            for &v in &outer {
                assert!((at[v].distance(centre) - at[outer[0]].distance(centre)).abs() < 1e-6, "{low} {high}");
            }
        }
    }
    /// Lengths along the boundary are nearly kept.
    fn boundary_lengths(device) {
        let shape = hills(size(40, 20));
        let (at, report) = mapped(device, &shape, Method::Bff);
        let outer = boundary(&shape);
        for (i, &v) in outer.iter().enumerate() {
            let w = outer[(i + 1) % outer.len()];
            let ratio = at[v].distance(at[w]) / shape.positions[v].distance(shape.positions[w]);
            let mean = outer.iter().enumerate().map(|(i, &v)| {
                let w = outer[(i + 1) % outer.len()];
                at[v].distance(at[w]) / shape.positions[v].distance(shape.positions[w])
            }).sum::<f64>() / outer.len() as f64;
            assert!((ratio / mean - 1.0).abs() < 0.15, "{ratio} {mean} {report:?}");
        }
    }
    /// Boundaries with ears, teeth and fingers of single triangles, and cotangents below 0: nothing is turned
    /// over on a circle, and angles within are kept.
    fn ragged(device) {
        let net = ragged_sheet(size(40, 24));
        let (at, report) = mapped(device, &net, Method::BffDisk);
        assert!(report.turned_over == 0 && report.steps == 0, "{report:?}");
        // angles of triangles without a vertex of the boundary
        let outer: std::collections::HashSet<usize> = boundary(&net).into_iter().collect();
        let within = net.faces.iter().filter(|f| f.iter().all(|&v| !outer.contains(&(v as usize))));
        let mut ratios: Vec<f64> = within.map(|f| stretch_ratio(&net, &at, f)).collect();
        ratios.sort_by(f64::total_cmp);
        let (median, most) = (ratios[ratios.len() / 2], ratios[ratios.len() * 19 / 20]);
        println!("median {median}, 19 of 20 below {most}; {report:?}");
        assert!(median < 1.05 && most < 1.3, "{median} {most}");
    }
    /// No vertex within: arcs are as long as edges.
    fn strip(device) {
        let points = (0..12).map(|i| DVec3::new(f64::from(i / 2), f64::from(i % 2), 0.0)).collect();
        let faces = (0..10).map(|i| if i % 2 == 0 { [i, i + 2, i + 1] } else { [i, i + 1, i + 2] });
        let strip = mesh(points, faces.collect());
        let (at, report) = mapped(device, &strip, Method::BffDisk);
        assert!(report.flipped == 0 && report.turned_over == 0, "{report:?}");
        let outer = boundary(&strip);
        let sides: Vec<f64> = (0..12).map(|i| at[outer[i]].distance(at[outer[(i + 1) % 12]])).collect();
        assert!(sides.iter().all(|side| (side / sides[0] - 1.0).abs() < 1e-5), "{sides:?}");
    }
    fn one_triangle(device) {
        let points = vec![DVec3::ZERO, DVec3::new(2.0, 0.5, 1.0), DVec3::new(-0.5, 1.0, 0.0)];
        let one = mesh(points, vec![[0, 1, 2]]);
        for method in CONFORMAL {
            let report = mapped(device, &one, method).1;
            let dirichlet = report.distortion.dirichlet;
            assert!(method == Method::BffDisk || (dirichlet - 1.0).abs() < 1e-6, "{report:?}");
            assert_eq!(report.flipped, 0);
        }
    }
    /// Turned triangles are counted, and means are of the others.
    fn folds(device) {
        // a long tube, closed at one end: nearly all of it becomes a point
        let mut tube = cap(3, -0.93);
        for p in &mut tube.positions {
            p.z *= 30.0;
        }
        for method in CONFORMAL {
            let report = mapped(device, &tube, method).1;
            println!("{method}: {} of {}", report.flipped, tube.faces.len());
            assert!(report.distortion.angle >= 1.0 && report.distortion.angle.is_finite(), "{report:?}");
        }
    }
    fn without_area(device) {
        let mut net = hills(12);
        for f in (0..net.faces.len()).step_by(7) {
            let [a, b, c] = net.faces[f];
            net.positions[a as usize] = 0.5 * (net.positions[b as usize] + net.positions[c as usize]);
        }
        for method in CONFORMAL {
            mapped(device, &net, method);
        }
        for scale in [1e-100, 1e100] {
            let mut net = hills(8);
            net.positions.iter_mut().for_each(|p| *p *= scale);
            for method in CONFORMAL {
                assert_eq!(mapped(device, &net, method).1.flipped, 0);
            }
        }
    }
}

/// A bent sheet of irregular triangles without its outermost squares but for some whole ones and some halves,
/// chosen at random.
fn ragged_sheet(n: u32) -> TriangleMesh {
    let by = 0.3 / f64::from(n);
    let mut net = sheet(n, |x, y| {
        DVec3::new(x + by * (71.0 * y).sin(), y + by * (67.0 * x).cos(), 0.15 * (5.0 * x).sin())
    });
    let within = |v: u32| {
        let (i, j) = (v % (n + 1), v / (n + 1));
        0 < i && i < n && 0 < j && j < n
    };
    let mut random = Random(5);
    let mut choice = 0;
    net.faces = net
        .faces
        .chunks(2)
        .flat_map(|square| {
            choice = random.below(3);
            // of a half, the one whose side is that of a square within
            let many = |face: &[u32; 3]| face.iter().filter(|&&v| within(v)).count();
            let outermost = square.iter().flatten().filter(|&&v| within(v)).count() < 6;
            let corner = square.iter().all(|face| many(face) < 2);
            square
                .iter()
                .copied()
                .filter(move |face| {
                    !outermost || (!corner && (choice == 0 || (choice == 1 && many(face) == 2)))
                })
                .collect::<Vec<_>>()
        })
        .collect();
    crate::compact(&mut net);
    net
}
/// The ratio of the singular values of a triangle's map; infinite if it is turned over.
fn stretch_ratio(mesh: &TriangleMesh, at: &[DVec2], face: &[u32; 3]) -> f64 {
    let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
    let [p, q, r] = face.map(|v| at[v as usize]);
    let (u, v) = (b - a, c - a);
    let (long, height) = (u.length(), u.cross(v).length() / u.length());
    let rest = DMat2::from_cols(DVec2::new(long, 0.0), DVec2::new(v.dot(u) / long, height));
    let map = DMat2::from_cols(q - p, r - p) * rest.inverse();
    let (norm, determinant) = (map.x_axis.length_squared() + map.y_axis.length_squared(), map.determinant());
    let root = (norm * norm - 4.0 * determinant * determinant).max(0.0).sqrt();
    if determinant > 0.0 { (norm + root) / (2.0 * determinant) } else { f64::INFINITY }
}

/// Half of a sphere by rings, with a boundary that is a circle.
fn half_ball(rings: u32) -> TriangleMesh {
    let around = 4 * rings;
    let mut positions = vec![DVec3::Z];
    for ring in 1..=rings {
        for i in 0..around {
            let (polar, turn) = (
                std::f64::consts::FRAC_PI_2 * f64::from(ring) / f64::from(rings),
                std::f64::consts::TAU * (f64::from(i) + 0.5 * f64::from(ring % 2)) / f64::from(around),
            );
            positions.push(DVec3::new(polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos()));
        }
    }
    let at = |ring: u32, i: u32| 1 + (ring - 1) * around + i % around;
    let mut faces: Vec<[u32; 3]> = (0..around).map(|i| [0, at(1, i), at(1, i + 1)]).collect();
    for ring in 1..rings {
        for i in 0..around {
            let shift = ring % 2;
            faces.push([at(ring, i), at(ring + 1, i + shift), at(ring, i + 1)]);
            faces.push([at(ring, i + 1 - shift), at(ring + 1, i), at(ring + 1, i + 1)]);
        }
    }
    mesh(positions, faces)
}
