//! A picture as arrays of the host.

/// The face, the distance and the value of each pixel, row by row from below.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The face; [`Picture::NOTHING`] where there is none. Of equally distant faces that with the least
    /// number.
    pub faces: Vec<u32>,
    /// The distance of the face from the eye along the direction of view; infinite without a face.
    pub distances: Vec<f32>,
    /// The value; NaN without a face or without a finite value.
    pub values: Vec<f32>,
}

impl Picture {
    /// No face.
    pub const NOTHING: u32 = u32::MAX;
}

/// The face and the distance of each pixel, as [`Picture`] has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The face; [`Picture::NOTHING`] where there is none.
    pub faces: Vec<u32>,
    /// The distance along the direction of view; infinite without a face.
    pub distances: Vec<f32>,
}
