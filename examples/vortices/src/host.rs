//! Functions for programs.
use crate::kernels::{Carry, Induce, InducedArguments, Vortex};
use ribbonmesh::device::{Vec3, tiles};
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_track::{Flow, Motion};

/// Vortices on a device.
pub struct Vortices {
    now: Buffer<Vortex>,
    halfway: Buffer<Vortex>,
    core: f32,
}
impl Vortices {
    /// Rings around the x axis of radius 1 with circulation 1, one at each of `places`, with `pieces` pieces
    /// each.
    pub fn rings(device: &Device, places: &[f32], pieces: u32) -> Result<Self> {
        let mut vortices: Vec<Vortex> = vec![];
        for &x in places {
            for i in 0..pieces {
                let (sin, cos) = (std::f32::consts::TAU * i as f32 / pieces as f32).sin_cos();
                let length = std::f32::consts::TAU / pieces as f32;
                vortices.push([Vec3::new(x, cos, sin), length * Vec3::new(0.0, -sin, cos)]);
            }
        }
        Ok(Self { now: device.upload(&vortices)?, halfway: device.upload(&vortices)?, core: 0.1 })
    }
    /// The positions of the vortices. Waits.
    pub fn places(&self) -> Result<Vec<Vec3>> {
        Ok(self.now.read()?.into_iter().map(|[middle, _]| middle).collect())
    }
    fn velocity(vortices: &Buffer<Vortex>, core: f32) -> InducedArguments<'_> {
        InducedArguments { vortices: vortices.view(), core }
    }
    /// One step of the simulation, by the midpoint method.
    fn step(&mut self, device: &Device, dt: f32) -> Result<()> {
        let (core, blocks) = (self.core, tiles(self.now.len() as u32));
        let velocity = Self::velocity(&self.now, core);
        let to = self.halfway.view_mut();
        device.launch(blocks, Induce { dt: 0.5 * dt, at: self.now.view(), velocity, to })?;
        let mut next = device.unspecified(self.now.len())?;
        let velocity = Self::velocity(&self.halfway, core);
        device.launch(blocks, Induce { dt, at: self.now.view(), velocity, to: next.view_mut() })?;
        self.now = next;
        Ok(())
    }
}

impl Flow for Vortices {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        let (device, blocks, dt) = (motion.device(), motion.blocks(), motion.dt());
        let velocity = Self::velocity(&self.now, self.core);
        device.launch(blocks, Carry { motion: motion.arguments(), velocity })?;
        self.step(&device, dt as f32)
    }
    // a step that is made again would move the vortices twice
    fn may_repeat(&self) -> bool {
        false
    }
}
