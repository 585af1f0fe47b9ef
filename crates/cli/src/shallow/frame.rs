//! Frames of a run: files of cells, surfaces, maps.
use super::grid::write_asc;
use super::ground::Land;
use super::{Save, State, picture};
use crate::encoding::Encoded;
use crate::failure::Failure;
use crate::npy::write_npy;
use crate::session::Session;
use ribbonmesh::glam::DVec3;
use ribbonmesh_io::{Format, WriteOptions};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_shallow::{Snapshot, Water};
use std::path::Path;

fn ply() -> Encoded {
    Encoded { format: Format::Ply, options: WriteOptions::default() }
}

/// Where and what frames are written.
pub struct Frames<'a> {
    pub folder: &'a Path,
    pub land: &'a Land,
    pub save: &'a [Save],
}

impl Frames<'_> {
    /// Writes what all frames have in common: the ground as a mesh.
    pub fn begin(&self, session: &mut Session) -> Result<(), Failure> {
        if self.save.contains(&Save::Ply) {
            session.write(&self.folder.join("terrain.ply"), &ground(self.land)?, &ply())?;
        }
        Ok(())
    }
    /// Writes a frame.
    pub fn add(&self, session: &mut Session, water: &Water, frame: u64) -> Result<State, Failure> {
        let snapshot = session.phase("frame", || water.snapshot())?;
        let name = |end: &str| self.folder.join(format!("frame-{frame:06}{end}"));
        if self.save.contains(&Save::Asc) {
            let of = |k: usize| -> Vec<f32> { snapshot.velocities.iter().map(|v| v[k]).collect() };
            self.asc(session, &name("-depth.asc"), &snapshot.depths)?;
            self.asc(session, &name("-u.asc"), &of(0))?;
            self.asc(session, &name("-v.asc"), &of(1))?;
        }
        if self.save.contains(&Save::Npy) {
            let columns = snapshot.columns as usize;
            let velocities = snapshot.velocities.as_flattened();
            session.emit(Some(&name("-depth.npy")), |out| write_npy(out, columns, 1, &snapshot.depths))?;
            session.emit(Some(&name("-velocity.npy")), |out| write_npy(out, columns, 2, velocities))?;
        }
        if self.save.contains(&Save::Ply)
            && let Some(mesh) = surface(self.land, &snapshot)?
        {
            session.write(&name(".ply"), &mesh, &ply())?;
        }
        if self.save.contains(&Save::Png) {
            let map =
                session.phase("render", || Ok::<_, Failure>(picture::map(&self.land.terrain, &snapshot)))?;
            session.write_picture(&name(".png"), &map)?;
        }
        let progress = water.progress();
        let greatest = |numbers: &mut dyn Iterator<Item = f32>| numbers.fold(0.0, f32::max);
        Ok(State {
            frame,
            time: snapshot.time,
            steps: progress.steps,
            shortest_step: Some(progress.shortest_step).filter(|step| step.is_finite()),
            volume: water.volume()?,
            wet_cells: snapshot.wet_cells(),
            greatest_depth: greatest(&mut snapshot.depths.iter().copied()),
            greatest_speed: greatest(&mut (0..snapshot.depths.len()).map(|cell| snapshot.speed(cell))),
            active_tiles: progress.active,
        })
    }
    fn asc(&self, session: &mut Session, file: &Path, values: &[f32]) -> Result<(), Failure> {
        let terrain = &self.land.terrain;
        let (columns, corner, spacing) = (terrain.columns() as usize, self.land.corner, terrain.spacing());
        session.emit(Some(file), |out| write_asc(out, columns, values, corner, spacing))
    }
}

/// The four corners of a cell of rows of `wide` points, counter-clockwise.
fn corners(cell: usize, columns: usize) -> [usize; 4] {
    let wide = columns + 1;
    let first = cell / columns * wide + cell % columns;
    [first, first + 1, first + wide + 1, first + wide]
}
/// Points that fit a mesh's 32 bits.
fn index(point: usize) -> Result<u32, Failure> {
    u32::try_from(point).map_err(|_| Failure::Refused("too many cells for a mesh; --save without ply".into()))
}

/// The ground, two faces for each cell.
fn ground(land: &Land) -> Result<TriangleMesh, Failure> {
    let terrain = &land.terrain;
    let (columns, wide) = (terrain.columns() as usize, terrain.columns() as usize + 1);
    let point = |(i, &height): (usize, &f32)| {
        let at = |k: usize| k as f64 * terrain.spacing();
        DVec3::new(at(i % wide), at(i / wide), f64::from(height))
    };
    let positions: Vec<DVec3> = terrain.heights().iter().enumerate().map(point).collect();
    index(positions.len())?;
    let faces = |cell| {
        // checked above
        let [a, b, c, d] = corners(cell, columns).map(|i| i as u32);
        [[a, b, c], [a, c, d]]
    };
    let faces = (0..columns * terrain.rows() as usize).flat_map(faces).collect();
    Ok(TriangleMesh::new(positions, faces))
}

/// The surface of the water, two faces for each wet cell, with depth and speed of its points: the means of
/// the wet cells around. `None` where all is dry.
fn surface(land: &Land, water: &Snapshot) -> Result<Option<TriangleMesh>, Failure> {
    let (columns, wide) = (water.columns as usize, water.columns as usize + 1);
    // level, depth, speed, how many cells
    let mut sums = vec![[0.0_f64; 4]; wide * (water.rows as usize + 1)];
    let wet = || (0..water.depths.len()).filter(|&cell| water.wet[cell]);
    for cell in wet() {
        let here = [water.level(cell), f64::from(water.depths[cell]), f64::from(water.speed(cell)), 1.0];
        for point in corners(cell, columns) {
            sums[point] = [0, 1, 2, 3].map(|k| sums[point][k] + here[k]);
        }
    }
    let (mut numbers, mut positions) = (vec![u32::MAX; sums.len()], vec![]);
    let (mut depths, mut speeds) = (vec![], vec![]);
    for (point, &[level, depth, speed, count]) in sums.iter().enumerate().filter(|(_, sum)| sum[3] > 0.0) {
        numbers[point] = index(positions.len())?;
        let at = |k: usize| k as f64 * land.terrain.spacing();
        positions.push(DVec3::new(at(point % wide), at(point / wide), level / count));
        depths.push((depth / count) as f32);
        speeds.push((speed / count) as f32);
    }
    let faces = wet().flat_map(|cell| {
        let [a, b, c, d] = corners(cell, columns).map(|point| numbers[point]);
        [[a, b, c], [a, c, d]]
    });
    let faces: Vec<[u32; 3]> = faces.collect();
    if faces.is_empty() {
        return Ok(None);
    }
    let mut mesh = TriangleMesh::new(positions, faces);
    mesh.vertices_mut().insert("depth", depths)?;
    mesh.vertices_mut().insert("speed", speeds)?;
    Ok(Some(mesh))
}
