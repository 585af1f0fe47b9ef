//! Mistakes of the host: every launch and every call with another mesh's, another machine's, too short and
//! empty arguments is an error that says which.
use ribbonmesh::device::Vec3;
use ribbonmesh::device::launch::ArgumentProblem;
use ribbonmesh::{Attribute, Device, Edge, Error, Face, MeshOptions, Op, StaticMesh, Vertex};
use ribbonmesh_testing::primitives::misuse::{NESTED, Nest, ReadAt, ReadSharedAt, ScalePositions, WriteAt};

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

fn mesh(device: &Device, faces: &[[u32; 3]]) -> StaticMesh {
    StaticMesh::new(device, 4, faces, &MeshOptions::default()).expect("a mesh")
}
/// The argument that a launch refuses, and why.
fn refused(result: ribbonmesh::Result<()>) -> (String, ArgumentProblem) {
    match result {
        Err(Error::Argument { error, .. }) => (error.argument, error.problem),
        other => panic!("{other:?}"),
    }
}

/// The machines of this computer, the CPU first.
fn machines() -> Vec<Device> {
    [Some(Device::cpu()), ribbonmesh_suite::cuda()].into_iter().flatten().collect()
}

#[test]
fn an_index_behind_the_end_ends_the_launch_with_the_argument_and_the_line() {
    let device = Device::cpu();
    let (from, mut to) = (device.zeros::<u32>(4).expect("memory"), device.zeros::<u32>(1).expect("memory"));
    let kernel = ReadAt { i: 3, from: from.view(), to: to.view_mut() };
    device.launch(1, kernel).expect("element 3 of 4");
    for i in [4, 100_000_000, u32::MAX] {
        let result = device.launch(7, ReadAt { i, from: from.view(), to: to.view_mut() });
        let Err(Error::OutOfBounds { kernel, argument, index, len, at, .. }) = &result else {
            panic!("{result:?}")
        };
        assert_eq!((*kernel, *argument, *index, *len), ("read_at", Some("from"), i as u64, 4));
        assert!(at.file().ends_with("misuse.rs") && at.line() > 1, "{at}");
        let text = result.expect_err("just seen").to_string();
        assert!(text.contains("argument `from`") && text.contains("misuse.rs:"), "{text}");
    }
    let result = device.launch(1, WriteAt { i: 1, to: to.view_mut() });
    assert!(
        matches!(result, Err(Error::OutOfBounds { argument: Some("to"), index: 1, len: 1, .. })),
        "{result:?}"
    );
    let result = device.launch(1, ReadSharedAt { i: 4, to: to.view_mut() });
    assert!(matches!(result, Err(Error::OutOfBounds { argument: None, index: 4, len: 4, .. })), "{result:?}");
    // the machine works on
    device.launch(1, WriteAt { i: 0, to: to.view_mut() }).expect("element 0 of 1");
    assert_eq!(to.read().expect("memory"), [1]);
}

#[test]
fn barriers_and_collectives_inside_of_loops_are_refused_by_name() {
    let device = Device::cpu();
    let mut to = device.zeros::<u32>(64).expect("memory");
    let expected = [
        "sync",
        "for_each",
        "for_each",
        "single",
        "single",
        "reduce",
        "exclusive_scan",
        "sort",
        "reduce",
        "append",
        "per_thread",
    ];
    assert_eq!(expected.len(), NESTED as usize);
    for (which, name) in (0..).zip(expected) {
        let result = device.launch(1, Nest { which, to: to.view_mut() });
        let Err(Error::NestedCollective { kernel: "nest", call, at, .. }) = &result else {
            panic!("{which}: {result:?}")
        };
        assert!(*call == name && at.file().ends_with("misuse.rs"), "{which}: {call} at {at}");
    }
}

