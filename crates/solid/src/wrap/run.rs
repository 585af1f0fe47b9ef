//! Wrapping of a surface.
use crate::inside::InsideTest;
use crate::wrap::cubes::extract;
use crate::wrap::field::{Field, Source};
use crate::wrap::grid::Grid;
use crate::wrap::options::{WrapOptions, WrapReport};
use crate::wrap::project::project;
use ribbonmesh::{Error, Result, Surface};

/// Replaces a surface, which may be any triangles, by a closed oriented manifold around them with outward
/// faces and without self-intersections.
///
/// All of it is computed on the device. Attributes are transferred as by [`Surface::replace`]. Time and
/// memory grow with the square of the resolution. Waits.
/// # Errors
/// [`Error::NoFaces`]; [`Error::NotFinite`] names a vertex by its index in the input; [`Error::Option`]; out
/// of memory; errors of the driver. The surface is unchanged then.
pub fn wrap(surface: &mut Surface, options: &WrapOptions) -> Result<WrapReport> {
    options.check()?;
    let mut report = WrapReport::default();
    let (positions, faces) = {
        if surface.triangles().faces().is_empty() {
            return Err(Error::NoFaces { what: "the surface to wrap" });
        }
        let test = InsideTest::of_surface(surface)?;
        let around = surface.measured()?.bounds();
        let corners = [around.low, around.high].map(|p| p.as_vec3());
        let grid = Grid::around(&around, options.resolution, options.offset + 2.0);
        let (cell, offset) = (grid.cell, options.offset);
        let mut source = Source::new(test, offset, corners, options.winding)?;
        let mut field = Field::new(grid, &mut source)?;
        report.cell = cell;
        report.nodes = field.nodes() as u64;
        field.close_cavities()?;
        let (mut positions, faces) = extract(&field)?;
        drop(field);
        if options.project {
            let reach = ((offset + 2.0) * cell) as f32;
            project(source.test.tree(), &mut positions, &faces, reach, cell as f32, &mut report)?;
        }
        (positions, faces)
    };
    report.vertices = positions.len() as u64;
    report.faces = (faces.len() / 3) as u64;
    surface.replace_triangles(positions, faces)?;
    Ok(report)
}
