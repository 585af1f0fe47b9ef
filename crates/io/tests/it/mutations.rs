//! The corpus of the fuzz targets, as it is and mutated: no input makes a reader panic.

use crate::any_bytes;

use std::{fs, path::Path};

use ribbonmesh_io::Format;

/// Mutated inputs per format.
const MUTATIONS: usize = 40_000;
/// Pieces that mean something in one format or another.
const PIECES: [&[u8]; 30] = [
    b"0",
    b"-1",
    b"3",
    b"4294967295",
    b"4294967296",
    b"18446744073709551615",
    b"9223372036854775807",
    b"1e400",
    b"nan",
    b"inf",
    b"\n",
    b"\r",
    b"\r\n",
    b" ",
    b"#",
    b"\\\n",
    b"//",
    b"f ",
    b"v ",
    b"OFF\n",
    b"list uchar int ",
    b"property ",
    b"element face 9\n",
    b"end_header\n",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0",
    b"\0\0\x80\x7f",
    b"solid",
    b"facet",
    b"endsolid",
];

/// Source: Marsaglia, *Xorshift RNGs*, 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start).min(24) + 1)
    }
}

fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let range = random.range(bytes.len());
        match random.below(7) {
            0 => drop(bytes.splice(range, PIECES[random.below(PIECES.len())].iter().copied())),
            1 => drop(bytes.drain(range)),
            2 => bytes.truncate(range.start),
            3 => {
                let piece = bytes[range].to_vec();
                let at = random.below(bytes.len() + 1);
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let other = &others[random.below(others.len())];
                let piece = other[random.range(other.len())].to_vec();
                drop(bytes.splice(range, piece));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(range.start) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
}

fn run(format: Format) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(format.extension());
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let corpus: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(corpus.len() >= 4, "{} is too small", folder.display());
    corpus.iter().for_each(|bytes| any_bytes::check(bytes, format));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for number in 0..MUTATIONS {
        let mut bytes = corpus[number % corpus.len()].clone();
        mutate(&mut bytes, &corpus, &mut random);
        any_bytes::check(&bytes, format);
    }
}

#[test]
fn obj() {
    run(Format::Obj);
}

#[test]
fn ply() {
    run(Format::Ply);
}

#[test]
fn off() {
    run(Format::Off);
}

#[test]
fn glb() {
    run(Format::Glb);
}

#[test]
fn stl() {
    run(Format::Stl);
}
