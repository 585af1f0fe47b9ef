//! Matrix Market files.
use crate::expanded::random_matrix;
use ribbonmesh_sparse::{
    Complex, Csr, DenseBlock, Field, Format, MarketEntries, MarketEntry, MarketError, MarketErrorKind,
    MarketMatrix, MarketOptions, Symmetry, parse_market, read_market, write_market,
};
use ribbonmesh_suite::Random;

fn read(text: &str) -> Result<MarketMatrix, MarketError> {
    parse_market(text.as_bytes(), "a.mtx")
}
fn dense(text: &str) -> Vec<Vec<f64>> {
    let matrix = read(text).expect("a matrix").into_real().expect("real");
    (0..matrix.rows())
        .map(|row| (0..matrix.columns() as u32).map(|column| matrix.get(row, column)).collect())
        .collect()
}
fn dense_complex(text: &str) -> Vec<Vec<[f64; 2]>> {
    let matrix = read(text).expect("a matrix").into_complex();
    let get = |row, column| {
        let entry = matrix.get(row, column);
        [entry.re, entry.im]
    };
    (0..matrix.rows())
        .map(|row| (0..matrix.columns() as u32).map(|column| get(row, column)).collect())
        .collect()
}

#[test]
fn coordinates() {
    let general = "%%MatrixMarket matrix coordinate real general\n% a\n%b\n\n 2 3 3 \n1 1 1.5\n% between\n2 3 -2e-1\n\n1 2 +4D1\n\n";
    assert_eq!(dense(general), [[1.5, 40.0, 0.0], [0.0, 0.0, -0.2]]);
    let matrix = read(general).expect("a matrix");
    assert_eq!(
        (matrix.comments, matrix.field, matrix.symmetry),
        (vec!["a".to_owned(), "b".into()], Field::Real, Symmetry::General)
    );
    let windows = general.replace('\n', "\r\n");
    assert_eq!(dense(&windows), dense(general));
    let no_last = general.trim_end();
    assert_eq!(dense(no_last), dense(general));
    let doubled = "%%matrixmarket MATRIX Coordinate Double General\n1 1 2\n1 1 1\n1 1 2";
    assert_eq!(dense(doubled), [[3.0]]);
    let pattern = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n";
    assert_eq!(dense(pattern), [[1.0, 1.0], [1.0, 0.0]]);
    let skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -7\n";
    assert_eq!(dense(skew), [[0.0, 7.0], [-7.0, 0.0]]);
    let hermitian = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 -2\n";
    assert_eq!(dense_complex(hermitian), [[[3.0, 0.0], [1.0, 2.0]], [[1.0, -2.0], [0.0, 0.0]]]);
    let symmetric = hermitian.replace("hermitian", "symmetric");
    assert_eq!(dense_complex(&symmetric)[0][1], [1.0, -2.0]);
    let skew = "%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 1 -2\n";
    assert_eq!(dense_complex(skew)[0][1], [-1.0, 2.0]);
    assert_eq!(dense("%%MatrixMarket matrix coordinate real general\n0 0 0\n"), Vec::<Vec<f64>>::new());
}
#[test]
fn arrays() {
    let general = "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n";
    assert_eq!(dense(general), [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
    let symmetric = "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n";
    assert_eq!(dense(symmetric), [[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]]);
    let skew = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n";
    assert_eq!(dense(skew), [[0.0, -1.0, -2.0], [1.0, 0.0, -3.0], [2.0, 3.0, 0.0]]);
    let hermitian = "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n";
    assert_eq!(dense_complex(hermitian), [[[1.0, 0.0], [2.0, -3.0]], [[2.0, 3.0], [4.0, 0.0]]]);
    assert_eq!(dense("%%MatrixMarket matrix array real skew-symmetric\n1 1\n"), [[0.0]]);
}

#[test]
fn wrong_files_are_named_by_line() {
    use MarketErrorKind as K;
    let wrong = |text: &str, at: usize, is: fn(&K) -> bool| match read(text) {
        Err(MarketError::Line { line, kind, .. }) => {
            assert!(line == at && is(&kind), "{text}: line {line}: {kind}")
        }
        other => panic!("{text}: {other:?}"),
    };
    let of = |banner: &str, rest: &str| format!("%%MatrixMarket matrix {banner}\n{rest}");
    wrong("", 1, |k| *k == K::Banner);
    wrong("1 1 1\n", 1, |k| *k == K::Banner);
    wrong("%%MatrixMarket vector coordinate real general\n", 1, |k| *k == K::Banner);
    wrong(&of("sparse real general", ""), 1, |k| matches!(k, K::Word { .. }));
    wrong(&of("coordinate quaternion general", ""), 1, |k| matches!(k, K::Word { .. }));
    wrong(&of("coordinate real", ""), 1, |k| matches!(k, K::Word { .. }));
    wrong(&of("coordinate real general more", ""), 1, |k| matches!(k, K::Word { .. }));
    wrong(&of("array pattern general", "1 1\n"), 1, |k| *k == K::PatternArray);
    wrong(&of("coordinate pattern skew-symmetric", ""), 1, |k| matches!(k, K::Combination { .. }));
    wrong(&of("coordinate real hermitian", ""), 1, |k| matches!(k, K::Combination { .. }));
    wrong(&of("coordinate real general", "% only\n"), 3, |k| *k == K::NoSize);
    wrong(&of("coordinate real general", "2 2\n"), 2, |k| *k == K::Words { expected: 3, found: 2 });
    wrong(&of("array real general", "2 2 4\n"), 2, |k| *k == K::Words { expected: 2, found: 3 });
    wrong(&of("coordinate real general", "2 -2 0\n"), 2, |k| matches!(k, K::Number { .. }));
    wrong(&of("coordinate real general", "2 2.0 0\n"), 2, |k| matches!(k, K::Number { .. }));
    wrong(&of("coordinate real general", "99999999999 1 0\n"), 2, |k| {
        matches!(k, K::TooMany { what: "rows", .. })
    });
    wrong(&of("coordinate pattern general", "2000000000 1 0\n"), 2, |k| {
        matches!(k, K::TooMany { what: "rows", .. })
    });
    wrong(&of("coordinate real general", "9 9 999999999999\n1 1 1\n"), 2, |k| {
        matches!(k, K::Room { entries: 999_999_999_999, .. })
    });
    wrong(&of("array real general", "2000000 2000000\n1\n"), 2, |k| matches!(k, K::Room { .. }));
    wrong(&of("coordinate real symmetric", "2 3 0\n"), 2, |k| matches!(k, K::NotSquare { .. }));
    let some = "2 3 2\n1 1 1.00000\n";
    wrong(&of("coordinate real general", some), 4, |k| *k == K::End { expected: 2, found: 1 });
    let then = |rest: &str| of("coordinate real general", &format!("{some}{rest}\n"));
    wrong(&then("2 3"), 4, |k| *k == K::Words { expected: 3, found: 2 });
    wrong(&then("2 3 1 1"), 4, |k| *k == K::Words { expected: 3, found: 4 });
    wrong(&then("2 3 x"), 4, |k| matches!(k, K::Number { .. }));
    wrong(&then("2 x 1"), 4, |k| matches!(k, K::Number { .. }));
    wrong(&then("2 3 nan"), 4, |k| matches!(k, K::NotFinite { .. }));
    wrong(&then("2 3 1e999"), 4, |k| matches!(k, K::NotFinite { .. }));
    wrong(&then("0 3 1"), 4, |k| matches!(k, K::Outside { row: 0, column: 3, .. }));
    wrong(&then("3 1 1"), 4, |k| matches!(k, K::Outside { row: 3, column: 1, .. }));
    wrong(&then("1 4 1"), 4, |k| matches!(k, K::Outside { row: 1, column: 4, .. }));
    wrong(&then("1 2 1\n1 3 1"), 5, |k| *k == K::Rest);
    wrong(&of("coordinate integer general", "1 1 1\n1 1 1.5\n"), 3, |k| matches!(k, K::Number { .. }));
    wrong(&of("coordinate integer general", "1 1 1\n1 1 9007199254740993\n"), 3, |k| {
        matches!(k, K::Number { .. })
    });
    wrong(&of("coordinate real symmetric", "2 2 1\n1 2 1\n"), 3, |k| {
        matches!(k, K::Above { row: 1, column: 2, .. })
    });
    wrong(&of("coordinate real skew-symmetric", "2 2 1\n2 2 1\n"), 3, |k| {
        matches!(k, K::Diagonal { row: 2, .. })
    });
    wrong(&of("coordinate complex hermitian", "2 2 1\n2 2 1 1\n"), 3, |k| {
        matches!(k, K::Diagonal { row: 2, .. })
    });
    wrong(&of("array complex general", "1 1\n1 0 0\n"), 3, |k| *k == K::Words { expected: 2, found: 3 });
    assert_eq!(
        read(&then("3 1 1")).expect_err("outside").to_string(),
        "a.mtx, line 4: row 3, column 1: outside of a matrix of 2 rows and 3 columns, counted from 1"
    );
    assert!(matches!(read_market("/no/such/file.mtx"), Err(MarketError::File(_))));
}
/// Cut anywhere, a file is a matrix or an error.
#[test]
fn truncated_files() {
    let text =
        "%%MatrixMarket matrix coordinate complex hermitian\n% c\n3 3 3\n1 1 1 0\n3 1 2.5 1e-3\n3 2 1 1\n";
    read(text).expect("a matrix");
    for end in 0..text.len() - 4 {
        assert!(read(&text[..end]).is_err(), "{end}");
    }
}

/// Files with some bytes changed are matrices or errors.
#[test]
fn mutated_files() {
    let mut random = Random(33);
    let files = [
        "%%MatrixMarket matrix coordinate complex hermitian\n% c\n3 3 3\n1 1 1 0\n3 1 2.5 1e-3\n3 2 1 1\n",
        "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
        "%%MatrixMarket matrix coordinate pattern general\n4 3 4\n1 1\n3 1\n4 3\n2 2\n",
        "%%MatrixMarket matrix coordinate integer symmetric\n9 9 3\n1 1 4\n3 1 -2\n9 9 1\n",
    ];
    let mut outcomes = [0, 0];
    for round in 0..4000 {
        let mut bytes = files[round % 4].as_bytes().to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() as u32) as usize;
            match random.below(4) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = b'0' + random.below(10) as u8,
                2 => bytes.insert(at, b" \n%-.e9"[random.below(7) as usize]),
                _ => bytes[at] = random.below(256) as u8,
            }
        }
        outcomes[usize::from(parse_market(&bytes, "a.mtx").is_ok())] += 1;
    }
    assert!(outcomes[0] > 500 && outcomes[1] > 20, "{outcomes:?}");
}

