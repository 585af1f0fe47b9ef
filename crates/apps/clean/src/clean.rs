//! Cleaning.
use crate::error::of_resolve;
use crate::outward::turn_outward;
use crate::{CleanError, CleanOptions, CleanReport, Filled, Sizes, Wrapping};
use ribbonmesh::{Device, Error, MeshOptions, Surface};
use ribbonmesh_fill::{FillOptions, Method, fill_holes};
use ribbonmesh_intersections::{Triangles, self_intersections};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_repair::{RepairOptions, repair_mesh};
use ribbonmesh_resolve::{ResolveOptions, resolve};
use ribbonmesh_simplify::{SimplifyOptions, SimplifyReport, Target, simplify};
use ribbonmesh_wrap::wrap;
use std::time::Instant;

/// What encloses less than this part of its area times the diagonal of its bounding box is flat.
const FLAT: f64 = 1e-6;
/// A mesh with more than [`FAR_MORE`] times the faces wanted is simplified to this many times them before intersections are resolved.
const BEFOREHAND: u32 = 8;
const FAR_MORE: usize = 16;

/// Makes a mesh a closed oriented manifold with outward faces, of which no two intersect; in place. Attributes follow.
///
/// 1. *Repair:* vertices at the same place are welded, duplicates dropped, non-manifold edges cut, faces oriented.
/// 2. *Holes* are filled (flat, if what follows fails with smooth fillings), and closed components that are inside out are turned.
/// 3. *Intersections* are resolved: what is inside goes. A mesh with more than 16 times the faces wanted is simplified to 8 times
///    them first, as that is where most of the time would go.
/// 4. Where this fails, or loses a part of the outer surface, the repaired mesh is *wrapped* instead ([`wrap`]): it then
///    becomes coarser, or rounder, but always ends.
/// 5. Of more faces than wanted it is *simplified*, without new intersections.
///
/// Searches and simplification run on `device`, the rest on the host.
/// # Errors
/// [`CleanError`]; the mesh is then as it was. With [`Wrapping::Never`], also where intersections could not be resolved.
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
        // the input of wrapping, should it come to that
        let repaired = result.clone();
        let mut failed = steps.resolve(&mut result, options.filling)?;
        if failed.is_some() && steps.report.filling.is_some() && options.filling == Method::Smooth {
            // large fillings that bulge run into the surface
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
    /// Notes the seconds since the last step.
    fn took(&mut self, step: &'static str) {
        self.report.seconds.push((step, self.at.elapsed().as_secs_f64()));
        self.at = Instant::now();
    }
    fn repair(&mut self, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let choice =
            RepairOptions { weld: self.options.weld, remove_isolated: true, ..RepairOptions::default() };
        self.report.repair = Some(repair_mesh(mesh, &choice)?.report);
        self.took("repair");
        Ok(())
    }
    /// Fills holes and resolves intersections; why that failed.
    fn resolve(&mut self, mesh: &mut TriangleMesh, method: Method) -> Result<Option<String>, CleanError> {
        if mesh.faces.is_empty() {
            return Ok(Some("all faces are degenerate".into()));
        }
        let filling = FillOptions { method, ..FillOptions::default() };
        let done = fill_holes(mesh, &filling)?;
        self.report.columns_dropped.extend(done.columns_dropped);
        if done.filled > 0 {
            self.report.filling = Some(Filled {
                method: method.name(),
                holes: done.filled,
                edges: done.holes.iter().map(|hole| hole.hole.edges).sum(),
                faces: done.faces_added,
                area: done.area_added,
            });
        }
        self.took("fill");
        self.report.turned = turn_outward(self.device, mesh)?;
        self.took("orient");
        let (volume, area) = (mesh.volume().unwrap_or(0.0), mesh.area());
        if volume <= FLAT * area * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal()) {
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
        let choice =
            ResolveOptions { most_deviation: self.options.most_deviation, ..ResolveOptions::default() };
        let resolved = resolve(self.device, std::slice::from_ref(&filled), &choice);
        self.took("resolve");
        match resolved {
            Err(error) => Ok(Some(of_resolve(error)?)),
            Ok((resolved, report)) => {
                self.report.columns_dropped.extend(report.columns_dropped.iter().cloned());
                self.report.resolve = Some(report);
                *mesh = resolved;
                Ok(None)
            }
        }
    }
    fn wrap(&mut self, mesh: &mut TriangleMesh) -> Result<(), CleanError> {
        let mut surface = Surface::new(self.device, mesh, &MeshOptions::default())?;
        self.report.wrap = Some(wrap(&mut surface, &self.options.wrap)?);
        self.take(&surface, mesh)?;
        self.took("wrap");
        Ok(())
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
    /// What the result is.
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
