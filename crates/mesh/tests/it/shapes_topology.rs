//! Counts, orientation, boundary and valence of every shape.

use ribbonmesh_mesh::TriangleMesh;
use std::collections::HashMap;

use ribbonmesh_mesh::shapes::*;

/// Topology of a surface, from the sides of its faces.
struct Topology {
    euler: i64,
    /// Edges with one face.
    boundary: Vec<[u32; 2]>,
    /// Edges with more than two faces.
    crowded: usize,
    /// Edges that two faces run along in the same direction.
    against: usize,
    valence: Vec<u32>,
}

fn topology(shape: &TriangleMesh) -> Topology {
    let mut sides: HashMap<[u32; 2], Vec<bool>> = HashMap::new();
    for &[a, b, c] in &shape.faces {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            assert_ne!(from, to);
            sides.entry([from.min(to), from.max(to)]).or_default().push(from < to);
        }
    }
    let mut valence = vec![0; shape.positions.len()];
    for &[a, b] in sides.keys() {
        valence[a as usize] += 1;
        valence[b as usize] += 1;
    }
    Topology {
        euler: shape.positions.len() as i64 - sides.len() as i64 + shape.faces.len() as i64,
        boundary: sides.iter().filter(|(_, faces)| faces.len() == 1).map(|(&edge, _)| edge).collect(),
        crowded: sides.values().filter(|faces| faces.len() > 2).count(),
        against: sides.values().filter(|faces| faces.len() == 2 && faces[0] == faces[1]).count(),
        valence,
    }
}

