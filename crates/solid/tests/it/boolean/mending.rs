//! Tests of results in which the predicates see other coordinates than the meshes have.
use super::*;

/// Gives some coordinates that are 0 a value that is far below the steps of the grid.
fn spoiled(mesh: &TriangleMesh, random: &mut Random) -> TriangleMesh {
    let mut spoiled = mesh.clone();
    for p in &mut spoiled.positions {
        let mut at = p.to_array();
        for x in at.iter_mut().filter(|x| **x == 0.0) {
            let size = [0.0, 1e-33, 3.7e-20, 6.1e-27][random.below(4) as usize];
            *x = f64::from((size * (random.unit() - 0.5)) as f32);
        }
        *p = DVec3::from_array(at);
    }
    spoiled
}

/// A box with integer corners between -1 and 2.
fn any_box(random: &mut Random) -> TriangleMesh {
    let n = 1 + random.below(2) as i32;
    let low = [(); 3].map(|()| -(random.below(2) as i32));
    let high = [0, 1, 2].map(|i| low[i] + 1 + random.below(2) as i32);
    block(low, high, n)
}

suite! {
    fn vertices_of_the_result_are_where_the_predicates_see_them(device) {
        let mut random = Random::new(4242);
        for round in 0..size(60, 11) {
            let mut of_box = || spoiled(&any_box(&mut random), &mut random);
            let meshes = [of_box(), of_box()];
            for operation in ALL {
                let result = checked(device, &meshes, operation);
                if round % 10 == 0 {
                    same_of_surfaces(device, &meshes, operation, &result);
                }
            }
        }
    }
    fn slabs_far_thinner_than_rounding_are_mended(device) {
        let mut rounds = 0;
        for thickness in [6.1e-17, 1e-13] {
            let mut random = Random::new(4242);
            for _ in 0..size(60, 6) {
                let meshes = [(); 2].map(|()| {
                    let mut mesh = any_box(&mut random);
                    for p in &mut mesh.positions {
                        *p = DVec3::from_array(p.to_array().map(|x| match x {
                            0.0 => f64::from((thickness * (random.unit() - 0.5)) as f32),
                            x => x,
                        }));
                    }
                    mesh
                });
                let [a, b] = [volume(&meshes[0]), volume(&meshes[1])];
                let [union, intersection, difference, xor] = ALL.map(|operation| {
                    let (mesh, report) = valid(device, &meshes, operation);
                    rounds += report.rounds;
                    if mesh.faces.is_empty() { 0.0 } else { volume(&mesh) }
                });
                let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-6, "{x} {y}");
                near(union + intersection, a + b);
                near(difference + intersection, a);
                near(xor + intersection, union);
            }
        }
        assert!(rounds > 0);
    }
}
