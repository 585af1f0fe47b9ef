//! `ribbonmesh volume tetrahedralize`.
use super::files::{self, Encoding};
use crate::failure::Failure;
use crate::session::Session;
use clap::{ArgGroup, Args};
use ribbonmesh::bvh::{DistanceOptions, Figures, SampledSurface, distance};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_application::{Need, counted, short};
use ribbonmesh_mesh::Precision;
use ribbonmesh_volume::tetrahedra::{CellSize, InsideRule, TetrahedraOptions, tetrahedralize};
use ribbonmesh_volume_io::{DataArray, VolumeData};
use serde::Serialize;
use std::path::PathBuf;

/// Random points of each surface.
const SAMPLES: u32 = 100_000;

/// Fill a closed surface with tetrahedra
///
/// Isosurface stuffing (Labelle and Shewchuk 2007): the tetrahedra of a regular lattice inside, and near the
/// surface what is left of them there. All dihedral angles are between 10.7 and 164.8 degrees. Sharp edges
/// are cut off, and what is thinner than cells is lost. The surface has to be closed: fill its holes first.
/// The report has shapes of tetrahedra, volumes, and the distance between the surface and that of the result.
#[derive(Args)]
#[command(group = ArgGroup::new("how-large").required(true))]
#[command(after_help = "\
Examples:
  ribbonmesh volume tetrahedralize dragon.ply -o dragon.vtu --cells 20000
  ribbonmesh volume tetrahedralize dragon.ply -o dragon.msh --size 0.1 --faces
  ribbonmesh volume tetrahedralize dragon.ply -o coarse.ovm --cells 5000 --keep-largest")]
pub struct Tetrahedralize {
    /// Surface: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Length of the lattice's long edges, in units of the file; short ones have 0.87 of it
    #[arg(long, value_name = "LENGTH", group = "how-large")]
    size: Option<f64>,
    /// About this many tetrahedra
    #[arg(long, value_name = "N", group = "how-large")]
    cells: Option<u64>,
    /// Inside is where the winding number is not 0, or where a ray crosses the surface an odd number of times
    #[arg(long, value_name = "winding|parity", default_value_t = InsideRule::Winding)]
    inside: InsideRule,
    /// List the triangles around the volume, with the nearest face of the surface as the data surface_face
    #[arg(long)]
    faces: bool,
    /// Keep only the largest part of the result that is connected through faces
    #[arg(long)]
    keep_largest: bool,
    /// Do not look for faces that intersect, and do not measure distances
    #[arg(long)]
    no_checks: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    size: f64,
    lattice_points: u64,
    cut_edges: u64,
    warped_points: u64,
    vertices: u64,
    tetrahedra: u64,
    least_angle: f64,
    greatest_angle: f64,
    mean_least_angle: f64,
    /// Tetrahedra by their smallest angle, in steps of ten degrees.
    smallest_angles: [u64; 18],
    /// Tetrahedra by their largest angle.
    largest_angles: [u64; 18],
    volume: f64,
    surface_volume: f64,
    self_intersections: Option<u64>,
    /// Parts that hang together through faces, as they were found; --keep-largest keeps one.
    parts: u64,
    /// The volume of the largest part by that of all.
    largest_part: f64,
    /// Parts of the given surface, and how many of them nothing of the result is near to.
    shells: u64,
    lost_shells: u64,
    surface: Surface,
    /// Between the surface and that of the result, in units of the file.
    distance: Option<Figures>,
}
/// Around the result.
#[derive(Serialize)]
struct Surface {
    triangles: u64,
    components: u64,
    nonmanifold_edges: u64,
    nonmanifold_vertices: u64,
    euler_characteristic: i64,
}

impl Tetrahedralize {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        let size = match (self.size, self.cells) {
            (Some(length), _) => CellSize::Length(length),
            (None, Some(cells)) => CellSize::Cells(cells),
            (None, None) => return Err(Failure::Usage("--size or --cells".into())),
        };
        session.keep(None, &[&self.mesh, &self.output])?;
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let surface = session.surface(&device, &mesh, Need::Triangles)?;
        let options = TetrahedraOptions { size, inside: self.inside, find_intersections: !self.no_checks };
        let found = session.phase("tetrahedra", || {
            tetrahedralize(&surface, &options).map_err(|error| Failure::of_file(&self.mesh, error))
        })?;
        let built =
            session.phase("mesh", || found.to_mesh().map_err(|error| Failure::of_file(&self.mesh, error)))?;
        let (mut found, mut built) = (found, built);
        let mut around = built.surface()?;
        let parts = session
            .phase("parts", || found.parts(&built).map_err(|error| Failure::of_file(&self.mesh, error)))?;
        let (shells, lost_shells) = session.phase("shells", || {
            let of = shells(&mesh.faces, mesh.positions.len());
            let count = of.iter().max().map_or(0, |most| *most as usize + 1);
            let mut near = vec![count < 2; count];
            if count > 1 {
                let nearest = found
                    .nearest_faces(&around, &surface)
                    .map_err(|error| Failure::of_file(&self.mesh, error))?;
                let found = nearest.iter().filter_map(|&face| of.get(face as usize));
                found.for_each(|&shell| near[shell as usize] = true);
            }
            Ok::<_, Failure>((count as u64, near.iter().filter(|near| !**near).count() as u64))
        })?;
        let whole: f64 = parts.iter().map(|(_, volume)| volume).sum();
        let largest_part = parts.first().map_or(1.0, |(_, volume)| volume / whole);
        if self.keep_largest && parts.len() > 1 {
            found = found.largest_part(&built).map_err(|error| Failure::of_file(&self.mesh, error))?;
            built = found.to_mesh().map_err(|error| Failure::of_file(&self.mesh, error))?;
            around = built.surface()?;
        }
        let topology = session.phase("surface", || Ok::<_, Failure>(around.topology()?.topology()?))?;

