//! NVIDIA's assembler as a check of PTX.

use crate::{PtxasError, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Resources of one function, as ptxas reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionUsage {
    /// The function's name.
    pub name: String,
    /// Registers per thread; `None` for a function that kernels call, which has none of its own.
    pub registers: Option<u32>,
    /// Bytes of stack per thread, in local memory.
    pub stack: u32,
    /// Bytes of spilled registers written to local memory.
    pub spill_stores: u32,
    /// Bytes of spilled registers read back.
    pub spill_loads: u32,
    /// Bytes of static shared memory per block.
    pub shared: u32,
}

impl FunctionUsage {
    /// Whether the function spills registers.
    pub fn spills(&self) -> bool {
        self.spill_stores > 0 || self.spill_loads > 0
    }
}

/// The assembler of a CUDA toolkit.
#[derive(Clone, Debug)]
pub struct Ptxas {
    path: PathBuf,
}

impl Ptxas {
    /// The assembler at this path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The assembler named by `RIBBONMESH_PTXAS`.
    pub fn named() -> Option<Self> {
        let path = PathBuf::from(std::env::var_os("RIBBONMESH_PTXAS")?);
        path.is_file().then(|| Self::at(path))
    }

    /// The assembler named by `RIBBONMESH_PTXAS`, else the one on the PATH, else the one in `CUDA_HOME`.
    pub fn find() -> Option<Self> {
        let toolkit = || {
            let path = Path::new(&std::env::var_os("CUDA_HOME")?).join("bin/ptxas");
            path.is_file().then_some(path)
        };
        Self::named().or_else(|| program::on_path("ptxas").or_else(toolkit).map(Self::at))
    }

    /// The last line of what it says about its version.
    pub fn version(&self) -> Result<String, PtxasError> {
        let spawned = Command::new(&self.path).arg("--version").output();
        let output = spawned.map_err(|source| PtxasError::Spawn { path: self.path.clone(), source })?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().next_back().unwrap_or_default().to_owned())
    }

    /// The path of the assembler.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Assembles a PTX file for a chip such as `sm_90`, keeping only the report.
    pub fn check(&self, ptx: &Path, arch: &str) -> Result<Vec<FunctionUsage>, PtxasError> {
        let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
        self.assemble(ptx, arch, Path::new(null))
    }

    /// Assembles a PTX file for a chip such as `sm_90` to a file of machine code.
    pub fn assemble(&self, ptx: &Path, arch: &str, to: &Path) -> Result<Vec<FunctionUsage>, PtxasError> {
        let output = Command::new(&self.path)
            .args(["-v", &format!("-arch={arch}"), "-o"])
            .arg(to)
            .arg(ptx)
            .output()
            .map_err(|source| PtxasError::Spawn { path: self.path.clone(), source })?;
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Err(PtxasError::Refused {
                ptx: ptx.to_owned(),
                arch: arch.to_owned(),
                output: text.into_owned(),
            });
        }
        Ok(parse_verbose(&text))
    }
}

/// Parses the output of `ptxas -v`: one entry per function, in its order.
pub fn parse_verbose(text: &str) -> Vec<FunctionUsage> {
    let mut rows: Vec<FunctionUsage> = Vec::new();
    let mut entry = None;
    let mut current = None;
    for line in text.lines() {
        if let Some(rest) = after(line, "Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or(rest);
            entry = Some(row(&mut rows, name));
        } else if let Some(name) = after(line, "Function properties for ") {
            current = Some(row(&mut rows, name.trim().trim_matches('\'')));
        } else if let (Some(current), true) = (current, line.contains("bytes stack frame")) {
            rows[current].stack = number_before(line, "bytes stack frame");
            rows[current].spill_stores = number_before(line, "bytes spill stores");
            rows[current].spill_loads = number_before(line, "bytes spill loads");
        } else if let (Some(entry), Some(used)) = (entry, after(line, "Used ")) {
            rows[entry].registers = Some(number_before(used, "registers"));
            rows[entry].shared = number_before(used, "bytes smem");
        }
    }
    rows
}

/// The index of the function's row, which is made if there is none.
fn row(rows: &mut Vec<FunctionUsage>, name: &str) -> usize {
    rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
        rows.push(FunctionUsage { name: name.to_owned(), ..FunctionUsage::default() });
        rows.len() - 1
    })
}

fn after<'a>(line: &'a str, words: &str) -> Option<&'a str> {
    line.split_once(words).map(|(_, rest)| rest)
}

/// The number before these words, or 0 if the words are missing.
fn number_before(line: &str, words: &str) -> u32 {
    let number =
        line.split_once(words).and_then(|(before, _)| before.split_whitespace().last()?.parse().ok());
    number.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
ptxas info    : 0 bytes gmem, 24 bytes cmem[3]
ptxas info    : Compiling entry function 'scan' for 'sm_90'
ptxas info    : Function properties for scan
    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem, 560 bytes cmem[0]
ptxas info    : Compile time = 11.9 ms
ptxas info    : Compiling entry function 'twice' for 'sm_90'
ptxas info    : Function properties for twice
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for panic
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
";

    #[test]
    fn a_report_becomes_rows() {
        let rows = parse_verbose(REPORT);
        let scan = FunctionUsage {
            name: "scan".into(),
            registers: Some(32),
            stack: 16,
            spill_stores: 4,
            spill_loads: 8,
            shared: 1024,
        };
        let twice = FunctionUsage { name: "twice".into(), registers: Some(10), ..FunctionUsage::default() };
        let panic = FunctionUsage { name: "panic".into(), stack: 8, ..FunctionUsage::default() };
        assert_eq!(rows, [scan, twice, panic]);
        assert!(rows[0].spills() && !rows[1].spills());
    }

    #[test]
    fn other_output_has_no_rows() {
        assert!(
            parse_verbose("ptxas fatal   : Value 'sm_1' is not defined for option 'gpu-name'").is_empty()
        );
    }
}
