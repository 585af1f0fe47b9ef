//! Options from Python.
use crate::failure::Failure;
use ribbonmesh::dynamic::Resolver;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remesh::Length;
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

/// How conflicts between changes of triangles are resolved.
pub fn resolver(text: &str) -> Result<Resolver, Failure> {
    word("resolver", [(Resolver::Claims, "claims"), (Resolver::Speculative, "speculative")], text)
}

/// A length in the units of the positions, which may be 0.
pub fn length_or_zero(option: &str, text: Option<&str>, mesh: &TriangleMesh) -> Result<Option<f64>, Failure> {
    let Some(text) = text else { return Ok(None) };
    if text.trim().parse::<f32>() == Ok(0.0) {
        return Ok(Some(0.0));
    }
    Ok(Some(in_units(parse(option, text)?, mesh)))
}

/// A length in the units of a mesh's positions. Vertices that no face has do not count.
fn in_units(length: Length, mesh: &TriangleMesh) -> f64 {
    match length {
        Length::Absolute(length) => length.into(),
        Length::Mean(share) => {
            let sides = mesh.sides();
            let long = |&[a, b]: &[u32; 2]| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
            f64::from(share) * sides.iter().map(long).sum::<f64>() / sides.len().max(1) as f64
        }
        Length::Diagonal(share) => {
            let used = mesh.faces.as_flattened().iter().map(|&v| mesh.positions[v as usize]);
            let ends = used.fold(None, |ends: Option<[DVec3; 2]>, p| {
                Some(ends.map_or([p, p], |[low, high]| [low.min(p), high.max(p)]))
            });
            f64::from(share) * ends.map_or(0.0, |[low, high]| low.distance(high))
        }
        Length::Usual => in_units(Length::Mean(1.0), mesh).min(in_units(Length::Diagonal(0.05), mesh)),
    }
}
