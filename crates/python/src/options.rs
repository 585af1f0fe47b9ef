//! Options from Python.
use crate::failure::Failure;
use ribbonmesh_track::by_name;
use std::fmt::Display;
use std::str::FromStr;

/// A word or a length, of the option of that name.
pub fn parse<T>(option: &str, text: &str) -> Result<T, Failure>
where
    T: FromStr,
    T::Err: Display,
{
    text.parse().map_err(|error: T::Err| {
        let error = error.to_string();
        // the libraries' own errors begin with the name
        if error.starts_with(option) {
            return Failure::argument(error);
        }
        Failure::argument(format!("{option} is {text:?}: {error}"))
    })
}
/// The same, if it was given.
pub fn parse_some<T>(option: &str, text: Option<&str>) -> Result<Option<T>, Failure>
where
    T: FromStr,
    T::Err: Display,
{
    text.map(|text| parse(option, text)).transpose()
}

pub fn word<T>(
    option: &str,
    words: impl IntoIterator<Item = (T, &'static str)>,
    text: &str,
) -> Result<T, Failure> {
    by_name(words, text).map_err(|names| Failure::argument(format!("{option} is {text:?}: one of {names}")))
}
