//! Meshes like those of machine parts: flat regions, right angles, holes, teeth.
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh_mesh::TriangleMesh;
use std::collections::HashMap;
use std::f64::consts::TAU;

/// Triangles in the plane.
#[derive(Default)]
struct Region {
    points: Vec<DVec2>,
    faces: Vec<[u32; 3]>,
}
impl Region {
    /// `nu` × `nv` quads, each as two triangles: the image of the unit square.
    fn patch(nu: u32, nv: u32, at: impl Fn(f64, f64) -> DVec2) -> Self {
        let mut region = Self::default();
        for j in 0..=nv {
            for i in 0..=nu {
                region.points.push(at(f64::from(i) / f64::from(nu), f64::from(j) / f64::from(nv)));
            }
        }
        for (i, j) in (0..nv).flat_map(|j| (0..nu).map(move |i| (i, j))) {
            let a = j * (nu + 1) + i;
            let [b, c, d] = [a + 1, a + nu + 2, a + nu + 1];
            let two = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            region.faces.extend(two);
        }
        let side = |f: &[u32; 3]| {
            let [a, b, c] = f.map(|v| region.points[v as usize]);
            (b - a).perp_dot(c - a)
        };
        if region.faces.iter().map(side).sum::<f64>() < 0.0 {
            region.faces.iter_mut().for_each(|f| f.swap(1, 2));
        }
        region
    }
    /// All regions in one, with points at the same place joined.
    fn join(regions: impl IntoIterator<Item = Self>) -> Self {
        let (mut all, mut places) = (Self::default(), HashMap::new());
        for region in regions {
            let ids: Vec<u32> = region
                .points
                .iter()
                .map(|p| {
                    let key = (*p * 1e7).round().to_array().map(|c| c as i64);
                    *places.entry(key).or_insert_with(|| {
                        all.points.push(*p);
                        all.points.len() as u32 - 1
                    })
                })
                .collect();
            all.faces.extend(region.faces.iter().map(|f| f.map(|v| ids[v as usize])));
            all.faces.retain(|f| f[0] != f[1] && f[1] != f[2] && f[2] != f[0]);
        }
        all
    }
    /// The body between the region at 0 and at `height`, with `layers` of quads around it.
    fn extrude(&self, height: f64, layers: u32) -> TriangleMesh {
        let mut sides: HashMap<[u32; 2], u32> = HashMap::new();
        for f in &self.faces {
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
                *sides.entry([a.min(b), a.max(b)]).or_default() += 1;
            }
        }
        let mut points: Vec<DVec3> = vec![];
        let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
        let mut id = |v: u32, layer: u32| {
            *ids.entry((v, layer)).or_insert_with(|| {
                points.push(self.points[v as usize].extend(height * f64::from(layer) / f64::from(layers)));
                points.len() as u32 - 1
            })
        };
        let mut faces = vec![];
        for f in &self.faces {
            faces.push([id(f[0], 0), id(f[2], 0), id(f[1], 0)]);
            faces.push(f.map(|v| id(v, layers)));
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
                if sides[&[a.min(b), a.max(b)]] == 1 {
                    for k in 0..layers {
                        let [p, q, r, s] = [id(a, k), id(b, k), id(b, k + 1), id(a, k + 1)];
                        let two = if k % 2 == 0 { [[p, q, r], [p, r, s]] } else { [[p, q, s], [q, r, s]] };
                        faces.extend(two);
                    }
                }
            }
        }
        TriangleMesh::new(points, faces)
    }
}
fn polar(radius: f64, turn: f64) -> DVec2 {
    DVec2::from_angle(turn * TAU) * radius
}

/// A box with `n` edges along each side.
pub fn block(n: u32) -> TriangleMesh {
    Region::patch(n, n, DVec2::new).extrude(1.0, n)
}
/// An angle iron.
pub fn angle(n: u32) -> TriangleMesh {
    let cell = |x: f64, y: f64| Region::patch(n, n, move |u, v| DVec2::new(x + u, y + v));
    Region::join([cell(0.0, 0.0), cell(1.0, 0.0), cell(0.0, 1.0)]).extrude(1.5, 3 * n / 2)
}
/// A cylinder with `n` edges around it and caps of `rings` rings.
pub fn cylinder(n: u32, rings: u32, layers: u32) -> TriangleMesh {
    Region::join([Region::patch(n, rings, |u, v| polar(v, u))]).extrude(1.5, layers)
}
/// A plate with `k` × `k` holes.
pub fn plate(k: u32, n: u32) -> TriangleMesh {
    let side = |u: f64| {
        let (s, t) = ((4.0 * u).floor().min(3.0), 4.0 * u - (4.0 * u).floor().min(3.0));
        let corner = |i: f64| polar(0.5_f64.sqrt(), (2.0 * i + 1.0) / 8.0);
        corner(s).lerp(corner(s + 1.0), t)
    };
    let cells = (0..k).flat_map(|i| (0..k).map(move |j| DVec2::new(f64::from(i), f64::from(j))));
    let cell = |at: DVec2| Region::patch(4 * n, n / 2, |u, v| at + side(u).lerp(polar(0.3, u + 0.125), v));
    Region::join(cells.map(cell)).extrude(0.3, n / 3)
}
/// A gear with `teeth` teeth, each of 4 `m` edges, and a bore.
pub fn gear(teeth: u32, m: u32, rings: u32, layers: u32) -> TriangleMesh {
    let radius = move |u: f64| {
        let t = (u * f64::from(teeth)).fract() * 4.0;
        let t = if (t - 4.0).abs() < 1e-6 { 0.0 } else { t };
        if t < 1.0 {
            1.0 + 0.25 * t
        } else if t < 2.0 {
            1.25
        } else if t < 3.0 {
            1.25 - 0.25 * (t - 2.0)
        } else {
            1.0
        }
    };
    Region::join([Region::patch(4 * m * teeth, rings, |u, v| polar(0.5 + v * (radius(u) - 0.5), u))])
        .extrude(0.5, layers)
}
