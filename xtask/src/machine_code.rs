//! `cargo xtask machine-code`: an archive of machine code of all kernels, to build programs with.

use crate::process::say;
use crate::ptx;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use ribbonmesh_ptx::{Header, MachineCode, Ptxas, machine_code};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The variable that names the archive when the library is compiled.
pub const VARIABLE: &str = "RIBBONMESH_MACHINE_CODE";

/// Chips for which machine code is made: GPUs from Ampere on. `sm_89` is left out, because ptxas makes the
/// same instructions for it as for `sm_86`, whose code it runs.
const CHIPS: [u32; 5] = [80, 86, 90, 100, 120];

#[derive(clap::Args)]
pub struct Options {
    /// Chips to make machine code for: 90 is sm_90. Other GPUs compile PTX when a kernel is first launched.
    #[arg(long, value_delimiter = ',', value_name = "CHIP", default_values_t = CHIPS)]
    pub chips: Vec<u32>,
}

/// Makes the archive.
pub fn run(options: &Options) -> Result<()> {
    let workspace = Workspace::read()?;
    let archive = archive(&workspace, &options.chips)?;
    say!("{VARIABLE}={} cargo build --release", archive.display()).map_err(Into::into)
}

/// A file of PTX to be assembled for a chip.
struct Job {
    ptx: PathBuf,
    bytes: u64,
    chip: u32,
}

/// Makes the archive for some chips; its file. What was assembled before is taken from the target folder.
pub fn archive(workspace: &Workspace, chips: &[u32]) -> Result<PathBuf> {
    let (start, ptxas) = (Instant::now(), ptx::ptxas_of_releases(workspace)?);
    let folder = workspace.target().join("machine-code");
    let cache = folder.join(ptxas.version()?.replace(|c: char| !c.is_alphanumeric(), "-"));
    std::fs::create_dir_all(&cache)?;
    let jobs = jobs(workspace, chips)?;
    let made = assemble_all(&ptxas, &jobs, &cache)?;

    let archive = folder.join("archive");
    let bytes = machine_code(&made)?;
    // an archive that stays the same does not make cargo compile again
    if std::fs::read(&archive).ok().as_deref() != Some(bytes.as_slice()) {
        std::fs::write(&archive, &bytes).with_context(|| format!("could not write {}", archive.display()))?;
    }
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    for &chip in chips {
        let of_chip: Vec<_> = made.iter().filter(|code| code.chip == chip).cloned().collect();
        let raw = of_chip.iter().map(|code| code.code.len()).sum();
        let packed = machine_code(&of_chip)?.len();
        let files = of_chip.len();
        say!("sm_{chip}: {files} files, {:.1} MB, compressed {:.1} MB", megabytes(raw), megabytes(packed))?;
    }
    let (seconds, all) = (start.elapsed().as_secs_f64(), megabytes(bytes.len()));
    say!("{}: {all:.1} MB, in {seconds:.0} s", archive.display())?;
    Ok(archive)
}

/// The files of all packages with kernels that may be published and that programs have without a feature, for
/// each chip.
fn jobs(workspace: &Workspace, chips: &[u32]) -> Result<Vec<Job>> {
    let published = |name: &str| {
        workspace.packages().iter().any(|package| {
            *package.name == *name
                && package.publish.is_none()
                && package.metadata["ribbonmesh"]["optional"] != true
        })
    };
    let mut jobs = vec![];
    for package in workspace.kernel_packages().iter().filter(|package| published(&package.name)) {
        for ptx in package.ptx_files()? {
            let bytes = std::fs::metadata(&ptx)?.len();
            jobs.extend(chips.iter().map(|&chip| Job { ptx: ptx.clone(), bytes, chip }));
        }
    }
    ensure!(!jobs.is_empty(), "there is nothing to assemble");
    Ok(jobs)
}

/// The machine code of all jobs in their order, on every core.
fn assemble_all(ptxas: &Ptxas, jobs: &[Job], cache: &Path) -> Result<Vec<MachineCode>> {
    // the longest first, so that no core is left with it at the end
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(jobs[i].bytes));
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, MachineCode)>> {
        let mut made = vec![];
        while let Some(&i) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.push((i, assemble(ptxas, &jobs[i], cache)?));
        }
        Ok(made)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let made = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Result<Vec<_>>>()
    })?;
    let mut made: Vec<_> = made.into_iter().flatten().collect();
    made.sort_by_key(|(i, _)| *i);
    Ok(made.into_iter().map(|(_, code)| code).collect())
}

/// The machine code of a file, which the cache keeps by the hash of its PTX.
fn assemble(ptxas: &Ptxas, job: &Job, cache: &Path) -> Result<MachineCode> {
    let Job { ptx, chip, .. } = job;
    let text = std::fs::read_to_string(ptx).with_context(|| format!("could not read {}", ptx.display()))?;
    let (header, _) = Header::split(&text).with_context(|| format!("{} has no header", ptx.display()))?;
    let kept = cache.join(format!("{}-{}-{chip}", header.package, header.text));
    if !kept.is_file() {
        let new = tempfile::NamedTempFile::new_in(cache)?;
        ptxas.assemble(ptx, &format!("sm_{chip}"), new.path())?;
        new.persist(&kept)?;
    }
    let code = std::fs::read(&kept)?;
    Ok(MachineCode { package: header.package, text: header.text, chip: *chip, code })
}
