//! Faces that are dropped before all others are linked.
use crate::repair::check::NONE;
use crate::repair::kernels::faces::JudgeFaces;
use crate::repair::kernels::verdict;
use crate::repair::linked::{pairs, rows};
use glam::DVec3;
use ribbonmesh::{Buffer, Error, Result, array};

/// The faces of a mesh that are not dropped.
pub(crate) struct Judged {
    /// Three vertices of each.
    pub faces: Buffer<u32>,
    /// The others, if there are any.
    pub dropped: Option<Dropped>,
}
/// Faces that are dropped.
pub(crate) struct Dropped {
    /// Vertices of all faces of the mesh.
    pub all: Buffer<u32>,
    /// The faces of the mesh that stay, ascending.
    pub stay: Buffer<u32>,
    /// Those with a vertex twice, ascending.
    pub degenerate: Vec<u32>,
    /// Those of no area, ascending.
    pub flat: Vec<u32>,
}

impl Judged {
    /// Drops faces that have a vertex twice, and those of no area at `positions`, if these are given. Waits
    /// twice, or four times if there are such faces. A face with a vertex that is not there is an error.
    pub fn of(vertices: usize, faces: Buffer<u32>, positions: Option<&Buffer<DVec3>>) -> Result<Self> {
        let (device, n) = (faces.device().clone(), faces.len() / 3);
        let mut wrong = device.upload(&[NONE])?;
        let mut verdicts = device.unspecified::<u32>(n)?;
        let mut whole = device.unspecified::<u32>(n)?;
        let nothing = device.unspecified::<DVec3>(0)?;
        let judge = JudgeFaces {
            vertices: vertices as u32,
            faces: faces.view(),
            positions: positions.unwrap_or(&nothing).view(),
            zero_area: positions.is_some().into(),
            verdicts: verdicts.view_mut(),
            whole: whole.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(n as u32, judge)?;
        let face = wrong.read()?[0];
        if face != NONE {
            let corners = faces.read_range(3 * face as usize, 3)?;
            let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
            return Err(Error::IndexOutOfRange { face: face as usize, vertex, vertices });
        }
        let list = array::select(&verdicts)?;
        if list.is_empty() {
            return Ok(Self { faces, dropped: None });
        }
        let pairs = pairs(&list, &verdicts)?;
        let by =
            |verdict: u32| pairs.iter().filter(|[_, by]| *by == verdict).map(|[face, _]| *face).collect();
        let (degenerate, flat) = (by(verdict::DEGENERATE), by(verdict::FLAT));
        let stay = array::select(&whole)?;
        let left = rows(&faces, &stay)?;
        Ok(Self { faces: left, dropped: Some(Dropped { all: faces, stay, degenerate, flat }) })
    }
}
