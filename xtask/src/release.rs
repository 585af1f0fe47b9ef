//! `cargo xtask release`: the command with machine code of all its kernels.

use crate::process::{self, say};
use crate::ptx;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{Header, MachineCode, Ptxas, machine_code};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Chips for which machine code is made: data centres' and workstations' GPUs from Ampere on.
pub const CHIPS: [u32; 6] = [80, 86, 89, 90, 100, 120];

/// The package whose program is released.
const PROGRAM: [&str; 2] = ["ribbonmesh-cli", "ribbonmesh"];

#[derive(clap::Args)]
pub struct Options {
    /// Chips to make machine code for: 90 is sm_90. Other GPUs compile PTX when a kernel is first launched.
    #[arg(long, value_delimiter = ',', value_name = "CHIP", default_values_t = CHIPS)]
    chips: Vec<u32>,
    /// Only make the archive of machine code, to build other programs with.
    #[arg(long)]
    archive_only: bool,
}

/// Makes the archive, and builds the program with it.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let archive = archive(&workspace, &options.chips)?;
    if options.archive_only {
        return say!("RIBBONMESH_MACHINE_CODE={} cargo build --release", archive.display())
            .map_err(Into::into);
    }
    let mut cargo = workspace.cargo();
    cargo.env("RIBBONMESH_MACHINE_CODE", &archive);
    process::run(cargo.args(["build", "--release", "--package", PROGRAM[0]]))?;
    let program = format!("release/{}{}", PROGRAM[1], std::env::consts::EXE_SUFFIX);
    say!("{}", workspace.target().join(program).display()).map_err(Into::into)
}

/// Makes the archive of machine code for these chips; its file.
pub fn archive(workspace: &Workspace, chips: &[u32]) -> Result<PathBuf> {
    let folder = workspace.target().join("machine-code");
    std::fs::create_dir_all(&folder)?;
    let archive = folder.join("archive");
    let bytes = make(workspace, &ptx::ptxas(workspace)?, chips)?;
    // an archive that stays the same does not make cargo compile again
    if std::fs::read(&archive).ok().as_deref() != Some(bytes.as_slice()) {
        std::fs::write(&archive, &bytes).with_context(|| format!("could not write {}", archive.display()))?;
    }
    say!("{}: {:.1} MiB", archive.display(), bytes.len() as f64 / f64::from(1 << 20))?;
    Ok(archive)
}

/// The archive of all packages with kernels that may be published.
fn make(workspace: &Workspace, ptxas: &Ptxas, chips: &[u32]) -> Result<Vec<u8>> {
    let published = |name: &str| {
        workspace.packages().iter().any(|package| *package.name == *name && package.publish.is_none())
    };
    let mut jobs = vec![];
    for package in workspace.kernel_packages().iter().filter(|package| published(&package.name)) {
        for path in package.ptx_files()? {
            jobs.extend(chips.iter().map(|&chip| (path.clone(), chip)));
        }
    }
    ensure!(!jobs.is_empty(), "there is nothing to assemble");
    let scratch = tempfile::tempdir_in(workspace.target())?;
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, MachineCode)>> {
        let mut made = vec![];
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some((ptx, chip)) = jobs.get(i) else { return Ok(made) };
            made.push((i, assemble(ptxas, ptx, *chip, &scratch.path().join(i.to_string()))?));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let made = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>>>()
    })?;
    let mut made: Vec<_> = made.into_iter().flatten().collect();
    made.sort_by_key(|(i, _)| *i);
    let entries: Vec<_> = made.into_iter().map(|(_, code)| code).collect();
    Ok(machine_code(&entries)?)
}

fn assemble(ptxas: &Ptxas, ptx: &Path, chip: u32, to: &PathBuf) -> Result<MachineCode> {
    let text = std::fs::read_to_string(ptx).with_context(|| format!("could not read {}", ptx.display()))?;
    let (header, _) = Header::split(&text).with_context(|| format!("{} has no header", ptx.display()))?;
    ptxas.assemble(ptx, &format!("sm_{chip}"), to)?;
    let code = std::fs::read(to)?;
    std::fs::remove_file(to)?;
    Ok(MachineCode { package: header.package, text: header.text, chip, code })
}
