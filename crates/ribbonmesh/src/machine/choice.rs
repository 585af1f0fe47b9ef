//! Machines by name, as options of programs have them.
use super::{Cards, Device};
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// A machine by its name, not opened yet.
///
/// The names are `auto`, `cpu`, `cuda` (the first GPU), `cuda:1`, and for several GPUs as one `cuda:0-1`,
/// `cuda:0,2-3` and `cuda:all`.
///
/// ```
/// use ribbonmesh::DeviceChoice;
///
/// let choice: DeviceChoice = "cuda:0-1".parse()?;
/// assert_eq!(choice.to_string(), "cuda:0-1");
/// assert_eq!("cuda".parse::<DeviceChoice>()?, "cuda:0".parse()?);
/// # Ok::<(), ribbonmesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeviceChoice {
    /// The first GPU, or the CPU where there is none: [`Device::auto`].
    #[default]
    Auto,
    /// The CPU: [`Device::cpu`].
    Cpu,
    /// One GPU, or several as one: [`Device::cards`].
    Cuda(Cards),
}

impl DeviceChoice {
    /// Opens the machine.
    /// # Errors
    /// As [`Device::cards`].
    pub fn open(self) -> Result<Device> {
        match self {
            Self::Auto => Ok(Device::auto()),
            Self::Cpu => Ok(Device::cpu()),
            Self::Cuda(cards) => Device::cards(&cards),
        }
    }
}

impl FromStr for DeviceChoice {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(Cards::first())),
            _ => {
                let cards = text.strip_prefix("cuda:").and_then(|cards| cards.parse().ok());
                cards.map(Self::Cuda).ok_or_else(|| Error::Option {
                    option: "device",
                    value: format!("{text:?}"),
                    expected: "one of auto, cpu, cuda, cuda:0, cuda:1, …, cuda:0-1, cuda:all",
                })
            }
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(cards) => write!(f, "cuda:{cards}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["auto", "cpu", "cuda:0", "cuda:7", "cuda:0-1", "cuda:0,2-3", "cuda:all"] {
            let choice: DeviceChoice = name.parse().expect(name);
            assert_eq!(choice.to_string(), name);
        }
        assert_eq!("cuda".parse::<DeviceChoice>().expect("the first").to_string(), "cuda:0");
        for wrong in
            ["", "gpu", "CPU", "cuda:", "cuda:-1", "cuda:+1", "cuda:1-0", "cuda:0,0", "cuda:64", "cpu:0"]
        {
            let error = wrong.parse::<DeviceChoice>().expect_err(wrong).to_string();
            assert!(error.contains(&format!("{wrong:?}")) && error.contains("cuda:all"), "{error}");
        }
    }
}
