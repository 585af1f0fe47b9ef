//! One device of several cards: the same bits as the CPU's, with memory and launches on all of them. The CPU
//! plays several cards, too.
use ribbonmesh::{Buffer, Cards, Device, Error, FlatTopology, MeshOptions, Op, StaticMesh, array};
use ribbonmesh_suite::{gpu_tests, size};

/// All GPUs as one device that shares everything; `None` if there is one only.
fn all_cards() -> Option<Device> {
    let cards = Cards::all().sharing_blocks(1).sharing_bytes(1);
    let device = ribbonmesh_suite::cuda().map(|_| Device::cards(&cards).expect("cards"));
    let several = device.filter(|device| device.sharing().is_some());
    if several.is_none() {
        println!("skipped: no two GPUs");
    }
    several
}

/// Numbers that look random.
fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| i.wrapping_mul(2_654_435_761).rotate_left(i % 13)).collect()
}

/// Uploads, copies, zeros and parts that lie on several cards.
fn check_memory(device: &Device) {
    // 12 MB: a page of 2 MiB has 524,288 numbers
    let data = numbers(3_000_001);
    let mut buffer = device.upload(&data).expect("room");
    assert!(buffer.read().expect("numbers") == data);
    let middle = data.len() / 2;
    for (at, len) in [(0, 1), (0, 900_000), (middle - 300_000, 700_001), (middle, 3), (2_999_999, 2)] {
        assert!(buffer.read_range(at, len).expect("a part") == data[at..at + len], "{len} from {at} on");
    }
    // small parts beside every end of a page
    for page in 1..=5 {
        let at = (page << 19) - 7;
        assert!(buffer.read_range(at, 15).expect("a part") == data[at..at + 15], "page {page}");
    }
    let mut changed = data.clone();
    for (at, len) in [(middle - 400_000, 800_003), (5, 9), (2_097_150, 6)] {
        changed[at..at + len].iter_mut().for_each(|x| *x ^= 0xff);
        buffer.write_range(at, &changed[at..at + len]).expect("room");
    }
    assert!(buffer.read().expect("numbers") == changed);
    let mut copy = buffer.try_clone().expect("room");
    buffer.clear().expect("zeros");
    assert!(copy.read().expect("numbers") == changed);
    assert!(buffer.read().expect("numbers").iter().all(|&x| x == 0));
    copy.clear().expect("zeros");
    buffer.write(&data).expect("room");
    copy.copy_from(&buffer).expect("the same length");
    drop(buffer);
    // memory that was freed, in the order of the work
    let zeros: Buffer<u32> = device.zeros(data.len()).expect("room");
    assert!(copy.read().expect("numbers") == data);
    assert!(zeros.read().expect("numbers").iter().all(|&x| x == 0));
}

/// Launches of many kinds on arrays, some with counters and claims between blocks.
fn check_arrays(device: &Device, most: u32) {
    let cpu = Device::cpu();
    let on = |device: &Device, n: u32| {
        let data: Vec<u32> = numbers(n).iter().map(|x| x >> 8).collect();
        let values = device.upload(&data).expect("room");
        let sum = array::sum(&values).expect("a sum");
        let largest = array::max(&values).expect("numbers");
        let small: Vec<u32> = data.iter().map(|x| x % 37).collect();
        let mut counts = device.upload(&small).expect("room");
        let total = array::exclusive_scan(&mut counts).expect("32 bits");
        let mut keys = device.upload(&data.iter().map(|&x| u64::from(x)).collect::<Vec<_>>()).expect("room");
        array::sort(&mut keys, 24).expect("sorted");
        let few = device.upload(&data.iter().map(|x| x % 1000).collect::<Vec<_>>()).expect("room");
        let groups = array::group_by(&few, 1000).expect("groups");
        let flags = device.upload(&data.iter().map(|x| x & 1).collect::<Vec<_>>()).expect("room");
        let selected = array::select(&flags).expect("places").read().expect("numbers");
        let starts = groups.starts().read().expect("numbers");
        let places = groups.places().read().expect("numbers");
        (
            sum,
            largest,
            total,
            counts.read().expect("sums"),
            keys.read().expect("keys"),
            starts,
            places,
            selected,
        )
    };
    for n in [1, 1000, 5000, most] {
        let (found, expected) = (on(device, n), on(&cpu, n));
        assert!(found == expected, "{n} numbers");
    }
}

/// Patches and queries of a mesh.
fn check_queries(device: &Device, level: u32) {
    let shape = ribbonmesh_mesh::shapes::bumpy_sphere(level, 1).expect("small");
    let on = |device: &Device| {
        let flat = FlatTopology::new(device, shape.positions.len(), &shape.faces).expect("a mesh");
        let mesh = StaticMesh::from_flat(&flat, &MeshOptions::default()).expect("patches");
        mesh.validate().expect("valid");
        let ops = [Op::VV, Op::VE, Op::VF, Op::EV, Op::EF, Op::FV, Op::FE, Op::FF];
        ops.map(|op| {
            let rows = mesh.query(op).expect("manifold").download().expect("rows");
            let arranged = |i| {
                let mut row = vec![];
                op.arrange(&rows, i, |id| id, &mut row);
                row
            };
            (0..rows.len()).map(arranged).collect::<Vec<_>>()
        })
    };
    assert!(on(device) == on(&Device::cpu()), "the same rows");
}

