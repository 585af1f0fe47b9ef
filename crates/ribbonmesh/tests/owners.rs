//! Data of one mesh, topology, surface or launch are refused by another, although sizes agree; and nothing is
//! changed then. On a GPU most of these calls would read or write the memory of others. Without `unsafe`, as
//! programs of others are.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "nobody uses these kernels from outside")]
use ribbonmesh::device::{Block, ElementKind, MeshView, Out, PtxModule, Values, kernel};
use ribbonmesh::dynamic::{
    AttributeSet, Capacity, Classic, Compaction, DynamicAttribute, DynamicMesh, Follow, PatchOptions,
};
use ribbonmesh::glam::Vec3;
use ribbonmesh::surface::{Changed, Vertices};
use ribbonmesh::{
    Attribute, Device, Edge, Error, Face, FlatTopology, MeshOptions, StaticMesh, Surface, Vertex,
};
use ribbonmesh_mesh::shapes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// On the CPU alone.
pub static PTX: PtxModule = PtxModule::cpu_only("owners");

/// Counts to `rounds` and records a code, unless it is 0.
#[kernel(threads = 32)]
pub fn count_and_record<'a>(block: &Block, code: u32, rounds: u32, to: Out<'a, u32>) {
    block.single_nosync(|| {
        let mut sum = 0_u32;
        for i in 0..rounds {
            sum = sum.wrapping_mul(31).wrapping_add(i);
        }
        to.set(block.index(), sum);
        if code != 0 {
            block.status().record_code(code, block.index(), rounds, 0);
        }
    });
}
#[kernel(threads = 32)]
pub fn record_and_panic(block: &Block, code: u32) {
    block.single_nosync(|| {
        block.status().record_code(code, 0, 0, 0);
        panic!("on purpose");
    });
}
#[kernel(threads = 32)]
pub fn first_of_column<'a>(block: &Block, _mesh: MeshView<'a>, x: Values<'a, Vertex, f32>, to: Out<'a, f32>) {
    block.single_nosync(|| to.set(0, x.memory().get(0)));
}
#[kernel(threads = 32)]
pub fn first_of_two<'a>(
    block: &Block,
    x: Values<'a, Vertex, f32>,
    y: Values<'a, Vertex, f32>,
    to: Out<'a, f32>,
) {
    block.single_nosync(|| to.set(0, x.memory().get(0) + y.memory().get(0)));
}

const NOTHING: &str = "enough memory";

/// One device for all meshes: what is refused here is not refused for the device.
fn cpu() -> &'static Device {
    static CPU: OnceLock<Device> = OnceLock::new();
    CPU.get_or_init(Device::cpu)
}

struct Ball {
    patches: StaticMesh,
    points: Attribute<Vertex, Vec3>,
    mesh: DynamicMesh,
    x: DynamicAttribute<Vertex, Vec3>,
}
impl Ball {
    /// A sphere with this many subdivisions.
    fn new(k: u32) -> Self {
        let shape = shapes::icosphere(k).expect("small");
        let (n, options) = (shape.positions.len(), MeshOptions { patch_size: 64, ..MeshOptions::default() });
        let patches = StaticMesh::new(cpu(), n, &shape.faces, &options).expect(NOTHING);
        let points = Attribute::from_input(&patches, &shape.points()).expect(NOTHING);
        let mesh = DynamicMesh::new(&patches, 0.0).expect("a manifold");
        let x = DynamicAttribute::from_static(&mesh, &points).expect(NOTHING);
        Self { patches, points, mesh, x }
    }
    fn faces(&self) -> Vec<[u32; 3]> {
        self.mesh.read_faces().expect(NOTHING)
    }
    /// Splits some edges, so that the mesh gets more elements.
    fn split(&mut self) {
        let n = self.mesh.ids(ElementKind::Edge);
        let priority: Vec<f32> = (0..n).map(|e| if e % 5 == 0 { e as f32 } else { f32::NAN }).collect();
        let priority = self.mesh.device().upload(&priority).expect(NOTHING);
        let done = self.mesh.apply(Classic::SplitEdge, &priority, &mut self.x).expect("its own positions");
        assert!(done.executed > 0);
    }
}

