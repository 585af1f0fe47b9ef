//! Files of materials beside OBJ files.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use ribbonmesh_mesh::TriangleMesh;

use crate::{Loss, Notes, WriteErrorKind, replace};

/// The file of that name in the folder of `beside`; none for a name that leads elsewhere.
fn place(beside: &Path, name: &str) -> Option<PathBuf> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !name.is_empty()).then(|| beside.parent().unwrap_or(Path::new("")).join(name))
}

/// Reads the libraries of a mesh that comes from the file `from`.
pub(crate) fn read(from: &Path, mesh: &mut TriangleMesh, notes: &mut Notes) {
    for library in &mut mesh.tables.libraries {
        library.bytes = place(from, &library.name).and_then(|path| fs::read(path).ok());
        if library.bytes.is_none() {
            notes.libraries_missing.push(library.name.clone());
        }
    }
}

/// Writes the libraries of a mesh beside the file `to`. A file that is there already is left as it is.
pub(crate) fn write(to: &Path, mesh: &TriangleMesh, losses: &mut Vec<Loss>) -> Result<(), WriteErrorKind> {
    for library in &mesh.tables.libraries {
        let Some(bytes) = &library.bytes else { continue };
        let path = place(to, &library.name);
        let old = path.as_deref().and_then(|path| fs::read(path).ok());
        match (path, old) {
            (Some(_), Some(old)) if old == *bytes => {}
            (Some(path), None) if path.parent().is_none_or(|f| f.as_os_str().is_empty() || f.is_dir()) => {
                replace::with(&path, |out| Ok(out.write_all(bytes)?))?;
            }
            _ => losses.push(Loss::Library { name: library.name.clone() }),
        }
    }
    Ok(())
}
