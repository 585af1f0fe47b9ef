//! Compressed files in and out.

use crate::common;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use common::{tetrahedron, written};
use ribbonmesh_io::{Compression, Format, Place, ReadErrorKind, WriteOptions, read, read_stream, write};
use ribbonmesh_mesh::{Subject, shapes};
use tempfile::TempDir;

const ENDINGS: [&str; 2] = ["gz", "zst"];

fn folder() -> (TempDir, impl Fn(&str) -> PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    (folder, move |name| path.join(name))
}

/// A compressed tetrahedron.
fn small(ending: &str) -> Vec<u8> {
    let (_folder, path) = folder();
    let path = path(&format!("mesh.ply.{ending}"));
    write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn extensions() {
    for (name, format, compression) in [
        ("a.ply.gz", Some(Format::Ply), Some(Compression::Gzip)),
        ("b/a.OBJ.GZ", Some(Format::Obj), Some(Compression::Gzip)),
        ("a.b.stl.zst", Some(Format::Stl), Some(Compression::Zstd)),
        ("a.gz.ply", Some(Format::Ply), None),
        ("a.gz", None, Some(Compression::Gzip)),
        ("a.xyz.zst", None, Some(Compression::Zstd)),
        (".gz", None, None),
    ] {
        assert_eq!(Format::from_path(Path::new(name)).ok(), format, "{name}");
        assert_eq!(Compression::from_path(Path::new(name)), compression, "{name}");
    }
    let text = |name: &str| Format::from_path(Path::new(name)).unwrap_err().to_string();
    assert!(text("a.gz").contains("\"gz\"") && text("a.xyz.gz").contains("\"xyz\""));
}

#[test]
fn every_format_comes_back() {
    let (_folder, path) = folder();
    for format in Format::ALL {
        for ending in ENDINGS {
            let path = path(&format!("mesh.{}.{ending}", format.extension()));
            write(&path, &tetrahedron(), &WriteOptions::default()).unwrap();
            let plain = written(&tetrahedron(), format, &WriteOptions::default());
            assert_ne!(fs::read(&path).unwrap(), plain);
            let loaded = read(&path).unwrap();
            assert_eq!((loaded.format, loaded.mesh.faces.len()), (format, 4));
        }
    }
}

#[test]
fn large_files_are_smaller_and_come_back_bit_by_bit() {
    // more than one frame
    let mesh = shapes::torus(330, 1).unwrap();
    let plain = written(&mesh, Format::Obj, &WriteOptions::default()).len() as u64;
    assert!(plain > 1 << 22, "{plain}");
    let (_folder, path) = folder();
    for ending in ENDINGS {
        let path = path(&format!("mesh.obj.{ending}"));
        write(&path, &mesh, &WriteOptions::default()).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < plain / 2, "{ending}");
        assert_eq!(read(&path).unwrap().mesh, mesh);
    }
}

#[test]
fn content_counts_and_not_the_name() {
    let (_folder, path) = folder();
    for ending in ENDINGS {
        let bytes = small(ending);
        assert_eq!(read_stream(&mut &bytes[..], None, "a stream").unwrap().mesh, tetrahedron());
        for name in ["mesh.ply", "mesh.ply.gz", "mesh.ply.zst"] {
            fs::write(path(name), &bytes).unwrap();
            assert_eq!(read(path(name)).unwrap().mesh, tetrahedron(), "{name}");
        }
        let plain = path(&format!("plain.ply.{ending}"));
        fs::write(&plain, written(&tetrahedron(), Format::Ply, &WriteOptions::default())).unwrap();
        let error = read(&plain).unwrap_err();
        assert!(error.kind.subject() == Subject::Content && error.place == Place::Byte(0), "{error}");
        assert!(matches!(error.kind, ReadErrorKind::Damaged { .. }), "{error}");
        fs::write(&plain, "").unwrap();
        assert!(matches!(read(&plain).unwrap_err().kind, ReadErrorKind::Empty));
    }
}

