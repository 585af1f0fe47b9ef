//! Curvatures by plain loops over the faces, in `f64`.
use glam::DVec3;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, FlatTopology, MeshOptions, Surface};
use ribbonmesh_fields::curvature::{Area, CurvatureReport, FlatCurvatures, curvatures_of_triangles};
use ribbonmesh_mesh::TriangleMesh;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

/// The expected values at a vertex.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    pub defect: f64,
    pub area: f64,
    /// Sum of (x − y) (cot + cot), and of the lengths of these terms.
    pub laplacian: DVec3,
    pub size: f64,
    pub normal: DVec3,
    pub boundary_length: f64,
    pub boundary: bool,
    pub corners: usize,
}
impl Expected {
    pub fn gaussian(&self) -> f64 {
        if self.boundary || self.area == 0.0 { 0.0 } else { self.defect / self.area }
    }
    pub fn mean(&self) -> f64 {
        if self.boundary || self.area == 0.0 {
            return 0.0;
        }
        let sign = if self.laplacian.dot(self.normal) < 0.0 { -1.0 } else { 1.0 };
        sign * self.laplacian.length() / (4.0 * self.area)
    }
    pub fn geodesic(&self) -> f64 {
        if self.boundary { self.defect / self.boundary_length } else { 0.0 }
    }
}

/// Computes the expected values; faces with a vertex twice are left out.
pub fn expected(x: &[Vec3], faces: &[[u32; 3]], area: Area) -> Vec<Expected> {
    let mut all = vec![Expected::default(); x.len()];
    let mut edges: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let faces = faces.iter().filter(|f| f[0] != f[1] && f[1] != f[2] && f[2] != f[0]);
    for f in faces {
        let p = f.map(|v| x[v as usize].as_dvec3());
        let angle = |i: usize| {
            let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            a.cross(b).length().atan2(a.dot(b))
        };
        let surface = (p[1] - p[0]).cross(p[2] - p[0]) / 2.0;
        let obtuse = (0..3).find(|&i| angle(i) > PI / 2.0);
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let here = &mut all[f[i] as usize];
            here.corners += 1;
            here.defect -= angle(i);
            here.normal += surface;
            let (from_j, from_k) = (p[i] - p[j], p[i] - p[k]);
            let (cot_j, cot_k) = (1.0 / angle(j).tan(), 1.0 / angle(k).tan());
            here.laplacian += from_j * cot_k + from_k * cot_j;
            here.size += from_j.length() * cot_k.abs() + from_k.length() * cot_j.abs();
            here.area += match (area, obtuse) {
                (Area::Barycentric, _) => surface.length() / 3.0,
                (_, None) => (from_j.length_squared() * cot_k + from_k.length_squared() * cot_j) / 8.0,
                (_, Some(o)) if o == i => surface.length() / 2.0,
                (_, Some(_)) => surface.length() / 4.0,
            };
            *edges.entry((f[i].min(f[j]), f[i].max(f[j]))).or_default() += 1;
        }
    }
    for (&(a, b), &faces) in &edges {
        let length = x[a as usize].as_dvec3().distance(x[b as usize].as_dvec3());
        for v in [a, b] {
            let here = &mut all[v as usize];
            here.defect -= PI;
            if faces == 1 {
                here.boundary = true;
                here.boundary_length += length / 2.0;
            }
        }
    }
    for here in all.iter_mut().filter(|e| e.corners > 0) {
        here.defect += 2.0 * PI + PI * here.corners as f64;
    }
    all
}

/// 2π times vertices − edges + faces, vertices without a face left out.
pub fn gauss_bonnet(faces: &[[u32; 3]]) -> f64 {
    let vertices: BTreeSet<u32> = faces.as_flattened().iter().copied().collect();
    let side = |f: &[u32; 3], i: usize| (f[i].min(f[(i + 1) % 3]), f[i].max(f[(i + 1) % 3]));
    let edges: BTreeSet<(u32, u32)> =
        faces.iter().flat_map(|f| [side(f, 0), side(f, 1), side(f, 2)]).collect();
    2.0 * PI * (vertices.len() as f64 - edges.len() as f64 + faces.len() as f64)
}

/// A mesh with positions, on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub topology: FlatTopology,
    pub positions: Buffer<Vec3>,
}
impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]) -> Self {
        let topology = FlatTopology::new(device, x.len(), faces).expect("a topology");
        let positions = device.upload(&x).expect("memory");
        Self { name: name.to_owned(), x, faces: faces.to_vec(), topology, positions }
    }
    pub fn curvatures(&self, area: Area) -> FlatCurvatures {
        curvatures_of_triangles(&self.topology, &self.positions, area).expect("curvatures")
    }
    /// Defect, area, gaussian, mean, geodesic, each in the order of the input; the same twice.
    pub fn found(&self, area: Area) -> [Vec<f32>; 5] {
        let once = || {
            let found = self.curvatures(area);
            [&found.defect, &found.area, &found.gaussian, &found.mean, &found.geodesic]
                .map(|a| a.read().expect("values"))
        };
        let (a, b) = (once(), once());
        assert_eq!(a, b, "{}", self.name);
        a
    }
    pub fn report(&self) -> CurvatureReport {
        CurvatureReport::of_triangles(&self.topology, &self.curvatures(Area::Mixed)).expect("a report")
    }
    /// The model as a surface.
    pub fn surface(&self) -> Surface {
        let points = self.x.iter().map(|x| x.to_array());
        let mesh = TriangleMesh::from_f32(points, self.faces.clone());
        Surface::new(self.topology.device(), &mesh, &MeshOptions::default()).expect("a surface")
    }
    /// Both areas against the plain loops.
    pub fn check(&self) {
        for area in Area::ALL {
            self.check_values(area, self.found(area));
        }
    }
    fn check_values(&self, area: Area, [defect, areas, gaussian, mean, geodesic]: [Vec<f32>; 5]) {
        {
            for (v, e) in expected(&self.x, &self.faces, area).iter().enumerate() {
                let near = |what: &str, found: f32, expected: f64, tolerance: f64| {
                    let close = (f64::from(found) - expected).abs() <= tolerance;
                    assert!(
                        close,
                        "{what} {found}, not {expected}, of vertex {v} of {}, {area}: {e:?}",
                        self.name
                    );
                };
                let rounding = 1e-6 * (3.0 + e.corners as f64);
                near("defect", defect[v], e.defect, rounding);
                near("area", areas[v], e.area, 2e-5 * e.area);
                if e.area > 0.0 {
                    near(
                        "gaussian",
                        gaussian[v],
                        e.gaussian(),
                        rounding / e.area + 3e-5 * e.gaussian().abs(),
                    );
                    let unsure = 1e-4 * e.size / e.area;
                    // the sign is not certain where the normal is not
                    let sure = e.laplacian.dot(e.normal).abs() > 1e-4 * e.size * e.area;
                    let sign = if sure || e.boundary {
                        1.0
                    } else {
                        f64::from(mean[v]).signum() * e.mean().signum()
                    };
                    near("mean", mean[v], e.mean() * sign, unsure);
                }
                if e.boundary {
                    near(
                        "geodesic",
                        geodesic[v],
                        e.geodesic(),
                        2.0 * rounding / e.boundary_length + 1e-5 * e.geodesic().abs(),
                    );
                } else {
                    near("geodesic", geodesic[v], 0.0, 0.0);
                }
            }
        }
    }
}
