//! Cleaning of meshes.
use crate::doubled::leave_out;
use crate::error::of_boolean;
use crate::memory;
use crate::outward::turn_outward;
use crate::{CleanError, CleanOptions, CleanReport, Filled, Sizes, Weld, Wrapping};
use ribbonmesh::{Device, MeshOptions, Surface, array};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify};
use ribbonmesh_solid::boolean::{BooleanOptions, boolean_surface};
use ribbonmesh_solid::fill::{FillOptions, Method, fill_surface};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_solid::repair::{RepairOptions, STITCH, repair_and_stitch_surface};
use ribbonmesh_solid::shells::Shells;
use ribbonmesh_solid::wrap::{WrapOptions, wrap};
use std::time::Instant;

/// Ratio of the volume that a part encloses to its area times the diagonal of its bounding box, below which
/// it is flat.
pub(crate) const FLAT: f64 = 1e-6;
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
const BEFOREHAND: u32 = 4;
const FAR_MORE: usize = 16;

/// Makes a mesh, in place, a closed oriented manifold with outward faces of which no two intersect, as
/// [`clean_surface`] does of a surface on its device. Attributes are transferred.
/// # Errors
/// As [`clean_surface`]; [`MeshError`](ribbonmesh_mesh::MeshError) if the mesh contradicts itself. The mesh
/// is then unchanged.
pub fn clean(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &CleanOptions,
) -> Result<CleanReport, CleanError> {
    let mut surface = Surface::new(device, mesh, &MeshOptions::default())?;
    let report = clean_surface(&mut surface, options)?;
    *mesh = surface.download()?;
    Ok(report)
}

/// Makes a surface, in place, a closed oriented manifold with outward faces of which no two intersect.
/// Attributes are transferred.
///
/// 1. *Repair:* vertices at the same position are welded, duplicates dropped, non-manifold edges cut, faces
///    oriented.
/// 2. *Holes* are filled (flat, if the next step fails with smooth fillings), and closed components that are
///    inside out are turned.
/// 3. *Intersections* are resolved: the result is the surface of the volume around which the mesh is wound
///    once or more ([`boolean_surface`]). A mesh with more than 16 times the requested faces is first
///    simplified to 4 times their number, since most of the time would be spent there.
/// 4. If this fails, the repaired mesh is *wrapped* instead ([`wrap`]). The result is coarser, or rounder,
///    but wrapping always succeeds.
/// 5. A result with more faces than requested is *simplified*, without new intersections.
///
/// All steps run on the surface's device. The host reads what repair decides one by one, the surroundings of
/// holes, and faces that meet others; the mesh goes through the host only to close T-junctions.
/// # Errors
/// [`CleanError`]; the surface is then unchanged. With [`Wrapping::Never`], also if intersections could not
/// be resolved.
pub fn clean_surface(surface: &mut Surface, options: &CleanOptions) -> Result<CleanReport, CleanError> {
    options.check()?;
    surface.extent(WHAT)?;
    let triangles = surface.triangles();
    memory::check([triangles.positions().len(), triangles.faces().len() / 3], options.memory)?;
    let mut steps = Steps { options, report: CleanReport::default(), at: Instant::now() };
    let mut result = surface.try_clone()?;
    steps.report.before = Sizes::of(&mut result)?;
    steps.took("check");
    if options.wrapping == Wrapping::Always {
        steps.report.wrapped_because = Some("asked for".into());
        steps.wrap(&mut result)?;
    } else {
        steps.repair(&mut result)?;
        // kept as the input of wrapping
        let repaired = result.try_clone()?;
        let mut failed = steps.resolve(&mut result, options.filling)?;
        if failed.is_some() && steps.report.filling.is_some() && options.filling == Method::Smooth {
            // large smooth fillings may bulge into the surface, so try flat ones
            result = repaired.try_clone()?;
            failed = steps.resolve(&mut result, Method::Flat)?;
        }
        match failed {
            None => {}
            Some(why) if options.wrapping == Wrapping::Never => return Err(CleanError::NotResolved(why)),
            Some(why) => {
                result =
                    if repaired.triangles().faces().is_empty() { surface.try_clone()? } else { repaired };
                steps.report.wrapped_because = Some(why);
                steps.wrap(&mut result)?;
            }
        }
    }
    steps.simplify(&mut result)?;
    steps.last_look(&mut result)?;
    *surface = result;
    Ok(steps.report)
}

/// The name of the mesh in errors.
const WHAT: &str = "the mesh to clean";

