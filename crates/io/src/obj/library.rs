//! Files of materials beside OBJ files.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use ribbonmesh_mesh::TriangleMesh;

use super::mtl;
use crate::{Loss, Notes, WriteErrorKind, replace};

/// The file of that name in the folder of `beside`; `None` for a name that leads elsewhere.
fn place(beside: &Path, name: &str) -> Option<PathBuf> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !name.is_empty()).then(|| beside.parent().unwrap_or(Path::new("")).join(name))
}

/// Reads the libraries of a mesh that comes from the file `from`, and the pictures that they name. Materials
/// get the definitions.
pub(crate) fn read(from: &Path, mesh: &mut TriangleMesh, notes: &mut Notes) {
    for library in &mut mesh.tables.libraries {
        library.bytes = place(from, &library.name).and_then(|path| fs::read(path).ok());
        if library.bytes.is_none() {
            notes.libraries_missing.push(library.name.clone());
        }
    }
    if mesh.tables.libraries.iter().any(|library| library.bytes.is_some()) {
        let missing = mtl::define(&mut mesh.tables, |name| fs::read(place(from, name)?).ok());
        notes.libraries_missing.extend(missing);
    }
}

/// The library that is made for a mesh whose materials are defined by glTF alone, for the file `to`: its name
/// and content.
pub(crate) fn made(to: &Path, mesh: &TriangleMesh) -> Option<(String, mtl::Library)> {
    let tables = &mesh.tables;
    let used = mesh.faces_of().with_role(ribbonmesh_mesh::Role::Material).is_some();
    if !used || !tables.libraries.is_empty() || tables.materials.iter().all(|m| m.gltf.is_none()) {
        return None;
    }
    let name = to.file_name()?.to_string_lossy().into_owned();
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("materials");
    // readers take names apart at blanks
    let stem = stem.replace(char::is_whitespace, "_");
    let library = mtl::library(tables, &stem);
    Some((format!("{stem}.mtl"), library))
}

/// Writes the libraries of a mesh beside the file `to`, and their pictures. A file that is there already is
/// left as it is.
pub(crate) fn write(
    to: &Path,
    mesh: &TriangleMesh,
    made: Option<(String, mtl::Library)>,
    losses: &mut Vec<Loss>,
) -> Result<(), WriteErrorKind> {
    for library in &mesh.tables.libraries {
        let Some(bytes) = &library.bytes else { continue };
        beside(to, &library.name, bytes, losses)?;
    }
    let pictures = match made {
        Some((name, library)) => {
            beside(to, &name, library.text.as_bytes(), losses)?;
            if library.reduced > 0 {
                losses.push(Loss::MaterialsReduced { count: library.reduced });
            }
            library.pictures
        }
        None if mesh.tables.libraries.iter().any(|library| library.bytes.is_some()) => {
            mtl::library(&mesh.tables, "picture").pictures
        }
        None => vec![],
    };
    pictures.iter().try_for_each(|(name, bytes)| beside(to, name, bytes, losses))
}

/// Writes a file beside another.
fn beside(to: &Path, name: &str, bytes: &[u8], losses: &mut Vec<Loss>) -> Result<(), WriteErrorKind> {
    let path = place(to, name);
    let old = path.as_deref().and_then(|path| fs::read(path).ok());
    match (path, old) {
        (Some(_), Some(old)) if old == bytes => {}
        (Some(path), None) if path.parent().is_none_or(|f| f.as_os_str().is_empty() || f.is_dir()) => {
            replace::with(&path, |out| Ok(out.write_all(bytes)?))?;
        }
        _ => losses.push(Loss::Library { name: name.to_owned() }),
    }
    Ok(())
}
