//! Generated volume meshes.
//!
//! | function | cells | vertices, edges, faces of n³ cubes |
//! |---|---|---|
//! | [`kuhn_grid`] | 6 tetrahedra a cube | (n + 1)³, 7 n³ + 9 n² + 3 n, 12 n³ + 6 n² |
//! | [`hexahedral_grid`] | the cubes | (n + 1)³, 3 n (n + 1)², 3 n² (n + 1) |
//! | [`mixed_grid`] | hexahedra, wedges, pyramids, tetrahedra and polyhedra in turn | |
//!
//! Cubes have the side 1, the first one begins at the origin; vertices are numbered along x, then y, then z.
use super::cells::{CellKind, CellList};
use super::error::{Result, VolumeError};
use glam::Vec3;

/// Positions and cells.
pub type Shape = (Vec<Vec3>, CellList);

/// Cubes, each cut into six tetrahedra around its diagonal from the smallest to the largest corner (Kuhn,
/// Freudenthal). Neighbours fit.
/// # Errors
/// [`VolumeError::Shape`].
pub fn kuhn_grid(size: [u32; 3]) -> Result<Shape> {
    let (positions, cubes) = grid(size, 6)?;
    let mut cells = Vec::with_capacity(6 * cubes.len());
    // from corner 0 to corner 6 along the axes in every order, with positive volume
    let paths = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
    for cube in &cubes {
        cells.extend(paths.map(|path| path.map(|corner: usize| cube[corner])));
    }
    Ok((positions, CellList::tetrahedra(&cells)))
}

/// Cubes.
/// # Errors
/// [`VolumeError::Shape`].
pub fn hexahedral_grid(size: [u32; 3]) -> Result<Shape> {
    let (positions, cubes) = grid(size, 1)?;
    Ok((positions, CellList::hexahedra(&cubes)))
}

/// Columns of cubes that are in turn hexahedra; two wedges each; six pyramids each, around a vertex in the
/// middle; polyhedra whose upper and lower faces are cut. Neighbours fit. Below the first cube is a pyramid,
/// and next to it a tetrahedron. Vertices of the middles, and the two of these cells, follow those of the
/// cubes.
/// # Errors
/// [`VolumeError::Shape`].
pub fn mixed_grid(size: [u32; 3]) -> Result<Shape> {
    let (mut positions, cubes) = grid(size, 6)?;
    let mut cells = CellList::new();
    for (i, cube) in cubes.iter().enumerate() {
        let of = |corners: &[usize]| -> Vec<u32> { corners.iter().map(|&c| cube[c]).collect() };
        let (column, row) = (i as u32 % size[0], i as u32 / size[0] % size[1]);
        match (column + 2 * (row % 2)) % 4 {
            0 => cells.push(CellKind::Hexahedron, cube),
            1 => {
                cells.push(CellKind::Wedge, &of(&[0, 2, 1, 4, 6, 5]));
                cells.push(CellKind::Wedge, &of(&[0, 3, 2, 4, 7, 6]));
            }
            2 => {
                let middle = positions.len() as u32;
                positions.push((positions[cube[0] as usize] + positions[cube[6] as usize]) / 2.0);
                let sides =
                    [[0, 1, 2, 3], [4, 7, 6, 5], [0, 3, 7, 4], [1, 5, 6, 2], [0, 4, 5, 1], [3, 2, 6, 7]];
                for side in sides {
                    let mut own = of(&side);
                    own.push(middle);
                    cells.push(CellKind::Pyramid, &own);
                }
            }
            _ => {
                let sides: [&[usize]; 8] = [
                    &[0, 2, 1],
                    &[0, 3, 2],
                    &[4, 5, 6],
                    &[4, 6, 7],
                    &[0, 4, 7, 3],
                    &[1, 2, 6, 5],
                    &[0, 1, 5, 4],
                    &[3, 7, 6, 2],
                ];
                cells.push_polyhedron(&sides.map(of));
            }
        }
    }
    if let Some(cube) = cubes.first() {
        let low = positions[cube[0] as usize];
        let (apex, side) = (positions.len() as u32, positions.len() as u32 + 1);
        positions.extend([low + Vec3::new(0.5, 0.5, -1.0), low + Vec3::new(0.5, -1.0, -0.5)]);
        cells.push(CellKind::Pyramid, &[cube[0], cube[3], cube[2], cube[1], apex]);
        cells.push(CellKind::Tetrahedron, &[cube[1], cube[0], apex, side]);
    }
    Ok((positions, cells))
}

/// Positions, and the corners of each cube in the order of VTK's hexahedra. There are `per_cube` cells per
/// cube.
fn grid(size: [u32; 3], per_cube: u64) -> Result<(Vec<Vec3>, Vec<[u32; 8]>)> {
    let product = |n: [u64; 3]| n.into_iter().try_fold(1_u64, u64::checked_mul);
    let cubes = product(size.map(u64::from));
    let vertices = product(size.map(|n| u64::from(n) + 1));
    // 24 corners of faces for each cell
    let most = u64::from(u32::MAX / 2);
    let fits = |n: Option<u64>, by: u64| n.and_then(|n| n.checked_mul(by)).is_some_and(|n| n > 0 && n < most);
    if !fits(cubes, 24 * per_cube) || !fits(vertices, 1) {
        return Err(VolumeError::Shape { size });
    }
    let [nx, ny, nz] = size;
    let along = |n: u32| 0..=n;
    let mut positions = Vec::new();
    for z in along(nz) {
        for y in along(ny) {
            positions.extend(along(nx).map(|x| Vec3::new(x as f32, y as f32, z as f32)));
        }
    }
    let vertex = |x: u32, y: u32, z: u32| (z * (ny + 1) + y) * (nx + 1) + x;
    let mut all = Vec::new();
    for z in 0..nz {
        for y in 0..ny {
            all.extend((0..nx).map(|x| {
                [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
                    .map(|[i, j, k]| vertex(x + i, y + j, z + k))
            }));
        }
    }
    Ok((positions, all))
}
