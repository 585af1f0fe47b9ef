//! Isotropic remeshing from file to file.
use crate::even::UNSMOOTHED;
use crate::frame::Frame;
use crate::gather::Span;
use crate::lengths::faces_of;
use crate::level::{Array, Level, SHARED, Sizes};
use crate::manifest::{Course, Sharp};
use crate::measure::{Measured, measure};
use crate::plan::Room;
use crate::report::TilesReport;
use crate::run::{Run, run};
use crate::{Result, TilesError, disk};
use ribbonmesh_application::{Failure, Given};
use ribbonmesh_remeshing::remesh::{
    Adaptive, Attempts, Boundary, Length, Part, PartOptions, RemeshChoice, RemeshOptions, Survey, Weights,
};
use std::path::{Path, PathBuf};

/// Options of [`remesh`].
#[derive(Clone, Debug, PartialEq)]
pub struct RemeshTiles {
    /// The target length of edges; mean lengths are those of the sides of faces.
    pub length: Length,
    /// Rounds of splitting, collapsing, flipping, smoothing in each tile.
    pub iterations: u32,
    /// Edges whose faces' normals have a greater angle than this, in degrees, are features; [`None`]: those
    /// of 30° and more, where they form curves.
    pub feature_angle: Option<f32>,
    /// Edges between two features that are shorter than this, in target lengths, are collapsed.
    pub merge: f32,
    /// Treatment of the boundary.
    pub boundary: Boundary,
    /// Whether vertices are projected to the input: where old borders were, to the surface of the level
    /// before, and from there at the end.
    pub project: bool,
    /// Target lengths by curvature, and by the measured distance from the input; [`None`]: the same length
    /// everywhere. Vertices are projected then.
    pub adaptive: Option<Adaptive>,
    /// Steps of smoothing in each iteration.
    pub smoothing: u32,
    /// Part of the way that a vertex moves in a step of smoothing, 0 to 1.
    pub step: f32,
    /// Weights of triangles in smoothing.
    pub weights: Weights,
    /// Bytes of memory that the process may take.
    pub memory: u64,
    /// The most faces of a tile; [`None`]: as many as the memory allows. The result depends on it.
    pub tile_faces: Option<u64>,
    /// Tiles that are remeshed at the same time, at most [`SLOTS`](crate::SLOTS). The result does not depend
    /// on it.
    pub workers: usize,
    /// The folder of the work. A run that was ended goes on from what is there. It has room for about 60
    /// bytes for each face of the input or the output.
    pub work: PathBuf,
    /// Whether the folder stays, with the tiles of the last level.
    pub keep: bool,
}
impl RemeshTiles {
    /// The usual options in a folder.
    pub fn new(work: PathBuf) -> Self {
        let usual = RemeshOptions::default();
        Self {
            length: usual.length,
            iterations: usual.iterations,
            feature_angle: None,
            merge: usual.merge,
            boundary: usual.boundary,
            project: usual.project,
            adaptive: None,
            smoothing: usual.smoothing,
            step: usual.step,
            weights: usual.weights,
            memory: 2_000_000_000,
            tile_faces: None,
            workers: 1,
            work,
            keep: false,
        }
    }
    /// Those that were given of an application `remesh`, and the usual ones, in a folder.
    /// # Errors
    /// A value that is refused.
    pub fn given(given: &Given, work: PathBuf) -> std::result::Result<Self, Failure> {
        let usual = Self::new(work);
        let choice = RemeshChoice {
            adaptive: given.value("adaptive")?.unwrap_or_default(),
            tolerance: given.value("tolerance")?,
            range: given.value("range")?,
            most_faces: given.value("most_faces")?,
            ..RemeshChoice::default()
        };
        Ok(Self {
            length: given.value("target_length")?.unwrap_or(usual.length),
            iterations: given.value("iterations")?.unwrap_or(usual.iterations),
            feature_angle: given.value("feature_angle")?,
            merge: given.value("merge_features")?.unwrap_or(usual.merge),
            boundary: given.value("boundary")?.unwrap_or(usual.boundary),
            project: given.value("project")?.unwrap_or(usual.project),
            adaptive: choice.options().adaptive,
            smoothing: given.value("smoothing")?.unwrap_or(usual.smoothing),
            step: given.value("step")?.unwrap_or(usual.step),
            weights: given.value("weights")?.unwrap_or(usual.weights),
            ..usual
        })
    }
    /// Whether vertices are projected.
    pub(crate) fn projects(&self) -> bool {
        self.project || self.adaptive.is_some()
    }
    /// Those that change results.
    pub(crate) fn text(&self) -> String {
        let Self { length, iterations, feature_angle, merge, boundary, project, adaptive, .. } = self;
        let Self { smoothing, step, weights, memory, tile_faces, .. } = self;
        let shape = (length, iterations, feature_angle, merge, boundary, project, adaptive);
        format!("remesh {:?}", (shape, smoothing, step, weights, memory, tile_faces))
    }
    pub(crate) fn check(&self) -> Result<()> {
        let Self { length, iterations, feature_angle, merge, step, adaptive, .. } = *self;
        let usual = RemeshOptions::default();
        let options = RemeshOptions { length, iterations, feature_angle, merge, step, adaptive, ..usual };
        Ok(options.check()?)
    }
    /// Those of a tile, of which a length, features and the most faces are known.
    pub(crate) fn of_part(&self, length: f32, sharp: Sharp, most_faces: u64) -> PartOptions {
        let Self { iterations, merge, boundary, smoothing, step, weights, .. } = *self;
        PartOptions {
            length,
            iterations,
            feature_angle: sharp.angle,
            thin: sharp.thin,
            merge,
            boundary,
            project: self.projects(),
            smoothing,
            step,
            weights,
            unsmoothed: UNSMOOTHED,
            most_faces,
        }
    }
    /// The features of a mesh that is cut into tiles: where no angle is given, all tiles are looked at.
    pub(crate) fn sharp(&self, level: &Level, spans: &[Span]) -> Result<Sharp> {
        if self.feature_angle.is_some() {
            return Ok(Sharp { angle: self.feature_angle, thin: false });
        }
        let mut sum = Survey::default();
        for Span { faces: [face, faces], vertices: [vertex, vertices] } in spans {
            let file = |array| level.array(array);
            let fixed: Vec<u8> = disk::read(&file(Array::Fixed), *vertex, *vertices as usize)?;
            let part = Part {
                positions: disk::read(&file(Array::Vertices), *vertex, *vertices as usize)?,
                triangles: disk::read(&file(Array::Faces), *face, *faces as usize)?,
                fixed: fixed.into_iter().map(|bits| bits & SHARED != 0).collect(),
                ..Part::default()
            };
            // what is wrong is named when the tile is remeshed
            sum += Survey::new(&part).unwrap_or_default();
        }
        Ok(Sharp { angle: sum.feature_angle(), thin: sum.is_thin() })
    }
    /// The target length in the units of the frame, and about the number of faces that it gives; with a
    /// tolerance, the course of attempts.
    pub(crate) fn resolve(
        &self,
        (level, sizes): (&Level, Sizes),
        frame: &Frame,
        room: &Room,
    ) -> Result<(f32, u64, Option<Course>)> {
        let measured = measure(level, sizes, room)?;
        let length = in_frame("target length", self.length, &measured, frame)?;
        let faces = faces_of(measured.area, length.into());
        // a closed surface has half as many vertices
        if faces > 2.0 * f64::from(u32::MAX) {
            let expected = format!("one that gives fewer vertices than {}", u32::MAX);
            return Err(refuse("target length", self.length, frame.length(length), expected));
        }
        let course = |adaptive: Adaptive| {
            Ok::<_, TilesError>(Course {
                attempts: Attempts::new(&adaptive),
                tolerance: in_frame("tolerance", adaptive.tolerance, &measured, frame)?,
                most_faces: adaptive.allowed(sizes.faces, faces as u64),
                attempt: 0,
                expected: faces as u64,
                nearest: None,
            })
        };
        Ok((length, faces as u64, self.adaptive.map(course).transpose()?))
    }
}

