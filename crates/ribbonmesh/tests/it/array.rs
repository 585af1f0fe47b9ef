//! Primitives over flat arrays against plain loops.
use ribbonmesh::device::{Pod, Quad, Vec3};
use ribbonmesh::glam::{DVec3, IVec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_suite::{Random, size, suite};
use std::fmt::Debug;

const SIZES: [usize; 9] = [0, 1, 2, 1023, 1024, 1025, 2048, 5000, 1_050_000];
fn sizes() -> impl Iterator<Item = usize> {
    SIZES.into_iter().take(size(9, 8))
}
fn upload<T: Pod>(device: &Device, data: &[T]) -> Buffer<T> {
    device.upload(data).expect("memory")
}
fn read<T: Pod>(buffer: &Buffer<T>) -> Vec<T> {
    buffer.read().expect("no status")
}

/// Fills, gathers and scatters rows of one type.
fn rows<T: Pod + PartialEq + Debug>(device: &Device, of: impl Fn(u32) -> T) {
    for n in [0, 1, 1024, 3001] {
        let mut random = Random(n as u64 + 1);
        let data: Vec<T> = (0..n as u32 + 7).map(&of).collect();
        let mut buffer = upload(device, &data);
        let index: Vec<u32> = (0..n).map(|_| random.below(data.len() as u32)).collect();
        let picked = array::gather(&buffer, &upload(device, &index)).expect("indices");
        assert_eq!(read(&picked), index.iter().map(|&i| data[i as usize]).collect::<Vec<T>>());

        // a permutation of the first places, others stay
        let mut index: Vec<u32> = (0..n as u32).collect();
        index.sort_by_key(|i| i.wrapping_mul(2_654_435_761));
        let values: Vec<T> = (0..n as u32).map(|i| of(i + 100_000)).collect();
        array::scatter(&upload(device, &values), &upload(device, &index), &mut buffer).expect("indices");
        let mut expected = data.clone();
        for (&i, &v) in index.iter().zip(&values) {
            expected[i as usize] = v;
        }
        assert_eq!(read(&buffer), expected);

        array::fill(&mut buffer, of(77)).expect("a launch");
        assert_eq!(read(&buffer), vec![of(77); data.len()]);
    }
}
fn expect_index<T>(result: ribbonmesh::Result<T>, device: &Device, place: u32, index: u32) {
    match result.and_then(|_| device.synchronize()) {
        Err(Error::Index { place: p, index: i, .. }) => assert_eq!((p, i), (place, index)),
        other => panic!("{other:?}"),
    }
}

suite! {
    /// Large arrays are copied to a GPU piece by piece.
    fn copies_of_all_sizes(device) {
        let mib = 1_usize << 20;
        for n in [0, 1, mib - 1, mib, mib + 1, 2 * mib - 1, 2 * mib, 2 * mib + 1, 8 * mib - 3, 8 * mib, size(19 * mib + 5, 9 * mib)] {
            let data: Vec<u8> = (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            let mut buffer = upload(device, &data);
            assert!(read(&buffer) == data, "{n}");
            // from odd places, behind work that is under way
            let (at, len) = (n / 3, n / 2);
            let other: Vec<u8> = data.iter().rev().copied().take(len).collect();
            buffer.clear().expect("a launch");
            buffer.write_range(at, &other).expect("in range");
            let copy = buffer.try_clone().expect("memory");
            buffer.clear().expect("a launch");
            assert!(copy.read_range(at, len).expect("in range") == other, "{n}");
            assert!(read(&buffer).iter().all(|byte| *byte == 0), "{n}");
            let mut expected = vec![0; n];
            expected[at..at + len].copy_from_slice(&other);
            assert!(read(&copy) == expected, "{n}");
        }
    }
    fn rows_of_all_sizes(device) {
        rows(device, |i| i);
        rows(device, |i| i as f64 / 3.0);
        rows(device, |i| Vec3::new(i as f32, 0.5, -(i as f32)));
        rows(device, |i| Quad([i, i + 1, 7 * i, 9]));
        rows(device, |i| [i, 1, 2, 3, i ^ 5]);
        rows(device, |i| DVec3::new(i as f64, 0.5, 2.0));
        rows(device, |i| [i as u16; 14]);
        rows(device, |i| [i as u8, 1, 2, 3]);
    }
    fn indices_behind_the_end(device) {
        let from = upload(device, &[1_u32, 2, 3]);
        for wrong in [3, 4, 1 << 30, u32::MAX] {
            let index = upload(device, &[0, 2, wrong, 1]);
            expect_index(array::gather(&from, &index), device, 2, wrong);
            let (mut to, values) = (upload(device, &[5_u32, 6, 7]), upload(device, &[10_u32, 11, 12, 13]));
            expect_index(array::scatter(&values, &index, &mut to), device, 2, wrong);
            // the others are written, and the error is told once
            assert_eq!(read(&to), [10, 13, 11]);
            // whose products with the words of a row would be small again
            let (wide, mut to) = (upload(device, &[Quad([1; 4]); 3]), upload(device, &[Quad([2; 4]); 4]));
            let result = array::gather_into(&wide, &index, &mut to);
            expect_index(result, device, 2, wrong);
            assert_eq!(read(&to), [Quad([1; 4]), Quad([1; 4]), Quad([2; 4]), Quad([1; 4])]);
        }
        expect_index(array::gather(&device.zeros::<[u32; 5]>(0).expect("none"), &upload(device, &[0])), device, 0, 0);
    }
    fn other_lengths_and_devices(device) {
        let (from, index) = (upload(device, &[1_u32, 2, 3]), upload(device, &[0, 2]));
        let mut short = upload(device, &[0_u32]);
        assert!(matches!(array::gather_into(&from, &index, &mut short), Err(Error::Length { expected: 2, found: 1, .. })));
        assert!(matches!(array::scatter(&from, &index, &mut short), Err(Error::Length { expected: 2, found: 3, .. })));
        let keys = upload(device, &[1_u64, 2]);
        assert!(matches!(array::sum_by_key(&keys, &from), Err(Error::Length { expected: 2, found: 3, .. })));
        let (mut keys, mut values) = (keys, from);
        assert!(matches!(array::sort_pairs(&mut keys, &mut values, 64), Err(Error::Length { .. })));
        assert!(matches!(array::sort(&mut keys, 0), Err(Error::Option { option: "bits", .. })));
        assert!(matches!(array::sort(&mut keys, 65), Err(Error::Option { option: "bits", .. })));
        let other = upload(&Device::cpu(), &[0_u32, 1]);
        assert!(matches!(array::gather(&values, &other).map(drop), Err(Error::OtherDevice { .. })));
        assert!(matches!(array::sum_by_key(&keys, &other).map(drop), Err(Error::OtherDevice { .. })));
    }
    fn numbers_of_a_range(device) {
        for range in [0..0, 7..7, 0..5000, 1_000_000..1_000_001, 77..3000, u32::MAX - 1024..u32::MAX] {
            let numbers = array::numbers(device, range.clone()).expect("memory");
            assert_eq!(read(&numbers), range.collect::<Vec<u32>>());
        }
        assert_eq!(read(&array::count_up(device, 3).expect("memory")), [0, 1, 2]);
    }

    fn an_index_twice(device) {
        let n = size(100_000, 10_000_usize);
        let mut random = Random(4);
        let index: Vec<u32> = (0..n).map(|_| random.below(5)).collect();
        let values: Vec<[u32; 3]> = (0..n as u32).map(|i| [i; 3]).collect();
        let mut to = upload(device, &[[u32::MAX; 3]; 6]);
        array::scatter(&upload(device, &values), &upload(device, &index), &mut to).expect("indices");
        let found = read(&to);
        for (place, row) in found[..5].iter().enumerate() {
            assert!(row.iter().all(|&word| index[word as usize] as usize == place), "{place}: {row:?}");
        }
        assert_eq!(found[5], [u32::MAX; 3]);
    }
    fn prefix_sums(device) {
        for n in sizes() {
            let mut random = Random(n as u64);
            let values: Vec<u32> = (0..n).map(|_| random.below(4000)).collect();
            let (mut before, mut sum) = (vec![], 0);
            for v in &values {
                before.push(sum);
                sum += v;
            }
            let mut buffer = upload(device, &values);
            assert_eq!(array::exclusive_scan(&mut buffer).expect("a sum"), sum);
            assert_eq!(read(&buffer), before);
            let mut buffer = upload(device, &values);
            assert_eq!(array::inclusive_scan(&mut buffer).expect("a sum"), sum);
            let after: Vec<u32> = before.iter().zip(&values).map(|(a, b)| a + b).collect();
            assert_eq!(read(&buffer), after);
        }
    }
    fn a_sum_of_more_than_32_bits(device) {
        for values in [vec![u32::MAX, 1], vec![u32::MAX; 5000], vec![1 << 22; 1024]] {
            let mut buffer = upload(device, &values);
            let sum: u64 = values.iter().map(|&v| u64::from(v)).sum();
            let result = array::exclusive_scan(&mut buffer);
            assert!(matches!(result, Err(Error::TooMany { count, .. }) if count == sum), "{result:?}");
            assert_eq!(read(&buffer), values);
        }
        let mut most = upload(device, &[u32::MAX - 1, 0, 1]);
        assert_eq!(array::inclusive_scan(&mut most).expect("32 bits"), u32::MAX);
        assert_eq!(read(&most), [u32::MAX - 1, u32::MAX - 1, u32::MAX]);
    }
    fn places_of_flags(device) {
        for n in sizes() {
            for of in [1, 3, 1 << 20] {
                let mut random = Random(n as u64);
                // any number but 0 is a flag
                let flags: Vec<u32> = (0..n).map(|_| if random.below(of) == 0 { 1 + random.next() } else { 0 }).collect();
                let expected: Vec<u32> = (0..n as u32).filter(|&i| flags[i as usize] != 0).collect();
                assert_eq!(read(&array::select(&upload(device, &flags)).expect("a list")), expected);
            }
        }
    }
    fn sorted(device) {
        for n in sizes() {
            for bits in [8, 20, 64] {
                let mut random = Random(n as u64);
                let mut wide = || u64::from(random.next()) << 33 ^ u64::from(random.next()) << 7 ^ u64::from(random.next() % 3);
                let keys: Vec<u64> = (0..n).map(|_| wide()).collect();
                // whole bytes count
                let mask = if bits == 64 { u64::MAX } else { (1 << u32::next_multiple_of(bits, 8)) - 1 };
                let mut order: Vec<u32> = (0..n as u32).collect();
                order.sort_by_key(|&i| keys[i as usize] & mask);
                let expected: Vec<u64> = order.iter().map(|&i| keys[i as usize]).collect();
                let (mut k, mut v) = (upload(device, &keys), upload(device, &(0..n as u32).collect::<Vec<_>>()));
                array::sort_pairs(&mut k, &mut v, bits).expect("sorted");
                assert!(read(&k) == expected && read(&v) == order, "{n} {bits}");
                let mut k = upload(device, &keys);
                array::sort(&mut k, bits).expect("sorted");
                assert!(read(&k) == expected, "{n} {bits}");
            }
        }
    }
    fn groups(device) {
        for n in sizes() {
            for count in [1, 7, 50, 256, 5000, 70_000] {
                let mut random = Random(n as u64 + u64::from(count));
                let keys: Vec<u32> = (0..n).map(|_| random.below(count)).collect();
                let mut expected = vec![vec![]; count as usize];
                keys.iter().zip(0..).for_each(|(&key, place)| expected[key as usize].push(place));
                let groups = array::group_by(&upload(device, &keys), count).expect("groups");
                let (starts, places) = (read(groups.starts()), read(groups.places()));
                assert_eq!((starts[0], starts.len(), places.len()), (0, count as usize + 1, n));
                let found = starts.windows(2).map(|ends| &places[ends[0] as usize..ends[1] as usize]);
                assert!(found.eq(expected.iter().map(Vec::as_slice)), "{n} keys below {count}");
            }
        }
        for wrong in [5, 6, 77, u32::MAX] {
            let groups = array::group_by(&upload(device, &[0, 4, wrong, 1]), 5);
            expect_index(groups, device, 2, wrong);
        }
    }
    fn sums_of_runs(device) {
        for n in sizes() {
            // all different, short, some that span many tiles, all equal
            for longest in [1, 5, 70, 40_000, u32::MAX] {
                let mut random = Random(n as u64 + 7);
                let (mut keys, mut left, mut key) = (vec![], 0, 1 << 40);
                for _ in 0..n {
                    if left == 0 {
                        left = 1 + random.below(longest);
                        key += 1 + u64::from(random.below(3));
                    }
                    left -= 1;
                    keys.push(key);
                }
                let u: Vec<u32> = (0..n).map(|_| u32::MAX - random.below(9)).collect();
                let i: Vec<i32> = (0..n).map(|_| random.next() as i32).collect();
                let f: Vec<f32> = (0..n).map(|_| random.below(1 << 20) as f32 / 64.0 - 8000.0).collect();
                let runs: Vec<(u64, u64, i64, f64)> = keys
                    .chunk_by(|a, b| a == b)
                    .scan(0, |at, run| {
                        let part = *at..*at + run.len();
                        *at += run.len();
                        let u = u[part.clone()].iter().map(|&v| u64::from(v)).sum();
                        let i = i[part.clone()].iter().map(|&v| i64::from(v)).sum();
                        Some((run[0], u, i, f[part].iter().map(|&v| f64::from(v)).sum()))
                    })
                    .collect();
                let keys = upload(device, &keys);
                let found = array::sum_by_key(&keys, &upload(device, &u)).expect("sums");
                assert_eq!(read(&found.keys), runs.iter().map(|r| r.0).collect::<Vec<_>>());
                assert_eq!(read(&found.sums), runs.iter().map(|r| r.1).collect::<Vec<_>>());
                let found = array::sum_by_key(&keys, &upload(device, &i)).expect("sums");
                assert_eq!(read(&found.sums), runs.iter().map(|r| r.2).collect::<Vec<_>>());
                // multiples of 1/64: exact in any order
                let found = array::sum_by_key(&keys, &upload(device, &f)).expect("sums");
                assert_eq!(read(&found.sums), runs.iter().map(|r| r.3).collect::<Vec<_>>());
            }
        }
    }
    fn runs_of_unsorted_keys(device) {
        let (keys, values) = (upload(device, &[7, 7, 2, 7, 7, 7, 2, 2_u64]), upload(device, &[1.0_f64, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]));
        let found = array::sum_by_key(&keys, &values).expect("sums");
        assert_eq!((read(&found.keys), read(&found.sums)), (vec![7, 2, 7, 2], vec![3.0, 3.0, 15.0, 15.0]));
        // equal keys at every 32nd place, and others between
        let keys: Vec<u64> = (0..5000).map(|i| u64::from(i % 32 != 0) * i).collect();
        let found = array::sum_by_key(&upload(device, &keys), &upload(device, &vec![1_u32; 5000])).expect("sums");
        assert!(read(&found.keys) == keys && read(&found.sums) == vec![1_u64; 5000]);
    }
    fn the_same_sums_as_on_one_thread(device) {
        let n = size(300_000, 20_000_u64);
        let mut random = Random(11);
        let values: Vec<f32> = (0..n).map(|_| (random.next() as f32 / 1e9).exp() - 3.0).collect();
        let keys: Vec<u64> = (0..n).map(|i| i.isqrt().isqrt()).collect();
        let sums = |device: &Device| {
            let found = array::sum_by_key(&upload(device, &keys), &upload(device, &values)).expect("sums");
            let bits: Vec<u64> = read(&found.sums).into_iter().map(f64::to_bits).collect();
            (bits, array::sum(&upload(device, &values)).expect("a sum").to_bits())
        };
        let first = sums(device);
        assert_eq!(first, sums(device));
        assert_eq!(first, sums(&Device::cpu_with_threads(1).expect("a thread")));
    }
    fn reductions(device) {
        for n in sizes() {
            let mut random = Random(n as u64 + 3);
            let v: Vec<IVec3> = (0..n).map(|_| IVec3::new(random.next() as i32, random.below(9) as i32 - 4, 1)).collect();
            let buffer = upload(device, &v);
            let sum = v.iter().fold([0_i64; 3], |s, v| [s[0] + i64::from(v.x), s[1] + i64::from(v.y), s[2] + 1]);
            assert_eq!(array::sum(&buffer).expect("a sum").to_array(), sum);
            assert_eq!(array::min(&buffer).expect("a minimum"), v.iter().copied().reduce(IVec3::min));
            assert_eq!(array::max(&buffer).expect("a maximum"), v.iter().copied().reduce(IVec3::max));
        }
        let floats = upload(device, &[2.0_f64, f64::NAN, -1.0]);
        assert_eq!((array::min(&floats).expect("a minimum"), array::max(&floats).expect("a maximum")), (Some(-1.0), Some(2.0)));
        assert!(array::sum(&floats).expect("a sum").is_nan());
    }
}
