//! Vertices at which a result touches itself.
use crate::arrange::{Arrangement, Axle, Edges, Grid};
use glam::DVec3;
use ribbonmesh_mesh::{MeshError, TriangleMesh, UnionFind};

/// Doubles vertices so that a closed surface that touches itself in edges or at vertices is a manifold: at an
/// edge of more than two faces those are neighbours that have a volume of the result between them. Only
/// vertices that are marked are looked at. Returns how many were added.
pub(crate) fn part_sheets(
    mesh: &mut TriangleMesh,
    origin: DVec3,
    marked: &[bool],
) -> Result<usize, MeshError> {
    let near: Vec<u32> = (0..)
        .zip(&mesh.faces)
        .filter(|(_, face)| face.iter().any(|&v| marked[v as usize]))
        .map(|(f, _)| f)
        .collect();
    let mut vertices: Vec<u32> = near.iter().flat_map(|&f| mesh.faces[f as usize]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let mut number = vec![u32::MAX; mesh.positions.len()];
    (0..).zip(&vertices).for_each(|(i, &v)| number[v as usize] = i);
    let faces: Vec<[u32; 3]> =
        near.iter().map(|&f| mesh.faces[f as usize].map(|v| number[v as usize])).collect();
    let points = vertices.iter().map(|&v| (mesh.positions[v as usize] - origin).as_vec3()).collect();
    let whole = vec![true; faces.len()];
    let local = Arrangement {
        grid: Grid::new(points),
        faces,
        made: vec![],
        whole,
        cut: vec![],
        merged: vec![],
        faces_cut: 0,
    };
    let edges = Edges::new(&local);
    let mut fans = UnionFind::new(3 * local.faces.len());
    let corner = |part: u32, point: u32| {
        let place = local.faces[part as usize].iter().position(|&v| v == point);
        3 * part + place.unwrap_or(0) as u32
    };
    for point in 0..vertices.len() as u32 {
        for (ends, spokes) in edges.from(point) {
            if !ends.iter().any(|&p| marked[vertices[p as usize] as usize]) {
                continue;
            }
            let mut spokes: Vec<_> = spokes.collect();
            if spokes.len() > 2 {
                Axle::new(&local, ends).sort(&mut spokes);
            }
            for i in 0..spokes.len() {
                // the volume behind a face that runs backward is ahead of it
                let (a, b) = (spokes[i], spokes[(i + 1) % spokes.len()]);
                if !a.forward && b.forward {
                    for end in ends {
                        fans.join(corner(a.part, end), corner(b.part, end));
                    }
                }
            }
        }
    }
    // the first fan of a vertex keeps it
    let mut copies: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let before = copies.len();
    let mut of_fan = vec![u32::MAX; 3 * local.faces.len()];
    let mut taken = vec![false; vertices.len()];
    let mut new: Vec<(u32, [u32; 3])> = (0..).zip(mesh.faces.iter().copied()).collect();
    for (i, (&f, corners)) in near.iter().zip(&local.faces).enumerate() {
        for (k, &point) in corners.iter().enumerate() {
            let vertex = vertices[point as usize];
            if !marked[vertex as usize] {
                continue;
            }
            let fan = fans.root((3 * i + k) as u32) as usize;
            if of_fan[fan] == u32::MAX {
                of_fan[fan] = vertex;
                if taken[point as usize] {
                    of_fan[fan] = copies.len() as u32;
                    copies.push(vertex);
                }
                taken[point as usize] = true;
            }
            new[f as usize].1[k] = of_fan[fan];
        }
    }
    let added = copies.len() - before;
    if added > 0 {
        mesh.rebuild(&copies, &new)?;
    }
    Ok(added)
}
