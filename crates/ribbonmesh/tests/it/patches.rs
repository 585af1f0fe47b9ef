//! Patches and ribbons in terms of the input, against the faces' own vertices.
use ribbonmesh::device::ElementKind;
use ribbonmesh::{MeshOptions, StaticMesh};
use ribbonmesh_suite::{meshes, suite};
use std::collections::HashSet;

suite! {
    fn owners_and_ribbons(device) {
        for case in [meshes::grid(20), meshes::torus(15)] {
            let options = MeshOptions { patch_size: 32, ..MeshOptions::default() };
            let mesh = StaticMesh::new(device, case.vertices, &case.faces, &options).expect("a mesh");
            let (owner, ribbons) = (mesh.face_patches().expect("a read"), mesh.ribbon_faces().expect("a read"));
            assert!(mesh.patches() > 4 && ribbons.len() == mesh.patches());
            let firsts = mesh.patch_firsts(ElementKind::Face).expect("a read");
            for (patch, ribbon) in ribbons.iter().enumerate() {
                let owned: Vec<usize> = (0..owner.len()).filter(|&f| owner[f] as usize == patch).collect();
                assert_eq!(owned.len(), (firsts[patch + 1] - firsts[patch]) as usize, "{}", case.name);
                let near = |f: usize, g: usize| case.faces[f].iter().filter(|v| case.faces[g].contains(v)).count();
                let ribbon: HashSet<usize> = ribbon.iter().map(|&f| f as usize).collect();
                for f in (0..owner.len()).filter(|&f| owner[f] as usize != patch) {
                    let shared = owned.iter().map(|&g| near(f, g)).max().expect("patches own faces");
                    assert!(shared < 2 || ribbon.contains(&f), "{}: {f} is across an edge of {patch}", case.name);
                    assert!(shared > 0 || !ribbon.contains(&f), "{}: {f} is far from {patch}", case.name);
                }
                assert!(owned.iter().all(|f| !ribbon.contains(f)), "{}: {patch}", case.name);
            }
        }
    }
}
