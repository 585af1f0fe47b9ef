//! Running other programs, and writing to the caller of this one.

use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Runs a command with its output shown, and fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("could not run {}", show(command)))?;
    ensure!(status.success(), "{} failed ({status})", show(command));
    Ok(())
}

/// Runs a command and returns what it wrote to its standard output; its errors are shown.
pub fn output(command: &mut Command) -> Result<String> {
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().with_context(|| format!("could not run {}", show(command)))?;
    ensure!(output.status.success(), "{} failed ({})", show(command), output.status);
    String::from_utf8(output.stdout)
        .with_context(|| format!("{} wrote something other than text", show(command)))
}

/// The command as one would type it.
pub fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Writes a line to the standard output, with an error where `println!` would panic (a reader that has closed
/// it).
macro_rules! say {
    ($($text:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout().lock(), format_args!("{}\n", format_args!($($text)*)))
    };
}
pub(crate) use say;
