//! Triangles with values: frames of mode 3.

use crate::{DepthBits, Encoded, Mode};

/// A value that is not finite.
pub const NO_VALUE: u16 = u16::MAX;
/// Bytes before the places: their number, and the box.
const BOX: usize = 8 + 48;

/// The triangles that a view sees, before they are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Vertices.
    pub vertices: u64,
    /// Triangles.
    pub faces: u64,
    /// Another number whenever the triangles have other vertices.
    pub topology: u64,
    /// Another number whenever a vertex is elsewhere.
    pub placement: u64,
}

/// Parts of triangles that a client does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lacking {
    /// The vertices of triangles.
    pub faces: bool,
    /// The places of vertices.
    pub places: bool,
}

impl Extent {
    /// Bytes of what a client lacks, and of the values, of which there are at most as many as vertices or
    /// faces.
    pub(crate) fn bytes(&self, lacking: Lacking) -> u64 {
        let part = |is_sent: bool, bytes: u64| if is_sent { bytes } else { 0 };
        let values = 2 * self.vertices.max(self.faces);
        values + part(lacking.faces, 12 * self.faces) + part(lacking.places, 6 * self.vertices)
    }
}

/// Places of vertices, as parts of a box.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Places {
    /// The place of 0, 0, 0, and that of 65535, 65535, 65535.
    pub bounds: [[f64; 3]; 2],
    /// Three numbers for each vertex.
    pub numbers: Vec<u16>,
}

impl Places {
    /// The nearest places on the steps of the box around all of them, relative to an origin. A place that is
    /// not finite becomes the least one.
    pub fn of(places: &[[f32; 3]], origin: [f64; 3]) -> Self {
        let [mut low, mut high] = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for place in places {
            for k in 0..3 {
                if place[k].is_finite() {
                    (low[k], high[k]) = (low[k].min(place[k]), high[k].max(place[k]));
                }
            }
        }
        for k in 0..3 {
            if low[k] > high[k] {
                (low[k], high[k]) = (0.0, 0.0);
            }
        }
        let [low, high] = [low, high].map(|place| place.map(f64::from));
        let scale: [f64; 3] = std::array::from_fn(|k| match high[k] > low[k] {
            true => 65_535.0 / (high[k] - low[k]),
            false => 0.0,
        });
        let number = |place: &[f32; 3], k: usize| ((f64::from(place[k]) - low[k]) * scale[k]).round() as u16;
        let numbers = places.iter().flat_map(|place| [0, 1, 2].map(|k| number(place, k))).collect();
        let bounds = [low, high].map(|place| std::array::from_fn(|k| place[k] + origin[k]));
        Self { bounds, numbers }
    }
}

/// Triangles with values, for a client that may have a part of them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Triangles {
    /// The number that the value 0 stands for.
    pub minimum: f32,
    /// The number that the value 65534 stands for.
    pub maximum: f32,
    /// A value for each vertex or each triangle; [`NO_VALUE`] is none.
    pub values: Vec<u16>,
    /// Whether values are of triangles.
    pub of_faces: bool,
    /// Three vertices for each triangle, unless the client has them.
    pub faces: Option<Vec<u32>>,
    /// Places of vertices, unless the client has them.
    pub places: Option<Places>,
}

impl Triangles {
    /// Triangles that the client has, with values of 16 bits between the least and the greatest finite one.
    pub fn with_values(values: &[f32], of_faces: bool) -> Self {
        let finite = values.iter().copied().filter(|x| x.is_finite());
        let start = [f32::INFINITY, f32::NEG_INFINITY];
        let [low, high] = finite.fold(start, |[low, high], x| [low.min(x), high.max(x)]);
        let [minimum, maximum] = if low <= high { [low, high] } else { [0.0; 2] };
        let span = f64::from(maximum) - f64::from(minimum);
        let scale = if span > 0.0 { 65_534.0 / span } else { 0.0 };
        let number = |x: &f32| match x.is_finite() {
            true => ((f64::from(*x) - f64::from(minimum)) * scale).round() as u16,
            false => NO_VALUE,
        };
        Self { minimum, maximum, values: values.iter().map(number).collect(), of_faces, ..Self::default() }
    }

    /// The bytes of the three parts.
    pub fn encoded(&self) -> Encoded {
        let mut body = vec![];
        let mut parts = [0; 3];
        for (part, length) in parts.iter_mut().enumerate() {
            let begin = body.len();
            match part {
                0 => self.faces.iter().flatten().for_each(|v| body.extend_from_slice(&v.to_le_bytes())),
                1 => self.values.iter().for_each(|value| body.extend_from_slice(&value.to_le_bytes())),
                _ => self.write_places(&mut body),
            }
            body.resize(body.len().next_multiple_of(8), 0);
            *length = (body.len() - begin) as u32;
        }
        Encoded {
            mode: Mode::Geometry,
            width: 0,
            height: 0,
            count: self.values.len() as u32,
            minimum: self.minimum,
            maximum: self.maximum,
            depth: DepthBits::Bits16,
            linear: false,
            sparse: false,
            of_faces: self.of_faces,
            complete: self.faces.is_some() && self.places.is_some(),
            parts,
            body,
        }
    }

    fn write_places(&self, body: &mut Vec<u8>) {
        let Some(Places { bounds, numbers }) = &self.places else { return };
        body.extend_from_slice(&((numbers.len() / 3) as u64).to_le_bytes());
        bounds.as_flattened().iter().for_each(|x| body.extend_from_slice(&x.to_le_bytes()));
        numbers.iter().for_each(|x| body.extend_from_slice(&x.to_le_bytes()));
    }

    /// Reads the parts of a frame; none if they do not fit together.
    pub fn read(header: &crate::Header, body: &[u8]) -> Option<Self> {
        let [a, b, c] = header.parts.map(|part| part as usize);
        let (first, rest) = body.split_at_checked(a)?;
        let (second, third) = rest.split_at_checked(b)?;
        if header.mode != Mode::Geometry || third.len() != c {
            return None;
        }
        let shorts = |bytes: &[u8]| -> Vec<u16> {
            bytes.as_chunks().0.iter().map(|two| u16::from_le_bytes(*two)).collect()
        };
        let words: Vec<u32> = first.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        // padding is less than a triangle
        let faces = (header.complete || !words.is_empty()).then(|| words[..words.len() / 3 * 3].to_vec());
        let places = match third.split_first_chunk::<8>() {
            None => None,
            Some((count, rest)) => {
                let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
                let (bounds, numbers) = rest.split_at_checked(BOX - 8)?;
                let bounds: Vec<f64> =
                    bounds.as_chunks().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
                let bounds = [0, 3].map(|first| std::array::from_fn(|k| bounds[first + k]));
                let numbers = shorts(numbers.get(..count.checked_mul(6)?)?);
                Some(Places { bounds, numbers })
            }
        };
        Some(Self {
            minimum: header.minimum,
            maximum: header.maximum,
            values: shorts(second).get(..header.count as usize)?.to_vec(),
            of_faces: header.of_faces,
            faces,
            places,
        })
    }
}
