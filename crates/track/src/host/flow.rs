//! Flows, which move vertices.
use super::options::Integration;
use super::values::Values;
use crate::advect::{AdvectionArguments, MoveOn, Part};
use crate::geometry::{AlongNormals as AlongNormalsKernel, ByCurvature as ByCurvatureKernel};
use crate::rank::VERTICES;
use glam::Vec3;
use ribbonmesh::device::{ColumnView, ColumnViewMut, ElementKind, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, DynamicViewArguments};
use ribbonmesh::{Buffer, Device, Result, Vertex};

/// Motion of the vertices of a surface: velocities, and their integration over a step.
///
/// A flow whose velocity depends on position and time launches one kernel, which calls
/// [`crate::advect::advect`], with [`Motion::arguments`]. A flow that has a kernel of velocities passes it to
/// [`Motion::by_stages`]; a flow whose velocities are computed elsewhere, on any device, calls
/// [`Motion::by_buffers`].
pub trait Flow {
    /// Moves all vertices by one step.
    /// # Errors
    /// Errors of the driver; out of memory.
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()>;
    /// Whether a step may be repeated in several parts, between which vertices may get other ids; false for a
    /// flow that stores velocities by vertex.
    fn may_repeat(&self) -> bool {
        true
    }
    /// Vertices where the flow has no valid velocity, or which it cannot bring to its surface, after a step
    /// has moved and improved the surface: for each vertex, deleted ones included, 1, else 0; `None` if there
    /// are none. With [`Method::GridFree`](crate::Method::GridFree) the faces at them are deleted as those
    /// that intersect are, and holes are joined and filled (Chentanez and others 2016, section 3.4, for
    /// liquids of particles). New vertices are not asked for again in the step.
    /// # Errors
    /// Errors of the driver; out of memory.
    fn lost(&mut self, _places: &Places<'_>) -> Result<Option<Buffer<u32>>> {
        Ok(None)
    }
}
impl<F: Flow + ?Sized> Flow for &mut F {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        (**self).advance(motion)
    }
    fn may_repeat(&self) -> bool {
        (**self).may_repeat()
    }
    fn lost(&mut self, places: &Places<'_>) -> Result<Option<Buffer<u32>>> {
        (**self).lost(places)
    }
}

/// The vertices of a surface at the end of a step, for [`Flow::lost`].
pub struct Places<'m> {
    pub(super) mesh: &'m DynamicMesh,
    pub(super) x: &'m DynamicAttribute<Vertex, Vec3>,
    pub(super) time: f64,
}
impl Places<'_> {
    /// The device.
    pub fn device(&self) -> &Device {
        self.mesh.device()
    }
    /// Number of vertices, deleted ones included.
    pub fn vertices(&self) -> u32 {
        self.mesh.ids(ElementKind::Vertex)
    }
    /// The time.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// Positions by id, deleted vertices included.
    pub fn positions(&self) -> ColumnView<'_, Vertex, Vec3> {
        self.x.view()
    }
    /// A copy of the positions on the device.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn copy(&self) -> Result<Buffer<Vec3>> {
        self.x.to_buffer(self.mesh)
    }
}

/// One step of a motion, before it is made.
pub struct Motion<'m> {
    pub(super) mesh: &'m mut DynamicMesh,
    pub(super) values: &'m mut Values,
    pub(super) faults: &'m mut Buffer<u32>,
    pub(super) time: f64,
    pub(super) dt: f64,
    pub(super) integration: Integration,
    /// The squared distance beyond which a vertex moves too far.
    pub(super) most: f32,
}

/// Arguments of a kernel of velocities.
pub struct Stage<'a> {
    /// The mesh, with half-edges of vertices.
    pub mesh: DynamicViewArguments<'a>,
    /// Number of vertices.
    pub n: u32,
    /// The time of the stage.
    pub time: f64,
    /// Positions at that time.
    pub x: ColumnView<'a, Vertex, Vec3>,
    /// The velocities, to be written.
    pub velocities: ColumnViewMut<'a, Vertex, Vec3>,
}

/// The stages of the classic Runge–Kutta method: part of the step at which the velocity is taken, its weight,
/// and the time from the beginning of the step to the next stage.
const STAGES: [(f64, f32, f32); 4] =
    [(0.0, 1.0 / 6.0, 0.5), (0.5, 1.0 / 3.0, 0.5), (0.5, 1.0 / 3.0, 1.0), (1.0, 1.0 / 6.0, 0.0)];

