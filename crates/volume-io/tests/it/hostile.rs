//! Files with wrong contents: each is refused, and the error names the place.

use ribbonmesh_mesh::Subject;
use ribbonmesh_volume_io::{VolumeFormat, read_from};

/// A file with one tetrahedron, in each format as text.
const VTK: &str = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
const MSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n";
const MESH: &str = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";
pub const OVM: &str = "OVM ASCII\nVertices\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\nEdges\n6\n0 1\n1 2\n2 0\n0 3\n1 3\n2 3\nFaces\n4\n3 5 3 1\n3 0 8 7\n3 2 10 9\n3 4 6 11\nPolyhedra\n1\n4 0 2 4 6\n";
const VTU: &str = "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 3</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\">4</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\">10</DataArray>\n</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

fn text(format: VolumeFormat) -> &'static str {
    match format {
        VolumeFormat::Vtk => VTK,
        VolumeFormat::Vtu => VTU,
        VolumeFormat::Msh => MSH,
        VolumeFormat::Mesh => MESH,
        VolumeFormat::Ovm => OVM,
    }
}

#[test]
fn the_files_themselves_are_fine() {
    for format in VolumeFormat::ALL {
        let loaded = read_from(text(format).as_bytes(), format, "fine").unwrap();
        assert_eq!((loaded.volume.positions.len(), loaded.volume.cells.len()), (4, 1));
        assert_eq!(loaded.notes.in_words(), [""; 0]);
    }
}

#[test]
fn carriage_returns_and_comments() {
    for format in VolumeFormat::ALL {
        let windows = text(format).replace('\n', "\r\n");
        assert_eq!(read_from(windows.as_bytes(), format, "fine").unwrap().volume.cells.len(), 1);
    }
    let commented = MESH.replace("Tetrahedra\n", "# cells\nTetrahedra # four\n");
    assert_eq!(read_from(commented.as_bytes(), VolumeFormat::Mesh, "fine").unwrap().volume.cells.len(), 1);
    let commented = VTU.replace("<Cells>", "<!-- <Cells> --><Cells>");
    assert_eq!(read_from(commented.as_bytes(), VolumeFormat::Vtu, "fine").unwrap().volume.cells.len(), 1);
    let marked = format!("\u{feff}{VTU}");
    assert_eq!(read_from(marked.as_bytes(), VolumeFormat::Vtu, "fine").unwrap().volume.cells.len(), 1);
}