#[test]
fn truncated_files_are_refused_wherever_they_end() {
    for ending in ENDINGS {
        let bytes = small(ending);
        for end in 4..bytes.len() {
            let error = read_stream(&mut &bytes[..end], None, "a stream").unwrap_err();
            assert!(
                error.kind.subject() == Subject::Content
                    && matches!(error.kind, ReadErrorKind::CutOff { .. }),
                "{end}: {error}"
            );
            assert!(matches!(error.place, Place::Byte(byte) if byte <= end as u64), "{end}: {error}");
        }
    }
}

#[test]
fn no_changed_byte_gives_another_mesh() {
    for ending in ENDINGS {
        let bytes = small(ending);
        let mut refused = 0;
        for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit))) {
            let mut bytes = bytes.clone();
            bytes[at] ^= bit;
            match read_stream(&mut &bytes[..], Some(Format::Ply), "a stream") {
                // the time and the name of a gzip file
                Ok(loaded) => assert_eq!(loaded.mesh, tetrahedron(), "byte {at}"),
                Err(error) => {
                    assert_eq!(error.kind.subject(), Subject::Content, "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 7 * bytes.len(), "{ending}: {refused} of {}", 8 * bytes.len());
    }
}

#[test]
fn damage_is_said_with_its_place() {
    for (ending, name) in [("gz", "gzip"), ("zst", "Zstandard")] {
        let mut bytes = small(ending);
        let sum = bytes.len() - if ending == "gz" { 8 } else { 4 };
        bytes[sum] ^= 1;
        let error = read_stream(&mut &bytes[..], None, "a stream").unwrap_err();
        let expected = format!("a stream, byte {}: the {name} data are damaged: ", bytes.len());
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}

#[test]
fn parts_one_after_another_are_one_file() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let (a, b) = text.split_at(11);
    let gzip = |part: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(part).unwrap();
        out.finish().unwrap()
    };
    let zstd = |part: &[u8]| {
        ruzstd::encoding::compress_to_vec(part, ruzstd::encoding::CompressionLevel::Uncompressed)
    };
    let skipped = [&[0x52, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"any"].concat();
    for bytes in [
        [gzip(a), gzip(b)].concat(),
        [zstd(a), zstd(b)].concat(),
        [skipped.clone(), zstd(a), skipped.clone(), zstd(b), skipped.clone()].concat(),
    ] {
        assert_eq!(read_stream(&mut &bytes[..], None, "a stream").unwrap().mesh.faces, [[0, 1, 2]]);
    }
    let cut = [zstd(text), skipped[..9].to_vec()].concat();
    let error = read_stream(&mut &cut[..], None, "a stream").unwrap_err();
    assert!(matches!(error.kind, ReadErrorKind::CutOff { compression: Compression::Zstd }), "{error}");
}

#[test]
fn the_programs_of_others_agree() {
    let (_folder, path) = folder();
    let mesh = shapes::torus(60, 1).unwrap();
    let plain = written(&mesh, Format::Ply, &WriteOptions::default());
    for (ending, program) in [("gz", "gzip"), ("zst", "zstd")] {
        if Command::new(program).arg("--version").output().is_err() {
            continue; // not on this machine
        }
        let ours = path(&format!("ours.ply.{ending}"));
        write(&ours, &mesh, &WriteOptions::default()).unwrap();
        let decompressed = Command::new(program).arg("-dc").arg(&ours).output().unwrap();
        assert!(decompressed.status.success() && decompressed.stdout == plain, "{program}");
        let theirs = path("theirs.ply");
        fs::write(&theirs, &plain).unwrap();
        for level in ["-1", "-9"] {
            let compressed = Command::new(program).args([level, "-c"]).arg(&theirs).output().unwrap();
            let path = path(&format!("theirs.ply.{ending}"));
            fs::write(&path, compressed.stdout).unwrap();
            assert_eq!(read(&path).unwrap().mesh, mesh, "{program} {level}");
        }
    }
}
