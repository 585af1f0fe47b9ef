//! `--resolver` of `delaunay`, `remesh`, `simplify` and `track`: how changes that are near each other are
//! kept apart.
use crate::failure::Failure;
use clap::{Arg, ArgMatches, ValueEnum, value_parser};
use ribbonmesh_application::{Description, Given};

const RESOLVER: &str = "resolver";
/// The help of the argument.
pub const HELP: &str = "How changes that are near each other are kept apart; patches needs a program that was \
                        built with the feature patches";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Resolver {
    /// Claims on flat arrays: with all options, and the fastest
    Claims,
    /// Locks on patches that own their storage: any triangles, little memory, few options
    Patches,
}

/// Applications that patches do, and the options of each that patches have.
const KNOWN: [(&str, &[&str]); 3] = [
    ("delaunay", &["validate"]),
    ("remesh", &["target_length", "iterations", "smoothing", "validate"]),
    ("simplify", &["faces", "ratio", "validate"]),
];

fn known(application: &str) -> Option<&'static [&'static str]> {
    KNOWN.iter().find(|(name, _)| *name == application).map(|(_, options)| *options)
}

/// The argument of an application that can be done in patches.
pub fn argument(application: &str) -> Option<Arg> {
    known(application)?;
    Some(
        Arg::new(RESOLVER)
            .long(RESOLVER)
            .value_parser(value_parser!(Resolver))
            .default_value("claims")
            .help(HELP),
    )
}

/// Whether the arguments ask for patches.
pub fn asks_for_patches(application: &str, matches: &ArgMatches) -> bool {
    let given = |_| matches.get_one(RESOLVER) == Some(&Resolver::Patches);
    known(application).is_some_and(given)
}

/// Refuses patches where the program does not have them, and options that they do not have; `flag` is another
/// one that was given.
/// # Errors
/// [`Failure::Usage`] names the feature, or the option.
pub fn check(application: &Description, given: &Given, flag: Option<&str>) -> Result<(), Failure> {
    let allowed = known(application.name).unwrap_or_default();
    let refused = |name: &&str| given.has(name) && !allowed.contains(name);
    let option = application.schema.options.iter().map(|option| option.name).find(refused);
    refuse(option.map(|name| name.replace('_', "-")).or(flag.map(str::to_owned)))
}
/// Refuses patches where the program does not have them, and an option, by its flag.
/// # Errors
/// As [`check`].
pub fn refuse(flag: Option<String>) -> Result<(), Failure> {
    if !cfg!(feature = "patches") {
        return Err(Failure::Usage(
            "--resolver patches: this program was built without it; the feature `patches` of ribbonmesh-cli \
             adds it (cargo install ribbonmesh-cli --features patches)"
                .into(),
        ));
    }
    match flag {
        Some(flag) => Err(Failure::Usage(format!("--{flag}: --resolver patches does not have it"))),
        None => Ok(()),
    }
}
