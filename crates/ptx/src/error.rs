use std::path::PathBuf;

/// Why a kernel crate's sources could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// `cargo metadata` failed: the manifest is missing or wrong, or a dependency could not be fetched.
    #[cfg(feature = "build")]
    #[error("cargo metadata failed in {}", dir.display())]
    Metadata {
        /// The folder of the crate.
        dir: PathBuf,
        /// What cargo said.
        source: Box<cargo_metadata::Error>,
    },
    /// The folder's `Cargo.toml` is not that of a package with a library.
    #[error("{} is not the folder of a package with a library", dir.display())]
    NotALibrary {
        /// The folder that was asked for.
        dir: PathBuf,
    },
    /// A file could not be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
}

/// Why there is no PTX.
#[cfg(feature = "build")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No sufficiently new nightly compiler is installed.
    #[error(
        "kernels need a nightly Rust compiler of at least 1.{minimum}; toolchain `{toolchain}` is {found}. \
         Install one with `rustup toolchain install nightly --component rust-src`, \
         or name another in RIBBONMESH_NIGHTLY"
    )]
    NoNightly {
        /// The rustup toolchain that was asked.
        toolchain: String,
        /// The minor version that is needed.
        minimum: u32,
        /// What was found instead.
        found: String,
    },
    /// The nightly has no `core` for the GPU, neither compiled nor as source.
    #[error(
        "toolchain `{toolchain}` has no `core` for nvptx64-nvidia-cuda. Any one of these gives it: \
         `rustup +{toolchain} target add nvptx64-nvidia-cuda`; \
         `rustup +{toolchain} component add rust-src`; \
         the environment variable RIBBONMESH_DEVICE_CORE set to the `library` folder of matching Rust sources"
    )]
    NoCore {
        /// The rustup toolchain that was asked.
        toolchain: String,
    },
    /// The crate or its dependencies could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A program could not be started.
    #[error("could not run {program}")]
    Spawn {
        /// The program.
        program: String,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// The compiler refused the crate.
    #[error("{package} does not compile for nvptx64-nvidia-cuda:\n{output}")]
    Compile {
        /// The package.
        package: String,
        /// Everything the compiler wrote.
        output: String,
    },
    /// The program that gives kernels their own libm did not compile.
    #[error("the program that replaces libm for kernels does not compile on this machine:\n{output}")]
    Wrapper {
        /// Everything the compiler wrote.
        output: String,
    },
    /// The crate compiled to PTX without a kernel.
    #[error("the PTX of {package} has no entry point: is there an `extern \"ptx-kernel\"` function in it?")]
    NoEntries {
        /// The package.
        package: String,
    },
    /// The PTX would tell where it was built.
    #[error("the PTX of {package} contains a path of this machine: {line}")]
    LeaksPath {
        /// The package.
        package: String,
        /// The line of PTX.
        line: String,
    },
}

/// Why ptxas did not accept PTX.
#[cfg(feature = "build")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PtxasError {
    /// It could not be started.
    #[error("could not run {}", path.display())]
    Spawn {
        /// The assembler.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// It refused the PTX.
    #[error("ptxas refuses {} for {arch}:\n{output}", ptx.display())]
    Refused {
        /// The PTX file.
        ptx: PathBuf,
        /// The chip it was to be assembled for.
        arch: String,
        /// What ptxas wrote.
        output: String,
    },
}

pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> SourceError {
    let path = path.into();
    move |source| SourceError::Io { path, source }
}
