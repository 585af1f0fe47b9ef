//! Pieces of cloth and solid blocks.
use anyhow::Result;
use ribbonmesh::glam::DVec3;
use ribbonmesh_energies::Handles;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_volume::shapes;

/// Vertices along a side of a cloth, by size: a thousand vertices to a million.
const CLOTH: [usize; 4] = [32, 100, 317, 1001];
/// Cubes along a side of a block, by size: a thousand vertices to half a million.
const BLOCKS: [u32; 4] = [9, 20, 45, 80];

/// Positions, three numbers for each vertex, and elements.
pub type Elements<const N: usize> = (Vec<f64>, Vec<[u32; N]>);

/// A number between -1 and 1 that looks random.
fn noise(k: usize) -> f64 {
    let mixed = (k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    mixed as f64 / f64::from(1 << 23) - 1.0
}
/// The same with each coordinate moved by at most a tenth of an edge.
pub fn moved(x: &[f64], dimensions: usize) -> Vec<f64> {
    let by = |k: usize| if k % 3 < dimensions { 0.1 * noise(k) } else { 0.0 };
    x.iter().enumerate().map(|(k, x)| x + by(k)).collect()
}
/// A cloth of squares of side 1, cut along diagonals.
pub fn cloth(size: usize) -> Elements<3> {
    let n = CLOTH[size];
    let x = (0..n * n).flat_map(|v| [(v % n) as f64, (v / n) as f64, 0.0]).collect();
    let square = |v: u32| [[v, v + 1, v + n as u32 + 1], [v, v + n as u32 + 1, v + n as u32]];
    let faces = (0..n - 1).flat_map(|j| (0..n - 1).flat_map(move |i| square((j * n + i) as u32)));
    (x, faces.collect())
}
/// The edges of triangles.
pub fn edges(faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut all: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}
/// A block of cubes of side 1, each cut into six tetrahedra.
pub fn block(size: usize) -> Result<Elements<4>> {
    let (x, list) = shapes::kuhn_grid([BLOCKS[size]; 3])?;
    let cells = (0..list.len()).filter_map(|cell| list.cell(cell).1.try_into().ok()).collect();
    Ok((x.iter().flat_map(|x| x.as_dvec3().to_array()).collect(), cells))
}
/// A cloth as a surface, whose left side stays and whose right side is turned by a quarter and moved halfway
/// to the left one; with these handles.
pub fn bent_cloth(size: usize) -> (TriangleMesh, Handles) {
    let (x, faces) = cloth(size);
    let n = CLOTH[size];
    let mut handles = Handles::new();
    for j in 0..n {
        let first = (j * n) as u32;
        handles.hold(first, None);
        let goal = DVec3::new(0.5 * n as f64, j as f64, 0.4 * n as f64);
        handles.hold(first + n as u32 - 1, Some(goal));
    }
    (TriangleMesh::new(x.chunks(3).map(DVec3::from_slice).collect(), faces), handles)
}
