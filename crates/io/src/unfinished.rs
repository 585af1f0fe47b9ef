//! Files that are being written, beside the files whose place they take when they are complete.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

/// The paths of all such files of this process.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that are being written; for a program that is about to end because of a signal. The
/// files that they would replace stay as they are. A thread that writes, or begins to write, waits from then
/// on without end.
///
/// Not to be called in a signal handler itself, but in a thread that waits for signals.
pub fn remove_unfinished() {
    let files = files();
    for path in files.iter() {
        // it may already have been removed; an error of removing it cannot be reported
        _ = fs::remove_file(path);
    }
    std::mem::forget(files);
}

/// A file that is removed when dropped, unless it is complete.
pub(crate) struct Unfinished(Option<NamedTempFile>);

impl Unfinished {
    /// A new file with the permissions that the process gives new files.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ribbonmesh-");
        #[cfg(unix)]
        let permissions: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(permissions);
        let mut files = files();
        let file = builder.tempfile_in(folder)?;
        files.insert(file.path().to_owned());
        Ok(Self(Some(file)))
    }

    /// The file; none after [`complete`](Self::complete), which takes it.
    pub fn file(&mut self) -> io::Result<&mut fs::File> {
        self.0.as_mut().map(NamedTempFile::as_file_mut).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Replaces another file with this one.
    pub fn complete(mut self, target: &Path) -> io::Result<()> {
        let mut files = files();
        let Some(file) = self.0.take() else { return Ok(()) };
        files.remove(file.path());
        file.persist(target).map(drop).map_err(|error| error.error)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut files = files();
            files.remove(file.path());
        }
    }
}
