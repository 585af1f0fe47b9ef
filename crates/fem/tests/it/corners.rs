//! Gradients at the corners of cells, on the host; the mean change of volume of hexahedra.
use crate::common;
use crate::meshes;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_fem::{Assembler, FemError, Form, Lame, Space};

/// The control values of x² + 3 y z: its polar form at the vertices of each node, as often as they count
/// (Ramshaw 1989).
fn quadratic(space: &Space<'_>) -> Vec<f64> {
    let x = space.positions().read().expect("memory");
    let value = |own: &Vec<(u32, u32)>| {
        let all: Vec<DVec3> = own
            .iter()
            .flat_map(|&(v, w)| std::iter::repeat_n(x[v as usize].as_dvec3(), w as usize))
            .collect();
        let both = |a: DVec3, b: DVec3| a.x * b.x + 1.5 * (a.y * b.z + a.z * b.y);
        let (mut sum, mut count) = (0.0, 0.0);
        for i in 0..all.len() {
            for j in 0..i {
                (sum, count) = (sum + both(all[i], all[j]), count + 1.0);
            }
        }
        sum / count
    };
    space.supports().expect("memory").iter().map(value).collect()
}

suite! {
    fn quadratic_fields_on_tetrahedra(device) {
        let tets = meshes::jittered([3, 2, 2]);
        let mesh = tets.mesh(device);
        for order in [2, 3] {
            let space = Space::tetrahedra(&mesh, order).expect("a space");
            let field = device.upload(&quadratic(&space)).expect("memory");
            let host = space.on_host::<1>(&field).expect("memory");
            let mut volume = 0.0;
            for cell in 0..host.cells() {
                volume += host.volume(cell);
                let corners: Vec<usize> = host.corners(cell).collect();
                assert_eq!(corners, tets.cells[cell].map(|v| v as usize));
                let mut seen = 0;
                host.at_corners(cell, |k, [gradient]| {
                    let x = tets.x[corners[k]].as_dvec3();
                    let exact = DVec3::new(2.0 * x.x, 3.0 * x.z, 3.0 * x.y);
                    assert!((DVec3::from_array(gradient) - exact).length() < 1e-10, "order {order}: {gradient:?}, not {exact}");
                    seen += 1;
                });
                assert!(seen == 4 && host.mean_of_hexahedron(cell).is_none());
            }
            assert!((volume - 1.0).abs() < 1e-6, "{volume}");
        }
    }
    fn affine_fields_on_all_cells(device) {
        let (mut x, list) = ribbonmesh_volume::shapes::hexahedral_grid([2, 2, 2]).expect("a size");
        x[13] += Vec3::new(0.2, -0.1, 0.15);
        let cells: Vec<[u32; 8]> = (0..8).map(|c| list.cell(c).1.try_into().expect("eight")).collect();
        let hexahedra = Space::hexahedra(device, &x, &cells).expect("a space");
        let mesh = meshes::jittered([2, 2, 2]).mesh(device);
        let tetrahedra = Space::tetrahedra(&mesh, 1).expect("a space");
        for space in [hexahedra, tetrahedra] {
            let at = |x: DVec3| [1.0 + x.x - 2.0 * x.y + 0.5 * x.z, 3.0 * x.z];
            let values: Vec<f64> = space.points().expect("memory").iter().flat_map(|x| at(*x)).collect();
            let host = space.on_host::<2>(&device.upload(&values).expect("memory")).expect("memory");
            let exact = [[1.0, -2.0, 0.5], [0.0, 0.0, 3.0]];
            let check = |found: [[f64; 3]; 2]| {
                let apart = found.iter().flatten().zip(exact.iter().flatten()).map(|(a, b)| (a - b).abs());
                assert!(apart.fold(0.0, f64::max) < 1e-10, "{found:?}");
            };
            for cell in 0..host.cells() {
                host.at_corners(cell, |_, found| check(found));
                host.mean_of_hexahedron(cell).into_iter().for_each(check);
            }
            assert!(matches!(space.on_host::<3>(&device.upload(&values).expect("memory")), Err(FemError::Device(_))));
        }
    }
    /// The stiffness of a nearly incompressible hexahedron: rigid motions cost nothing, uniform strains as
    /// much as in any element, and bending hardly more than without a change of volume.
    fn nearly_incompressible_hexahedra(device) {
        let (mut x, list) = ribbonmesh_volume::shapes::hexahedral_grid([1, 1, 1]).expect("a size");
        x[6] += Vec3::new(0.1, 0.05, -0.1);
        let cells: Vec<[u32; 8]> = vec![list.cell(0).1.try_into().expect("eight")];
        let space = Space::hexahedra(device, &x, &cells).expect("a space");
        let assembler = Assembler::new(&space).expect("a pattern");
        let blocks = |lambda: f64| {
            let form = Form::Elasticity(Lame { lambda, mu: 1.0 });
            assembler.assemble::<f64>(form).expect("a matrix").download().expect("memory")
        };
        let (below, above) = (blocks(9.0), blocks(9.0 * (1.0 + 1e-12)));
        let points = space.points().expect("memory");
        let energy = |of: &ribbonmesh_fem::Blocks, u: &dyn Fn(DVec3) -> DVec3| -> f64 {
            let u: Vec<f64> = points.iter().flat_map(|x| u(*x).to_array()).collect();
            u.iter().zip(of.times(&u)).map(|(u, f)| u * f).sum()
        };
        let turn = |x: DVec3| DVec3::new(1.0, 2.0, 3.0).cross(x) + DVec3::ONE;
        assert!(energy(&above, &turn).abs() < 1e-10);
        let strain = |x: DVec3| DVec3::new(x.x + x.y, 0.5 * x.z, -0.3 * x.x);
        let (a, b) = (energy(&below, &strain), energy(&above, &strain));
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        // bending around y: the change of volume has no mean
        let bend = |x: DVec3| DVec3::new((x.x - 0.5) * (x.z - 0.5), 0.0, 0.0);
        let stiff = blocks(1e6);
        let (soft, locked) = (energy(&stiff, &bend), energy(&below, &bend));
        assert!(soft < 1e4 && locked > energy(&above, &bend), "{soft} {locked}");
    }
}
