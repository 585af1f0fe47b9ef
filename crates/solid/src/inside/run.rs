//! Test which points are inside a surface.
use crate::inside::solver::InsideTest;
use glam::{DVec3, Vec3};
use ribbonmesh::{Error, Result, Surface};
use ribbonmesh_application::Choice;

/// Method that decides whether a point is inside.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// By its winding number: for any triangles, also with holes.
    #[default]
    Winding,
    /// By the crossings of a ray: exact, for closed surfaces.
    Rays,
}

/// Options of [`inside`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsideOptions {
    /// Method of the test.
    pub method: Method,
    /// With [`Method::Winding`]: nodes farther away than this many of their radii count by their moments. At
    /// least 1.
    pub beta: f32,
    /// With [`Method::Winding`]: add up all faces instead.
    pub exact: bool,
}
impl Default for InsideOptions {
    fn default() -> Self {
        Self { method: Method::default(), beta: 2.0, exact: false }
    }
}

/// Numbers of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsideReport {
    /// Number of points.
    pub points: u64,
    /// Number of points inside.
    pub inside: u64,
    /// Whether each edge of the surface has an even number of faces, see [`InsideTest::is_closed`].
    pub closed: bool,
}

/// Result of [`inside`] for each point.
#[derive(Clone, Debug, PartialEq)]
pub struct Inside {
    /// Numbers of points.
    pub report: InsideReport,
    /// Whether the point is inside. With winding numbers it is if the number is more than one half, or less
    /// than minus one half; with rays, if the number of crossings is odd. The two differ within two closed
    /// surfaces of the same orientation, where the winding number is 2.
    pub inside: Vec<bool>,
    /// The winding number, see [`InsideTest::winding`] and [`Crossings`](crate::inside::Crossings).
    pub winding: Vec<f32>,
}

/// Finds which points are inside a surface. Points are moved to the surface's origin and rounded to single
/// precision. Waits.
///
/// For several lists of points, or points on the device, use an [`InsideTest`].
/// # Errors
/// [`Error::PointNotFinite`]; [`Error::NotFinite`] names a vertex by its index in the input;
/// [`Error::Option`] for `beta` below 1, and for rays and a surface that is not closed; out of memory; errors
/// of the driver.
pub fn inside(surface: &Surface, points: &[DVec3], options: &InsideOptions) -> Result<Inside> {
    if let Some(point) = points.iter().position(|p| !p.is_finite()) {
        return Err(Error::PointNotFinite { point });
    }
    let mut test = InsideTest::of_surface(surface)?;
    let closed = test.is_closed()?;
    if options.method != Method::Winding && !closed {
        let expected = "the surface is not closed, for which only winding works";
        return Err(Error::Option { option: "method", value: options.method.to_string(), expected });
    }
    let most = f64::from(f32::MAX);
    let around = |p: &DVec3| (*p - surface.origin()).clamp(DVec3::splat(-most), DVec3::splat(most)).as_vec3();
    let points: Vec<Vec3> = points.iter().map(around).collect();
    let points = surface.device().upload(&points)?;
    let (inside, winding) = if options.method == Method::Rays {
        let crossings = test.cast(&points)?;
        (crossings.odd.read()?.into_iter().map(|odd| odd == 1).collect(), crossings.winding.read()?)
    } else {
        let winding = match options.exact {
            true => test.winding_of_all(&points)?,
            false => test.winding(&points, options.beta)?,
        };
        let winding = winding.read()?;
        (winding.iter().map(|w| w.abs() > 0.5).collect::<Vec<_>>(), winding)
    };
    let count = inside.iter().filter(|inside| **inside).count() as u64;
    let report = InsideReport { points: inside.len() as u64, inside: count, closed };
    Ok(Inside { report, inside, winding })
}
