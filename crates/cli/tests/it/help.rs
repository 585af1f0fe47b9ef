//! `--help` and the shells' completions.
use crate::common;
use crate::serve::{Running, address_in};
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;

/// The names of all commands as their help lists them, parents before their subcommands; the first is empty.
fn commands(folder: &Folder) -> Vec<String> {
    let (mut all, mut next) = (vec![String::new()], 0);
    while let Some(parent) = all.get(next).cloned() {
        let help = folder.line(&format!("{parent} --help")).out;
        let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let names = listed.map_while(|line| line.split_whitespace().next()).filter(|name| *name != "help");
        let children: Vec<String> =
            names.map(|name| format!("{parent} {name}").trim_start().to_owned()).collect();
        next += 1;
        all.splice(next..next, children);
    }
    all
}

/// The lines of examples in the help of a command, without the program's name.
fn examples_of(folder: &Folder, command: &str) -> Vec<String> {
    let help = folder.line(&format!("{command} --help"));
    assert_eq!((help.status, help.err.as_str()), (0, ""), "{command}");
    help.out.lines().filter_map(|l| l.strip_prefix("  ribbonmesh ")).map(str::to_owned).collect()
}

fn run_example(folder: &Folder, example: &str) {
    if example.contains("serve ") {
        // it does not end by itself; any port that is free
        let example = example.replace("--port 9000", "");
        let ran = folder.shell(&format!("timeout 5 ribbonmesh {example} --port 0"));
        assert_eq!(ran.status, 124, "{example}: {ran:?}");
        assert!(ran.out.starts_with("http://127.0.0.1:"), "{example}: {ran:?}");
        return;
    }
    if let Some(options) = example.strip_prefix("view URL ") {
        let serve = "exec ribbonmesh serve dragon.ply --port 0 --device cpu > url.txt";
        let _running = Running(folder.start(serve));
        let ran = folder.shell(&format!("ribbonmesh view '{}' {options}", address_in(folder, "url.txt")));
        std::fs::remove_file(folder.path("url.txt")).expect("an address");
        assert_eq!(ran.status, 0, "{example}: {ran:?}");
        return;
    }
    if example.starts_with("parameterize closed.ply") {
        // the one that another example wraps has so many faces that it takes minutes
        folder.mesh("closed.ply", &mesh(shapes::torus(24, 1).expect("small")));
    }
    let ran = folder.shell(&format!("ribbonmesh {example}"));
    assert_eq!(ran.status, 0, "{example}: {ran:?}");
    assert!(!ran.err.contains("error:"), "{example}: {ran:?}");
}

/// Runs the examples in the help of all commands, then those in the reference. Examples of `track`, which
/// take long, run only once. They run one after the other, since each has a thread for each core.
#[test]
fn examples_run() {
    let folder = Folder::new();
    folder.mesh("dragon.ply", &mesh(shapes::torus(24, 1).expect("small")));
    let mut done = Vec::new();
    let mut commands = commands(&folder);
    // before other examples write meshes of points, or that are not manifold, which batch would find
    commands.sort_by_key(|command| !(command.is_empty() || command == "batch"));
    for command in commands {
        let examples = examples_of(&folder, &command);
        assert!(!examples.is_empty(), "{command}");
        examples.iter().for_each(|example| run_example(&folder, example));
        done.extend(examples);
    }
    let folder = Folder::new();
    folder.mesh("dragon.ply", &mesh(shapes::torus(24, 1).expect("small")));
    let text = reference();
    let examples: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("ribbonmesh ")).collect();
    assert!(examples.len() > 8, "{examples:?}");
    // other programs, and places outside the folder
    let other = |example: &str| example.contains("jq") || example.contains('~');
    for example in examples {
        if !other(example) && (!done.iter().any(|e| e == example) || !example.starts_with("track")) {
            run_example(&folder, example);
        }
    }
}

fn reference() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");
    std::fs::read_to_string(path).expect("the reference")
}

#[test]
fn every_command_is_in_the_reference() {
    let (folder, text) = (Folder::new(), reference());
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
    for command in commands(&folder) {
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

/// The help of all commands, without the options that all have: names, values, defaults, words.
fn spelling() -> String {
    let folder = Folder::new();
    let mut text = String::new();
    for command in commands(&folder) {
        let help = folder.shell(&format!("COLUMNS=100 ribbonmesh {command} --help")).out;
        let own = match command.as_str() {
            "" => help.as_str(),
            _ => help.split("Options of every command").next().unwrap_or_default(),
        };
        text += &format!("==== ribbonmesh {command}\n{}\n\n", own.trim_end());
    }
    text
}

/// The command line is spelled as in `spelling.txt`. With `RIBBONMESH_UPDATE` set, the test rewrites the
/// file.
#[test]
fn the_command_line_is_spelled_as_before() {
    let (path, found) = (concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spelling.txt"), spelling());
    if std::env::var_os("RIBBONMESH_UPDATE").is_some() {
        std::fs::write(path, found).expect("a file of the repository");
        return;
    }
    let expected = std::fs::read_to_string(path).expect("a file of the repository").replace("\r\n", "\n");
    let differ = expected.lines().zip(found.lines()).enumerate().find(|(_, (a, b))| a != b);
    assert!(
        expected == found,
        "{path}: the first difference is {differ:?}; RIBBONMESH_UPDATE=1 writes the file"
    );
}
