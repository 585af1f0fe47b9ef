//! `ribbonmesh volume convert`.
use super::files::{self, Encoding, Reading, Turning};
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use std::path::PathBuf;

/// Write a volume in another format
///
/// Formats are named by the files' extensions. Vertices, cells and faces keep their order where the format
/// has one; data that it cannot hold is noted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume convert block.vtu block.msh
  ribbonmesh volume convert block.vtu old.vtk --old --ascii
  ribbonmesh volume convert block.vtu - --format mesh | head -3")]
pub struct Convert {
    /// Volume to read: VTK, VTU, MSH, MESH or OVM; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
}

impl Convert {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.input, &self.output])?;
        let mut volume = files::read(session, &self.input, &self.reading)?;
        if self.turning.turns() {
            let mesh = files::upload(session, &volume, &self.turning)?;
            files::take_turned(session, &mut volume, &mesh)?;
        }
        files::write(session, &self.output, &volume, &encoded)
    }
}
