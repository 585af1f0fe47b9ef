//! Outer borders of open surfaces.
use crate::fill::kernels::{AddAreas, FindHeights, Flatten, NONE, UNITS, number};
use crate::fill::ring::Rim;
use crate::fill::surroundings::{OnDevice, Whole};
use crate::fill::{FillError, Hole};
use crate::repair::set;
use glam::DVec3;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, array};
use std::sync::Arc;

/// Greatest area of an open surface relative to that of its border: a terrain of slopes of 60 degrees. A
/// hemisphere has the same ratio, but meets its border at a right angle.
const AREA: f64 = 2.0;
/// Greatest extent of an open surface across the plane of its border, relative to the radius of a circle of
/// the border's area. A right-angled cone has 1.
const RELIEF: f64 = 0.8;

/// A component with a loop inside of which it lies, by its first vertex.
struct Candidate {
    component: u32,
    /// The unit normal of the last loop that may be its border.
    normal: DVec3,
    /// The largest area that such a loop allows.
    area: f64,
}

/// Decides which loops are the outer borders of open surfaces, such as terrains. Measures components on the
/// device, and only if there are loops inside of which they lie.
pub(crate) fn outer(
    whole: &impl Whole,
    on_device: Option<&OnDevice>,
    rims: &[Rim],
    holes: &[Hole],
) -> Result<Vec<bool>, FillError> {
    let mut is: Vec<bool> = rims.iter().map(Rim::is_around).collect();
    let mut of: Vec<u32> =
        (holes.iter().zip(&is)).filter(|(_, is)| **is).map(|(hole, _)| hole.component).collect();
    of.sort_unstable();
    of.dedup();
    let Some(on_device) = on_device.filter(|_| !of.is_empty()) else { return Ok(vec![]) };
    let candidate = |&component: &u32| Candidate { component, normal: DVec3::ZERO, area: 0.0 };
    let mut candidates: Vec<Candidate> = of.iter().map(candidate).collect();
    let place = |component: u32| of.binary_search(&component).unwrap_or_default();
    for (i, rim) in rims.iter().enumerate().filter(|(i, _)| is[*i]) {
        let candidate = &mut candidates[place(holes[i].component)];
        candidate.area = candidate.area.max(AREA * rim.measures.area.length());
    }
    let measures = Measures::of(whole, on_device, &candidates)?;
    let areas = measures.areas(&candidates)?;
    for (is, (rim, hole)) in is.iter_mut().zip(rims.iter().zip(holes)) {
        *is = *is && areas[place(hole.component)] <= AREA * rim.measures.area.length();
    }
    // at most one loop of a component may surround it
    for (i, rim) in rims.iter().enumerate().filter(|(i, _)| is[*i]) {
        candidates[place(holes[i].component)].normal = rim.measures.area.normalize_or_zero();
    }
    let extents = measures.extents(&candidates)?;
    for (is, (rim, hole)) in is.iter_mut().zip(rims.iter().zip(holes)) {
        let radius = (rim.measures.area.length() / std::f64::consts::PI).sqrt();
        *is = *is && extents[place(hole.component)] <= RELIEF * radius;
    }
    Ok(is)
}

/// Components on the device, of which some are measured.
struct Measures {
    faces: Arc<Buffer<u32>>,
    positions: Buffer<DVec3>,
    /// The first vertex of the component of each vertex.
    labels: Buffer<u32>,
    /// The place of each component among the candidates, by its first vertex.
    places: Buffer<u32>,
}

impl Measures {
    fn of(whole: &impl Whole, mesh: &OnDevice, candidates: &[Candidate]) -> Result<Self, Error> {
        let device = whole.device();
        let n = whole.vertices();
        let mut labels = mesh.parent.try_clone()?;
        device.launch_each(n as u32, Flatten { parent: labels.view_mut() })?;
        let mut places = device.unspecified::<u32>(n)?;
        array::fill(&mut places, NONE)?;
        let of: Vec<u32> = candidates.iter().map(|candidate| candidate.component).collect();
        set(&mut places, &of, &(0..of.len() as u32).collect::<Vec<_>>())?;
        Ok(Self { faces: mesh.faces.clone(), positions: whole.positions()?, labels, places })
    }
    /// The areas of the components; beyond what a loop allows, or not finite, they are only larger.
    fn areas(&self, candidates: &[Candidate]) -> Result<Vec<f64>, Error> {
        let device = self.faces.device();
        let of: Vec<f64> = candidates.iter().map(|candidate| candidate.area).collect();
        let wholes = device.upload(&of)?;
        let mut sums = device.zeros::<u64>(of.len())?;
        let count = self.faces.len() as u32 / 3;
        let add = AddAreas {
            count,
            faces: self.faces.view(),
            positions: self.positions.view(),
            labels: self.labels.view(),
            places: self.places.view(),
            wholes: wholes.view(),
            sums: sums.view_mut(),
        };
        device.launch(tiles(count), add)?;
        Ok(sums.read()?.iter().zip(of).map(|(&sum, whole)| sum as f64 / UNITS * whole).collect())
    }
    /// The extents of the components along the normals.
    fn extents(&self, candidates: &[Candidate]) -> Result<Vec<f64>, Error> {
        let device = self.faces.device();
        let of: Vec<DVec3> = candidates.iter().map(|candidate| candidate.normal).collect();
        let normals = device.upload(&of)?;
        let mut least = device.upload(&vec![u64::MAX; of.len()])?;
        let mut greatest = device.zeros::<u64>(of.len())?;
        let count = self.labels.len() as u32;
        let find = FindHeights {
            count,
            positions: self.positions.view(),
            labels: self.labels.view(),
            places: self.places.view(),
            normals: normals.view(),
            least: least.view_mut(),
            greatest: greatest.view_mut(),
        };
        device.launch(tiles(count), find)?;
        let (least, greatest) = (least.read()?, greatest.read()?);
        Ok(least.into_iter().zip(greatest).map(|(low, high)| number(high) - number(low)).collect())
    }
}
