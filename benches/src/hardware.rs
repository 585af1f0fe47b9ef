//! Hardware of a measurement.
use anyhow::{Context, Result};
use ribbonmesh::{Device, DeviceKind};
use serde::Serialize;
use std::fs::{create_dir_all, read_to_string};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The machine of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// `cpu` or `cuda`.
    pub kind: &'static str,
    /// Model of the device.
    pub name: String,
    /// Model of the CPU, which is the host's on a GPU machine.
    pub cpu: String,
    /// Threads of that CPU.
    pub threads: usize,
    /// Version of the NVIDIA driver.
    pub driver: Option<String>,
    /// Bytes per second of a copy within the device's memory, reads and writes counted.
    pub copy_bandwidth: f64,
    /// Seconds that the driver took to compile kernels.
    pub jit_seconds: f64,
}
impl Machine {
    /// Looks at the device and measures its copies.
    pub fn of(device: &Device) -> ribbonmesh::Result<Self> {
        let cpu = cpu_model().unwrap_or_else(|| "unknown CPU".to_owned());
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let (kind, name, driver, bytes) = match device.kind() {
            DeviceKind::Cpu => ("cpu", format!("{cpu}, {}", device.name()), None, 256 << 20),
            DeviceKind::Cuda => ("cuda", device.name(), driver(), 1 << 30),
        };
        let copy_bandwidth = device.copy_bandwidth(bytes)?;
        Ok(Self { kind, name, cpu, threads, driver, copy_bandwidth, jit_seconds: 0.0 })
    }
    /// Its folder in `output`, which is made.
    pub fn make_folder(&self, output: &Path) -> Result<PathBuf> {
        let folder = output.join(self.folder());
        create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
        Ok(folder)
    }
    /// The name as that of a folder.
    pub fn folder(&self) -> String {
        let name = self.name.split_once(' ').filter(|_| self.kind == "cuda").map_or(&*self.name, |n| n.1);
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
    }
}

fn cpu_model() -> Option<String> {
    let text = read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// As the driver's own tool says, or the kernel module.
fn driver() -> Option<String> {
    let tool =
        Command::new("nvidia-smi").args(["--query-gpu=driver_version", "--format=csv,noheader"]).output();
    let said = tool.ok().filter(|output| output.status.success());
    let said = said.and_then(|output| String::from_utf8(output.stdout).ok());
    let first = said.as_deref().and_then(|text| text.lines().next()).map(|line| line.trim().to_owned());
    first.or_else(|| {
        let text = read_to_string("/proc/driver/nvidia/version").ok()?;
        let mut words = text.lines().next()?.split_whitespace();
        words.find(|word| word.starts_with(|c: char| c.is_ascii_digit())).map(str::to_owned)
    })
}
