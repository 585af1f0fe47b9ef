//! Small cases with known answers: what the classic operators make, and why they are rejected.
use crate::common;
use crate::suite;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{Classic, DynamicAttribute, DynamicMesh, PassReport, Rejection, rejections};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh, Vertex};
use std::collections::BTreeSet;

type Faces = Vec<[u32; 3]>;
/// A name, a mesh, an operator, its seeds, and why nothing is done, or none.
type Attempt = (&'static str, Faces, Classic, &'static [u32], Option<Rejection>);

/// A mesh in the numbers of its input; vertex v begins at (v, v², 0).
struct Case {
    mesh: DynamicMesh,
    x: DynamicAttribute<Vertex, Vec3>,
    /// The input's number of each vertex.
    inputs: Vec<u32>,
}
fn place(v: u32) -> Vec3 {
    Vec3::new(v as f32, (v * v) as f32, 0.0)
}
impl Case {
    fn new(device: &Device, faces: &Faces) -> Self {
        let n = faces.iter().flatten().max().map_or(0, |v| v + 1);
        let points: Vec<Vec3> = (0..n).map(place).collect();
        let mesh = StaticMesh::new(device, n as usize, faces, &MeshOptions::default()).expect("a mesh");
        let inputs = mesh.vertex_inputs().read().expect("readable");
        let dynamic = DynamicMesh::new(&mesh, 0.0).expect("a manifold");
        let x = Attribute::from_input(&mesh, &points).expect("memory");
        let x = DynamicAttribute::from_static(&dynamic, &x).expect("memory");
        Self { mesh: dynamic, x, inputs }
    }
    fn input(&self, v: u32) -> u32 {
        self.inputs.get(v as usize).copied().unwrap_or(v)
    }
    fn id(&self, input: u32) -> u32 {
        self.inputs.iter().position(|i| *i == input).expect("a vertex") as u32
    }
    /// The element with these vertices: one, two or three.
    fn element(&self, of: &[u32]) -> u32 {
        let same = |vertices: &[u32]| {
            let found: BTreeSet<u32> = vertices.iter().map(|v| self.input(*v)).collect();
            vertices[0] != u32::MAX && found == of.iter().copied().collect()
        };
        let at = match of.len() {
            1 => self.inputs.iter().position(|v| *v == of[0]),
            2 => self.mesh.read_edges().expect("readable").iter().position(|e| same(e)),
            _ => self.mesh.read_faces().expect("readable").iter().position(|f| same(f)),
        };
        at.expect("an element") as u32
    }
    /// One for it, not a number for all others.
    fn only(&self, of: &[u32]) -> Vec<f32> {
        let kind = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face][of.len() - 1];
        let mut priority = vec![f32::NAN; self.mesh.ids(kind) as usize];
        priority[self.element(of) as usize] = 1.0;
        priority
    }
    fn apply(&mut self, operator: Classic, of: &[u32]) -> PassReport {
        let priority = self.mesh.device().upload(&self.only(of)).expect("memory");
        let report = self.mesh.apply(operator, &priority, &mut self.x).expect("a pass");
        self.mesh.validate().expect("valid");
        report
    }
    fn collapse_onto(&mut self, of: &[u32; 2], kept: u32) -> PassReport {
        let (device, priority) = (self.mesh.device().clone(), self.only(of));
        let onto = device.upload(&vec![self.id(kept); priority.len()]).expect("memory");
        let priority = device.upload(&priority).expect("memory");
        let report = self.mesh.collapse_onto(&onto, &priority, &mut self.x).expect("a pass");
        self.mesh.validate().expect("valid");
        report
    }
    /// Living faces, each from its least vertex on. Vertices that an operator made have the name `new`.
    fn faces(&self, new: &[(u32, u32)]) -> BTreeSet<[u32; 3]> {
        let name = |v: u32| {
            let renamed = new.iter().find(|(id, _)| *id == v);
            renamed.map_or_else(|| self.input(v), |(_, name)| *name)
        };
        let all = self.mesh.read_faces().expect("readable").into_iter().filter(|f| f[0] != u32::MAX);
        all.map(|f| least_first(f.map(name))).collect()
    }
    fn living(&mut self) -> [u32; 3] {
        self.mesh.living().expect("counted")
    }
    fn positions(&self) -> Vec<Vec3> {
        self.x.read(&self.mesh).expect("readable")
    }
}
fn least_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().expect("three")
}
fn set(faces: &[[u32; 3]]) -> BTreeSet<[u32; 3]> {
    faces.iter().map(|f| least_first(*f)).collect()
}
fn assert_rejected(report: &PassReport, reason: Rejection, what: &str) {
    let mut expected = [0; Rejection::COUNT as usize];
    expected[reason.index() as usize] = 1;
    assert_eq!((report.executed, report.rejected), (0, expected), "{what}");
}

