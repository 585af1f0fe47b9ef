//! Figures of a mesh, tile by tile.
use crate::halo::Whole;
use crate::level::Sizes;
use crate::linked::Linked;
use crate::spread::{Spread, Values};
use glam::DVec3;
use ribbonmesh_mesh::{BoundingBox, UnionFind};
use serde::Serialize;

/// Sizes, defects, topology and shape of a mesh, as `ribbonmesh info` has them, in the units of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Vertices.
    pub vertices: u64,
    /// Edges.
    pub edges: u64,
    /// Faces.
    pub faces: u64,
    /// Edges of one face.
    pub boundary_edges: u64,
    /// Edges that are more than two sides of faces.
    pub nonmanifold_edges: u64,
    /// Vertices whose faces form several fans.
    pub nonmanifold_vertices: u64,
    /// Sets of faces connected across edges.
    pub components: u64,
    /// Vertices without a face.
    pub isolated_vertices: u64,
    /// Faces with a vertex twice.
    pub degenerate_faces: u64,
    /// Faces beyond the first with the same vertices.
    pub duplicate_faces: u64,
    /// Edges whose two faces have opposite orientations.
    pub inconsistent_edges: u64,
    /// Vertices − edges + faces.
    pub euler_characteristic: i64,
    /// Sum of the genera of all components; [`None`] unless the faces are a consistently oriented manifold.
    pub genus: Option<u64>,
    /// Area.
    pub area: f64,
    /// Volume; [`None`] unless every edge is as often a side in one direction as in the other.
    pub volume: Option<f64>,
    /// The box around the vertices of faces.
    pub bounding_box: BoundingBox,
    /// Lengths of edges.
    pub edge_length: Option<Spread>,
    /// Numbers of neighbours of vertices with faces.
    pub valence: Option<Spread>,
    /// Angles at corners, in degrees.
    pub angle: Option<Spread>,
}

/// Sums over tiles.
pub struct Sums {
    middle: DVec3,
    figures: Figures,
    with_faces: u64,
    closed: bool,
    six_volumes: f64,
    edge_length: Values,
    valence: Values,
    angle: Values,
    components: Linked<[u32; 2]>,
    loops: Linked<u32>,
    sides: Vec<Side>,
}

/// A side of a face at a vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The other vertex.
    to: u32,
    /// Whether the side goes there.
    outward: bool,
    /// The face, by its place among those at the vertex, and in the tile.
    at: u32,
    face: u32,
}