fn refuse(option: &'static str, asked: Length, length: f32, expected: String) -> TilesError {
    TilesError::Option { option, value: format!("{asked} = {length:e}"), expected }
}

/// A length in the units of the frame.
fn in_frame(option: &'static str, asked: Length, measured: &Measured, frame: &Frame) -> Result<f32> {
    let &Measured { mean, diagonal, area } = measured;
    let length = match asked {
        Length::Absolute(l) => f64::from(l) * frame.scale(),
        Length::Mean(l) => f64::from(l) * mean,
        Length::Diagonal(l) => f64::from(l) * diagonal,
        Length::Usual => mean.min(Length::USUAL * diagonal),
    };
    // an empty mesh has no diagonal
    if (area > 0.0 || diagonal > 0.0) && !(1e-9 * diagonal..1e9 * diagonal).contains(&length) {
        let expected = "a length from 1e-9 to 1e9 diagonals of the box around the mesh".into();
        return Err(refuse(option, asked, frame.length(length as f32), expected));
    }
    Ok(length as f32)
}

/// Remeshes the mesh of a file (binary PLY of triangles, OBJ, binary STL, GLB), and writes a file (binary
/// PLY, OBJ, binary STL, GLB), without ever having more than a part of either in memory. Tiles are remeshed
/// while their borders stay, and then what was near borders, in tiles that are cut across these, until
/// nothing has stayed each time. The input must be an oriented manifold. All attributes are left out, and so
/// are vertices without faces. `say` gets a line for each level. [`Run`] has the steps.
///
/// If the process is ended in between, whenever that is, the same call goes on from the folder of the work,
/// with the same result.
/// # Errors
/// [`TilesError`].
pub fn remesh(
    from: &Path,
    output: &Path,
    options: &RemeshTiles,
    say: &mut dyn FnMut(String),
) -> Result<TilesReport> {
    run(Run::open(from, output, options.clone())?, options.workers, say)
}
