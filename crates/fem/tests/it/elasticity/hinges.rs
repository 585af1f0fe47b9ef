//! Tests of bodies whose parts are connected only by vertices or edges.
use ribbonmesh::glam::DVec3;
use ribbonmesh_fem::elasticity::{ElasticityError, Load, Options, Problem, Support, solve};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::{CellKind, shapes};
use ribbonmesh_volume_io::VolumeData;

/// Cubes of 2 x 2 x 2 small ones at the given places; equal vertices are shared.
fn cubes(tetrahedra: bool, places: &[[i32; 3]]) -> VolumeData {
    let mut volume = VolumeData::default();
    let mut known = std::collections::HashMap::new();
    for place in places {
        let (x, cells) = if tetrahedra { shapes::kuhn_grid([2; 3]) } else { shapes::hexahedral_grid([2; 3]) }
            .expect("a size");
        let numbers: Vec<u32> = x
            .iter()
            .map(|x| {
                let at: [i32; 3] = std::array::from_fn(|k| x.to_array()[k] as i32 + 2 * place[k]);
                *known.entry(at).or_insert_with(|| {
                    volume.positions.push(DVec3::from_array(at.map(f64::from)));
                    volume.positions.len() as u32 - 1
                })
            })
            .collect();
        let kind = if tetrahedra { CellKind::Tetrahedron } else { CellKind::Hexahedron };
        for cell in 0..cells.len() {
            let own: Vec<u32> = cells.cell(cell).1.iter().map(|&v| numbers[v as usize]).collect();
            volume.cells.push(kind, &own);
        }
    }
    volume
}
fn held(text: &str) -> Support {
    Support { at: text.parse().expect(text), values: [Some(0.0); 3] }
}

suite! {
    fn hinges_and_balls(device) {
        for (tetrahedra, order) in [(true, 1), (true, 2), (true, 3), (false, 1)] {
            let options = Options { order, ..Options::default() };
            let run = |places: &[[i32; 3]], supports: Vec<Support>| {
                let loads = vec![Load::Force { at: "max-x".parse().expect("a selection"), total: DVec3::new(0.0, 0.0, -1e-3) }];
                solve(device, &cubes(tetrahedra, places), &Problem { supports, loads, ..Problem::default() }, &options)
            };
            let moving = |places: &[[i32; 3]], supports| match run(places, supports) {
                Err(ElasticityError::Hinge { cell, cells, vertices, motions, .. }) => (cell, cells, vertices, motions),
                other => panic!("{:?}", other.map(|solution| solution.report)),
            };
            let n = if tetrahedra { 48 } else { 8 };
            // an edge, a corner
            assert_eq!(moving(&[[0, 0, 0], [1, 0, 1]], vec![held("min-x")]), (n, n, 3, 1));
            assert_eq!(moving(&[[0, 0, 0], [1, 1, 1]], vec![held("min-x")]), (n, n, 1, 3));
            // the first one hangs on the second
            assert_eq!(moving(&[[0, 0, 0], [1, 0, 1]], vec![held("max-x")]), (0, n, 3, 1));
            // both are held, one of them at an edge other than the hinge
            let both = run(&[[0, 0, 0], [1, 0, 1]], vec![held("min-x"), held("box:4,0,4,4,2,4")]).expect("held");
            assert!(both.report.converged && both.report.residual <= 1e-8, "{:?}", both.report);
            // a chain of three hinges along different lines between walls, and with one wall alone
            let chain = [[0, 0, 0], [1, 1, 0], [2, 1, 1]];
            assert!(run(&chain, vec![held("min-x"), held("max-x")]).is_ok());
            assert_eq!(moving(&chain, vec![held("min-x")]).3, 2);
            // a ring of four cubes around a hole that meet only at edges: one motion of the hinges remains
            let ring = [[0, 0, 0], [1, 1, 0], [2, 0, 0], [1, -1, 0]];
            assert_eq!(moving(&ring, vec![held("min-x")]).3, 1);
            // faces are not hinges
            assert!(run(&[[0, 0, 0], [1, 0, 0], [2, 0, 0]], vec![held("min-x")]).is_ok());
        }
    }
}
