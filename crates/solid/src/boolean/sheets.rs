//! Vertices at which a result touches itself.
use crate::arrange::{Arrangement, Axle, Edges, Grid, Spoke};
use glam::DVec3;
use ribbonmesh_mesh::{MeshError, Precision, TriangleMesh, UnionFind};
use rustc_hash::FxHashMap;

/// Doubles vertices so that a closed surface that touches itself in edges or at vertices is a manifold: at an
/// edge of more than two faces those are neighbours that have a volume of the result between them. Where two
/// sheets are connected around both ends of such an edge, each gets a vertex of its own in the middle of it.
/// Only vertices that are marked are looked at. Returns how many were added.
pub(crate) fn part_sheets(
    mesh: &mut TriangleMesh,
    origin: DVec3,
    marked: &[bool],
) -> Result<usize, MeshError> {
    let before = mesh.positions.len();
    let mut crowded = double_vertices(mesh, origin, marked)?;
    let mut marked = marked.to_vec();
    // a face has several such edges, of which each turn splits one
    while crowded {
        marked.resize(mesh.positions.len(), true);
        crowded = split_edges(mesh, origin, &marked)?;
    }
    Ok(mesh.positions.len() - before)
}

/// The faces of a mesh that have a marked vertex, as an arrangement of their own.
struct Near {
    /// Their numbers in the mesh.
    faces: Vec<u32>,
    /// The numbers of their vertices in the mesh.
    vertices: Vec<u32>,
    local: Arrangement,
    edges: Edges,
}

impl Near {
    fn new(mesh: &TriangleMesh, origin: DVec3, marked: &[bool]) -> Self {
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
        Self { faces: near, vertices, local, edges }
    }
    /// The pairs of faces at an edge that have a volume of the result between them.
    fn sheets(&self, ends: [u32; 2], spokes: impl Iterator<Item = Spoke>) -> Vec<[u32; 2]> {
        let mut spokes: Vec<Spoke> = spokes.collect();
        if spokes.len() > 2 {
            Axle::new(&self.local, ends).sort(&mut spokes);
        }
        let next = spokes.iter().cycle().skip(1);
        // the volume behind a face that runs backward is ahead of it
        let between = spokes.iter().zip(next).filter(|(a, b)| !a.forward && b.forward);
        between.map(|(a, b)| [a.part, b.part]).collect()
    }
}

/// Splits edges of more than two faces, none of which share a face. Returns whether there was one.
fn split_edges(mesh: &mut TriangleMesh, origin: DVec3, marked: &[bool]) -> Result<bool, MeshError> {
    let near = Near::new(mesh, origin, marked);
    let mut copies: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let first = copies.len();
    let mut middles = vec![];
    // for each face to be split the edge and the new vertex on it
    let mut split: FxHashMap<u32, ([u32; 2], u32)> = FxHashMap::default();
    for point in 0..near.vertices.len() as u32 {
        for (ends, spokes) in near.edges.from(point) {
            if spokes.len() <= 2 {
                continue;
            }
            let sheets = near.sheets(ends, spokes);
            if sheets.as_flattened().iter().any(|face| split.contains_key(face)) {
                continue;
            }
            let [a, b] = ends.map(|v| near.vertices[v as usize]);
            for sheet in sheets {
                sheet.iter().for_each(|&face| _ = split.insert(face, (ends, copies.len() as u32)));
                copies.push(a);
                middles.push(mesh.positions[a as usize].midpoint(mesh.positions[b as usize]));
            }
        }
    }
    if middles.is_empty() {
        return Ok(false);
    }
    let mut new: Vec<(u32, [u32; 3])> = (0..).zip(mesh.faces.iter().copied()).collect();
    for (&face, &(ends, middle)) in &split {
        let of_mesh = near.faces[face as usize];
        let ends = ends.map(|v| near.vertices[v as usize]);
        let corners = mesh.faces[of_mesh as usize];
        let with = |end: u32| corners.map(|v| if v == end { middle } else { v });
        new[of_mesh as usize].1 = with(ends[0]);
        new.push((of_mesh, with(ends[1])));
    }
    // the order of a hash table is no order
    new[mesh.faces.len()..].sort_unstable();
    mesh.rebuild(&copies, &new)?;
    let single = mesh.precision == Precision::Single;
    for (position, middle) in mesh.positions[first..].iter_mut().zip(middles) {
        let rounded = origin + (middle - origin).as_vec3().as_dvec3();
        *position = if single { rounded.as_vec3().as_dvec3() } else { rounded };
    }
    Ok(true)
}

/// Doubles vertices at which several fans of faces meet. Returns whether an edge had more than two faces.
fn double_vertices(mesh: &mut TriangleMesh, origin: DVec3, marked: &[bool]) -> Result<bool, MeshError> {
    let near = Near::new(mesh, origin, marked);
    let (vertices, local) = (&near.vertices, &near.local);
    let mut fans = UnionFind::new(3 * local.faces.len());
    let corner = |part: u32, point: u32| {
        let place = local.faces[part as usize].iter().position(|&v| v == point);
        3 * part + place.unwrap_or(0) as u32
    };
    let mut crowded = false;
    for point in 0..vertices.len() as u32 {
        for (ends, spokes) in near.edges.from(point) {
            if !ends.iter().any(|&p| marked[vertices[p as usize] as usize]) {
                continue;
            }
            crowded |= spokes.len() > 2;
            for [a, b] in near.sheets(ends, spokes) {
                ends.iter().for_each(|&end| _ = fans.join(corner(a, end), corner(b, end)));
            }
        }
    }
    // the first fan of a vertex keeps it
    let mut copies: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    let before = copies.len();
    let mut of_fan = vec![u32::MAX; 3 * local.faces.len()];
    let mut taken = vec![false; vertices.len()];
    let mut new: Vec<(u32, [u32; 3])> = (0..).zip(mesh.faces.iter().copied()).collect();
    for (i, (&f, corners)) in near.faces.iter().zip(&local.faces).enumerate() {
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
    if copies.len() > before {
        mesh.rebuild(&copies, &new)?;
    }
    Ok(crowded)
}
