//! Names of scenes, for crates that define scenes.

/// The name of a value in a list of all; empty for a value that is not in the list.
pub fn name_of<T: PartialEq>(all: &[(T, &'static str)], value: &T) -> &'static str {
    all.iter().find(|(other, _)| other == value).map_or("", |(_, name)| name)
}
/// The value with a name.
/// # Errors
/// All names, in one line, if none has it.
pub fn by_name<T>(all: impl IntoIterator<Item = (T, &'static str)>, text: &str) -> Result<T, String> {
    let mut names = vec![];
    for (value, name) in all {
        if name == text {
            return Ok(value);
        }
        names.push(name);
    }
    Err(names.join(", "))
}
