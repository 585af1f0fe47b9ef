//! The meshes: spheres with bumps, and the dragon with its subdivisions.
use crate::options::Options;
use crate::subject::Subject;
use anyhow::{Context, Result, ensure};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::subdivide;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Spheres, unless sizes are given.
const SPHERES: [u64; 4] = [81_920, 327_680, 1_310_720, 5_242_880];
/// Most faces of a mesh, unless sizes are given.
const MOST_ON_GPU: u64 = 14_000_000;
const MOST_ON_CPU: u64 = 1_310_720;

/// One of them, not loaded yet.
pub enum Mesh {
    /// A sphere of about this many faces.
    Sphere(u64),
    /// The dragon, each face cut into four this many times.
    Dragon(Rc<TriangleMesh>, u32),
}
impl Mesh {
    /// For tables.
    pub fn name(&self) -> String {
        match self {
            Self::Sphere(_) => "sphere".to_owned(),
            Self::Dragon(_, 0) => "dragon".to_owned(),
            Self::Dragon(_, times) => format!("dragon × {}", 4_u32.pow(*times)),
        }
    }
    /// Number of faces, of a sphere about.
    pub fn faces(&self) -> u64 {
        match self {
            Self::Sphere(faces) => *faces,
            Self::Dragon(shape, times) => (shape.faces.len() as u64) << (2 * times),
        }
    }
    /// Its triangles.
    pub fn load(&self) -> Result<Subject> {
        match self {
            Self::Sphere(faces) => Subject::sphere(*faces),
            Self::Dragon(shape, times) => {
                let mut fine = TriangleMesh::clone(shape);
                for _ in 0..*times {
                    fine = subdivide(&fine)?;
                }
                Ok(Subject::of(&fine))
            }
        }
    }
}

/// The meshes to measure, smaller ones first.
pub fn meshes(device: &Device, options: &Options) -> Result<Vec<Mesh>> {
    let most = match (options.faces.iter().max(), device.kind()) {
        (Some(&most), _) => most,
        (None, DeviceKind::Cuda) => MOST_ON_GPU,
        (None, DeviceKind::Cpu) => MOST_ON_CPU,
    };
    let spheres = if options.faces.is_empty() { SPHERES.to_vec() } else { options.faces.clone() };
    let mut meshes: Vec<_> = spheres.into_iter().filter(|&faces| faces <= most).map(Mesh::Sphere).collect();
    match dragon(options.dragon.as_deref())? {
        Some(path) => {
            let read = ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?.mesh;
            let shape = Rc::new(read);
            let all = (0..16).map(|times| Mesh::Dragon(shape.clone(), times));
            meshes.extend(all.take_while(|mesh| mesh.faces() <= most));
        }
        None => eprintln!("no dragon.ply: `cargo xtask meshes` fetches it, --dragon names it"),
    }
    meshes.sort_by_key(Mesh::faces);
    Ok(meshes)
}

/// The path of the dragon.
pub fn dragon(given: Option<&Path>) -> Result<Option<PathBuf>> {
    if let Some(path) = given {
        ensure!(path.is_file(), "there is no file {}", path.display());
        return Ok(Some(path.to_owned()));
    }
    let mut folders: Vec<PathBuf> =
        std::env::var_os("RIBBONMESH_MESHES").map(PathBuf::from).into_iter().collect();
    folders.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/meshes").into());
    if let Some(beside) = std::env::current_exe()?.parent() {
        folders.push(beside.join("meshes"));
    }
    Ok(folders.into_iter().map(|folder| folder.join("dragon.ply")).find(|path| path.is_file()))
}
