//! Bilateral denoising by plain loops in `f64`, with rings from sets.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_fields::denoise::{DenoiseOptions, DenoiseReport, Denoiser, Radius};
use std::collections::BTreeSet;

/// A mesh with positions, on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub mesh: StaticMesh,
    pub positions: Attribute<Vertex, Vec3>,
}

/// The new position of a vertex, and whether it is certain: no vertex is within rounding of the end of its
/// ball.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub to: DVec3,
    pub sigma: f64,
    pub sure: bool,
}

pub fn neighbours(n: usize, faces: &[[u32; 3]]) -> Vec<BTreeSet<u32>> {
    let mut all = vec![BTreeSet::new(); n];
    for f in faces {
        for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
            if a != b {
                all[a as usize].insert(b);
                all[b as usize].insert(a);
            }
        }
    }
    all
}

fn normals(x: &[Vec3], faces: &[[u32; 3]]) -> Vec<DVec3> {
    let mut all = vec![DVec3::ZERO; x.len()];
    for f in faces {
        let p = f.map(|v| x[v as usize].as_dvec3());
        let n = (p[1] - p[0]).cross(p[2] - p[0]);
        if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
            f.iter().for_each(|&v| all[v as usize] += n);
        }
    }
    all.into_iter().map(DVec3::normalize_or_zero).collect()
}

/// Most vertices that a walk meets, unless the first ring has more.
const MOST_MET: usize = 512;

/// The positions after one iteration.
pub fn expected(x: &[Vec3], faces: &[[u32; 3]], options: &DenoiseOptions) -> Vec<Moved> {
    let (vv, normals) = (neighbours(x.len(), faces), normals(x, faces));
    let at = |v: u32| x[v as usize].as_dvec3();
    let one = |v: u32| {
        let n = normals[v as usize];
        let lengths: Vec<f64> =
            vv[v as usize].iter().map(|&u| at(u).distance(at(v))).filter(|l| *l > 0.0).collect();
        if lengths.is_empty() || n == DVec3::ZERO {
            return Moved { to: at(v), sigma: 0.0, sure: true };
        }
        let length = match options.radius {
            Radius::Shortest => lengths.iter().copied().fold(f64::INFINITY, f64::min),
            Radius::Longest => lengths.iter().copied().fold(0.0, f64::max),
            Radius::Mean => lengths.iter().sum::<f64>() / lengths.len() as f64,
        };
        let sigma = length * f64::from(options.scale);
        let (mut seen, mut ring) = (BTreeSet::from([v]), BTreeSet::from([v]));
        let (mut inside, mut sure) = (vec![], true);
        loop {
            ring =
                ring.iter().flat_map(|&u| &vv[u as usize]).copied().filter(|u| !seen.contains(u)).collect();
            // the library counts the vertex itself
            if seen.len() > 1 && seen.len() + ring.len() > MOST_MET {
                break;
            }
            seen.extend(&ring);
            let before = inside.len();
            for &u in &ring {
                let t = at(u).distance(at(v)) / (2.0 * sigma);
                sure &= (t - 1.0).abs() > 1e-5;
                if t < 1.0 {
                    inside.push(u);
                }
            }
            if inside.len() == before {
                break;
            }
        }
        if inside.is_empty() {
            return Moved { to: at(v), sigma, sure };
        }
        let offsets: Vec<f64> = inside.iter().map(|&u| n.dot(at(u) - at(v))).collect();
        let count = offsets.len() as f64;
        let mean = offsets.iter().sum::<f64>() / count;
        let variance = offsets.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / count;
        // where σs is rounding, so are the weights
        sure &= variance > 1e-9 * sigma * sigma || count == 1.0;
        let variance = variance.max(1e-12 * sigma * sigma);
        let least = offsets.iter().map(|h| h * h).fold(f64::INFINITY, f64::min);
        let (mut sum, mut all) = (0.0, 0.0);
        for (&u, h) in inside.iter().zip(&offsets) {
            let tt = at(u).distance_squared(at(v));
            let w = (-tt / (2.0 * sigma * sigma) - (h * h - least) / (2.0 * variance)).exp();
            sum += w * h;
            all += w;
        }
        Moved { to: at(v) + n * (sum / all), sigma, sure }
    };
    (0..x.len() as u32).map(one).collect()
}

impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]], patch_size: u32) -> Self {
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, x.len(), faces, &options).expect("a mesh");
        let positions = Attribute::from_input(&mesh, &x).expect("positions");
        Self { name: format!("{name}, patches of {patch_size}"), x, faces: faces.to_vec(), mesh, positions }
    }
    /// Positions after denoising.
    pub fn denoise(&self, options: &DenoiseOptions) -> (Vec<Vec3>, DenoiseReport) {
        let mut to = Attribute::zeros(&self.mesh).expect("memory");
        let mut denoiser = Denoiser::new(&self.mesh, options).expect("rings");
        let report = denoiser.denoise(&self.positions, &mut to).expect("denoised");
        (to.download().expect("positions"), report)
    }
    /// Positions after denoising, which are the same twice.
    pub fn run(&self, options: &DenoiseOptions) -> (Vec<Vec3>, DenoiseReport) {
        let (a, b) = (self.denoise(options), self.denoise(options));
        assert_eq!(a.1, b.1, "not the same report twice: {}", self.name);
        let other = (a.0.iter().zip(&b.0).enumerate()).find(|(_, (p, q))| p != q);
        assert!(other.is_none(), "not the same twice: {}: {other:?}", self.name);
        a
    }
    /// Compares one iteration with the plain loops, whatever number of rings is stored.
    pub fn check(&self, options: &DenoiseOptions) -> DenoiseReport {
        let options = DenoiseOptions { iterations: Some(1), ..*options };
        let expected = expected(&self.x, &self.faces, &options);
        let size = self.x.iter().fold(0.0_f32, |a, p| a.max(p.abs().max_element()));
        let (first, report) = self.run(&options);
        for (v, (found, e)) in first.iter().zip(&expected).enumerate() {
            assert!(found.is_finite(), "vertex {v} of {}", self.name);
            let difference = (found.as_dvec3() - e.to).length();
            let tolerance = 1e-3 * e.sigma + 2e-6 * f64::from(size);
            let what = || format!("vertex {v} of {}, {options:?}: {found}, {e:?}, {}", self.name, self.x[v]);
            assert!(!e.sure || difference <= tolerance, "{}", what());
        }
        for rings in [0, 1, 4] {
            let other = DenoiseOptions { stored_rings: Some(rings), ..options };
            let (found, _) = self.denoise(&other);
            assert!(found == first, "{rings} rings stored, {}", self.name);
        }
        report
    }
}
