//! Surfaces and subdivided volumes with the data of the volume.
use crate::common::{zoo, zoo_with_data};
use ribbonmesh::Device;
use ribbonmesh_volume::{Relation, VolumeOptions, shapes};
use ribbonmesh_volume_io::{DataArray, REGION, Region, VolumeData, VolumeLoss};

#[test]
fn a_surface_has_the_data_of_what_it_belongs_to() {
    let volume = zoo_with_data();
    let mesh = volume.upload(&Device::cpu(), volume.local_origin(), &VolumeOptions::default()).unwrap();
    let (surface, losses) = volume.surface(&mesh).unwrap();
    let vertices = surface.vertices().get::<u32>("volume_vertex").unwrap().to_vec();
    let cells = surface.faces_of().get::<u32>("volume_cell").unwrap().to_vec();
    let heat = volume.points("heat of points").unwrap();
    for (i, &vertex) in vertices.iter().enumerate() {
        assert_eq!(surface.positions[i], volume.positions[vertex as usize]);
        let found = surface.vertices().get::<f64>("heat of points").unwrap()[i];
        assert_eq!(Some(found), heat.scalars.as_f64(vertex as usize));
    }
    let regions = [7, 7, 9, 7];
    let found = surface.faces_of().get::<i32>(REGION).unwrap();
    assert!(cells.iter().zip(found).all(|(&cell, &region)| regions[cell as usize] == region));
    // the three faces that are listed by themselves, by their corners; the quad is two triangles
    let listed =
        [([4, 5, 8], 2), ([5, 6, 8], 2), ([0, 2, 3], 3), ([0, 1, 2], 3), ([0, 1, 3], 3), ([1, 2, 3], 3)];
    let of_faces = surface.faces_of().get::<i32>("face_region").unwrap();
    let mut with = 0;
    for (face, &region) in surface.faces.iter().zip(of_faces) {
        let mut own = face.map(|v| vertices[v as usize]);
        own.sort_unstable();
        let expected = listed.iter().find(|(corners, _)| *corners == own).map_or(0, |(_, region)| *region);
        assert_eq!(region, expected, "{own:?}");
        with += (region != 0) as usize;
    }
    assert!(with >= 3, "{with}");
    // rows of nine numbers do not fit
    assert!(losses.contains(&VolumeLoss::Array { element: "cell", name: "stress".into() }));
    assert!(losses.contains(&VolumeLoss::Array { element: "face", name: "stress".into() }));
    assert!(losses.contains(&VolumeLoss::Filled { element: "face", name: "face_region".into() }));
    let (_, losses) = zoo().surface(&mesh).unwrap();
    assert_eq!(losses, []);
}

#[test]
fn a_subdivided_volume_keeps_its_data() {
    let (x, cells) = shapes::mixed_grid([4, 3, 2]).unwrap();
    let mut volume = VolumeData::from_f32(&x, cells);
    let (vertices, n) = (volume.positions.len(), volume.cells.len());
    // a linear function is kept by means
    let linear = |p: &glam::DVec3| 3.0 * p.x - p.y + 0.5 * p.z;
    volume
        .point_data
        .push(DataArray::new("height", volume.positions.iter().map(linear).collect::<Vec<f64>>()));
    volume.point_data.push(DataArray::new("number", (0..vertices as i32).collect::<Vec<i32>>()));
    volume.cell_data.push(DataArray::new(REGION, (0..n as i32).collect::<Vec<i32>>()));
    volume.cells.push_face(&[0, 1, 2]);
    volume.face_data.push(DataArray::new("kind", vec![4]));
    let region = |dimension, tag| Region { dimension, tag, name: format!("{tag}") };
    volume.regions = vec![region(3, 1), region(2, 5)];
    volume.title = "grid".into();
    let origin = volume.local_origin();
    let mesh = volume.upload(&Device::cpu(), origin, &VolumeOptions::default()).unwrap();
    let finer = mesh.subdivide().unwrap();
    let (level, losses) = volume.subdivided(&mesh, &finer, origin).unwrap();
    assert_eq!((level.positions.len(), level.cells.len()), (finer.vertices(), finer.cells()));
    assert_eq!((&*level.title, level.regions.len()), ("grid", 1));
    // each new cell has its old cell's point, the last ones of the new vertices, and its region
    let cv = mesh.relation(Relation::CV).unwrap().download().unwrap();
    let parents: Vec<i32> = (0..n).flat_map(|cell| vec![cell as i32; cv.row(cell).len()]).collect();
    assert_eq!(level.of_cells(REGION).unwrap().tags().unwrap(), parents);
    let first = (mesh.vertices() + mesh.edges() + mesh.faces()) as u32;
    for (cell, &parent) in parents.iter().enumerate() {
        assert!(level.cells.cell(cell).1.contains(&(first + parent as u32)), "cell {cell}");
    }
    // the points of cells, edges and faces of data: means of the corners
    let height = level.points("height").unwrap();
    for cell in 0..n {
        let row = cv.row(cell);
        let mean = row.iter().map(|&v| linear(&volume.positions[v as usize])).sum::<f64>() / row.len() as f64;
        let found = height.scalars.as_f64(first as usize + cell).unwrap();
        assert!((found - mean).abs() < 1e-12, "cell {cell}");
    }
    assert_eq!(height.rows(), level.positions.len());
    let lost = [
        VolumeLoss::Array { element: "point", name: "number".into() },
        VolumeLoss::Array { element: "face", name: "kind".into() },
        VolumeLoss::RegionNames { count: 1 },
    ];
    assert_eq!(losses, lost);
    // once more: what was made is a volume like any other
    let finer = level.upload(&Device::cpu(), origin, &VolumeOptions::default()).unwrap();
    assert!(finer.defects().unwrap().inverted_cells.count == 0);
}
