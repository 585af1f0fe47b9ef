//! Values of options that were given.
use crate::{Failure, OptionValue};
use ribbonmesh_mesh::OptionError;
use std::collections::BTreeMap;

/// Values of options as text, by name. What is not given has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given(BTreeMap<String, String>);
impl Given {
    /// Sets a value; that of a flag is any text.
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        self.0.insert(name.to_owned(), text.into());
    }
    /// Whether a value was given.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
    /// The value of an option, if it was given.
    ///
    /// # Errors
    /// [`Failure::Option`] names the option whose value is refused.
    pub fn value<T: OptionValue>(&self, name: &str) -> Result<Option<T>, Failure> {
        let Some(text) = self.0.get(name) else { return Ok(None) };
        let refused = |error| OptionError::new(name.to_owned(), format!("is {text:?}: {error}")).into();
        T::parse(text).map(Some).map_err(refused)
    }
}
