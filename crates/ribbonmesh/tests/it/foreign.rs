//! Memory that is shared with other libraries.
use crate::common;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::mesh::{ColumnError, shapes};
use ribbonmesh::{Buffer, Device, Error, MemoryAddress, MeshOptions, Surface, Watch, array};
use ribbonmesh_testing::primitives::loops::Flat;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Memory of the host at a multiple of 16 bytes.
struct Aligned(Vec<u128>);
impl Aligned {
    fn new(words: &[u32]) -> Self {
        let mut memory = vec![0_u128; words.len().div_ceil(4)];
        bytemuck_words(&mut memory)[..words.len()].copy_from_slice(words);
        Self(memory)
    }
    fn words(&mut self) -> &mut [u32] {
        bytemuck_words(&mut self.0)
    }
    fn address(&mut self) -> MemoryAddress {
        MemoryAddress::Host(self.0.as_mut_ptr().cast())
    }
}
fn bytemuck_words(memory: &mut [u128]) -> &mut [u32] {
    ribbonmesh::device::bytemuck::cast_slice_mut(memory)
}

/// All that a buffer does, with memory of others.
fn use_adopted(device: &Device, buffer: &mut Buffer<u32>) {
    assert_eq!(buffer.read().expect("words"), [5, 6, 7, 8, 9]);
    assert_eq!(buffer.try_clone().expect("memory").read().expect("words"), [5, 6, 7, 8, 9]);
    array::exclusive_scan(buffer).expect("a sum");
    assert_eq!(buffer.read_range(1, 3).expect("words"), [5, 11, 18]);
    buffer.write_range(3, &[70, 80]).expect("room");
    let own = device.upload(&[1_u32, 2, 3, 4, 5]).expect("memory");
    buffer.copy_from(&own).expect("as many");
    array::fill(buffer, 3).expect("a launch");
    assert_eq!(buffer.read().expect("words"), [3; 5]);
    buffer.clear().expect("a launch");
    assert_eq!(buffer.read().expect("words"), [0; 5]);
    buffer.write(&[10, 11, 12, 13, 14]).expect("room");
}

#[test]
fn memory_of_the_host() {
    let device = Device::cpu();
    let mut memory = Aligned::new(&[5, 6, 7, 8, 9, 77, 78, 79]);
    let released = Arc::new(AtomicU32::new(0));
    let count = released.clone();
    let release = move || {
        count.fetch_add(1, Ordering::Relaxed);
    };
    // SAFETY: eight words that live longer, and that no other code uses until the buffer is dropped.
    let mut buffer: Buffer<u32> = unsafe { device.adopt(memory.address(), 5, release) }.expect("aligned");
    use_adopted(&device, &mut buffer);
    // SAFETY: read before the buffer is used again.
    let address = unsafe { buffer.address() };
    assert_eq!(address, memory.address());
    assert_eq!(released.load(Ordering::Relaxed), 0);
    drop(buffer);
    assert_eq!(released.load(Ordering::Relaxed), 1);
    // the memory behind is as before
    assert_eq!(memory.words(), [10, 11, 12, 13, 14, 77, 78, 79]);
}

#[test]
fn what_is_sorted_stays_in_its_memory() {
    let device = Device::cpu();
    let (mut keys, mut values) = (Aligned::new(&[9, 0, 3, 0, 7, 0]), Aligned::new(&[0, 1, 2]));
    {
        // SAFETY: memory that lives longer, and that no other code uses until the buffers are dropped.
        let mut k: Buffer<u64> = unsafe { device.adopt(keys.address(), 3, || ()) }.expect("aligned");
        // SAFETY: as above.
        let mut v: Buffer<u32> = unsafe { device.adopt(values.address(), 3, || ()) }.expect("aligned");
        // an odd number of passes
        array::sort_pairs(&mut k, &mut v, 8).expect("sorted");
    }
    assert_eq!((&keys.words()[..6], &values.words()[..3]), (&[3, 0, 7, 0, 9, 0][..], &[1, 2, 0][..]));
}

#[test]
fn views_of_the_hosts_memory() {
    let device = Device::cpu();
    let n = 3000;
    let (mut out, mut firsts) = (Aligned::new(&vec![1; n + 1]), Aligned::new(&[9; 4]));
    {
        // SAFETY: memory that lives longer, and that no other code uses until the launch is done.
        let to = unsafe { device.borrow_mut(out.address(), n) }.expect("aligned");
        // SAFETY: as above.
        let tile = unsafe { device.borrow_mut(firsts.address(), 3) }.expect("aligned");
        device.launch(tiles(n as u32), Flat { n: n as u32, out: to, tiles: tile }).expect("a launch");
    }
    assert!(out.words()[..n].iter().enumerate().all(|(i, &v)| v == 3 * i as u32) && out.words()[n] == 1);
    assert_eq!(firsts.words(), [0, 1024, 2048, 9]);
    // SAFETY: as above.
    assert_eq!(unsafe { device.borrow::<u64>(out.address(), 10) }.expect("aligned").len(), 10);
}

