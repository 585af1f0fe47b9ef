//! Tiles with all faces at their vertices.
use crate::gather::{Span, Tile, spans};
use crate::level::{Array, Level};
use crate::{Result, disk};
use glam::Vec3;
use rustc_hash::FxHashMap;

/// A corner of a face: the vertex's number in the level, and its position.
type Corner = (u32, Vec3);

/// Faces at the borders of tiles, for the tiles that have others of these borders' faces. In memory are the
/// vertices of all borders and the faces at them.
pub struct Halos {
    spans: Vec<Span>,
    /// For each tile, the faces of other tiles at its vertices.
    others: Vec<Vec<[Corner; 3]>>,
    /// Vertices of borders and the first of their tiles.
    first: FxHashMap<u32, u32>,
}

/// A tile with all faces at its vertices.
pub struct Whole {
    /// The numbers of vertices in the level: first those of the tile, in ascending order.
    pub ids: Vec<u32>,
    pub positions: Vec<Vec3>,
    /// Faces: first those of the tile.
    pub faces: Vec<[u32; 3]>,
    /// Number of the tile's vertices and faces.
    pub vertices: usize,
    pub own_faces: usize,
    /// For each of the tile's vertices, whether other tiles have it.
    pub shared: Vec<bool>,
    /// For each of the tile's vertices, whether the tile is the first that has it.
    pub owned: Vec<bool>,
}

/// A tile as it is on disk.
struct Loaded {
    ids: Vec<u32>,
    positions: Vec<Vec3>,
    fixed: Vec<u8>,
    faces: Vec<[u32; 3]>,
}

fn load(level: &Level, span: &Span) -> Result<Loaded> {
    let Span { faces: [face, faces], vertices: [vertex, vertices] } = *span;
    Ok(Loaded {
        ids: disk::read(&level.array(Array::Ids), vertex, vertices as usize)?,
        positions: disk::read(&level.array(Array::Vertices), vertex, vertices as usize)?,
        fixed: disk::read(&level.array(Array::Fixed), vertex, vertices as usize)?,
        faces: disk::read(&level.array(Array::Faces), face, faces as usize)?,
    })
}

impl Halos {
    /// Of the tiles of a level.
    pub fn new(level: &Level, tiles: &[Tile]) -> Result<Self> {
        let spans = spans(tiles);
        // pairs of a border's vertex and a tile, in ascending order
        let mut known: Vec<[u32; 2]> = vec![];
        for (tile, span) in (0..).zip(&spans) {
            let [first, count] = span.vertices;
            let ids: Vec<u32> = disk::read(&level.array(Array::Ids), first, count as usize)?;
            let fixed: Vec<u8> = disk::read(&level.array(Array::Fixed), first, count as usize)?;
            let of_border = ids.into_iter().zip(fixed).filter(|&(_, fixed)| fixed != 0);
            known.extend(of_border.map(|(id, _)| [id, tile]));
        }
        known.sort_unstable();
        let tiles_of = |id: u32| {
            let from = known.partition_point(|&[other, _]| other < id);
            known[from..].iter().take_while(move |pair| pair[0] == id).map(|pair| pair[1])
        };
        let mut others = vec![vec![]; spans.len()];
        let mut near: Vec<u32> = vec![];
        for (tile, span) in (0..).zip(&spans) {
            let Loaded { ids, positions, fixed, faces } = load(level, span)?;
            for face in faces {
                let of_border = face.iter().filter(|&&v| fixed[v as usize] != 0);
                near.clear();
                near.extend(
                    of_border.flat_map(|&v| tiles_of(ids[v as usize])).filter(|&other| other != tile),
                );
                near.sort_unstable();
                near.dedup();
                let corners = face.map(|v| (ids[v as usize], positions[v as usize]));
                near.iter().for_each(|&other| others[other as usize].push(corners));
            }
        }
        // the first pair of each vertex has the first of its tiles
        let first = known.chunk_by(|a, b| a[0] == b[0]).map(|pairs| (pairs[0][0], pairs[0][1])).collect();
        Ok(Self { spans, others, first })
    }
    /// Gives the tiles, one after the other.
    pub fn each(self, level: &Level, mut visit: impl FnMut(Whole) -> Result<()>) -> Result<()> {
        let Self { spans, others, first } = self;
        for ((tile, span), others) in (0..).zip(&spans).zip(others) {
            let Loaded { mut ids, mut positions, fixed, mut faces } = load(level, span)?;
            let (vertices, own_faces) = (ids.len(), faces.len());
            let mut outside: FxHashMap<u32, u32> = FxHashMap::default();
            for corners in others {
                faces.push(corners.map(|(id, p)| {
                    if let Ok(v) = ids[..vertices].binary_search(&id) {
                        return v as u32;
                    }
                    *outside.entry(id).or_insert_with(|| {
                        ids.push(id);
                        positions.push(p);
                        ids.len() as u32 - 1
                    })
                }));
            }
            let owned = ids[..vertices].iter().map(|id| first.get(id).is_none_or(|&owner| owner == tile));
            let (owned, shared) = (owned.collect(), fixed.iter().map(|&fixed| fixed != 0).collect());
            visit(Whole { ids, positions, faces, vertices, own_faces, shared, owned })?;
        }
        Ok(())
    }
}
