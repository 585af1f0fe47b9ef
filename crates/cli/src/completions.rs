//! `ribbonmesh completions`.
use crate::args::Cli;
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the completions of a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh completions bash > ribbonmesh.bash
  ribbonmesh completions zsh > _ribbonmesh")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let mut text = vec![];
        clap_complete::generate(self.shell, &mut Cli::command(), "ribbonmesh", &mut text);
        session.emit(None, |out| out.write_all(&text))
    }
}