fn one() -> Faces {
    vec![[0, 1, 2]]
}
fn two() -> Faces {
    vec![[0, 1, 2], [0, 2, 3]]
}
fn three() -> Faces {
    vec![[0, 1, 2], [0, 2, 3], [0, 3, 4]]
}
fn tetrahedron() -> Faces {
    vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
}
fn bipyramid() -> Faces {
    vec![[0, 1, 3], [1, 2, 3], [2, 0, 3], [1, 0, 4], [2, 1, 4], [0, 2, 4]]
}
fn octahedron() -> Faces {
    vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]]
}
/// Six faces around vertex 0.
fn hexagon() -> Faces {
    (0..6).map(|i| [0, i + 1, (i + 1) % 6 + 1]).collect()
}

suite! {
    fn rejections_have_the_right_reason(device) {
        use Classic::*;
        let cases: [Attempt; 20] = [
            ("a tetrahedron's edge has nothing around it", tetrahedron(), CollapseEdge, &[0, 1], Some(rejections::NOT_A_DISC)),
            ("nor has its face", tetrahedron(), CollapseFace, &[0, 1, 3], Some(rejections::NOT_A_DISC)),
            ("its other diagonal exists", tetrahedron(), FlipEdge, &[0, 1], Some(rejections::EDGE_EXISTS)),
            ("so does this one", bipyramid(), FlipEdge, &[0, 3], Some(rejections::EDGE_EXISTS)),
            ("one face only", two(), FlipEdge, &[0, 1], Some(rejections::ON_BOUNDARY)),
            ("the last face", one(), FlipEdge, &[0, 1], Some(rejections::ON_BOUNDARY)),
            ("it would vanish", one(), CollapseEdge, &[1, 2], Some(rejections::VANISHES)),
            ("both ends on the boundary", two(), CollapseEdge, &[0, 2], Some(rejections::PINCHES)),
            ("the same in a longer strip", three(), CollapseEdge, &[0, 3], Some(rejections::PINCHES)),
            ("a corner is not an inner vertex", two(), SplitVertex, &[0], Some(rejections::ON_BOUNDARY)),
            ("nor are the corners of a face", two(), CollapseFace, &[0, 1, 2], Some(rejections::ON_BOUNDARY)),
            ("a hexagon's face has two corners outside", hexagon(), CollapseFace, &[0, 1, 2], Some(rejections::ON_BOUNDARY)),
            ("an octahedron's edge leaves two faces", octahedron(), FlipEdge, &[0, 4], None),
            ("a face between two others", three(), DeleteFace, &[0, 2, 3], Some(rejections::NON_MANIFOLD_VERTEX)),
            ("the edge that joins", three(), DeleteEdge, &[0, 2], None),
            ("the last face may go", one(), DeleteFace, &[0, 1, 2], None),
            ("any vertex may go", hexagon(), DeleteVertex, &[0], None),
            ("a bipyramid becomes a tetrahedron", bipyramid(), CollapseEdge, &[0, 3], None),
            ("of a bipyramid an edge of the base", bipyramid(), CollapseEdge, &[0, 1], Some(rejections::NOT_A_DISC)),
            ("one of the hexagon's corners", hexagon(), SplitVertex, &[1], Some(rejections::ON_BOUNDARY)),
        ];
        for (what, faces, operator, of, reason) in cases {
            let mut case = Case::new(device, &faces);
            let report = case.apply(operator, of);
            let Some(reason) = reason else {
                assert_eq!((report.executed, report.rejected.iter().sum::<u32>()), (1, 0), "{what}");
                continue;
            };
            assert_rejected(&report, reason, what);
            assert_eq!(case.faces(&[]), set(&faces), "{what}");
        }
    }
    fn what_is_made(device) {
        let mut case = Case::new(device, &two());
        assert_eq!(case.apply(Classic::FlipEdge, &[0, 2]).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[0, 1, 3], [1, 2, 3]]));

        let mut case = Case::new(device, &two());
        case.apply(Classic::CollapseEdge, &[0, 1]);
        assert_eq!((case.living(), case.faces(&[]).len()), ([3, 3, 1], 1));

        let mut case = Case::new(device, &two());
        case.apply(Classic::DeleteEdge, &[0, 2]);
        assert_eq!(case.living(), [0, 0, 0]);

        let mut case = Case::new(device, &tetrahedron());
        case.apply(Classic::DeleteVertex, &[3]);
        assert_eq!((case.living(), case.faces(&[])), ([3, 3, 1], set(&[[0, 2, 1]])));

        let mut case = Case::new(device, &three());
        case.apply(Classic::DeleteFace, &[0, 1, 2]);
        assert_eq!((case.living(), case.faces(&[])), ([4, 5, 2], set(&[[0, 2, 3], [0, 3, 4]])));

        let mut case = Case::new(device, &one());
        case.apply(Classic::SplitFace, &[0, 1, 2]);
        assert_eq!(case.faces(&[(3, 9)]), set(&[[0, 1, 9], [1, 2, 9], [2, 0, 9]]));
        assert_eq!(case.positions()[3], (place(0) + place(1) + place(2)) / 3.0);

        let mut case = Case::new(device, &one());
        case.apply(Classic::SplitEdge, &[1, 2]);
        assert_eq!(case.faces(&[(3, 9)]), set(&[[0, 1, 9], [0, 9, 2]]));
        assert_eq!(case.positions()[3], 0.5 * (place(1) + place(2)));

        let mut case = Case::new(device, &octahedron());
        case.apply(Classic::CollapseFace, &[0, 1, 4]);
        assert_eq!(case.living(), [4, 6, 4]);

        let mut case = Case::new(device, &octahedron());
        case.apply(Classic::SplitVertex, &[4]);
        assert_eq!(case.living(), [7, 15, 10]);
    }
    fn a_bow_tie_is_rejected(device) {
        let mut case = Case::new(device, &hexagon());
        assert_eq!(case.apply(Classic::DeleteFace, &[0, 1, 2]).executed, 1);
        // vertex 0 would have two fans
        let report = case.apply(Classic::DeleteFace, &[0, 4, 5]);
        assert_rejected(&report, rejections::NON_MANIFOLD_VERTEX, "bow-tie");
        // next to the hole it has one
        assert_eq!(case.apply(Classic::DeleteFace, &[0, 2, 3]).executed, 1);
        assert_eq!(case.living(), [6, 9, 4]);
    }
    fn a_third_neighbour_in_common_is_rejected(device) {
        let mut case = Case::new(device, &octahedron());
        case.apply(Classic::SplitFace, &[0, 1, 4]);
        // vertex 4 is a neighbour of both, the new vertex is opposite of the edge
        assert_rejected(&case.apply(Classic::CollapseEdge, &[0, 1]), rejections::LINK, "link condition");
        assert_eq!(case.living(), [7, 15, 10]);
    }
    fn collapses_go_where_they_are_told(device) {
        // an inner edge of a hexagon with a vertex in its middle moved to the boundary
        let mut case = Case::new(device, &hexagon());
        assert_eq!(case.apply(Classic::CollapseEdge, &[0, 1]).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]]));
        assert_eq!(case.positions()[case.id(1) as usize], place(1), "the end on the boundary stays");

        let mut case = Case::new(device, &octahedron());
        let [edge, v] = [case.element(&[0, 4]), case.id(0).min(case.id(4))];
        assert_eq!(case.apply(Classic::CollapseEdge, &[0, 4]).executed, 1);
        let x = case.positions();
        let new: Vec<u32> = [case.id(0), case.id(4)].into_iter().filter(|v| x[*v as usize] == 0.5 * (place(0) + place(4))).collect();
        assert_eq!(new.len(), 1, "{x:?}, edge {edge}, vertex {v}");
        let around = set(&[[1, 2, 9], [2, 3, 9], [1, 9, 5], [9, 3, 5], [2, 1, 5], [3, 2, 5]]);
        assert_eq!(case.faces(&[(new[0], 9)]), around);

        for (faces, of, on_boundary) in [(octahedron(), [0, 4], None), (hexagon(), [0, 1], Some(1)), (two(), [0, 1], None)] {
            let mut case = Case::new(device, &faces);
            let point = Vec3::new(7.0, 8.0, 9.0);
            let priority = case.only(&of);
            let points = device.upload(&vec![point; priority.len()]).expect("memory");
            let report = case.mesh.collapse_to(&points, &device.upload(&priority).expect("memory"), &mut case.x);
            assert_eq!(report.expect("a pass").executed, 1);
            let x = case.positions();
            let moved: Vec<usize> = (0..x.len()).filter(|v| x[*v] == point).collect();
            assert_eq!(moved.len(), 1, "{of:?}");
            assert!(on_boundary.is_none_or(|v| moved[0] as u32 == case.id(v)), "{of:?}");
        }
        let mut case = Case::new(device, &two());
        let points = device.upload(&[Vec3::ZERO]).expect("memory");
        let priority = device.upload(&[1.0; 5]).expect("memory");
        let error = case.mesh.collapse_to(&points, &priority, &mut case.x).expect_err("too few");
        assert!(matches!(error, Error::Length { expected: 5, found: 1, .. }), "{error}");
    }
    fn collapses_onto_an_end(device) {
        // a vertex with three faces leaves one
        let mut case = Case::new(device, &bipyramid());
        assert_eq!(case.collapse_onto(&[0, 3], 0).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[0, 1, 2], [1, 0, 4], [2, 1, 4], [0, 2, 4]]));
        assert_eq!(case.positions()[case.id(0) as usize], place(0));
        // once more that face would lie on another one
        assert_rejected(&case.collapse_onto(&[0, 4], 0), rejections::FACE_EXISTS, "tetrahedron");

        let mut case = Case::new(device, &octahedron());
        assert_eq!(case.collapse_onto(&[4, 0], 0).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[0, 1, 2], [0, 2, 3], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]]));
        // 0 and 2 are neighbours of 1, which has three faces, and of each other
        assert_rejected(&case.collapse_onto(&[0, 2], 2), rejections::EDGE_EXISTS, "link condition");

        // from the boundary to the inside, from the inside to the boundary, along the boundary
        let mut case = Case::new(device, &hexagon());
        assert_eq!(case.collapse_onto(&[0, 1], 0).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6]]));
        let mut case = Case::new(device, &hexagon());
        assert_eq!(case.collapse_onto(&[0, 1], 1).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]]));
        let mut case = Case::new(device, &hexagon());
        assert_eq!(case.collapse_onto(&[1, 2], 2).executed, 1);
        assert_eq!(case.faces(&[]), set(&[[0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 2]]));

        // what would vanish or be pinched
        assert_rejected(&Case::new(device, &one()).collapse_onto(&[0, 1], 0), rejections::VANISHES, "one face");
        assert_rejected(&Case::new(device, &two()).collapse_onto(&[0, 2], 0), rejections::VANISHES, "two faces");
        let report = Case::new(device, &three()).collapse_onto(&[0, 3], 3);
        assert_rejected(&report, rejections::PINCHES, "an inner edge between vertices of the boundary");
        // an edge that does not have the vertex is not meant
        let report = Case::new(device, &hexagon()).collapse_onto(&[0, 1], 4);
        assert_eq!((report.executed, report.rejected.iter().sum::<u32>()), (0, 0));
    }
}