/// Text that is replaced in a file, its replacement, and the error.
const LIES: [(VolumeFormat, &str, &str, &str); 46] = {
    use VolumeFormat::{Mesh, Msh, Vtk, Vtu};
    [
        // VTK
        (Vtk, "POINTS 4", "POINTS 1152921504606846976", "line 5: 1152921504606846976 points need at least"),
        (Vtk, "POINTS 4", "POINTS -4", "line 5: \"-4\" is not a number that fits points"),
        (Vtk, "0 1 0\n", "0 nan 0\n", "line 8: coordinate NaN of vertex 2 is not finite"),
        (Vtk, "0 1 0\n", "0 1e39 0\n", "line 8: coordinate inf of vertex 2 is not finite"),
        (Vtk, "0 1 0\n", "0 x 0\n", "line 8: \"x\" is not a number that fits a coordinate"),
        (Vtk, "4 0 1 2 3", "4 0 1 2 4", "line 13: cell 0 has vertex 4, which is not among the 4"),
        (Vtk, "4 0 1 2 3", "4 0 1 2 -1", "line 10: cell 0 has vertex -1, which is not among the 4"),
        (Vtk, "4 0 1 2 3", "9 0 1 2 3", "line 10: the list of vertices of cell 0 is longer than"),
        (
            Vtk,
            "CELLS 1 5",
            "CELLS 1 1152921504606846976",
            "line 10: 1152921504606846976 numbers of cells need",
        ),
        (
            Vtk,
            "CELL_TYPES 1\n10",
            "CELL_TYPES 1\n12",
            "line 13: the list of vertices of cell 0 has 4 values, and needs 8",
        ),
        (Vtk, "CELL_TYPES 1\n10", "CELL_TYPES 1\n99", "line 13: type 99 of cell 0 cannot be read"),
        (
            Vtk,
            "CELL_TYPES 1\n10",
            "CELL_TYPES 1\n42",
            "line 13: the list of faces of cell 0, a polyhedron, is incomplete",
        ),
        (
            Vtk,
            "CELL_TYPES 1\n10\n",
            "CELL_TYPES 1\n5\n",
            "line 13: the list of vertices of cell 0 has 4 values, and needs 3",
        ),
        (Vtk, "CELL_TYPES 1\n10\n", "", "the list of types of cells is missing"),
        (
            Vtk,
            "10\n",
            "10\nCELL_DATA 1\nSCALARS a float\nLOOKUP_TABLE default\n1\nSCALARS a int\nLOOKUP_TABLE default\n1\n",
            "line 18: cell data \"a\" occurs twice",
        ),
        (
            Vtk,
            "10\n",
            "10\nPOINT_DATA 3\nVECTORS v float\n1 2 3 4 5 6 7 8 9\n",
            "line 15: point data \"v\" has 9 values, and needs 12",
        ),
        (
            Vtk,
            "10\n",
            "10\nPOINT_DATA 4\nFIELD f 1\na 1000000000 1000000000 float\n",
            "line 16: 1000000000000000000 a number of an array need",
        ),
        (Vtk, "UNSTRUCTURED_GRID", "POLYDATA", "line 4: a data set of the kind POLYDATA cannot be read"),
        (Vtk, "10\n", "10\nNONSENSE 1\n", "line 14: found \"NONSENSE\" where a section is expected"),
        // VTU
        (
            Vtu,
            "NumberOfPoints=\"4\"",
            "NumberOfPoints=\"1152921504606846976\"",
            "line 5: array \"\" has 12 values, and needs 3458764513820540928",
        ),
        (
            Vtu,
            "NumberOfCells=\"1\"",
            "NumberOfCells=\"2\"",
            "line 10: array \"types\" has 1 values, and needs 2",
        ),
        (Vtu, "0 1 2 3<", "0 1 2 4<", "line 8: cell 0 has vertex 4, which is not among the 4"),
        (Vtu, "0 1 2 3<", "0 1 &x; 3<", "line 8: found \"&\" where a number of an array is expected"),
        (Vtu, "</VTKFile>", "</VTKFile", "line 14: XML: syntax error: tag not closed"),
        (Vtu, ">4<", ">1000<", "line 9: the numbers of array \"offsets\" do not ascend, or exceed 4"),
        (Vtu, "Name=\"offsets\"", "Name=\"types\"", "line 10: array \"types\" of the cells occurs twice"),
        (Vtu, "Name=\"offsets\"", "Name=\"other\"", "line 3: the array \"offsets\" of the cells is missing"),
        (
            Vtu,
            "<VTKFile",
            "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]>\n<VTKFile",
            "line 1: XML with a document type",
        ),
        (Vtu, "Name=\"offsets\"", "Name=\"&offsets;\"", "line 9: XML: at 1..8: unrecognized entity"),
        (
            Vtu,
            "</Cells>",
            "</Points>",
            "line 11: XML: ill-formed document: expected `</Cells>`, but `</Points>` was found",
        ),
        (
            Vtu,
            "\"UInt8\" Name",
            "\"UInt8\" format=\"binary\" Name",
            "line 10: 4 bytes of an array need at least 4 bytes, and 3 are left in the file",
        ),
        (
            Vtu,
            "\"UInt8\" Name",
            "\"UInt8\" format=\"appended\" offset=\"9\" Name",
            "line 10: the element AppendedData is missing",
        ),
        (Vtu, "\"UInt8\" Name", "\"Float16\" Name", "line 10: type \"Float16\" cannot be read"),
        (
            Vtu,
            "type=\"UnstructuredGrid\"",
            "type=\"UnstructuredGrid\" compressor=\"vtkBrotliDataCompressor\"",
            "line 1: data compressed by vtkBrotliDataCompressor cannot be read",
        ),
        (Vtu, "0 0 0 1 0 0", "0 0 0 inf 0 0", "line 5: coordinate inf of vertex 1 is not finite"),
        // MSH
        (
            Msh,
            "$Nodes\n4\n",
            "$Nodes\n1152921504606846976\n",
            "line 5: 1152921504606846976 nodes need at least",
        ),
        (Msh, "1 2 3 4\n", "1 2 3 9\n", "line 13: element 1 has node 9, which is not among the 4"),
        (Msh, "4 0 0 1", "3 0 0 1", "line 9: node 3 occurs twice"),
        (Msh, "4 0 0 1", "4 0 0 nan", "line 9: coordinate NaN of vertex 3 is not finite"),
        (
            Msh,
            "1 4 2 0 1",
            "1 4 1000000000 0 1",
            "line 14: \"$EndElements\" is not a number that fits a tag of an element",
        ),
        (Msh, "2.2 0 8", "4.0 0 8", "line 2: MSH version 4.0 cannot be read"),
        // MEDIT
        (
            Mesh,
            "Vertices\n4\n",
            "Vertices\n1152921504606846976\n",
            "line 4: 1152921504606846976 vertices need at least",
        ),
        (Mesh, "1 2 3 4 0", "1 2 3 5 0", "line 11: element 0 has vertex 5, which is not among the 4"),
        (Mesh, "1 2 3 4 0", "0 2 3 4 0", "line 11: element 0 has vertex 0, which is not among the 4"),
        (Mesh, "Dimension 3", "Dimension 2", "line 2: dimension 2 cannot be read"),
        (
            Mesh,
            "Tetrahedra\n1\n1 2 3 4 0\n",
            "Triangles\n1\n1 2 3 0\n",
            "the file has 4 vertices and 1 faces, but no cells",
        ),
    ]
};

