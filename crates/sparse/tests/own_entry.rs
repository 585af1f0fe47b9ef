//! An entry type of a crate's own, with kernels that the crate makes. On the CPU: the PTX of a test is not
//! compiled.
use bytemuck::{Pod, Zeroable};
use ribbonmesh::Device;
use ribbonmesh::device::PtxModule;
use ribbonmesh_sparse::{Csr, Element, Entry, Layout, Schedule, SparseMatrix, Variant, Vector};

/// The module that the macro's kernels name.
static PTX: PtxModule = PtxModule::cpu_only("own-entry");

/// Lengths of shortest paths, and how many edges they have: a product adds, a sum takes the shorter one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Path {
    length: f32,
    edges: f32,
}
impl Path {
    const NONE: Self = Self { length: f32::INFINITY, edges: 0.0 };
    const fn edge(length: f32) -> Self {
        Self { length, edges: 1.0 }
    }
    fn shorter(self, other: Self) -> Self {
        if other.length < self.length { other } else { self }
    }
}
impl Element for Path {
    type Real = f32;
    const ZERO: Self = Self::NONE;
    fn plus(self, other: Self) -> Self {
        self.shorter(other)
    }
}
impl Entry for Path {
    type Real = f32;
    type Element = Self;
    const ZERO: Self = Self::NONE;
    fn plus(self, other: Self) -> Self {
        self.shorter(other)
    }
    fn times(self, x: Self) -> Self {
        Self { length: self.length + x.length, edges: self.edges + x.edges }
    }
    fn adjoint(self) -> Self {
        self
    }
}
ribbonmesh_sparse::entry_kernels! {
    Path:
    rows_path RowsPath,
    balanced_path BalancedPath,
    pieces_path PiecesPath,
    update_path UpdatePath,
    adjoint_path AdjointPath
}

/// Shortest paths from a vertex of a ring with a chord, by products until nothing changes.
#[test]
fn shortest_paths() {
    let device = Device::cpu();
    let n = 300_u32;
    let mut edges: Vec<(u32, u32, f32)> = (0..n).map(|i| (i, (i + 1) % n, 1.0)).collect();
    edges.push((0, 100, 2.5));
    let stay = (0..n).map(|i| (i, i, Path { length: 0.0, edges: 0.0 }));
    let steps = edges.iter().flat_map(|&(a, b, x)| [(a, b, Path::edge(x)), (b, a, Path::edge(x))]);
    let graph: Vec<_> = stay.chain(steps).collect();
    let matrix = Csr::from_triplets(n as usize, n as usize, &graph).expect("a matrix");
    let expected = |i: u32| {
        let around = i.min(n - i) as f32;
        let by_chord = 2.5 + i.abs_diff(100).min(n - i.abs_diff(100)) as f32;
        around.min(by_chord)
    };
    let mut variants: Vec<_> = Layout::all().map(|layout| Variant { layout, ..Variant::CSR }).collect();
    variants.push(Variant { schedule: Schedule::Balanced, ..Variant::CSR });
    for variant in variants {
        let on_device = SparseMatrix::with_variant(&device, &matrix, variant).expect("a matrix");
        let mut start = vec![Path::NONE; n as usize];
        start[0] = Path { length: 0.0, edges: 0.0 };
        let mut x = Vector::upload(&device, &start, variant.layout.vector).expect("memory");
        let mut y = on_device.range().expect("memory");
        let mut steps = 0;
        loop {
            on_device.multiply(&x, &mut y).expect("a product");
            std::mem::swap(&mut x, &mut y);
            steps += 1;
            if x.download().expect("memory") == y.download().expect("memory") {
                break;
            }
        }
        let found = x.download().expect("memory");
        for (i, path) in (0..n).zip(&found) {
            assert_eq!(path.length, expected(i), "{variant}, vertex {i}");
        }
        let most = found.iter().fold(0.0, |most: f32, path| most.max(path.edges));
        assert_eq!(steps, most as u32 + 1, "{variant}");
    }
}
