//! Where the parts of each patch begin.
use super::error::StoreError;
use super::options::StoreOptions;
use crate::build::MEASURES;
use crate::row::StoreRow;
use crate::view::{MOST_ELEMENTS, MOST_NEIGHBOURS};
use ribbonmesh::Error;
use ribbonmesh::device::Out;
use ribbonmesh_concurrent::CuckooTable;

/// Rows of all patches, and the lengths of the arrays.
#[derive(Default)]
pub(crate) struct Layout {
    pub rows: Vec<u32>,
    pub patches: u32,
    /// The first free patch.
    pub first_free: u32,
    /// Places of vertices, edges, faces.
    pub places: [u32; 3],
    pub masks: u32,
    pub tables: u32,
    pub stashes: u32,
    pub most: [u32; 3],
    pub most_table: u32,
    /// Room of a free patch.
    pub free: Floor,
    /// Whether some patch has no room for more patches around.
    pub still: bool,
}

/// Room that each patch has at least, if patches have room to grow.
#[derive(Clone, Copy, Default)]
pub(crate) struct Floor {
    pub capacity: [u32; 3],
    pub table_words: [u32; 3],
}

/// The patches of a static mesh.
pub(crate) struct Measured<'a> {
    /// [`MEASURES`] words for each.
    pub numbers: &'a [u32],
    /// First ids of owned vertices, edges and faces.
    pub firsts: [&'a [u32]; 3],
    /// Vertices without faces, and as many in each of the patches that get them.
    pub isolated: u32,
    pub points: u32,
}

/// Elements of each kind that the ribbon of a patch has more after changes, whatever its size.
const RAGGED: [u32; 3] = [16, 48, 32];

const KINDS: [&str; 3] = ["vertices", "edges", "faces"];