#[test]
fn a_launch_compares_meshes_lengths_and_conditions() {
    for device in machines() {
        let (mine, other) = (mesh(&device, &TETRAHEDRON), mesh(&device, &TETRAHEDRON));
        let x = Attribute::<Vertex, Vec3>::filled(&mine, Vec3::ONE).expect("memory");
        let stray = Attribute::<Vertex, Vec3>::zeros(&other).expect("memory");
        let (long, short) =
            (device.upload(&[2f32; 4]).expect("memory"), device.upload(&[2f32; 3]).expect("memory"));
        let mut to = Attribute::<Vertex, Vec3>::zeros(&mine).expect("memory");
        let launch = |x: &Attribute<Vertex, Vec3>,
                      scale: &ribbonmesh::Buffer<f32>,
                      factor,
                      to: &mut Attribute<Vertex, Vec3>| {
            let kernel = ScalePositions {
                mesh: mine.view(),
                x: x.view(),
                scale: scale.view(),
                factor,
                to: to.view_mut(),
            };
            device.launch(mine.patches() as u32, kernel)
        };
        launch(&x, &long, 1.5, &mut to).expect("all is right");
        assert_eq!(to.download().expect("memory"), [Vec3::splat(3.0); 4]);
        // nothing of what is refused is written
        to.fill(Vec3::ZERO).expect("memory");
        assert_eq!(refused(launch(&stray, &long, 1.5, &mut to)), ("x".into(), ArgumentProblem::OtherMesh));
        let mut stray_to = Attribute::<Vertex, Vec3>::zeros(&other).expect("memory");
        assert_eq!(refused(launch(&x, &long, 1.5, &mut stray_to)), ("to".into(), ArgumentProblem::OtherMesh));
        let (argument, problem) = refused(launch(&x, &short, 1.5, &mut to));
        let ArgumentProblem::Requirement { condition, left, right } = problem else { panic!("{problem:?}") };
        assert_eq!((argument.as_str(), left.as_str(), right.as_str()), ("scale", "3", "4"));
        assert!(condition.contains("scale.len()"), "{condition}");
        assert_eq!(refused(launch(&x, &long, 0.0, &mut to)).0, "factor");
        assert_eq!(refused(launch(&x, &long, f32::NAN, &mut to)).0, "factor");
        let empty = device.zeros::<f32>(0).expect("memory");
        assert_eq!(refused(launch(&x, &empty, 1.0, &mut to)).0, "scale");
        assert_eq!(to.download().expect("memory"), [Vec3::ZERO; 4]);
    }
}

#[test]
fn a_launch_has_between_32_and_1024_threads() {
    for device in machines() {
        let mut to = device.zeros::<u32>(1).expect("memory");
        for threads in [0, 1, 33, 1056, u32::MAX] {
            let result = device.launch_with_threads(1, threads, WriteAt { i: 0, to: to.view_mut() });
            assert!(matches!(result, Err(Error::Option { option: "threads", .. })), "{threads}: {result:?}");
        }
        device.launch_with_threads(1, 64, WriteAt { i: 0, to: to.view_mut() }).expect("64 threads");
    }
}

#[test]
fn memory_of_another_machine_is_refused() {
    let Some(gpu) = ribbonmesh_suite::cuda() else { return };
    let cpu = Device::cpu();
    for (here, there) in [(&cpu, &gpu), (&gpu, &cpu)] {
        let (mut mine, mut theirs) =
            (here.zeros::<u32>(1).expect("memory"), there.zeros::<u32>(1).expect("memory"));
        let result = here.launch(1, WriteAt { i: 0, to: theirs.view_mut() });
        assert_eq!(refused(result), ("to".into(), ArgumentProblem::OtherMachine));
        let result = here.launch(1, ReadAt { i: 0, from: theirs.view(), to: mine.view_mut() });
        assert_eq!(refused(result), ("from".into(), ArgumentProblem::OtherMachine));
        let (mesh_here, mesh_there) = (mesh(here, &TETRAHEDRON), mesh(there, &TETRAHEDRON));
        let x = Attribute::<Vertex, Vec3>::zeros(&mesh_there).expect("memory");
        let scale = here.zeros::<f32>(4).expect("memory");
        let mut to = Attribute::<Vertex, Vec3>::zeros(&mesh_here).expect("memory");
        let (mesh, scale) = (mesh_there.view(), scale.view());
        let kernel = ScalePositions { mesh, x: x.view(), scale, factor: 1.0, to: to.view_mut() };
        assert_eq!(refused(here.launch(1, kernel)).1, ArgumentProblem::OtherMachine);
        assert!(matches!(mine.copy_from(&theirs), Err(Error::OtherDevice { .. })));
    }
    // two GPUs that are opened apart work off their launches in orders of their own
    let again = Device::cuda(0).expect("just opened");
    let mut theirs = again.zeros::<u32>(1).expect("memory");
    let result = gpu.launch(1, WriteAt { i: 0, to: theirs.view_mut() });
    assert_eq!(refused(result).1, ArgumentProblem::OtherMachine);
}

