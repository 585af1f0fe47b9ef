//! The program that cargo starts instead of the compiler: it starts the compiler with the same arguments,
//! except that libm for the GPU has another source.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if let Some(source) = replacement(&arguments) {
        for argument in arguments.iter_mut().skip(1).filter(|argument| is_source(argument)) {
            *argument = source.clone();
        }
        // as for all libraries that are not the user's
        if !arguments.iter().any(|argument| argument.to_string_lossy().starts_with("--cap-lints")) {
            arguments.push("--cap-lints=allow".into());
        }
    }
    let Some((compiler, arguments)) = arguments.split_first() else {
        eprintln!("error: no compiler is named");
        return ExitCode::FAILURE;
    };
    match Command::new(compiler).args(arguments).status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: could not run {}: {error}", compiler.display());
            ExitCode::FAILURE
        }
    }
}

/// The source of libm for the GPU, if libm is compiled.
fn replacement(arguments: &[OsString]) -> Option<OsString> {
    let has = |name: &str, value: &str| {
        arguments.windows(2).any(|pair| pair[0] == *name && pair[1] == *value)
            || arguments.iter().any(|argument| *argument == *format!("{name}={value}"))
    };
    if !has("--crate-name", "libm") || !has("--target", "nvptx64-nvidia-cuda") {
        return None;
    }
    // cargo tells it to each compiler that it starts
    let version = env::var_os("CARGO_PKG_VERSION")?;
    let folder = env::var_os("RIBBONMESH_LIBM")?;
    Some(Path::new(&folder).join(version).join("src/lib.rs").into_os_string())
}

fn is_source(argument: &OsString) -> bool {
    let path = Path::new(argument);
    path.file_name().is_some_and(|name| name == "lib.rs")
        && path.parent().is_some_and(|dir| dir.ends_with("src"))
}