#[test]
fn lies_are_refused_with_their_place() {
    for (format, from, to, expected) in LIES {
        let file = text(format);
        assert!(file.contains(from), "{from}");
        let error = read_from(file.replacen(from, to, 1).as_bytes(), format, "lie").unwrap_err();
        assert_eq!(error.kind.subject(), Subject::Content);
        assert!(error.to_string().contains(expected), "{format} {to}:\n{error}\n{expected}");
    }
}

#[test]
fn bombs_are_refused_before_they_grow() {
    for (compressor, name) in [("ZLib", "zlib"), ("LZ4", "LZ4"), ("LZMA", "LZMA")] {
        bomb(compressor, name);
    }
}
fn bomb(compressor: &str, name: &str) {
    // a block that claims four gigabytes
    let mut header = vec![];
    for number in [1_u32, u32::MAX, 0, 20] {
        header.extend(number.to_le_bytes());
    }
    header.extend([0; 20]);
    let file = VTU
        .replace(
            "type=\"UnstructuredGrid\"",
            &format!("type=\"UnstructuredGrid\" compressor=\"vtk{compressor}DataCompressor\""),
        )
        .replace(
            "NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1<",
            "NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"><",
        )
        .replace("</VTKFile>\n", "<AppendedData encoding=\"raw\">_");
    let error = read_from(&[file.as_bytes(), &header].concat(), VolumeFormat::Vtu, "bomb").unwrap_err();
    let text = error.to_string();
    assert!(text.contains(", byte ") && text.contains("20 bytes cannot be 4294967295 bytes"), "{text}");
    assert!(text.contains(name), "{text}");
}

/// Each byte of compressed arrays changed, and files cut off at each byte: an error or numbers, never a
/// panic.
#[test]
fn damaged_blocks() {
    for file in ["vtk_lz4.vtu", "vtk_lz4_raw.vtu", "vtk_lzma.vtu", "zlib.vtu"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(file);
        let bytes = std::fs::read(path).expect("a file");
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            for change in [1, 0x20] {
                damaged[at] = bytes[at] ^ change;
                let _ = read_from(&damaged, VolumeFormat::Vtu, "damaged");
            }
            let _ = read_from(&bytes[..at], VolumeFormat::Vtu, "cut off");
        }
    }
    // the sum of an xz stream is checked
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/vtk_lzma.vtu");
    let text = std::fs::read_to_string(path).expect("a file");
    let at = text.find("/Td6WFo").expect("a stream") + 60;
    let mut damaged = text.into_bytes();
    damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
    let error = read_from(&damaged, VolumeFormat::Vtu, "damaged").expect_err("another sum");
    assert!(error.to_string().contains("the LZMA data are damaged"), "{error}");
}
