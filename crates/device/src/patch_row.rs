//! Row of 20 words that a mesh stores for each patch in addition to its topology, encoded and decoded only
//! here.
use crate::patch::{Counts, hi, lo, pack};

/// The row of a patch. `ef`, `ff` and `ee` of its counts are not stored: [`crate::MeshView::general_rows`]
/// has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PatchRow {
    /// The id of the first owned vertex, edge and face.
    pub first: [u32; 3],
    /// The index at which its part of EV begins.
    pub ev: u32,
    /// The index at which its part of FE begins.
    pub fe: u32,
    /// The indices at which its parts of the ids of ribbon vertices, edges and faces begin.
    pub ribbon: [u32; 3],
    /// Its numbers of elements. The numbers of vertices and edges fit 16 bits.
    pub counts: Counts,
    /// The indices at which its parts of VV, VE and VF begin in a gapless result.
    pub bases: [u32; 3],
}

/// Places of words in a row that are read or written alone.
pub mod word {
    /// The id of the first vertex; edge and face follow.
    pub const FIRST: u32 = 0;
    /// Lengths of VV, VE and VF.
    pub const LENGTHS: [u32; 3] = [14, 15, 19];
    /// The beginnings of VV, VE and VF.
    pub const BASES: [u32; 3] = [16, 17, 18];
}

impl PatchRow {
    /// Words of a row.
    pub const WORDS: u32 = 20;
    /// Groups of four words, each of which one instruction loads.
    pub const GROUPS: u32 = Self::WORDS / 4;

    /// From the groups of a row.
    #[inline(always)]
    pub fn decode([a, b, c, d, e]: [[u32; 4]; 5]) -> Self {
        Self {
            first: [a[0], a[1], a[2]],
            ev: a[3],
            fe: b[0],
            ribbon: [b[1], b[2], b[3]],
            counts: Counts {
                v_owned: lo(c[0]),
                v_near: hi(c[0]),
                v_all: lo(c[1]),
                e_owned: hi(c[1]),
                e_of_f: lo(c[2]),
                e_of_v: hi(c[2]),
                e_near: lo(c[3]),
                e_all: hi(c[3]),
                f_owned: lo(d[0]),
                f_of_v: hi(d[0]),
                f_all: d[1],
                vv: d[2],
                ve: d[3],
                vf: e[3],
                ef: 0,
                ff: 0,
                ee: 0,
            },
            bases: [e[0], e[1], e[2]],
        }
    }
    /// The groups of the row.
    #[inline(always)]
    pub fn encode(&self) -> [[u32; 4]; 5] {
        let Self { first: [v, e, f], ribbon, bases, counts: c, .. } = *self;
        [
            [v, e, f, self.ev],
            [self.fe, ribbon[0], ribbon[1], ribbon[2]],
            [
                pack(c.v_owned, c.v_near),
                pack(c.v_all, c.e_owned),
                pack(c.e_of_f, c.e_of_v),
                pack(c.e_near, c.e_all),
            ],
            [pack(c.f_owned, c.f_of_v), c.f_all, c.vv, c.ve],
            [bases[0], bases[1], bases[2], c.vf],
        ]
    }
    /// From its words; `None` if there are not as many as a row has.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn of_words(words: &[u32]) -> Option<Self> {
        let groups: &[[u32; 4]] = words.as_chunks().0;
        Some(Self::decode(groups.try_into().ok()?))
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_one_number() {
        let words: [u32; PatchRow::WORDS as usize] =
            core::array::from_fn(|i| 0x0101_0000 * (i as u32 + 1) + 0x37);
        let row = PatchRow::of_words(&words).expect("a row");
        assert_eq!(row.encode().as_flattened(), words);
        assert_eq!([row.first[0], row.counts.vv, row.counts.ve, row.counts.vf], {
            let at = |k: u32| words[k as usize];
            [at(word::FIRST), at(word::LENGTHS[0]), at(word::LENGTHS[1]), at(word::LENGTHS[2])]
        });
        assert_eq!(row.bases, word::BASES.map(|k| words[k as usize]));
        assert_eq!(PatchRow::of_words(&words[1..]), None);
    }
}
