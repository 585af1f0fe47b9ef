//! Breadth-first search over faces on the CPU, with the results of the kernel
//! [`grow`](crate::kernels::construct::patching::grow), of which a GPU runs one launch a step.
//!
//! A step visits few faces, all over the mesh, and each of them at least four times in different steps:
//! nearly every visit would be a miss of the cache. So a thread takes the search around one seed, or within
//! one patch, several steps ahead. A face's word is the least that any search brings, whichever comes first,
//! so the result is the same.
use crate::kernels::construct::patching::{LOOK, REACH};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Fronts of more faces than this are divided among the threads.
const ALONE: usize = 4096;
/// Faces of a front that one thread takes at a time.
const PART: usize = 1024;
/// Seeds, or patches, that one thread takes at a time.
const SEEDS: usize = 16;
/// Steps around one seed before the steps around the next. Around a patch's seed few faces are farther away;
/// with more steps more faces are reached from a seed that is not their nearest.
const AHEAD: u64 = 16;

/// The graph of faces that the search runs on.
#[derive(Clone, Copy)]
pub struct Flood<'a> {
    /// The next corner around the edge at each corner.
    pub ring: &'a [u32],
    /// Labels of faces, if the search only crosses edges between faces of equal labels.
    pub within: Option<&'a [u32]>,
}

/// A face, and the word that it had when it was reached.
type Reached = (u32, u64);

impl Flood<'_> {
    /// Lowers the words of all faces that can be reached from the faces of `front`, which have theirs, at
    /// distance 0.
    pub fn run(self, words: &mut [u64], mut front: Vec<u32>) {
        let words = atomics(words);
        match self.within {
            Some(within) => {
                front.par_sort_unstable_by_key(|&f| within[f as usize]);
                let parts: Vec<_> =
                    front.chunk_by(|&f, &g| within[f as usize] == within[g as usize]).collect();
                parts.par_chunks(SEEDS).for_each(|parts| {
                    let mut fronts = Default::default();
                    for part in parts {
                        self.around::<false>(words, part, u64::MAX, &mut fronts);
                    }
                });
            }
            None => {
                let ahead = |seeds: &[u32]| {
                    let (mut fronts, mut far) = (Default::default(), Vec::new());
                    for seed in seeds {
                        far.extend_from_slice(self.around::<true>(words, &[*seed], AHEAD, &mut fronts));
                    }
                    far
                };
                let far: Vec<Vec<Reached>> = front.par_chunks(SEEDS).map(ahead).collect();
                let far = far.iter().flatten().filter(|(f, word)| words[*f as usize].load(Relaxed) == *word);
                self.all_around(words, far.copied().collect());
            }
        }
    }
    /// At most `steps` steps from the faces of `front`. Returns the faces that the last step has reached.
    fn around<'f, const SHARED: bool>(
        self,
        words: &[AtomicU64],
        front: &[u32],
        steps: u64,
        [from, next]: &'f mut [Vec<Reached>; 2],
    ) -> &'f [Reached] {
        from.clear();
        from.extend(front.iter().map(|&f| (f, words[f as usize].load(Relaxed))));
        for _ in 0..steps {
            if from.is_empty() {
                break;
            }
            next.clear();
            self.step::<SHARED>(words, from, next);
            std::mem::swap(from, next);
        }
        from
    }
    /// All steps from the faces of `front`, which are at the same distance from the seeds.
    fn all_around(self, words: &[AtomicU64], mut front: Vec<Reached>) {
        let mut next = Vec::new();
        while !front.is_empty() {
            next.clear();
            if front.len() > ALONE {
                let part = |part: &[Reached]| {
                    let mut next = Vec::with_capacity(2 * part.len());
                    self.step::<true>(words, part, &mut next);
                    next
                };
                let parts: Vec<_> = front.par_chunks(PART).map(part).collect();
                parts.iter().for_each(|part| next.extend_from_slice(part));
            } else {
                self.step::<false>(words, &front, &mut next);
            }
            std::mem::swap(&mut front, &mut next);
        }
    }
    /// From the faces of `front` to their neighbours. Neighbours whose words become smaller are put into
    /// `next`. `SHARED`: other threads may lower the same words.
    fn step<const SHARED: bool>(self, words: &[AtomicU64], front: &[Reached], next: &mut Vec<Reached>) {
        for &(f, word) in front {
            if words[f as usize].load(Relaxed) != word {
                continue; // another search was better, and continues from here
            }
            let word = word + (1 << 32);
            let corner = 3 * f as usize;
            for (c, &first) in (corner..).zip(&self.ring[corner..corner + 3]) {
                let (mut d, mut reach, mut look) = (first as usize, 0, 0);
                while d != c && reach < REACH && look < LOOK {
                    let g = d / 3;
                    let open = self.within.is_none_or(|within| within[f as usize] == within[g]);
                    reach += open as u32;
                    if open && words[g].load(Relaxed) > word {
                        if !SHARED {
                            words[g].store(word, Relaxed);
                            next.push((g as u32, word));
                        } else if words[g].fetch_min(word, Relaxed) > word {
                            next.push((g as u32, word));
                        }
                    }
                    d = self.ring[d] as usize;
                    look += 1;
                }
            }
        }
    }
}

fn atomics(words: &mut [u64]) -> &[AtomicU64] {
    const { assert!(size_of::<AtomicU64>() == size_of::<u64>() && align_of::<AtomicU64>() == align_of::<u64>()) };
    // SAFETY: both types have the same size, alignment and values, and the exclusive borrow lasts as long as
    // the result.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
}
