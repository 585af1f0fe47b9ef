//! The inputs on which the fingerprint of a kernel crate depends.

mod common;

use common::{Crates, KERNELS, manifest};
use ribbonmesh_ptx::{SourceError, own_source_hash, source_hash};

fn hash(crates: &Crates) -> String {
    source_hash(crates.kernels()).expect("a hash")
}

#[test]
fn the_place_and_the_line_endings_do_not_matter() {
    let here = Crates::new();
    let there = Crates::new();
    there.write("kernels/src/lib.rs", &KERNELS.replace('\n', "\r\n"));
    assert_eq!(hash(&here), hash(&there));
    assert_eq!(hash(&here).len(), 64);
}

#[test]
fn what_is_compiled_for_the_gpu_matters() {
    let changes = [
        ("kernels/src/lib.rs", KERNELS.replace("x[i]", "x[i] + 1.0")),
        ("kernels/src/new.rs", String::new()),
        ("kernels/build.rs", "fn main() {}".to_owned()),
        ("helper/src/lib.rs", "#![no_std]\npub fn twice(x: f32) -> f32 {\n    2.0 * x\n}\n".to_owned()),
        (
            "helper/Cargo.toml",
            "[package]\nname = \"helper\"\nversion = \"0.2.0\"\nedition = \"2024\"\n".to_owned(),
        ),
    ];
    for (file, text) in changes {
        let crates = Crates::new();
        let before = hash(&crates);
        crates.write(file, &text);
        assert_ne!(before, hash(&crates), "{file}");
    }
}

#[test]
fn what_is_not_compiled_for_the_gpu_does_not_matter() {
    let crates = Crates::new();
    let before = hash(&crates);
    for (file, text) in [
        ("kernels/src/host.rs", "pub fn launch() { println!() }"),
        ("kernels/src/host/deeper.rs", ""),
        ("kernels/tests/test.rs", "fn test() {}"),
        ("kernels/README.md", "text"),
        ("helper/Cargo.toml", &(manifest("helper") + "description = \"Helps.\"\n")),
        ("oracle/src/lib.rs", "pub fn oracle() {}"),
    ] {
        crates.write(file, text);
        assert_eq!(before, hash(&crates), "{file}");
    }
}

#[test]
fn the_own_hash_is_of_the_own_sources_alone() {
    let crates = Crates::new();
    let own = || own_source_hash(crates.kernels()).expect("a hash");
    let before = own();
    crates.write("helper/src/lib.rs", "#![no_std]\npub fn twice(x: f32) -> f32 {\n    2.0 * x\n}\n");
    crates.write("kernels/src/host.rs", "pub fn launch() { println!() }");
    // a package from a registry has another manifest than the checkout
    crates.write("kernels/Cargo.toml", &manifest("tiny-kernels"));
    assert_eq!(before, own());
    crates.write("kernels/src/lib.rs", &KERNELS.replace("x[i]", "x[i] + 1.0"));
    assert_ne!(before, own());
}

#[test]
fn a_folder_without_a_library_is_refused_by_name() {
    let crates = Crates::new();
    let nowhere = source_hash(crates.path("nowhere")).expect_err("no manifest");
    assert!(matches!(nowhere, SourceError::Metadata { .. }), "{nowhere}");
    let workspace = source_hash(crates.path("")).expect_err("no package");
    assert!(matches!(workspace, SourceError::NotALibrary { .. }), "{workspace}");
}