fn check(device: &Device) {
    check_memory(device);
    check_arrays(device, size(3_000_000, 300_000));
    check_queries(device, size(6, 4));
}

#[test]
fn the_cpu_as_several_cards() {
    for cards in [2, 3] {
        let device = Device::cpu_as_cards(cards);
        check_arrays(&device, 40_000);
        check_queries(&device, 3);
    }
}

/// Sorts of keys of many kinds, by each card and then across: stable, and as the standard library sorts.
fn check_sorts(device: &Device, sizes: &[u32]) {
    type Kind<'a> = Box<dyn Fn(u32) -> u64 + 'a>;
    for &n in sizes {
        let random = numbers(n);
        let kinds: [(&str, Kind); 6] = [
            ("any", Box::new(|i| u64::from(random[i as usize]) << 32 | u64::from(random[i as usize] ^ 77))),
            ("few", Box::new(|i| u64::from(random[i as usize] % 3) << 24)),
            ("equal", Box::new(|_| 5)),
            ("ascending", Box::new(|i| u64::from(i / 7))),
            ("descending", Box::new(|i| u64::from(u32::MAX - i))),
            // all keys of one chunk go to another
            ("turned", Box::new(|i| u64::from((i + n / 2) % n))),
        ];
        for (kind, key) in kinds {
            let keys: Vec<u64> = (0..n).map(key).collect();
            for bits in [13, 32, 64] {
                let mask = u64::MAX >> (64 - u32::next_multiple_of(bits, 8));
                let mut order: Vec<u32> = (0..n).collect();
                order.sort_by_key(|&i| keys[i as usize] & mask);
                let expected: Vec<u64> = order.iter().map(|&i| keys[i as usize]).collect();
                let mut sorted = device.upload(&keys).expect("room");
                let mut places = device.upload(&(0..n).collect::<Vec<_>>()).expect("room");
                array::sort_pairs(&mut sorted, &mut places, bits).expect("sorted");
                assert!(sorted.read().expect("keys") == expected, "{n} keys, {kind}, {bits} bits");
                assert!(places.read().expect("values") == order, "{n} values, {kind}, {bits} bits");
                let mut alone = device.upload(&keys).expect("room");
                array::sort(&mut alone, bits).expect("sorted");
                assert!(alone.read().expect("keys") == expected, "{n} keys alone, {kind}, {bits} bits");
            }
        }
    }
}

#[test]
fn sorts_on_the_cpu_as_several_cards() {
    for cards in [2, 3, 8, 16, 20] {
        check_sorts(&Device::cpu_as_cards(cards), &[2047, 2049, 4097, 33_000, 70_001]);
    }
}

#[test]
fn cards_are_refused_by_name() {
    for wrong in [vec![0, 0], vec![], vec![0, 999]] {
        assert!(
            matches!(Device::cuda_cards(&wrong), Err(Error::Option { option: "cards", .. })),
            "{wrong:?}"
        );
    }
    let far = Device::cuda_cards(&[0, 63]);
    assert!(matches!(far, Err(Error::NoDriver | Error::NoSuchDevice { .. })));
}

gpu_tests! {
    fn one_gpu_as_several_cards() {
        let Some(gpu) = ribbonmesh_suite::cuda().filter(|device| device.sharing().is_none()) else { return };
        drop(gpu);
        for cards in [2, 3, 8] {
            let device = Device::cuda_as_cards(0, cards).expect("a GPU");
            check(&device);
            check_sorts(&device, &[4097, size(1_000_003, 70_001)]);
            let sharing = device.sharing().expect("several cards");
            assert!(sharing.cards == cards && sharing.shared > 100 && sharing.small == 0, "{sharing:?}");
        }
    }

    fn sorts_on_several_gpus() {
        let Some(device) = all_cards() else { return };
        check_sorts(&device, &[4097, size(5_000_003, 70_001)]);
    }

    fn several_gpus_are_one_device() {
        let Some(device) = all_cards() else { return };
        check(&device);
        let sharing = device.sharing().expect("several cards");
        assert!(sharing.shared > 100 && sharing.small == 0 && sharing.texts == 0, "{sharing:?}");
    }

    fn small_work_is_on_the_first_card() {
        if all_cards().is_none() {
            return;
        }
        let device = Device::cuda_all().expect("cards");
        check(&device);
        let sharing = device.sharing().expect("several cards");
        assert!(sharing.shared > 10 && sharing.small > 10, "{sharing:?}");
        let of_one = Device::cuda(0).expect("a GPU").free_memory().expect("known");
        let of_all = device.free_memory().expect("known");
        assert!(of_all.total >= of_one.total * sharing.cards as u64 / 2, "{of_all:?}, {of_one:?}");
    }

    fn buffers_of_many_sizes_use_freed_memory_again() {
        let Some(device) = all_cards() else { return };
        for round in 0..30_u32 {
            let data = numbers(100_000 + 300_000 * (round % 7));
            let buffer = device.upload(&data).expect("room");
            let copy = buffer.try_clone().expect("room");
            drop(buffer);
            let zeros: Buffer<u32> = device.zeros(data.len()).expect("room");
            assert!(copy.read().expect("numbers") == data, "round {round}");
            drop(zeros);
        }
    }
}
