//! Commands of the same name in another place: `ribbonmesh tetrahedralize` is
//! `ribbonmesh volume tetrahedralize`.
use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};

/// An error about a command that is unknown in its context, with the commands of that name in other contexts.
pub fn with_commands(mut error: Error) -> Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
    {
        let mut found = vec![];
        collect(&Cli::command(), name, "ribbonmesh", &mut found);
        if !found.is_empty() {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(found));
        }
    }
    error
}
fn collect(command: &Command, name: &str, path: &str, found: &mut Vec<String>) {
    for each in command.get_subcommands() {
        let own = format!("{path} {}", each.get_name());
        if each.get_name() == name {
            found.push(own.clone());
        }
        collect(each, name, &own, found);
    }
}

#[cfg(test)]
mod tests {
    use super::with_commands;
    use crate::args::Cli;
    use clap::Parser;

    fn told(words: &[&str]) -> String {
        with_commands(Cli::try_parse_from(words).err().expect("no such command")).to_string()
    }

    #[test]
    fn the_same_name_elsewhere() {
        assert!(
            told(&["ribbonmesh", "tetrahedralize", "a.ply"]).contains("'ribbonmesh volume tetrahedralize'")
        );
        assert!(told(&["ribbonmesh", "volume", "elasticity"]).contains("'ribbonmesh elasticity'"));
        // similar names are still suggested
        assert!(told(&["ribbonmesh", "remsh"]).contains("'remesh'"));
    }
}
