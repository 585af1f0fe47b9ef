//! The choice of a machine.
use ribbonmesh::{Device, DeviceKind, Error};
use std::str::FromStr;

/// The machine that `--device` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first GPU, or the CPU where there is none.
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU of that number.
    Cuda(usize),
}
impl FromStr for Choice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is none of auto, cpu, cuda, cuda:0, cuda:1, …");
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => text.strip_prefix("cuda:").and_then(|n| n.parse().ok()).map(Self::Cuda).ok_or_else(wrong),
        }
    }
}
impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(n) => write!(f, "cuda:{n}"),
        }
    }
}
impl Choice {
    /// Opens that machine.
    pub fn open(self) -> Result<Device, Error> {
        match self {
            Self::Auto => Ok(Device::auto()),
            Self::Cpu => Ok(Device::cpu()),
            Self::Cuda(n) => Device::cuda(n),
        }
    }
}

/// `cpu` or `cuda`.
pub fn kind(device: &Device) -> &'static str {
    match device.kind() {
        DeviceKind::Cpu => "cpu",
        DeviceKind::Cuda => "cuda",
    }
}
