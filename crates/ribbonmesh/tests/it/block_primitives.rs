//! The primitives of a block against plain Rust.
use ribbonmesh::device::{Quad, TILE, Vec3, tiles};
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_suite::{Random, suite};
use ribbonmesh_testing::primitives::{PartsArguments, atomics, collectives, loops, memory};

/// Random values in parts of random lengths, 0 and 4096 among them.
struct Data {
    starts: Vec<u32>,
    values: Vec<u32>,
    on_device: Buffer<u32>,
    device_values: Buffer<u32>,
}
impl Data {
    fn new(device: &Device, most: u32, below: u32) -> Self {
        let mut random = Random(most as u64);
        let mut lengths = vec![0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 511, 512, 513, most];
        lengths.extend((0..40).map(|_| random.below(most + 1)));
        let mut starts = vec![0];
        for n in lengths {
            starts.push(starts[starts.len() - 1] + n.min(most));
        }
        let n = starts[starts.len() - 1];
        let values: Vec<u32> = (0..n).map(|_| random.below(below)).collect();
        let on_device = device.upload(&starts).expect("memory");
        let device_values = device.upload(&values).expect("memory");
        Self { starts, values, on_device, device_values }
    }
    fn blocks(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
    fn parts(&self) -> PartsArguments<'_> {
        let most = self.starts.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0);
        PartsArguments { starts: self.on_device.view(), most }
    }
    fn each(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|w| &self.values[w[0] as usize..w[1] as usize])
    }
    fn part<'a, T>(&self, of: &'a [T], block: usize) -> &'a [T] {
        &of[self.starts[block] as usize..self.starts[block + 1] as usize]
    }
}
fn zeros<T: ribbonmesh::device::Pod>(device: &Device, n: usize) -> Buffer<T> {
    device.zeros(n).expect("memory")
}
fn read<T: ribbonmesh::device::Pod>(buffer: &Buffer<T>) -> Vec<T> {
    buffer.read().expect("no status")
}

