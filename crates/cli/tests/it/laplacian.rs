//! `ribbonmesh laplacian`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_sparse::{Csr, Symmetry, read_market};

fn read(folder: &Folder, file: &str) -> Csr<f64> {
    let found = read_market(folder.path(file)).expect("a matrix");
    let square = found.rows() == found.columns();
    assert_eq!(found.symmetry, if square { Symmetry::Symmetric } else { Symmetry::General });
    found.into_real().expect("real")
}

#[test]
fn matrices() {
    let folder = Folder::new();
    let shape = mesh(shapes::grid(12, 1).expect("small"));
    folder.mesh("grid.ply", &shape);
    let line = "laplacian grid.ply -o L.mtx --mass M.mtx.gz --gradient G.mtx --report report.json";
    folder.succeed(line.split_whitespace());
    let (laplacian, mass) = (read(&folder, "L.mtx"), read(&folder, "M.mtx.gz"));
    let (n, m) = (shape.positions.len(), shape.faces.len());
    assert_eq!((laplacian.rows(), mass.len()), (n, n));
    assert!(laplacian.multiply(&vec![1.0; n]).expect("a product").iter().all(|x| x.abs() < 1e-12));
    assert!((mass.values().iter().sum::<f64>() - shape.area()).abs() < 1e-3 * shape.area());
    let slopes = read(&folder, "G.mtx");
    assert_eq!((slopes.rows(), slopes.columns()), (3 * m, n));
    let results = &folder.json("report.json")["results"];
    assert_eq!(results["cover"], "double");
    assert_eq!(results["delaunay"], true);
    assert_eq!(results["entries"], laplacian.len());
    assert_eq!(folder.json("report.json")["outputs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn triangles_as_they_are() {
    let folder = Folder::new();
    // a flat face, one with a vertex twice, and an obtuse pair
    let points = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, 0.5, 0.0], [2.0, -0.5, 0.0], [2.0, 0.0, 0.0]];
    let faces = vec![[0, 1, 2], [0, 3, 1], [0, 4, 1]];
    folder.mesh("mesh.ply", &TriangleMesh::from_f32(points, faces));
    let ran = folder.succeed("laplacian mesh.ply -o E.mtx --extrinsic".split_whitespace());
    assert!(ran.err.contains("1 triangle without area"), "{}", ran.err);
    folder.succeed("laplacian mesh.ply -o L.mtx".split_whitespace());
    let worst = |matrix: &Csr<f64>| {
        let off = matrix.triplets().filter(|(row, column, _)| row != column);
        off.fold(f64::NEG_INFINITY, |most, (_, _, value)| most.max(value))
    };
    assert!(worst(&read(&folder, "E.mtx")) > 1.0);
    assert!(worst(&read(&folder, "L.mtx")) < 1e-5);
    let ran = folder.succeed("laplacian mesh.ply -o L.mtx --max-rounds 0".split_whitespace());
    assert!(ran.err.contains("--max-rounds"), "{}", ran.err);
}

#[test]
fn no_small_angles() {
    let folder = Folder::new();
    let mut shape = mesh(shapes::torus(12, 1).expect("small"));
    shape.positions.iter_mut().for_each(|p| p.x *= 8.0);
    folder.mesh("torus.ply", &shape);
    let line = "laplacian torus.ply -o L.mtx --mass M.mtx --min-angle 25 --subdivision S.ply --interpolation P.mtx \
                --report report.json";
    folder.succeed(line.split_whitespace());
    let (laplacian, mass, carried) = (read(&folder, "L.mtx"), read(&folder, "M.mtx"), read(&folder, "P.mtx"));
    let results = &folder.json("report.json")["results"];
    let (old, new) = (shape.positions.len(), results["inserted"].as_u64().expect("a number") as usize);
    assert!(new > 0 && results["least_angle"].as_f64().expect("a number") >= 25.0);
    assert_eq!(
        (laplacian.rows(), mass.len(), results["refined"].as_bool()),
        (old + new, old + new, Some(true))
    );
    assert!((mass.values().iter().sum::<f64>() - shape.area()).abs() < 1e-4 * shape.area());
    let subdivision = ribbonmesh_io::read(folder.path("S.ply")).expect("a mesh").mesh;
    assert_eq!(results["crossings"].as_u64(), Some((subdivision.positions.len() - old - new) as u64));
    assert!((subdivision.area() - shape.area()).abs() < 1e-4 * shape.area());
    assert!(subdivision.positions.iter().zip(&shape.positions).all(|(a, b)| a.distance(*b) < 1e-6));
    assert_eq!((carried.rows(), carried.columns()), (subdivision.positions.len(), old + new));
    let ones = carried.multiply(&vec![1.0; old + new]).expect("a product");
    assert!(ones.iter().all(|one| (one - 1.0).abs() < 1e-12));
    let line = "laplacian torus.ply -o L.mtx --min-angle 25 --max-insertions 1";
    let ran = folder.succeed(line.split_whitespace());
    assert!(ran.err.contains("--max-insertions"), "{}", ran.err);
    // without new vertices, the same matrix as without a subdivision
    folder.succeed("laplacian torus.ply -o A.mtx --interpolation P.mtx".split_whitespace());
    folder.succeed("laplacian torus.ply -o B.mtx".split_whitespace());
    let (a, b) = (read(&folder, "A.mtx"), read(&folder, "B.mtx"));
    assert!(a.triplets().all(|(row, column, value)| (value - b.get(row as usize, column)).abs() < 1e-5));
}

#[test]
fn refused() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::grid(3, 1).expect("small")));
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    for (line, status, words) in [
        ("laplacian mesh.ply -o mesh.ply", 2, "would be overwritten"),
        ("laplacian mesh.ply -o -", 2, "not to standard output"),
        ("laplacian mesh.ply -o L.mtx --mass L.mtx", 2, "named twice"),
        ("laplacian mesh.ply -o L.mtx --mollify 2", 2, "from 0 to 1"),
        ("laplacian mesh.ply -o L.mtx --extrinsic --mollify 0.1", 2, "cannot be used with"),
        ("laplacian mesh.ply -o L.mtx --min-angle 31", 2, "from 0 to 30"),
        ("laplacian mesh.ply -o L.mtx --min-angle 20 --extrinsic", 2, "cannot be used with"),
        ("laplacian mesh.ply -o L.mtx --subdivision L.mtx", 2, "named twice"),
        ("laplacian points.obj -o L.mtx", 3, "no faces"),
    ] {
        folder.refuses(line, status, words);
    }
}
