//! Cleaning of meshes.
use crate::doubled::leave_out;
use crate::error::of_boolean;
use crate::outward::turn_outward;
use crate::{CleanError, CleanOptions, CleanReport, Filled, Sizes, Weld, Wrapping};
use ribbonmesh::{Device, Error, MeshOptions, Surface};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, SimplifyReport, Target, simplify};
use ribbonmesh_solid::boolean::{BooleanOptions, boolean};
use ribbonmesh_solid::fill::{FillOptions, Method, fill_holes};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::{RepairOptions, STITCH, repair_and_stitch};
use ribbonmesh_solid::wrap::{WrapOptions, wrap};
use std::time::Instant;

/// Ratio of the volume that a part encloses to its area times the diagonal of its bounding box, below which
/// it is flat.
pub(crate) const FLAT: f64 = 1e-6;
/// Greatest distance of the two copies of a sheet from each other, in diagonals of the bounding box.
const TWICE: f64 = 1e-3;
/// The coarsest grid of a wrap that is chosen to limit the number of faces: cubes along the longest edge of
/// the bounding box.
const COARSEST: u32 = 64;
/// Number of faces that a wrap may always have, however few the mesh has: the simplest closed surface around
/// them needs some.
const LEAST: u64 = 1000;
/// Number of faces of a wrap per square of an edge of a cube, about; and factor by which a wrap may first
/// exceed its final number of faces.
const PER_SQUARE: f64 = 9.0;
const MORE: f64 = 16.0;
/// Factor of simplification before intersections are resolved: a mesh with more than [`FAR_MORE`] times the
/// requested faces is simplified to this many times their number.
const BEFOREHAND: u32 = 8;
const FAR_MORE: usize = 16;

/// Makes a mesh, in place, a closed oriented manifold with outward faces of which no two intersect.
/// Attributes are transferred.
///
/// 1. *Repair:* vertices at the same position are welded, duplicates dropped, non-manifold edges cut, faces
///    oriented.
/// 2. *Holes* are filled (flat, if the next step fails with smooth fillings), and closed components that are
///    inside out are turned.
/// 3. *Intersections* are resolved: the result is the surface of the volume around which the mesh is wound
///    once or more ([`boolean`]). A mesh with more than 16 times the
///    requested faces is first simplified to 8 times their number, since most of the time would be spent
///    there.
/// 4. If this fails, the repaired mesh is *wrapped* instead ([`wrap`]).
///    The result is coarser, or rounder, but wrapping always succeeds.
/// 5. A result with more faces than requested is *simplified*, without new intersections.
///
/// Searches and simplification run on `device`, the rest on the host.
/// # Errors
/// [`CleanError`]; the mesh is then unchanged. With [`Wrapping::Never`], also if intersections could not be
/// resolved.
pub fn clean(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &CleanOptions,
) -> Result<CleanReport, CleanError> {
    options.check()?;
    mesh.check()?;
    if mesh.faces.is_empty() {
        return Err(Error::NoFaces { what: "the mesh to clean" }.into());
    }
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(Error::NotFinite { vertex }.into());
    }
    let mut steps = Steps { device, options, report: CleanReport::default(), at: Instant::now() };
    steps.report.before = Sizes::of(mesh);
    let mut result = mesh.clone();
    steps.took("check");
    if options.wrapping == Wrapping::Always {
        steps.report.wrapped_because = Some("asked for".into());
        steps.wrap(&mut result)?;
    } else {
        steps.repair(&mut result)?;
        // kept as the input of wrapping
        let repaired = result.clone();
        let mut failed = steps.resolve(&mut result, options.filling)?;
        if failed.is_some() && steps.report.filling.is_some() && options.filling == Method::Smooth {
            // large smooth fillings may bulge into the surface, so try flat ones
            result = repaired.clone();
            failed = steps.resolve(&mut result, Method::Flat)?;
        }
        match failed {
            None => {}
            Some(why) if options.wrapping == Wrapping::Never => return Err(CleanError::NotResolved(why)),
            Some(why) => {
                result = if repaired.faces.is_empty() { mesh.clone() } else { repaired };
                steps.report.wrapped_because = Some(why);
                steps.wrap(&mut result)?;
            }
        }
    }
    steps.simplify(&mut result)?;
    steps.last_look(&result)?;
    *mesh = result;
    Ok(steps.report)
}

struct Steps<'a> {
    device: &'a Device,
    options: &'a CleanOptions,
    report: CleanReport,
    at: Instant,
}

