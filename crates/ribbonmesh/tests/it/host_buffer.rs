//! Memory of the host that a device copies to by itself.
use ribbonmesh::{DeviceKind, Error, HostBuffer, array};
use ribbonmesh_suite::{size, suite};

/// Numbers of elements: small copies, and large ones, of which the last two are no multiples of their pieces.
const SIZES: [usize; 6] = [1, 1000, 4096, 100_000, (1 << 20) + 3, (3 << 20) + 1];

fn pattern(len: usize, seed: u32) -> Vec<u32> {
    (0..len as u32).map(|i| (i ^ seed).wrapping_mul(2_654_435_761)).collect()
}

suite! {
    fn what_is_read_is_the_buffer(device) {
        for len in SIZES {
            let mut here = device.host_buffer::<u32>(len).expect("memory");
            assert_eq!(here.is_pinned(), device.kind() == DeviceKind::Cuda);
            assert!(here.len() == len && here.iter().all(|&x| x == 0));
            for seed in 1..4 {
                let values = pattern(len, seed);
                let buffer = device.upload(&values).expect("memory");
                buffer.read_into(0, &mut here).expect("as long");
                assert_eq!(*here, *values, "{len} elements");
            }
        }
    }

    fn parts_are_read(device) {
        let values = pattern(300_000, 5);
        let buffer = device.upload(&values).expect("memory");
        let mut here = device.host_buffer::<u32>(values.len()).expect("memory");
        buffer.read_into(1001, &mut here[7..250_007]).expect("within both");
        assert_eq!(here[7..250_007], values[1001..251_001]);
        assert!(here[..7].iter().chain(&here[250_007..]).all(|&x| x == 0), "the rest stays");
        let beyond = buffer.read_into(1, &mut here);
        assert!(matches!(beyond, Err(Error::Length { expected: 300_001, found: 300_000, .. })), "{beyond:?}");
    }

    /// The device has read the memory when the call returns, though it could go on with it alone
    fn what_is_written_is_of_before(device) {
        for len in SIZES {
            let mut here = device.host_buffer::<u32>(len).expect("memory");
            let mut buffer = device.zeros::<u32>(len).expect("memory");
            // work that the copy has to wait for
            let mut before = device.zeros::<u32>(size(4 << 20, 1 << 12)).expect("memory");
            for seed in 0..4 {
                here.copy_from_slice(&pattern(len, seed));
                for value in 0..4 {
                    array::fill(&mut before, value).expect("a launch");
                }
                buffer.write(&here).expect("as long");
                here.fill(7);
                assert_eq!(buffer.read().expect("memory"), pattern(len, seed), "{len} elements");
            }
        }
    }

    fn errors_of_kernels_are_told(device) {
        let len = 100_000;
        let mut here = device.host_buffer::<u32>(len).expect("memory");
        let values = device.upload(&pattern(len, 1)).expect("memory");
        let places = device.upload(&[0, len as u32]).expect("memory");
        // on a GPU the kernel is queued, and its error is that of the next call that waits
        let failed = array::gather(&values, &places).and_then(|_| values.read_into(0, &mut here));
        assert!(matches!(failed, Err(Error::Index { place: 1, index: 100_000, .. })), "{failed:?}");
        values.read_into(0, &mut here).expect("told once");
        assert_eq!(*here, *pattern(len, 1));
    }

    fn other_threads_read_it(device) {
        let mut here = device.host_buffer::<u64>(1 << 18).expect("memory");
        device.upload(&vec![3_u64; 1 << 18]).expect("memory").read_into(0, &mut here).expect("as long");
        let other = std::thread::spawn(move || here.iter().sum::<u64>());
        assert_eq!(other.join().expect("no panic"), 3 << 18);
        let none = device.host_buffer::<u32>(0).expect("nothing");
        assert!(none.is_empty() && !none.is_pinned());
        let too_much = device.host_buffer::<u64>(usize::MAX / 4);
        assert!(matches!(too_much, Err(Error::OutOfMemory { .. })), "{too_much:?}");
    }
}

/// A vector becomes ordinary memory with its elements.
#[test]
fn of_a_vector() {
    let buffer = HostBuffer::from(vec![1_u8, 2, 3]);
    assert_eq!((&buffer[..], buffer.is_pinned()), (&[1, 2, 3][..], false));
}
