//! Links of the documents have targets, and the README's example is one that is compiled and run.
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines of the first block of Rust, without indentation.
fn first_example(document: &str, fence: &str) -> Vec<String> {
    let lines = document.lines().map(str::trim).skip_while(|line| *line != fence).skip(1);
    lines.take_while(|line| *line != "```").map(str::to_owned).collect()
}

/// The lines of a crate's documentation, including lines hidden in examples.
fn crate_documentation(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| line.trim_start()).map(|line| line.strip_prefix("# ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// The targets of links, without anchors and without addresses.
fn links(document: &str) -> Vec<&str> {
    let ends = document.match_indices("](").map(|(at, _)| &document[at + 2..]);
    let links = ends.filter_map(|rest| rest.split([')', '#']).next());
    links.filter(|link| !link.is_empty() && !link.contains("://")).collect()
}

#[test]
fn the_example_of_the_readme_is_that_of_the_library() {
    let readme = first_example(&text(&root().join("README.md")), "```rust");
    let library = text(&root().join("crates/ribbonmesh/src/lib.rs"));
    let tested = first_example(&crate_documentation(&library), "```");
    assert!(readme.len() > 10, "{readme:?}");
    assert_eq!(readme, tested);
}

#[test]
fn links_lead_somewhere() {
    let mut documents = Vec::new();
    for folder in [".", "assets/cad", "assets/scans", "docs", "docs/apps", "docs/decisions", "benches"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of documents");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        documents.extend(paths.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    for document in documents {
        for link in links(&text(&document)) {
            let target = document.parent().expect("a folder").join(link);
            assert!(target.exists(), "{}: no {link}", document.display());
        }
    }
}

#[test]
fn the_first_commands_of_the_readme_need_nothing_that_is_not_there() {
    let readme = text(&root().join("README.md"));
    let commands = first_example(&readme, "```sh");
    assert!(commands.iter().any(|line| line.starts_with("cargo run")), "{commands:?}");
    let commands = commands.iter().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in commands {
        assert!(line.starts_with("cargo "), "not cargo alone: {line}");
        for path in line.split_whitespace().filter(|word| word.starts_with("assets/")) {
            let tracked = !Path::new(path).starts_with("assets/meshes");
            assert!(tracked && root().join(path).is_file(), "{path} is not in the repository");
        }
    }
}

#[test]
fn the_oldest_compiler_is_the_one_that_tests() {
    let channel = value(&text(&root().join("rust-toolchain.toml")), "channel");
    let oldest = value(&text(&root().join("Cargo.toml")), "rust-version");
    assert_eq!(channel.rsplit_once('.').map(|(minor, _)| minor), Some(oldest.as_str()), "{channel}");
}

/// Numbers of the lines of prose in Markdown that have more than 110 columns. Tables, code, pictures and
/// headings cannot be wrapped.
fn long_lines(document: &str) -> Vec<usize> {
    let mut fenced = false;
    let long = document.lines().enumerate().filter(|(_, line)| {
        let words = line.trim_start();
        fenced ^= words.starts_with("```");
        let whole = fenced || line.starts_with("    ") && !words.starts_with(['-', '*']);
        line.chars().count() > 110 && !whole && !words.starts_with(['|', '#', '!'])
    });
    long.map(|(at, _)| at + 1).collect()
}

/// The Markdown files in a folder of the repository, at any depth.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true => markdown(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn prose_has_at_most_110_columns() {
    let files = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name));
    for path in markdown(&root().join("docs")).into_iter().chain(files) {
        assert_eq!(long_lines(&text(&path)), [0; 0], "{}", path.display());
    }
}

/// The Rust files in a folder of the repository, at any depth, except for cargo's folders `target`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let found = paths.flat_map(|path| match path.is_dir() {
        true if path.file_name().is_some_and(|name| name == "target") => vec![],
        true => sources(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The kind of a line that is a comment: `///`, `//!` or `//`.
fn marker(line: &str) -> Option<&'static str> {
    ["///", "//!", "//"].into_iter().find(|marker| line.trim_start().starts_with(marker))
}

/// Numbers of the lines of Rust that are comments and break a rule: they have more than 110 columns, or they
/// begin a doc comment with `What`, which does not name its subject. Rows of tables and code in doc comments
/// cannot be wrapped.
fn bad_comments(source: &str) -> Vec<usize> {
    let (mut last, mut fenced) = (None, false);
    let bad = source.lines().enumerate().filter(|(_, line)| {
        let kind = marker(line);
        let first = kind != last;
        let words = kind.map_or("", |marker| line.trim_start()[marker.len()..].trim_start());
        let documents = kind.is_some_and(|marker| marker != "//");
        fenced = documents && if words.starts_with("```") { first || !fenced } else { fenced && !first };
        last = kind;
        let whole = documents && (fenced || words.starts_with('|'));
        let long = kind.is_some() && !whole && line.chars().count() > 110;
        long || documents && first && words.starts_with("What ")
    });
    bad.map(|(at, _)| at + 1).collect()
}

#[test]
fn comments_have_at_most_110_columns_and_name_their_subjects() {
    let mut bad = Vec::new();
    let folders = ["crates", "xtask", "benches", "examples"].map(|name| root().join(name));
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        bad.extend(bad_comments(&text(&path)).into_iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(bad.is_empty(), "{} comments:\n{}", bad.len(), bad.join("\n"));
}

/// The value of the line `key = "value"`.
fn value(toml: &str, key: &str) -> String {
    let line = toml.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_prefix("= \""));
    line.and_then(|rest| rest.split('"').next()).unwrap_or_else(|| panic!("no {key}")).to_owned()
}

#[test]
fn differences_are_found() {
    assert_eq!(links("[a](b.md#c), [d](https://e), ![f](g/h.png), [i](#j)"), ["b.md", "g/h.png"]);
    let source = "//! ```\n//! use a;\n//! # fn main() {\n//! a(); // b\n//! # }\n//! ```\nuse c;\n";
    let tested = first_example(&crate_documentation(source), "```");
    assert_eq!(tested, first_example("```rust\nuse a;\nfn main() {\n    a(); // b\n}\n```\n", "```rust"));
    assert_ne!(tested, first_example("```rust\nuse a;\n```\n", "```rust"));
    let long = "word ".repeat(23);
    let document = format!("{long}\n```\n{long}\n```\n| {long}\n    {long}\n- {long}\n");
    assert_eq!(long_lines(&document), [1, 7]);
    let source = format!(
        "//! What is bad.\n//! What is good.\nuse a; // {long}\n  // {long}\n/// | {long}\n/// {long}"
    );
    assert_eq!(bad_comments(&source), [1, 4, 6]);
    let source =
        format!("/// ```\n/// {long}\n/// ```\n/// {long}\nfn a() {{}}\n// What is good.\n/// What is bad.");
    assert_eq!(bad_comments(&source), [4, 7]);
    assert_eq!(bad_comments(&format!("/// A.\n/// ```\n/// a\n\n/// {long}\n")), [5]);
}
