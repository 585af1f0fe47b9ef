//! `--help` and the shells' completions.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;

const COMMANDS: [&str; 40] = [
    "",
    "batch",
    "info",
    "query",
    "normals",
    "geodesic",
    "distance",
    "inside",
    "intersections",
    "curvature",
    "denoise",
    "smooth",
    "delaunay",
    "remesh",
    "simplify",
    "track",
    "render",
    "repair",
    "fill",
    "resolve",
    "wrap",
    "clean",
    "convert",
    "generate",
    "generate icosphere",
    "generate bumpy-sphere",
    "generate torus",
    "generate grid",
    "generate torus-knot",
    "generate mobius",
    "volume",
    "volume generate",
    "volume info",
    "volume convert",
    "volume surface",
    "volume smooth",
    "volume subdivide",
    "elasticity",
    "volume tetrahedralize",
    "bench-query",
];

/// Runs every line of examples in the help of some commands.
fn run_examples<'a>(commands: impl IntoIterator<Item = &'a str>) {
    let folder = Folder::new();
    folder.mesh("dragon.ply", &mesh(shapes::torus(24, 1).expect("small")));
    for command in commands {
        let help = folder.line(&format!("{command} --help"));
        assert_eq!((help.status, help.err.as_str()), (0, ""), "{command}");
        let examples: Vec<&str> = help.out.lines().filter_map(|l| l.strip_prefix("  ribbonmesh ")).collect();
        assert!(!examples.is_empty(), "{command}: {}", help.out);
        for example in examples {
            let ran = folder.shell(&format!("ribbonmesh {example}"));
            assert_eq!(ran.status, 0, "{example}: {ran:?}");
            assert!(!ran.err.contains("error:"), "{example}: {ran:?}");
        }
    }
}

#[test]
fn examples_run() {
    run_examples(COMMANDS.into_iter().chain(["completions"]).filter(|command| *command != "track"));
}

// as long as all others together
#[test]
fn examples_of_tracking_run() {
    run_examples(["track"]);
}

#[test]
fn examples_of_the_reference_run() {
    let folder = Folder::new();
    folder.mesh("dragon.ply", &mesh(shapes::torus(24, 1).expect("small")));
    let reference = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");
    let text = std::fs::read_to_string(reference).expect("the reference");
    // other programs, and places outside the folder
    let runs = |l: &&str| l.starts_with("ribbonmesh ") && !l.contains("jq") && !l.contains('~');
    let examples: Vec<&str> = text.lines().filter(runs).collect();
    assert!(examples.len() > 8, "{examples:?}");
    for example in examples {
        let ran = folder.shell(example);
        assert_eq!(ran.status, 0, "{example}: {ran:?}");
        assert!(!ran.err.contains("error:"), "{example}: {ran:?}");
    }
    for command in folder.line("--help").out.lines().skip_while(|l| *l != "Commands:").skip(1) {
        match command.split_whitespace().next() {
            None => break,
            Some("help") => {}
            Some(name) => assert!(text.contains(&format!("### `{name} ")), "{name} is not in the reference"),
        }
    }
}

#[test]
fn every_option_of_every_command_is_explained() {
    let folder = Folder::new();
    for command in COMMANDS {
        let help = folder.line(&format!("{command} --help")).out;
        for option in ["--device", "--threads", "--patch-size", "--seed", "--report", "--quiet", "--verbose"]
        {
            assert!(help.contains(option), "{option} of {command}: {help}");
        }
    }
    assert!(folder.line("--help").out.contains("Exit status: 0 success"));
    assert!(folder.line("--version").out.starts_with("ribbonmesh "));
}

#[test]
fn completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.line(&format!("completions {shell}"));
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{shell}");
        assert!(ran.out.contains("bench-query") && ran.out.contains("patch-size"), "{shell}");
    }
}
