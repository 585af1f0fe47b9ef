//! Speed of reading OBJ and PLY, compared with the least cost of reading, and with other crates.
//!
//! ```sh
//! cargo run --release -p ribbonmesh-io --example read_speed -- 9
//! ```
//!
//! The argument is the depth of the sphere, 9 (5.24 million faces) unless given. The least is `fs::read` and
//! then turning the same digits or bytes into the same numbers, in order, into arrays that are already large
//! enough, without any checks. Each figure is the best of five runs on one thread, with the file in the
//! system's cache.

use std::{
    error::Error,
    fs,
    hint::black_box,
    io::BufReader,
    path::Path,
    time::{Duration, Instant},
};

use ply_rs_bw::{
    parser::{Parser, Reader},
    ply,
};
use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};

const RUNS: usize = 5;

fn best<T>(
    runs: usize,
    mut work: impl FnMut() -> Result<T, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        let result = black_box(work()?);
        best = best.min(start.elapsed());
        drop(result);
    }
    Ok(best)
}

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(9), |depth| depth.parse())?;
    let start = Instant::now();
    let mesh = ribbonmesh_mesh::shapes::bumpy_sphere(depth, 1)?;
    println!(
        "sphere {depth}: {} vertices, {} faces, made in {:.2?}",
        mesh.positions.len(),
        mesh.faces.len(),
        start.elapsed()
    );
    let folder = tempfile::tempdir()?;
    for (name, least, other, other_name) in [
        ("mesh.obj", least_obj as fn(&Path, &TriangleMesh) -> _, tobj as fn(&Path) -> _, "tobj"),
        ("mesh.ply", least_ply, ply_rs, "ply-rs-bw"),
    ] {
        let path = folder.path().join(name);
        let start = Instant::now();
        write(&path, &mesh, &WriteOptions::default())?;
        let written = start.elapsed();
        let least = best(RUNS, || least(&path, &mesh))?;
        let ours = best(RUNS, || Ok(read(&path)?))?;
        let other = best(2, || other(&path))?;
        assert!(read(&path)?.mesh == mesh);
        let ratio = |time: Duration| time.as_secs_f64() / least.as_secs_f64();
        println!("{name}: {:.1} MB, written in {written:.3?}", fs::metadata(&path)?.len() as f64 / 1e6);
        println!("  least      {least:9.3?}");
        println!("  this crate {ours:9.3?}  {:6.2} x least", ratio(ours));
        println!("  {other_name:10} {other:9.3?}  {:6.2} x least", ratio(other));
    }
    Ok(())
}

/// Numbers of each kind, in the order of the file; the kind is told by the first byte of the line.
fn least_obj(path: &Path, mesh: &TriangleMesh) -> Result<(Vec<f32>, Vec<u32>), Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let mut floats = Vec::with_capacity(3 * mesh.positions.len());
    let mut integers = Vec::with_capacity(3 * mesh.faces.len());
    let mut at = 0;
    for _ in 0..mesh.positions.len() {
        at += 1;
        for _ in 0..3 {
            let (value, length) = lexical_core::parse_partial::<f32>(&bytes[at + 1..])?;
            floats.push(value);
            at += 1 + length;
        }
        at += 1;
    }
    for _ in 0..mesh.faces.len() {
        at += 1;
        for _ in 0..3 {
            let (value, length) = lexical_core::parse_partial::<u32>(&bytes[at + 1..])?;
            integers.push(value - 1);
            at += 1 + length;
        }
        at += 1;
    }
    Ok((floats, integers))
}

fn least_ply(path: &Path, mesh: &TriangleMesh) -> Result<(Vec<f32>, Vec<u32>), Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let mut floats = Vec::with_capacity(3 * mesh.positions.len());
    let mut integers = Vec::with_capacity(3 * mesh.faces.len());
    let body = bytes.len() - 12 * mesh.positions.len() - 13 * mesh.faces.len();
    let (positions, faces) = bytes[body..].split_at(12 * mesh.positions.len());
    floats.extend(positions.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)));
    for face in faces.as_chunks::<13>().0 {
        integers.extend(face[1..].as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
    }
    Ok((floats, integers))
}

fn tobj(path: &Path) -> Result<(Vec<f32>, Vec<u32>), Box<dyn Error>> {
    let (mut models, _) = tobj::load_obj(path, &tobj::LoadOptions::default())?;
    let mesh = models.pop().ok_or("no model")?.mesh;
    Ok((mesh.positions, mesh.indices))
}

struct Vertex([f32; 3]);

impl ply::PropertyAccess for Vertex {
    fn new() -> Self {
        Self([0.0; 3])
    }

    fn set_property(&mut self, key: &str, property: ply::Property) -> ply::PropertyAccessResult {
        let axis = match key {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return ply::PropertyAccessResult::Ignored,
        };
        match property {
            ply::Property::Float(value) => self.0[axis] = value,
            _ => return ply::PropertyAccessResult::UnsupportedType,
        }
        ply::PropertyAccessResult::Set
    }
}

struct Face(Vec<i32>);

impl ply::PropertyAccess for Face {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn set_property(&mut self, key: &str, property: ply::Property) -> ply::PropertyAccessResult {
        match (key, property) {
            ("vertex_indices", ply::Property::ListInt(corners)) => self.0 = corners,
            _ => return ply::PropertyAccessResult::UnsupportedType,
        }
        ply::PropertyAccessResult::Set
    }
}

fn ply_rs(path: &Path) -> Result<(Vec<f32>, Vec<u32>), Box<dyn Error>> {
    let mut reader = Reader::new(BufReader::new(fs::File::open(path)?));
    let (vertices, faces) = (Parser::<Vertex>::new(), Parser::<Face>::new());
    let header = vertices.read_header(&mut reader)?;
    let vertices = vertices.read_payload_for_element(&mut reader, &header.elements["vertex"], &header)?;
    let faces = faces.read_payload_for_element(&mut reader, &header.elements["face"], &header)?;
    let integers = faces.iter().flat_map(|face| face.0.iter().map(|&corner| corner as u32)).collect();
    Ok((vertices.iter().flat_map(|vertex| vertex.0).collect(), integers))
}
