//! Meshes of simplices against meshes of polyhedra.
use crate::common::{self, sanitized};
use crate::meshes;
use ribbonmesh::Device;
use ribbonmesh::glam::Vec3;
use ribbonmesh_volume::{CellKind, CellList, Relation, SimplexMesh, TcsrRows, VolumeMesh, VolumeOptions};

fn tetrahedra(list: &CellList) -> Option<Vec<[u32; 4]>> {
    let own = |cell| match list.cell(cell) {
        (CellKind::Tetrahedron, words) => <[u32; 4]>::try_from(words).ok(),
        _ => None,
    };
    (0..list.len()).map(own).collect()
}
fn sorted(rows: &TcsrRows) -> Vec<Vec<(u32, i32)>> {
    let row = |i| {
        let mut row: Vec<(u32, i32)> = rows.signed(i).collect();
        row.sort_unstable();
        row
    };
    (0..rows.len()).map(row).collect()
}
fn compare(name: &str, simplices: &SimplexMesh, polyhedra: &VolumeMesh, relations: &[Relation]) {
    for &relation in relations {
        let a = simplices.relation(relation).expect("memory").download().expect("memory");
        let b = polyhedra.relation(relation).expect("memory").download().expect("memory");
        assert_eq!(sorted(&a), sorted(&b), "{relation} of {name}");
    }
}
fn check_tetrahedra(device: &Device, name: &str, x: &[Vec3], cells: &[[u32; 4]]) {
    let simplices = SimplexMesh::tetrahedra(device, x, cells).expect("a mesh");
    assert_eq!(simplices.bytes(), 16 * cells.len() + 12 * x.len());
    assert_eq!(
        (simplices.dimension(), simplices.simplices(), simplices.vertices()),
        (3, cells.len(), x.len())
    );
    let list = simplices.to_list().expect("memory");
    assert_eq!(list, CellList::tetrahedra(cells));
    let polyhedra = VolumeMesh::new(device, x, &list, &VolumeOptions::default()).expect("a mesh");
    compare(name, &simplices, &polyhedra, &Relation::ALL);
}

suite! {
    /// All relations, with numbers and signs, are the same as in the mesh of polyhedra.
    fn tetrahedra_are_polyhedra(device) {
        let mut tested = 0;
        for case in meshes::all() {
            // faces without cells are not part of a mesh of simplices
            if let Some(cells) = tetrahedra(&case.cells).filter(|_| case.cells.faces() == 0) {
                check_tetrahedra(device, case.name, &case.x, &cells);
                tested += 1;
            }
        }
        assert!(tested >= 5);
    }
    /// With a number of vertices for which a face does not fit a key of 64 bits.
    fn large_numbers_of_vertices(device) {
        let far = if sanitized() { 1 << 10 } else { (1 << 22) + 5 };
        let cells = tetrahedra(&meshes::around_an_edge(50).1).expect("tetrahedra");
        let cells: Vec<[u32; 4]> = cells.iter().map(|cell| cell.map(|v| far - 1 - v * (far / 64))).collect();
        let x = vec![Vec3::ZERO; far as usize];
        let simplices = SimplexMesh::tetrahedra(device, &x, &cells).expect("a mesh");
        let list = CellList::tetrahedra(&cells);
        let polyhedra = VolumeMesh::new(device, &x, &list, &VolumeOptions::default()).expect("a mesh");
        compare("far", &simplices, &polyhedra, &[Relation::EV, Relation::FV, Relation::FE, Relation::CF, Relation::CE]);
    }
    /// The signs of Mueller-Roemer's example, tetrahedron (0, 2, 1, 4).
    fn signs_of_the_example(device) {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
        let mesh = SimplexMesh::tetrahedra(device, &x, &[[0, 2, 1, 4]]).expect("a mesh");
        let rows = |r| mesh.relation(r).expect("memory").download().expect("memory");
        let faces = rows(Relation::FV);
        let signed: Vec<(Vec<i32>, i32)> =
            rows(Relation::CF).signed(0).map(|(f, sign)| (faces.row(f as usize).to_vec(), sign)).collect();
        let expected = [(vec![0, 1, 2], -1), (vec![0, 2, 4], -1), (vec![0, 1, 4], 1), (vec![1, 2, 4], 1)];
        assert_eq!(signed, expected);
    }
    /// Triangles are faces without cells.
    fn triangles_are_faces(device) {
        for shape in [ribbonmesh_mesh::shapes::grid(9, 2).expect("small"), ribbonmesh_mesh::shapes::torus(8, 1).expect("small")] {
            let x = shape.points();
            let mut faces = shape.faces.clone();
            // one that runs the other way, and an edge with three faces
            faces[3].swap(0, 1);
            faces.push([faces[0][0], faces[0][1], x.len() as u32 - 1]);
            let simplices = SimplexMesh::triangles(device, &x, &faces).expect("a mesh");
            assert_eq!(simplices.bytes(), 12 * faces.len() + 12 * x.len());
            assert_eq!((simplices.dimension(), simplices.simplices()), (2, faces.len()));
            let rows = |r| simplices.relation(r).expect("memory").download().expect("memory");
            let (ev, fe, fv) = (rows(Relation::EV), rows(Relation::FE), rows(Relation::FV));
            let mut edges: Vec<[u32; 2]> = Vec::new();
            for (f, face) in faces.iter().enumerate() {
                assert_eq!(fv.row(f), face.map(|v| v as i32));
                // the sides along the face's direction
                let mut sides: Vec<[u32; 2]> = fe
                    .signed(f)
                    .map(|(edge, sign)| {
                        let ends: Vec<(u32, i32)> = ev.signed(edge as usize).collect();
                        assert!(ends[0].0 < ends[1].0 && ends[0].1 == -1 && ends[1].1 == 1);
                        if sign > 0 { [ends[0].0, ends[1].0] } else { [ends[1].0, ends[0].0] }
                    })
                    .collect();
                let mut expected = [[face[0], face[1]], [face[1], face[2]], [face[2], face[0]]];
                sides.sort_unstable();
                expected.sort_unstable();
                assert_eq!(sides, expected);
                edges.extend(expected.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
            }
            edges.sort_unstable();
            edges.dedup();
            let found: Vec<[u32; 2]> = (0..ev.len()).map(|e| [0, 1].map(|i| ev.signed(e).nth(i).expect("an end").0)).collect();
            assert_eq!(found, edges);
            // up and sideways: what a mesh of polyhedra of the same faces has, whose faces have other numbers
            let polyhedra = VolumeMesh::new(device, &x, &simplices.to_list().expect("memory"), &VolumeOptions::default()).expect("a mesh");
            compare("triangles", &simplices, &polyhedra, &[Relation::VE, Relation::VV, Relation::EE]);
            for relation in [Relation::VF, Relation::EF, Relation::FF] {
                let (a, b) = (rows(relation), polyhedra.relation(relation).expect("memory").download().expect("memory"));
                let lengths = |rows: &TcsrRows| {
                    let mut all: Vec<usize> = (0..rows.len()).map(|i| rows.row(i).len()).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(lengths(&a), lengths(&b), "{relation}");
            }
        }
    }
    /// Relations are freed, and made again.
    fn relations_are_forgotten(device) {
        let (x, cells) = meshes::two_tetrahedra();
        let mut mesh = SimplexMesh::tetrahedra(device, &x, &tetrahedra(&cells).expect("tetrahedra")).expect("a mesh");
        let before = mesh.relation(Relation::FF).expect("memory").download().expect("memory");
        mesh.forget_relations();
        assert_eq!(mesh.relation(Relation::FF).expect("memory").download().expect("memory"), before);
    }
}
