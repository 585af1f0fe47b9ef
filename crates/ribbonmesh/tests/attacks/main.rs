//! Programs that attack the library without a word of `unsafe`: kernels that the host evaluates, queries on
//! meshes that they are not for, views that are too short, too many values. Every one is an error with the
//! kernel and the reason. The CPU runs them, under AddressSanitizer, too (`cargo xtask sanitize`).
#![forbid(unsafe_code)]
mod kernels;

use kernels::*;
use ribbonmesh::device::launch::{Argument, ArgumentProblem, Launchable};
use ribbonmesh::device::{PtxModule, StatusCode};
use ribbonmesh::dynamic::PassReport;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh, Vertex};

/// The kernels here run on the CPU alone.
static PTX: PtxModule = PtxModule::cpu_only("attacks");

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
/// Three faces at one edge.
const BOOK: [[u32; 3]; 3] = [[0, 1, 2], [0, 1, 3], [0, 1, 4]];

fn mesh(device: &Device, vertices: usize, faces: &[[u32; 3]]) -> StaticMesh {
    StaticMesh::new(device, vertices, faces, &MeshOptions::default()).expect("a mesh")
}
/// The argument whose memory the host was asked to read.
fn unreadable(result: ribbonmesh::Result<()>) -> String {
    match result {
        Err(Error::Argument { error, .. }) => {
            let ArgumentProblem::Unreadable { at } = error.problem else { panic!("{error}") };
            assert!(at.file().ends_with("kernels.rs"), "{at}");
            assert!(error.to_string().contains("lengths and numbers"), "{error}");
            error.argument
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_the_host_evaluates_reads_no_memory() {
    let device = Device::cpu();
    let x = device.upload(&[1u32, 2, 3, 4]).expect("memory");
    let mut to = device.zeros::<u32>(4).expect("memory");
    assert_eq!(unreadable(device.launch(1, RequiresElement { x: x.view() })), "x");
    assert_eq!(unreadable(device.launch(1, RequiresOut { to: to.view_mut() })), "to");
    assert_eq!(unreadable(device.launch(1, RequiresAtomic { to: to.view_mut() })), "to");
    assert_eq!(unreadable(device.launch(1, CarvesElement { x: x.view() })), "x");
    assert_eq!(unreadable(device.launch(1, CarvesWide { x: x.view() })), "x");
    let pair = || PairArguments { first: x.view(), second: x.view() };
    assert_eq!(unreadable(device.launch(1, CarvesStruct { pair: pair() })), "pair");
    assert_eq!(unreadable(device.launch(1, CarvesSharedMemory { n: 4 })), "");
    let tetrahedron = mesh(&device, 4, &TETRAHEDRON);
    assert_eq!(unreadable(device.launch(1, CarvesPatch { mesh: tetrahedron.view() })), "mesh");
    let values = Attribute::<Vertex, u32>::zeros(&tetrahedron).expect("memory");
    assert_eq!(unreadable(device.launch(1, RequiresValue { values: values.values() })), "values");
    // nothing was written, and the device works on
    assert_eq!(to.read().expect("memory"), [0; 4]);
    device.launch(1, Lengths { x: x.view(), pair: pair(), to: to.view_mut() }).expect("lengths are known");
    assert_eq!(to.read().expect("memory"), [1, 2, 3, 4]);
    let short = device.upload(&[1u32]).expect("memory");
    let result = device.launch(1, Lengths { x: short.view(), pair: pair(), to: to.view_mut() });
    let Err(Error::Argument { error, .. }) = result else { panic!("{result:?}") };
    assert!(matches!(error.problem, ArgumentProblem::Requirement { .. }), "{error}");
}

#[test]
fn a_view_without_elements_is_not_taken_for_shared_memory() {
    let device = Device::cpu();
    let (empty, mut to) = (device.zeros::<u32>(0).expect("memory"), device.zeros::<u32>(1).expect("memory"));
    let result = device.launch(1, First { x: empty.view(), to: to.view_mut() });
    assert!(matches!(result, Err(Error::OutOfBounds { shared: false, index: 0, len: 0, .. })), "{result:?}");
    let text = result.expect_err("just seen").to_string();
    assert!(text.contains("a view without elements") && text.contains("kernels.rs"), "{text}");
    let result = device.launch(1, FirstShared { to: to.view_mut() });
    let text = result.expect_err("an empty slice").to_string();
    assert!(text.contains("element 0 of shared memory, which has 0"), "{text}");
}

#[test]
fn elements_that_cannot_begin_there_are_refused() {
    let device = Device::cpu();
    let (x, mut to) = (device.upload(&[7u32; 9]).expect("memory"), device.zeros::<u32>(1).expect("memory"));
    device.launch(1, WideFrom { x: x.view(), from: 4, to: to.view_mut() }).expect("16 bytes on");
    for from in [1, 2, 3, 5] {
        let result = device.launch(1, WideFrom { x: x.view(), from, to: to.view_mut() });
        let Err(Error::Argument { error, .. }) = result else { panic!("{result:?}") };
        assert_eq!(error.argument, "x");
        assert!(matches!(error.problem, ArgumentProblem::Misaligned { alignment: 16, .. }), "{error}");
    }
}

#[test]
fn queries_for_edge_manifold_meshes_say_so_on_others() {
    let device = Device::cpu();
    let (manifold, book) = (mesh(&device, 4, &TETRAHEDRON), mesh(&device, 5, &BOOK));
    let code = StatusCode::NotEdgeManifold as u32;
    macro_rules! each { ($($kernel:ident)*) => { $(
        let mut to = device.zeros::<u32>(1).expect("memory");
        let launch = |mesh: &StaticMesh, to: &mut ribbonmesh::Buffer<u32>| {
            device.launch(mesh.patches() as u32, $kernel { mesh: mesh.view(), to: to.view_mut() })
        };
        launch(&manifold, &mut to).expect("every edge has two faces");
        assert_eq!(to.read().expect("memory"), [1], stringify!($kernel));
        to.write(&[0]).expect("memory");
        let result = launch(&book, &mut to);
        assert!(matches!(result, Err(Error::Kernel { code: c, .. }) if c == code), "{result:?}");
        let text = result.expect_err("just seen").to_string();
        assert!(text.contains("requires(mesh.edge_manifold() == true)"), "{text}");
        assert_eq!(to.read().expect("memory"), [0], "the block ended");
    )* } }
    each! { AskEf AskEfOfFaces AskEe AskDiamond AskFans }
    // any mesh
    let mut to = device.zeros::<u32>(1).expect("memory");
    device.launch(1, AskEfRows { mesh: book.view(), to: to.view_mut() }).expect("rows of any length");
    assert_eq!(to.read().expect("memory"), [1]);
}

#[test]
fn values_that_no_thread_has_room_for_are_an_error() {
    let device = Device::cpu();
    let mut to = device.zeros::<u32>(1000).expect("memory");
    device.launch(1, Keep { n: 32, to: to.view_mut() }).expect("one for each thread");
    device.launch_with_threads(1, 1024, Keep { n: 1000, to: to.view_mut() }).expect("one for each thread");
    for (n, threads) in [(33, 32), (1000, 32), (1000, 992)] {
        let result = device.launch_with_threads(1, threads, Keep { n, to: to.view_mut() });
        let Err(Error::Kernel { code, first, second, .. }) = result else { panic!("{result:?}") };
        assert_eq!((code, first, second), (StatusCode::PerThread as u32, n, threads));
    }
}

#[test]
fn a_block_without_a_patch_is_named_by_the_kernels_line() {
    let device = Device::cpu();
    let tetrahedron = mesh(&device, 4, &TETRAHEDRON);
    let mut to = device.zeros::<u32>(1).expect("memory");
    let result = device.launch(1000, AskPatch { mesh: tetrahedron.view(), to: to.view_mut() });
    let Err(Error::OutOfBounds { argument, at, .. }) = result else { panic!("{result:?}") };
    assert!(argument == Some("mesh") && at.file().ends_with("kernels.rs"), "{argument:?} {at}");
}

/// Arguments on the host cannot be read, and parameters of kernels cannot be made here.
#[test]
fn host_and_kernel_have_types_of_their_own() {
    fn host<T: Argument>(_: &T) {}
    fn launchable<L: Launchable>(_: &L) {}
    let device = Device::cpu();
    let x = device.upload(&[1u32]).expect("memory");
    host(&x.view());
    launchable(&RequiresElement { x: x.view() });
}

/// A run that does not settle reports that it has not.
#[test]
fn a_run_that_ends_at_its_limit_says_so() {
    let report = |finished| PassReport { finished, passes: 50, executed: 55_483, ..PassReport::default() };
    assert_eq!(report(true).warning(), None);
    let warning = report(false).warning().expect("not finished");
    assert!(warning.contains("50 passes") && warning.contains("fill.exclusive"), "{warning}");
}
