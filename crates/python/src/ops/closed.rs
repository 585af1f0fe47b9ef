//! Operations that make meshes sound: repair, holes, intersections, wrapping.
use super::{on_host, text, value};
use crate::content::Content;
use crate::failure::{Failure, Kind};
use crate::mesh::NativeMesh;
use crate::options::{length_or_zero, parse};
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh_clean::{CleanOptions, Weld};
use ribbonmesh_fill::{FillOptions, fill_holes};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_repair::{RepairOptions, STITCH, manifold_violations, repair_and_stitch, repair_mesh};
use ribbonmesh_resolve::ResolveOptions;
use ribbonmesh_wrap::WrapOptions;
use serde_json::Value;
use std::sync::Arc;

fn no_faces() -> Failure {
    Failure::new(Kind::Mesh, "the mesh has no faces")
}

/// Makes an oriented manifold. With `check`, only refuses a mesh that is not one.
#[pyfunction]
#[pyo3(signature = (mesh, weld, remove_zero_area, remove_components, remove_isolated, fill_holes_, check, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn repair(
    py: Python<'_>,
    mesh: &NativeMesh,
    weld: Option<String>,
    remove_zero_area: bool,
    remove_components: u32,
    remove_isolated: bool,
    fill_holes_: Option<u32>,
    check: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    on_host(py, mesh, progress, move |_, mut mesh| {
        if check {
            let found = manifold_violations(mesh.positions.len(), &mesh.faces)?;
            return if found.is_empty() { Ok((mesh, Value::Null)) } else { Err(Failure::from(&found)) };
        }
        let options = RepairOptions {
            weld: length_or_zero("weld", weld.as_deref(), &mesh)?,
            remove_zero_area,
            remove_components,
            remove_isolated,
            keep_touching: fill_holes_.is_some(),
        };
        let stitch = fill_holes_.map(|_| match options.weld {
            Some(distance) if distance > 0.0 => distance,
            _ => STITCH * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal()),
        });
        let (done, stitched, again) = repair_and_stitch(&mut mesh, &options, stitch)?;
        if mesh.faces.is_empty() {
            return Err(Failure::new(Kind::Mesh, "no face is left"));
        }
        let mut used = vec![false; mesh.positions.len()];
        mesh.faces.as_flattened().iter().for_each(|&v| used[v as usize] = true);
        let isolated = used.iter().filter(|used| !**used).count();
        let mut report = value(done.report);
        let mut later: Vec<_> = again.into_iter().collect();
        if let Some(up_to) = fill_holes_ {
            let options = FillOptions { up_to: Some(up_to), ..FillOptions::default() };
            let filling = fill_holes(&mut mesh, &options)?;
            if filling.left > 0 {
                // vertices at which holes touch that are left
                later.push(repair_mesh(&mut mesh, &RepairOptions::default())?.report);
            }
            report["filling"] = value(filling);
            report["stitched"] = value(stitched);
        }
        later.retain(|report| !report.is_empty());
        if !later.is_empty() {
            report["repaired_again"] = value(later);
        }
        report["isolated_vertices"] = isolated.into();
        Ok((mesh, report))
    })
}

/// Makes closed meshes that pass through themselves or each other one that does not.
#[pyfunction]
#[pyo3(signature = (meshes, attempts, progress))]
pub fn resolve(
    py: Python<'_>,
    meshes: Vec<PyRef<'_, NativeMesh>>,
    attempts: u32,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let contents: Vec<Arc<Content>> = meshes.iter().map(|mesh| Arc::clone(&mesh.content)).collect();
    drop(meshes);
    let options = ResolveOptions { attempts, ..ResolveOptions::default() };
    let (after, report) = watch::run(py, Size::Long, progress, move |session| {
        let first = contents.first().ok_or_else(|| Failure::argument("no mesh is given"))?;
        // each may live on another device, and has its turn there
        let of_host = |content: &Arc<Content>| content.host(session).cloned();
        let meshes = contents.iter().map(of_host).collect::<Result<Vec<TriangleMesh>, _>>()?;
        if let Some(mesh) = meshes.iter().position(|mesh| mesh.faces.is_empty()) {
            return Err(no_faces().of_mesh(mesh));
        }
        let (mesh, report) = session
            .turn(&first.device()?, |turn| Ok(ribbonmesh_resolve::resolve(turn, &meshes, &options)?))?;
        Ok((first.like(session, mesh)?, text(&value(report))))
    })?;
    Ok((NativeMesh::new(after), report))
}

/// Makes any triangles a closed manifold without intersections.
#[pyfunction]
#[pyo3(signature = (mesh, faces, weld, no_weld, remove_components, fill_, wrap_, resolution, offset, no_winding, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn clean(
    py: Python<'_>,
    mesh: &NativeMesh,
    faces: Option<u32>,
    weld: Option<String>,
    no_weld: bool,
    remove_components: u32,
    fill_: &str,
    wrap_: &str,
    resolution: Option<u32>,
    offset: f64,
    no_winding: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    if mesh.content.sizes[1] == 0 {
        return Err(no_faces().into());
    }
    let usual = CleanOptions::default();
    let options = CleanOptions {
        faces,
        remove_components,
        filling: parse("fill", fill_)?,
        wrapping: parse("wrap", wrap_)?,
        wrap: WrapOptions {
            resolution: resolution.unwrap_or(usual.wrap.resolution),
            offset,
            winding: !no_winding,
            project: true,
        },
        // a grid that is asked for is kept
        most_growth: if resolution.is_some() { None } else { usual.most_growth },
        ..usual
    };
    let content = Arc::clone(&mesh.content);
    let (after, report) = watch::run(py, Size::Long, progress, move |session| {
        let mut mesh = content.host(session)?.clone();
        let weld = match length_or_zero("weld", weld.as_deref(), &mesh)? {
            _ if no_weld => Weld::Never,
            None => Weld::Usual,
            Some(distance) => Weld::Within(distance),
        };
        let options = CleanOptions { weld, ..options };
        let report = session
            .turn(&content.device()?, |turn| Ok(ribbonmesh_clean::clean(turn, &mut mesh, &options)?))?;
        Ok((content.like(session, mesh)?, text(&value(report))))
    })?;
    Ok((NativeMesh::new(after), report))
}
