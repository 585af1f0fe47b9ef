//! The surface in the lattice: which sites are inside, and at which points edges are cut.
use super::lattice::Placed;
use super::options::InsideRule;
use crate::tetrahedra::device::cuts::{CutsArguments, Halve, ListCuts, MarkCuts, Middles};
use crate::tetrahedra::device::rows::{CountPlanes, CrossRows, FacesArguments, SumRows};
use glam::Vec3;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Result, array};
use ribbonmesh_solid::inside::InsideTest;

/// Computes the states of all sites: 1 inside, 0 outside. Waits.
pub fn states(
    device: &Device,
    placed: &Placed,
    faces: FacesArguments<'_>,
    n: u32,
    rule: InsideRule,
) -> Result<Buffer<u32>> {
    let lattice = placed.lattice;
    let mut starts = device.zeros::<u32>(n as usize + 1)?;
    device.launch_each(n, CountPlanes { faces, lattice, counts: starts.view_mut() })?;
    let tasks = array::exclusive_scan(&mut starts)?;
    let mut states = device.zeros::<u32>(lattice.sites() as usize)?;
    let cross = CrossRows { faces, starts: starts.view(), lattice, crossings: states.view_mut() };
    device.launch_each(tasks, cross)?;
    let rows = 2 * lattice.size[1] * lattice.size[2];
    let odd = u32::from(rule == InsideRule::Parity);
    device.launch(tiles(rows), SumRows { lattice, odd, crossings: states.view_mut() })?;
    Ok(states)
}

/// The cut edges.
pub struct CutEdges {
    /// Bits of the cut edges of each site.
    pub masks: Buffer<u32>,
    starts: Buffer<u32>,
    lows: Buffer<u32>,
    depth: u32,
}
impl CutEdges {
    /// Number of cut edges.
    pub fn len(&self) -> usize {
        self.lows.len()
    }
    /// The view for kernels.
    pub fn view(&self) -> CutsArguments<'_> {
        CutsArguments {
            masks: self.masks.view(),
            starts: self.starts.view(),
            lows: self.lows.view(),
            depth: self.depth,
        }
    }
}

/// Finds the cut edges, and halves each repeatedly towards a point at which the surface crosses it. Waits.
pub fn cuts(
    placed: &Placed,
    states: &Buffer<u32>,
    test: &InsideTest<'_>,
    rule: InsideRule,
) -> Result<CutEdges> {
    let (device, Placed { lattice, depth, .. }) = (states.device(), *placed);
    let sites = lattice.sites();
    let mut masks = device.unspecified::<u32>(sites as usize)?;
    let mut starts = device.unspecified::<u32>(sites as usize)?;
    let mark =
        MarkCuts { lattice, states: states.view(), masks: masks.view_mut(), counts: starts.view_mut() };
    device.launch(tiles(sites), mark)?;
    let n = array::exclusive_scan(&mut starts)?;
    let mut owners = device.unspecified::<u32>(n as usize)?;
    let mut bits = device.unspecified::<u32>(n as usize)?;
    let list = ListCuts {
        lattice,
        masks: masks.view(),
        starts: starts.view(),
        sites: owners.view_mut(),
        bits: bits.view_mut(),
    };
    device.launch(tiles(sites), list)?;
    let mut lows = device.zeros::<u32>(n as usize)?;
    let mut points = device.zeros::<Vec3>(n as usize)?;
    for step in 1..=depth {
        let half = 1 << (depth - step);
        let middles = Middles {
            lattice,
            sites: owners.view(),
            bits: bits.view(),
            lows: lows.view(),
            depth,
            half,
            points: points.view_mut(),
        };
        device.launch_each(n, middles)?;
        let crossings = test.cast(&points)?;
        let halve = Halve {
            sites: owners.view(),
            states: states.view(),
            winding: crossings.winding.view(),
            odd: crossings.odd.view(),
            by_odd: u32::from(rule == InsideRule::Parity),
            half,
            lows: lows.view_mut(),
        };
        device.launch_each(n, halve)?;
    }
    Ok(CutEdges { masks, starts, lows, depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetrahedra::device::units::ToLattice;
    use crate::tetrahedra::host::options::CellSize;
    use glam::DVec3;
    use ribbonmesh_mesh::BoundingBox;
    use ribbonmesh_mesh::shapes;
    use ribbonmesh_solid::inside::Triangles;

    /// Rows give the same as a ray for each site, also if sites are on faces, edges and vertices.
    #[test]
    fn rows_are_rays() {
        let device = Device::cpu();
        let octahedron = {
            let points = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z].map(|p| 4.0 * p);
            let faces = (0..8).map(|i| {
                let [x, y, z] = [i & 1, i >> 1 & 1, i >> 2 & 1];
                let odd = (x + y + z) % 2 == 1;
                if odd { [x, 4 + z, 2 + y] } else { [x, 2 + y, 4 + z] }
            });
            ribbonmesh::TriangleMesh::new(points.to_vec(), faces.collect())
        };
        for (mesh, side) in [
            (octahedron, 1.0),
            (shapes::bumpy_sphere(3, 5).expect("small"), 0.13),
            (shapes::torus(20, 2).expect("small"), 0.07),
        ] {
            let given: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
            let around = given.iter().map(|p| p.as_dvec3()).fold(BoundingBox::EMPTY, BoundingBox::with);
            let placed = Placed::new(&device, &around, 1.0, CellSize::Length(side)).expect("a lattice");
            let n = mesh.faces.len() as u32;
            let (given, faces) = (device.upload(&given), device.upload(mesh.faces.as_flattened()));
            let (given, faces) = (given.expect("memory"), faces.expect("memory"));
            let mut x = device.zeros::<Vec3>(given.len()).expect("memory");
            let (centre, per_side) = (placed.centre.to_array(), 1.0 / f64::from(placed.side));
            let to = ToLattice { x: given.view(), centre, per_side, to: x.view_mut() };
            device.launch_each(given.len() as u32, to).expect("launched");
            let arguments = FacesArguments { positions: x.view(), vertices: faces.view().wide() };
            let found = states(&device, &placed, arguments, n, InsideRule::Winding).expect("memory");
            let lattice = placed.lattice;
            let sites: Vec<Vec3> =
                (0..lattice.sites()).map(|site| lattice.position(lattice.site(site))).collect();
            let test = InsideTest::new(Triangles { positions: &x, faces: &faces }).expect("a tree");
            let rays = test.cast(&device.upload(&sites).expect("memory")).expect("memory");
            let rays: Vec<u32> =
                rays.winding.read().expect("memory").iter().map(|w| u32::from(*w != 0.0)).collect();
            assert!(found.read().expect("memory") == rays);
            assert!(rays.iter().sum::<u32>() > 100);
        }
    }
}
