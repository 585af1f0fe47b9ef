//! OpenVolumeMesh files: faces by half-edges, cells by half-faces.

use ribbonmesh::Device;
use ribbonmesh_volume::{Relation, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::{
    DataArray, REGION, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions, read_from,
};

use crate::common::{grid, written, zoo, zoo_with_data};
use crate::hostile::OVM;

fn mesh(volume: &VolumeData) -> VolumeMesh {
    volume.upload(&Device::cpu(), volume.local_origin(), &VolumeOptions::default()).unwrap()
}
fn read(text: &str) -> VolumeData {
    read_from(text.as_bytes(), VolumeFormat::Ovm, "a file").unwrap_or_else(|error| panic!("{error}")).volume
}
fn error(text: &str) -> String {
    read_from(text.as_bytes(), VolumeFormat::Ovm, "a file").unwrap_err().to_string()
}
/// The same edges, faces and cells, with the same signs; kinds of cells.
#[track_caller]
fn assert_same(one: &VolumeData, other: &VolumeData) {
    assert_eq!(one.positions, other.positions);
    let (a, b) = (mesh(one), mesh(other));
    for relation in [Relation::EV, Relation::FV, Relation::FC] {
        let rows = |mesh: &VolumeMesh| mesh.relation(relation).unwrap().download().unwrap();
        assert_eq!(rows(&a), rows(&b), "{relation}");
    }
    for cell in 0..one.cells.len() {
        assert_eq!(one.cells.cell(cell).0, other.cells.cell(cell).0, "cell {cell}");
    }
}

#[test]
fn cells_of_every_kind_come_back() {
    for volume in [zoo(), grid()] {
        let (bytes, losses) = written(&volume, VolumeFormat::Ovm, &VolumeWriteOptions::default());
        let loaded = read_from(&bytes, VolumeFormat::Ovm, "again").unwrap();
        assert_eq!(loaded.notes.in_words(), [""; 0]);
        assert_same(&loaded.volume, &volume);
        // what is a face of a cell is no longer listed; the others are
        let listed = volume.cells.faces() - loaded.volume.cells.faces();
        let expected = if listed > 0 { vec![VolumeLoss::Listed { count: listed }] } else { vec![] };
        let found: Vec<_> = losses.into_iter().filter(|l| matches!(l, VolumeLoss::Listed { .. })).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn data_come_back_and_losses_are_said() {
    let zoo = zoo_with_data();
    let (bytes, losses) = written(&zoo, VolumeFormat::Ovm, &VolumeWriteOptions::default());
    let back = read_from(&bytes, VolumeFormat::Ovm, "again").unwrap().volume;
    assert_eq!(back.point_data, zoo.point_data);
    assert_eq!((back.of_cells(REGION), back.of_cells("big")), (zoo.of_cells(REGION), zoo.of_cells("big")));
    // all faces are listed now; the first are the faces that were listed before
    let n = zoo.cells.faces();
    assert!(back.cells.faces() > n);
    for face in 0..n {
        assert_eq!(back.cells.face(face), zoo.cells.face(face));
    }
    let region = back.of_faces(REGION).unwrap();
    assert_eq!(region.tags().unwrap()[..n], zoo.of_faces(REGION).unwrap().tags().unwrap());
    let array = |element| VolumeLoss::Array { element, name: "stress".into() };
    let filled = |name: &str| VolumeLoss::Filled { element: "face", name: name.into() };
    assert_eq!(losses, [filled(REGION), array("face"), filled("big"), array("cell")]);
    // small whole numbers as larger ones, names that would end before their end not at all
    let mut grid = grid();
    grid.cell_data.push(DataArray::new("kind", (0..grid.cells.len()).map(|i| i as u16).collect::<Vec<_>>()));
    let (bytes, losses) = written(&grid, VolumeFormat::Ovm, &VolumeWriteOptions::default());
    let back = read_from(&bytes, VolumeFormat::Ovm, "again").unwrap().volume;
    assert_eq!(back.of_cells("kind").unwrap().tags(), grid.of_cells("kind").unwrap().tags());
    let name = grid.cell_data[0].name.clone();
    let expected = [
        VolumeLoss::Array { element: "cell", name },
        VolumeLoss::Type { element: "cell", name: "kind".into(), stored: "i32" },
    ];
    assert_eq!(losses, expected);
}

#[test]
fn half_faces_may_look_in() {
    let inward = OVM.replace("4 0 2 4 6", "4 1 3 5 7");
    assert_same(&read(&inward), &read(OVM));
    assert!(mesh(&read(&inward)).volumes().unwrap().read().unwrap()[0] > 0.0);
}

#[test]
fn properties_of_other_types_and_elements_are_noted() {
    let more = format!(
        "{OVM}VProp vec3d \"way\"\n1 2 3\n4 5 6\n7 8 9\n10 11 12\nCProp string \"name\"\nthe only one\nHEProp int \"turn\"\n{}MProp int \"version\"\n3\nFProp int \"side\"\n4\n5\n6\n7\n",
        "1\n".repeat(12)
    );
    let loaded = read_from(more.as_bytes(), VolumeFormat::Ovm, "more").unwrap();
    assert_eq!(loaded.notes.skipped, ["cprop \"name\"", "heprop \"turn\"", "mprop \"version\""]);
    let way = DataArray::of_width("way", 3, (1..=12).map(f64::from).collect::<Vec<_>>());
    assert_eq!(loaded.volume.point_data, [way]);
    assert_eq!((loaded.volume.cells.faces(), loaded.volume.face_data[0].tags()), (4, Some(vec![4, 5, 6, 7])));
    // an edge that no face has, and a face that no cell has
    let alone = OVM.replace("Edges\n6", "Edges\n7").replace("2 3\nFaces", "2 3\n3 0\nFaces");
    let loaded = read_from(alone.as_bytes(), VolumeFormat::Ovm, "alone").unwrap();
    assert_eq!(loaded.notes.in_words(), ["1 edges without faces passed over"]);
    let dangling = OVM.replace("Faces\n4", "Faces\n5").replace("3 4 6 11\n", "3 4 6 11\n3 0 2 4\n");
    assert_eq!(read(&dangling).cells.faces(), 1);
}

#[test]
fn files_that_lie_are_refused_with_the_place() {
    let cases = [
        ("OVM ASCII", "OVM BINARY", "line 1: the binary form cannot be read"),
        ("OVM ASCII", "OVM TEXT", "line 1: found \"TEXT\" where ASCII is expected"),
        ("Vertices\n4", "Vertices\n99999999999", "line 3: 99999999999 vertices need at least"),
        ("0 1 0\n", "0 nan 0\n", "line 6: coordinate NaN of vertex 2 is not finite"),
        ("1 2\n2 0", "1 4\n2 0", "line 11: edge 1 has vertex 4, which is not among the 4 of the file"),
        ("1 2\n2 0", "1 -2\n2 0", "line 11: edge 1 has vertex -2, which is not among the 4 of the file"),
        ("3 0 8 7", "3 0 8 12", "line 19: face 1 has half-edge 12, which is not among the 12 of the file"),
        ("3 0 8 7", "3 0 7 8", "line 19: the half-edges of face 1 are not a cycle"),
        ("3 0 8 7", "2 0 1", "line 19: half-edges of a face has 2 values, and needs 3"),
        ("4 0 2 4 6", "4 0 2 4 8", "line 24: cell 0 has half-face 8, which is not among the 8 of the file"),
        ("4 0 2 4 6", "4 0 2 4", "line 24: 4 half-faces of a cell need at least 8 bytes, and 7 are left"),
        ("Polyhedra", "Polyhedrons", "line 22: found \"Polyhedrons\" where Polyhedra is expected"),
        ("Polyhedra\n1\n4 0 2 4 6", "Polyhedra\n0", "the file has 4 vertices and 4 faces, but no cells"),
        (
            "4 0 2 4 6\n",
            "4 0 2 4 6\nXProp int \"a\"\n1\n",
            "line 25: found \"xprop\" where a property is expected",
        ),
        (
            "4 0 2 4 6\n",
            "4 0 2 4 6\nCProp int \"a\"\nx\n",
            "line 26: \"x\" is not a number that fits a number of a property",
        ),
        (
            "4 0 2 4 6\n",
            "4 0 2 4 6\nCProp int \"a\"\n1\nCProp int \"a\"\n1\n",
            "line 27: the property \"a\" occurs twice",
        ),
        (
            "4 0 2 4 6\n",
            "4 0 2 4 6\nVProp double \"a\"\n1\n2\n",
            "the file ends where a number of a property is expected",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(OVM.contains(from), "{from}");
        let found = error(&OVM.replace(from, to));
        assert!(found.contains(expected), "{to}: {found}");
    }
    // every beginning of a file is refused
    for end in 0..OVM.len() - 2 {
        if let Ok(text) = std::str::from_utf8(&OVM.as_bytes()[..end]) {
            assert!(read_from(text.as_bytes(), VolumeFormat::Ovm, "short").is_err(), "{end}");
        }
    }
}
