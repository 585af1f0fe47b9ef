//! Files that are written: refused meshes, and effects on the file system.

use crate::common;

use std::fs;

use common::{accept, losses, tetrahedron, with_normals};
use glam::DVec3;
use ribbonmesh_io::{Format, TriangleMesh, WriteErrorKind, WriteOptions, read, write, write_to};

#[track_caller]
fn refuse(
    format: Format,
    change: impl FnOnce(&mut ribbonmesh_io::TriangleMesh, &mut WriteOptions),
) -> WriteErrorKind {
    let (mut mesh, mut options) = (tetrahedron(), WriteOptions::default());
    change(&mut mesh, &mut options);
    let mut bytes = Vec::new();
    let kind = write_to(&mut bytes, format, &mesh, &options).unwrap_err();
    assert!(bytes.is_empty());
    kind
}

#[test]
fn meshes_that_no_reader_would_take_are_refused() {
    for format in Format::ALL {
        let kind = refuse(format, |mesh, _| mesh.positions.clear());
        assert!(matches!(kind, WriteErrorKind::Empty { vertices: 0, count: 4, .. }));
        let kind = refuse(format, |mesh, _| mesh.faces.clear());
        assert!(matches!(kind, WriteErrorKind::Empty { vertices: 4, count: 0, .. }));
        let kind = refuse(format, |mesh, _| mesh.faces[2][1] = 4);
        assert!(matches!(kind, WriteErrorKind::IndexOutOfRange { face: 2, index: 4, vertices: 4 }));
        let kind = refuse(format, |mesh, _| mesh.positions[3][1] = f64::NAN);
        assert!(matches!(kind, WriteErrorKind::NotFinite { vertex: 3, .. }));
    }
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let mut mesh = with_normals([0.0, 0.0, 1.0]);
    mesh.vertices_mut().insert("heat", vec![0.0_f32; 4]).unwrap();
    mesh.faces_of_mut().insert("patch", vec![0_u32; 4]).unwrap();
    let lost = |format: Format| {
        losses(&mesh, format).iter().map(ToString::to_string).collect::<Vec<String>>().join("; ")
    };
    let [heat, patch] = ["vertex attribute \"heat\" not written", "face attribute \"patch\" not written"];
    assert_eq!(lost(Format::Ply), "");
    assert_eq!(lost(Format::Obj), format!("{heat}; {patch}"));
    assert_eq!(lost(Format::Off), format!("{heat}; {patch}"));
    assert_eq!(lost(Format::Stl), format!("vertex attribute \"normal\" not written; {heat}; {patch}"));
    assert_eq!(lost(Format::Glb), patch);
}

#[test]
fn attributes_must_fit() {
    let with = |name: &'static str| {
        move |mesh: &mut TriangleMesh, _: &mut WriteOptions| {
            mesh.vertices_mut().insert(name, vec![0_i32; 4]).unwrap();
        }
    };
    for name in ["", "a b", "a\nb", "x"] {
        assert!(matches!(refuse(Format::Ply, with(name)), WriteErrorKind::PropertyName { .. }), "{name}");
    }
    let kind = refuse(Format::Obj, |mesh, _| {
        *mesh = with_normals([0.0; 3]);
        mesh.positions.push(DVec3::ZERO);
    });
    let WriteErrorKind::Mesh(error) = kind else { panic!("{kind}") };
    assert_eq!(error.to_string(), "the vertex attribute \"normal\" has 4 rows, and needs 5");
    let kind = refuse(Format::Ply, |mesh, _| {
        *mesh = with_normals([0.0; 3]);
        mesh.vertices_mut().insert("normal_x", vec![0_u8; 4]).unwrap();
        mesh.vertices_mut().insert("nx", vec![0_u8; 4]).unwrap();
        let normals = mesh.vertices_mut().remove("normal").unwrap();
        mesh.vertices_mut().insert_column(normals).unwrap();
    });
    assert!(matches!(kind, WriteErrorKind::PropertyName { reason: "is taken", .. }));
}

#[test]
fn a_failed_write_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.ply");
    fs::write(&path, "old").unwrap();
    let mut mesh = tetrahedron();
    mesh.faces[0][0] = 77;
    let error = write(&path, &mesh, &WriteOptions::default()).unwrap_err();
    assert_eq!(error.file, path);
    assert!(error.to_string().starts_with(&path.display().to_string()));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = write(folder.path().join("mesh.xyz"), &tetrahedron(), &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind, WriteErrorKind::UnknownFormat(_)));
    let path = folder.path().join("none/mesh.ply");
    assert!(matches!(
        write(&path, &tetrahedron(), &WriteOptions::default()).unwrap_err().kind,
        WriteErrorKind::Io(_)
    ));
    let path = folder.path().join("folder.ply");
    fs::create_dir(&path).unwrap();
    let error = write(&path, &tetrahedron(), &WriteOptions::default()).unwrap_err();
    assert!(matches!(error.kind, WriteErrorKind::Directory));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// A disk that fills up after some bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0 == 0 {
            return Err(std::io::ErrorKind::StorageFull.into());
        }
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported() {
    for format in Format::ALL {
        let kind = write_to(&mut Full(50), format, &tetrahedron(), &WriteOptions::default()).unwrap_err();
        let WriteErrorKind::Io(error) = kind else { panic!("{kind}") };
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_are_those_of_the_old_file_or_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        fs::write(folder.path().join("any"), "").unwrap();
        let path = folder.path().join("mesh.obj");
        write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
        assert_eq!(mode("mesh.obj"), mode("any"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
        assert_eq!(mode("mesh.obj"), 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(write(&path, &tetrahedron(), &WriteOptions::default()).is_err());
    }

    #[test]
    fn symbolic_links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link.obj"), folder.path().join("target.obj"));
        symlink("target.obj", &link).unwrap();
        for _ in 0..2 {
            write(&link, &tetrahedron(), &WriteOptions::default()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&target).unwrap().is_file());
            assert_eq!(read(&link).unwrap().mesh, tetrahedron());
        }
        let round = folder.path().join("round.obj");
        symlink("round.obj", &round).unwrap();
        assert!(write(&round, &tetrahedron(), &WriteOptions::default()).is_err());
    }

    #[test]
    fn devices_are_written_to_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null.ply");
        symlink("/dev/null", &link).unwrap();
        write(&link, &tetrahedron(), &WriteOptions::default()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}

#[test]
fn large_files_come_in_pieces() {
    let mesh = ribbonmesh_mesh::shapes::torus(300, 1).unwrap();
    for format in [Format::Obj, Format::Off, Format::Ply] {
        let bytes = common::written(&mesh, format, &WriteOptions::default());
        assert!(bytes.len() > 2 << 20);
        assert_eq!(accept(format, bytes).mesh, mesh);
    }
}
