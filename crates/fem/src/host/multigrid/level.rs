//! A level on the device.
use super::blocks::Blocks;
use super::prolongation::SAFE;
use crate::device::matrix::ROWS;
use crate::device::multigrid::{ADD, MultiplyBlocks, Relax, SUBTRACT, Subtract};
use crate::host::error::Result;
use crate::host::kernels::fits;
use crate::host::matrix::{Matrix, Storage};
use ribbonmesh::{Buffer, Device};

/// Chebyshev's iteration is for eigenvalues from the greatest one by this on.
const RATIO: f64 = 10.0;

/// Numbers of the diagonal that differ by more than this factor ask for more than single precision: the sum
/// over stiff parts must not hide soft parts.
const CONTRAST: f64 = 1e4;

/// A matrix of blocks on a device, in single precision, or as the sum of two such matrices.
pub struct OnDevice {
    height: u32,
    width: u32,
    numbers: u32,
    offsets: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<f32>,
    /// The parts of the numbers that single precision rounds away.
    rest: Option<Buffer<f32>>,
}
impl OnDevice {
    /// In single precision.
    pub fn new(device: &Device, a: &Blocks) -> Result<Self> {
        fits("numbers of a matrix", a.values().len() as u64)?;
        let offsets: Vec<u32> = a.offsets().iter().map(|&n| n as u32).collect();
        let values: Vec<f32> = a.values().iter().map(|&x| x as f32).collect();
        Ok(Self {
            height: a.height() as u32,
            width: a.width() as u32,
            numbers: fits("numbers of a vector", (a.rows() * a.height()) as u64)?,
            offsets: device.upload(&offsets)?,
            columns: device.upload(a.indices())?,
            values: device.upload(&values)?,
            rest: None,
        })
    }
    /// A symmetric matrix that must stay positive definite: with twice the numbers where its diagonal has a
    /// great contrast.
    pub fn definite(device: &Device, a: &Blocks) -> Result<Self> {
        let mut own = Self::new(device, a)?;
        if a.contrast() > CONTRAST {
            let rest: Vec<f32> = a.values().iter().map(|&x| (x - f64::from(x as f32)) as f32).collect();
            own.rest = Some(device.upload(&rest)?);
        }
        Ok(own)
    }
    pub fn bytes(&self) -> usize {
        let rest = self.rest.as_ref().map_or(0, Buffer::bytes);
        self.offsets.bytes() + self.columns.bytes() + self.values.bytes() + rest
    }
    /// y = A x, or y += A x.
    pub fn multiply(&self, x: &Buffer<f64>, y: &mut Buffer<f64>, add: bool) -> Result<()> {
        self.multiply_by(&self.values, x, y, add)?;
        match &self.rest {
            Some(rest) => self.multiply_by(rest, x, y, true),
            None => Ok(()),
        }
    }
    fn multiply_by(
        &self,
        values: &Buffer<f32>,
        x: &Buffer<f64>,
        y: &mut Buffer<f64>,
        add: bool,
    ) -> Result<()> {
        let multiply = MultiplyBlocks {
            numbers: self.numbers,
            height: self.height,
            width: self.width,
            add: add.into(),
            offsets: self.offsets.view(),
            columns: self.columns.view(),
            values: values.view(),
            x: x.view(),
            y: y.view_mut(),
        };
        Ok(self.offsets.device().launch(self.numbers.div_ceil(ROWS), multiply)?)
    }
}
/// t = A x.
fn product<S: Storage>(
    own: Option<&OnDevice>,
    finest: &Matrix<S>,
    x: &Buffer<f64>,
    t: &mut Buffer<f64>,
) -> Result<()> {
    match own {
        Some(own) => own.multiply(x, t, false),
        None => finest.multiply(x, t),
    }
}

/// Parameters of Chebyshev's iteration.
#[derive(Clone, Copy)]
pub struct Chebyshev {
    /// An estimate of the greatest eigenvalue.
    pub greatest: f64,
    /// Steps, at least 1.
    pub sweeps: u32,
}

