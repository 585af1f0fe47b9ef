//! Tests of parts of a surface that pass through each other.
use glam::DVec3;
use ribbonmesh_mesh::{Sides, TriangleMesh, shapes};
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::manifold_violations;
use ribbonmesh_solid::resolve::{ResolveError, ResolveOptions, ResolvedRegion, resolve_region};
use ribbonmesh_suite::{Random, suite};

const OPTIONS: ResolveOptions = ResolveOptions { attempts: 100, join: 2.5, exact_up_to: 800 };

fn moved(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = (*p * by + way).as_vec3().as_dvec3());
    moved
}

suite! {
    fn films_that_cross(device) {
        // top and bottom of a thin plate cross in many places, so that holes are in front of each other
        let mut random = Random(7);
        let mut next = || (random.state() >> 40) as f64 / f64::from(1 << 24) - 0.5;
            for thickness in [0.03, 0.06, 0.1] {
            let mut plate = shapes::icosphere(4).expect("small");
            for p in &mut plate.positions {
                p.z = f64::from((thickness * (p.z + 0.8 * next())) as f32);
            }
            let positions = device.upload(&plate.points_around(DVec3::ZERO)).expect("memory");
            let buffer = device.upload(plate.faces.as_flattened()).expect("memory");
            let triangles = Triangles { positions: &positions, faces: &buffer };
            let pairs = self_intersections(triangles).expect("pairs").pairs.read().expect("memory");
            let test = InsideTest::new(triangles).expect("memory");
            let done = resolve_region(&test, &plate, DVec3::ZERO, &pairs, &OPTIONS).expect("resolved");
            let (mesh, report) = (done.mesh, done.report);
            assert!(mesh.is_closed() && report.intersecting_pairs > 700, "{report:?}");
            let found = manifold_violations(device, mesh.positions.len(), &mesh.faces).expect("indices");
            assert!(found.is_empty(), "{found}");
            let positions = device.upload(&mesh.points_around(DVec3::ZERO)).expect("memory");
            let buffer = device.upload(mesh.faces.as_flattened()).expect("memory");
            let triangles = Triangles { positions: &positions, faces: &buffer };
            assert!(self_intersections(triangles).expect("pairs").pairs.is_empty(), "{report:?}");
            // without other fillings where the first ones intersect, 0.05 and 0.08 of the thicker ones would
            // be lost
            let kept = mesh.volume().expect("closed") / plate.volume().expect("closed");
            assert!((0.955..1.015).contains(&kept), "{kept}: {report:?}");
        }
    }
    fn a_region(device) {
        assert_eq!(ResolveOptions::default(), OPTIONS);
        // two spheres as one mesh
        let sphere = shapes::icosphere(4).expect("small");
        let mut all = sphere.clone();
        all.append(&moved(&sphere, 1.0, DVec3::new(1.2, 0.1, 0.2))).expect("no columns");
            let positions = device.upload(&all.points_around(DVec3::ZERO)).expect("memory");
        let buffer = device.upload(all.faces.as_flattened()).expect("memory");
        let triangles = Triangles { positions: &positions, faces: &buffer };
        let pairs = self_intersections(triangles).expect("pairs").pairs.read().expect("memory");
        let test = InsideTest::new(triangles).expect("memory");
        let mut near = vec![false; all.positions.len()];
        pairs
            .as_flattened()
            .iter()
            .for_each(|f| all.faces[*f as usize].iter().for_each(|v| near[*v as usize] = true));
        let resolved_within = |rings: u32| {
            let mut near = near.clone();
            let touched = |near: &[bool], f: &u32| all.faces[*f as usize].iter().any(|v| near[*v as usize]);
            let mut list: Vec<u32> = vec![];
            for _ in 0..rings {
                list = (0..all.faces.len() as u32).filter(|f| touched(&near, f)).collect();
                let corners = list.iter().flat_map(|f| all.faces[*f as usize]);
                corners.for_each(|v| near[v as usize] = true);
            }
            let numbers = |f: u32| list.binary_search(&f).expect("in the region") as u32;
            let pairs: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(numbers)).collect();
            let mut region = all.clone();
            let vertices: Vec<u32> = (0..near.len() as u32).filter(|v| near[*v as usize]).collect();
            let place = |v: u32| vertices.binary_search(&v).expect("in the region") as u32;
            let faces: Vec<_> = list.iter().map(|&f| (f, all.faces[f as usize].map(place))).collect();
            region.rebuild(&vertices, &faces).expect("there");
            (resolve_region(&test, &region, DVec3::ZERO, &pairs, &OPTIONS), region, list)
        };
        let (refused, region, _) = resolved_within(1);
        let Err(ResolveError::Reached { vertices }) = refused else { panic!("the region is too small") };
        let sides = Sides::of(region.positions.len(), &region.faces);
        let ends: Vec<u32> = sides.open().map(|(f, side)| region.faces[f as usize][side]).collect();
        assert!(!vertices.is_empty() && vertices.iter().all(|v| ends.contains(v)));
        let no_attempt = ResolveOptions { attempts: 0, ..OPTIONS };
        let none = resolve_region(&test, &all, DVec3::ZERO, &pairs, &no_attempt);
        let Err(ResolveError::Library(error)) = none else { panic!("no attempt") };
        assert!(matches!(error, ribbonmesh::Error::Option { option: "attempts", .. }));
        // all faces that are inside are in the region
        let (done, region, list) = resolved_within(14);
        let ResolvedRegion { mesh, vertices, faces, report } = done.expect("large enough");
        assert_eq!(faces.iter().filter(|face| face.is_none()).count(), report.faces_added);
        for (new, old) in mesh.faces.iter().zip(&faces).filter_map(|(new, old)| Some((new, (*old)?))) {
            assert_eq!(new.map(|v| vertices[v as usize]), region.faces[old as usize].map(Some));
        }
        for (v, old) in vertices.iter().enumerate().filter_map(|(v, old)| Some((v, (*old)?))) {
            assert_eq!(mesh.positions[v], region.positions[old as usize]);
        }
        assert!(list.len() < all.faces.len() && report.joined == 1 && report.faces_inside > 0, "{report:?}");
        let sides = |mesh: &TriangleMesh| {
            let mut sides: Vec<[[u64; 3]; 2]> = vec![];
            for &[a, b, c] in &mesh.faces {
                for [a, b] in [[a, b], [b, c], [c, a]] {
                    sides.push([a, b].map(|v| mesh.positions[v as usize].to_array().map(f64::to_bits)));
                }
            }
            let all: std::collections::HashSet<_> = sides.iter().copied().collect();
            sides.retain(|[a, b]| !all.contains(&[*b, *a]));
            sides.sort_unstable();
            sides
        };
        assert!(!sides(&region).is_empty());
        assert_eq!(sides(&region), sides(&mesh));
    }
}
