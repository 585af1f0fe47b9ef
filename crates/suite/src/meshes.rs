//! Small meshes of every class.
use crate::{Random, sanitized, size};
use ribbonmesh_mesh::shapes;

/// Indexed triangles with a name for messages.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name for messages.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Vertices of each face.
    pub faces: Vec<[u32; 3]>,
}
impl Case {
    /// Names triangles.
    pub fn new(name: impl Into<String>, vertices: usize, faces: Vec<[u32; 3]>) -> Self {
        Self { name: name.into(), vertices, faces }
    }
    fn shape(name: &str, shape: ribbonmesh_mesh::TriangleMesh) -> Self {
        Self::new(name, shape.positions.len(), shape.faces)
    }
    /// Appends another one.
    fn and(mut self, other: &Case) -> Self {
        let n = self.vertices as u32;
        self.faces.extend(other.faces.iter().map(|f| f.map(|v| v + n)));
        self.vertices += other.vertices;
        self
    }
    /// Puts vertices, faces and corners in another order; orientations stay.
    pub fn shuffled(mut self, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut to: Vec<u32> = (0..self.vertices as u32).collect();
        for i in (1..to.len()).rev() {
            to.swap(i, random.below(i as u32 + 1) as usize);
        }
        for i in (1..self.faces.len()).rev() {
            self.faces.swap(i, random.below(i as u32 + 1) as usize);
        }
        for f in &mut self.faces {
            *f = f.map(|v| to[v as usize]);
            f.rotate_left(random.below(3) as usize);
        }
        self.name += ", shuffled";
        self
    }
    /// Turns a third of the faces.
    fn flipped(mut self, seed: u64) -> Self {
        let mut random = Random(seed);
        for f in &mut self.faces {
            if random.below(3) == 0 {
                f.swap(1, 2);
            }
        }
        self.name += ", inconsistent";
        self
    }
}

/// Icosahedron, subdivided `k` times.
pub fn icosphere(k: u32) -> Case {
    Case::shape("icosphere", shapes::icosphere(k).expect("small"))
}
/// Square of n × n vertices.
pub fn grid(n: u32) -> Case {
    Case::shape("grid", shapes::grid(n, 1).expect("small"))
}
/// Torus of about n² vertices.
pub fn torus(n: u32) -> Case {
    Case::shape("torus", shapes::torus(n, 1).expect("small"))
}
/// Möbius strip of `n` vertices around.
pub fn mobius(n: u32) -> Case {
    Case::shape("mobius", shapes::mobius(n, 4).expect("small"))
}
/// A disc of `n` triangles around one vertex; closed, or with a gap.
pub fn fan(n: u32, closed: bool) -> Case {
    let faces = (0..n).map(|i| [0, i + 1, if closed { (i + 1) % n + 1 } else { i + 2 }]).collect();
    Case::new(if closed { "closed fan" } else { "open fan" }, n as usize + 2, faces)
}
/// `n` triangles at one edge.
pub fn book(n: u32) -> Case {
    Case::new("book", n as usize + 2, (0..n).map(|i| [0, 1, i + 2]).collect())
}
/// Random triangles on few vertices: everything that can be wrong.
pub fn soup(vertices: u32, faces: u32, seed: u64) -> Case {
    let mut random = Random(seed);
    let mut vertex = || random.below(vertices);
    let list = (0..faces).map(|_| [vertex(), vertex(), vertex()]).collect();
    Case::new(format!("soup of {faces} faces"), vertices as usize, list)
}

/// Meshes of each class; under a sanitizer those that have something of each.
pub fn all() -> Vec<Case> {
    let tetrahedron = Case::new("tetrahedron", 4, vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]]);
    let mut components = icosphere(1);
    for _ in 0..40 {
        components = components.and(&tetrahedron).and(&fan(5, false));
    }
    components.name = "many components".into();
    let isolated = Case::new("isolated vertices", 9, vec![[2, 4, 7], [4, 2, 8]]);
    let mut duplicates = grid(6);
    duplicates.faces.extend_from_within(3..11);
    duplicates.name = "duplicate faces".into();
    let mut degenerate = grid(7);
    degenerate.faces.extend([[3, 3, 9], [5, 6, 6], [8, 8, 8], [40, 41, 40], [12, 12, 13]]);
    degenerate.name = "degenerate faces".into();
    let mut fin = torus(9);
    fin.vertices += 1;
    fin.faces.push([fin.faces[0][0], fin.faces[0][1], fin.vertices as u32 - 1]);
    fin.name = "torus with a fin".into();
    // one thread compares all corners of the hub with each other
    let hub = size(1000, 101);
    let mut all = vec![
        Case::new("empty", 0, vec![]),
        Case::new("only points", 5, vec![]),
        Case::new("single face", 3, vec![[2, 0, 1]]),
        Case::new("one degenerate face", 2, vec![[0, 0, 1]]),
        Case::new("one point face", 1, vec![[0, 0, 0]]),
        Case::new("pillow", 3, vec![[0, 1, 2], [0, 2, 1]]),
        Case::new("twice the same", 3, vec![[0, 1, 2], [0, 1, 2]]),
        Case::new("two against each other", 4, vec![[0, 1, 2], [0, 1, 3]]),
        tetrahedron,
        Case::new("bow-tie", 5, vec![[0, 1, 2], [0, 3, 4]]),
        icosphere(2),
        icosphere(3).shuffled(3),
        torus(14),
        torus(14).flipped(2),
        grid(12),
        grid(20).shuffled(5),
        grid(9).flipped(4),
        mobius(15),
        components,
        isolated,
        book(3),
        book(40),
        fin,
        duplicates,
        degenerate,
        fan(hub, true),
        fan(hub, false),
        soup(12, 60, 7),
        soup(40, 300, 8),
        soup(300, 500, 9),
    ];
    if sanitized() {
        let kept = [
            "torus, inconsistent",
            "mobius",
            "many components",
            "isolated vertices",
            "book",
            "degenerate faces",
            "closed fan",
            "soup of 300 faces",
            "icosphere, shuffled",
        ];
        all.retain(|case| kept.contains(&case.name.as_str()));
    }
    all
}

/// Real meshes, as far as they are there: in the folder `RIBBONMESH_MESHES`, or beside the repository. None
/// under a sanitizer.
pub fn real() -> Vec<Case> {
    if sanitized() {
        println!("skipped: too large for a sanitizer");
        return vec![];
    }
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/meshes");
    let folder = std::env::var("RIBBONMESH_MESHES").unwrap_or_else(|_| beside.to_owned());
    let load = |name: &str| {
        let path = std::path::Path::new(&folder).join(name);
        if !path.exists() {
            println!("skipped: no {}", path.display());
            return None;
        }
        let mesh = ribbonmesh_io::read(&path).expect("a readable mesh").mesh;
        Some(Case::new(name, mesh.positions.len(), mesh.faces))
    };
    ["oded-mountain.obj", "oded-lionstatue.obj", "stanford-bunny.obj"].into_iter().filter_map(load).collect()
}
