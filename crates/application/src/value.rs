//! Values of options as text.
use crate::{Error, Kind};
use std::str::FromStr;

/// A value of an option.
pub trait OptionValue: Sized {
    /// Its kind.
    const KIND: Kind;
    /// The value of a text.
    ///
    /// # Errors
    /// In words: values that are accepted.
    fn parse(text: &str) -> Result<Self, String>;
    /// The text of a value; none of one that is not there.
    fn text(&self) -> Option<String>;
}

/// Values that an option accepts, from the error about another one.
pub fn expected(error: Error) -> String {
    match error {
        Error::Option { expected, .. } => expected.to_owned(),
        error => error.to_string(),
    }
}

fn parse<T: FromStr>(text: &str, expected: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| format!("{expected} is needed"))
}

impl OptionValue for bool {
    const KIND: Kind = Kind::Flag;
    fn parse(_: &str) -> Result<Self, String> {
        Ok(true)
    }
    fn text(&self) -> Option<String> {
        None
    }
}

macro_rules! whole { ($($type:ident)*) => { $(
    impl OptionValue for $type {
        const KIND: Kind = Kind::Whole { least: 0, most: u32::MAX as u64 };
        fn parse(text: &str) -> Result<Self, String> {
            parse(text, "a whole number")
        }
        fn text(&self) -> Option<String> {
            Some(self.to_string())
        }
    }
)* } }
whole! { u32 u64 usize }

macro_rules! number { ($($type:ident)*) => { $(
    impl OptionValue for $type {
        const KIND: Kind = Kind::Number;
        fn parse(text: &str) -> Result<Self, String> {
            parse(text, "a number")
        }
        fn text(&self) -> Option<String> {
            Some(self.to_string())
        }
    }
)* } }
number! { f32 f64 }

impl OptionValue for [f32; 2] {
    const KIND: Kind = Kind::Pair;
    fn parse(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[a, b]) => Ok([a, b]),
            _ => Err("two numbers with a comma between them, such as 0.25,4".to_owned()),
        }
    }
    fn text(&self) -> Option<String> {
        Some(format!("{},{}", self[0], self[1]))
    }
}

impl OptionValue for Vec<u32> {
    const KIND: Kind = Kind::Vertices;
    fn parse(text: &str) -> Result<Self, String> {
        text.split(',').map(|number| parse(number, "a whole number for each vertex")).collect()
    }
    fn text(&self) -> Option<String> {
        let numbers: Vec<String> = self.iter().map(u32::to_string).collect();
        (!numbers.is_empty()).then(|| numbers.join(","))
    }
}

impl<T: OptionValue> OptionValue for Option<T> {
    const KIND: Kind = T::KIND;
    fn parse(text: &str) -> Result<Self, String> {
        T::parse(text).map(Some)
    }
    fn text(&self) -> Option<String> {
        self.as_ref().and_then(T::text)
    }
}
