//! Parts as CAD programs triangulate them: plates with holes, prisms, brackets; only outlines have vertices,
//! so triangles are slender.
use ribbonmesh::glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Positions and faces.
pub type Part = (Vec<DVec3>, Vec<[u32; 3]>);

/// A circle of `n` corners.
pub fn circle(centre: DVec2, radius: f64, n: usize) -> Vec<DVec2> {
    (0..n).map(|i| centre + radius * DVec2::from_angle(TAU * i as f64 / n as f64)).collect()
}

fn cross(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Whether segments cross, or one touches the inside of the other.
fn cross_each_other([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    if a == c || a == d || b == c || b == d {
        return false;
    }
    cross(a, b, c) * cross(a, b, d) <= 0.0 && cross(c, d, a) * cross(c, d, b) <= 0.0
}

/// Triangles of a polygon, counterclockwise, with holes. The corners are first those of the outline, then
/// those of each hole. Every hole is joined to the outline by two edges; then ears are cut off.
pub fn triangulate(outline: &[DVec2], holes: &[Vec<DVec2>]) -> (Vec<DVec2>, Vec<[u32; 3]>) {
    let mut points = outline.to_vec();
    let mut ring: Vec<u32> = (0..outline.len() as u32).collect();
    let mut left: Vec<Vec<u32>> = vec![];
    for hole in holes {
        let first = points.len() as u32;
        points.extend(hole);
        left.push((first..first + hole.len() as u32).rev().collect());
    }
    let at = |v: u32| points[v as usize];
    while !left.is_empty() {
        // the shortest bridge that crosses no edge
        let mut bridges = vec![];
        for (h, hole) in left.iter().enumerate() {
            for (i, &r) in ring.iter().enumerate() {
                for (k, &v) in hole.iter().enumerate() {
                    bridges.push((at(r).distance_squared(at(v)), i, h, k));
                }
            }
        }
        bridges.sort_by(|a, b| a.0.total_cmp(&b.0));
        let clear = |i: usize, h: usize, k: usize| {
            let bridge = [at(ring[i]), at(left[h][k])];
            let loops = left.iter().chain([&ring]);
            let sides = |l: &Vec<u32>| {
                (0..l.len()).all(|e| !cross_each_other(bridge, [at(l[e]), at(l[(e + 1) % l.len()])]))
            };
            let (before, next) = (ring[(i + ring.len() - 1) % ring.len()], ring[(i + 1) % ring.len()]);
            let (p, a, b, q) = (bridge[0], at(before), at(next), bridge[1]);
            let inside = if cross(a, p, b) >= 0.0 {
                cross(p, b, q) > 0.0 && cross(a, p, q) > 0.0
            } else {
                cross(p, b, q) > 0.0 || cross(a, p, q) > 0.0
            };
            inside && loops.into_iter().all(sides)
        };
        let (_, i, h, k) = *bridges.iter().find(|(_, i, h, k)| clear(*i, *h, *k)).expect("a bridge");
        let mut hole = left.remove(h);
        hole.rotate_left(k);
        hole.push(hole[0]);
        hole.push(ring[i]);
        ring.splice(i + 1..i + 1, hole);
    }
    let mut faces = vec![];
    while ring.len() > 3 {
        let n = ring.len();
        let ear = (0..n).find(|&i| {
            let [a, b, c] = [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]].map(at);
            let flat = 1e-12 * a.distance_squared(c).max(a.distance_squared(b));
            let outside = |p: DVec2| {
                p == a
                    || p == b
                    || p == c
                    || cross(a, b, p) < 0.0
                    || cross(b, c, p) < 0.0
                    || cross(c, a, p) < 0.0
            };
            cross(a, b, c) > flat && ring.iter().all(|&v| outside(at(v)))
        });
        let i = ear.expect("an ear");
        faces.push([ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]]);
        ring.remove(i);
    }
    faces.push([ring[0], ring[1], ring[2]]);
    (points, faces)
}

/// A flat part.
pub fn flat(outline: &[DVec2], holes: &[Vec<DVec2>]) -> Part {
    let (points, faces) = triangulate(outline, holes);
    (points.into_iter().map(|p| p.extend(0.0)).collect(), faces)
}

/// A prism, closed.
pub fn prism(outline: &[DVec2], holes: &[Vec<DVec2>], height: f64) -> Part {
    let (points, bottom) = triangulate(outline, holes);
    let n = points.len() as u32;
    let mut positions: Vec<DVec3> = points.iter().map(|p| p.extend(0.0)).collect();
    positions.extend(points.iter().map(|p| p.extend(height)));
    let mut faces: Vec<[u32; 3]> = bottom.iter().map(|f| [f[2], f[1], f[0]]).collect();
    faces.extend(bottom.iter().map(|f| f.map(|v| v + n)));
    let mut first = 0;
    for (i, l) in std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)).enumerate() {
        let len = l.len() as u32;
        for e in 0..len {
            let (a, b) = (first + e, first + (e + 1) % len);
            let (a, b) = if i == 0 { (a, b) } else { (b, a) };
            faces.extend([[a, b, b + n], [a, b + n, a + n]]);
        }
        first += len;
    }
    (positions, faces)
}