fn round_trip<E: MarketEntry>(matrix: &Csr<E>, options: &MarketOptions, name: &str) -> MarketMatrix {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    write_market(&path, matrix, options).expect("a file");
    let back = read_market(&path).expect("a matrix");
    assert_eq!(
        (back.format, back.symmetry, &back.comments),
        (options.format, options.symmetry, &options.comments)
    );
    back
}
#[test]
fn written_matrices_are_read_again() {
    let mut random = Random(31);
    let comments = vec!["a comment".to_owned()];
    for name in ["a.mtx", "a.mtx.gz"] {
        let matrix = random_matrix::<f64>(&mut random, [60, 40], 5).map(|x| x * 1e-30 + 1.0 / 3.0);
        let options = MarketOptions { comments: comments.clone(), ..MarketOptions::default() };
        assert_eq!(round_trip(&matrix, &options, name).entries, MarketEntries::Real(matrix.clone()));
        let single = matrix.map(|x| x as f32);
        let back = round_trip(&single, &options, name).into_real().expect("real").map(|x| x as f32);
        assert_eq!(back, single);
        let complex = random_matrix::<Complex<f64>>(&mut random, [20, 40], 5);
        assert_eq!(round_trip(&complex, &options, name).entries, MarketEntries::Complex(complex));
        let whole = matrix.map(|x| (x * 100.0).round());
        let options = MarketOptions { field: Some(Field::Integer), ..options };
        assert_eq!(round_trip(&whole, &options, name).entries, MarketEntries::Real(whole));
        let ones = matrix.map(|_| 1.0);
        let options = MarketOptions { field: Some(Field::Pattern), ..options };
        assert_eq!(round_trip(&ones, &options, name).entries, MarketEntries::Real(ones));
        // every entry of an array is stored
        let all: Vec<_> =
            (0..5).flat_map(|i| (0..3).map(move |j| (i, j, f64::from(i) - f64::from(j)))).collect();
        let full = Csr::from_triplets(5, 3, &all).expect("a matrix");
        let options = MarketOptions { format: Format::Array, ..MarketOptions::default() };
        assert_eq!(round_trip(&full, &options, name).entries, MarketEntries::Real(full));
    }
}
#[test]
fn symmetries_are_checked() {
    let both = |upper: Complex<f64>, lower: Complex<f64>| {
        Csr::from_triplets(3, 3, &[(2, 2, Complex::new(4.0, 0.0)), (0, 1, upper), (1, 0, lower)])
            .expect("a matrix")
    };
    let (a, conjugate, negative) =
        (Complex::new(1.0, 2.0), Complex::new(1.0, -2.0), Complex::new(-1.0, -2.0));
    let with = |symmetry| MarketOptions { symmetry, ..MarketOptions::default() };
    for (matrix, symmetry) in [(both(a, a), Symmetry::Symmetric), (both(a, conjugate), Symmetry::Hermitian)] {
        assert_eq!(round_trip(&matrix, &with(symmetry), "a.mtx").entries, MarketEntries::Complex(matrix));
    }
    let skew = Csr::from_triplets(2, 2, &[(0, 1, a), (1, 0, negative)]).expect("a matrix");
    assert_eq!(
        round_trip(&skew, &with(Symmetry::SkewSymmetric), "a.mtx").entries,
        MarketEntries::Complex(skew.clone())
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.mtx");
    let refused = |matrix: &Csr<Complex<f64>>, options: &MarketOptions| {
        let error = write_market(&path, matrix, options).expect_err("another form");
        assert!(matches!(error, MarketError::NotOfForm { .. }), "{error}");
        assert!(!path.exists());
    };
    refused(&both(a, conjugate), &with(Symmetry::Symmetric));
    refused(&both(a, a), &with(Symmetry::Hermitian));
    refused(&both(a, a), &with(Symmetry::SkewSymmetric));
    refused(&both(a, a), &MarketOptions { field: Some(Field::Real), ..MarketOptions::default() });
    refused(&both(a, Complex::new(f64::NAN, 0.0)), &MarketOptions::default());
    refused(&skew, &MarketOptions { field: Some(Field::Pattern), ..MarketOptions::default() });
    let alone = Csr::from_triplets(2, 2, &[(0, 1, a)]).expect("a matrix");
    refused(&alone, &with(Symmetry::Symmetric));
    let wide = Csr::from_triplets(2, 3, &[(0, 0, a)]).expect("a matrix");
    refused(&wide, &with(Symmetry::Symmetric));
}
#[test]
fn blocks_and_numbers() {
    let mut random = Random(32);
    let blocks = random_matrix::<DenseBlock<f32, 3>>(&mut random, [20, 30], 4);
    let numbers = blocks.numbers().expect("a matrix");
    assert_eq!((numbers.rows(), numbers.columns(), numbers.len()), (60, 90, 9 * blocks.len()));
    assert_eq!(numbers.blocks::<3>().expect("whole blocks"), blocks);
    let sparse = random_matrix::<f32>(&mut random, [12, 8], 3);
    let of_blocks = sparse.blocks::<4>().expect("whole blocks").numbers().expect("a matrix");
    for (row, column, entry) in of_blocks.triplets() {
        assert_eq!(entry, sparse.get(row as usize, column));
    }
    assert!(sparse.blocks::<5>().is_err() && of_blocks.len() >= sparse.len());
}
