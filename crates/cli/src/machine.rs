//! The choice of a machine.
use ribbonmesh::{Cards, Device, DeviceKind, Error};
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
    /// Several GPUs as one machine.
    Cards(Cards),
}
impl FromStr for Choice {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is none of auto, cpu, cuda, cuda:0, cuda:1, …, cuda:0-1, cuda:all");
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => {
                let cards = text.strip_prefix("cuda:").ok_or_else(wrong)?;
                let number = cards.parse().map(Self::Cuda);
                number.or_else(|_| cards.parse().map(Self::Cards)).map_err(|_| wrong())
            }
        }
    }
}
impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(n) => write!(f, "cuda:{n}"),
            Self::Cards(cards) => write!(f, "cuda:{cards}"),
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
            Self::Cards(cards) => Device::cards(&cards),
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