/// Centres of `columns` by `rows` squares of side 1.
fn centres(columns: usize, rows: usize) -> impl Iterator<Item = DVec2> {
    (0..columns * rows).map(move |i| DVec2::new((i % columns) as f64 + 0.5, (i / columns) as f64 + 0.5))
}
fn rectangle(width: f64, height: f64) -> Vec<DVec2> {
    [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map(DVec2::from).to_vec()
}

/// Outline and holes of a plate with `columns` by `rows` round holes.
fn perforated(columns: usize, rows: usize, corners: usize) -> (Vec<DVec2>, Vec<Vec<DVec2>>) {
    let hole = |c: DVec2| circle(c, 0.3 + 0.03 * (5.0 * c.x + 3.0 * c.y).sin(), corners);
    (rectangle(columns as f64, rows as f64), centres(columns, rows).map(hole).collect())
}

/// A plate with round holes and nothing between them but slender triangles.
pub fn plate(columns: usize, rows: usize, corners: usize) -> Part {
    let (outline, holes) = perforated(columns, rows, corners);
    flat(&outline, &holes)
}
/// As [`plate`], with a thickness.
pub fn thick_plate(columns: usize, rows: usize, corners: usize) -> Part {
    let (outline, holes) = perforated(columns, rows, corners);
    prism(&outline, &holes, 0.2)
}

/// A grid of `n` by `n` squares, `stretch` times as wide as high, each cut in two, without every block of
/// `hole` by `hole` squares of every `period` by `period`.
pub fn grid_plate(n: usize, period: usize, hole: usize, stretch: f64) -> Part {
    let positions = (0..(n + 1) * (n + 1))
        .map(|i| DVec3::new(stretch * (i % (n + 1)) as f64, (i / (n + 1)) as f64, 0.0) / n as f64)
        .collect();
    let mut faces = vec![];
    for i in 0..n * n {
        let (x, y) = (i % n, i / n);
        let off = (period - hole) / 2;
        let inside = |k: usize| (off..off + hole).contains(&(k % period));
        if !(inside(x) && inside(y)) {
            let a = (y * (n + 1) + x) as u32;
            let (b, c, d) = (a + 1, a + n as u32 + 1, a + n as u32 + 2);
            faces.extend(if (x + y) % 2 == 0 { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
        }
    }
    without_isolated((positions, faces))
}

/// Two plates with holes that meet at a right angle.
pub fn bracket() -> Part {
    let holes: Vec<_> = [(0.7, 0.8), (2.2, 0.8), (1.4, 1.9)].map(|c| circle(c.into(), 0.35, 20)).into();
    let (a, b) = (flat(&rectangle(3.0, 2.6), &holes), flat(&rectangle(3.0, 2.6), &holes[..2]));
    let mut positions = a.0;
    let mut faces = a.1;
    let mut ids = vec![];
    for p in b.0 {
        if p.y == 0.0 {
            ids.push(if p.x == 0.0 { 0 } else { 1 });
        } else {
            ids.push(positions.len() as u32);
            positions.push(DVec3::new(p.x, 0.0, p.y));
        }
    }
    faces.extend(b.1.iter().map(|f| [f[0], f[2], f[1]].map(|v| ids[v as usize])));
    (positions, faces)
}

/// A gear: teeth around, a bore, holes around that.
pub fn gear(teeth: usize) -> Part {
    let outline = (0..4 * teeth)
        .map(|i| {
            let radius = if i % 4 < 2 { 1.0 } else { 0.85 };
            radius * DVec2::from_angle(TAU * (i as f64 + 0.1 * (i % 2) as f64) / (4 * teeth) as f64)
        })
        .collect::<Vec<_>>();
    let mut holes = vec![circle(DVec2::ZERO, 0.2, 24)];
    holes.extend((0..6).map(|i| circle(0.52 * DVec2::from_angle(TAU * (i as f64 + 0.25) / 6.0), 0.16, 16)));
    prism(&outline, &holes, 0.3)
}

/// A cube of squares cut in two.
pub fn cube() -> Part {
    prism(&rectangle(1.0, 1.0), &[], 1.0)
}

/// The part without isolated vertices.
pub fn without_isolated((positions, faces): Part) -> Part {
    let mut ids = vec![u32::MAX; positions.len()];
    let mut kept = vec![];
    let faces = faces
        .into_iter()
        .map(|f| {
            f.map(|v| {
                let id = &mut ids[v as usize];
                if *id == u32::MAX {
                    *id = kept.len() as u32;
                    kept.push(positions[v as usize]);
                }
                *id
            })
        })
        .collect();
    (kept, faces)
}
