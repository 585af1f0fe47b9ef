//! Everything the repository does beyond `cargo build` and `cargo test`: run as `cargo xtask <command>`.

mod bench;
mod bundle;
mod ci;
mod conformance;
mod deny;
mod example;
mod figures;
mod machine_code;
mod meshes;
mod new;
mod package;
mod process;
mod ptx;
mod python;
mod release;
mod sanitize;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Everything the repository does beyond cargo build and cargo test.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compile the kernel crates to PTX, or check that their PTX is current.
    Ptx(ptx::Options),
    /// Gather everything to test and benchmark on a GPU machine without Rust under target/gpu-bundle.
    GpuBundle(bundle::Options),
    /// Make an archive of machine code for the common GPUs, to build programs with.
    MachineCode(machine_code::Options),
    /// Build the command with machine code for the common GPUs.
    Release(machine_code::Options),
    /// Build the Python package, and check its size and for which systems it is.
    Wheel(python::Options),
    /// Make the documentation's site under target/site; its notebooks are executed.
    Site,
    /// Measure on this machine, into benches/results.
    Bench(bench::Options),
    /// Fetch real meshes to assets/meshes.
    Meshes,
    /// Read sample files of registries, write each as GLB, and show these to the glTF validator; needs npm.
    Conformance(conformance::Options),
    /// Draw the pictures of the documentation, into docs/figures.
    Figures,
    /// Pack the libraries as for a registry, and test the examples with the packages alone.
    Package,
    /// Make a kernel crate from a template.
    New(new::Options),
    /// Check licences, sources and known weaknesses of dependencies.
    Deny,
    /// Run the CPU's suites under AddressSanitizer, ThreadSanitizer and Miri, as far as the toolchain can.
    Sanitize(sanitize::Options),
    /// Run the checks of the continuous integration.
    Ci(ci::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ptx(options) => ptx::run(&options),
        Task::GpuBundle(options) => bundle::run(&options),
        Task::MachineCode(options) => machine_code::run(&options),
        Task::Release(options) => release::run(&options),
        Task::Wheel(options) => python::run(&options),
        Task::Site => python::site(),
        Task::Bench(options) => bench::run(&options),
        Task::Meshes => meshes::run(),
        Task::Conformance(options) => conformance::run(&options),
        Task::Figures => figures::run(),
        Task::Package => package::run(),
        Task::New(options) => new::run(&options),
        Task::Deny => deny::run().and_then(|left_out| match left_out {
            Some(reason) => Ok(process::say!("not done: {reason}")?),
            None => Ok(()),
        }),
        Task::Sanitize(options) => sanitize::run(&options),
        Task::Ci(options) => ci::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has closed it, which is permitted.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