fn boundary_loops(edges: &[[u32; 2]]) -> usize {
    let mut neighbours: HashMap<u32, Vec<u32>> = HashMap::new();
    for &[a, b] in edges {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    assert!(neighbours.values().all(|two| two.len() == 2));
    let mut loops = 0;
    while let Some(&start) = neighbours.keys().next() {
        loops += 1;
        let mut next = vec![start];
        while let Some(vertex) = next.pop() {
            next.extend(neighbours.remove(&vertex).unwrap_or_default());
        }
    }
    loops
}

fn volume(shape: &TriangleMesh) -> f64 {
    let corner = |vertex: u32| shape.positions[vertex as usize].to_array();
    let sixth = |&[a, b, c]: &[u32; 3]| {
        let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (corner(a), corner(b), corner(c));
        (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6.0
    };
    shape.faces.iter().map(sixth).sum()
}

#[track_caller]
fn assert_closed(shape: &TriangleMesh, euler: i64) {
    let topology = topology(shape);
    assert_eq!((topology.euler, topology.crowded, topology.against), (euler, 0, 0));
    assert!(topology.boundary.is_empty());
    assert!(volume(shape) > 0.0, "normals point inward");
    assert!(shape.positions.iter().all(|position| position.is_finite()));
}

#[test]
fn icospheres_are_closed_round_and_regular() {
    for k in 0..6 {
        let shape = icosphere(k).unwrap();
        assert_eq!(shape.faces.len(), 20 << (2 * k));
        assert_eq!(shape.positions.len(), (10 << (2 * k)) + 2);
        assert_closed(&shape, 2);
        let valence = topology(&shape).valence;
        assert_eq!(valence.iter().filter(|&&valence| valence == 5).count(), 12);
        assert!(valence.iter().all(|valence| matches!(valence, 5 | 6)));
        for [x, y, z] in shape.positions.iter().map(|p| p.to_array()) {
            assert!((x * x + y * y + z * z - 1.0).abs() < 1e-6);
        }
    }
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((volume(&icosphere(5).unwrap()) / ball - 1.0).abs() < 2e-3);
}

#[test]
fn bumpy_spheres_are_icospheres_with_bumps() {
    let (bumpy, smooth) = (bumpy_sphere(5, 1).unwrap(), icosphere(5).unwrap());
    assert_eq!(bumpy.faces, smooth.faces);
    assert_closed(&bumpy, 2);
    let radii = bumpy.positions.iter().map(|p| p.length());
    let (least, most) = radii.fold((f64::MAX, 0.0_f64), |(least, most), r| (least.min(r), most.max(r)));
    assert!(0.4 < least && least < 0.97 && 1.03 < most && most < 1.6, "{least} {most}");
}

#[test]
fn tori_are_closed_with_random_diagonals() {
    for n in [4, 5, 10, 57] {
        let shape = torus(n, 3).unwrap();
        let rings = (f64::from(n) * 2_f64.sqrt()).round() as usize;
        let around = (f64::from(n) / 2_f64.sqrt()).round() as usize;
        assert_eq!(shape.positions.len(), rings * around);
        assert_eq!(shape.faces.len(), 2 * rings * around);
        let topology = topology(&shape);
        assert_eq!((topology.euler, topology.crowded, topology.against), (0, 0, 0));
        assert_closed(&shape, 0);
    }
    let valence = topology(&torus(57, 3).unwrap()).valence;
    assert!(valence.contains(&4) && valence.contains(&8));
    assert!(valence.iter().all(|valence| (4..=8).contains(valence)));
}

#[test]
fn grids_have_one_boundary_loop() {
    for n in [2_u32, 3, 20] {
        let shape = grid(n, 9).unwrap();
        assert_eq!(shape.positions.len(), (n * n) as usize);
        assert_eq!(shape.faces.len(), 2 * ((n - 1) * (n - 1)) as usize);
        let topology = topology(&shape);
        assert_eq!((topology.euler, topology.crowded, topology.against), (1, 0, 0));
        assert_eq!(topology.boundary.len(), 4 * (n as usize - 1));
        assert_eq!(boundary_loops(&topology.boundary), 1);
        let extent = f64::from((n - 1) as f32 / n as f32);
        for [x, y, z] in shape.positions.iter().map(|p| p.to_array()) {
            assert!(z == 0.0 && (0.0..=extent).contains(&x) && (0.0..=extent).contains(&y));
        }
    }
}

#[test]
fn grid_faces_all_face_up() {
    let shape = grid(30, 4).unwrap();
    for face in &shape.faces {
        let [a, b, c] = face.map(|vertex| shape.positions[vertex as usize]);
        assert!((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]));
    }
}

#[test]
fn knots_are_closed_and_regular() {
    for (p, q, around, along) in [(2, 3, 8, 100), (3, 2, 3, 64), (1, 1, 12, 3), (5, 7, 6, 400)] {
        let shape = torus_knot(p, q, around, along).unwrap();
        assert_eq!(shape.positions.len(), (around * along) as usize);
        assert_eq!(shape.faces.len(), 2 * (around * along) as usize);
        let topology = topology(&shape);
        assert_eq!((topology.euler, topology.crowded, topology.against), (0, 0, 0));
        assert!(topology.boundary.is_empty());
        assert!(topology.valence.iter().all(|&valence| valence == 6));
        assert!(shape.positions.iter().all(|position| position.is_finite()));
    }
    assert!(volume(&torus_knot(2, 3, 16, 200).unwrap()) > 0.0);
}

#[test]
fn mobius_strips_have_one_boundary_loop_and_no_orientation() {
    for (n, width) in [(3, 2), (4, 3), (50, 6), (51, 2)] {
        let shape = mobius(n, width).unwrap();
        assert_eq!(shape.positions.len(), (n * width) as usize);
        assert_eq!(shape.faces.len(), 2 * (n * (width - 1)) as usize);
        let topology = topology(&shape);
        assert_eq!((topology.euler, topology.crowded), (0, 0));
        assert_eq!(topology.against, width as usize - 1, "the seam");
        assert_eq!(topology.boundary.len(), 2 * n as usize);
        assert_eq!(boundary_loops(&topology.boundary), 1);
    }
}

#[test]
fn subdivision_keeps_topology_and_corners() {
    for shape in [torus(6, 1).unwrap(), grid(5, 1).unwrap(), mobius(9, 3).unwrap()] {
        let fine = subdivide(&shape).unwrap();
        assert_eq!(fine.faces.len(), 4 * shape.faces.len());
        assert_eq!(fine.positions[..shape.positions.len()], shape.positions);
        let (before, after) = (topology(&shape), topology(&fine));
        assert_eq!(after.euler, before.euler);
        assert_eq!(after.boundary.len(), 2 * before.boundary.len());
        assert_eq!((after.crowded, after.against), (0, 2 * before.against));
    }
}

#[test]
fn subdivision_takes_non_manifold_and_isolated() {
    let positions = (0..6).map(|i| [i as f32, (i * i) as f32, 1.0]);
    let shape = TriangleMesh::from_f32(positions, vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]);
    let fine = subdivide(&shape).unwrap();
    assert_eq!(fine.positions.len(), 6 + 7);
    assert_eq!(topology(&fine).crowded, 2);
}
