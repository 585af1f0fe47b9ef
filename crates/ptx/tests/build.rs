//! Compiling a tiny kernel crate, where there is a nightly with a `core` for the GPU.

mod common;

use common::{Crates, KERNELS};
use ribbonmesh_ptx::{
    BuildError, Builder, Freshness, Header, Ptx, Ptxas, PtxasError, Toolchain, entries, freshness,
};

/// Compiles; `None`, and a word about it, where this machine cannot.
fn build(builder: &Builder) -> Option<Result<Ptx, BuildError>> {
    match builder.build() {
        Err(reason @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
            eprintln!("skipped: {reason}");
            None
        }
        result => Some(result),
    }
}

#[test]
fn a_kernel_crate_becomes_ptx() {
    let here = Crates::new();
    // One folder for all builds: `core` is compiled once.
    let target = here.path("device");
    let Some(result) = build(&Builder::new(here.kernels()).target_dir(&target)) else { return };
    let ptx = result.expect("the crate compiles");
    assert_eq!((ptx.package.as_str(), ptx.entries.as_slice()), ("tiny-kernels", &["double".to_owned()][..]));
    assert_eq!(entries(&ptx.text), ptx.entries);
    assert!(ptx.text.contains(".target sm_80") && ptx.text.contains(".version 7.8"));
    assert!(ptx.flags.contains(&"-Ctarget-cpu=sm_80".to_owned()));
    assert_eq!(ptx.compiler, Toolchain::find().expect("it was just used").version());
    let folder = here.path("").to_string_lossy().into_owned();
    assert!(!ptx.text.contains(folder.trim_end_matches('/')));
    let file = ptx.file().expect("the sources are there");
    assert_eq!(freshness(here.kernels(), &file).expect("the sources are there"), Freshness::Current);
    let (header, text) = Header::split(&file).expect("a header");
    assert_eq!((header.kernels, text), (ptx.entries.clone(), ptx.text.as_str()));
    assemble(&here, &ptx);

    let there = Crates::new();
    let again = Builder::new(there.kernels()).target_dir(&target);
    assert_eq!(again.build().expect("it compiles elsewhere").text, ptx.text);
    refusals(&there, &again);
}

fn assemble(crates: &Crates, ptx: &Ptx) {
    let Some(ptxas) = Ptxas::find() else {
        eprintln!("skipped: there is no ptxas");
        return;
    };
    let file = crates.path("double.ptx");
    crates.write("double.ptx", &ptx.text);
    let rows = ptxas.check(&file, "sm_90").expect("ptxas accepts it");
    let kernel = rows.iter().find(|row| row.name == "double").expect("the kernel is reported");
    assert!(kernel.registers.is_some_and(|count| count > 0) && !kernel.spills());
    crates.write("double.ptx", "no PTX");
    assert!(matches!(ptxas.check(&file, "sm_90"), Err(PtxasError::Refused { .. })));
}

fn refusals(crates: &Crates, builder: &Builder) {
    crates.write("kernels/src/lib.rs", "#![no_std]\ncompile_error!(\"no such thing\");");
    match builder.build() {
        Err(BuildError::Compile { package, output }) => {
            assert_eq!(package, "tiny-kernels");
            // as the compiler shows it: what, where, the line
            for part in ["error: no such thing", "--> kernels/src/lib.rs:2:1", "2 | compile_error!(", "^^^^"]
            {
                assert!(output.contains(part), "no {part} in\n{output}");
            }
        }
        other => panic!("{other:?}"),
    }
    let (no_kernels, _) =
        KERNELS.split_once("#[cfg(target_arch = \"nvptx64\")]\n#[unsafe").expect("the kernel");
    crates.write("kernels/src/lib.rs", no_kernels);
    assert!(matches!(builder.build(), Err(BuildError::NoEntries { .. })));
}
