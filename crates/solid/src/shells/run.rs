//! Shells of surfaces, on their devices.
use crate::boolean::middle;
use crate::fill::kernels::Flatten;
use crate::fill::trees;
use crate::repair::kernels::faces::TurnFaces;
use crate::repair::{compacted, rows};
use crate::shells::kernels::{AddSides, KeyFaces, LabelShells, MeasureFaces};
use ribbonmesh::array::{self, Groups};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, Result, Surface};

/// The shells of a surface, in the order of their first vertices, and their measures.
pub struct Shells {
    /// The volume that each shell encloses, negative where its faces point inward; the volume between an open
    /// one and a point in the middle of the surface.
    pub volumes: Vec<f64>,
    /// The area of each.
    pub areas: Vec<f64>,
    /// Whether each edge is as often a side of faces in one direction as in the other. Compares sums of
    /// hashes: a surface that is not closed is taken for a closed one with a probability of 2⁻⁶⁴.
    pub is_closed: bool,
    /// Number of faces.
    faces: u32,
    /// The shell of each face, and the faces of each shell; `None` if there is one at most.
    parts: Option<Parts>,
}

struct Parts {
    of: Buffer<u32>,
    faces: Groups,
    starts: Vec<u32>,
}

/// Measures of the faces of a surface.
struct OfFaces {
    /// Six times the volume between each face and a point in the middle.
    volumes: Buffer<f64>,
    areas: Buffer<f64>,
    /// Sum of the hashes of the sides: 0 for a closed surface.
    hash: Buffer<u64>,
}
impl OfFaces {
    /// Measures the faces, if there are some.
    fn of(surface: &mut Surface) -> Result<Option<Self>> {
        surface.put_in_order()?;
        let device = surface.device().clone();
        let (points, faces) = (surface.triangles().positions(), surface.triangles().faces());
        let n = (faces.len() / 3) as u32;
        if n == 0 {
            return Ok(None);
        }
        let mut volumes = device.unspecified::<f64>(n as usize)?;
        let mut areas = device.unspecified::<f64>(n as usize)?;
        let measure = MeasureFaces {
            points: points.view(),
            faces: faces.view(),
            middle: middle(points)?.unwrap_or_default().as_vec3().to_array(),
            volumes: volumes.view_mut(),
            areas: areas.view_mut(),
        };
        device.launch_each(n, measure)?;
        let mut hash = device.zeros::<u64>(1)?;
        device.launch(tiles(n), AddSides { count: n, faces: faces.view(), sum: hash.view_mut() })?;
        Ok(Some(Self { volumes, areas, hash }))
    }
}

/// The area of a surface, and the volume that it encloses if it is closed (see [`Shells::is_closed`]), 0 and
/// `None` without faces. Ids become the places of the output ([`Surface::put_in_order`]). Reads faces and
/// positions twice, and waits.
/// # Errors
/// As [`Shells::of`].
pub fn area_and_volume(surface: &mut Surface) -> Result<(f64, Option<f64>)> {
    let Some(OfFaces { volumes, areas, hash }) = OfFaces::of(surface)? else { return Ok((0.0, None)) };
    let is_closed = hash.read()? == [0];
    let volume = if is_closed { Some(array::sum(&volumes)? / 6.0) } else { None };
    Ok((array::sum(&areas)?, volume))
}