struct Steps<'a> {
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
    fn repair(&mut self, surface: &mut Surface) -> Result<(), CleanError> {
        let diagonal = surface.extent(WHAT)?.diagonal;
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
        self.note(surface);
        let (repaired, stitched, again) = repair_and_stitch_surface(surface, &choice, stitch)?;
        self.report.repair = Some(repaired);
        self.report.stitched = stitched;
        self.report.repaired_again = again;
        self.took("repair");
        Ok(())
    }
    /// Fills holes and resolves intersections; returns the reason if that failed.
    fn resolve(&mut self, surface: &mut Surface, method: Method) -> Result<Option<String>, CleanError> {
        if surface.triangles().faces().is_empty() {
            return Ok(Some("all faces are degenerate".into()));
        }
        let filling = FillOptions { method, borders: true, ..FillOptions::default() };
        let done = fill_surface(surface, &filling)?;
        self.report.columns_dropped.extend(done.columns_dropped.iter().cloned());
        if done.filled > 0 {
            self.report.filling = Some(Filled::of(method, &done));
        }
        self.took("fill");
        let diagonal = surface.extent(WHAT)?.diagonal;
        let mut shells = Shells::of(surface)?;
        self.report.sheets_removed = leave_out(surface, &shells, diagonal)?;
        if self.report.sheets_removed > 0 {
            shells = Shells::of(surface)?;
        }
        self.report.turned = turn_outward(surface, &mut shells)?;
        self.took("orient");
        if shells.volumes.iter().sum::<f64>() <= FLAT * shells.areas.iter().sum::<f64>() * diagonal {
            return Ok(Some("it encloses no volume".into()));
        }
        let count = surface.triangles().faces().len() / 3;
        if let Some(faces) = self.options.faces
            && count > FAR_MORE.saturating_mul(faces as usize)
        {
            let target = Some(Target::Faces(faces.saturating_mul(BEFOREHAND)));
            let options = SimplifyOptions { target, ..SimplifyOptions::default() };
            self.report.coarsened = Some(simplify(surface, &options)?);
            self.took("coarsen");
        }
        self.note(surface);
        let resolved = boolean_surface(surface, vec![], &BooleanOptions::default());
        self.took("resolve");
        match resolved {
            Err(error) => Ok(Some(of_boolean(error)?)),
            Ok(_) if surface.triangles().faces().is_empty() => Ok(Some("nothing is left".into())),
            Ok(report) => {
                self.report.columns_dropped.extend(report.columns_dropped.iter().cloned());
                self.report.resolve = Some(report);
                Ok(None)
            }
        }
    }
    fn wrap(&mut self, surface: &mut Surface) -> Result<(), CleanError> {
        let most = self
            .options
            .most_growth
            .map(|growth| (self.report.before.faces as u64).saturating_mul(growth.into()).max(LEAST));
        let options = WrapOptions { resolution: self.resolution(surface, most)?, ..self.options.wrap };
        self.report.wrap = Some(wrap(surface, &options)?);
        self.took("wrap");
        let faces = (surface.triangles().faces().len() / 3) as u64;
        if let Some(most) = most.filter(|most| faces > *most) {
            let target = Some(Target::Faces((most as u32).max(4)));
            let options =
                SimplifyOptions { target, no_self_intersections: true, ..SimplifyOptions::default() };
            self.report.wrap_simplified = Some(simplify(surface, &options)?);
            self.took("simplify the wrap");
        }
        Ok(())
    }
    /// Cubes of a wrap along the longest edge of the bounding box: the requested number, or fewer if these
    /// still give several times the faces that it may have.
    fn resolution(&self, surface: &mut Surface, most: Option<u64>) -> Result<u32, CleanError> {
        let asked = self.options.wrap.resolution;
        let Some(most) = most else { return Ok(asked) };
        let positions = surface.triangles().positions();
        let Some((low, high)) = array::min(positions)?.zip(array::max(positions)?) else { return Ok(asked) };
        let longest = f64::from((high - low).max_element());
        let area: f64 = Shells::of(surface)?.areas.iter().sum();
        let enough = longest / (PER_SQUARE * area / (MORE * most as f64)).sqrt();
        // `enough` is not a number if no face has an area
        let fewer = enough < f64::from(asked);
        Ok(if fewer { (enough as u32).max(COARSEST).min(asked) } else { asked })
    }
    fn simplify(&mut self, surface: &mut Surface) -> Result<(), CleanError> {
        let Some(target) = self.options.faces.map(|faces| faces - faces % 2) else { return Ok(()) };
        if surface.triangles().faces().len() / 3 <= target as usize {
            return Ok(());
        }
        let options = SimplifyOptions {
            target: Some(Target::Faces(target)),
            no_self_intersections: true,
            ..SimplifyOptions::default()
        };
        self.report.simplify = Some(simplify(surface, &options)?);
        self.took("simplify");
        Ok(())
    }
    /// Records the columns that a surface has lost.
    fn note(&mut self, surface: &Surface) {
        let notes = surface.notes().iter().map(|note| format!("{}.{}", note.element, note.name));
        self.report.columns_dropped.extend(notes);
    }
    /// Records the sizes and intersections of the result.
    fn last_look(&mut self, surface: &mut Surface) -> Result<(), CleanError> {
        self.report.after = Sizes::of(surface)?;
        let (positions, faces) = (surface.triangles().positions(), surface.triangles().faces());
        let found = self_intersections(Triangles { positions, faces })?;
        self.report.intersecting_pairs = found.pairs.len() as u64;
        self.note(surface);
        self.report.columns_dropped.sort_unstable();
        self.report.columns_dropped.dedup();
        self.took("check");
        Ok(())
    }
}
