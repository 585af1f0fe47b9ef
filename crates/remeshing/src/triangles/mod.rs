//! Triangles with the triangles next to them, on the host: what one thread changes, one operation after
//! another.
mod curve;
mod mesh;
mod seams;
mod sides;
mod star;

pub use curve::Reordered;
pub use mesh::{Crossing, MARKED, Mesh};
pub use seams::seams;
pub use sides::Sides;
pub use star::{Spoke, Star};

use ribbonmesh::{Error, Surface};

/// The error of a surface whose faces are no oriented manifold, in the words that all applications have.
pub fn not_a_manifold(surface: &mut Surface) -> Error {
    let found = surface.to_dynamic(0.0, 1.0).err();
    found.unwrap_or_else(|| Error::Invalid("the faces are a manifold to some, and none to others".into()))
}
