//! An order of vertices and faces in which neighbours are near each other in memory.
use glam::Vec3;
use rayon::prelude::*;

/// Bits of a code for each coordinate.
const BITS: u32 = 10;

/// Vertices in the order of their Morton codes, those of one code in their order before; and faces in the
/// order of their first vertices in that order. Collapses go through the mesh many times, so that this costs
/// less than it saves.
pub struct Reordered {
    pub x: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Which vertex each one was before.
    pub vertices: Vec<u32>,
    /// Which face each one was before.
    pub faces: Vec<u32>,
}
impl Reordered {
    /// Of positions and triangles.
    pub fn new(x: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let (low, high) = x.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)));
        let cells = (1 << BITS) as f32;
        let per_length = cells / (high - low).max_element().max(f32::MIN_POSITIVE);
        let code = |(v, p): (usize, &Vec3)| {
            let [a, b, c] =
                ((*p - low) * per_length).to_array().map(|t| spread((t as u32).min((1 << BITS) - 1)));
            u64::from(a | b << 1 | c << 2) << 32 | v as u64
        };
        let mut codes: Vec<u64> = x.par_iter().enumerate().map(code).collect();
        codes.par_sort_unstable();
        let vertices: Vec<u32> = codes.into_par_iter().map(|code| code as u32).collect();
        let mut numbers = vec![0; x.len()];
        vertices.iter().enumerate().for_each(|(new, &old)| numbers[old as usize] = new as u32);
        let renumber = |corners: &[u32; 3]| corners.map(|v| numbers[v as usize]);
        let renumbered: Vec<[u32; 3]> = triangles.par_iter().map(renumber).collect();
        let first = |&[a, b, c]: &[u32; 3]| a.min(b).min(c) as usize;
        let mut starts = vec![0u32; x.len() + 1];
        renumbered.iter().for_each(|corners| starts[first(corners) + 1] += 1);
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut faces = vec![0; triangles.len()];
        for (f, corners) in renumbered.iter().enumerate() {
            let place = &mut starts[first(corners)];
            faces[*place as usize] = f as u32;
            *place += 1;
        }
        Self {
            x: vertices.par_iter().map(|&v| x[v as usize]).collect(),
            triangles: faces.par_iter().map(|&f| renumbered[f as usize]).collect(),
            vertices,
            faces,
        }
    }
}

/// Puts two zero bits behind each of the ten lowest bits.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}
