//! A collapse: whether it is allowed, and what it changes.
use crate::simplify::collapse::{Changes, RESERVE};
use crate::simplify::device::distance::from_triangle;
use crate::simplify::quadric::{Quadric, wide};
use crate::simplify::values::{CROWDED, PINNED, TOO_FAR};
use crate::triangles::{Mesh, Spoke, Star};
use glam::Vec3;
use ribbonmesh::device::{HalfEdge, VertexId};
use ribbonmesh::dynamic::{Rejection, rejections};
use ribbonmesh::features::{MOST_AROUND, kind};

/// The values of vertices.
pub struct Vertices {
    pub x: Vec<Vec3>,
    pub quadrics: Vec<Quadric>,
    pub kinds: Vec<u32>,
    /// A vertex of the input for each vertex.
    pub inputs: Vec<u32>,
}

/// Limits of collapses.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Largest distance of the surface from the input, if there is one.
    pub bound: Option<f32>,
    /// Cosine of the angle by which faces may turn.
    pub turn: f32,
}

/// An allowed collapse.
pub struct Join {
    kind: u32,
    drift: f64,
}

/// The faces around an edge.
#[derive(Default)]
pub struct Around {
    pub stars: [Star; 2],
}

impl Around {
    /// Whether the edge of `h` may be collapsed to a point: by the rules of
    /// [`QuadricCollapse`](crate::simplify::collapse::QuadricCollapse), and of
    /// [`collapse_edge`](ribbonmesh::dynamic::fillings::collapse_edge).
    pub fn allow(
        &mut self,
        mesh: &Mesh,
        v: &Vertices,
        limits: &Limits,
        h: HalfEdge,
        p: Vec3,
    ) -> Result<Join, Rejection> {
        let (ends, twin) = ([mesh.from(h), mesh.to(h)], mesh.twin(h));
        let [of_a, of_b] = &mut self.stars;
        if !of_a.fill(mesh, h) || !of_b.fill(mesh, h.next()) {
            return Err(CROWDED);
        }
        let shared = 1 + twin.is_some() as usize;
        let open = of_a.open() || of_b.open();
        let faces = of_a.faces() + of_b.faces() - 2 * shared;
        if faces + open as usize > MOST_AROUND as usize {
            return Err(CROWDED);
        }
        let turns = |end: usize, star: &Star, changes: &mut Changes| {
            let (z, other) = (v.x[ends[end] as usize], ends[1 - end]);
            for &Spoke { others: [u, w], .. } in star.spokes() {
                if u != other && w != other {
                    changes.add([v.x[u as usize], v.x[w as usize]], z, p, limits.turn);
                }
            }
        };
        let mut changes = Changes::NONE;
        turns(0, of_a, &mut changes);
        turns(1, of_b, &mut changes);
        changes.verdict()?;
        let (of_a, of_b) = (&*of_a, &*of_b);
        let is_open = |u: VertexId| if u.index() == ends[0] { of_a.open() } else { of_b.open() };
        let kinds = ends.map(|u| v.kinds[u as usize]);
        let (_, kind) = kind::joined(ends.map(VertexId::new), kinds, is_open).ok_or(PINNED)?;
        // link condition: no neighbours in common but those opposite of the edge
        let common = of_a.neighbours().filter(|&u| of_b.is_next_to(u)).count();
        if common != shared {
            return Err(rejections::LINK);
        }
        // a tetrahedron, a triangle
        let vanishes = match twin {
            Some(_) => !open && of_a.faces() == 3 && of_b.faces() == 3,
            None => mesh.twin(h.next()).is_none() && mesh.twin(h.prev()).is_none(),
        };
        if vanishes {
            return Err(rejections::VANISHES);
        }
        if twin.is_some() && of_a.open() && of_b.open() {
            return Err(rejections::PINCHES);
        }
        let mut drift = 0.0;
        if let Some(bound) = limits.bound {
            let farthest = self.drift(v, ends, p);
            let near = RESERVE * farthest <= bound;
            if !near {
                return Err(TOO_FAR);
            }
            drift = farthest as f64;
        }
        Ok(Join { kind, drift })
    }
    /// The distance of the surface around the vertex from the input after the collapse, estimated as
    /// `QuadricCollapse` does.
    fn drift(&self, v: &Vertices, ends: [u32; 2], p: Vec3) -> f32 {
        let at = |u: u32| v.x[u as usize];
        let of_star = |(star, end)| Star::spokes(star).iter().map(move |spoke| (end, spoke.others));
        let faces = || self.stars.iter().zip(ends).flat_map(of_star);
        let is_end = |u: u32| ends.contains(&u);
        let (mut most, mut around) = (0.0f32, 0.0f32);
        let from_old = |point: Vec3| {
            faces()
                .map(|(end, [u, w])| from_triangle(point, [end, u, w].map(at)))
                .fold(f32::INFINITY, f32::min)
        };
        let from_new = |point: Vec3| {
            let stay = faces().filter(|&(_, [u, w])| !is_end(u) && !is_end(w));
            stay.map(|(_, [u, w])| from_triangle(point, [at(u), at(w), p])).fold(f32::INFINITY, f32::min)
        };
        for (star, end) in self.stars.iter().zip(ends) {
            most = most.max(from_new(at(end)));
            for u in star.neighbours().filter(|&u| !is_end(u)) {
                most = most.max(from_new(0.5 * (at(u) + at(end)))).max(from_old(0.5 * (at(u) + p)));
                around = around.max(v.quadrics[u as usize].drift as f32);
            }
        }
        most = most.max(from_old(p));
        let [of_a, of_b] = ends.map(|u| v.quadrics[u as usize].drift as f32);
        of_a.max(of_b).max(0.5 * around) + most.sqrt()
    }
    /// Collapses the edge: its start becomes the new vertex, its end is deleted, and so are its faces.
    /// Returns the number of these.
    pub fn collapse(&self, mesh: &mut Mesh, v: &mut Vertices, h: HalfEdge, p: Vec3, join: &Join) -> u32 {
        let ([a, b], twin) = ([mesh.from(h), mesh.to(h)], mesh.twin(h));
        for spoke in self.stars[1].spokes() {
            mesh.move_corner(spoke.side, a);
        }
        mesh.close(h);
        if let Some(twin) = twin {
            mesh.close(twin);
        }
        let [a, b] = [a, b].map(|u| u as usize);
        let (to_a, to_b) = (wide(p) - wide(v.x[a]), wide(p) - wide(v.x[b]));
        if to_b.dot(to_b) < to_a.dot(to_a) {
            v.inputs[a] = v.inputs[b];
        }
        let mut quadric = v.quadrics[a].moved(to_a).plus(&v.quadrics[b].moved(to_b));
        quadric.drift = join.drift;
        (v.x[a], v.kinds[a], v.quadrics[a]) = (p, join.kind, quadric);
        1 + twin.is_some() as u32
    }
}
