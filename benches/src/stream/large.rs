//! A mesh of a hundred million faces, served to a client that moves its camera all the time.
use super::served::{Client, looking, serve_while, view_message};
use super::{frames, percentiles};
use crate::options::Options;
use crate::paper::dragon;
use anyhow::{Context, Result, ensure};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_mesh::shapes::bumpy_sphere;
use ribbonmesh_mesh::{BoundingBox, TriangleMesh};
use ribbonmesh_render::Up;
use ribbonmesh_serve::MeshSource;
use serde::Serialize;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Faces, on a GPU and on a CPU.
const FACES: [usize; 2] = [100_000_000, 1_000_000];
/// The side of the picture.
const SIDE: u32 = 1024;
/// The time for which it is served.
const LENGTH: Duration = Duration::from_secs(5);

/// How it is served.
#[derive(Serialize)]
pub struct Large {
    /// The mesh in words.
    pub mesh: String,
    /// Its faces.
    pub faces: usize,
    /// Seconds from the mesh in the host's memory until it can be served.
    pub begin_seconds: f64,
    /// Frames that a second brings.
    pub frames_per_second: f64,
    /// The mean of their bytes.
    pub bytes: f64,
    /// Milliseconds from a move of the camera to its frame on this machine, median and 95 %.
    pub moved_ms: [f64; 2],
    /// Milliseconds from the moment when the server has a request to its frame, median and 95 %.
    pub age_ms: [f64; 2],
    /// Pixels that the last frame shows.
    pub seen: usize,
}

/// Each face as n² faces of the same shape; faces with a common edge share its vertices.
fn finely(mesh: &TriangleMesh, n: u32) -> Result<TriangleMesh> {
    let mut positions = mesh.positions.clone();
    let mut edges: HashMap<[u32; 2], u32> = HashMap::with_capacity(3 * mesh.faces.len() / 2);
    let count = |len: usize| u32::try_from(len).context("too many vertices");
    let mut faces = Vec::with_capacity(mesh.faces.len() * (n * n) as usize);
    // the vertices of a face: row by row, from its first corner to the side of the others
    let mut at = vec![0; ((n + 1) * (n + 2) / 2) as usize];
    let place = |row: u32, k: u32| (row * (row + 1) / 2 + k) as usize;
    for &[a, b, c] in &mesh.faces {
        let [p, q, r] = [a, b, c].map(|corner| mesh.positions[corner as usize]);
        // the vertices of an edge, from its lesser end on
        let mut along = |from: u32, to: u32, k: u32| -> Result<u32> {
            let ends = [from.min(to), from.max(to)];
            let next = count(positions.len())?;
            let first = *edges.entry(ends).or_insert(next);
            if first == next {
                let [p, q] = ends.map(|end| mesh.positions[end as usize]);
                positions.extend((1..n).map(|k| p.lerp(q, f64::from(k) / f64::from(n))));
            }
            Ok(first + if from < to { k - 1 } else { n - 1 - k })
        };
        (at[0], at[place(n, 0)], at[place(n, n)]) = (a, b, c);
        for k in 1..n {
            at[place(k, 0)] = along(a, b, k)?;
            at[place(k, k)] = along(a, c, k)?;
            at[place(n, k)] = along(b, c, k)?;
        }
        for row in 2..n {
            for k in 1..row {
                at[place(row, k)] = count(positions.len())?;
                let [down, right] = [row - k, k].map(|part| f64::from(part) / f64::from(n));
                positions.push(p + (q - p) * down + (r - p) * right);
            }
        }
        for row in 0..n {
            for k in 0..=row {
                let [above, left, right] = [place(row, k), place(row + 1, k), place(row + 1, k + 1)];
                faces.push([at[above], at[left], at[right]]);
                if k < row {
                    faces.push([at[above], at[right], at[place(row, k + 1)]]);
                }
            }
        }
    }
    Ok(TriangleMesh::new(positions, faces))
}