impl Sums {
    /// Before the first tile of a mesh; `middle` is a point in the mesh.
    pub fn new(Sizes { vertices, faces }: Sizes, middle: DVec3) -> Self {
        let figures = Figures {
            vertices,
            faces,
            edges: 0,
            boundary_edges: 0,
            nonmanifold_edges: 0,
            nonmanifold_vertices: 0,
            components: 0,
            isolated_vertices: 0,
            degenerate_faces: 0,
            duplicate_faces: 0,
            inconsistent_edges: 0,
            euler_characteristic: 0,
            genus: None,
            area: 0.0,
            volume: None,
            bounding_box: BoundingBox::EMPTY,
            edge_length: None,
            valence: None,
            angle: None,
        };
        Self {
            middle,
            figures,
            with_faces: 0,
            closed: true,
            six_volumes: 0.0,
            edge_length: Values::NONE,
            valence: Values::NONE,
            angle: Values::NONE,
            components: Linked::new(),
            loops: Linked::new(),
            sides: vec![],
        }
    }
    /// Adds a tile; `x` are the positions of its vertices in the units of the file.
    pub fn add(&mut self, tile: &Whole, x: &[DVec3]) {
        tile.faces[..tile.own_faces].iter().for_each(|face| self.face(face, x));
        let (starts, around) = faces_around(tile);
        let mut boundary = UnionFind::new(tile.vertices);
        let mut on_boundary = vec![false; tile.vertices];
        for v in 0..tile.vertices as u32 {
            let around = &around[starts[v as usize] as usize..starts[v as usize + 1] as usize];
            self.vertex(tile, v, around, x, |to, face| {
                if (face as usize) < tile.own_faces {
                    boundary.join(v, to);
                    on_boundary[v as usize] = true;
                    on_boundary[to as usize] = true;
                }
            });
        }
        let own = 0..tile.own_faces as u32;
        let shared = |v: u32| tile.shared.get(v as usize).copied().unwrap_or(false);
        let mut keys = vec![];
        for (f, &[a, b, c]) in own.clone().zip(&tile.faces) {
            for [v, w] in [[a, b], [b, c], [c, a]] {
                if shared(v) && shared(w) {
                    let [v, w] = [v, w].map(|v| tile.ids[v as usize]);
                    keys.push(([v.min(w), v.max(w)], f));
                }
            }
        }
        // faces of other tiles join those of this one only across edges that have keys
        let mut own_faces = UnionFind::new(tile.own_faces);
        join_across(&tile.faces[..tile.own_faces], &mut own_faces);
        self.components.add(&mut own_faces, own, keys.into_iter());
        let vertices = (0..tile.vertices as u32).filter(|&v| on_boundary[v as usize]);
        let keys = vertices.clone().filter(|&v| shared(v)).map(|v| (tile.ids[v as usize], v));
        self.loops.add(&mut boundary, vertices, keys);
    }
    /// Adds a face.
    fn face(&mut self, face: &[u32; 3], x: &[DVec3]) {
        let [a, b, c] = face.map(|v| x[v as usize]);
        let n = (b - a).cross(c - a);
        self.figures.area += 0.5 * n.length();
        let [p, q, r] = [a, b, c].map(|p| p - self.middle);
        self.six_volumes += p.dot(q.cross(r));
        let [i, j, k] = *face;
        if i == j || j == k || k == i {
            self.figures.degenerate_faces += 1;
            return;
        }
        for (o, p, q) in [(a, b, c), (b, c, a), (c, a, b)] {
            let (u, v) = (p - o, q - o);
            if u != DVec3::ZERO && v != DVec3::ZERO {
                self.angle.add(u.cross(v).length().atan2(u.dot(v)).to_degrees());
            }
        }
    }
    /// Adds a vertex of the tile with the faces around it, and the edges of which it is the lower end, if the
    /// tile is the first that has it. Gives the edges of one face to `boundary`, whatever tile is the first.
    fn vertex(
        &mut self,
        tile: &Whole,
        v: u32,
        around: &[u32],
        x: &[DVec3],
        mut boundary: impl FnMut(u32, u32),
    ) {
        let (id, owned) = (tile.ids[v as usize], tile.owned[v as usize]);
        let mut sides = std::mem::take(&mut self.sides);
        sides.clear();
        for (at, &face) in (0..).zip(around) {
            let [a, b, c] = tile.faces[face as usize];
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if from == v {
                    sides.push(Side { to, outward: true, at, face });
                } else if to == v {
                    sides.push(Side { to: from, outward: false, at, face });
                }
            }
        }
        sides.sort_unstable();
        let mut fans = UnionFind::new(around.len());
        let mut neighbours = 0;
        for edge in sides.chunk_by(|a, b| a.to == b.to) {
            let Side { to, face, .. } = edge[0];
            edge.windows(2).for_each(|pair| _ = fans.join(pair[0].at, pair[1].at));
            neighbours += u64::from(to != v);
            // a side from a vertex to itself is there once
            let other = tile.ids[to as usize];
            if id > other {
                continue;
            }
            if edge.len() == 1 && to != v {
                boundary(to, face);
            }
            if owned {
                self.edge(v, edge, x);
            }
        }
        if owned {
            self.with_faces += 1;
            self.figures.nonmanifold_vertices += u64::from(fans.count() > 1);
            self.valence.add(neighbours as f64);
            self.figures.bounding_box = self.figures.bounding_box.with(x[v as usize]);
            self.figures.duplicate_faces += duplicates(tile, id, around);
        }
        self.sides = sides;
    }
    /// Adds an edge of a vertex by its sides.
    fn edge(&mut self, v: u32, sides: &[Side], x: &[DVec3]) {
        let figures = &mut self.figures;
        figures.edges += 1;
        let outward = sides.iter().filter(|side| side.outward).count();
        let (to, inward) = (sides[0].to, sides.len() - outward);
        figures.boundary_edges += u64::from(sides.len() == 1);
        figures.nonmanifold_edges += u64::from(sides.len() > 2);
        if to == v {
            return;
        }
        self.closed &= outward == inward;
        figures.inconsistent_edges += u64::from(sides.len() == 2 && outward != inward);
        self.edge_length.add(x[v as usize].distance(x[to as usize]));
    }
    /// The figures of the mesh.
    pub fn figures(self) -> Figures {
        let Self { mut figures, with_faces, .. } = self;
        figures.components = self.components.count();
        figures.isolated_vertices = figures.vertices - with_faces;
        figures.euler_characteristic = figures.vertices as i64 - figures.edges as i64 + figures.faces as i64;
        figures.volume = self.closed.then_some(self.six_volumes / 6.0);
        let defects = figures.nonmanifold_edges
            + figures.nonmanifold_vertices
            + figures.degenerate_faces
            + figures.inconsistent_edges;
        figures.genus = (defects == 0).then(|| {
            let characteristic = figures.euler_characteristic - figures.isolated_vertices as i64;
            (2 * figures.components as i64 - self.loops.count() as i64 - characteristic) as u64 / 2
        });
        figures.edge_length = self.edge_length.spread();
        figures.valence = self.valence.spread();
        figures.angle = self.angle.spread();
        figures
    }
}

