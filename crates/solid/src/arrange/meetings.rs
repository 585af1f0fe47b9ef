//! The common points of all pairs of faces, and their numbers.
use crate::arrange::pair::{Common, Meeting, Name, meet};
use crate::arrange::points::{Form, Made, Soup};
use crate::arrange::pool::GRAIN;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Pairs whose points one task finds.
const TOGETHER: usize = 64;

/// The numbers of the common points of pairs of faces.
pub(crate) struct Meetings {
    /// Whether the faces of each pair are in one plane.
    flat: Vec<bool>,
    starts: Vec<u32>,
    numbers: Vec<u32>,
}

/// The points of some pairs that follow each other.
#[derive(Default)]
struct Found {
    flat: Vec<bool>,
    /// The number of points of each pair.
    counts: Vec<u32>,
    points: Vec<Common>,
}

impl Found {
    fn new(soup: Soup<'_>, pairs: &[[u32; 2]]) -> Self {
        let (mut found, mut one) = (Self::default(), Meeting::default());
        found.points.reserve(2 * pairs.len());
        for &[a, b] in pairs {
            meet(soup, a, b, &mut one);
            found.flat.push(one.flat);
            found.counts.push(one.points.len() as u32);
            found.points.extend_from_slice(&one.points);
        }
        found
    }
}

impl Meetings {
    /// The common points of pairs. Points that are not vertices are numbered after these, in the order in
    /// which pairs name them first.
    pub(crate) fn new(soup: Soup<'_>, pairs: &[[u32; 2]]) -> (Vec<Made>, Self) {
        let found: Vec<Found> = pairs.par_chunks(TOGETHER).map(|some| Found::new(soup, some)).collect();
        let points = || found.iter().flat_map(|of| &of.points);
        let flat = found.iter().flat_map(|of| &of.flat).copied().collect();
        let mut starts = Vec::with_capacity(pairs.len() + 1);
        starts.push(0);
        starts.extend(found.iter().flat_map(|of| &of.counts).scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let names: Vec<Name> = points().map(|point| point.name).collect();
        let first_at = first_at(&names);
        let vertices = soup.grid.points.len() as u32;
        let (mut forms, mut numbers): (Vec<Form>, Vec<u32>) = (vec![], Vec::with_capacity(names.len()));
        for ((at, point), &first) in (0..).zip(points()).zip(&first_at) {
            let number = match point.name {
                Name::Vertex(v) => v,
                _ if first != at => numbers[first as usize],
                _ => {
                    forms.extend(point.form);
                    vertices + forms.len() as u32 - 1
                }
            };
            numbers.push(number);
        }
        (
            forms.into_par_iter().with_min_len(GRAIN / 16).map(|form| soup.make(form)).collect(),
            Self { flat, starts, numbers },
        )
    }
    /// The points of a pair.
    pub(crate) fn of(&self, pair: usize) -> &[u32] {
        &self.numbers[self.starts[pair] as usize..self.starts[pair + 1] as usize]
    }
    /// Whether the faces of a pair are in one plane.
    pub(crate) fn is_flat(&self, pair: usize) -> bool {
        self.flat[pair]
    }
}

/// For each name the first place where it is.
fn first_at(names: &[Name]) -> Vec<u32> {
    // integers are compared faster than names
    let mut hashed: Vec<(u64, u32)> = names
        .par_iter()
        .with_min_len(GRAIN)
        .zip(0..names.len() as u32)
        .map(|(name, at)| (FxBuildHasher.hash_one(name), at))
        .collect();
    hashed.par_sort_unstable();
    let mut first_at: Vec<u32> = (0..names.len() as u32).collect();
    for same in hashed.chunk_by(|a, b| a.0 == b.0) {
        // other names rarely have the same hash
        for (i, &(_, at)) in same.iter().enumerate().skip(1) {
            let is_first = |of: &&(u64, u32)| names[of.1 as usize] == names[at as usize];
            first_at[at as usize] = same[..i].iter().find(is_first).map_or(at, |of| of.1);
        }
    }
    first_at
}