#[test]
fn wrong_addresses_are_refused() {
    let device = Device::cpu();
    let mut memory = Aligned::new(&[0; 64]);
    let MemoryAddress::Host(at) = memory.address() else { panic!("the host's") };
    let released = Arc::new(AtomicU32::new(0));
    let adopt = |address, len| {
        let count = released.clone();
        // SAFETY: refused, or within the memory.
        unsafe {
            device.adopt::<u32>(address, len, move || {
                count.fetch_add(1, Ordering::Relaxed);
            })
        }
        .map(drop)
    };
    let bad = |result| assert!(matches!(result, Err(Error::Option { option: "address", .. })), "{result:?}");
    bad(adopt(MemoryAddress::Host(at.wrapping_add(4)), 2));
    bad(adopt(MemoryAddress::Host(std::ptr::null_mut()), 2));
    assert!(matches!(adopt(MemoryAddress::Cuda(4096), 2), Err(Error::OtherDevice { .. })));
    assert!(matches!(adopt(MemoryAddress::Host(at), usize::MAX), Err(Error::OutOfMemory { .. })));
    assert_eq!(released.load(Ordering::Relaxed), 4);
    // an empty slice has any address
    adopt(MemoryAddress::Host(std::ptr::null_mut()), 0).expect("nothing");
    assert_eq!(released.load(Ordering::Relaxed), 5);
    assert!(device.cuda_handles().is_none());
}

ribbonmesh_testing::gpu_tests! {
    fn memory_of_a_gpu() {
        let Some(device) = common::cuda() else { return };
        let handles = device.cuda_handles().expect("a GPU");
        assert!(handles.ordinal == 0 && handles.context != 0 && handles.stream != 0);
        // two buffers of one device play the part of two libraries that share its stream
        let mut theirs = device.upload(&[5_u32, 6, 7, 8, 9, 77, 78, 79]).expect("memory");
        // SAFETY: used on the same stream alone, while `theirs` is not.
        let address = unsafe { theirs.address_mut() };
        assert!(matches!(address, MemoryAddress::Cuda(at) if at != 0));
        let released = Arc::new(AtomicU32::new(0));
        let count = released.clone();
        let release = move || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        // SAFETY: as above; `theirs` lives longer.
        let mut ours: Buffer<u32> = unsafe { device.adopt(address, 5, release) }.expect("aligned");
        use_adopted(&device, &mut ours);
        assert_eq!(released.load(Ordering::Relaxed), 0);
        drop(ours);
        assert_eq!(released.load(Ordering::Relaxed), 1);
        // the drop has not freed it
        assert_eq!(theirs.read().expect("words"), [10, 11, 12, 13, 14, 77, 78, 79]);
        {
            // SAFETY: as above.
            let to = unsafe { device.borrow_mut(address, 4) }.expect("aligned");
            let mut first = device.zeros::<u32>(1).expect("memory");
            device.launch(1, Flat { n: 4, out: to, tiles: first.view_mut() }).expect("a launch");
        }
        assert_eq!(theirs.read().expect("words"), [0, 3, 6, 9, 14, 77, 78, 79]);
        // memory of the other kind
        let mut host = Aligned::new(&[1; 4]);
        // SAFETY: refused.
        let refused = unsafe { device.adopt::<u32>(host.address(), 4, || ()) };
        assert!(matches!(refused.map(drop), Err(Error::OtherDevice { .. })));
    }
}

/// Four faces, on the device.
fn tetrahedron(device: &Device) -> Buffer<u32> {
    device.upload(&[0_u32, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]).expect("memory")
}

