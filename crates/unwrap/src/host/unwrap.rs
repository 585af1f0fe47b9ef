//! Texture coordinates of a whole mesh.
use super::disk::Glued;
use super::distortion::distortion;
use super::flatten::Flat;
use super::layout::{Layout, Outline, fitted, grown};
use super::options::{MOST, UnwrapOptions, UnwrapReport};
use super::overlap::boundary_meets_itself;
use super::pieces::Pieces;
use super::split::halves;
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::{Column, Role, TriangleMesh};
use ribbonmesh::{Device, Error, Result};

/// The name of the column of texture coordinates.
pub const TEXTURE_COORDINATES: &str = "texcoord";

/// Times that charts are divided because single precision folds them.
const ROUNDINGS: u32 = 6;

/// Gives a mesh texture coordinates: cuts it into charts, maps each to the plane without folding a triangle,
/// and packs them into the unit square. The result is a column `texcoord` of corners, which replaces those
/// that there are; positions and faces stay. No two triangles overlap there. Any triangles will do; edges
/// with more than two faces, or whose faces do not agree in orientation, are seams.
///
/// ```
/// use ribbonmesh::{Device, mesh::shapes};
/// use ribbonmesh_unwrap::{UnwrapOptions, unwrap};
///
/// # fn main() -> ribbonmesh::Result<()> {
/// let mut mesh = shapes::icosphere(3).expect("small");
/// let report = unwrap(&Device::auto(), &mut mesh, &UnwrapOptions::default())?;
/// assert_eq!(report.flipped, 0);
/// assert_eq!(mesh.corners().get::<[f32; 2]>("texcoord").expect("there").len(), 3 * mesh.faces.len());
/// # Ok(())
/// # }
/// ```
/// # Errors
/// [`Error::Option`]; [`Error::NotFinite`], [`Error::IndexOutOfRange`]; [`Error::Option`] for a resolution
/// that the charts do not fit, and a density beyond the greatest texture; out of memory; errors of the
/// driver.
pub fn unwrap(device: &Device, mesh: &mut TriangleMesh, options: &UnwrapOptions) -> Result<UnwrapReport> {
    options.check()?;
    let frame = Frame::of(mesh)?;
    let pieces = Pieces::new(device, mesh, &frame, options)?;
    let (coordinates, report) = device.install(|| pieces.unwrapped(device, &frame, options))?;
    set_coordinates(mesh, coordinates)?;
    Ok(report)
}

/// Replaces the texture coordinates of a mesh.
pub fn set_coordinates(mesh: &mut TriangleMesh, coordinates: Vec<[f32; 2]>) -> Result<()> {
    let column = Column::with_role(TEXTURE_COORDINATES, Role::TextureCoordinate(0), coordinates);
    let is_old = |column: &Column| matches!(column.role(), Role::TextureCoordinate(0));
    mesh.vertices_mut().retain(|column| !is_old(column));
    mesh.corners_mut().retain(|column| !is_old(column) && column.name() != TEXTURE_COORDINATES);
    mesh.corners_mut().insert_column(column).map_err(|error| Error::Invalid(error.to_string()))
}

/// Positions around the origin, about 1 in size.
pub struct Frame {
    /// The positions.
    pub positions: Vec<DVec3>,
    /// The length of 1.
    pub unit: f64,
}
impl Frame {
    /// That of the vertices of a mesh.
    pub fn of(mesh: &TriangleMesh) -> Result<Self> {
        if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
            return Err(Error::NotFinite { vertex });
        }
        let used = || mesh.faces.as_flattened().iter().filter_map(|&v| mesh.positions.get(v as usize));
        let low = used().fold(DVec3::INFINITY, |low, p| low.min(*p));
        let high = used().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
        let unit = (0.5 * high - 0.5 * low).max_element() * 2.0;
        let unit = if unit > 0.0 && unit.is_finite() { unit } else { 1.0 };
        let middle = if low.is_finite() { 0.5 * low + 0.5 * high } else { DVec3::ZERO };
        let positions = mesh.positions.iter().map(|p| (*p - middle) / unit).collect();
        Ok(Self { positions, unit })
    }
}

impl Pieces {
    /// All of it but the segments.
    fn unwrapped(
        mut self,
        device: &Device,
        frame: &Frame,
        options: &UnwrapOptions,
    ) -> Result<(Vec<[f32; 2]>, UnwrapReport)> {
        let groups = self.groups();
        let (mut flats, mut halved) = self.flats(device, frame, groups, options.max_stretch)?;
        let mut rounding = 0;
        loop {
            let layout = packed(&flats, frame, options)?;
            let placed: Vec<Vec<[f32; 2]>> =
                flats.par_iter().zip(&layout.1).map(|(flat, at)| at.of(flat)).collect();
            let folded = |(flat, placed): (&Flat, &Vec<[f32; 2]>)| {
                flat.disk.faces.len() > 1 && is_folded(flat, placed)
            };
            let bad: Vec<bool> = flats.par_iter().zip(&placed).map(folded).collect();
            rounding += 1;
            if rounding > ROUNDINGS || !bad.contains(&true) {
                let mesh = self.glued(frame);
                return Ok(result(&mesh, &flats, placed, &layout.0, frame, self.degenerate, halved));
            }
            let (again, kept): (Vec<_>, Vec<_>) = flats.into_iter().zip(bad).partition(|(_, bad)| *bad);
            halved += again.len();
            let parts = {
                let mesh = self.glued(frame);
                again.iter().map(|(flat, _)| halves(&mesh, &flat.disk)).collect()
            };
            let parts = self.part(parts);
            let (more, further) = self.flats(device, frame, parts, options.max_stretch)?;
            halved += further;
            flats = kept.into_iter().map(|(flat, _)| flat).chain(more).collect();
        }
    }
}

