//! The code in `docs/programming-model.md` is the code in the repository.
//!
//! Every Rust block there follows a line `*path:*`, and occurs in that file as it is; lines `…` stand for any
//! lines.
use std::path::Path;

/// A block of code in the document.
struct Excerpt {
    line: usize,
    file: Option<String>,
    text: String,
}

fn excerpts(document: &str) -> Vec<Excerpt> {
    let mut found: Vec<Excerpt> = Vec::new();
    let (mut inside, mut last) = (false, "");
    for (i, line) in document.lines().enumerate() {
        if inside && line == "```" {
            inside = false;
        } else if inside {
            if let Some(excerpt) = found.last_mut() {
                excerpt.text += line;
                excerpt.text.push('\n');
            }
        } else if line.starts_with("```") {
            let file = last.strip_prefix('*').and_then(|l| l.strip_suffix(":*")).map(str::to_owned);
            // blocks of commands need no file
            if line.starts_with("```rust") || file.is_some() {
                found.push(Excerpt { line: i + 1, file, text: String::new() });
                inside = true;
            }
        }
        if !line.is_empty() {
            last = line;
        }
    }
    found
}

/// Whether the parts of `text` between lines `…` occur in `source`, in order, each from the start of a line.
fn occurs(text: &str, source: &str) -> bool {
    let source = format!("\n{source}");
    let mut rest = source.as_str();
    text.split("…\n").filter(|part| !part.trim().is_empty()).all(|part| {
        let found = rest.find(&format!("\n{part}"));
        // the line feed that ends a part may begin the next
        rest = found.map_or("", |at| &rest[at + part.len()..]);
        found.is_some()
    })
}

#[test]
fn excerpts_are_in_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let document = std::fs::read_to_string(root.join("docs/programming-model.md")).expect("the document");
    let excerpts = excerpts(&document);
    assert!(excerpts.len() >= 10, "{} excerpts", excerpts.len());
    for Excerpt { line, file, text } in excerpts {
        let file = file.unwrap_or_else(|| panic!("line {line}: a block of Rust without its file"));
        let source = std::fs::read_to_string(root.join(&file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(occurs(&text, &source), "line {line}: not in {file} like this:\n{text}");
    }
}

#[test]
fn differences_are_found() {
    let source = "fn a() {\n    1\n}\n\nfn b() {\n    2\n}\n";
    assert!(occurs("fn a() {\n    1\n}\n", source));
    assert!(occurs("fn a() {\n…\nfn b() {\n    2\n", source));
    assert!(occurs("fn a() {\n    1\n…\n}\n", source));
    assert!(!occurs("fn a() {\n    2\n}\n", source));
    assert!(!occurs("fn b() {\n…\nfn a() {\n", source));
    assert!(!occurs("() {\n    1\n", source));
    let found = excerpts("*a.rs:*\n\n```rust\nx\n```\n\n```sh\ny\n```\n\n```rust\nz\n```\n");
    let found: Vec<_> = found.iter().map(|e| (e.file.as_deref(), e.text.as_str())).collect();
    assert_eq!(found, [(Some("a.rs"), "x\n"), (None, "z\n")]);
}
