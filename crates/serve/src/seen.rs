//! Shapes that change from moment to moment.

use crate::LiveError;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_stream::{Description, Frames};

/// A shape on a device with fields, which a [`Live`](crate::Live) shows moment by moment.
pub trait Seen: Frames {
    /// News of a moment.
    type Moment;
    /// The device on which the buffers of all moments are.
    fn device(&self) -> &Device;
    /// Shows another moment from now on; returns its time.
    /// # Errors
    /// [`LiveError`]; then all is as before.
    fn replace(&mut self, moment: Self::Moment) -> Result<f64, LiveError>;
    /// The least and the greatest coordinates; none where there is nothing. Waits.
    /// # Errors
    /// Errors of the driver.
    fn bounds(&self) -> Result<Option<[DVec3; 2]>, Error>;
    /// The description, but for title, bounds and axes.
    fn describe(&self) -> Description;
}