fn a_surface_of_buffers(device: &Device) {
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let upload = || device.upload(&points).expect("memory");
    let options = MeshOptions::default();
    let mut surface = Surface::from_buffers(upload(), tetrahedron(device), &options).expect("a tetrahedron");
    assert_eq!(surface.sizes().expect("sizes"), [4, 6, 4]);
    assert_eq!(surface.patches().expect("patches").0.topology().expect("figures").euler_characteristic, 2);
    let mesh = surface.download().expect("memory");
    assert_eq!(mesh.points(), points);
    let wrong = device.upload(&[0_u32, 1, 2, 0, 1, 7]).expect("memory");
    let refused = Surface::from_buffers(upload(), wrong, &options).map(drop);
    assert!(
        matches!(refused, Err(Error::IndexOutOfRange { face: 1, vertex: 7, vertices: 4 })),
        "{refused:?}"
    );
    let part = device.upload(&[0_u32, 1, 2, 3]).expect("memory");
    let refused = Surface::from_buffers(upload(), part, &options).map(drop);
    assert!(matches!(refused, Err(Error::Length { expected: 3, found: 4, .. })), "{refused:?}");
    let other = Device::cpu_with_threads(1).expect("a thread");
    let refused = Surface::from_buffers(upload(), tetrahedron(&other), &options);
    assert!(matches!(refused.map(drop), Err(Error::OtherDevice { .. })));
}

/// Copies and columns have the order of a download, in every state.
fn copies_stand_in_order(device: &Device) {
    // beyond 32,768 faces, ids have an order of their own
    let mut mesh = shapes::torus(140, 3).expect("a torus");
    shapes::shuffle(&mut mesh, 5);
    let heights: Vec<f32> = mesh.positions.iter().map(|p| p.z as f32).collect();
    mesh.vertices_mut().insert("height", heights.clone()).expect("a row per vertex");
    mesh.vertices_mut().insert("bytes", vec![[1_u8, 2, 3]; heights.len()]).expect("a row per vertex");
    let faces = mesh.faces.len() as u32;
    mesh.faces_of_mut().insert("label", (0..faces).collect::<Vec<_>>()).expect("rows");
    mesh.corners_mut().insert("corner", (0..3 * faces).collect::<Vec<_>>()).expect("rows");
    let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("a surface");
    for state in ["given", "triangles", "patches"] {
        match state {
            "triangles" => drop(surface.sizes().expect("sizes")),
            "patches" => drop(surface.patches().expect("patches")),
            _ => {}
        }
        let copy = surface.try_clone().expect("memory");
        assert_eq!(copy.download().expect("memory"), surface.download().expect("memory"), "{state}");
        let values = surface.values_of_vertices::<f32>("height").expect("the column");
        assert_eq!(values.read().expect("memory"), heights, "{state}");
        assert_eq!(
            copy.triangles().expect("triangles").faces().read().expect("memory"),
            mesh.faces.as_flattened()
        );
        let refused = surface.values_of_vertices::<Vec3>("height").map(drop);
        assert!(matches!(refused, Err(Error::Column(ColumnError::Type { .. }))), "{refused:?}");
        let refused = surface.values_of_vertices::<f32>("depth").map(drop);
        assert!(matches!(refused, Err(Error::Column(ColumnError::Missing { .. }))), "{refused:?}");
    }
}

#[test]
fn cpu_a_surface_of_buffers() {
    a_surface_of_buffers(&Device::cpu());
}
#[test]
fn cpu_copies_stand_in_order() {
    copies_stand_in_order(&Device::cpu());
}

/// A watch stops the work of its thread, and no other.
#[test]
fn watches_stop_work() {
    let device = Device::cpu();
    let (watch, inner) = (Watch::default(), Watch::default());
    let work = || array::count_up(&device, 10).and_then(|counted| counted.read());
    watch.during(|| {
        work().expect("work");
        let before = watch.launches();
        assert!(before > 0);
        inner.during(|| work().expect("work"));
        assert_eq!(watch.launches(), before);
        assert!(inner.launches() > 0);
        watch.stop();
        assert!(matches!(work(), Err(Error::Stopped)));
        inner.during(|| work().expect("another watch"));
    });
    work().expect("nobody watches");
    assert!(watch.is_stopped() && !inner.is_stopped());
    let panicked = std::panic::catch_unwind(|| watch.during(|| panic!("on purpose")));
    assert!(panicked.is_err());
    work().expect("nobody watches");
}

ribbonmesh_testing::gpu_tests! {
    fn cuda_a_surface_of_buffers() {
        let Some(device) = common::cuda() else { return };
        a_surface_of_buffers(&device);
    }
    fn cuda_copies_stand_in_order() {
        let Some(device) = common::cuda() else { return };
        copies_stand_in_order(&device);
    }
    fn cuda_streams_wait_for_each_other() {
        let Some(device) = common::cuda() else { return };
        let own = device.cuda_handles().expect("a GPU").stream;
        // the legacy default stream, the thread's, and the device's own
        for stream in [0, 1, 2, own] {
            // SAFETY: streams of the device's context.
            unsafe {
                device.wait_for_stream(stream).expect("an event");
                device.let_stream_wait(stream).expect("an event");
            }
        }
        device.synchronize().expect("no error");
    }
}
