//! Schemas of options.
use crate::{Failure, Given};
use ribbonmesh_mesh::OptionError;

/// A name with its explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name, in kebab case.
    pub name: &'static str,
    /// The explanation.
    pub help: &'static str,
}

/// The kind of an option's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// None: the option is given, or it is not.
    Flag,
    /// A whole number in a range.
    Whole {
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
    },
    /// A number.
    Number,
    /// A number, or text with a unit.
    Measure,
    /// Two numbers, with a comma between them.
    Pair,
    /// Vertices of the mesh, from 0, with commas between them.
    Vertices,
    /// Vertices of the mesh with positions: a list, or a file with one.
    Places,
    /// One of several names.
    Choice(&'static [Named]),
}

/// An option of an application.
#[derive(Clone, Debug)]
pub struct OptionSchema {
    /// The name, in snake case.
    pub name: &'static str,
    /// The explanation. Other options are named as the command spells them, in backticks.
    pub help: &'static str,
    /// The placeholder of the value, if it is not that of the kind.
    pub unit: Option<&'static str>,
    /// The kind of the value.
    pub kind: Kind,
    /// The default as text; none where there is none, or where it depends on something.
    pub default: Option<String>,
    /// The default in words, where it depends on the mesh or on other options.
    pub default_words: Option<&'static str>,
    /// Options without which this one is refused.
    pub requires: &'static [&'static str],
    /// Options with which this one is refused.
    pub conflicts: &'static [&'static str],
    /// Whether Python takes it without its name.
    pub positional: bool,
    /// Whether the command takes values that begin with a hyphen.
    pub negative: bool,
    /// Whether only the command has it.
    pub command_only: bool,
    /// Whether there is nothing to do without it.
    pub required: bool,
    /// Whether the command's help leaves the default out.
    pub default_hidden: bool,
    /// The letter that the command takes instead of the name.
    pub short: Option<char>,
    /// Refuses text that is not a value.
    pub check: fn(&str) -> Result<(), String>,
}
impl OptionSchema {
    /// The name as the command spells it, without hyphens in front.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
    /// Whether the value is none.
    pub fn is_flag(&self) -> bool {
        self.kind == Kind::Flag
    }
    /// The placeholder of the value.
    pub fn placeholder(&self) -> String {
        match (self.unit, self.kind) {
            (Some(unit), _) => unit.to_owned(),
            (None, Kind::Flag) => String::new(),
            (None, Kind::Whole { .. }) => "N".to_owned(),
            (None, Kind::Number) => "X".to_owned(),
            (None, Kind::Measure) => "LENGTH".to_owned(),
            (None, Kind::Pair) => "X,Y".to_owned(),
            (None, Kind::Vertices) => "VERTEX".to_owned(),
            (None, Kind::Places) => "FILE".to_owned(),
            (None, Kind::Choice(names)) => {
                names.iter().map(|choice| choice.name).collect::<Vec<_>>().join("|")
            }
        }
    }
    /// Whether a text is the default.
    fn is_default(&self, text: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok();
        self.default.as_deref().is_some_and(|default| {
            default == text || number(default).is_some_and(|x| number(text) == Some(x))
        })
    }
    /// Refuses text that is not a value, or not within the range.
    pub fn accept(&self, text: &str) -> Result<(), String> {
        (self.check)(text)?;
        if let Kind::Whole { least, most } = self.kind
            && !text.parse().is_ok_and(|n| (least..=most).contains(&n))
        {
            return Err(format!("a whole number from {least} to {most} is needed"));
        }
        Ok(())
    }
}

/// The options of an application.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The options, in the order of their help.
    pub options: Vec<OptionSchema>,
    /// Options of which at least one is needed; none if empty.
    pub any_of: &'static [&'static str],
}
impl Schema {
    /// The option of a name, in which blanks may stand for underscores, as in the errors of libraries.
    pub fn named(&self, name: &str) -> Option<&OptionSchema> {
        self.options.iter().find(|option| option.name == name.replace(' ', "_"))
    }
    /// Puts the value of an option into `given`, unless it is the default.
    ///
    /// # Errors
    /// [`Failure::Option`] names an option that does not exist, or whose value is refused.
    pub fn give(&self, given: &mut Given, name: &str, text: &str) -> Result<(), Failure> {
        let Some(option) = self.options.iter().find(|option| option.name == name) else {
            return Err(OptionError::new(name.to_owned(), "is not an option").into());
        };
        option
            .accept(text)
            .map_err(|error| OptionError::new(option.name, format!("is {text:?}: {error}")))?;
        if !option.is_default(text) {
            given.set(option.name, text);
        }
        Ok(())
    }
    /// An option that names a vertex which a mesh of so many does not have, with this vertex.
    ///
    /// # Errors
    /// A value is refused.
    pub fn missing_vertex(
        &self,
        given: &Given,
        vertices: usize,
    ) -> Result<Option<(&OptionSchema, u32)>, Failure> {
        for option in self.options.iter().filter(|option| option.kind == Kind::Vertices) {
            let named: Vec<u32> = given.value(option.name)?.unwrap_or_default();
            if let Some(vertex) = named.into_iter().find(|&v| v as usize >= vertices) {
                return Ok(Some((option, vertex)));
            }
        }
        Ok(None)
    }
    /// Refuses options that do not go together, or without which there is nothing to do.
    ///
    /// # Errors
    /// [`Failure::Option`] names the options.
    pub fn check(&self, given: &Given) -> Result<(), Failure> {
        if let Some(missing) = self.options.iter().find(|option| option.required && !given.has(option.name)) {
            let needed = if missing.kind == Kind::Vertices { "names no vertex" } else { "is needed" };
            return Err(OptionError::new(missing.name, needed).into());
        }
        for option in self.options.iter().filter(|option| given.has(option.name)) {
            let name = option.name;
            let (first, second) = (option.requires.iter(), option.conflicts.iter());
            if let Some(other) = first.copied().find(|other| !given.has(other)) {
                let flag = self.options.iter().any(|option| option.name == other && option.is_flag());
                let value = if flag { "=True" } else { "" };
                return Err(OptionError::new(name, format!("is for {other}{value} only")).into());
            }
            if let Some(other) = second.copied().find(|other| given.has(other)) {
                return Err(OptionError::new(other, format!("and {name} exclude each other")).into());
            }
        }
        if !self.any_of.is_empty() && !self.any_of.iter().any(|name| given.has(name)) {
            let (last, others) = self.any_of.split_last().unwrap_or((&"", &[]));
            return Err(Failure::Missing(format!("{} and {last}", others.join(", "))));
        }
        Ok(())
    }
}

/// Options with a schema; `#[derive(Options)]` implements it.
pub trait Options: Send + Sized {
    /// Their schema.
    fn schema() -> &'static Schema;
    /// The options of given values, with defaults for the others.
    ///
    /// # Errors
    /// A value is refused.
    fn from_given(given: &Given) -> Result<Self, Failure>;
}
