//! The native part of the Python package `ribbonmesh`: arrays in and out, and the libraries' functions.
//!
//! Signatures, defaults, documentation and types are in the package's Python sources. The functions here take
//! arguments that these have put in order, and check the requirements of the libraries.

mod arrays;
mod columns;
mod content;
mod device;
mod dlpack;
mod failure;
mod files;
mod mesh;
mod ops;
mod options;
mod watch;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command `ribbonmesh` with the arguments of the Python process; its exit status.
#[pyfunction]
fn command(py: Python<'_>) -> PyResult<u8> {
    let arguments: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    Ok(py.detach(|| ribbonmesh_cli::run_with(arguments)))
}

/// The native part of the package; not for users.
#[pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::device::{device_name, set_threads, take_turns_on_cpu};
    #[pymodule_export]
    use super::dlpack::taken::fetch;
    #[pymodule_export]
    use super::dlpack::{DeviceArray, copies};
    #[pymodule_export]
    use super::files::{read, read_bytes, write};
    #[pymodule_export]
    use super::mesh::NativeMesh;
    #[pymodule_export]
    use super::ops::application::{NativeReport, applications, run};
    #[pymodule_export]
    use super::ops::bake::bake;
    #[pymodule_export]
    use super::ops::energy::{energy, volume_energy};
    #[pymodule_export]
    use super::ops::heat::NativeHeat;
    #[pymodule_export]
    use super::ops::laplacian::{gradient, intrinsic, laplacian, mass};
    #[pymodule_export]
    use super::ops::lod::NativeLevels;
    #[pymodule_export]
    use super::ops::measure::{
        closest, closest_on_device, distance, info, inside, inside_on_device, intersections,
    };
    #[pymodule_export]
    use super::ops::picture::render;
    #[pymodule_export]
    use super::ops::query::{edges, query};
    #[pymodule_export]
    use super::ops::serve::NativeServer;
    #[pymodule_export]
    use super::ops::shapes::generate;
    #[pymodule_export]
    use super::ops::sparse::NativeSparse;
    #[pymodule_export]
    use super::ops::spectrum::spectrum;
    #[pymodule_export]
    use super::ops::tiles::{NativeTiles, work_on_tile};
    #[pymodule_export]
    use super::ops::track::NativeTracker;
    #[pymodule_export]
    use super::ops::volume::{NativeVolume, tetrahedralize};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
