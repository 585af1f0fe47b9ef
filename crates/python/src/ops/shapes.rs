//! Generated meshes.
use crate::content::Content;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use ribbonmesh::MeshOptions;
use ribbonmesh_mesh::shapes;

/// A shape of that name with these sizes.
#[pyfunction]
#[pyo3(signature = (kind, sizes, seed, shuffle, noise, device))]
pub fn generate(
    py: Python<'_>,
    kind: &str,
    sizes: Vec<u32>,
    seed: Option<u64>,
    shuffle: bool,
    noise: f64,
    device: &str,
) -> PyResult<NativeMesh> {
    let (kind, choice) = (kind.to_owned(), device.parse()?);
    let options = MeshOptions::default();
    let seed = seed.unwrap_or(options.seed);
    if !(noise.is_finite() && noise >= 0.0) {
        return Err(Failure::argument(format!("noise is {noise}: at least 0")).into());
    }
    let mesh = watch::run(py, Size::Long, None, move |_| {
        let mut mesh = match (kind.as_str(), &sizes[..]) {
            ("icosphere", &[k]) => shapes::icosphere(k),
            ("bumpy-sphere", &[k]) => shapes::bumpy_sphere(k, seed),
            ("torus", &[n]) => shapes::torus(n, seed),
            ("grid", &[n]) => shapes::grid(n, seed),
            ("torus-knot", &[p, q, around, along]) => shapes::torus_knot(p, q, around, along),
            ("mobius", &[n, width]) => shapes::mobius(n, width),
            _ => return Err(Failure::argument(format!("{kind:?} is no shape with {} sizes", sizes.len()))),
        }?;
        if shuffle {
            shapes::shuffle(&mut mesh, seed);
        }
        if noise > 0.0 {
            shapes::add_noise(&mut mesh, noise, seed);
        }
        Ok(mesh)
    })?;
    Ok(NativeMesh::new(Content::of_host(mesh, choice, MeshOptions { seed, ..options })))
}
