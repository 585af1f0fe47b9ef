//! Compiling a tiny kernel crate, where there is a nightly with a `core` for the GPU.

mod common;

use common::{Crates, KERNELS, MORE};
use ribbonmesh_ptx::{BuildError, Builder, Folder, Freshness, Ptx, Ptxas, PtxasError, Toolchain, freshness};

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
    assert_eq!((ptx.package.as_str(), ptx.kernels()), ("tiny-kernels", vec!["double", "half"]));
    let sources: Vec<_> = ptx.files.iter().map(|file| file.source.as_str()).collect();
    assert_eq!(sources, ["lib", "more"]);
    assert_eq!(ptx.files[1].kernels[0].layout, 7);
    let text = &ptx.files[0].text;
    assert!(text.contains(".target sm_80") && text.contains(".version 7.8") && !text.contains("half"));
    assert!(ptx.flags.contains(&"-Ctarget-cpu=sm_80".to_owned()));
    assert_eq!(ptx.compiler, Toolchain::find().expect("it was just used").version());
    let folder = here.path("").to_string_lossy().into_owned();
    assert!(!text.contains(folder.trim_end_matches('/')));
    assert_eq!(ptx.write().expect("the sources are there").len(), 3);
    assert_eq!(freshness(here.kernels()).expect("the sources are there"), Freshness::Current);
    let written = Folder::read(here.kernels().join("ptx")).expect("readable").expect("an index");
    assert_eq!((written.files.clone(), written.kernels().len()), (ptx.contents(), 2));
    assert_eq!(ptx.write().expect("the sources are there"), [""; 0].map(std::path::PathBuf::from));
    assemble(&here, text);

    // a kernel that changes, and not the other
    here.write("kernels/src/more.rs", &MORE.replace("0.5", "0.25"));
    let changed = Builder::new(here.kernels()).target_dir(&target).build().expect("it compiles");
    let names: Vec<_> = changed
        .write()
        .expect("written")
        .into_iter()
        .filter_map(|path| Some(path.file_name()?.to_owned()))
        .collect();
    assert_eq!(names, ["more.ptx", "index"]);

    let there = Crates::new();
    let again = Builder::new(there.kernels()).target_dir(&target);
    assert_eq!(again.build().expect("it compiles elsewhere").files, ptx.files);
    refusals(&there, &again);
}

fn assemble(crates: &Crates, text: &str) {
    let Some(ptxas) = Ptxas::find() else {
        eprintln!("skipped: there is no ptxas");
        return;
    };
    let file = crates.path("double.ptx");
    crates.write("double.ptx", text);
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
            // as the compiler shows it: the message, the place, the line
            for part in ["error: no such thing", "--> kernels/src/lib.rs:2:1", "2 | compile_error!(", "^^^^"]
            {
                assert!(output.contains(part), "no {part} in\n{output}");
            }
        }
        other => panic!("{other:?}"),
    }
    let (no_kernels, _) =
        KERNELS.split_once("#[cfg(target_arch = \"nvptx64\")]\n#[unsafe").expect("the kernel");
    crates.write("kernels/src/lib.rs", &no_kernels.replace("mod more;", ""));
    assert!(matches!(builder.build(), Err(BuildError::NoEntries { .. })));
}