impl Shells {
    /// Finds and measures the shells of a surface. Vertices without a face are in none. Ids become the places
    /// of the output ([`Surface::put_in_order`]). Positions have single precision, as on the device.
    ///
    /// Reads faces and positions three times; several shells cost a sort of the faces besides. Waits.
    /// # Errors
    /// [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn of(surface: &mut Surface) -> Result<Self> {
        let Some(OfFaces { volumes, areas, hash }) = OfFaces::of(surface)? else {
            let parts = None;
            return Ok(Self { volumes: vec![], areas: vec![], is_closed: false, faces: 0, parts });
        };
        let device = surface.device().clone();
        let (points, faces) = (surface.triangles().positions(), surface.triangles().faces());
        let n = (faces.len() / 3) as u32;
        let mut parent = trees(&device, points.len(), faces)?;
        device.launch_each(points.len() as u32, Flatten { parent: parent.view_mut() })?;
        let mut labels = device.unspecified::<u32>(n as usize)?;
        let mut numbers = device.zeros::<u32>(points.len())?;
        let label = LabelShells {
            faces: faces.view(),
            parent: parent.view(),
            labels: labels.view_mut(),
            firsts: numbers.view_mut(),
        };
        device.launch_each(n, label)?;
        let count = array::exclusive_scan(&mut numbers)? as u32;
        let is_closed = hash.read()? == [0];
        if count == 1 {
            let volumes = vec![array::sum(&volumes)? / 6.0];
            return Ok(Self { volumes, areas: vec![array::sum(&areas)?], is_closed, faces: n, parts: None });
        }
        let of = array::gather(&numbers, &labels)?;
        let by_shell = array::group_by(&of, count)?;
        let mut keys = device.unspecified::<u64>(n as usize)?;
        let key = KeyFaces { order: by_shell.places().view(), of: of.view(), keys: keys.view_mut() };
        device.launch_each(n, key)?;
        let sums = |values: &Buffer<f64>| -> Result<Vec<f64>> {
            array::sum_by_key(&keys, &array::gather(values, by_shell.places())?)?.sums.read()
        };
        let volumes = sums(&volumes)?.into_iter().map(|sum| sum / 6.0).collect();
        let areas = sums(&areas)?;
        let starts = by_shell.starts().read()?;
        Ok(Self { volumes, areas, is_closed, faces: n, parts: Some(Parts { of, faces: by_shell, starts }) })
    }

    /// At most `most` faces of each shell for which `chosen` is true, at equal distances in the order of its
    /// faces, each with its shell. Waits.
    /// # Errors
    /// [`Error::Length`] unless there is a value for each shell; errors of the driver.
    pub fn some_faces(&self, chosen: &[bool], most: u32) -> Result<Vec<(u32, usize)>> {
        self.check(chosen)?;
        let mut found = vec![];
        for shell in (0..chosen.len()).filter(|&shell| chosen[shell]) {
            let [start, end] = match &self.parts {
                None => [0, self.faces],
                Some(parts) => [parts.starts[shell], parts.starts[shell + 1]],
            };
            let step = (end - start).div_ceil(most.max(1)).max(1);
            found.extend((start..end).step_by(step as usize).map(|face| (face, shell)));
        }
        if let Some(parts) = &self.parts {
            let places: Vec<u32> = found.iter().map(|(face, _)| *face).collect();
            let faces = array::gather(parts.faces.places(), &parts.of.device().upload(&places)?)?.read()?;
            found.iter_mut().zip(faces).for_each(|((face, _), of)| *face = of);
        }
        Ok(found)
    }
    fn check(&self, chosen: &[bool]) -> Result<()> {
        let (expected, found) = (self.volumes.len(), chosen.len());
        if expected != found {
            return Err(Error::Length { what: "choices of shells", expected, found });
        }
        Ok(())
    }

    /// The faces of the shells for which `chosen` is true, ascending. Waits.
    /// # Errors
    /// [`Error::Length`] unless there is a value for each shell; errors of the driver.
    pub fn faces_of(&self, surface: &Surface, chosen: &[bool]) -> Result<Buffer<u32>> {
        array::select(&self.marks_of(surface, chosen)?)
    }
    /// 1 for each face of these shells, else 0.
    fn marks_of(&self, surface: &Surface, chosen: &[bool]) -> Result<Buffer<u32>> {
        self.check(chosen)?;
        let device = surface.device();
        let Some(parts) = &self.parts else {
            let mut marks = device.unspecified::<u32>(self.faces as usize)?;
            array::fill(&mut marks, chosen.contains(&true).into())?;
            return Ok(marks);
        };
        let flags: Vec<u32> = chosen.iter().map(|chosen| u32::from(*chosen)).collect();
        array::gather(&device.upload(&flags)?, &parts.of)
    }
}

impl Shells {
    /// Three vertices of each face of the shells for which `chosen` is true.
    /// # Errors
    /// As [`Shells::faces_of`].
    pub fn corners_of(&self, surface: &Surface, chosen: &[bool]) -> Result<Buffer<u32>> {
        rows(surface.triangles().faces(), &self.faces_of(surface, chosen)?)
    }
}

/// Drops the shells for which `gone` is true, and vertices that then have no face. `shells` are those of the
/// surface as it is.
/// # Errors
/// As [`Shells::faces_of`]; the surface is then unchanged.
pub fn drop_shells(surface: &mut Surface, shells: &Shells, gone: &[bool]) -> Result<()> {
    let stays: Vec<bool> = gone.iter().map(|gone| !gone).collect();
    let (list, corners) = (shells.faces_of(surface, &stays)?, shells.corners_of(surface, &stays)?);
    let (vertices, corners) = compacted(surface.triangles().positions().len(), &corners)?;
    surface.rebuild(&vertices, (&list, corners), &[], |v| v)
}

/// Turns around the faces of the shells for which `turned` is true. `shells` are those of the surface as it
/// is; their volumes change their signs.
/// # Errors
/// As [`Shells::faces_of`]; the surface is then unchanged.
pub fn turn_shells(surface: &mut Surface, shells: &mut Shells, turned: &[bool]) -> Result<()> {
    let marks = shells.marks_of(surface, turned)?;
    let list = array::select(&marks)?;
    let device = surface.device().clone();
    let (vertices, mut corners) =
        (surface.triangles().positions().len(), surface.triangles().faces().try_clone()?);
    device.launch_each(shells.faces, TurnFaces { marked: marks.view(), faces: corners.view_mut() })?;
    let vertices = array::count_up(&device, vertices as u32)?;
    let faces = array::count_up(&device, shells.faces)?;
    surface.rebuild(&vertices, (&faces, corners), &list.read()?, |v| v)?;
    let of_turned = shells.volumes.iter_mut().zip(turned).filter(|(_, turned)| **turned);
    of_turned.for_each(|(volume, _)| *volume = -*volume);
    Ok(())
}
