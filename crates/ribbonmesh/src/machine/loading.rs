//! Counts and time of loading kernels.
use std::path::PathBuf;

/// The kernels that a GPU has loaded: [`Device::loading`](crate::Device::loading). A kernel is loaded when it
/// is first launched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loading {
    /// Kernels whose PTX the driver has compiled, or found in its cache.
    pub compiled: usize,
    /// Kernels taken from the machine code that is built into the program; none if `CUDA_FORCE_PTX_JIT` is 1.
    pub from_machine_code: usize,
    /// Seconds for all of them.
    pub seconds: f64,
    /// Packages with machine code for this GPU that could not be used, so that PTX was compiled, each with
    /// the reason.
    pub rejected: Vec<String>,
}

impl Loading {
    /// Records why a package's machine code was not used, once for each reason.
    #[cfg(feature = "cuda")]
    pub(super) fn reject(&mut self, package: &str, reason: &str) {
        let line = format!("{package}: {reason}");
        if !self.rejected.contains(&line) {
            self.rejected.push(line);
        }
    }
    /// The folder in which the driver caches what it compiles (CUDA programming guide, environment
    /// variables); `None` if the cache is switched off.
    pub fn cache() -> Option<PathBuf> {
        if std::env::var_os("CUDA_CACHE_DISABLE").is_some_and(|value| value == "1") {
            return None;
        }
        let named = std::env::var_os("CUDA_CACHE_PATH").map(PathBuf::from);
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".nv/ComputeCache"));
        let roaming = || Some(PathBuf::from(std::env::var_os("APPDATA")?).join("NVIDIA/ComputeCache"));
        named.or_else(|| if cfg!(windows) { roaming() } else { home() })
    }
}
