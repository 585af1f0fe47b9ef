//! Products and transposes, compared with plain code.
use crate::plain::Plain;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_multigrid::{Blocks, MultigridError, Numbers, Product, Transposition};
use ribbonmesh_suite::{Random, suite};

fn same(found: &Plain, exact: &Plain, what: &str) {
    assert_eq!((found.rows, found.columns), (exact.rows, exact.columns), "{what}");
    assert!(found.blocks == exact.blocks, "{what}: other blocks");
}
fn multiplies<R: Numbers>(device: &Device, [h, k, w]: [usize; 3]) {
    let what = format!("{h} x {k} by {k} x {w}");
    let mut random = Random(5);
    let a = Plain::random(&mut random, [330, 210], [h, k], 3);
    let b = Plain::random(&mut random, [210, 150], [k, w], 2);
    let (of_a, of_b) = (a.upload::<R>(device), b.upload::<R>(device));
    let product = Product::new(&of_a, &of_b).expect("a product");
    let found = product.values(&of_a, &of_b).expect("numbers");
    same(&Plain::download(&found), &a.times(&b), &what);
    // other numbers in the same blocks
    let mut twice = a.clone();
    twice.blocks.values_mut().flatten().for_each(|x| *x *= 2.0);
    let again = product.values(&twice.upload::<R>(device), &of_b).expect("numbers");
    same(&Plain::download(&again), &twice.times(&b), &what);
    let transposition = Transposition::new(of_a.pattern()).expect("a transpose");
    let transposed = transposition.of(&of_a).expect("numbers");
    same(&Plain::download(&transposed), &a.transposed(), &what);
    for lanes in [3, 4, 8] {
        let x: Vec<f64> = (0..210 * k * lanes).map(|i| ((i * 7) % 11) as f64 - 5.0).collect();
        let numbers: Vec<R> = x.iter().map(|x| R::from_f64(*x)).collect();
        let (from, mut to) =
            (device.upload(&numbers).expect("memory"), device.zeros(330 * h * lanes).expect("memory"));
        product_with(&of_a, lanes as u32, &from, &mut to);
        let found: Vec<f64> = to.read().expect("memory").iter().map(|x: &R| x.to_f64()).collect();
        assert_eq!(found, a.apply(&x, lanes), "{what}");
    }
}
fn product_with<R: Numbers>(a: &Blocks<R>, lanes: u32, x: &Buffer<R>, y: &mut Buffer<R>) {
    if let Some(a) = (a as &dyn std::any::Any).downcast_ref::<Blocks<f32>>() {
        a.multiply(lanes, x, y).expect("a product");
    } else if let Some(a) = (a as &dyn std::any::Any).downcast_ref::<Blocks<f64>>() {
        a.multiply(lanes, x, y).expect("a product");
    }
}

suite! {
    fn products_and_transposes(device) {
        for shape in [[1, 1, 1], [3, 3, 3], [3, 3, 6], [6, 6, 6], [6, 3, 6]] {
            multiplies::<f64>(device, shape);
            multiplies::<f32>(device, shape);
        }
    }
    /// Rows for a thread, for a block, and for more columns than the block's table takes.
    fn rows_of_every_length(device) {
        let mut random = Random(11);
        let (mut a, b) = (Plain::new([9, 3000], [1, 1]), Plain::random(&mut random, [3000, 2900], [1, 1], 2));
        for (row, n) in [(1, 1), (2, 20), (3, 60), (4, 200), (5, 700), (6, 3000), (8, 2)] {
            (0..n).for_each(|_| a.add(row, 1 + random.below(2999) as usize, &[1.0]));
        }
        a.add(7, 0, &[2.0]);
        let (of_a, of_b) = (a.upload::<f64>(device), b.upload::<f64>(device));
        let found = Product::new(&of_a, &of_b).expect("a product").values(&of_a, &of_b).expect("numbers");
        let exact = a.times(&b);
        let longest = |of: &Plain| (0..9).map(|row| of.blocks.range((row, 0)..(row + 1, 0)).count()).collect::<Vec<_>>();
        assert!(longest(&exact).iter().any(|n| *n > 1536) && longest(&exact).iter().any(|n| (200..1500).contains(n)), "{:?}", longest(&exact));
        same(&Plain::download(&found), &exact, "rows of every length");
    }
    fn matrices_without_blocks(device) {
        let empty = Plain::new([0, 0], [1, 1]).upload::<f64>(device);
        let square = Product::new(&empty, &empty).expect("a product").values(&empty, &empty).expect("numbers");
        assert_eq!((square.pattern().rows(), square.pattern().len()), (0, 0));
        let hollow = Plain::new([4, 7], [1, 1]).upload::<f64>(device);
        let down = Transposition::new(hollow.pattern()).expect("a transpose").of(&hollow).expect("numbers");
        assert_eq!((down.pattern().rows(), down.pattern().columns(), down.pattern().len()), (7, 4, 0));
        let product = Product::new(&hollow, &down).expect("a product");
        assert_eq!((product.pattern().rows(), product.pattern().len()), (4, 0));
    }
    fn wrong_matrices_are_refused(device) {
        let made = |starts: &[u32], columns: &[u32], values: &[f64]| {
            let [starts, columns] = [starts, columns].map(|x| device.upload(x).expect("memory"));
            Blocks::new(3, [1, 1], starts, columns, device.upload(values).expect("memory"))
        };
        assert!(made(&[0, 1, 2], &[0, 2], &[1.0, 1.0]).is_ok());
        assert!(matches!(made(&[0, 1, 2], &[0, 3], &[1.0; 2]), Err(MultigridError::Row { row: 1, columns: 3 })));
        assert!(matches!(made(&[0, 2, 2], &[2, 0], &[1.0; 2]), Err(MultigridError::Row { row: 0, .. })));
        assert!(matches!(made(&[0, 2, 2], &[1, 1], &[1.0; 2]), Err(MultigridError::Row { row: 0, .. })));
        assert!(matches!(made(&[0, 2, 1, 2], &[0, 1], &[1.0; 2]), Err(MultigridError::Row { row: 1, .. })));
        assert!(matches!(made(&[0, 1], &[0, 1], &[1.0; 2]), Err(MultigridError::Library(_))));
        assert!(matches!(made(&[0, 2], &[0, 1], &[1.0]), Err(MultigridError::Library(_))));
        assert!(matches!(made(&[], &[], &[]), Err(MultigridError::Library(_))));
        let (a, b) = (Plain::new([2, 3], [1, 1]).upload::<f64>(device), Plain::new([2, 2], [1, 1]).upload(device));
        assert!(matches!(Product::new(&a, &b), Err(MultigridError::Library(_))));
        let blocks = Plain::new([3, 2], [2, 2]).upload::<f64>(device);
        let square = Plain::new([2, 2], [2, 2]).upload::<f64>(device);
        let product = Product::new(&blocks, &square).expect("a product");
        assert!(matches!(product.values(&blocks, &square), Err(MultigridError::Size { height: 2, .. })));
    }
}