        let report = found.report();
        let quality = report.quality;
        let (origin, seed) = (found.origin(), session.seed());
        let apart = match self.no_checks {
            true => None,
            false => Some(session.phase("distance", || {
                let shown = around.download()?;
                let sampled =
                    |points: &[Vec3], faces: &[[u32; 3]]| SampledSurface::new(&device, points, faces);
                let given = sampled(&mesh.points_around(origin), &mesh.faces)?;
                let shown = sampled(&shown.points_around(DVec3::ZERO), &shown.faces)?;
                let options = DistanceOptions { samples: SAMPLES, seed };
                Ok::<_, Failure>(distance(&given, &shown, &options)?.symmetric)
            })?),
        };
        let results = Results {
            size: report.size,
            lattice_points: report.sites,
            cut_edges: report.cut_edges,
            warped_points: report.warped,
            vertices: report.vertices,
            tetrahedra: report.tetrahedra,
            least_angle: quality.least,
            greatest_angle: quality.greatest,
            mean_least_angle: quality.mean_smallest,
            smallest_angles: quality.smallest,
            largest_angles: quality.largest,
            volume: quality.volume,
            surface_volume: report.enclosed_volume,
            self_intersections: report.self_intersections,
            parts: parts.len() as u64,
            largest_part,
            shells,
            lost_shells,
            surface: Surface {
                triangles: topology.faces,
                components: topology.components,
                nonmanifold_edges: topology.nonmanifold_edges,
                nonmanifold_vertices: topology.nonmanifold_vertices,
                euler_characteristic: topology.euler_characteristic,
            },
            distance: apart,
        };
        session.results(&results);
        results.say(session, self.keep_largest);

        let mut cells = found.to_cells().map_err(|error| Failure::of_file(&self.mesh, error))?;
        let mut positions = found.positions().map_err(|error| Failure::of_file(&self.mesh, error))?;
        if mesh.precision == Precision::Single {
            positions.iter_mut().for_each(|p| *p = p.as_vec3().as_dvec3());
        }
        let mut volume = VolumeData { positions, precision: mesh.precision, ..VolumeData::default() };
        if self.faces {
            let nearest = session.phase("faces", || {
                found.nearest_faces(&around, &surface).map_err(|error| Failure::of_file(&self.mesh, error))
            })?;
            let (corners, vertices) = (around.corners().read()?, around.volume_vertices().read()?);
            for face in corners.chunks_exact(3) {
                cells.push_face(&[face[0], face[1], face[2]].map(|v| vertices[v as usize]));
            }
            let nearest: Vec<i32> = nearest.into_iter().map(|face| face as i32).collect();
            volume.face_data.push(DataArray::new("surface_face", nearest));
        }
        volume.cells = cells;
        files::write(session, &self.output, &volume, &encoded)
    }
}

/// The part of the surface that each face belongs to, from 0: faces that hang together through vertices.
fn shells(faces: &[[u32; 3]], vertices: usize) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    let root = |parent: &mut [u32], mut v: u32| {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    };
    for &[a, b, c] in faces {
        for other in [b, c] {
            let (a, b) = (root(&mut parent, a), root(&mut parent, other));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    let (mut numbers, mut next) = (vec![u32::MAX; vertices], 0);
    let number = |face: &[u32; 3]| {
        let own = root(&mut parent, face[0]) as usize;
        if numbers[own] == u32::MAX {
            (numbers[own], next) = (next, next + 1);
        }
        numbers[own]
    };
    faces.iter().map(number).collect()
}

impl Results {
    fn say(&self, session: &mut Session, keep_largest: bool) {
        let (least, greatest) = (short(self.least_angle), short(self.greatest_angle));
        session.say(format_args!(
            "cells of size {}: {}",
            short(self.size),
            format_args!("{} tetrahedra", self.tetrahedra)
        ));
        session.say(format_args!("dihedral angles: {least} to {greatest} degrees"));
        let (volume, given) = (short(self.volume), short(self.surface_volume.abs()));
        session.say(format_args!("volume: {volume}, that of the surface {given}"));
        if let Some(apart) = &self.distance {
            session.say(format_args!("distance from the surface: at most {}", short(apart.hausdorff)));
        }
        if let Some(pairs @ 1..) = self.self_intersections {
            session.warn(format!("{} of the surface intersect", counted(pairs, "pair of faces")));
        }
        if self.lost_shells > 0 {
            session.warn(format!(
                "{} of {} parts of the surface left no tetrahedra: they are thinner than cells, which --size or --cells makes smaller",
                self.lost_shells, self.shells
            ));
        }
        let share = short(100.0 * self.largest_part);
        match self.parts {
            0 | 1 => {}
            parts if keep_largest => session.note(format!(
                "{} left out, {} % of the volume kept",
                counted(parts - 1, "part"),
                share
            )),
            parts => session.warn(format!(
                "the result has {parts} parts that do not hang together through faces, the largest with {share} % of the volume: --keep-largest keeps it alone"
            )),
        }
        let Surface { nonmanifold_edges, nonmanifold_vertices, .. } = self.surface;
        if nonmanifold_edges + nonmanifold_vertices > 0 {
            session.warn(format!(
                "parts of the result meet in single edges ({nonmanifold_edges}) or vertices ({nonmanifold_vertices}): smaller cells may help"
            ));
        }
    }
}
