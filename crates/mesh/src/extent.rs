//! The size of a surface: area, volume, box.

use glam::DVec3;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use crate::TriangleMesh;

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BoundingBox {
    /// The least coordinates.
    #[serde(rename = "min", serialize_with = "as_array")]
    pub low: DVec3,
    /// The greatest coordinates.
    #[serde(rename = "max", serialize_with = "as_array")]
    pub high: DVec3,
}

fn as_array<S: Serializer>(point: &DVec3, to: S) -> Result<S::Ok, S::Error> {
    point.to_array().serialize(to)
}

impl BoundingBox {
    /// The box without points, to begin with.
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The least box around points; `None` without points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let all = points.into_iter().fold(Self::EMPTY, Self::with);
        (all.low.x <= all.high.x).then_some(all)
    }

    /// The least box around this one and a point.
    pub fn with(self, point: DVec3) -> Self {
        Self { low: self.low.min(point), high: self.high.max(point) }
    }

    /// The least box around this one and another one.
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether another box is within this one.
    pub fn contains(&self, other: &Self) -> bool {
        self.low.cmple(other.low).all() && self.high.cmpge(other.high).all()
    }

    /// The middle.
    pub fn middle(&self) -> DVec3 {
        self.low / 2.0 + self.high / 2.0
    }

    /// Lengths along the axes.
    pub fn size(&self) -> DVec3 {
        self.high - self.low
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        self.size().length()
    }
}

impl TriangleMesh {
    /// The corners of a face.
    ///
    /// # Panics
    /// If an index of the face is out of range.
    fn triangle(&self, face: &[u32; 3]) -> [DVec3; 3] {
        face.map(|vertex| self.positions[vertex as usize])
    }

    /// The least box around the vertices that faces have, in the units of the positions; `None` for a mesh
    /// without faces. Linear.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn bounding_box(&self) -> Option<BoundingBox> {
        BoundingBox::around(self.faces.iter().flat_map(|face| self.triangle(face)))
    }

    /// The area of all faces, in double precision. Linear.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn area(&self) -> f64 {
        let area = |face: &[u32; 3]| {
            let [a, b, c] = self.triangle(face);
            (b - a).cross(c - a).length() / 2.0
        };
        self.faces.iter().map(area).sum()
    }

    /// The volume that the faces enclose, in double precision: positive where their normals point outward,
    /// and parts that overlap count twice. `None` unless the surface is closed and consistently oriented
    /// ([`is_closed`](Self::is_closed)). Sorts the sides.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn volume(&self) -> Option<f64> {
        self.is_closed().then(|| self.signed_volume())
    }

    /// The volume between the faces and the middle of the bounding box: for a closed and consistently
    /// oriented surface [`volume`](Self::volume), without a check of that; 0 without faces. Linear.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn signed_volume(&self) -> f64 {
        let Some(bounds) = self.bounding_box() else { return 0.0 };
        // around the middle, for the sake of precision
        let middle = bounds.middle();
        let six_times = |face: &[u32; 3]| {
            let [a, b, c] = self.triangle(face).map(|p| p - middle);
            a.dot(b.cross(c))
        };
        self.faces.iter().map(six_times).sum::<f64>() / 6.0
    }

    /// Whether the surface is closed and consistently oriented: every edge is as often a side of faces in one
    /// direction as in the other. Edges may have more than two faces. Sorts the sides.
    pub fn is_closed(&self) -> bool {
        let sides = |f: &[u32; 3]| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]];
        let ascending = |flip: bool| {
            let ends = move |[a, b]: [u32; 2]| if flip { [b, a] } else { [a, b] };
            let all = self.faces.par_iter().flat_map_iter(sides).map(ends).filter(|[a, b]| a < b);
            let mut pairs: Vec<[u32; 2]> = all.collect();
            pairs.par_sort_unstable();
            pairs
        };
        !self.faces.is_empty() && ascending(false) == ascending(true)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::{TriangleMesh, shapes};

    /// A box with its faces outward.
    fn cuboid([x, y, z]: [f64; 3], at: DVec3) -> TriangleMesh {
        let corner =
            |i: u32| at + DVec3::new(f64::from(i & 1) * x, f64::from(i >> 1 & 1) * y, f64::from(i >> 2) * z);
        let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = squares.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        TriangleMesh::new((0..8).map(corner).collect(), faces.collect())
    }

    #[test]
    fn of_a_cuboid_far_away() {
        let at = DVec3::new(4e5, 5.2e6, 100.0);
        let mut mesh = cuboid([2.0, 3.0, 5.0], at);
        mesh.positions.push(DVec3::splat(9e9));
        let bounds = mesh.bounding_box().expect("faces");
        assert_eq!((bounds.low, bounds.size()), (at, DVec3::new(2.0, 3.0, 5.0)));
        assert_eq!(bounds.diagonal(), 38_f64.sqrt());
        assert_eq!(mesh.area(), 62.0);
        assert!((mesh.volume().expect("closed") - 30.0).abs() < 1e-12);
        mesh.faces.iter_mut().for_each(|face| face.swap(0, 1));
        assert!((mesh.volume().expect("closed") + 30.0).abs() < 1e-12, "inward");
    }

    #[test]
    fn only_closed_and_oriented_surfaces_have_a_volume() {
        let whole = cuboid([1.0; 3], DVec3::ZERO);
        let changed = |change: fn(&mut TriangleMesh)| {
            let mut mesh = whole.clone();
            change(&mut mesh);
            mesh.volume()
        };
        assert_eq!(changed(|mesh| _ = mesh.faces.pop()), None, "a hole");
        assert_eq!(changed(|mesh| mesh.faces[3].swap(0, 1)), None, "a turned face");
        assert_eq!(changed(|mesh| mesh.faces.push(mesh.faces[0])), None, "a face twice");
        assert_eq!(changed(|mesh| mesh.faces.push([3, 3, 4])), Some(1.0), "a degenerate face");
        assert_eq!(changed(|mesh| mesh.faces.clear()), None, "no faces");
        assert_eq!(shapes::mobius(20, 4).expect("small").volume(), None);
        assert_eq!(TriangleMesh::default().bounding_box(), None);
    }

    #[test]
    fn an_edge_of_four_faces_is_no_boundary() {
        // two tetrahedra that share an edge
        let p = [[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]];
        let positions = p.map(|p| p.map(|x| x as f32));
        let tetrahedron = |a, b, c, d| [[a, c, b], [a, b, d], [b, c, d], [c, a, d]];
        let faces = [tetrahedron(0, 2, 3, 1), tetrahedron(0, 4, 5, 1)].concat();
        let mesh = TriangleMesh::from_f32(positions, faces);
        assert!((mesh.volume().expect("closed") - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn of_a_sphere() {
        let sphere = shapes::icosphere(5).expect("small");
        let (area, volume) = (sphere.area(), sphere.volume().expect("closed"));
        let pi = std::f64::consts::PI;
        assert!(area < 4.0 * pi && area > 0.999 * 4.0 * pi, "{area}");
        assert!(volume < 4.0 / 3.0 * pi && volume > 0.998 * 4.0 / 3.0 * pi, "{volume}");
    }
}
