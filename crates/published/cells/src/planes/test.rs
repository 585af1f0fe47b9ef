//! A surface in tables of planes, and questions about points.
use crate::measured::Measured;
use crate::planes::kernels::{CastInPlane, InsertShadows, PlanesArguments};
use crate::planes::shadow::ShadowsArguments;
use crate::table::{CellTable, TableSize};
use glam::Vec3;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_solid::inside::{Crossings, checked_points};
use ribbonmesh_solid::intersections::{FacesArguments, TRIANGLES, Triangles};

/// The faces seen along an axis.
struct Plane<'a> {
    measured: Measured<'a>,
    table: CellTable,
}
impl Plane<'_> {
    fn view_mut(&mut self) -> ShadowsArguments<'_> {
        ShadowsArguments { table: self.table.view_mut(), facts: self.measured.view_mut() }
    }
}

/// A surface that is asked which points and which of its faces are inside, by hash tables of its faces in
/// coordinate planes: the rays of [`InsideTest`](ribbonmesh_solid::inside::InsideTest) without a tree.
/// Triangles may be any; rays tell what is inside only where the surface [is
/// closed](ribbonmesh_solid::inside::InsideTest::is_closed).
///
/// Memory on the device: 68 to 136 bytes per face for each plane; points need one.
pub struct PlaneTest<'a> {
    pub(super) triangles: Triangles<'a>,
    across_x: Plane<'a>,
    /// The tables across y and z, once they are needed.
    others: Option<[Plane<'a>; 2]>,
}

impl<'a> PlaneTest<'a> {
    /// Makes the table of the plane across x, with cells in levels, as large as needed. Waits.
    /// # Errors
    /// As [`Measured::new`] and [`Measured::is_complete`].
    pub fn new(triangles: Triangles<'a>) -> Result<Self> {
        Self::with_size(triangles, TableSize::of((triangles.faces.len() / 3) as u32))
    }
    pub(crate) fn with_size(triangles: Triangles<'a>, size: TableSize) -> Result<Self> {
        Ok(Self { triangles, across_x: plane(triangles, 0, size)?, others: None })
    }
    /// The device.
    pub fn device(&self) -> &'a Device {
        self.triangles.positions.device()
    }
    pub(super) fn faces(&self) -> FacesArguments<'a> {
        let Triangles { positions, faces } = self.triangles;
        FacesArguments { positions: positions.view(), vertices: faces.view().wide(), in_tree: 0 }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        std::iter::once(&self.across_x)
            .chain(self.others.iter().flatten())
            .map(|plane| plane.table.bytes())
            .sum()
    }
    /// The tables of all three planes; makes missing ones, and waits then.
    pub(super) fn all(&mut self) -> Result<PlanesArguments<'_>> {
        let others = match self.others.take() {
            Some(others) => others,
            None => {
                let size = TableSize::of((self.triangles.faces.len() / 3) as u32);
                [plane(self.triangles, 1, size)?, plane(self.triangles, 2, size)?]
            }
        };
        let [y, z] = self.others.insert(others);
        Ok(PlanesArguments { x: self.across_x.view_mut(), y: y.view_mut(), z: z.view_mut() })
    }
    /// As [`InsideTest::cast`](ribbonmesh_solid::inside::InsideTest::cast), with the same result: rays along
    /// +x, exactly, as if each began at p + (ε, ε², ε³).
    /// # Errors
    /// As [`InsideTest::cast`](ribbonmesh_solid::inside::InsideTest::cast).
    pub fn cast(&mut self, points: &Buffer<Vec3>) -> Result<Crossings> {
        let (device, faces) = (self.device(), self.faces());
        let n = checked_points(device, points)?;
        let mut winding = device.unspecified::<f32>(points.len())?;
        let mut odd = device.unspecified::<u32>(points.len())?;
        let kernel = CastInPlane {
            faces,
            shadows: self.across_x.view_mut(),
            points: points.view(),
            sums: winding.view_mut(),
            odd: odd.view_mut(),
        };
        device.launch(n.div_ceil(TRIANGLES), kernel)?;
        Ok(Crossings { winding, odd })
    }
}

/// The table of faces seen along an axis, made again if it is too small. Waits.
fn plane(triangles: Triangles<'_>, axis: u32, size: TableSize) -> Result<Plane<'_>> {
    let device = triangles.positions.device();
    let measured = Measured::new(triangles)?;
    let n = measured.faces();
    let mut made = Plane { measured, table: CellTable::new(device, size)? };
    loop {
        device
            .launch(tiles(n), InsertShadows { faces: triangles.view(), n, axis, shadows: made.view_mut() })?;
        if made.measured.is_complete()? {
            return Ok(made);
        }
        made.measured.forget()?;
        made.table = CellTable::new(device, TableSize::grown(n))?;
    }
}