/// Whether single precision folds triangles, or lets the boundary touch itself.
fn is_folded(flat: &Flat, placed: &[[f32; 2]]) -> bool {
    let at: Vec<DVec2> = placed.iter().map(|p| DVec2::from(p.map(f64::from))).collect();
    let turns = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| at[v as usize]);
        (b - a).perp_dot(c - a) > 0.0
    };
    !flat.disk.corners.iter().all(turns) || boundary_meets_itself(&flat.disk.loops[0], &at)
}

/// Where a chart is on the texture.
struct Place {
    turn: DVec2,
    scale: f64,
    add: DVec2,
}
impl Place {
    fn of(&self, flat: &Flat) -> Vec<[f32; 2]> {
        let at = |p: &DVec2| (self.turn.rotate(*p) * self.scale + self.add).as_vec2().to_array();
        flat.positions.iter().map(at).collect()
    }
}
fn packed(flats: &[Flat], frame: &Frame, options: &UnwrapOptions) -> Result<(Layout, Vec<Place>)> {
    let boundary = |flat: &Flat| -> Vec<DVec2> {
        flat.disk.loops[0].iter().map(|&v| flat.positions[v as usize]).collect()
    };
    let outlines: Vec<Outline> = flats.par_iter().map(|flat| Outline::new(&boundary(flat))).collect();
    let layout = match options.density {
        None => fitted(&outlines, options.resolution, options.padding).ok_or(Error::Option {
            option: "resolution",
            value: options.resolution.to_string(),
            expected: "enough texels for all charts with their padding",
        })?,
        Some(density) => {
            let layout = grown(&outlines, density * frame.unit, options.padding, MOST);
            layout.ok_or(Error::Option {
                option: "density",
                value: density.to_string(),
                expected: "so many texels per unit that the texture has at most 32,768 of them in a row",
            })?
        }
    };
    let side = f64::from(layout.side);
    let place = |(outline, (at, turned)): (&Outline, &(DVec2, bool))| {
        // turned by 180 degrees, the upper right corner comes to the lower left
        let (turn, corner) = match turned {
            false => (outline.turn, outline.low),
            true => (-outline.turn, -outline.low - outline.size),
        };
        Place { turn, scale: layout.scale / side, add: (*at - corner * layout.scale) / side }
    };
    let places = outlines.iter().zip(&layout.places).map(place).collect();
    Ok((layout, places))
}

/// Coordinates of corners and the report.
fn result(
    mesh: &Glued<'_>,
    flats: &[Flat],
    placed: Vec<Vec<[f32; 2]>>,
    layout: &Layout,
    frame: &Frame,
    degenerate_faces: usize,
    halved: usize,
) -> (Vec<[f32; 2]>, UnwrapReport) {
    let mut coordinates = vec![[0.0; 2]; 3 * mesh.faces.len()];
    let (mut flipped, mut collapsed, mut used) = (0, 0, 0.0);
    for (flat, placed) in flats.iter().zip(placed) {
        for (face, corners) in flat.disk.faces.iter().zip(&flat.disk.corners) {
            let at = corners.map(|v| placed[v as usize]);
            let [a, b, c] = at.map(|p| DVec2::from(p.map(f64::from)));
            let twice = (b - a).perp_dot(c - a);
            flipped += usize::from(twice < 0.0);
            collapsed += usize::from(twice == 0.0);
            used += 0.5 * twice;
            coordinates[3 * *face as usize..][..3].copy_from_slice(&at);
        }
    }
    let report = UnwrapReport {
        charts: flats.len(),
        resolution: layout.side,
        density: layout.scale / frame.unit,
        used,
        seams: seams(mesh),
        distortion: distortion(mesh, flats),
        flipped,
        collapsed,
        degenerate_faces,
        halved,
        steps: flats.iter().map(|flat| flat.steps).max().unwrap_or(0),
    };
    (coordinates, report)
}
/// The length of edges between two pieces, over the root of the area.
fn seams(mesh: &Glued<'_>) -> f64 {
    let n = mesh.faces.len() as u32;
    let is_seam = |corner: &u32| {
        let twin = mesh.twins[*corner as usize];
        twin != NONE && *corner < twin && mesh.across(*corner).is_none()
    };
    let side = |corner: u32| {
        let at = mesh.corners(corner / 3);
        at[corner as usize % 3].distance(at[(corner as usize + 1) % 3])
    };
    let area: f64 = (0..n).map(|f| super::disk::normal(mesh.corners(f)).length()).sum();
    let length: f64 = (0..3 * n).filter(is_seam).map(side).sum();
    // a sum of nothing is -0
    if area > 0.0 { length.abs() / area.sqrt() } else { 0.0 }
}
