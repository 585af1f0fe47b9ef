//! The code of docs/volumes.md, and that it is this code.
use ribbonmesh::{Device, MeshOptions, array, glam::Vec3};
use ribbonmesh_suite::suite;
use ribbonmesh_volume::{CellKind, CellList, Plane, Relation, VolumeMesh, VolumeOptions};

#[test]
fn the_page_has_this_code() {
    let (page, here) = (include_str!("../../../../docs/volumes.md"), include_str!("docs.rs"));
    let mut lines = 0;
    for block in page.split("```rust\n").skip(1) {
        let code = block.split("```").next().expect("an end");
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("use ")) {
            let line =
                line.split("  //").next().expect("a line").trim_end().replace("Device::auto()", "device");
            let line = line.replace("&device", "device");
            assert!(here.contains(&line), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 8);
}

fn page(device: &Device) -> Result<(), Box<dyn std::error::Error>> {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z];
    let mut cells = CellList::new();
    cells.push(CellKind::Tetrahedron, &[0, 1, 2, 3]);
    cells.push(CellKind::Tetrahedron, &[0, 2, 1, 4]);
    let mesh = VolumeMesh::new(device, &positions, &cells, &VolumeOptions::default())?;
    assert_eq!((mesh.vertices(), mesh.edges(), mesh.faces(), mesh.cells()), (5, 9, 7, 2));
    let cells_of_edges = mesh.relation(Relation::EC)?.download()?;
    for (edge, row) in (0..cells_of_edges.len()).map(|edge| (edge, cells_of_edges.row(edge))) {
        println!("edge {edge} has {} cells", row.len());
    }
    let surface = mesh.surface()?;
    let patches = surface.to_static_mesh(&MeshOptions::default())?;
    let triangles = surface.download()?;
    assert_eq!((patches.faces(), triangles.faces.len()), (6, 6));
    let volumes = mesh.volumes()?;
    let heights = device.upload(&positions.map(|p| p.z))?;
    let slice = mesh.slice(&Plane { normal: Vec3::X, offset: 0.2 })?;
    let of_cells = array::gather(&volumes, slice.volume_cells())?;
    let heights = slice.of_vertices(&heights)?;
    assert_eq!((of_cells.len(), heights.len()), (2, 4));
    Ok(())
}

suite! {
    fn the_code_of_the_page_runs(device) {
        page(device).expect("the page is right");
    }
}
