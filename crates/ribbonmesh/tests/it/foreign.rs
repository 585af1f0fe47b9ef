//! Memory that is shared with other libraries.
use crate::common;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error, MemoryAddress, array};
use ribbonmesh_testing::primitives::loops::Flat;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Memory of the host that stands at a multiple of 16 bytes.
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
    // SAFETY: eight words that live longer, and that nobody else uses until the buffer is dropped.
    let mut buffer: Buffer<u32> = unsafe { device.adopt(memory.address(), 5, release) }.expect("aligned");
    use_adopted(&device, &mut buffer);
    // SAFETY: read before the buffer is used again.
    let address = unsafe { buffer.address() };
    assert_eq!(address, memory.address());
    assert_eq!(released.load(Ordering::Relaxed), 0);
    drop(buffer);
    assert_eq!(released.load(Ordering::Relaxed), 1);
    // what stands behind is as before
    assert_eq!(memory.words(), [10, 11, 12, 13, 14, 77, 78, 79]);
}

#[test]
fn what_is_sorted_stays_in_its_memory() {
    let device = Device::cpu();
    let (mut keys, mut values) = (Aligned::new(&[9, 0, 3, 0, 7, 0]), Aligned::new(&[0, 1, 2]));
    {
        // SAFETY: memory that lives longer, and that nobody else uses until the buffers are dropped.
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
        // SAFETY: memory that lives longer, and that nobody else uses until the launch is done.
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
    // no elements lie anywhere
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
