//! Normals of vertices, tile by tile.
use crate::disk::Writer;
use crate::halo::{Halos, Whole};
use crate::level::{Array, Sizes};
use crate::output::Output;
use crate::scatter::scatter;
use crate::streaming::{OnDisk, Streaming};
use crate::{Result, TilesError};
use glam::Vec3;
use ribbonmesh::Device;
use ribbonmesh_fields::normals::{Weight, normals_of_triangles};
use ribbonmesh_io::{Format, check_output};
use serde::Serialize;
use std::path::Path;

/// Report of [`normals`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NormalsReport {
    /// Sizes of the mesh.
    pub sizes: Sizes,
    /// Tiles.
    pub tiles: u64,
    /// Vertices without a direction, whose normal is zero.
    pub without_normal: u64,
    /// Contents of the file beside positions and faces, which were left out.
    pub left_out: Vec<String>,
}

/// Computes a unit normal at every vertex of the mesh of a file (binary PLY of triangles, OBJ, binary STL,
/// GLB), and writes them with it (binary PLY, OBJ, GLB). A tile is in memory at one time, with all faces at
/// its vertices, so that normals at borders are as everywhere; sums of their faces have another order than in
/// memory. Vertices and faces keep their order.
/// # Errors
/// [`TilesError`].
pub fn normals(
    from: &Path,
    to: &Path,
    weight: Weight,
    options: &Streaming,
    say: &mut dyn FnMut(String),
) -> Result<NormalsReport> {
    check_output(to)?;
    if Output::format(to)? == Format::Stl {
        let reason = "STL cannot carry normals of vertices".into();
        return Err(TilesError::Output { file: to.into(), reason });
    }
    let mesh = OnDisk::read(from, options)?;
    let tiles = mesh.tiles()?;
    say(format!("{} faces in {} tiles", mesh.sizes.faces, tiles.len()));
    let (device, mut without_normal) = (Device::cpu(), mesh.sizes.vertices);
    let mut out = Writer::create(mesh.level.array(Array::Normals))?;
    Halos::new(&mesh.level, &tiles)?.each(&mesh.level, |tile| {
        let normals = of_tile(&device, &tile, weight)?;
        let found = normals.iter().zip(&tile.owned).filter(|&(n, &owned)| owned && *n != Vec3::ZERO);
        without_normal -= found.count() as u64;
        out.add(&normals)
    })?;
    out.close()?;
    let files = [&*mesh.level.array(Array::Normals), &mesh.level.normals()];
    scatter(&mesh.level, mesh.sizes, &tiles, &mesh.room, files, (Vec3::ZERO, |_, normal| normal))?;
    mesh.write(Some(&mesh.level.normals()), to)?;
    let (sizes, tiles, left_out) = (mesh.sizes, tiles.len() as u64, mesh.left_out.clone());
    mesh.remove()?;
    Ok(NormalsReport { sizes, tiles, without_normal, left_out })
}

/// The normals of the vertices of a tile.
fn of_tile(device: &Device, tile: &Whole, weight: Weight) -> Result<Vec<Vec3>> {
    let faces = device.upload(tile.faces.as_flattened())?;
    let positions = device.upload(&tile.positions)?;
    let mut normals = normals_of_triangles(&faces, &positions, weight)?.read()?;
    normals.truncate(tile.vertices);
    Ok(normals)
}
