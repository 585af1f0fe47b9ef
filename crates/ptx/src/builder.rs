//! Compiling one kernel crate.

use crate::TARGET;
use crate::error::{BuildError, io};
use crate::files::source_of;
use crate::libm;
use crate::package::KernelCrate;
use crate::program;
use crate::ptx::{self, Ptx};
use crate::software::software_routines;
use crate::split::split;
use crate::toolchain::{CoreSource, Toolchain};
use std::path::PathBuf;

/// The profile of device code: one module with everything inlined, and no trace of where it was built.
/// Passed to cargo, so that a workspace needs no profile of its own for its kernels.
const PROFILE: [&str; 9] = [
    "inherits=\"release\"",
    "opt-level=3",
    "lto=\"fat\"",
    "codegen-units=1",
    "panic=\"abort\"",
    "debug=false",
    "debug-assertions=false",
    "overflow-checks=false",
    "incremental=false",
];

/// Compiles a kernel crate to PTX.
///
/// The defaults make PTX for every NVIDIA GPU from Ampere on (`sm_80`, PTX 7.8), with multiplications and
/// additions contracted to fused ones.
#[derive(Clone, Debug)]
pub struct Builder {
    manifest_dir: PathBuf,
    target_dir: Option<PathBuf>,
    device_core: Option<PathBuf>,
    target_cpu: String,
    ptx_version: u32,
    contract: bool,
    unchecked: bool,
    features: Vec<String>,
    colour: bool,
}

impl Builder {
    /// A builder for the kernel crate in this folder.
    pub fn new(manifest_dir: impl Into<PathBuf>) -> Self {
        Self {
            manifest_dir: manifest_dir.into(),
            target_dir: None,
            device_core: None,
            target_cpu: "sm_80".to_owned(),
            ptx_version: 78,
            contract: true,
            unchecked: false,
            features: Vec::new(),
            colour: false,
        }
    }

    /// The oldest GPU that is to run the PTX.
    pub fn target_cpu(mut self, cpu: impl Into<String>) -> Self {
        self.target_cpu = cpu.into();
        self
    }

    /// The version of the PTX language times ten: 78 for PTX 7.8, which drivers from CUDA 11.8 on support.
    pub fn ptx_version(mut self, version: u32) -> Self {
        self.ptx_version = version;
        self
    }

    /// Whether `a * b + c` becomes one fused instruction: faster, and rounded once instead of twice.
    pub fn contract(mut self, contract: bool) -> Self {
        self.contract = contract;
        self
    }

    /// Leaves out the bounds checks of indices in kernels (`--cfg ribbonmesh_unchecked`). They cost 7 to 32 %
    /// of the time of kernels that are bound by memory.
    ///
    /// This is a promise, like `unsafe`: no launch that callers of the crate can make leads to an index out
    /// of bounds. Keep the kernels of such a crate private, run its tests on the CPU, which checks indices,
    /// and run them under `compute-sanitizer` on a GPU.
    pub fn unchecked(mut self, unchecked: bool) -> Self {
        self.unchecked = unchecked;
        self
    }

    /// Features of the kernel crate to enable, in addition to its default features.
    pub fn features<S: Into<String>>(mut self, features: impl IntoIterator<Item = S>) -> Self {
        self.features.extend(features.into_iter().map(Into::into));
        self.features.sort();
        self
    }

