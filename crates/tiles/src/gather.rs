//! The vertices of tiles, and which of them have faces in several ones.
use crate::disk::{Placed, Row, Writer};
use crate::level::{Array, Level, SHARED, Sizes};
use crate::plan::Room;
use crate::spill::starts;
use crate::{Result, disk};
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Numbers of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// Its faces.
    pub faces: u64,
    /// Its vertices.
    pub vertices: u64,
    /// The faces with at least two vertices that other tiles have too: all of them stay.
    pub stay: u64,
}

/// The places of a tile in the arrays of all tiles: first, and how many.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub faces: [u64; 2],
    pub vertices: [u64; 2],
}
/// Those of all tiles.
pub fn spans(tiles: &[Tile]) -> Vec<Span> {
    let of = |count: fn(&Tile) -> u64| {
        let counts: Vec<_> = tiles.iter().map(count).collect();
        starts(&counts).into_iter().zip(counts).map(|(first, count)| [first, count])
    };
    of(|tile| tile.faces)
        .zip(of(|tile| tile.vertices))
        .map(|(faces, vertices)| Span { faces, vertices })
        .collect()
}

/// A vertex that no tile has, or several ones, where else the tile is that has it.
const NO_TILE: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;

/// Writes the vertices of all tiles, of so many faces each, and gives their faces corners by places among
/// these. Goes through the vertices of the level in blocks, and for each of them through all tiles.
pub fn gather(level: &Level, sizes: Sizes, counts: &[u64], room: &Room) -> Result<Vec<Tile>> {
    let block = room.vertices().clamp(1, u32::MAX.into());
    let blocks = sizes.vertices.div_ceil(block) as usize;
    let (mut tiles, parts) = number(level, counts, block, blocks)?;
    let spans = spans(&tiles);
    let mut vertices = Placed::create(level.array(Array::Vertices))?;
    let mut fixed = Placed::create(level.array(Array::Fixed))?;
    let mut quadrics =
        level.has_quadrics().then(|| Placed::create(level.array(Array::Quadrics))).transpose()?;
    for b in 0..blocks {
        let first = b as u64 * block;
        let of_block = block.min(sizes.vertices - first) as usize;
        let ids = |tile: usize| -> Result<(u64, Vec<u32>)> {
            let (from, to) = (parts[tile][b], parts[tile][b + 1]);
            let at = spans[tile].vertices[0] + from;
            let mut ids: Vec<u32> = disk::read(&level.array(Array::Ids), at, (to - from) as usize)?;
            ids.iter_mut().for_each(|v| *v -= first as u32);
            Ok((at, ids))
        };
        let mut owners = vec![NO_TILE; of_block];
        for tile in 0..tiles.len() {
            for v in ids(tile)?.1 {
                let known = &mut owners[v as usize];
                *known = if *known == NO_TILE { tile as u32 } else { SEVERAL };
            }
        }
        let x: Vec<Vec3> = disk::read(&level.vertices(), first, of_block)?;
        let known: Vec<Row> =
            if quadrics.is_some() { disk::read(&level.quadrics(), first, of_block)? } else { vec![] };
        let marks: Vec<u8> =
            if level.has_marks() { disk::read(&level.marks(), first, of_block)? } else { vec![0; of_block] };
        for tile in 0..tiles.len() {
            let (at, ids) = ids(tile)?;
            let of = || ids.iter().map(|&v| v as usize);
            vertices.put(at, &of().map(|v| x[v]).collect::<Vec<_>>())?;
            let bits = |v: usize| if owners[v] == SEVERAL { SHARED | marks[v] } else { marks[v] };
            fixed.put(at, &of().map(bits).collect::<Vec<_>>())?;
            if let Some(quadrics) = &mut quadrics {
                quadrics.put(at, &of().map(|v| known[v]).collect::<Vec<_>>())?;
            }
        }
    }
    vertices.finish()?;
    fixed.finish()?;
    quadrics.map(Placed::finish).transpose()?;
    for (tile, span) in tiles.iter_mut().zip(spans) {
        tile.stay = staying(level, &span)?;
    }
    Ok(tiles)
}

/// Writes the vertices of each tile's faces in ascending order, and the faces by places among them. Returns
/// the tiles, and for each of them the places in its list where blocks of `block` vertices begin and end.
fn number(level: &Level, counts: &[u64], block: u64, blocks: usize) -> Result<(Vec<Tile>, Vec<Vec<u64>>)> {
    let mut out = Writer::create(level.array(Array::Ids))?;
    let mut faces_out = Writer::create(level.array(Array::Faces))?;
    let (mut tiles, mut parts) = (vec![], vec![]);
    for (first, &faces) in starts(counts).into_iter().zip(counts) {
        let mut corners: Vec<[u32; 3]> = disk::read(&level.array(Array::Corners), first, faces as usize)?;
        let mut ids = corners.as_flattened().to_vec();
        ids.sort_unstable();
        ids.dedup();
        for corner in corners.as_flattened_mut() {
            *corner = ids.partition_point(|&v| v < *corner) as u32;
        }
        out.add(&ids)?;
        faces_out.add(&corners)?;
        tiles.push(Tile { faces, vertices: ids.len() as u64, stay: 0 });
        let end = |b: usize| ids.partition_point(|&v| u64::from(v) < b as u64 * block) as u64;
        parts.push((0..=blocks).map(end).collect());
    }
    out.finish()?;
    faces_out.finish()?;
    Ok((tiles, parts))
}

/// Number of faces of a tile that have at least two vertices of a border.
fn staying(level: &Level, span: &Span) -> Result<u64> {
    let [first, count] = span.vertices;
    let fixed: Vec<u8> = disk::read(&level.array(Array::Fixed), first, count as usize)?;
    let mut found = 0;
    disk::each_piece(&level.array(Array::Faces), span.faces, |faces: &[[u32; 3]]| {
        let stays = |face: &&[u32; 3]| face.iter().filter(|&&v| fixed[v as usize] & SHARED != 0).count() >= 2;
        found += faces.iter().filter(stays).count() as u64;
        Ok(())
    })?;
    Ok(found)
}

/// Writes the target lengths of the vertices of all tiles. Goes through the lengths of the level in blocks,
/// and for each of them through all tiles.
pub fn gather_lengths(level: &Level, sizes: Sizes, tiles: &[Tile], room: &Room) -> Result<()> {
    let block = room.numbers().clamp(1, u32::MAX.into());
    let spans = spans(tiles);
    let mut out = Placed::create(level.array(Array::Lengths))?;
    for first in (0..sizes.vertices).step_by(block as usize) {
        let of_block = block.min(sizes.vertices - first) as usize;
        let known: Vec<f32> = disk::read(&level.lengths(), first, of_block)?;
        for span in &spans {
            let [at, count] = span.vertices;
            let ids: Vec<u32> = disk::read(&level.array(Array::Ids), at, count as usize)?;
            let place = |end: u64| ids.partition_point(|&id| u64::from(id) < end);
            let [start, end] = [place(first), place(first + block)];
            let of_tile = ids[start..end].iter().map(|&id| known[(u64::from(id) - first) as usize]);
            out.put(at + start as u64, &of_tile.collect::<Vec<_>>())?;
        }
    }
    out.finish()
}
