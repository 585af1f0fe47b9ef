//! Files that appear complete or not at all.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{WriteError, WriteErrorKind};

/// Symbolic links that are followed before giving up, as Linux does.
const LINKS: usize = 40;

/// Writes a file of any kind the way [`write`](crate::write()) writes meshes: `fill` fills a new file beside the target,
/// which takes its place when it is complete. Not buffered.
///
/// # Errors
/// [`WriteError`]: `fill` fails, or the file cannot be written.
pub fn write_file(
    path: impl AsRef<Path>,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    with(path, |out| Ok(fill(out)?)).map_err(|kind| WriteError { file: path.into(), kind })
}

/// Has `fill` write a file beside `path`, then puts it in the place of `path`.
pub(crate) fn with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), WriteErrorKind>,
) -> Result<(), WriteErrorKind> {
    let old = fs::metadata(path);
    if old.as_ref().is_ok_and(|old| !old.is_dir() && !old.is_file()) {
        // a pipe of this process has a name that leads to it, and cannot be followed
        return fill(&mut fs::OpenOptions::new().write(true).open(path)?);
    }
    let target = follow(path)?;
    let old = match old {
        Ok(old) if old.is_dir() => return Err(WriteErrorKind::Directory),
        Ok(old) => Some(old.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if old.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied).into());
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = beside(folder)?;
    fill(file.as_file_mut())?;
    if let Some(permissions) = old {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// What a path leads to, over symbolic links; it need not exist.
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

/// A new file with the permissions that the process gives new files; it is removed when dropped.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ribbonmesh-");
    #[cfg(unix)]
    let permissions: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile_in(folder)
}
