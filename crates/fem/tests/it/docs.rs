//! The code of docs/elasticity.md, and that it is this code.
use crate::meshes;
use ribbonmesh::Device;
use ribbonmesh_fem::{Assembler, Form, Lame, Space};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::SimplexMesh;

#[test]
fn the_page_has_this_code() {
    let page = include_str!("../../../../docs/elasticity.md");
    let (here, heat) = (include_str!("docs.rs"), include_str!("../../src/device/heat.rs"));
    let heat = heat.replace("$name", "HeatFlow1").replace("$order", "1").replace("    ", "");
    let mut lines = 0;
    for block in page.split("```rust").skip(1) {
        let (head, rest) = block.split_once('\n').expect("code");
        let code = rest.split("```").next().expect("an end");
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("use ")) {
            let (line, source) = if head == ",ignore" {
                (line.trim_start_matches("element_kernels! { ").trim_end_matches(" }"), heat.as_str())
            } else {
                (line, here)
            };

            assert!(source.contains(line), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 18);
}

fn page(device: &Device) -> Result<(), Box<dyn std::error::Error>> {
    let meshes::Tets { x: positions, cells, .. } = meshes::kuhn([2, 2, 2]);
    #[allow(clippy::needless_borrow)]
    let mesh = SimplexMesh::tetrahedra(&device, &positions, &cells)?;
    let space = Space::tetrahedra(&mesh, 2)?;
    let assembler = Assembler::new(&space)?;
    let stiffness = assembler.assemble::<f64>(Form::Elasticity(Lame::of(1.0, 0.3)))?;
    let masses = assembler.assemble::<f32>(Form::Mass { density: 1.0 })?;
    assert_eq!((stiffness.unknowns(), masses.unknowns()), (375, 125));
    Ok(())
}

suite! {
    fn the_code_of_the_page_runs(device) {
        page(device).expect("the page is right");
    }
}
