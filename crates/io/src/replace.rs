//! Atomic replacement of files.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use crate::compression::{Compression, compressed};
use crate::{WriteError, WriteErrorKind, unfinished::Unfinished};

/// Symbolic links that are followed before giving up, as Linux does.
const LINKS: usize = 40;

/// Writes any file atomically, as [`write`](crate::write()) writes meshes: `fill` writes a new file beside
/// the target, which then replaces the target. Compressed if the path ends in `.gz` or `.zst`. Not buffered.
///
/// # Errors
/// [`WriteError`]: `fill` fails, or the file cannot be written.
pub fn write_file(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    write_whole(path, |out| Ok(fill(out)?)).map_err(|kind| WriteError { file: path.into(), kind })
}

/// Whether a file can be written, before the work for it begins: its folder is there and takes new files, and
/// no file that may not be replaced has its name. Creates a file beside it and removes it.
///
/// # Errors
/// [`WriteError`]: why not.
pub fn check_output(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    let check = || match Target::of(path)? {
        Target::Device => Ok(()),
        Target::File { path, .. } => {
            Unfinished::new(folder(&path))?;
            Ok(())
        }
    };
    check().map_err(|kind| WriteError { file: path.into(), kind })
}

/// Kind of the object at the path of a file that is to be written.
enum Target {
    /// A device or a pipe.
    Device,
    /// A file or nothing, after links.
    File { path: PathBuf, old: Option<fs::Permissions> },
}

impl Target {
    /// Refuses directories, files that may only be read, and folders that are not there.
    fn of(path: &Path) -> Result<Self, WriteErrorKind> {
        let old = match fs::metadata(path) {
            Ok(old) if old.is_dir() => return Err(WriteErrorKind::Directory),
            // before links are followed: that of a pipe of this process leads to no path
            Ok(old) if !old.is_file() => return Ok(Self::Device),
            Ok(old) => Some(old.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if old.as_ref().is_some_and(fs::Permissions::readonly) {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
        }
        let path = follow(path)?;
        let folder = folder(&path);
        if !folder.is_dir() {
            let reason = format!("there is no folder {}", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, reason).into());
        }
        Ok(Self::File { path, old })
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// As [`write_file`], with the errors of a format.
///
/// # Errors
/// Those of `fill`; or the file cannot be written.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), WriteErrorKind>,
) -> Result<(), WriteErrorKind> {
    with(path, |out| compressed(out, Compression::from_path(path), fill))
}

/// Has `fill` write a file next to `path`, then replaces `path` with it.
pub(crate) fn with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), WriteErrorKind>,
) -> Result<(), WriteErrorKind> {
    let (target, old) = match Target::of(path)? {
        Target::Device => return fill(&mut fs::OpenOptions::new().write(true).open(path)?),
        Target::File { path, old } => (path, old),
    };
    let mut file = Unfinished::new(folder(&target))?;
    fill(file.file()?)?;
    if let Some(permissions) = old {
        file.file()?.set_permissions(permissions)?;
    }
    Ok(file.complete(&target)?)
}

/// Follows symbolic links to the target of a path, which need not exist.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