impl Layout {
    /// The layout by these options; of a store that is enlarged, patches have at least the room `enlarged`,
    /// and a free patch has room for half of the largest one, and for the longest ribbon: one with as many
    /// elements as keys name cannot grow, and is cut.
    pub fn new(
        mesh: &Measured<'_>,
        options: &StoreOptions,
        load: f32,
        enlarged: Option<Floor>,
    ) -> Result<Self, StoreError> {
        let (floor, mut largest, mut longest) = (enlarged.unwrap_or_default(), [0; 3], [0; 3]);
        let mut layout = Self::default();
        let patches = mesh.numbers.len() / MEASURES as usize;
        let (mut rows, mut sums) = (vec![], [[0u64; 3]; 2]);
        for (p, numbers) in mesh.numbers.chunks_exact(MEASURES as usize).enumerate() {
            let (count, neighbours) = ([numbers[0], numbers[1], numbers[2]], numbers[3]);
            let owned = [0, 1, 2].map(|k| mesh.firsts[k][p + 1] - mesh.firsts[k][p]);
            let ribbon = [0, 1, 2].map(|k| count[k] - owned[k]);
            check(p as u32, count, neighbours)?;
            layout.still |= options.room == 1.0;
            largest = [0, 1, 2].map(|k| count[k].max(largest[k]));
            // a ribbon grows with the length around a patch
            let around = options.room.sqrt();
            let row = StoreRow {
                capacity: [0, 1, 2].map(|k| most(grown(owned[k], options.room) + grown(ribbon[k], around))),
                table_words: ribbon.map(|n| table_words(n, around, load)),
                stash_room: if options.room > 1.0 { MOST_NEIGHBOURS } else { neighbours },
                count,
                neighbours,
                ..StoreRow::default()
            };
            longest = [0, 1, 2].map(|k| row.table_words[k].max(longest[k]));
            for (sums, of) in sums.iter_mut().zip([row.capacity, row.table_words]) {
                sums.iter_mut().zip(of).for_each(|(sum, n)| *sum += u64::from(n));
            }
            rows.push(row);
        }
        let mean = |sums: [u64; 3]| sums.map(|sum| sum.div_ceil(patches.max(1) as u64) as u32);
        let (capacity, words) = (mean(sums[0]), mean(sums[1]));
        // a cut gives a patch half of another one's faces, and their border, which may be most of the ribbon
        let halves = enlarged.map_or([0; 3], |_| largest.map(|n| n / 4 * 3));
        let ribbons = enlarged.map_or([0; 3], |_| longest);
        let free = Floor {
            capacity: [0, 1, 2]
                .map(|k| most((capacity[k] + RAGGED[k] / 2).max(halves[k])).max(floor.capacity[k])),
            table_words: [0, 1, 2].map(|k| (words[k] + RAGGED[k]).max(ribbons[k]).max(floor.table_words[k])),
        };
        layout.free = free;
        for mut row in rows {
            if options.room > 1.0 {
                // a small patch grows as others do, and so does one at the boundary with its short ribbon
                row.capacity = [0, 1, 2].map(|k| row.capacity[k].max(capacity[k] / 2).max(floor.capacity[k]));
                row.table_words =
                    [0, 1, 2].map(|k| row.table_words[k].max(words[k]).max(floor.table_words[k]));
                // the border of a patch that has changed is no longer short
                row.capacity = [0, 1, 2].map(|k| most(row.capacity[k] + RAGGED[k] / 2));
                row.table_words = [0, 1, 2].map(|k| row.table_words[k] + RAGGED[k]);
            }
            layout.push(row)?;
        }
        let mut left = mesh.isolated;
        while left > 0 {
            let n = left.min(mesh.points);
            layout.push(StoreRow { capacity: [n, 0, 0], count: [n, 0, 0], ..StoreRow::default() })?;
            left -= n;
        }
        layout.first_free = layout.patches;
        // a patch that is cut in two needs as much as others, on the average
        for _ in 0..(patches as f64 * f64::from(options.spare)).ceil() as usize {
            layout.push(StoreRow {
                capacity: free.capacity,
                table_words: free.table_words,
                stash_room: MOST_NEIGHBOURS,
                ..StoreRow::default()
            })?;
        }
        Ok(layout)
    }
    /// Appends a patch, whose parts begin where those of the patch before end.
    fn push(&mut self, row: StoreRow) -> Result<(), StoreError> {
        let [v, e, f] = row.capacity;
        // so that EV and FE of each patch begin at multiples of 16 bytes
        let capacity = [v, e.next_multiple_of(4), f.next_multiple_of(8)];
        let row = StoreRow {
            first: self.places,
            masks: self.masks,
            tables: self.tables,
            stash: self.stashes,
            capacity,
            ..row
        };
        self.rows.extend(row.encode());
        let add = |to: &mut u32, n: u32, what, times: u64| {
            let count = u64::from(*to) + u64::from(n);
            let limit = u64::from(u32::MAX) / times;
            *to = u32::try_from(count).ok().filter(|_| count <= limit).ok_or(Error::TooMany {
                what,
                count,
                limit,
            })?;
            Ok::<(), Error>(())
        };
        for (k, what) in KINDS.into_iter().enumerate() {
            // FE has three entries for each face
            add(&mut self.places[k], capacity[k], what, if k == 2 { 3 } else { 1 })?;
            self.most[k] = self.most[k].max(capacity[k]);
            self.most_table = self.most_table.max(row.table_words[k]);
        }
        add(&mut self.masks, row.all_mask_words(), "words of masks", 1)?;
        add(&mut self.tables, row.table_words.iter().sum(), "words of tables", 1)?;
        add(&mut self.stashes, row.stash_room, "neighbours of patches", 1)?;
        self.patches += 1;
        Ok(())
    }
}

/// Refuses a patch that keys of tables, or the stash, cannot name.
fn check(patch: u32, count: [u32; 3], neighbours: u32) -> Result<(), StoreError> {
    for (what, count) in KINDS.into_iter().zip(count) {
        if count > MOST_ELEMENTS {
            return Err(StoreError::PatchTooLarge { patch, what, count, limit: MOST_ELEMENTS });
        }
    }
    if neighbours > MOST_NEIGHBOURS {
        return Err(StoreError::TooManyNeighbours { patch, limit: MOST_NEIGHBOURS });
    }
    Ok(())
}
/// A number of elements with room to grow.
fn grown(n: u32, room: f32) -> u32 {
    (f64::from(n) * f64::from(room)).ceil() as u32
}
/// As many of these as keys can name.
fn most(n: u32) -> u32 {
    n.min(MOST_ELEMENTS)
}
/// Words of a table of `n` entries with room to grow: none where there is nothing to find, and nothing to
/// come.
fn table_words(n: u32, room: f32, load: f32) -> u32 {
    if n == 0 && room == 1.0 {
        return 0;
    }
    (f64::from(most(grown(n, room))) / f64::from(load)).ceil() as u32 + CuckooTable::<Out<'_, u32>>::STASH
}
