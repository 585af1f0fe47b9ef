use std::path::PathBuf;

/// An error of reading a kernel crate's sources.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// `cargo metadata` failed: the manifest is missing or wrong, or a dependency could not be fetched.
    #[cfg(feature = "build")]
    #[error("cargo metadata failed in {}", dir.display())]
    Metadata {
        /// The folder of the crate.
        dir: PathBuf,
        /// The message of cargo.
        source: Box<cargo_metadata::Error>,
    },
    /// The folder's `Cargo.toml` is not that of a package with a library.
    #[error("{} is not the folder of a package with a library", dir.display())]
    NotALibrary {
        /// The folder.
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

/// An error of compiling a kernel crate.
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
        /// The rustup toolchain.
        toolchain: String,
        /// The minor version that is needed.
        minimum: u32,
        /// The version that was found.
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
        /// The rustup toolchain.
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
    /// The crate does not compile.
    #[error("{package} does not compile for nvptx64-nvidia-cuda:\n{output}")]
    Compile {
        /// The package.
        package: String,
        /// The output of the compiler.
        output: String,
    },
    /// The program that gives kernels their own libm did not compile.
    #[error("the program that replaces libm for kernels does not compile on this machine:\n{output}")]
    Wrapper {
        /// The output of the compiler.
        output: String,
    },
    /// The crate compiled to PTX without a kernel.
    #[error("the PTX of {package} has no entry point: is there an `extern \"ptx-kernel\"` function in it?")]
    NoEntries {
        /// The package.
        package: String,
    },
    /// The PTX contains a path of the machine that built it.
    #[error("the PTX of {package} contains a path of this machine: {line}")]
    LeaksPath {
        /// The package.
        package: String,
        /// The line of PTX.
        line: String,
    },
}

/// An error of ptxas.
#[cfg(feature = "build")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PtxasError {
    /// ptxas could not be started.
    #[error("could not run {}", path.display())]
    Spawn {
        /// The assembler.
        path: PathBuf,
        /// The operating system's reason.
        source: std::io::Error,
    },
    /// ptxas rejected the PTX.
    #[error("ptxas rejects {} for {arch}:\n{output}", ptx.display())]
    Refused {
        /// The PTX file.
        ptx: PathBuf,
        /// The target chip.
        arch: String,
        /// The output of ptxas.
        output: String,
    },
}

pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> SourceError {
    let path = path.into();
    move |source| SourceError::Io { path, source }
}
