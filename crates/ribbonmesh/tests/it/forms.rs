//! Kernels over elements, and kernels with types.
use ribbonmesh::device::launch::OverElements;
use ribbonmesh::device::{BufferView, BufferViewMut, Pod, TILE, tiles};
use ribbonmesh::{Device, Error};
use ribbonmesh_suite::suite;
use ribbonmesh_testing::primitives::forms::{
    AddBoth, AddOne, AddTerms, Change, ChangeTypes, Expect, Multiply, Powers, PowersTypes, Same,
    StoredArguments, Times,
};

/// A host function over the types of a kernel.
fn changed<C: ChangeTypes>(device: &Device, values: &[u32]) -> Vec<u32> {
    let mut x = device.upload(values).expect("memory");
    device.launch_each(values.len() as u32, Change { x: x.view_mut() }.of::<C>()).expect("a launch");
    x.read().expect("no status")
}
/// The same where arguments tell one of the types.
fn powers<T: Pod + Send + Sync + std::ops::Mul<Output = T> + PowersTypes<N>, const N: u32>(
    device: &Device,
    values: &[T],
) -> Vec<T> {
    let from = device.upload(values).expect("memory");
    let mut to = device.zeros(N as usize * values.len()).expect("memory");
    let kernel = Powers { from: from.view(), to: to.view_mut() };
    device.launch(tiles(values.len() as u32), kernel.of::<N>()).expect("a launch");
    to.read().expect("no status")
}

suite! {
    fn elements(device) {
        for n in [0, 1, TILE - 1, TILE, 5 * TILE + 77] {
            let values: Vec<u32> = (0..n).map(|i| i % 7).collect();
            let from = device.upload(&values).expect("memory");
            // as many blocks as tiles, and fewer
            for blocks in [tiles(n), 2] {
                let mut to = device.upload(&vec![5; n as usize]).expect("memory");
                let kernel = Multiply { by: 3, from: from.view(), to: to.view_mut() };
                device.launch(blocks, OverElements { count: n, kernel }).expect("a launch");
                let expected: Vec<u32> = values.iter().map(|&v| if v == 0 { 5 } else { 3 * v }).collect();
                assert_eq!(to.read().expect("no status"), expected);
            }
        }
    }
    fn elements_with_their_block(device) {
        let mut values = vec![4u32; 2 * TILE as usize];
        let x = device.upload(&values).expect("memory");
        device.launch_each(2 * TILE, Expect { value: 4, from: x.view() }).expect("a launch");
        device.synchronize().expect("no status");
        values[TILE as usize + 3] = 9;
        let x = device.upload(&values).expect("memory");
        let found = device.launch_each(2 * TILE, Expect { value: 4, from: x.view() });
        assert!(found.and_then(|()| device.synchronize()).is_err());
    }
    fn arguments_named_like_an_index(device) {
        let mut to = device.upload(&[1u32, 2]).expect("memory");
        device.launch_each(2, AddBoth { i: 10, index: 100, to: to.view_mut() }).expect("a launch");
        assert_eq!(to.read().expect("no status"), [111, 112]);
    }
    fn types_that_are_chosen(device) {
        let values: Vec<u32> = (0..2000).collect();
        assert_eq!(changed::<AddOne>(device, &values), values.iter().map(|v| v + 1).collect::<Vec<_>>());
        assert_eq!(changed::<Times<3>>(device, &values), values.iter().map(|v| 3 * v).collect::<Vec<_>>());
    }
    fn types_of_views_and_numbers(device) {
        assert_eq!(powers::<f32, 2>(device, &[2.0, 3.0]), [2.0, 4.0, 3.0, 9.0]);
        assert_eq!(powers::<f64, 3>(device, &[2.0, 3.0]), [2.0, 4.0, 8.0, 3.0, 9.0, 27.0]);
        assert_eq!(powers::<u32, 2>(device, &[5]), [5, 25]);
    }
    fn types_of_whole_arguments(device) {
        let terms = device.upload(&[1u32, 2, 3]).expect("memory");
        let mut x = device.upload(&[10u32, 20, 30]).expect("memory");
        let stored = StoredArguments { terms: terms.view() };
        device.launch_each(3, AddTerms { terms: stored, x: x.view_mut() }).expect("a launch");
        device.launch_each(3, AddTerms { terms: Same { term: 100 }, x: x.view_mut() }).expect("a launch");
        assert_eq!(x.read().expect("no status"), [111, 122, 133]);
    }
    fn conditions(device) {
        let mut to = device.zeros(10).expect("memory");
        let from = device.zeros(10).expect("memory");
        let kernel = Multiply { by: 1, from: from.view(), to: to.view_mut() };
        let Err(Error::Argument { kernel, error }) = device.launch_each(11, kernel) else { panic!("too few") };
        assert_eq!((kernel, error.argument.as_str()), ("multiply", "from"));
        let broken = "the kernel requires `from.len() >= count as usize`, here 10 and 11";
        assert_eq!(error.to_string(), broken);
        let (from, to) = (BufferView::<f64>::empty(), BufferViewMut::empty());
        device.launch(0, Powers { from, to }.of::<3>()).expect("nothing");
        let x = device.upload(&[1.0, 2.0]).expect("memory");
        let short = device.launch(1, Powers { from: x.view(), to: BufferViewMut::empty() }.of::<3>());
        let Err(Error::Argument { kernel, .. }) = short else { panic!("too short") };
        assert_eq!(kernel, "powers_f64_3");
    }
}
