//! Exchange of faces, in place, compared with lists of triangles.
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Exchanged, Follow};
use ribbonmesh::{Error, Result, Vertex};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{dynamic::Subject, size, suite};
use ribbonmesh_testing::classic::{Apply as _, Classic};

/// Exchanges faces, and also checks what is there then.
fn exchange(
    subject: &mut Subject,
    deleted: &[u32],
    added: &[[u32; 3]],
    vertices: u32,
    what: &str,
) -> Result<Exchanged> {
    let device = subject.mesh.device().clone();
    let mut expected = subject.mesh.read_faces()?;
    deleted.iter().for_each(|face| expected[*face as usize] = [NONE; 3]);
    expected.extend(added);
    let lists = [device.upload(deleted)?, device.upload(added.as_flattened())?];
    let done = subject.mesh.exchange_faces(&lists[0], &lists[1], vertices)?;
    subject.x.grow(subject.mesh.capacity())?;
    assert_eq!(subject.mesh.read_faces()?, expected, "{what}");
    let model = subject.check(what);
    let [v, ..] = subject.mesh.living()?;
    assert_eq!(v as usize, model.links.len(), "{what}: vertices without a face live");
    Ok(done)
}
/// The living faces at a vertex, with their ids.
fn star(mesh: &DynamicMesh, v: u32) -> Vec<(u32, [u32; 3])> {
    let faces = mesh.read_faces().expect("faces");
    (0..).zip(faces).filter(|(_, face)| face.contains(&v)).collect()
}
/// Three mutual neighbours, a face.
fn face(subject: &Subject, after: usize) -> (u32, [u32; 3]) {
    let faces = subject.mesh.read_faces().expect("faces");
    (0..).zip(faces).skip(after).find(|(_, face)| face[0] != NONE).expect("a face")
}

suite! {
    fn a_vertex_is_replaced(device) {
        let shape = shapes::bumpy_sphere(size(5, 3), 1).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        // so that there are deleted elements before
        let n = subject.mesh.ids(ElementKind::Edge) as usize;
        let wanted: Vec<f32> = (0..n).map(|i| if i % 7 == 0 { i as f32 } else { f32::NAN }).collect();
        let wanted = device.upload(&wanted).expect("memory");
        subject.mesh.apply(Classic::CollapseEdge, &wanted, &mut subject.x).expect("applied");
        let mut names = DynamicAttribute::<Vertex, u32>::of_ids(&subject.mesh).expect("memory");
        for round in 0..5 {
            let v = face(&subject, 10 * round).1[0];
            let faces = star(&subject.mesh, v);
            let new = subject.mesh.ids(ElementKind::Vertex);
            let deleted: Vec<u32> = faces.iter().map(|(id, _)| *id).collect();
            let replaced = |(_, face): &(u32, [u32; 3])| face.map(|u| if u == v { new } else { u });
            let added: Vec<[u32; 3]> = faces.iter().map(replaced).collect();
            let done = exchange(&mut subject, &deleted, &added, 1, "a new vertex").expect("a manifold");
            assert_eq!(done, Exchanged { boundary: 0, opened: 0 });
            names.set_last(&subject.mesh, &[v]).expect("room");
            let names = names.read(&subject.mesh).expect("all");
            assert_eq!((names.len(), names.last()), (new as usize + 1, Some(&v)));
            // operators go on with such a mesh
            let n = subject.mesh.ids(ElementKind::Edge) as usize;
            let wanted = device.upload(&vec![1.0; n]).expect("memory");
            subject.mesh.apply(Classic::FlipEdge, &wanted, &mut subject.x).expect("applied");
            subject.check("flipped");
        }
        let compaction = subject.mesh.compact().expect("memory");
        compaction.apply_to(&mut subject.x).expect("the same");
        compaction.apply_to(&mut names).expect("the same");
        subject.check("compacted");
    }
    fn a_tunnel_joins_two_faces(device) {
        let mut shape = shapes::icosphere(2).expect("small");
        let other = shapes::icosphere(1).expect("small");
        let n = shape.positions.len() as u32;
        let first = shape.faces.len();
        shape.positions.extend(other.positions.iter().map(|p| *p + 3.0));
        shape.faces.extend(other.faces.iter().map(|face| face.map(|v| v + n)));
        let mut subject = Subject::new(device, &shape, 0.5);
        let components = subject.check("before").euler();
        // the faces of the mesh with ids in the order of patches: one of each sphere
        let faces = subject.mesh.read_faces().expect("faces");
        let component = |f: usize| {
            let mut reached = vec![f];
            let mut at = 0;
            while at < reached.len() {
                let corners = faces[reached[at]];
                let near = (0..faces.len()).filter(|g| faces[*g].iter().any(|v| corners.contains(v)));
                for g in near.collect::<Vec<_>>() {
                    if !reached.contains(&g) {
                        reached.push(g);
                    }
                }
                at += 1;
            }
            reached
        };
        let of_first = component(0);
        assert!(of_first.len() == first || of_first.len() == faces.len() - first);
        let second = (0..faces.len()).find(|f| !of_first.contains(f)).expect("two components");
        let ([a, b, c], [p, q, r]) = (faces[0], faces[second]);
        // the loops run against each other
        let added = [[a, b, p], [b, r, p], [b, c, r], [c, q, r], [c, a, q], [a, p, q]];
        let done = exchange(&mut subject, &[0, second as u32], &added, 0, "a tunnel").expect("a manifold");
        assert_eq!(done, Exchanged { boundary: 0, opened: 0 });
        assert_eq!(subject.check("after").euler(), components - 2);
    }
    fn refusals_can_be_taken_back(device) {
        let shape = shapes::icosphere(2).expect("small");
        let mut subject = Subject::new(device, &shape, 0.0);
        let before = subject.mesh.read_faces().expect("faces");
        let snapshot = subject.mesh.snapshot().expect("memory");
        let (f, [a, b, c]) = face(&subject, 5);
        let new = subject.mesh.ids(ElementKind::Vertex);
        let wrong: [(&[[u32; 3]], u32); 3] =
            [(&[[a, b, c], [a, b, c]], 0), (&[[a, b, b]], 0), (&[[a, b, new], [a, b, new]], 1)];
        for (added, vertices) in wrong {
            let refused = exchange(&mut subject, &[f], added, vertices, "wrong");
            assert!(matches!(refused, Err(Error::NotManifold(_))), "{refused:?}");
            subject.mesh.restore(&snapshot).expect("the same mesh");
            assert_eq!(subject.mesh.read_faces().expect("faces"), before);
            subject.check("restored");
        }
        let twice = exchange(&mut subject, &[f], &[[a, b, c]], 0, "once").expect("a manifold");
        assert_eq!(twice, Exchanged { boundary: 0, opened: 0 });
        let error = exchange(&mut subject, &[f], &[], 0, "a deleted face").expect_err("deleted already");
        assert!(error.to_string().contains(&format!("face {f}")), "{error}");
        let lists = [device.upload(&[0_u32]).expect("memory"), device.upload(&[0_u32, 1]).expect("memory")];
        let error = subject.mesh.exchange_faces(&lists[0], &lists[1], 0).expect_err("two vertices");
        assert!(matches!(error, Error::Length { .. }), "{error}");
    }
}
