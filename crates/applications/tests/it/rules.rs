//! Rules of schemas.
use ribbonmesh_application::{Given, Kind};
use ribbonmesh_applications::{APPLICATIONS, find};
use std::collections::BTreeSet;

#[test]
fn names_are_unique_and_options_exist() {
    let mut seen = BTreeSet::new();
    for application in APPLICATIONS {
        let told = application.description();
        assert!(seen.insert(told.name), "{} twice", told.name);
        let names: Vec<&str> = told.schema.options.iter().map(|option| option.name).collect();
        let known: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(known.len(), names.len(), "{}: {names:?}", told.name);
        for option in &told.schema.options {
            let place = format!("{} of {}", option.name, told.name);
            assert!(!option.help.is_empty(), "{place} has no help");
            assert!(!["repair", "reference", "progress", "mesh", "output"].contains(&option.name), "{place}");
            let others = option.requires.iter().chain(option.conflicts);
            assert!(others.chain(told.schema.any_of).all(|other| known.contains(other)), "{place}");
            let accepted = option.default.as_deref().map_or(Ok(()), |default| option.accept(default));
            assert_eq!(accepted, Ok(()), "the default of {place}");
        }
    }
}

#[test]
fn values_are_checked() {
    let schema = find("smooth").expect("in the registry").description().schema;
    let give = |name: &str, text: &str| {
        let mut given = Given::default();
        schema.give(&mut given, name, text).map(|()| given).map_err(|failure| failure.to_string())
    };
    assert!(give("steps", "3").is_ok_and(|given| given.has("steps")));
    // a default is not given
    assert!(give("steps", "1").is_ok_and(|given| !given.has("steps")));
    assert!(give("tolerance", "1e-4").is_ok_and(|given| !given.has("tolerance")));
    assert!(give("steps", "0").is_err_and(|error| error.contains("from 1 to")));
    assert!(give("weights", "COTANGENT").is_ok());
    assert_eq!(give("weights", "x"), Err("weights is \"x\": cotangent, uniform or intrinsic".to_owned()));
    assert_eq!(give("none", "x"), Err("none is not an option".to_owned()));
}

#[test]
fn options_that_do_not_go_together() {
    let check = |name: &str, values: &[(&str, &str)]| {
        let application = find(name).expect("in the registry");
        let mut given = Given::default();
        values.iter().for_each(|(name, text)| given.set(name, *text));
        application.description().schema.check(&given).map_err(|failure| failure.to_string())
    };
    assert_eq!(check("remesh", &[("vertices", "3")]), Err("vertices is for fast=True only".to_owned()));
    assert!(check("remesh", &[("fast", "true"), ("project", "true")]).is_err_and(|e| e.contains("exclude")));
    let needed = "one of faces, ratio and max_error is needed";
    assert_eq!(check("simplify", &[]), Err(needed.to_owned()));
    assert_eq!(check("simplify", &[("ratio", "0.5")]), Ok(()));
}

#[test]
fn choices_have_explanations() {
    for option in APPLICATIONS.iter().flat_map(|application| &application.description().schema.options) {
        if let Kind::Choice(names) = option.kind {
            assert!(names.iter().all(|choice| !choice.help.is_empty()), "{}", option.name);
        }
    }
}
