//! The methods of Python's `Mesh`, with signatures and documentation.
use crate::keep_fresh;
use ribbonmesh_application::{Added, Changes, Description, Kind, OptionSchema};
use ribbonmesh_applications::{APPLICATIONS, REPAIR};
use std::fmt::Write;

const FILE: &str = "crates/python/python/ribbonmesh/_generated.py";
const WIDTH: usize = 110;

const HEAD: &str = r#""""Applications of the registry as methods of a mesh. A test of `ribbonmesh-applications` writes this file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._arguments import places_of, vertices_of, whole
from ._results import Curvature, Geodesic, Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from ._mesh import Array, Length, Mesh, Progress


class Applications:
    """Applications of the registry."""

    __slots__ = ()

    def _apply(self, name: str, progress: Progress, options: dict[str, object], others: tuple[Mesh, ...] = ()) -> Mesh:
        raise NotImplementedError

    def _values(self, name: str, options: dict[str, object]) -> Values:
        raise NotImplementedError
"#;

#[test]
fn the_methods_of_python_are_fresh() {
    let mut text = HEAD.to_owned();
    for application in APPLICATIONS {
        text += &method(&application.description());
    }
    keep_fresh(&[(FILE.to_owned(), text)]);
}

/// A help text with options as Python spells them.
fn spelled(help: &str) -> String {
    let mut text = String::new();
    let mut rest = help;
    while let Some(at) = rest.find("--") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let end = after.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(after.len());
        text += before.strip_suffix('`').unwrap_or(before);
        let name = after[..end].trim_end_matches('-');
        rest = &after[name.len()..];
        if before.ends_with('`') {
            let close = rest.find('`').unwrap_or(0);
            write!(text, "``{}{}``", name.replace('-', "_"), rest[..close].replace(' ', "="))
                .expect("memory");
            rest = rest[close..].strip_prefix('`').unwrap_or(&rest[close..]);
        } else {
            write!(text, "``{}``", name.replace('-', "_")).expect("memory");
        }
    }
    text += rest;
    // other code
    text.replace("``", "\u{1}").replace(['`', '\u{1}'], "``")
}

fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    for paragraph in text.split('\n') {
        let mut line = " ".repeat(indent);
        for word in paragraph.split_whitespace() {
            if line.trim().is_empty() {
                line.push_str(word);
            } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines += &format!("{line}\n");
                line = format!("{}{word}", " ".repeat(indent));
            } else {
                line = format!("{line} {word}");
            }
        }
        lines += &format!("{}\n", line.trim_end());
    }
    lines
}

/// The type of a value, without `None`.
fn kind(option: &OptionSchema) -> String {
    match option.kind {
        Kind::Flag => "bool".to_owned(),
        Kind::Whole { .. } => "int".to_owned(),
        Kind::Number => "float".to_owned(),
        Kind::Measure if option.unit.is_none() => "Length".to_owned(),
        Kind::Measure => "float | str".to_owned(),
        Kind::Pair => "tuple[float, float]".to_owned(),
        Kind::Vertices if option.required => "int | Iterable[int]".to_owned(),
        Kind::Vertices => "Iterable[int]".to_owned(),
        Kind::Places => "Mapping[int, Iterable[float] | None] | str | PathLike[str]".to_owned(),
        Kind::Choice(names) => {
            let names: Vec<String> = names.iter().map(|choice| format!("\"{}\"", choice.name)).collect();
            format!("Literal[{}]", names.join(", "))
        }
    }
}

/// The default as Python writes it; `None` if Python's default is `None`.
fn default(option: &OptionSchema) -> Option<String> {
    let default = option.default.as_deref();
    Some(match option.kind {
        Kind::Vertices => "()".to_owned(),
        Kind::Places => String::new(),
        Kind::Flag => "False".to_owned(),
        Kind::Whole { .. } => default?.to_owned(),
        Kind::Number => format!("{:?}", default?.parse::<f64>().ok()?),
        Kind::Pair => format!("({})", default?.replace(',', ", ")),
        Kind::Measure | Kind::Choice(_) => format!("\"{}\"", default?),
    })
}

fn parameter(option: &OptionSchema) -> String {
    match default(option) {
        Some(_) if option.required => format!("        {}: {},\n", option.name, kind(option)),
        Some(default) => format!("        {}: {} = {default},\n", option.name, kind(option)),
        None => format!("        {}: {} | None = None,\n", option.name, kind(option)),
    }
}

/// Sentence case with a full stop.
fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

