//! The results of tiles as a mesh on disk.
use crate::level::{Level, NewLevel, Sizes};
use crate::{Result, TilesError, results};
use rustc_hash::FxHashMap;

/// Writes the results of all tiles of a level as the mesh of the next one, tile by tile. A vertex that
/// several tiles have is written once. In memory are one tile and the numbers of the vertices of borders.
pub fn join(level: &Level, tiles: usize, next: &Level) -> Result<Sizes> {
    let mut out = NewLevel::create(next)?;
    let mut shared: FxHashMap<u32, u32> = FxHashMap::default();
    for tile in 0..tiles {
        let path = level.result(tile);
        let Some((vertices, triangles)) = results::read(&path)? else {
            return Err(TilesError::Damaged { file: path, reason: "the file is missing".into() });
        };
        let mut numbers = Vec::with_capacity(vertices.len());
        for vertex in &vertices {
            let number = out.next();
            let known = if vertex.fixed != 0 { *shared.entry(vertex.id).or_insert(number) } else { number };
            if known == number {
                out.vertex(vertex.at(), Some(&{ vertex.quadric }))?;
            }
            numbers.push(known);
        }
        for corners in triangles {
            out.face(corners.map(|v| numbers[v as usize]))?;
        }
    }
    out.finish()
}
