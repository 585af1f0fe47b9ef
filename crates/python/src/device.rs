//! The machines that this process has opened.
use crate::failure::Failure;
use pyo3::prelude::*;
use ribbonmesh::{Device, DeviceKind, Error};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What `device` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Auto,
    Cpu,
    Cuda(usize),
}
impl FromStr for Choice {
    type Err = Failure;
    fn from_str(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::argument(format!(
                "device is {text:?}: one of \"auto\", \"cpu\", \"cuda\", \"cuda:0\", …"
            ))
        };
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            _ => text.strip_prefix("cuda:").and_then(|n| n.parse().ok()).map(Self::Cuda).ok_or_else(wrong),
        }
    }
}

/// Opened so far, with what was asked for.
static OPENED: Mutex<Vec<(Choice, Device)>> = Mutex::new(vec![]);
/// Whose turn it is on the GPUs: a device has one stream and one record of errors.
static TURN: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // what is inside is right at any time
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Choice {
    /// That machine, opened once. The driver is loaded here.
    pub fn open(self) -> Result<Device, Error> {
        let mut opened = lock(&OPENED);
        let known = |opened: &[(Self, Device)], choice| {
            opened.iter().find(|(of, _)| *of == choice).map(|(_, device)| device.clone())
        };
        if let Some(device) = known(&opened, self) {
            return Ok(device);
        }
        let device = match self {
            Self::Cpu => Device::cpu(),
            Self::Cuda(n) => Device::cuda(n)?,
            Self::Auto => match known(&opened, Self::Cuda(0)) {
                Some(device) => device,
                None => Device::auto(),
            },
        };
        if self == Self::Auto {
            let same = match device.kind() {
                DeviceKind::Cuda => Self::Cuda(0),
                DeviceKind::Cpu => Self::Cpu,
            };
            // one stream for both names; the CPU that stands in for a GPU keeps the reason
            if known(&opened, same).is_none() {
                opened.push((same, device.clone()));
            }
        }
        opened.push((self, device.clone()));
        Ok(device)
    }
}

/// A turn on a GPU; nothing on the CPU, on which any number of threads may work.
pub fn turn(device: &Device) -> Option<MutexGuard<'static, ()>> {
    (device.kind() == DeviceKind::Cuda).then(|| lock(&TURN))
}

/// Name and kind (`cpu`, `cuda`) of a device, and why `auto` took the CPU.
#[pyfunction]
pub fn device_name(device: &str) -> PyResult<(String, &'static str, Option<String>)> {
    let opened = device.parse::<Choice>()?.open().map_err(Failure::from)?;
    let kind = match opened.kind() {
        DeviceKind::Cpu => "cpu",
        DeviceKind::Cuda => "cuda",
    };
    Ok((opened.name(), kind, opened.why_not_cuda().map(str::to_owned)))
}

/// Sets the number of threads of the CPU, before any work.
#[pyfunction]
pub fn set_threads(threads: usize) -> PyResult<()> {
    if threads == 0 {
        return Err(Failure::argument("threads is 0: at least 1").into());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    Ok(pool.map_err(|error| Failure::from(Error::Threads { threads, message: error.to_string() }))?)
}