/// The faces around each vertex of the tile, each face once: where the row of each vertex begins, and the
/// faces.
pub fn faces_around(tile: &Whole) -> (Vec<u32>, Vec<u32>) {
    let of_face = |&[a, b, c]: &[u32; 3]| {
        let twice = [false, b == a, c == a || c == b];
        [a, b, c].into_iter().zip(twice).filter(|&(v, twice)| !twice && (v as usize) < tile.vertices)
    };
    let mut starts = vec![0; tile.vertices + 1];
    for (v, _) in tile.faces.iter().flat_map(of_face) {
        starts[v as usize + 1] += 1;
    }
    for v in 0..tile.vertices {
        starts[v + 1] += starts[v];
    }
    let mut next = starts.clone();
    let mut around = vec![0; starts[tile.vertices] as usize];
    for (f, face) in (0..).zip(&tile.faces) {
        for (v, _) in of_face(face) {
            around[next[v as usize] as usize] = f;
            next[v as usize] += 1;
        }
    }
    (starts, around)
}

/// Faces at the owned vertex of a number, beyond the first with the same vertices, where no vertex has a
/// lower number.
fn duplicates(tile: &Whole, id: u32, around: &[u32]) -> u64 {
    let ids = |&face: &u32| {
        let mut ids = tile.faces[face as usize].map(|v| tile.ids[v as usize]);
        ids.sort_unstable();
        ids
    };
    let mut known: Vec<[u32; 3]> = around.iter().map(ids).filter(|ids| ids[0] == id).collect();
    let all = known.len();
    known.sort_unstable();
    known.dedup();
    (all - known.len()) as u64
}

/// Joins faces across edges.
fn join_across(faces: &[[u32; 3]], sets: &mut UnionFind) {
    let mut sides: Vec<(u64, u32)> = vec![];
    for (f, &[a, b, c]) in (0..).zip(faces) {
        let key = |v: u32, w: u32| u64::from(v.min(w)) << 32 | u64::from(v.max(w));
        sides.extend([(key(a, b), f), (key(b, c), f), (key(c, a), f)]);
    }
    sides.sort_unstable();
    sides.windows(2).filter(|pair| pair[0].0 == pair[1].0).for_each(|pair| {
        sets.join(pair[0].1, pair[1].1);
    });
}
