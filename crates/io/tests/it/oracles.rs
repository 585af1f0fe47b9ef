//! Other crates read the same files and find the same meshes.

use crate::common;

use std::io::{BufReader, Cursor};

use common::{accept, written};
use ply_rs_bw::{
    parser::{Parser, Reader},
    ply::{DefaultElement, Property},
};
use ribbonmesh_io::{Format, PlyEncoding, StlEncoding, TriangleMesh, WriteOptions};
use ribbonmesh_mesh::{Column, Role};

fn shapes() -> Vec<TriangleMesh> {
    use ribbonmesh_mesh::shapes::{bumpy_sphere, grid, mobius, torus};
    [bumpy_sphere(4, 1), grid(20, 2), torus(15, 3), mobius(20, 4)]
        .into_iter()
        .map(|shape| shape.unwrap())
        .collect()
}

/// A mesh with its positions as normals.
fn with_normals(mesh: &TriangleMesh) -> TriangleMesh {
    let mut mesh = mesh.clone();
    let column = Column::with_role("normal", Role::Normal, mesh.points());
    mesh.vertices_mut().insert_column(column).unwrap();
    mesh
}

#[test]
fn obj_as_tobj_reads_it() {
    for mesh in shapes() {
        for normals in [false, true] {
            let mesh = if normals { with_normals(&mesh) } else { mesh.clone() };
            let bytes = written(&mesh, Format::Obj, &WriteOptions::default());
            let ours = accept(Format::Obj, &bytes).mesh;
            let options = tobj::LoadOptions { triangulate: true, ..Default::default() };
            let materials = |_: &std::path::Path| Err(tobj::LoadError::GenericFailure);
            let (models, _) = tobj::load_obj_buf(&mut Cursor::new(&bytes), &options, materials).unwrap();
            let theirs = &models[0].mesh;
            let triangles = |positions: &[f32], corners: &[u32]| -> Vec<[u32; 3]> {
                let at =
                    |&corner: &u32| [0, 1, 2].map(|axis| positions[3 * corner as usize + axis].to_bits());
                corners.iter().map(at).collect()
            };
            assert_eq!(
                triangles(&theirs.positions, &theirs.indices),
                triangles(ours.points_as_arrays().as_flattened(), ours.faces.as_flattened())
            );
        }
    }
}

#[test]
fn polygons_as_tobj_cuts_them() {
    let text = "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\nf -1 -2 -3 -4\nf 1//1 2//1 3//1\n";
    let ours = accept(Format::Obj, text).mesh;
    let options = tobj::LoadOptions { triangulate: true, ..Default::default() };
    let materials = |_: &std::path::Path| Err(tobj::LoadError::GenericFailure);
    let text = format!("vn 0 0 1\n{text}");
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(text), &options, materials).unwrap();
    let theirs = &models[0].mesh;
    let corner = |index: &u32| theirs.positions[3 * *index as usize..][..3].to_vec();
    let found: Vec<Vec<f32>> = theirs.indices.iter().map(corner).collect();
    let expected = ours.faces.as_flattened().iter().map(|&v| ours.points_as_arrays()[v as usize].to_vec());
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn ply_as_ply_rs_reads_it() {
    for mesh in shapes() {
        for ply_encoding in [PlyEncoding::Ascii, PlyEncoding::Little, PlyEncoding::Big] {
            let mut mesh = with_normals(&mesh);
            let patches: Vec<u32> = (0..mesh.faces.len() as u32).collect();
            mesh.faces_of_mut().insert("patch", patches).unwrap();
            let options = WriteOptions { ply_encoding, ..Default::default() };
            let bytes = written(&mesh, Format::Ply, &options);
            let parser = Parser::<DefaultElement>::new();
            let mut reader = Reader::new(BufReader::new(&bytes[..]));
            let header = parser.read_header(&mut reader).unwrap();
            let payload = parser.read_payload(&mut reader, &header).unwrap();
            let float = |element: &DefaultElement, name: &str| match element[name] {
                Property::Float(value) => value,
                ref other => panic!("{other:?}"),
            };
            let triple = |names: [&str; 3]| -> Vec<[f32; 3]> {
                payload["vertex"].iter().map(|vertex| names.map(|name| float(vertex, name))).collect()
            };
            assert_eq!(triple(["x", "y", "z"]), mesh.points_as_arrays());
            assert_eq!(triple(["nx", "ny", "nz"]), mesh.points_as_arrays());
            for (number, (face, expected)) in payload["face"].iter().zip(&mesh.faces).enumerate() {
                assert_eq!(
                    face["vertex_indices"],
                    Property::ListInt(expected.map(|corner| corner as i32).to_vec())
                );
                assert_eq!(face["patch"], Property::UInt(number as u32));
            }
            assert_eq!(payload["face"].len(), mesh.faces.len());
            assert_eq!(accept(Format::Ply, bytes).mesh, mesh);
        }
    }
}

#[test]
fn stl_as_stl_io_reads_it() {
    for mesh in shapes() {
        for stl_encoding in [StlEncoding::Ascii, StlEncoding::Binary] {
            let bytes = written(&mesh, Format::Stl, &WriteOptions { stl_encoding, ..Default::default() });
            let ours = accept(Format::Stl, &bytes).mesh;
            let theirs = stl_io::read_stl(&mut Cursor::new(&bytes)).unwrap();
            let positions: Vec<[f32; 3]> = theirs.vertices.iter().map(|vertex| vertex.0).collect();
            assert_eq!(positions, ours.points_as_arrays());
            let faces: Vec<[u32; 3]> =
                theirs.faces.iter().map(|face| face.vertices.map(|corner| corner as u32)).collect();
            assert_eq!(faces, ours.faces);
        }
    }
}
