//! Encoding and transposes.
use ribbonmesh_suite::{Random, suite};
use ribbonmesh_volume::{Tcsr, TcsrRows, VolumeError, decode, encode};

#[test]
fn signs_are_encoded_in_columns() {
    for column in [0, 1, 2, 1 << 30, (1 << 31) - 1] {
        assert_eq!(decode(encode(column, false)), (column, 1));
        assert_eq!(decode(encode(column, true)), (column, -1));
        assert_eq!(encode(column, false), column as i32);
        assert_eq!(encode(column, true), -(column as i64 + 1) as i32);
    }
}

fn rows(starts: &[u32], entries: &[i32]) -> TcsrRows {
    TcsrRows { starts: starts.to_vec(), entries: entries.to_vec() }
}
fn transposed(found: &TcsrRows, columns: usize) -> TcsrRows {
    let mut all = vec![Vec::new(); columns];
    for row in 0..found.len() {
        for (column, sign) in found.signed(row) {
            all[column as usize].push(encode(row as u32, sign < 0));
        }
    }
    let mut starts = vec![0];
    starts.extend(all.iter().scan(0, |sum, row| {
        *sum += row.len() as u32;
        Some(*sum)
    }));
    TcsrRows { starts, entries: all.concat() }
}

suite! {
    /// The matrices of Mueller-Roemer 2020, figures 3.5 and 3.6.
    fn printed_transposes(device) {
        let faces_of_cells = Tcsr::new(device, 7, &[0, 4, 8], &[0, -2, 3, -6, -1, 2, -5, 6]).expect("a matrix");
        let cells_of_faces = faces_of_cells.transpose().expect("memory").download().expect("memory");
        assert_eq!(cells_of_faces, rows(&[0, 2, 3, 4, 5, 6, 7, 8], &[0, -2, -1, 1, 0, -2, -1, 1]));
        let edges_of_faces = Tcsr::new(
            device,
            9,
            &[0, 3, 6, 9, 12, 15, 18, 21],
            &[0, -2, 4, 0, -3, 5, 0, -4, 6, 1, -3, 7, 1, -4, 8, 4, -6, 7, 4, -7, 8],
        ).expect("a matrix");
        let faces_of_edges = edges_of_faces.transpose().expect("memory").download().expect("memory");
        let expected = [0, 1, 2, -1, 3, 4, -2, -4, -3, -5, 0, 5, 6, 1, -6, 2, -7, 3, 5, 4, 6];
        assert_eq!(faces_of_edges, rows(&[0, 3, 6, 8, 10, 13, 15, 17, 19, 21], &expected));
        let ends = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4]];
        let ends: Vec<i32> = ends.iter().flat_map(|&[a, b]| [encode(a, true), encode(b, false)]).collect();
        let starts: Vec<u32> = (0..=9).map(|i| 2 * i).collect();
        let edges_of_vertices =
            Tcsr::new(device, 5, &starts, &ends).expect("a matrix").transpose().expect("memory");
        let expected = [-1, -2, -3, -4, 0, -5, -6, -7, 1, 4, -8, -9, 2, 5, 7, 3, 6, 8];
        assert_eq!(edges_of_vertices.download().expect("memory"), rows(&[0, 4, 8, 12, 15, 18], &expected));
    }
    /// Random matrices of different shapes, some with rows of thousands of entries: twice transposed they are
    /// the same.
    fn random_transposes(device) {
        let mut random = Random(1);
        for (n, columns, most) in [(0, 5, 1), (1, 1, 2), (50, 7, 6), (3000, 40, 30), (4000, 3000, 4), (2, 9000, 7000)] {
            let (mut starts, mut entries) = (vec![0], Vec::new());
            for _ in 0..n {
                let mut own: Vec<u32> = (0..random.below(most)).map(|_| random.below(columns)).collect();
                own.sort_unstable();
                own.dedup();
                entries.extend(own.iter().map(|&column| encode(column, random.below(2) == 1)));
                starts.push(entries.len() as u32);
            }
            let given = rows(&starts, &entries);
            let matrix = Tcsr::new(device, columns as usize, &starts, &entries).expect("a matrix");
            assert_eq!((matrix.rows(), matrix.columns(), matrix.len()), (n, columns as usize, entries.len()));
            let once = matrix.transpose().expect("memory");
            assert_eq!(once.download().expect("memory"), transposed(&given, columns as usize), "{n} x {columns}");
            assert_eq!(once.transpose().expect("memory").download().expect("memory"), given, "{n} x {columns}");
        }
    }
    /// Steps over random matrices, with short and long rows.
    fn random_products(device) {
        let mut random = Random(2);
        for (n, middle, columns, most) in [(40, 30, 50, 4), (100, 90, 1000, 30), (9, 500, 9, 300)] {
            let mut matrix = |rows: u32, columns: u32| {
                let (mut starts, mut entries) = (vec![0], Vec::new());
                for _ in 0..rows {
                    entries.extend((0..random.below(most)).map(|i| encode(random.below(columns), i % 2 == 0)));
                    starts.push(entries.len() as u32);
                }
                Tcsr::new(device, columns as usize, &starts, &entries).expect("a matrix")
            };
            let (first, second) = (matrix(n, middle), matrix(middle, columns));
            let (a, b) = (first.download().expect("memory"), second.download().expect("memory"));
            for others in [false, true] {
                let found = first.product(&second, others).expect("memory").download().expect("memory");
                for row in 0..n as usize {
                    let reached: std::collections::BTreeSet<u32> = a
                        .signed(row)
                        .flat_map(|(middle, _)| b.signed(middle as usize).map(|entry| entry.0))
                        .filter(|&found| !others || found != row as u32)
                        .collect();
                    let expected: Vec<i32> = reached.into_iter().map(|column| column as i32).collect();
                    assert_eq!(found.row(row), expected, "row {row}");
                }
            }
        }
    }
    fn wrong_matrices_are_refused(device) {
        let wrong = |starts: &[u32], entries: &[i32]| Tcsr::new(device, 3, starts, entries).expect_err("wrong");
        assert!(matches!(wrong(&[], &[]), VolumeError::Offsets { row: 0, .. }));
        assert!(matches!(wrong(&[1, 2], &[0, 0]), VolumeError::Offsets { row: 0, .. }));
        assert!(matches!(wrong(&[0, 2, 1, 3], &[0, 0, 0]), VolumeError::Offsets { row: 2, .. }));
        assert!(matches!(wrong(&[0, 1], &[0, 0]), VolumeError::Offsets { row: 1, entries: 2 }));
        assert!(matches!(wrong(&[0], &[0]), VolumeError::Offsets { row: 0, .. }));
        let out = wrong(&[0, 2], &[0, encode(3, true)]);
        assert!(matches!(out, VolumeError::Library(ribbonmesh::Error::Index { place: 1, index: 3, .. })), "{out}");
        let square = Tcsr::new(device, 3, &[0, 1], &[0]).expect("a matrix");
        let error = square.product(&square, false).expect_err("1 x 3 times 1 x 3");
        assert!(matches!(error, VolumeError::Library(ribbonmesh::Error::Length { expected: 3, found: 1, .. })));
        // one row with 70,000² candidates: more than 32 bits count
        let n = 70_000;
        let (row, rows) = (vec![0; n], [0, n as u32]);
        let long = Tcsr::new(device, 1, &rows, &row).expect("a matrix");
        let error = long.product(&long, false).expect_err("too many candidates");
        assert!(matches!(error, VolumeError::Library(ribbonmesh::Error::TooMany { .. })), "{error}");
    }
}
