//! The sides of a mesh on its device: twins, deleted faces, the boundary.
use crate::HolesError;
use crate::kernels::sides::{
    CountOpen, DeleteCrowded, FAULTS, FlagEdges, KeySides, PairSides, SheetArguments, WRONG_EDGE,
    WRONG_VERTEX,
};
use ribbonmesh::corners::after;
use ribbonmesh::device::NONE;
use ribbonmesh::{Buffer, Error, array};
use ribbonmesh_solid::intersections::Triangles;

/// The number of bits of a number below `count`.
pub(crate) fn bits(count: usize) -> u32 {
    (usize::BITS - count.leading_zeros()).max(1)
}

/// The sides of the faces of a mesh.
pub(crate) struct Sides<'a> {
    pub mesh: Triangles<'a>,
    /// The edge of each side, ascending.
    keys: Buffer<u64>,
    /// The sides in that order.
    sorted: Buffer<u32>,
    twins: Buffer<u32>,
    /// 1 for each face that is not deleted.
    pub alive: Buffer<u32>,
    /// Bits of a vertex.
    pub bits: u32,
}

impl<'a> Sides<'a> {
    /// Finds the twins. Waits.
    pub fn of(mesh: Triangles<'a>) -> Result<Self, HolesError> {
        mesh.check_lengths()?;
        let (device, vertices) = (mesh.device(), mesh.positions.len());
        let (count, limit) = (vertices as u64, u64::from(NONE));
        if count >= limit {
            return Err(Error::TooMany { what: "vertices", count, limit }.into());
        }
        let (n, bits) = (mesh.faces.len() as u32, bits(vertices));
        let mut keys = device.unspecified::<u64>(n as usize)?;
        let mut sorted = device.unspecified::<u32>(n as usize)?;
        let mut faults = device.unspecified::<u32>(FAULTS)?;
        array::fill(&mut faults, NONE)?;
        let key = KeySides {
            faces: mesh.faces.view(),
            vertices: vertices as u32,
            bits,
            keys: keys.view_mut(),
            sides: sorted.view_mut(),
            faults: faults.view_mut(),
        };
        device.launch_each(n, key)?;
        array::sort_pairs(&mut keys, &mut sorted, 2 * bits)?;
        let mut twins = device.unspecified::<u32>(n as usize)?;
        let pair = PairSides {
            keys: keys.view(),
            sides: sorted.view(),
            faces: mesh.faces.view(),
            twins: twins.view_mut(),
            faults: faults.view_mut(),
        };
        device.launch_each(n, pair)?;
        refuse(mesh, &faults.read()?)?;
        let mut alive = device.unspecified::<u32>((n / 3) as usize)?;
        array::fill(&mut alive, 1)?;
        Ok(Self { mesh, keys, sorted, twins, alive, bits })
    }
    /// As an argument of kernels.
    pub fn view(&self) -> SheetArguments<'_> {
        SheetArguments { faces: self.mesh.faces.view(), twins: self.twins.view(), alive: self.alive.view() }
    }
    /// Deletes the faces at vertices with more than two sides of the boundary until there are none, and lists
    /// the sides of the boundary. Waits in each round for the number of deleted faces.
    pub fn boundary(&mut self) -> Result<Buffer<u32>, HolesError> {
        let (mesh, n) = (self.mesh, self.mesh.faces.len() as u32);
        let device = mesh.device();
        let mut flags = device.unspecified::<u32>(n as usize)?;
        loop {
            let mut counts = device.zeros::<u32>(mesh.positions.len())?;
            let (found, sums) = (flags.view_mut(), counts.view_mut());
            device.launch_each(n, CountOpen { sheet: self.view(), flags: found, counts: sums })?;
            let mut deleted = device.zeros::<u32>(1)?;
            let delete = DeleteCrowded {
                faces: mesh.faces.view().wide(),
                counts: counts.view(),
                alive: self.alive.view_mut(),
                deleted: deleted.view_mut(),
            };
            device.launch_each(n / 3, delete)?;
            if deleted.read()?[0] == 0 {
                return Ok(array::select(&flags)?);
            }
        }
    }
    /// The edges between vertices that have places, ascending: H_e of the paper. Waits for their number.
    pub fn edges_between(&self, places: &Buffer<u32>) -> Result<Buffer<u64>, HolesError> {
        let device = self.mesh.device();
        let mut flags = device.unspecified::<u32>(self.keys.len())?;
        let flag = FlagEdges {
            keys: self.keys.view(),
            sides: self.sorted.view(),
            sheet: self.view(),
            places: places.view(),
            flags: flags.view_mut(),
        };
        device.launch_each(self.keys.len() as u32, flag)?;
        Ok(array::gather(&self.keys, &array::select(&flags)?)?)
    }
}

/// The error for faults that kernels have found.
fn refuse(mesh: Triangles<'_>, faults: &[u32]) -> Result<(), HolesError> {
    let read = |side: u32| Ok::<_, Error>(mesh.faces.read_range(side as usize, 1)?[0]);
    let (side, vertices) = (faults[WRONG_VERTEX as usize], mesh.positions.len());
    if side != NONE {
        let (face, vertex) = (side as usize / 3, read(side)?);
        return Err(match (vertex as usize) < vertices {
            true => HolesError::Degenerate { face, vertex },
            false => Error::IndexOutOfRange { face, vertex, vertices }.into(),
        });
    }
    let side = faults[WRONG_EDGE as usize];
    if side != NONE {
        let (face, edge) = (side as usize / 3, side as usize % 3);
        return Err(HolesError::NotManifold { face, edge, vertices: [read(side)?, read(after(side))?] });
    }
    Ok(())
}
