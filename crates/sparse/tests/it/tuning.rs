//! Measuring, guesses, and files of winners.
use crate::common::{self, Random};
use crate::expanded::random_matrix;
use ribbonmesh::DeviceKind;
use ribbonmesh_sparse::{
    Csr, DenseBlock, Inner, Launched, Layout, MatrixClass, Outer, Quaternion, Schedule, TuneOptions, Variant,
    Winners, WinnersError, tune,
};

/// Rows of the same length, at columns that wrap around.
fn even<E: Launched>(rows: u32, len: u32, entry: E) -> Csr<E> {
    let triplets: Vec<_> =
        (0..rows).flat_map(|row| (0..len).map(move |k| (row, (row + k * 37) % rows, entry))).collect();
    Csr::from_triplets(rows as usize, rows as usize, &triplets).expect("a matrix")
}
/// The same with a row of all columns.
fn with_a_long_row(rows: u32, len: u32) -> Csr<f32> {
    let mut triplets: Vec<_> = even(rows, len, 1.0_f32).triplets().collect();
    triplets.extend((0..rows).map(|column| (5, column, 1.0)));
    Csr::from_triplets(rows as usize, rows as usize, &triplets).expect("a matrix")
}

#[test]
fn guesses_for_a_gpu_follow_rows_and_padding() {
    // many even rows: a thread for each, except for entries that no single instruction loads
    let of = |variant: Variant| (variant.layout.outer, variant.schedule == Schedule::Balanced);
    let numbers = even(400_000, 7, 1.0_f32);
    assert_eq!(of(Variant::guess_for_gpu(&numbers)), (Outer::Csr, false));
    assert_eq!(of(Variant::guess_for_gpu(&even(400_000, 7, 1.0_f64))), (Outer::Sliced(32), false));
    let blocks = even(100_000, 15, DenseBlock([[1.0_f64; 3]; 3]));
    assert_eq!(of(Variant::guess_for_gpu(&blocks)), (Outer::Csr, true));
    let quaternions = even(200_000, 7, Quaternion::new(1.0_f32, 0.0, 0.0, 0.0));
    assert_eq!(of(Variant::guess_for_gpu(&quaternions)), (Outer::Sliced(32), false));
    // one entry in a row hides no wait, and few rows leave no time for a row's steps
    assert_eq!(of(Variant::guess_for_gpu(&even(400_000, 1, 1.0_f32))), (Outer::Csr, true));
    assert_eq!(of(Variant::guess_for_gpu(&even(2000, 40, 1.0_f64))), (Outer::Csr, true));
    // a row that one thread would take long for
    let long = Variant::guess_for_gpu(&with_a_long_row(100_000, 5));
    assert_eq!(long, Variant { layout: Layout::CSR, schedule: Schedule::Balanced });
    // rows of quite different lengths
    let mut triplets = vec![];
    for row in 0..200_000_u32 {
        let len = if row % 16 == 0 { 120 } else { 2 };
        triplets.extend((0..len).map(|k| (row, (row + k) % 200_000, 1.0_f32)));
    }
    let uneven = Csr::from_triplets(200_000, 200_000, &triplets).expect("a matrix");
    assert_eq!(Variant::guess_for_gpu(&uneven).schedule, Schedule::Balanced);
}

#[test]
fn classes() {
    let class = MatrixClass::of(&even(1000, 8, 1.0_f64));
    assert_eq!(class.to_string(), "f64, 2^9 rows, 2^3 entries per row, longest 2^0 times that");
    assert_ne!(class, MatrixClass::of(&even(1000, 8, 1.0_f32)));
    assert_eq!(class, MatrixClass::of(&even(900, 9, 1.0_f64)));
    assert_ne!(class, MatrixClass::of(&even(1100, 8, 1.0_f64)));
    let none = Csr::<f32>::from_triplets(0, 0, &[]).expect("a matrix");
    assert_eq!(MatrixClass::of(&none).rows, 0);
}

suite! {
    fn all_variants_are_measured(device) {
        let matrix = random_matrix::<DenseBlock<f32, 3>>(&mut Random(41), [300, 300], 9);
        let options = TuneOptions { repetitions: 2, ..TuneOptions::quick(device) };
        let tuned = tune(device, &matrix, &options).expect("measured");
        // the row of all columns: ELL would take too much
        let ell = |of: &Variant| of.layout.outer == Outer::Ell;
        assert_eq!(tuned.left_out.iter().filter(|(variant, _)| ell(variant)).count(), 4, "{:?}", tuned.left_out);
        assert!(tuned.all.iter().all(|one| one.seconds > 0.0 && one.seconds.is_finite() && !ell(&one.variant)));
        assert!(tuned.all.iter().all(|one| one.seconds >= tuned.best.seconds));
        assert!(tuned.guess_ratio() >= 1.0 && tuned.layout_speedup() >= 1.0);
        assert_eq!(tuned.guess.variant, Variant::guess(device, &matrix));
        assert_eq!(tuned.natural.variant.layout, Layout::CSR);
        let schedules = options.threads.len() * (1 + 2 * options.blocks.len());
        let layouts = options.layouts.len() - tuned.left_out.iter().filter(|(_, why)| why.contains("places")).count();
        let failed = tuned.left_out.len() - (options.layouts.len() - layouts);
        assert_eq!(tuned.all.len() + failed, 2 + layouts * schedules + 1);
        if device.kind() == DeviceKind::Cpu {
            assert_eq!(tuned.guess.variant, Variant::CSR);
        }
        assert!(tune(device, &matrix, &TuneOptions { repetitions: 0, ..options }).is_err());
    }
    fn winners_are_saved_and_chosen(device) {
        let matrix = even(500, 6, 1.0_f64);
        let options = TuneOptions { repetitions: 1, layouts: vec![Layout::CSR], ..TuneOptions::quick(device) };
        let mut tuned = tune(device, &matrix, &options).expect("measured");
        let other = Layout { outer: Outer::Sliced(16), inner: Inner::Soa, ..Layout::CSR };
        tuned.best.variant = Variant { layout: other, schedule: Schedule::Static { threads: 96, blocks: 3 } };
        let mut winners = Winners::new();
        assert_eq!(winners.choose(device, &matrix), Variant::guess(device, &matrix));
        winners.insert(device, &tuned);
        winners.insert(device, &tuned);
        assert_eq!(winners.list().len(), 1);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("winners.json");
        winners.save(&path).expect("a file");
        let loaded = Winners::load(&path).expect("winners");
        assert_eq!(loaded, winners);
        assert_eq!(loaded.choose(device, &matrix), tuned.best.variant);
        // another class
        assert_eq!(loaded.choose(device, &even(500, 30, 1.0_f64)), Variant::guess(device, &even(500, 30, 1.0_f64)));
        let text = std::fs::read_to_string(&path).expect("a file");
        let wrong = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            Winners::load(&path).expect_err("wrong")
        };
        assert!(matches!(wrong(&text[..text.len() / 2]), WinnersError::Content { .. }));
        assert!(matches!(wrong(&text.replace("\"version\": 1", "\"version\": 2")), WinnersError::Content { .. }));
        assert!(matches!(wrong(&text.replace("SI16", "SI17")), WinnersError::Variant { place: 0, .. }));
        assert!(matches!(wrong(&text.replace("96x3", "97x3")), WinnersError::Variant { place: 0, .. }));
        assert!(matches!(Winners::load(folder.path().join("none")), Err(WinnersError::Read(_))));
    }
}