impl Steps<'_> {
    /// Records the seconds since the last step.
    fn took(&mut self, step: &'static str) {
        self.report.seconds.push((step, self.at.elapsed().as_secs_f64()));
        self.at = Instant::now();
    }
    fn repair(&mut self, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let diagonal = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        let (weld, stitch) = match self.options.weld {
            Weld::Usual => (Some(0.0), Some(STITCH * diagonal)),
            Weld::Within(distance) => (Some(distance), Some(distance).filter(|distance| *distance > 0.0)),
            Weld::Never => (None, None),
        };
        let choice = RepairOptions {
            weld,
            remove_isolated: true,
            remove_components: self.options.remove_components,
            // holes that touch stay small if they are filled separately
            keep_touching: true,
            ..RepairOptions::default()
        };
        let (repaired, stitched, again) = repair_and_stitch(self.device, mesh, &choice, stitch)?;
        self.report.repair = Some(repaired.report);
        self.report.stitched = stitched;
        self.report.repaired_again = again;
        self.took("repair");
        Ok(())
    }
    /// Fills holes and resolves intersections; returns the reason if that failed.
    fn resolve(&mut self, mesh: &mut TriangleMesh, method: Method) -> Result<Option<String>, CleanError> {
        if mesh.faces.is_empty() {
            return Ok(Some("all faces are degenerate".into()));
        }
        let filling = FillOptions { method, borders: true, ..FillOptions::default() };
        let done = fill_holes(self.device, mesh, &filling)?;
        self.report.columns_dropped.extend(done.columns_dropped);
        if done.filled > 0 {
            self.report.filling = Some(Filled {
                method: method.name(),
                holes: done.filled,
                edges: done.holes.iter().map(|hole| hole.hole.edges).sum(),
                faces: done.faces_added,
                area: done.area_added,
                flat: done
                    .holes
                    .iter()
                    .filter(|hole| hole.filling.as_ref().is_some_and(|f| f.flat_because.is_some()))
                    .count(),
                joined: done.joined,
            });
        }
        self.took("fill");
        let diagonal = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
        self.report.sheets_removed = leave_out(self.device, mesh, TWICE * diagonal)?;
        self.report.turned = turn_outward(self.device, mesh)?;
        self.took("orient");
        let (volume, area) = (mesh.volume().unwrap_or(0.0), mesh.area());
        if volume <= FLAT * area * diagonal {
            return Ok(Some("it encloses no volume".into()));
        }
        if let Some(faces) = self.options.faces
            && mesh.faces.len() > FAR_MORE.saturating_mul(faces as usize)
        {
            let target = Some(Target::Faces(faces.saturating_mul(BEFOREHAND)));
            self.report.coarsened =
                Some(self.simplified(mesh, &SimplifyOptions { target, ..SimplifyOptions::default() })?);
            self.took("coarsen");
        }
        let filled = std::mem::take(mesh);
        let resolved = boolean(self.device, std::slice::from_ref(&filled), &BooleanOptions::default());
        self.took("resolve");
        match resolved {
            Err(error) => Ok(Some(of_boolean(error)?)),
            Ok((resolved, _)) if resolved.faces.is_empty() => Ok(Some("nothing is left".into())),
            Ok((resolved, report)) => {
                self.report.columns_dropped.extend(report.columns_dropped.iter().cloned());
                self.report.resolve = Some(report);
                *mesh = resolved;
                Ok(None)
            }
        }
    }
    fn wrap(&mut self, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let most = self
            .options
            .most_growth
            .map(|growth| (self.report.before.faces as u64).saturating_mul(growth.into()).max(LEAST));
        let options = WrapOptions { resolution: self.resolution(mesh, most), ..self.options.wrap };
        let mut surface = Surface::new(self.device, mesh, &MeshOptions::default())?;
        self.report.wrap = Some(wrap(&mut surface, &options)?);
        self.take(&surface, mesh)?;
        self.took("wrap");
        if let Some(most) = most.filter(|most| (mesh.faces.len() as u64) > *most) {
            let target = Some(Target::Faces((most as u32).max(4)));
            let options =
                SimplifyOptions { target, no_self_intersections: true, ..SimplifyOptions::default() };
            self.report.wrap_simplified = Some(self.simplified(mesh, &options)?);
            self.took("simplify the wrap");
        }
        Ok(())
    }
    /// Cubes of a wrap along the longest edge of the bounding box: the requested number, or fewer if these
    /// still give several times the faces that it may have.
    fn resolution(&self, mesh: &TriangleMesh, most: Option<u64>) -> u32 {
        let asked = self.options.wrap.resolution;
        let (Some(most), Some(bounds)) = (most, mesh.bounding_box()) else { return asked };
        let longest = bounds.size().max_element();
        let enough = longest / (PER_SQUARE * mesh.area() / (MORE * most as f64)).sqrt();
        // `enough` is not a number if no face has an area
        if enough < f64::from(asked) { (enough as u32).max(COARSEST).min(asked) } else { asked }
    }
    fn simplify(&mut self, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let Some(target) = self.options.faces.map(|faces| faces - faces % 2) else { return Ok(()) };
        if mesh.faces.len() <= target as usize {
            return Ok(());
        }
        let options = SimplifyOptions {
            target: Some(Target::Faces(target)),
            no_self_intersections: true,
            ..SimplifyOptions::default()
        };
        self.report.simplify = Some(self.simplified(mesh, &options)?);
        self.took("simplify");
        Ok(())
    }
    fn simplified(
        &mut self,
        mesh: &mut TriangleMesh,
        options: &SimplifyOptions,
    ) -> Result<SimplifyReport, CleanError> {
        let mut surface = Surface::new(self.device, mesh, &MeshOptions::default())?;
        let report = simplify(&mut surface, options)?;
        self.take(&surface, mesh)?;
        Ok(report)
    }
    fn take(&mut self, surface: &Surface, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let notes = surface.notes().iter().map(|note| format!("{}.{}", note.element, note.name));
        self.report.columns_dropped.extend(notes);
        *mesh = surface.download()?;
        Ok(())
    }
    /// Records the sizes and intersections of the result.
    fn last_look(&mut self, mesh: &TriangleMesh) -> Result<(), CleanError> {
        let positions = self.device.upload(&mesh.points_around(mesh.local_origin()))?;
        let faces = self.device.upload(mesh.faces.as_flattened())?;
        let found = self_intersections(Triangles { positions: &positions, faces: &faces })?;
        self.report.intersecting_pairs = found.pairs.len() as u64;
        self.report.after = Sizes::of(mesh);
        self.report.columns_dropped.sort_unstable();
        self.report.columns_dropped.dedup();
        self.took("check");
        Ok(())
    }
}
