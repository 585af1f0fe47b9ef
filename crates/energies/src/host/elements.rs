//! The elements of a mesh, and where their derivatives are summed.
use super::error::{EnergyError, Result, fits, length};
use super::kernels::{EnergyKernels, Launch};
use crate::device::assemble::{
    CheckElements, FixUnused, FlagFirst, Kind, ListPairs, MirrorsOfPlaces, PartsViewArguments, RowsOfKeys,
    SumGradients, SumHessians,
};
use crate::device::energy::Energy;
use crate::device::shape::Shape;
use ribbonmesh::array::{self, Groups};
use ribbonmesh::device::{BufferView, NONE};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_multigrid::{Blocks, Pattern};
use std::sync::Arc;

/// The elements of a mesh on a device: their vertices, the pattern of matrices, and lists of what is added
/// where. Made once; energies and their derivatives are computed on it any number of times.
pub struct Elements {
    vertices: usize,
    of: usize,
    corners: Buffer<u32>,
    groups: Groups,
    pattern: Arc<Pattern>,
    starts: Buffer<u32>,
    list: Buffer<u32>,
    upper: Buffer<u32>,
    mirrors: Buffer<u32>,
}

impl Elements {
    /// Elements with `N` vertices each of so many that there are.
    /// # Errors
    /// [`EnergyError::Element`]; [`ribbonmesh::Error::TooMany`] for more than 2³² blocks of elements; out of
    /// memory; errors of the driver.
    pub fn new<const N: usize>(device: &Device, vertices: usize, elements: &[[u32; N]]) -> Result<Self> {
        Self::on_device(vertices, N, device.upload(elements.as_flattened())?)
    }
    /// Elements that are on a device: `of` vertices each, one after the other.
    /// # Errors
    /// As [`Elements::new`]; [`ribbonmesh::Error::Length`] unless there are `of` vertices for each.
    pub fn on_device(vertices: usize, of: usize, corners: Buffer<u32>) -> Result<Self> {
        let device = corners.device().clone();
        let count = corners.len() / of;
        length("vertices of elements", count * of, corners.len())?;
        fits("blocks of elements", (of * of * count + vertices) * 9)?;
        let mut wrong = device.upload(&[NONE])?;
        let check = CheckElements {
            of: of as u32,
            vertices: vertices as u32,
            corners: corners.view(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(count as u32, check)?;
        let wrong = wrong.read()?[0];
        if wrong != NONE {
            return Err(EnergyError::Element { element: wrong as usize, vertices });
        }
        let groups = array::group_by(&corners, vertices as u32)?;
        let (pattern, starts, list) = pattern(&device, vertices, of, &corners)?;
        let (upper, mirrors) = mirrors(&pattern)?;
        Ok(Self { vertices, of, corners, groups, pattern, starts, list, upper, mirrors })
    }
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.corners.len() / self.of
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.corners.device()
    }
    /// Vertices of elements.
    pub fn corners(&self) -> &Buffer<u32> {
        &self.corners
    }
    /// The corners of each vertex: `vertices of an element · element + place`.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }
    /// The blocks of matrices.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        let own = self.corners.bytes() + self.starts.bytes() + self.list.bytes();
        let own = own + self.upper.bytes() + self.mirrors.bytes();
        own + self.groups.bytes() + self.pattern.bytes()
    }

