//! Values of vertices in the order of the mesh, from those of tiles.
use crate::Result;
use crate::disk::{self, Writer};
use crate::gather::{Tile, spans};
use crate::level::{Array, Level, Sizes};
use crate::plan::Room;
use bytemuck::Pod;
use std::path::Path;

/// Writes a value for each vertex of a level to the second file, from those of the vertices of each tile in
/// the first: `join` joins those of all tiles with `nothing`, that of vertices in no tile. Goes through the
/// vertices in blocks, and for each of them through all tiles.
pub fn scatter<T: Pod>(
    level: &Level,
    sizes: Sizes,
    tiles: &[Tile],
    room: &Room,
    [from, to]: [&Path; 2],
    (nothing, join): (T, impl Fn(T, T) -> T),
) -> Result<()> {
    let block = room.positions().clamp(1, u32::MAX.into());
    let spans = spans(tiles);
    let mut out = Writer::create(to.into())?;
    for first in (0..sizes.vertices).step_by(block as usize) {
        let mut values = vec![nothing; block.min(sizes.vertices - first) as usize];
        for span in &spans {
            let [at, count] = span.vertices;
            let ids: Vec<u32> = disk::read(&level.array(Array::Ids), at, count as usize)?;
            let place = |end: u64| ids.partition_point(|&id| u64::from(id) < end);
            let [start, end] = [place(first), place(first + block)];
            let of_tile: Vec<T> = disk::read(from, at + start as u64, end - start)?;
            for (&id, value) in ids[start..end].iter().zip(of_tile) {
                let known = &mut values[(u64::from(id) - first) as usize];
                *known = join(*known, value);
            }
        }
        out.add(&values)?;
    }
    out.close()
}
