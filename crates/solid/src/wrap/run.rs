//! Wrapping of a surface.
use crate::inside::InsideTest;
use crate::wrap::extract::extract;
use crate::wrap::field::{Field, Source};
use crate::wrap::grid::Grid;
use crate::wrap::options::{WrapOptions, WrapReport};
use crate::wrap::project::project;
use glam::Vec3;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::surface::{Changed, Vertices};
use ribbonmesh::{Error, FlatTopology, Result, Surface};

/// Replaces a surface, which may be any triangles, by a closed oriented manifold around them with outward
/// faces and without self-intersections.
///
/// Distances and winding numbers are computed on the device, at the nodes of a grid near the triangles; the
/// surface is extracted on the host, on rayon's pool. Attributes are transferred as by [`Surface::replace`].
/// Time and memory grow with the square of the resolution. Waits.
/// # Errors
/// [`Error::NoFaces`]; [`Error::NotFinite`] names a vertex by its index in the input; [`Error::Option`]; out
/// of memory; errors of the driver. The surface is unchanged then.
pub fn wrap(surface: &mut Surface, options: &WrapOptions) -> Result<WrapReport> {
    options.check()?;
    let device = surface.device().clone();
    let mut report = WrapReport::default();
    let (positions, faces) = {
        if surface.triangles().faces().is_empty() {
            return Err(Error::NoFaces { what: "the surface to wrap" });
        }
        let test = InsideTest::of_surface(surface)?;
        let around = surface.measured()?.bounds();
        let [low, high] = [around.low, around.high].map(|p| p.as_vec3());
        let grid = Grid::around(&around, options.resolution, options.offset + 2.0);
        let (cell, offset) = (grid.cell, options.offset);
        let mut source = Source { test, device: &device, offset, low, high, winding: options.winding };
        let mut field = Field::new(grid, &mut source)?;
        report.cell = cell;
        report.nodes = field.nodes() as u64;
        field.close_cavities();
        let (mut positions, faces) = extract(&field);
        drop(field);
        if options.project {
            let reach = ((offset + 2.0) * cell) as f32;
            project(&device, source.test.tree(), &mut positions, &faces, reach, cell as f32, &mut report)?;
        }
        (positions, faces)
    };
    report.vertices = positions.len() as u64;
    report.faces = faces.len() as u64;
    let flat = FlatTopology::new(&device, positions.len(), &faces)?;
    let mesh = DynamicMesh::from_flat(&flat, 0.0)?;
    let positions: DynamicAttribute<_, Vec3> = DynamicAttribute::from_ids(&mesh, &positions)?;
    surface.replace(Changed {
        mesh,
        positions,
        scale: 1.0,
        vertices: Vertices::Others,
        curves: None,
        seams_kept: false,
        sources: None,
    })?;
    Ok(report)
}
