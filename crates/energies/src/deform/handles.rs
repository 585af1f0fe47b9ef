//! Vertices with given positions.
use crate::host::error::EnergyError;
use glam::DVec3;
use ribbonmesh_application::{Kind, OptionValue};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::str::FromStr;

/// Vertices that are held: each has a position, or stays where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handles {
    places: BTreeMap<u32, Option<DVec3>>,
}
impl Handles {
    /// No handles.
    pub fn new() -> Self {
        Self::default()
    }
    /// Holds a vertex at a position; where it is, without one. The last position of a vertex counts.
    pub fn hold(&mut self, vertex: u32, at: Option<DVec3>) {
        self.places.insert(vertex, at);
    }
    /// The vertices that are held, ascending, with their positions.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Option<DVec3>)> {
        self.places.iter().map(|(&vertex, &at)| (vertex, at))
    }
    /// The number of vertices that are held.
    pub fn len(&self) -> usize {
        self.places.len()
    }
    /// Whether none is held.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
    fn add(&mut self, entry: &str) -> Result<(), String> {
        let wrong = || format!("{entry:?} is not a vertex, or a vertex and three numbers");
        let mut words = entry.split([' ', '\t', ',', ':']).filter(|word| !word.is_empty());
        let vertex: u32 = words.next().and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
        let numbers: Option<Vec<f64>> =
            words.map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let at = match numbers.ok_or_else(wrong)?[..] {
            [] => None,
            [x, y, z] => Some(DVec3::new(x, y, z)),
            _ => return Err(wrong()),
        };
        if self.places.insert(vertex, at).is_some() {
            return Err(format!("vertex {vertex} is held twice"));
        }
        Ok(())
    }
}
impl FromStr for Handles {
    type Err = EnergyError;
    /// Handles of a text: one in each line, or several with semicolons between them. A handle is a vertex,
    /// from 0, and three coordinates, or a vertex alone, which stays. What follows # is a comment.
    fn from_str(text: &str) -> Result<Self, EnergyError> {
        let mut handles = Self::new();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split_once('#').map_or(content, |(before, _)| before);
            for entry in content.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
                handles.add(entry).map_err(|why| EnergyError::Handles(format!("line {line}: {why}")))?;
            }
        }
        if handles.is_empty() {
            return Err(EnergyError::Handles("no vertex is held".to_owned()));
        }
        Ok(handles)
    }
}
/// Whether a text is a list of handles and not the name of a file: `12`, `12:0,0,1;7`.
fn is_list(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " \t\n:;,.+-eE".contains(c))
}
impl OptionValue for Handles {
    const KIND: Kind = Kind::Places;
    fn parse(text: &str) -> Result<Self, String> {
        let content;
        let list = if is_list(text) {
            text
        } else {
            content = fs::read_to_string(text)
                .map_err(|error| format!("a list of vertices, or a file with one, is needed: {error}"))?;
            &content
        };
        match list.parse() {
            Ok(handles) => Ok(handles),
            Err(EnergyError::Handles(why)) => Err(why),
            Err(error) => Err(error.to_string()),
        }
    }
    fn text(&self) -> Option<String> {
        let mut text = String::new();
        for (vertex, at) in self.iter() {
            let _ = match at {
                Some(at) => write!(text, "{vertex}:{},{},{};", at.x, at.y, at.z),
                None => write!(text, "{vertex};"),
            };
        }
        (!text.is_empty()).then_some(text)
    }
}
