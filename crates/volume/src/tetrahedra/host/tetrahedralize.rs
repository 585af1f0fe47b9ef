//! Filling of surfaces with tetrahedra.
use super::closed::{check, why_not};
use super::error::{Result, TetrahedraError};
use super::lattice::Placed;
use super::options::TetrahedraOptions;
use super::quality::quality;
use super::report::TetrahedraReport;
use super::result::Tetrahedra;
use super::signs::{cuts, states};
use super::warp::warp;
use crate::tetrahedra::device::fill::{CountTetrahedra, FillTetrahedra};
use crate::tetrahedra::device::rows::FacesArguments;
use crate::tetrahedra::device::units::ToLattice;
use crate::tetrahedra::device::vertices::{MarkVertices, PlaceVertices, VerticesArguments};
use glam::Vec3;
use ribbonmesh::device::tiles;
use ribbonmesh::{Error, Surface, array};
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_solid::inside::{InsideTest, Triangles};
use ribbonmesh_solid::intersections::self_intersections;

/// Fills a closed surface with tetrahedra (Labelle and Shewchuk 2007, the uniform version).
///
/// A body-centred cubic lattice is laid around the surface. Sites inside, and edges of the lattice that cross
/// the surface, are found exactly, by the rays of [`InsideTest::cast`]; cut points are found by halving, to
/// 2⁻¹⁶ of an edge (2⁻¹³ on lattices of 1,000 sites along an axis). Sites that are too near to a cut point
/// move there; stencils fill the rest. Sharp edges of the surface are cut off, and parts that are thinner
/// than cells are lost.
///
/// The memory is 22 bytes per site of the lattice around the box of the surface, and 38 per tetrahedron; the
/// work is a few passes over these, and a ray for each cut edge and bit.
/// # Errors
/// [`TetrahedraError::NotClosed`], [`TetrahedraError::NotOriented`], [`TetrahedraError::TooCoarse`],
/// [`TetrahedraError::NoVolume`]; [`Error::NoFaces`]; [`Error::NotFinite`] names a vertex; [`Error::Option`]
/// for a size or a number that is not positive; [`Error::WouldNotFit`] and [`Error::TooMany`] for cells that
/// are too small; out of memory; errors of the driver.
pub fn tetrahedralize(surface: &Surface, options: &TetrahedraOptions) -> Result<Tetrahedra> {
    let (device, rule) = (surface.device().clone(), options.inside);
    let triangles = surface.triangles();
    let n = (triangles.faces().len() / 3) as u32;
    if n == 0 {
        return Err(Error::NoFaces { what: "the surface" }.into());
    }
    let positions = triangles.positions().read()?;
    if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
        let place = triangles.vertex_place(vertex)?;
        return Err(Error::NotFinite { vertex: place }.into());
    }
    let faces: Vec<[u32; 3]> =
        triangles.faces().read()?.chunks_exact(3).map(|face| [face[0], face[1], face[2]]).collect();
    let (bounds, volume) = measured(&positions, &faces);

    // test the given surface: whether it has an inside
    let whole = Triangles { positions: triangles.positions(), faces: triangles.faces() };
    let given =
        FacesArguments { positions: triangles.positions().view(), vertices: triangles.faces().view().wide() };
    let even = InsideTest::new(whole)?.is_closed()?;
    if !check(&device, given, rule, even, n)? {
        let (vertices, places) = (triangles.vertex_places()?.read()?, triangles.face_places()?.read()?);
        why_not(&positions, &faces, |v| vertices[v as usize], |f| places[f as usize])?;
    }
    let placed = Placed::new(&device, &bounds, volume, options.size)?;
    let found = match options.find_intersections {
        true => Some(self_intersections(whole)?.pairs.len() as u64),
        false => None,
    };

    let mut x = device.unspecified::<Vec3>(positions.len())?;
    let to_lattice = ToLattice {
        x: triangles.positions().view(),
        centre: placed.centre.to_array(),
        per_side: 1.0 / f64::from(placed.side),
        to: x.view_mut(),
    };
    device.launch_each(positions.len() as u32, to_lattice)?;
    let faces = FacesArguments { positions: x.view(), vertices: triangles.faces().view().wide() };
    let test = InsideTest::new(Triangles { positions: &x, faces: triangles.faces() })?;
    let mut states = states(&device, &placed, faces, n, rule)?;
    let lattice = placed.lattice;
    let too_coarse = || {
        let extent = bounds.size().to_array();
        Err(TetrahedraError::TooCoarse { size: placed.side.into(), extent })
    };
    if array::max(&states)? == Some(0) {
        return too_coarse();
    }
    let cuts = cuts(&placed, &states, &test, rule)?;
    drop(test);
    let sites = lattice.sites();
    let warped = warp(&placed, &cuts, &mut states)?;

    let mut marks = device.unspecified::<u32>(sites as usize)?;
    let mut firsts = device.unspecified::<u32>(sites as usize)?;
    let mark = MarkVertices {
        lattice,
        masks: cuts.masks.view(),
        states: states.view(),
        marks: marks.view_mut(),
        counts: firsts.view_mut(),
    };
    device.launch(tiles(sites), mark)?;
    let vertices = array::exclusive_scan(&mut firsts)?;
    let numbers = VerticesArguments { marks: marks.view(), firsts: firsts.view() };
    let mut x = device.unspecified::<Vec3>(vertices as usize)?;
    let place = PlaceVertices {
        lattice,
        cuts: cuts.view(),
        states: states.view(),
        vertices: numbers,
        x: x.view_mut(),
    };
    device.launch(tiles(sites), place)?;

    let corners = lattice.of_grid();
    let mut starts = device.zeros::<u32>(corners as usize + 1)?;
    let count = CountTetrahedra { lattice, states: states.view(), counts: starts.view_mut() };
    device.launch(tiles(corners), count)?;
    let tetrahedra = array::exclusive_scan(&mut starts)?;
    // all sites inside may have moved onto the surface
    if tetrahedra == 0 {
        return too_coarse();
    }
    let mut cells = device.unspecified::<[u32; 4]>(tetrahedra as usize)?;
    let fill = FillTetrahedra {
        lattice,
        states: states.view(),
        vertices: numbers,
        x: x.view(),
        starts: starts.view(),
        cells: cells.view_mut(),
    };
    device.launch(tiles(corners), fill)?;

    let mut shapes = quality(&x, &cells)?;
    shapes.volume *= f64::from(placed.side).powi(3);
    let report = TetrahedraReport {
        size: placed.side.into(),
        sites: sites.into(),
        cut_edges: cuts.len() as u64,
        warped,
        vertices: vertices.into(),
        tetrahedra: tetrahedra.into(),
        enclosed_volume: volume,
        self_intersections: found,
        quality: shapes,
    };
    Ok(Tetrahedra { x, cells, centre: placed.centre, origin: surface.origin(), side: placed.side, report })
}

/// The box around the vertices that faces have, and the volume that they enclose.
fn measured(positions: &[Vec3], faces: &[[u32; 3]]) -> (BoundingBox, f64) {
    let corners = |face: &[u32; 3]| face.map(|v| positions[v as usize].as_dvec3());
    let around = faces.iter().flat_map(corners).fold(BoundingBox::EMPTY, BoundingBox::with);
    let middle = around.middle();
    let six = faces.iter().map(|face| {
        let [a, b, c] = corners(face).map(|p| p - middle);
        a.dot(b.cross(c))
    });
    (around, six.sum::<f64>() / 6.0)
}
