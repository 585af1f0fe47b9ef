//! Test which points are inside a surface.
use crate::inside::kernels::{MovePoints, POINTS, TellPoints};
use crate::inside::solver::{InsideTest, checked_points};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::along_curve;
use ribbonmesh::{Buffer, Error, Result, Surface, array};
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

/// Result of [`inside_arrays`] for each point, on the device.
pub struct InsideArrays {
    /// Numbers of points.
    pub report: InsideReport,
    /// 1 where the point is inside, else 0, as [`Inside::inside`].
    pub inside: Buffer<u8>,
    /// The winding number, as [`Inside::winding`].
    pub winding: Buffer<f32>,
}

/// Points from which on they are looked for along a curve.
const FEW: usize = 1 << 14;

/// Finds which points are inside a surface. Points are moved to the surface's origin and rounded to single
/// precision. Waits.
///
/// For points on the device see [`inside_arrays`]; for several lists of points, [`InsideTest`].
/// # Errors
/// [`Error::PointNotFinite`]; [`Error::NotFinite`] names a vertex by its index in the input;
/// [`Error::Option`] for `beta` below 1, and for rays and a surface that is not closed; out of memory; errors
/// of the driver.
pub fn inside(surface: &Surface, points: &[DVec3], options: &InsideOptions) -> Result<Inside> {
    if let Some(point) = points.iter().position(|p| !p.is_finite()) {
        return Err(Error::PointNotFinite { point });
    }
    let most = f64::from(f32::MAX);
    let around = |p: &DVec3| (*p - surface.origin()).clamp(DVec3::splat(-most), DVec3::splat(most)).as_vec3();
    let points: Vec<Vec3> = points.iter().map(around).collect();
    let found = tested(surface, &surface.device().upload(&points)?, DVec3::ZERO, options)?;
    let inside = found.inside.read()?.into_iter().map(|inside| inside == 1).collect();
    Ok(Inside { report: found.report, inside, winding: found.winding.read()? })
}

/// The same for points that are on the surface's device, in the coordinates of the input; results stay there.
/// Waits.
/// # Errors
/// As [`inside`]; [`Error::OtherDevice`]; [`Error::TooMany`].
pub fn inside_arrays(
    surface: &Surface,
    points: &Buffer<Vec3>,
    options: &InsideOptions,
) -> Result<InsideArrays> {
    tested(surface, points, surface.origin(), options)
}

/// Tests points minus `origin`.
fn tested(
    surface: &Surface,
    points: &Buffer<Vec3>,
    origin: DVec3,
    options: &InsideOptions,
) -> Result<InsideArrays> {
    let mut test = InsideTest::of_surface(surface)?;
    let closed = test.is_closed()?;
    if options.method != Method::Winding && !closed {
        let expected = "the surface is not closed, for which only winding works";
        return Err(Error::Option { option: "method", value: options.method.to_string(), expected });
    }
    let (device, n) = (surface.device(), checked_points(surface.device(), points)?);
    let order = if points.len() < FEW { device.unspecified(0)? } else { along_curve(points)? };
    let mut around = device.unspecified::<Vec3>(points.len())?;
    let kernel = MovePoints {
        points: points.view(),
        order: order.view(),
        origin: origin.to_array(),
        to: around.view_mut(),
    };
    device.launch_each(n, kernel)?;
    let (winding, odd) = match options.method {
        Method::Rays => {
            let crossings = test.cast(&around)?;
            (crossings.winding, crossings.odd)
        }
        Method::Winding if options.exact => (test.winding_of_all(&around)?, device.unspecified(0)?),
        Method::Winding => (test.winding(&around, options.beta)?, device.unspecified(0)?),
    };
    let (mut numbers, mut inside) = (device.unspecified(points.len())?, device.unspecified(points.len())?);
    let blocks = n.div_ceil(POINTS);
    let mut counts = device.unspecified::<u32>(blocks as usize)?;
    let kernel = TellPoints {
        winding: winding.view(),
        odd: odd.view(),
        order: order.view(),
        numbers: numbers.view_mut(),
        inside: inside.view_mut(),
        counts: counts.view_mut(),
    };
    device.launch(blocks, kernel)?;
    let report = InsideReport { points: u64::from(n), inside: array::sum(&counts)?, closed };
    Ok(InsideArrays { report, inside, winding: numbers })
}