    pub(crate) fn launch(&self) -> Launch<'_> {
        Launch { device: self.device(), elements: self.len() as u32, corners: self.corners.view() }
    }
    pub(crate) fn check<E: EnergyKernels>(&self) -> Result<()> {
        self.check_vertices(<E::Energy as Energy>::Shape::VERTICES)
    }
    pub(crate) fn check_vertices(&self, expected: usize) -> Result<()> {
        if expected == self.of {
            Ok(())
        } else {
            Err(EnergyError::OtherElements { expected, found: self.of })
        }
    }
    fn kind<S: Shape>(&self) -> Kind {
        Kind { vertices: S::VERTICES as u32, dimensions: S::DIMENSIONS as u32 }
    }
    /// The fixed unknowns, and those on which no energy depends: a bit for each of a vertex.
    pub(crate) fn fixed<S: Shape>(&self, fixed: &Buffer<u32>) -> Result<Buffer<u32>> {
        length("words of fixed unknowns", self.vertices, fixed.len())?;
        let mut to = self.device().unspecified(self.vertices)?;
        let (kind, corners) = (self.kind::<S>(), self.groups.view());
        let kernel = FixUnused { kind, corners, from: fixed.view(), to: to.view_mut() };
        self.device().launch_each(self.vertices as u32, kernel)?;
        Ok(to)
    }
    /// The gradient of all unknowns, three numbers for each vertex, of gradients of elements, minus loads,
    /// which may be empty; 0 where fixed. Does not wait.
    /// # Errors
    /// [`EnergyError::OtherElements`]; [`ribbonmesh::Error::Length`]; errors of the driver.
    pub fn sum_gradients<S: Shape>(
        &self,
        from: &Buffer<f64>,
        loads: BufferView<'_, f64>,
        fixed: &Buffer<u32>,
        to: &mut Buffer<f64>,
    ) -> Result<()> {
        self.check_vertices(S::VERTICES)?;
        length("numbers of gradients", self.rooms::<S>()[0], from.len())?;
        length("numbers of a gradient", 3 * self.vertices, to.len())?;
        length("words of fixed unknowns", self.vertices, fixed.len())?;
        let kernel = SumGradients {
            kind: self.kind::<S>(),
            corners: self.groups.view(),
            fixed: fixed.view(),
            from: from.view(),
            loads,
            to: to.view_mut(),
        };
        Ok(self.device().launch_each(self.vertices as u32, kernel)?)
    }
    /// The matrix of Hessians of elements, with blocks of 1 × 1 or 3 × 3 numbers and this pattern, plus
    /// `shift` on the diagonal. Rows and columns of fixed unknowns are those of the unit matrix. Does not
    /// wait.
    /// # Errors
    /// As [`Elements::sum_gradients`].
    pub fn sum_hessians<S: Shape>(
        &self,
        from: &Buffer<f64>,
        shift: f64,
        fixed: &Buffer<u32>,
        to: &mut Blocks<f64>,
    ) -> Result<()> {
        self.check_vertices(S::VERTICES)?;
        length("numbers of Hessians", self.rooms::<S>()[1], from.len())?;
        length("blocks of the matrix", self.pattern.len(), to.pattern().len())?;
        length("words of fixed unknowns", self.vertices, fixed.len())?;
        let (size, kind, pattern) = (to.shape()[0] as u32, self.kind::<S>(), self.pattern.clone());
        let kernel = SumHessians {
            size,
            kind,
            shift,
            parts: PartsViewArguments {
                starts: self.starts.view(),
                list: self.list.view(),
                rows: pattern.places().view(),
                columns: pattern.indices().view(),
                upper: self.upper.view(),
                mirrors: self.mirrors.view(),
            },
            fixed: fixed.view(),
            from: from.view(),
            to: to.numbers_mut().view_mut(),
        };
        Ok(self.device().launch_each(self.upper.len() as u32, kernel)?)
    }
}

/// The pattern of elements, and which blocks of elements are added at each place.
type Listed = (Arc<Pattern>, Buffer<u32>, Buffer<u32>);
fn pattern(device: &Device, vertices: usize, of: usize, corners: &Buffer<u32>) -> Result<Listed> {
    let (elements, n) = (corners.len() / of, of * corners.len() + vertices);
    let bits = (usize::BITS - vertices.leading_zeros()).max(1);
    let (mut keys, mut list) = (device.unspecified::<u64>(n)?, device.unspecified::<u32>(n)?);
    let pairs = ListPairs {
        of: of as u32,
        elements: elements as u32,
        bits,
        corners: corners.view(),
        keys: keys.view_mut(),
        parts: list.view_mut(),
    };
    device.launch_each(n as u32, pairs)?;
    array::sort_pairs(&mut keys, &mut list, 2 * bits)?;
    let mut flags = device.unspecified::<u32>(n)?;
    device.launch_each(n as u32, FlagFirst { keys: keys.view(), flags: flags.view_mut() })?;
    let firsts = array::select(&flags)?;
    let places = firsts.len();
    let mut columns = device.unspecified::<u32>(places)?;
    let (mut rows, mut starts) = (device.unspecified(vertices + 1)?, device.unspecified::<u32>(places + 1)?);
    array::fill(&mut rows, places as u32)?;
    let kernel = RowsOfKeys {
        n: n as u32,
        bits,
        firsts: firsts.view(),
        keys: keys.view(),
        columns: columns.view_mut(),
        rows: rows.view_mut(),
        starts: starts.view_mut(),
    };
    device.launch_each(places as u32, kernel)?;
    let nothing = device.zeros::<f64>(places)?;
    let matrix = Blocks::new(vertices, [1, 1], rows, columns, nothing)?;
    Ok((matrix.pattern().clone(), starts, list))
}
/// The blocks on the diagonal and above, and of each block the one on the other side.
fn mirrors(pattern: &Pattern) -> Result<(Buffer<u32>, Buffer<u32>)> {
    let (device, places) = (pattern.device(), pattern.len());
    let (mut flags, mut mirrors) = (device.unspecified::<u32>(places)?, device.unspecified::<u32>(places)?);
    let kernel = MirrorsOfPlaces {
        starts: pattern.starts().view(),
        rows: pattern.places().view(),
        columns: pattern.indices().view(),
        flags: flags.view_mut(),
        mirrors: mirrors.view_mut(),
    };
    device.launch_each(places as u32, kernel)?;
    Ok((array::select(&flags)?, mirrors))
}
impl std::fmt::Debug for Elements {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} elements of {} among {} vertices", self.len(), self.of, self.vertices)
    }
}