/// One level: its matrix, its relaxation, and the ways to the next one.
pub struct Level {
    /// None on the finest level, whose matrix belongs to the caller.
    matrix: Option<OnDevice>,
    size: u32,
    numbers: u32,
    inverse: Buffer<f32>,
    chebyshev: Chebyshev,
    up: OnDevice,
    down: OnDevice,
    left: [Buffer<f64>; 2],
    d: Buffer<f64>,
    t: Buffer<f64>,
}
impl Level {
    pub fn new(
        device: &Device,
        finest: bool,
        a: &Blocks,
        inverse: &[f64],
        chebyshev: Chebyshev,
        up: &Blocks,
        down: &Blocks,
    ) -> Result<Self> {
        let numbers = fits("numbers of a vector", (a.rows() * a.height()) as u64)?;
        fits("numbers of a matrix", inverse.len() as u64)?;
        let single: Vec<f32> = inverse.iter().map(|&x| x as f32).collect();
        let vector = || device.zeros::<f64>(numbers as usize);
        Ok(Self {
            matrix: if finest { None } else { Some(OnDevice::definite(device, a)?) },
            size: a.height() as u32,
            numbers,
            inverse: device.upload(&single)?,
            chebyshev,
            up: OnDevice::new(device, up)?,
            down: OnDevice::new(device, down)?,
            left: [vector()?, vector()?],
            d: vector()?,
            t: vector()?,
        })
    }
    /// Numbers of vectors of the next level.
    pub fn coarse_numbers(&self) -> usize {
        self.down.numbers as usize
    }
    pub fn bytes(&self) -> usize {
        let own = self.matrix.as_ref().map_or(0, OnDevice::bytes);
        let vectors = 4 * self.d.bytes();
        own + self.inverse.bytes() + self.up.bytes() + self.down.bytes() + vectors
    }
    /// Starts from zero: relaxes, and passes the residual to the next level.
    pub fn descend<S: Storage>(
        &mut self,
        finest: &Matrix<S>,
        b: &Buffer<f64>,
        x: &mut Buffer<f64>,
        below: &mut Buffer<f64>,
    ) -> Result<()> {
        self.relax(finest, b, x, true)?;
        product(self.matrix.as_ref(), finest, x, &mut self.t)?;
        let [to, _] = &mut self.left;
        let subtract = Subtract { numbers: self.numbers, b: b.view(), t: self.t.view(), to: to.view_mut() };
        self.d.device().launch(self.numbers.div_ceil(ROWS), subtract)?;
        self.down.multiply(&self.left[0], below, false)
    }
    /// Adds the next level's correction, and relaxes.
    pub fn ascend<S: Storage>(
        &mut self,
        finest: &Matrix<S>,
        b: &Buffer<f64>,
        below: &Buffer<f64>,
        x: &mut Buffer<f64>,
    ) -> Result<()> {
        self.up.multiply(below, x, true)?;
        self.relax(finest, b, x, false)
    }
    /// Steps of Chebyshev's iteration (Saad, *Iterative methods for sparse linear systems*, 2003, algorithm
    /// 12.1). Without fixed unknowns in the steps: their inverses are 0, and the residual at them is not
    /// read.
    fn relax<S: Storage>(
        &mut self,
        finest: &Matrix<S>,
        b: &Buffer<f64>,
        x: &mut Buffer<f64>,
        from_zero: bool,
    ) -> Result<()> {
        let greatest = SAFE * self.chebyshev.greatest;
        let least = greatest / RATIO;
        let (theta, delta) = (0.5 * (greatest + least), 0.5 * (greatest - least));
        let sigma = theta / delta;
        let mut rho = 1.0 / sigma;
        for step in 0..self.chebyshev.sweeps {
            let (keep, by, what) = if step == 0 {
                if !from_zero {
                    product(self.matrix.as_ref(), finest, x, &mut self.t)?;
                }
                (0.0, 1.0 / theta, if from_zero { 0 } else { SUBTRACT | ADD })
            } else {
                product(self.matrix.as_ref(), finest, &self.d, &mut self.t)?;
                let next = 1.0 / (2.0 * sigma - rho);
                let both = (next * rho, 2.0 * next / delta, SUBTRACT | ADD);
                rho = next;
                both
            };
            let [one, two] = &mut self.left;
            let (from, to) = if step % 2 == 0 { (two, one) } else { (one, two) };
            let relax = Relax {
                numbers: self.numbers,
                size: self.size,
                keep,
                by,
                what,
                inverse: self.inverse.view(),
                from: if step == 0 { b.view() } else { from.view() },
                t: self.t.view(),
                to: to.view_mut(),
                d: self.d.view_mut(),
                x: x.view_mut(),
            };
            self.inverse.device().launch(self.numbers.div_ceil(ROWS), relax)?;
        }
        Ok(())
    }
}