/// The dragon where there is one, else a sphere, as fine as it must be.
fn mesh(device: &Device, options: &Options) -> Result<(String, TriangleMesh)> {
    let (name, coarse) = match dragon(options.dragon.as_deref())? {
        Some(path) => {
            ("dragon", ribbonmesh_io::read(&path).with_context(|| path.display().to_string())?.mesh)
        }
        None => ("sphere with bumps", bumpy_sphere(7, 1)?),
    };
    let faces = FACES[usize::from(device.kind() == DeviceKind::Cpu)];
    let n = (faces as f64 / coarse.faces.len() as f64).sqrt().ceil().max(1.0) as u32;
    let name = format!("{name} of {} faces, each cut into {}", coarse.faces.len(), n * n);
    Ok((name, finely(&coarse, n)?))
}

/// Serves it for some seconds.
pub fn measure(device: &Device, options: &Options) -> Result<Large> {
    let (name, mesh) = mesh(device, options)?;
    let (faces, bounds) = (mesh.faces.len(), mesh.bounding_box().context("an empty mesh")?);
    eprintln!("{name}: {faces} faces");
    let begin = Instant::now();
    let mut source = MeshSource::new(device, &mesh, &*name, Up::Y)?;
    device.synchronize()?;
    let begin_seconds = begin.elapsed().as_secs_f64();
    drop(mesh);
    let seen = serve_while(&mut source, |place| move_around(Client::begin(place, 1, &["y"])?, bounds))?;
    let [moved_ms, age_ms] = [seen.moved_ms, seen.age_ms].map(percentiles);
    let large = Large {
        mesh: name,
        faces,
        begin_seconds,
        frames_per_second: f64::from(seen.frames) / seen.seconds,
        bytes: seen.bytes as f64 / f64::from(seen.frames),
        moved_ms,
        age_ms,
        seen: seen.seen,
    };
    eprintln!("{:.1} frames a second, {:.0} bytes", large.frames_per_second, large.bytes);
    Ok(large)
}

/// The frames that a client has seen.
#[derive(Default)]
struct Seen {
    frames: u32,
    seconds: f64,
    bytes: usize,
    moved_ms: Vec<f64>,
    age_ms: Vec<f64>,
    seen: usize,
}

/// Asks for a new view with each frame that arrives.
fn move_around(mut client: Client, bounds: BoundingBox) -> Result<Seen> {
    let (at, width) = (bounds.middle(), 1.05 * bounds.diagonal());
    let mut sent = vec![];
    let ask = |client: &mut Client, sent: &mut Vec<Instant>| -> Result<()> {
        let number = sent.len() as u32 + 1;
        let look = looking(SIDE, at, width, 0.01 * f64::from(number));
        sent.push(Instant::now());
        client.say(&view_message(number, &look))?;
        client.request(u16::from(number > 1), 1, number)
    };
    ask(&mut client, &mut sent)?;
    let mut seen = Seen::default();
    // the first frame takes memory
    let mut begin = Instant::now();
    loop {
        let (header, bytes) = client.frame()?;
        let of = *sent.get((header.view as usize).wrapping_sub(1)).context("a frame of no view")?;
        if sent.len() == 1 {
            begin = Instant::now();
        } else {
            seen.frames += 1;
            seen.bytes += bytes.len();
            seen.moved_ms.push(1e3 * of.elapsed().as_secs_f64());
            seen.age_ms.push(1e-3 * f64::from(header.age));
        }
        if begin.elapsed() >= LENGTH && seen.frames > 1 {
            seen.seconds = begin.elapsed().as_secs_f64();
            seen.seen = frames::read(&bytes)?.len();
            ensure!(seen.seen > 0, "the last frame shows nothing");
            return Ok(seen);
        }
        ask(&mut client, &mut sent)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finely_cut_meshes_are_closed() {
        let coarse = bumpy_sphere(1, 1).expect("a sphere");
        for n in [1, 2, 5] {
            let fine = finely(&coarse, n).expect("small");
            assert_eq!(fine.faces.len(), coarse.faces.len() * (n * n) as usize);
            // Euler: of a sphere
            assert_eq!(fine.positions.len(), fine.faces.len() / 2 + 2, "{n}");
            let mut sides: Vec<[u32; 2]> =
                fine.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
            sides.sort_unstable();
            assert!(sides.windows(2).all(|two| two[0] != two[1]), "{n}");
            assert!(sides.iter().all(|&[a, b]| sides.binary_search(&[b, a]).is_ok()), "{n}");
        }
    }
}