suite! {
    fn scan(device) {
        let data = Data::new(device, 4096, 1000);
        for threads in [32, 128, 1024] {
            let mut values = device.upload(&data.values).expect("memory");
            let mut totals = zeros::<u32>(device, data.blocks() as usize);
            let (v, t) = (values.view_mut(), totals.view_mut());
            let kernel = collectives::Scan { parts: data.parts(), values: v, totals: t };
            device.launch_with_threads(data.blocks(), threads, kernel).expect("a launch");
            let (values, totals) = (read(&values), read(&totals));
            for (block, part) in data.each().enumerate() {
                let mut sum = 0;
                for (v, found) in part.iter().zip(data.part(&values, block)) {
                    assert_eq!(*found, sum);
                    sum += v;
                }
                assert_eq!(totals[block], sum);
            }
        }
    }
    fn reduce(device) {
        let data = Data::new(device, 4096, 1005);
        let mut out = zeros::<u32>(device, (collectives::REDUCED * data.blocks()) as usize);
        let values = data.device_values.view();
        let kernel = collectives::Reduce { parts: data.parts(), values, out: out.view_mut() };
        device.launch(data.blocks(), kernel).expect("a launch");
        let out = read(&out);
        for (block, p) in data.each().enumerate() {
            let wide: u64 = p.iter().map(|&v| (v as u64) << 20).sum();
            let max = p.iter().fold(0f32, |m, &v| m.max(v as f32));
            let expected = [
                p.iter().sum(),
                p.iter().copied().min().unwrap_or(u32::MAX),
                p.contains(&7) as u32,
                p.iter().all(|&v| v < 1000) as u32,
                p.iter().filter(|&v| v % 3 == 0).count() as u32,
                wide as u32,
                (wide >> 32) as u32,
                max.to_bits(),
            ];
            assert_eq!(out[8 * block..8 * block + 8], expected);
        }
    }
    fn reduce_structs(device) {
        let data = Data::new(device, 4096, 1005);
        let n = 2 * data.blocks() as usize;
        let (mut ranges, mut figures, mut remainders) = (zeros(device, n), zeros(device, n), zeros(device, n));
        // warps whose values do not fit the scratch space at the same time, too
        for threads in [32, 64, 128, 256, 512] {
            let kernel = collectives::ReduceStructs {
                parts: data.parts(),
                values: data.device_values.view(),
                ranges: ranges.view_mut(),
                figures: figures.view_mut(),
                remainders: remainders.view_mut(),
            };
            device.launch_with_threads(data.blocks(), threads, kernel).expect("a launch");
            let (ranges, figures, remainders) = (read(&ranges), read(&figures), read(&remainders));
            for (block, part) in data.each().enumerate() {
                let wide = || part.iter().map(|&v| u64::from(v));
                let greatest = part.iter().copied().max().unwrap_or(0);
                let least = part.iter().copied().min().unwrap_or(u32::MAX);
                let range = collectives::Range { sum: part.iter().sum(), least, greatest };
                let expected = collectives::Figures {
                    sum: wide().sum(),
                    squares: wide().map(|v| v * v).sum(),
                    greatest: greatest as f32,
                    odd: part.iter().filter(|&v| v % 2 == 1).count() as u32,
                };
                let sums = std::array::from_fn(|k| part.iter().filter(|&v| v % 16 == k as u32).sum());
                let two = 2 * block..2 * block + 2;
                assert_eq!(ranges[two.clone()], [range; 2]);
                assert_eq!(figures[two.clone()], [expected; 2]);
                assert_eq!(remainders[two], [collectives::Remainders { sums }; 2]);
            }
        }
    }
    fn compact(device) {
        let data = Data::new(device, 4096, 1000);
        let mut list = zeros::<u32>(device, data.values.len());
        let mut lengths = zeros::<u32>(device, data.blocks() as usize);
        let kernel = collectives::Compact {
            parts: data.parts(),
            values: data.device_values.view(),
            list: list.view_mut(),
            lengths: lengths.view_mut(),
        };
        device.launch(data.blocks(), kernel).expect("a launch");
        let (list, lengths) = (read(&list), read(&lengths));
        for (block, part) in data.each().enumerate() {
            let expected: Vec<u32> = (0..).zip(part).filter(|(_, v)| *v % 2 == 1).map(|(i, _)| i).collect();
            assert_eq!(data.part(&list, block)[..lengths[block] as usize], expected);
        }
    }
    fn append(device) {
        let data = Data::new(device, 4096, 1000);
        let mut odd: Vec<u32> = data.values.iter().copied().filter(|v| v % 2 == 1).collect();
        odd.sort_unstable();
        for room in [odd.len(), 5] {
            let (mut list, mut counter) = (zeros::<u32>(device, room), zeros::<u32>(device, 1));
            let kernel = collectives::Append {
                parts: data.parts(),
                values: data.device_values.view(),
                list: list.view_mut(),
                counter: counter.view_mut(),
            };
            device.launch(data.blocks(), kernel).expect("a launch");
            // what does not fit is counted
            assert_eq!(read(&counter), [odd.len() as u32]);
            let mut found = read(&list);
            found.sort_unstable();
            assert!(room == 5 || found == odd);
            assert!(found.iter().all(|v| odd.binary_search(v).is_ok()));
        }
    }
    fn sort(device) {
        let data = Data::new(device, 4096, u32::MAX);
        let mut values = device.upload(&data.values).expect("memory");
        let kernel = collectives::Sort { parts: data.parts(), values: values.view_mut() };
        device.launch(data.blocks(), kernel).expect("a launch");
        let wide: Vec<u64> = data.values.iter().map(|&v| (v as u64) << 31 ^ v as u64).collect();
        let mut wide_values = device.upload(&wide).expect("memory");
        let kernel = collectives::SortWide { parts: data.parts(), values: wide_values.view_mut() };
        device.launch(data.blocks(), kernel).expect("a launch");
        let (values, wide_values) = (read(&values), read(&wide_values));
        for block in 0..data.blocks() as usize {
            let mut expected = data.part(&data.values, block).to_vec();
            expected.sort_unstable();
            assert_eq!(data.part(&values, block), expected);
            let mut expected = data.part(&wide, block).to_vec();
            expected.sort_unstable();
            assert_eq!(data.part(&wide_values, block), expected);
        }
    }
    fn registers(device) {
        let data = Data::new(device, 1024, 1000);
        let mut out = zeros::<u32>(device, data.values.len());
        let values = data.device_values.view();
        let kernel = loops::Registers { parts: data.parts(), values, out: out.view_mut() };
        device.launch(data.blocks(), kernel).expect("a launch");
        let out = read(&out);
        let mut parts = [0; 2];
        for (block, p) in data.each().enumerate() {
            let more = p.iter().any(|v| v % 499 == 0) as u32;
            parts[more as usize] += 1;
            let expected: Vec<u32> = (0..p.len()).map(|i| p[i] + p[(i + 1) % p.len()] + more).collect();
            assert_eq!(data.part(&out, block), expected);
        }
        assert!(parts[0] > 0 && parts[1] > 0);
    }
    fn ahead(device) {
        let data = Data::new(device, 4096, 1000);
        let mut out = zeros::<u32>(device, data.values.len());
        let values = data.device_values.view();
        let kernel = loops::Ahead { parts: data.parts(), values, out: out.view_mut() };
        device.launch(data.blocks(), kernel).expect("a launch");
        let out = read(&out);
        for (block, p) in data.each().enumerate() {
            let even = p.iter().filter(|&v| v % 2 == 0).count() as u32;
            assert_eq!(data.part(&out, block), p.iter().map(|v| v + even).collect::<Vec<_>>());
        }
    }
    fn flat(device) {
        for n in [1, TILE - 1, TILE, 5 * TILE + 77] {
            // as many blocks as tiles, and fewer
            for blocks in [tiles(n), 2] {
                let (mut out, mut first) = (zeros::<u32>(device, n as usize), zeros::<u32>(device, tiles(n) as usize));
                let kernel = loops::Flat { n, out: out.view_mut(), tiles: first.view_mut() };
                device.launch(blocks, kernel).expect("a launch");
                assert_eq!(read(&out), (0..n).map(|i| 3 * i).collect::<Vec<_>>());
                assert_eq!(read(&first), (0..tiles(n)).map(|t| t * TILE).collect::<Vec<_>>());
            }
        }
    }
    fn contention(device) {
        let n = 100_000;
        let mut random = Random(3);
        let values: Vec<u32> = (0..n).map(|_| 16 + random.below(1000)).collect();
        let on_device = device.upload(&values).expect("memory");
        let mut a = device.upload(&[0u32, u32::MAX, 0, u32::MAX, 0, 0]).expect("memory");
        let mut b = device.upload(&[0u64, u64::MAX, 0, u64::MAX, 0, 0, 0]).expect("memory");
        let mut c = device.upload(&[0i32, i32::MAX, i32::MIN]).expect("memory");
        let mut d = device.upload(&[0f32, f32::INFINITY, f32::NEG_INFINITY]).expect("memory");
        let to =
            atomics::TargetsArguments { u32: a.view_mut(), u64: b.view_mut(), i32: c.view_mut(), f32: d.view_mut() };
        device.launch(tiles(n), atomics::Contend { n, values: on_device.view(), to }).expect("a launch");
        let (min, max) = (values.iter().copied().min().unwrap_or(0), values.iter().copied().max().unwrap_or(0));
        let (and, or) = (values.iter().fold(u32::MAX, |a, v| a & v), values.iter().fold(0, |a, v| a | v));
        let sum: u32 = values.iter().sum();
        assert_eq!(read(&a), [sum, min, max, and, or, n]);
        let wide = |v: u32| (v as u64) << 24 | 1;
        let b = read(&b);
        let total = values.iter().map(|&v| wide(v)).sum();
        assert_eq!(b[..6], [total, wide(min), wide(max), wide(and), wide(or), n as u64]);
        assert!(values.iter().any(|&v| wide(v) == b[6]));
        let (low, high, all) = (min as i32 - 500, max as i32 - 500, sum as i32 - 500 * n as i32);
        assert_eq!(read(&c), [all, low, high]);
        assert_eq!(read(&d), [all as f32, low as f32, high as f32]);
    }
    fn contention_in_shared_memory(device) {
        let values: Vec<u32> = (0..5000).map(|i| 3 + i * 7 % 1001).collect();
        let (on_device, blocks) = (device.upload(&values).expect("memory"), 40);
        let mut out = zeros::<u32>(device, 5 * blocks as usize);
        let n = values.len() as u32;
        let kernel = atomics::ContendShared { n, values: on_device.view(), out: out.view_mut() };
        device.launch(blocks, kernel).expect("a launch");
        let (sum, or) = (values.iter().sum::<u32>(), values.iter().fold(0, |a, v| a | v));
        let expected = [sum, 3, or, n, (sum as f32).to_bits()];
        assert!(read(&out).chunks(5).all(|block| block == expected));
    }
    fn too_little_shared_memory(device) {
        let (blocks, bad) = (9, 4);
        let mut out = zeros::<u32>(device, 64 * blocks);
        let mut run = |more| {
            let kernel = memory::Overflow { which: bad, more, out: out.view_mut() };
            device.launch(blocks as u32, kernel).and_then(|()| device.synchronize())?;
            out.read()
        };
        match run(1000) {
            Err(Error::Kernel { kernel: "overflow", block, first, second, .. }) => {
                assert!(block == bad && first > second && first >= 4256, "{block} {first} {second}");
            }
            other => panic!("{other:?}"),
        }
        // the next launch works, and the error is told once
        let expected: Vec<u32> = (0..blocks as u32).flat_map(|b| (0..64).map(move |i| 63 - i + b)).collect();
        assert_eq!(run(0).expect("no status"), expected);
    }
    fn more_than_48_kilobytes(device) {
        let n = 20_000;
        let values: Vec<u32> = (0..n).map(|i| i * i % 1013).collect();
        let (on_device, mut out) = (device.upload(&values).expect("memory"), zeros::<u32>(device, n as usize));
        let kernel = memory::Reverse { n, values: on_device.view(), out: out.view_mut() };
        device.launch(1, kernel).expect("a launch");
        assert!(read(&out).iter().eq(values.iter().rev()));
        let too_much = memory::Reverse { n: u32::MAX, values: on_device.view(), out: out.view_mut() };
        assert!(matches!(device.launch(1, too_much), Err(Error::SharedMemory { kernel: "reverse", .. })));
    }
    fn values_of_all_sizes(device) {
        let n = 1000u32;
        let a: Vec<u16> = (0..n).map(|i| i as u16 * 7).collect();
        let b: Vec<f32> = (0..n).map(|i| i as f32 / 3.0).collect();
        let c: Vec<u64> = (0..n).map(|i| (i as u64) << 33 | 5).collect();
        let d: Vec<Vec3> = (0..n).map(|i| Vec3::new(i as f32, 0.5, -(i as f32))).collect();
        let e: Vec<Quad> = (0..n).map(|i| Quad([i, i + 1, i * 2, 9])).collect();
        macro_rules! go { ($($v:ident $field:ident),*) => {
            $(let ($field, mut $v) = (device.upload(&$v).expect("memory"), (zeros(device, 2 * n as usize), $v));)*
            let kernel = memory::CopyAll { n, $($field: memory::CopiedArguments { from: $field.view(), to: $v.0.view_mut() }),* };
            device.launch(1, kernel).expect("a launch");
            $(let found = read(&$v.0); assert!(found[..n as usize] == $v.1 && found[n as usize..] == $v.1, stringify!($field));)*
        } }
        go!(a halves, b words, c doubles, d vectors, e quads);
    }
}
