//! Options from Python.
use crate::failure::Failure;
use ribbonmesh_mesh::{Classified, OptionError};
use ribbonmesh_track::by_name;
use std::str::FromStr;

/// A word or a length, of the option of that name.
pub fn parse<T>(option: &str, text: &str) -> Result<T, Failure>
where
    T: FromStr,
    T::Err: Classified,
{
    text.parse().map_err(|error: T::Err| Failure::from(error).of_option(option))
}
/// The same, if it was given.
pub fn parse_some<T>(option: &str, text: Option<&str>) -> Result<Option<T>, Failure>
where
    T: FromStr,
    T::Err: Classified,
{
    text.map(|text| parse(option, text)).transpose()
}

pub fn word<T>(
    option: &str,
    words: impl IntoIterator<Item = (T, &'static str)>,
    text: &str,
) -> Result<T, Failure> {
    let refused = |names| OptionError::new(option.to_owned(), format!("is {text:?}: one of {names}"));
    Ok(by_name(words, text).map_err(refused)?)
}
