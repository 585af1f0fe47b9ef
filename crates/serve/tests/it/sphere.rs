//! A source without a mesh: the sphere of radius 2 around (10, 0, 0), by rays.

use ribbonmesh_expression::{Column, Field, Program, Type};
use ribbonmesh_serve::stream::{
    Control, Description, Encoded, Found, Frames, Query, Refusal, Served, Source, Step, View,
};

pub const MIDDLE: [f64; 3] = [10.0, 0.0, 0.0];
pub const RADIUS: f64 = 2.0;

/// The sphere; its field `wave` changes with the steps, where it moves.
pub struct Sphere {
    pub moves: bool,
    pub plays: bool,
    pub step: u64,
}

impl Sphere {
    pub fn still() -> Self {
        Self { moves: false, plays: false, step: 0 }
    }

    /// The distances of pixels that see the sphere, and the places.
    fn seen(view: &View) -> Vec<(u32, f64, [f64; 3])> {
        let [w, h] = view.size;
        let mut seen = vec![];
        for pixel in 0..w * h {
            let at = [pixel % w, pixel / w].map(f64::from);
            let ndc = [2.0 * (at[0] + 0.5) / f64::from(w) - 1.0, 2.0 * (at[1] + 0.5) / f64::from(h) - 1.0];
            // the ray in the camera's space
            let p = &view.projection;
            let slope = [ndc[0] / p[0], ndc[1] / p[5]];
            let (origin, way) = match p[11] == 0.0 {
                true => ([slope[0], slope[1], 0.0], [0.0, 0.0, -1.0]),
                false => ([0.0; 3], [slope[0], slope[1], -1.0]),
            };
            let v = &view.view;
            let turn = |x: [f64; 3], shift: f64| {
                [0, 1, 2].map(|i| v[i] * x[0] + v[4 + i] * x[1] + v[8 + i] * x[2] + shift * v[12 + i])
            };
            let middle = turn(MIDDLE, 1.0);
            let from = [0, 1, 2].map(|i| origin[i] - middle[i]);
            let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let (a, b, c) = (dot(way, way), dot(from, way), dot(from, from) - RADIUS * RADIUS);
            let root = b * b - a * c;
            if root < 0.0 {
                continue;
            }
            let t = (-b - root.sqrt()) / a;
            let place = [0, 1, 2].map(|i| origin[i] + t * way[i] - v[12 + i]);
            // back by the transposed rotation
            let world = [0, 1, 2].map(|i| dot([v[4 * i], v[4 * i + 1], v[4 * i + 2]], place));
            seen.push((pixel, t, world));
        }
        seen
    }

    fn values(&self, query: &Query, places: &[[f64; 3]]) -> Vec<f32> {
        let places: Vec<[f32; 3]> = places.iter().map(|p| p.map(|x| x as f32)).collect();
        let step = self.step as f32;
        let wave: Vec<f32> = places.iter().map(|p| (3.0 * p[1] + 0.2 * step).sin()).collect();
        let program = Program::new(&query.expression).expect("few registers");
        let columns: Vec<_> = program
            .inputs()
            .iter()
            .map(|input| match input.field {
                0 => Column::new(&wave),
                _ => Column::interleaved(places.as_flattened(), input.component, 3),
            })
            .collect();
        let mut values = vec![0.0; places.len()];
        program.evaluate(&columns, 0..places.len(), &mut values).expect("columns that fit");
        values
    }
}

impl Source for Sphere {
    fn describe(&self) -> Description {
        let [low, high] = [-RADIUS, RADIUS].map(|r| MIDDLE.map(|x| x + r));
        Description {
            title: "a sphere".into(),
            fields: vec![
                Served::new(Field::new("wave", Type::Scalar, "points"), 1),
                Served::new(Field::new("position", Type::Vector, "points"), 1),
            ],
            bounds: [low, high],
            moves: self.moves,
            machine: "a test".into(),
            ..Description::default()
        }
    }
    fn step(&self) -> Step {
        Step { number: self.step, time: self.step as f64 / 10.0 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
    fn control(&mut self, control: Control) -> Result<(), Refusal> {
        if !self.moves {
            return Err(Refusal::Still);
        }
        match control {
            Control::Play => self.plays = true,
            Control::Pause => self.plays = false,
            Control::Step => self.step += 1,
        }
        Ok(())
    }
}

impl Frames for Sphere {
    fn prepare(&mut self, _: &Query) -> Result<String, String> {
        Ok("test".into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let seen = Self::seen(view);
        let places: Vec<_> = seen.iter().map(|(_, _, place)| *place).collect();
        let values = self.values(query, &places);
        let least = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::INFINITY, f64::min);
        let most = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::NEG_INFINITY, f64::max);
        let numbers = || values.iter().map(|&x| f64::from(x)).filter(|x| x.is_finite());
        let (low, high) = (least(&mut numbers()), most(&mut numbers()));
        let distances = || seen.iter().map(|(_, t, _)| *t);
        let (near, far) = (least(&mut distances()), most(&mut distances()));
        let [w, h] = view.size;
        let mut bitmap = vec![0_u32; (w * h).div_ceil(32) as usize];
        seen.iter().for_each(|(pixel, ..)| bitmap[*pixel as usize / 32] |= 1 << (pixel % 32));
        let parts = [
            bitmap.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>(),
            numbers_of_16(&values, low, high),
            [near as f32, far as f32]
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .chain(distances().flat_map(|t| {
                    (((t - near) / (far - near).max(1e-9) * 65535.0).round() as u16).to_le_bytes()
                }))
                .collect(),
        ];
        let mut lengths = [0; 3];
        let mut body = vec![];
        for (part, length) in parts.iter().zip(&mut lengths) {
            *length = part.len().next_multiple_of(8) as u32;
            body.extend_from_slice(part);
            body.resize(body.len().next_multiple_of(8), 0);
        }
        Ok(Encoded {
            count: seen.len() as u32,
            minimum: low as f32,
            maximum: high as f32,
            sparse: false,
            parts: lengths,
            body,
            ..Encoded::empty(view)
        })
    }
    fn probe(&mut self, query: &Query, view: &View, [x, y]: [u32; 2]) -> Result<Option<Found>, String> {
        let pixel = y * view.size[0] + x;
        let found = Self::seen(view).into_iter().find(|(seen, ..)| *seen == pixel);
        Ok(found.map(|(_, _, position)| Found {
            value: self.values(query, &[position])[0],
            element: ("point", u64::from(pixel)),
            position,
        }))
    }
}

fn numbers_of_16(values: &[f32], low: f64, high: f64) -> Vec<u8> {
    let whole = |x: &f32| match x.is_finite() {
        true => ((f64::from(*x) - low) / (high - low).max(1e-30) * 65534.0).round() as u16,
        false => u16::MAX,
    };
    values.iter().flat_map(|x| whole(x).to_le_bytes()).collect()
}