#[test]
fn attributes_of_another_mesh_or_length_are_refused_by_every_call() {
    for device in machines() {
        let (mine, other) = (mesh(&device, &TETRAHEDRON), mesh(&device, &SQUARE));
        let mut x = Attribute::<Vertex, f32>::filled(&mine, 1.0).expect("memory");
        let y = Attribute::<Vertex, f32>::filled(&other, 1.0).expect("memory");
        let other_mesh = |result: ribbonmesh::Result<()>| {
            assert!(matches!(result, Err(Error::OtherMesh { .. } | Error::Argument { .. })), "{result:?}");
        };
        other_mesh(x.copy_from(&y));
        other_mesh(x.axpy(2.0, &y));
        other_mesh(x.add(&y));
        other_mesh(x.sub(&y));
        other_mesh(x.mul(&y));
        other_mesh(x.min_with(&y));
        other_mesh(x.max_with(&y));
        other_mesh(x.dot(&y).map(drop));
        assert_eq!(x.download().expect("memory"), [1.0; 4]);
        assert!(!y.belongs_to(&mine) && x.belongs_to(&mine));
        for n in [0, 3, 5] {
            let values = vec![0f32; n];
            let length = |result: ribbonmesh::Result<()>| {
                assert!(matches!(result, Err(Error::Length { found, .. }) if found == n), "{n}: {result:?}");
            };
            length(x.upload(&values));
            length(x.upload_by_id(&values));
            length(Attribute::<Vertex, f32>::from_input(&mine, &values).map(drop));
        }
        let faces = Attribute::<Face, u32>::zeros(&mine).expect("memory");
        let edges = Attribute::<Edge, u32>::zeros(&mine).expect("memory");
        assert_eq!((faces.len(), edges.len()), (4, 6));
        let mut result = other.query(Op::VV).expect("a query");
        assert!(matches!(mine.query_into(&mut result), Err(Error::Length { .. })));
        let active = device.zeros::<u32>(3).expect("memory");
        assert!(matches!(mine.query_active(Op::VV, &active).map(drop), Err(Error::Length { .. })));
    }
}

#[test]
fn buffers_refuse_ranges_behind_their_end() {
    for device in machines() {
        let mut b = device.upload(&[1u32, 2, 3]).expect("memory");
        for (at, len) in [(0, 4), (3, 1), (4, 0), (usize::MAX, 2), (2, usize::MAX)] {
            assert!(matches!(b.read_range(at, len), Err(Error::Length { .. })), "{at} {len}");
        }
        assert!(matches!(b.write_range(2, &[9, 9]), Err(Error::Length { .. })));
        assert!(matches!(b.write_range(usize::MAX, &[9]), Err(Error::Length { .. })));
        assert!(matches!(b.write(&[9]), Err(Error::Length { .. })));
        assert!(matches!(device.zeros::<u64>(usize::MAX), Err(Error::OutOfMemory { .. })));
        let short = device.zeros::<u32>(2).expect("memory");
        assert!(matches!(b.copy_from(&short), Err(Error::Length { .. })));
        assert_eq!(b.read().expect("memory"), [1, 2, 3]);
    }
}
