//! Faces that a tree cannot tell apart.
use crate::device::Vec3;
use std::collections::HashMap;

/// Places nearer to each other than this share of the largest coordinate are one place to a tree: it scales the largest
/// coordinate to about 1, and the squares of such distances are below the least number in single precision.
const SHARE: f64 = 1.0 / (1_u128 << 75) as f64;

/// Faces of which some stand for others.
pub(super) struct Merged {
    /// Those that a tree needs, by number, ascending.
    pub needed: Vec<u32>,
    /// For each face, which of the needed ones stands for it: itself, or one at the same place.
    pub stands_in: Vec<u32>,
}

impl Merged {
    /// Of the faces that lie at one place as a tree sees it, the first is needed, and stands for the others: they are as near to
    /// any point, and a search would look at each of them. Linear.
    ///
    /// The tree is scaled for coordinates up to `reach`, or the largest of its own. None where all are needed, as in every mesh whose largest coordinate is less than 10²⁰ times the size of its
    /// faces, but for faces that are points; and where an index is out of range or a coordinate not finite.
    pub fn of(positions: &[Vec3], faces: &[[u32; 3]], reach: f32) -> Option<Self> {
        let mut largest = reach;
        for &v in faces.as_flattened() {
            let p = positions.get(v as usize).filter(|p| p.is_finite())?;
            largest = largest.max(p.abs().max_element());
        }
        let cell = f64::from(largest) * SHARE;
        if cell == 0.0 {
            return None;
        }
        // the largest coordinate is 2⁷⁵ cells away
        let place = |v: u32| positions[v as usize].to_array().map(|x| (f64::from(x) / cell).round() as i128);
        let is_small = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|v| positions[v as usize].as_dvec3());
            (b - a).abs().max_element() <= cell && (c - a).abs().max_element() <= cell
        };
        let mut places: HashMap<[i128; 3], u32> = HashMap::new();
        let (mut needed, mut stands_in) = (Vec::new(), Vec::with_capacity(faces.len()));
        for (number, face) in (0..).zip(faces) {
            let next = needed.len() as u32;
            let [a, b, c] = *face;
            let at = if is_small(face) && place(a) == place(b) && place(a) == place(c) {
                *places.entry(place(a)).or_insert(next)
            } else {
                next
            };
            if at == next {
                needed.push(number);
            }
            stands_in.push(at);
        }
        (needed.len() < faces.len()).then_some(Self { needed, stands_in })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_squares_cannot_tell_apart() {
        let near = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from_array);
        let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 2, 4]];
        let with = |far: f32| [&near[..], &[Vec3::new(far, 0.0, 0.0)]].concat();
        let merged = |positions: &[Vec3], faces: &[[u32; 3]]| {
            Merged::of(positions, faces, 0.0).map(|merged| (merged.needed, merged.stands_in))
        };
        assert_eq!(merged(&with(1e20), &faces), None);
        assert_eq!(merged(&with(1e30), &faces), Some((vec![0, 3], vec![0, 0, 0, 1])));
        let reached = Merged::of(&near, &faces[..3], 1e30).expect("one place");
        assert_eq!((reached.needed, reached.stands_in), (vec![0], vec![0; 3]));
        // two such clusters
        let mut positions = with(-1e30);
        positions.extend(near.map(|p| p + Vec3::new(0.0, 5e29, 0.0)));
        let faces = [&faces[..], &[[5, 6, 7], [5, 7, 8]]].concat();
        assert_eq!(merged(&positions, &faces), Some((vec![0, 3, 4], vec![0, 0, 0, 1, 2, 2])));
        assert_eq!(merged(&[Vec3::ZERO], &[[0; 3], [0; 3]]), None);
        assert_eq!(merged(&[Vec3::ONE], &[[0; 3], [0, 0, 1]]), None);
        assert_eq!(merged(&[Vec3::ONE, Vec3::NAN], &[[0; 3], [0, 0, 1]]), None);
    }
}