fn explained(option: &OptionSchema) -> String {
    let mut kind = match option.kind {
        Kind::Vertices if option.required => "int or several".to_owned(),
        Kind::Vertices => "several ints".to_owned(),
        Kind::Places => "positions by vertex, None for one that stays; or a file, or text".to_owned(),
        _ => kind(option).replace("Length", "float or str").replace(" | ", " or "),
    };
    if let Kind::Choice(names) = option.kind {
        let names: Vec<String> = names.iter().map(|choice| format!("``\"{}\"``", choice.name)).collect();
        kind = match &names[..] {
            [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            _ => names.join(""),
        };
    }
    let optional = if default(option).is_none() { ", optional" } else { "" };
    let mut help = sentence(&spelled(option.help));
    if let Some(words) = option.default_words {
        help += &format!(" Default: {}.", spelled(words));
    }
    format!("        {} : {kind}{optional}\n{}", option.name, wrapped(&help, 12))
}

/// A section of documentation with a name and a text.
fn section(title: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!("\n        {title}\n        {}\n", "-".repeat(title.len()));
    entries.iter().for_each(|(name, what)| {
        text += &format!("        {name}\n{}", wrapped(&sentence(&spelled(what)), 12))
    });
    text
}

/// Exceptions, and what the method returns where that is not a new mesh.
fn outcome(application: &Description) -> String {
    let traits = application.traits;
    let of_manifold = ("NotManifoldError", "The exception names the element");
    let raised: Vec<(&str, &str)> =
        traits.oriented.then_some(of_manifold).into_iter().chain(traits.raises.iter().copied()).collect();
    let mut text = if raised.is_empty() { String::new() } else { section("Raises", &raised) };
    if let Some(Added { type_of_result, result, .. }) = traits.adds {
        text += &section("Returns", &[(type_of_result, result)]);
    } else if traits.changes == Changes::Nothing {
        text += &section("Returns", &[("Mesh", "The same mesh, with a report")]);
    }
    text
}

/// The call of the native part.
fn call(application: &Description, options: &[&OptionSchema]) -> String {
    let (name, traits) = (application.name, application.traits);
    let mut entries = String::new();
    options.iter().for_each(|option| entries += &format!("                \"{0}\": {0},\n", option.name));
    if traits.repairs {
        entries += "                \"repair\": repair,\n";
    }
    let Some(added) = traits.adds else {
        let others = if traits.several { "            others,\n" } else { "" };
        return format!(
            "        return self._apply(\n            \"{name}\",\n            progress,\n            {{\n{entries}            }},\n{others}        )\n"
        );
    };
    let found = format!(
        "        found = self._values(\n            \"{name}\",\n            {{\n{entries}            }},\n        )\n"
    );
    match (added.type_of_result, added.attributes) {
        ("Array", [(first, _), ..]) => format!("{found}        return found.arrays[\"{first}\"]\n"),
        (result, _) => format!("{found}        return {result}._of(found)\n"),
    }
}

fn method(application: &Description) -> String {
    let (docs, traits) = (application.docs, application.traits);
    let options: Vec<&OptionSchema> =
        application.schema.options.iter().filter(|option| !option.command_only).collect();
    let (first, others): (Vec<&OptionSchema>, Vec<&OptionSchema>) =
        options.iter().copied().partition(|option| option.positional);
    let mut text = format!("\n    def {}(\n        self,\n", application.name);
    first.iter().for_each(|option| text += &parameter(option));
    text += if traits.several { "        *others: Mesh,\n" } else { "        *,\n" };
    others.iter().for_each(|option| text += &parameter(option));
    if traits.repairs {
        text += "        repair: bool = False,\n";
    }
    let result = traits.adds.map_or("Mesh", |added| added.type_of_result);
    if traits.adds.is_none() {
        text += "        progress: Progress = None,\n";
    }
    text += &format!("    ) -> {result}:\n");
    text += &format!("        \"\"\"{}\n\n", sentence(docs.title));
    text += &wrapped(&spelled(docs.about), 8);
    text += "\n        Parameters\n        ----------\n";
    first.iter().for_each(|option| text += &explained(option));
    if traits.several {
        text += "        *others : Mesh\n            Further meshes.\n";
    }
    others.iter().for_each(|option| text += &explained(option));
    if traits.repairs {
        text += &format!("        repair : bool\n{}", wrapped(&sentence(REPAIR), 12));
    }
    if traits.adds.is_none() {
        text += "        progress : function, optional\n            Called with the number of kernels since the last call.\n";
    }
    text += &outcome(application);
    text += "\n        Examples\n        --------\n";
    docs.python.iter().for_each(|line| text += &format!("        {line}\n"));
    text += "        \"\"\"\n";
    for option in &options {
        let name = option.name;
        if let Kind::Whole { least, most } = option.kind {
            let range = match (least, most) {
                (0, most) if most == u64::from(u32::MAX) => String::new(),
                (least, most) if most == u64::from(u32::MAX) => format!("{least}, "),
                (least, most) => format!("{least}, {most}, "),
            };
            text += &format!("        whole({range}{name}={name})\n");
        } else if option.kind == Kind::Vertices {
            text += &format!("        {name} = vertices_of(\"{name}\", {name})\n");
        } else if option.kind == Kind::Places {
            text += &format!("        {name} = places_of(\"{name}\", {name})\n");
        }
    }
    text + &call(application, &options)
}