    /// Whether the compiler's messages, in [`Ptx::log`] and [`BuildError::Compile`], have terminal colours.
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    /// The folder for intermediate files; by default `ptx` in the workspace's target folder.
    pub fn target_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.target_dir = Some(dir.into());
        self
    }

    /// A `library` folder of Rust sources, for a toolchain that has neither the target nor `rust-src`;
    /// by default the one in `RIBBONMESH_DEVICE_CORE`.
    pub fn device_core(mut self, library: impl Into<PathBuf>) -> Self {
        self.device_core = Some(library.into());
        self
    }

    /// All settings that affect the PTX, besides the sources and the compiler: compiler flags, profile,
    /// features.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = self.rustflags();
        flags.extend(PROFILE.iter().map(|setting| format!("profile.{setting}")));
        flags.extend(self.features.iter().map(|feature| format!("feature={feature}")));
        flags
    }

    /// Compiles the crate.
    pub fn build(&self) -> Result<Ptx, BuildError> {
        let toolchain = Toolchain::find()?;
        let core = toolchain.core_source(self.device_core.as_deref())?;
        let krate = KernelCrate::read(&self.manifest_dir)?;
        let package = krate.package().name.to_string();
        let target_dir = self.target_dir.clone().unwrap_or_else(|| krate.target_dir());
        let private = Private::of(&krate, &toolchain, &core);

        let mut cargo = toolchain.cargo();
        cargo.args(["rustc", "--quiet", "--lib", "--crate-type", "cdylib"]);
        cargo.args(["--profile", "ptx", "--target", TARGET]);
        cargo.args(["--color", if self.colour { "always" } else { "never" }]);
        cargo.arg("--manifest-path").arg(krate.package().manifest_path.as_std_path());
        cargo.arg("--target-dir").arg(&target_dir);
        for setting in PROFILE {
            cargo.args(["--config", &format!("profile.ptx.{setting}")]);
        }
        if !self.features.is_empty() {
            cargo.args(["--features", &self.features.join(",")]);
        }
        if core != CoreSource::Installed {
            cargo.arg("-Zbuild-std=core");
        }
        if let CoreSource::Folder(library) = &core {
            cargo.env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
        }
        let unknown = libm::replace(&krate, &toolchain, &target_dir, &mut cargo)?;
        // This form of the flags outranks every other source of flags, and allows for spaces.
        let flags: Vec<_> = self.rustflags().into_iter().chain(renames(&private.machine)).collect();
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        // compiled in parts, a kernel gets other instructions
        cargo.env("CARGO_INCREMENTAL", "0");
        // The assembly is complete before the link, whose output is of no use: no linker is needed. Since the
        // link leaves nothing behind, cargo takes the crate for outdated and the assembly is always fresh.
        cargo
            .args(["--", "--emit=asm", "--cfg=ribbonmesh_own"])
            .arg(format!("-Clinker={}", program::no_op().display()));
        cargo.args(renames(&private.all));

        let output = program::run(&mut cargo)?;
        let mut log = unknown + &without_own_warning(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            return Err(BuildError::Compile { package, output: log });
        }
        let file = target_dir.join(TARGET).join("ptx/deps").join(format!("{}.s", krate.library_name()));
        let text = std::fs::read_to_string(&file).map_err(io(&file))?;
        let text = ptx::strip_comments_naming(&text, &private.all);
        if let Some(line) = ptx::line_naming(&text, &private.all) {
            return Err(BuildError::LeaksPath { package, line: line.trim().to_owned() });
        }
        let dir = self.manifest_dir.clone();
        let files = split(&text, |module| source_of(&dir, module));
        if files.is_empty() {
            return Err(BuildError::NoEntries { package });
        }
        for software in software_routines(&text) {
            log += &format!(
                "\nwarning: {software}; libm 0.2 becomes that instruction, glam's through its feature `libm`\n"
            );
        }
        let (compiler, core) = (toolchain.version().to_owned(), core.fingerprint()?);
        Ok(Ptx { package, dir, files, compiler, core, flags: self.flags(), log })
    }

    fn rustflags(&self) -> Vec<String> {
        let mut flags = vec![
            format!("-Ctarget-cpu={}", self.target_cpu),
            format!("-Ctarget-feature=+ptx{}", self.ptx_version),
            // a call has its arguments, and all that closures capture, in local memory
            "-Cllvm-args=-inline-threshold=100000".to_owned(),
            "-Zlocation-detail=none".to_owned(),
        ];
        if self.contract {
            flags.push("-Cllvm-args=-nvptx-fma-level=2".to_owned());
        }
        if self.unchecked {
            flags.push("--cfg=ribbonmesh_unchecked".to_owned());
        }
        flags
    }
}

/// Removes the compiler's warning about the flag that selects the PTX version from its output.
fn without_own_warning(log: &str) -> String {
    let paragraphs = log.split("\n\n").map(str::trim_end);
    let kept: Vec<_> =
        paragraphs.filter(|text| !text.is_empty() && !text.contains("`-Ctarget-feature`")).collect();
    kept.join("\n\n")
}

/// The folders that must not show in PTX.
struct Private {
    /// The flags of the machine: the same for every crate, so that `core` is compiled once for all.
    machine: Vec<String>,
    /// The flags of the machine and the crate.
    all: Vec<String>,
}

impl Private {
    fn of(krate: &KernelCrate, toolchain: &Toolchain, core: &CoreSource) -> Self {
        let mut machine = vec![toolchain.sysroot().to_owned()];
        machine.extend(std::env::var_os("CARGO_HOME").map(PathBuf::from));
        machine.extend(std::env::home_dir());
        if let CoreSource::Folder(library) = core {
            machine.push(library.clone());
        }
        let mut all = machine.clone();
        all.push(krate.workspace_root().to_owned());
        all.extend(krate.parts().iter().filter_map(|part| Some(part.package.manifest_path.parent()?.into())));
        Self { machine: outermost(machine), all: outermost(all) }
    }
}

/// The folders that are in none of the others, sorted; a root folder is left out.
fn outermost(mut folders: Vec<PathBuf>) -> Vec<String> {
    folders.retain(|folder| folder.is_absolute() && folder.parent().is_some());
    folders.sort();
    folders.dedup_by(|folder, outer| folder.starts_with(outer));
    folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect()
}

fn renames(folders: &[String]) -> impl Iterator<Item = String> {
    folders.iter().enumerate().map(|(i, folder)| format!("--remap-path-prefix={folder}=/{i}"))
}