impl Motion<'_> {
    /// The device.
    pub fn device(&self) -> Device {
        self.mesh.device().clone()
    }
    /// Number of vertices, deleted ones included.
    pub fn vertices(&self) -> u32 {
        self.mesh.ids(ElementKind::Vertex)
    }
    /// Blocks of a kernel that calls [`crate::advect::advect`].
    pub fn blocks(&self) -> u32 {
        tiles(self.vertices())
    }
    /// The time at which the step begins.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// The length of the step.
    pub fn dt(&self) -> f64 {
        self.dt
    }
    /// Arguments of [`crate::advect::advect`].
    pub fn arguments(&mut self) -> AdvectionArguments<'_> {
        AdvectionArguments {
            mesh: self.mesh.view(),
            n: self.mesh.ids(ElementKind::Vertex),
            time: self.time as f32,
            dt: self.dt as f32,
            fourth_order: (self.integration == Integration::RungeKutta) as u32,
            most: self.most,
            x: self.values.x.view(),
            y: self.values.y.view_mut(),
            faults: self.faults.view_mut(),
        }
    }
    /// Moves vertices by velocities that `write` writes: once, or for each of the four stages.
    /// # Errors
    /// The errors of `write`; out of memory; errors of the driver.
    pub fn by_stages(&mut self, mut write: impl FnMut(&Device, Stage<'_>) -> Result<()>) -> Result<()> {
        let (device, n) = (self.device(), self.vertices());
        self.each_stage(|motion, first, time, velocities| {
            let x = if first { motion.values.x.view() } else { motion.values.y.view() };
            let velocities = velocities.view_mut();
            write(&device, Stage { mesh: motion.mesh.view(), n, time, x, velocities })
        })
    }
    /// Moves vertices by velocities that are computed elsewhere. `velocity` gets a copy of the positions, by
    /// id and with those of deleted vertices, and the time, and returns the same number of velocities; it is
    /// called once, or for each of the four stages. Copies 24 bytes per vertex and stage in addition to the
    /// traffic of the stages.
    /// # Errors
    /// The errors of `velocity`; [`Error::Length`](ribbonmesh::Error::Length) and
    /// [`Error::OtherDevice`](ribbonmesh::Error::OtherDevice) for its result; out of memory; errors of the
    /// driver.
    pub fn by_buffers(
        &mut self,
        mut velocity: impl FnMut(Buffer<Vec3>, f64) -> Result<Buffer<Vec3>>,
    ) -> Result<()> {
        self.each_stage(|motion, first, time, velocities| {
            let x = if first { &motion.values.x } else { &motion.values.y };
            let given = velocity(x.to_buffer(motion.mesh)?, time)?;
            *velocities = DynamicAttribute::from_buffer(motion.mesh, &given)?;
            Ok(())
        })
    }
    /// Runs the stages: `write` writes the velocities at a time, at the positions of the beginning or at
    /// those of the last stage.
    fn each_stage(
        &mut self,
        mut write: impl FnMut(&mut Self, bool, f64, &mut DynamicAttribute<Vertex, Vec3>) -> Result<()>,
    ) -> Result<()> {
        let (device, n) = (self.device(), self.vertices());
        let mut velocities = self.take_velocities()?;
        let mut sums = match self.values.sums.take() {
            Some(sums) => sums,
            None => DynamicAttribute::zeros(self.mesh)?,
        };
        self.mesh.refresh_view()?;
        let euler = [(0.0, 1.0, 0.0)];
        let stages = if self.integration == Integration::Euler { &euler[..] } else { &STAGES[..] };
        for (i, &(part, weight, ahead)) in stages.iter().enumerate() {
            write(self, i == 0, self.time + part * self.dt, &mut velocities)?;
            let (first, last) = ((i == 0) as u32, (i + 1 == stages.len()) as u32);
            let kernel = MoveOn {
                motion: self.arguments(),
                velocities: velocities.view(),
                sums: sums.view_mut(),
                part: Part { weight, ahead, first, last },
            };
            device.launch(tiles(n), kernel)?;
        }
        (self.values.velocities, self.values.sums) = (Some(velocities), Some(sums));
        Ok(())
    }
    fn take_velocities(&mut self) -> Result<DynamicAttribute<Vertex, Vec3>> {
        match self.values.velocities.take() {
            Some(velocities) => Ok(velocities),
            None => DynamicAttribute::zeros(self.mesh),
        }
    }
}

/// Given velocities of the vertices. They are integrated by Euler's method, whatever the options say. They
/// have to belong to the tracker's mesh as it is before the step; otherwise the step returns
/// [`Error::OtherMesh`](ribbonmesh::Error::OtherMesh) or
/// [`Error::OtherNumbering`](ribbonmesh::Error::OtherNumbering).
pub struct Given<'a>(pub &'a DynamicAttribute<Vertex, Vec3>);
impl Flow for Given<'_> {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        self.0.require_mesh(motion.mesh)?;
        let (device, blocks) = (motion.device(), motion.blocks());
        let mut none = device.zeros::<Vec3>(0)?;
        let kernel = MoveOn {
            motion: motion.arguments(),
            velocities: self.0.view(),
            sums: ColumnViewMut::new(none.view_mut()),
            part: Part { weight: 1.0, ahead: 0.0, first: 1, last: 1 },
        };
        device.launch(blocks, kernel)
    }
    fn may_repeat(&self) -> bool {
        false
    }
}

/// Velocities that a function of copies of the positions and of the time computes: [`Motion::by_buffers`].
pub struct Computed<F>(pub F);
impl<F: FnMut(Buffer<Vec3>, f64) -> Result<Buffer<Vec3>>> Flow for Computed<F> {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        motion.by_buffers(&mut self.0)
    }
}

/// Motion along the normals of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongNormals {
    /// The speed; outwards if it is positive.
    pub speed: f32,
}
impl Flow for AlongNormals {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let speed = self.speed;
        motion.by_stages(|device, Stage { mesh, n, x, velocities, .. }| {
            device.launch(n.div_ceil(VERTICES), AlongNormalsKernel { mesh, x, n, speed, velocities })
        })
    }
}

/// Motion against the mean curvature normal: the mean of the principal curvatures, times a speed. Stable for
/// steps shorter than about a quarter of the square of the shortest edge, divided by the speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByCurvature {
    /// Factor of the curvature.
    pub speed: f32,
}
impl Flow for ByCurvature {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let speed = self.speed;
        motion.by_stages(|device, Stage { mesh, n, x, velocities, .. }| {
            device.launch(n.div_ceil(VERTICES), ByCurvatureKernel { mesh, x, n, speed, velocities })
        })
    }
}
