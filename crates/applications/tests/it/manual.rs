//! Tables of options in the manual, between markers.
use crate::{keep_fresh, repository};
use ribbonmesh_application::{Description, Kind, OptionSchema};
use ribbonmesh_applications::{APPLICATIONS, REPAIR};
use std::fs;

const REFERENCE: &str = "docs/command-line.md";

fn cell(text: &str) -> String {
    text.trim_end_matches('.').replace('|', "\\|")
}

/// A row of the table: the option, its default, its meaning.
fn row(option: &OptionSchema) -> String {
    let mut name = format!("--{}", option.flag());
    let (mut default, mut help) = (option.default.clone().unwrap_or_default(), sentence(option.help));
    match option.kind {
        Kind::Choice(choices) => {
            choices.iter().for_each(|choice| help += &format!(" `{}`: {}.", choice.name, cell(choice.help)));
        }
        Kind::Flag => {}
        Kind::Vertices => {
            name += &format!(" {}", option.placeholder());
            help += " Repeatable.";
        }
        _ => name += &format!(" {}", option.placeholder()),
    }
    if !default.is_empty() {
        default = format!("`{default}`");
    }
    if let Some(words) = option.default_words {
        default = words.to_owned();
    }
    if let [other] = option.requires {
        help += &format!(" Only with `--{}`.", other.replace('_', "-"));
    }
    format!("| `{}` | {} | {} |\n", name.replace('|', "\\|"), cell(&default), help)
}
fn sentence(text: &str) -> String {
    format!("{}.", cell(text))
}

fn table(application: &Description) -> String {
    let mut text = "| option | default | meaning |\n|---|---|---|\n".to_owned();
    application.schema.options.iter().for_each(|option| text += &row(option));
    if application.traits.repairs {
        text += &format!("| `--repair` |  | {} |\n", sentence(REPAIR));
    }
    if let Some(curves) = application.traits.curves {
        text += &format!("| `--{} OUT.obj` |  | {} |\n", curves.option, sentence(curves.help));
    }
    if let Some(help) = application.traits.reference {
        text += &format!("| `--reference FILE` |  | {} |\n", sentence(help));
    }
    text
}

/// The text with the table of an application between its markers.
fn with_table(text: &str, application: &Description, file: &str) -> String {
    let (begin, end) = (format!("<!-- options of {} -->\n", application.name), "<!-- end of options -->");
    let parts = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.unwrap_or_else(|| panic!("{file} has no markers: {begin}\n{end}"));
    format!("{before}{begin}\n{}\n{end}{after}", table(application))
}

fn read(file: &str) -> String {
    fs::read_to_string(repository(file)).expect("a page of the manual").replace("\r\n", "\n")
}

#[test]
fn the_tables_of_the_reference_are_fresh() {
    let mut text = read(REFERENCE);
    for application in APPLICATIONS {
        text = with_table(&text, &application.description(), REFERENCE);
    }
    keep_fresh(&[(REFERENCE.to_owned(), text)]);
}

#[test]
fn the_tables_of_the_pages_are_fresh() {
    let pages = APPLICATIONS.iter().map(|application| {
        let told = application.description();
        let file = format!("docs/apps/{}.md", told.name);
        let text = with_table(&read(&file), &told, &file);
        (file, text)
    });
    keep_fresh(&pages.collect::<Vec<_>>());
}
