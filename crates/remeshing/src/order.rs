//! The order of operations.
use ribbonmesh::{Device, DeviceKind, Error, Result};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// The order of operations of one kind, such as collapses or flips.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In sequence on the CPU, in rounds on a GPU.
    #[default]
    Auto,
    /// One after another, on the CPU.
    Sequence,
    /// Many at the same time, by all threads.
    Rounds,
}
impl Order {
    /// The order on this device: [`Order::Sequence`] or [`Order::Rounds`].
    /// # Errors
    /// [`Error::Option`] for a sequence that is not possible.
    pub(crate) fn on(self, device: &Device) -> Result<Self> {
        match (self, device.kind()) {
            (Self::Auto | Self::Sequence, DeviceKind::Cpu) => Ok(Self::Sequence),
            (Self::Auto | Self::Rounds, _) => Ok(Self::Rounds),
            (Self::Sequence, _) => {
                let expected = "rounds or auto on a GPU";
                Err(Error::Option { option: "order", value: self.to_string(), expected })
            }
        }
    }
}