#[track_caller]
fn other_mesh<T>(result: Result<T, Error>) {
    match result.err() {
        Some(Error::OtherMesh { .. }) => {}
        other => panic!("{other:?}"),
    }
}
#[track_caller]
fn other_numbering<T>(result: Result<T, Error>, [expected_, found_]: [u32; 2]) {
    match result.err() {
        Some(Error::OtherNumbering { expected, found, .. }) => {
            assert_eq!([expected, found], [expected_, found_]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_snapshot_goes_back_to_its_own_mesh_alone() {
    for (k, other) in [(2, 1), (2, 2), (1, 2)] {
        let (mut mine, mut theirs) = (Ball::new(k), Ball::new(other));
        let before = mine.faces();
        theirs.split();
        other_mesh(mine.mesh.restore(&theirs.mesh.snapshot().expect(NOTHING)));
        assert_eq!(mine.faces(), before, "nothing was written");
        mine.mesh.refresh(&PatchOptions::default()).expect("patches as before");
        mine.mesh.validate().expect("as before");
    }
    let mut mine = Ball::new(2);
    let (before, snapshot) = (mine.faces(), mine.mesh.snapshot().expect(NOTHING));
    mine.split();
    mine.mesh.restore(&snapshot).expect("its own, although it has grown");
    assert_eq!(mine.faces(), before);
    let copy = Ball::new(2).x.try_clone().expect(NOTHING);
    other_mesh(mine.x.restore(&copy));
    // a mesh that was made of the same patches is another one, too
    let twin = DynamicMesh::new(&mine.patches, 0.0).expect("a manifold");
    other_mesh(mine.mesh.restore(&twin.snapshot().expect(NOTHING)));
}

#[test]
fn corners_of_vertices_belong_to_their_topology() {
    let device = cpu();
    let flat = |k: u32| {
        let shape = shapes::icosphere(k).expect("small");
        FlatTopology::new(device, shape.positions.len(), &shape.faces).expect(NOTHING)
    };
    let (large, small, same) = (flat(2), flat(1), flat(2));
    let mine = large.corners_of_vertices().expect(NOTHING);
    for other in [&small, &same] {
        let theirs = other.corners_of_vertices().expect(NOTHING);
        other_mesh(large.neighbours(&theirs));
        other_mesh(large.corners_view(&theirs));
        other_mesh(large.mesh_view(&theirs));
        other_mesh(other.neighbours(&mine));
    }
    // groups of something else, of as many keys
    let keys = device.upload(&vec![0; 3 * large.faces()]).expect(NOTHING);
    other_mesh(
        large.neighbours(&ribbonmesh::array::group_by(&keys, large.vertices() as u32).expect(NOTHING)),
    );
    let found = large.neighbours(&mine).expect("its own");
    assert_eq!(found.vertices.len(), 2 * large.edges());
    large.mesh_view(&large.all_corners_of_vertices().expect(NOTHING)).expect("its own");
}

#[test]
fn values_are_read_by_their_own_mesh() {
    for other in [1, 2, 3] {
        let (mine, theirs) = (Ball::new(2), Ball::new(other));
        other_mesh(mine.x.to_buffer(&theirs.mesh));
        other_mesh(mine.x.read(&theirs.mesh));
        other_mesh(mine.x.require_mesh(&theirs.mesh));
        other_mesh(mine.x.into_buffer(&theirs.mesh));
    }
    // made before the mesh got more elements: new elements have zero bytes
    let mut mine = Ball::new(1);
    let n = mine.mesh.ids(ElementKind::Vertex) as usize;
    let kept = mine.x.try_clone().expect(NOTHING);
    mine.split();
    let more = mine.mesh.ids(ElementKind::Vertex) as usize;
    assert!(more > n);
    assert!(
        matches!(kept.require_mesh(&mine.mesh), Err(Error::Length { expected, found, .. }) if expected == more && found == n)
    );
    let values = kept.to_buffer(&mine.mesh).and_then(|values| values.read()).expect(NOTHING);
    assert_eq!(values.len(), more);
    assert!(values[n..].iter().all(|p| *p == Vec3::ZERO) && values[..n].iter().all(|p| p.length() > 0.9));
}

#[test]
fn static_and_dynamic_values_of_different_meshes_do_not_mix() {
    let (mut mine, theirs) = (Ball::new(2), Ball::new(2));
    other_mesh(DynamicAttribute::from_static(&mine.mesh, &theirs.points));
    other_mesh(mine.x.copy_from(&theirs.points));
    other_mesh(mine.x.to_static(&theirs.patches));
    let mut to = Attribute::<Vertex, Vec3>::zeros(&theirs.patches).expect(NOTHING);
    other_mesh(mine.x.copy_to(&mut to));
    assert!(to.download().expect(NOTHING).iter().all(|p| *p == Vec3::ZERO));
    let f = Attribute::<Face, u32>::zeros(&theirs.patches).expect(NOTHING);
    other_mesh(DynamicAttribute::from_static(&mine.mesh, &f));
    let e = Attribute::<Edge, u32>::zeros(&theirs.patches).expect(NOTHING);
    other_mesh(DynamicAttribute::from_static(&mine.mesh, &e));
    // the mesh that it was made of, and its own patches
    mine.x.copy_from(&mine.points).expect("the same ids");
    mine.x.to_static(&mine.patches).expect("the same ids");
    mine.split();
    let done = mine.mesh.refresh(&PatchOptions::default()).expect(NOTHING);
    let patches = mine.mesh.patches().expect("just refreshed");
    other_mesh(mine.x.to_static(patches));
    done.compaction.expect("elements came").apply_to(&mut mine.x).expect("the next compaction");
    mine.x.to_static(patches).expect("it has followed");
    other_mesh(mine.x.copy_to(&mut mine.points));
}

#[test]
fn a_compaction_is_applied_once_and_never_left_out() {
    let mut mine = Ball::new(2);
    let mut tags = DynamicAttribute::<Vertex, u32>::of_ids(&mine.mesh).expect(NOTHING);
    let missed = mine.x.try_clone().expect(NOTHING);
    let first = mine.mesh.repartition().expect(NOTHING);
    // forgotten
    other_numbering(mine.x.read(&mine.mesh), [1, 0]);
    other_numbering(mine.x.to_buffer(&mine.mesh), [1, 0]);
    first.apply_to(&mut mine.x).expect("once");
    let after = mine.x.read(&mine.mesh).expect(NOTHING);
    // twice
    other_numbering(first.apply_to(&mut mine.x), [0, 1]);
    assert_eq!(mine.x.read(&mine.mesh).expect(NOTHING), after);
    // one of a set has followed already: the other is left as it is
    struct Both<'a>(&'a mut DynamicAttribute<Vertex, u32>, &'a mut DynamicAttribute<Vertex, Vec3>);
    impl AttributeSet for Both<'_> {
        fn for_each_attribute(
            &mut self,
            visit: &mut dyn FnMut(&mut dyn Follow) -> ribbonmesh::Result<()>,
        ) -> ribbonmesh::Result<()> {
            visit(self.0)?;
            visit(self.1)
        }
    }
    other_numbering(first.apply_to(&mut Both(&mut tags, &mut mine.x)), [0, 1]);
    first.apply_to(&mut tags).expect("it had not followed");
    let second = mine.mesh.compact().expect(NOTHING);
    // left out, and out of order
    let mut late = missed;
    other_numbering(second.apply_to(&mut late), [1, 0]);
    first.apply_to(&mut late).expect("the first");
    second.apply_to(&mut late).expect("then the second");
    assert_eq!(late.numbering(), mine.mesh.numbering());
    other_numbering(first.apply_to(&mut mine.x), [0, 1]);
    // of another mesh
    let mut theirs = Ball::new(2);
    let other: Compaction = theirs.mesh.compact().expect(NOTHING);
    other_mesh(other.apply_to(&mut mine.x));
    let text = first.apply_to(&mut mine.x).expect_err("again").to_string();
    assert!(text.contains("an attribute of vertices") && text.contains("apply_to"), "{text}");
}

#[test]
fn operators_take_the_attributes_of_their_mesh() {
    for k in [1, 2, 3] {
        let (mut mine, mut theirs) = (Ball::new(2), Ball::new(k));
        let before = mine.faces();
        let edges = mine.mesh.ids(ElementKind::Edge) as usize;
        let priority = mine.mesh.device().upload(&vec![1.0; edges]).expect(NOTHING);
        other_mesh(mine.mesh.apply(Classic::SplitEdge, &priority, &mut theirs.x));
        other_mesh(mine.mesh.apply(Classic::CollapseEdge, &priority, &mut theirs.x));
        assert_eq!(mine.faces(), before, "nothing has changed");
        assert_eq!(theirs.x.read(&theirs.mesh).expect(NOTHING).len(), theirs.patches.vertices());
        // forgotten
        let moved = mine.mesh.compact().expect(NOTHING);
        other_numbering(mine.mesh.apply(Classic::FlipEdge, &priority, &mut mine.x), [1, 0]);
        moved.apply_to(&mut mine.x).expect("the next");
        mine.mesh.apply(Classic::FlipEdge, &priority, &mut mine.x).expect("its own");
        mine.mesh.validate().expect("valid");
    }
}

fn surface(device: &Device) -> Surface {
    let shape = shapes::icosphere(1).expect("small");
    let mut surface = Surface::new(device, &shape, &MeshOptions::default()).expect(NOTHING);
    let (mesh, _) = surface.patches().expect(NOTHING);
    let heat = Attribute::<Vertex, f32>::filled(mesh, 2.0).expect(NOTHING);
    surface
        .vertices_mut()
        .and_then(|mut v| v.insert("heat", ribbonmesh_mesh::Role::Custom, &heat))
        .expect(NOTHING);
    surface
}

#[test]
fn columns_belong_to_their_surface() {
    let device = cpu();
    let (mut mine, mut theirs) = (surface(device), surface(device));
    let mut to = device.zeros::<f32>(1).expect(NOTHING);
    mine.patches().and_then(|_| theirs.patches().map(drop)).expect(NOTHING);
    let (mesh, _) = mine.have_patches().expect("just made");
    let (own, other) = (mine.vertices(), theirs.vertices());
    let (own, other) = (own.get::<f32>("heat").expect("there"), other.get::<f32>("heat").expect("there"));
    let blocks = mesh.patches() as u32;
    let refused = device.launch(blocks, FirstOfColumn { _mesh: mesh.view(), x: other, to: to.view_mut() });
    assert!(matches!(refused, Err(Error::Argument { .. })), "{refused:?}");
    let refused = device.launch(1, FirstOfTwo { x: own, y: other, to: to.view_mut() });
    assert!(matches!(refused, Err(Error::Argument { .. })), "{refused:?}");
    device.launch(blocks, FirstOfColumn { _mesh: mesh.view(), x: own, to: to.view_mut() }).expect("its own");
    device.launch(1, FirstOfTwo { x: own, y: own, to: to.view_mut() }).expect("its own");
    assert_eq!(to.read().expect(NOTHING), [4.0]);
    // surfaces without patches
    let of = |_| {
        let shape = surface(device).download().expect(NOTHING);
        Surface::new(device, &shape, &MeshOptions::default()).expect(NOTHING)
    };
    let [a, b] = [0, 1].map(of);
    let column = |s: &'_ Surface| s.vertices().get::<f32>("heat").expect("there").len_of_memory();
    assert_eq!(column(&a), column(&b));
    let (columns_a, columns_b) = (a.vertices(), b.vertices());
    let [x, y] = [&columns_a, &columns_b].map(|columns| columns.get::<f32>("heat").expect("there"));
    let refused = device.launch(1, FirstOfTwo { x, y, to: to.view_mut() });
    assert!(matches!(refused, Err(Error::Argument { .. })), "{refused:?}");
}

/// The number of values of an argument.
trait Len {
    fn len_of_memory(self) -> usize;
}
impl Len for ribbonmesh::device::ColumnView<'_, Vertex, f32> {
    fn len_of_memory(self) -> usize {
        self.memory().len()
    }
}

#[test]
fn a_surface_takes_back_what_belongs_together() {
    let device = cpu();
    let (mut mine, mut theirs) = (surface(device), surface(device));
    let changed = |mesh, positions, vertices| Changed {
        mesh,
        positions,
        scale: 1.0,
        vertices,
        curves: None,
        seams_kept: false,
        sources: None,
    };
    let ((mesh, x), (mut other, other_x)) =
        (mine.to_dynamic(0.0, 1.0).expect("a manifold"), theirs.to_dynamic(0.0, 1.0).expect("a manifold"));
    other_mesh(mine.seams(&mut other));
    other_mesh(mine.replace(changed(mesh, other_x, Vertices::Same)));
    other_mesh(mine.replace(changed(other, x, Vertices::Same)));
    let (mesh, x) = mine.to_dynamic(0.0, 1.0).expect("as it was");
    let mut stale = changed(mesh, x, Vertices::Same);
    stale.mesh.compact().expect(NOTHING);
    other_numbering(mine.replace(stale), [1, 0]);
    // sources of other lengths, and vertices that are not the same
    let (mesh, x) = mine.to_dynamic(0.0, 1.0).expect("as it was");
    let none = || device.zeros::<u32>(0).expect(NOTHING);
    let short = Changed { sources: Some([none(), none()]), ..changed(mesh, x, Vertices::Others) };
    assert!(matches!(mine.replace(short), Err(Error::Length { .. })));
    let mut finer = Ball::new(2);
    finer.x = DynamicAttribute::zeros(&finer.mesh).expect(NOTHING);
    let finer = changed(finer.mesh, finer.x, Vertices::Same);
    assert!(matches!(mine.replace(finer), Err(Error::Length { .. })));
    let (mut mesh, x) = mine.to_dynamic(0.0, 1.0).expect("as it was");
    mine.seams(&mut mesh).expect("its own");
    mine.replace(changed(mesh, x, Vertices::Same)).expect("what belongs together");
    assert_eq!(mine.download().expect(NOTHING).vertices().get::<f32>("heat").expect("there").len(), 42);
}

#[test]
fn errors_belong_to_the_launch_that_made_them() {
    let device = Device::cpu_with_threads(2).expect("threads");
    std::thread::scope(|scope| {
        for thread in 0..2_u32 {
            let device = device.clone();
            scope.spawn(move || {
                let mut to = device.zeros::<u32>(4).expect(NOTHING);
                for i in 0..200_u32 {
                    let code = if (i + thread).is_multiple_of(2) { 1000 + 2 * i + thread } else { 0 };
                    let rounds = 1 + i % 7 * 3000;
                    let done = device.launch(4, CountAndRecord { code, rounds, to: to.view_mut() });
                    match (code, done) {
                        (0, Ok(())) => {}
                        (wanted, Err(Error::Kernel { kernel: "count_and_record", code, first, .. }))
                            if wanted != 0 =>
                        {
                            assert_eq!((code, first), (wanted, rounds));
                        }
                        (_, done) => panic!("thread {thread}, launch {i}, code {code}: {done:?}"),
                    }
                }
            });
        }
    });
    device.synchronize().expect("nothing is left");
}

#[test]
fn what_was_recorded_before_a_panic_is_gone() {
    let device = Device::cpu();
    let mut to = device.zeros::<u32>(1).expect(NOTHING);
    for _ in 0..3 {
        let panics = catch_unwind(AssertUnwindSafe(|| device.launch(1, RecordAndPanic { code: 1234 })));
        assert!(panics.is_err(), "the panic passes through");
        device.launch(1, CountAndRecord { code: 0, rounds: 1, to: to.view_mut() }).expect("innocent");
        device.synchronize().expect("nothing is left");
    }
}

#[test]
fn room_for_more_elements_changes_no_owner() {
    let mut mine = Ball::new(1);
    let numbering = mine.mesh.numbering();
    let Capacity { vertices, .. } = mine.mesh.capacity();
    for _ in 0..3 {
        mine.split();
    }
    assert!(mine.mesh.capacity().vertices > vertices);
    assert_eq!((mine.mesh.numbering(), mine.x.numbering()), (numbering, numbering));
    mine.x.require_mesh(&mine.mesh).expect("it has grown, too");
}
