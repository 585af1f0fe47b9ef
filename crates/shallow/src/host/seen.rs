//! The water on the device, for programs that show it.
use ribbonmesh::Buffer;

/// The water at a moment: buffers of the device with a number, or a vector, for each cell, row by row.
pub struct Seen {
    /// Height of the surface above the lowest point of the terrain: of the water, or of the bed where there
    /// is none.
    pub heights: Buffer<f32>,
    /// The same in the terrain's heights, rounded to single precision.
    pub levels: Buffer<f32>,
    /// Depth.
    pub depths: Buffer<f32>,
    /// Velocity along x and y, and 0; 0 where it is dry.
    pub velocities: Buffer<[f32; 3]>,
    /// Speed.
    pub speeds: Buffer<f32>,
}
