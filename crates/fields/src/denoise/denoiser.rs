//! Denoising: the host's part.
use crate::denoise::bilateral::{Bilateral, Counts};
use crate::denoise::flat::{Flat, scale};
use crate::denoise::{DenoiseOptions, Method};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Buffer, Error, FlatTopology, Op, Result, StaticMesh, Vertex};
use ribbonmesh_solid::intersections::{SearchAgain, Triangles, hold_back};

type Vectors = Attribute<Vertex, Vec3>;

/// Report of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DenoiseReport {
    /// The method.
    pub method: Method,
    /// Number of iterations.
    pub iterations: u32,
    /// Standard deviation of the noise in mean edge lengths, as estimated; `None` if no parameter depends on
    /// it.
    pub noise: Option<f64>,
    /// Whether the surface is one of voxels, whose noise is the rounding to a grid.
    pub stairs: bool,
    /// Mean length of the faces' sides; `None` if `noise` is.
    pub mean_edge: Option<f64>,
    /// Method `Normals`: σs, for differences of unit normals.
    pub similarity: Option<f64>,
    /// Methods `Normals` and `Taubin`: greatest distance that a vertex could move; `None` without a bound.
    pub farthest: Option<f64>,
    /// Method `Normals`: number of steps in which vertices followed the filtered normals.
    pub moves: u32,
    /// Vertices that went a part of their way only, or stayed; with `no_self_intersections`.
    pub held: u64,
    /// Method `Bilateral`: number of stored rings per vertex.
    pub stored_rings: u32,
    /// Method `Bilateral`: for each iteration, the number of vertices whose ball extends beyond the stored
    /// rings.
    pub walked: Vec<u32>,
    /// Method `Bilateral`: over all iterations, the number of balls that were cut because they had too many
    /// vertices.
    pub cut: u32,
    /// Bytes of stored neighbours on the device.
    pub stored_bytes: u64,
}

/// Denoises positions on one mesh. Reuses stored neighbours and memory in repeated runs.
pub struct Denoiser<'m> {
    mesh: &'m StaticMesh,
    options: DenoiseOptions,
    bilateral: Option<Bilateral<'m>>,
    /// Data of the other methods, and of the estimate of noise.
    flat: Option<Flat>,
}

impl<'m> Denoiser<'m> {
    /// Computes and stores the neighbours that the method needs: with `Bilateral` rings of every vertex, else
    /// the faces around every face. Linear in the mesh, except for vertices with very many neighbours.
    /// # Errors
    /// [`Error::Option`] names the option that is out of range; [`Error::TooMany`] for more than 2³² stored
    /// entries; out of memory; errors of the driver.
    pub fn new(mesh: &'m StaticMesh, options: &DenoiseOptions) -> Result<Self> {
        options.check()?;
        let bilateral = options.method == Method::Bilateral;
        let flat =
            if !bilateral || options.iterations.is_none() { Some(Flat::new(mesh, options)?) } else { None };
        let bilateral = if bilateral { Some(Bilateral::new(mesh, options)?) } else { None };
        Ok(Self { mesh, options: *options, bilateral, flat })
    }

    /// Writes the denoised positions to `to`. Waits for the estimate of the noise, if a parameter depends on
    /// it; iterations do not wait. With `Bilateral`, an iteration takes three launches, and one more for
    /// normals for which `f32` is not precise enough; with the other methods one or two. With
    /// `no_self_intersections`, the whole way ends by [`hold_back`].
    /// # Errors
    /// [`Error::OtherDevice`] or [`Error::OtherMesh`] when an attribute is not of this mesh;
    /// [`Error::NotFinite`] names a vertex where noise cannot be estimated; out of memory; errors of the
    /// driver.
    pub fn denoise(&mut self, positions: &Vectors, to: &mut Vectors) -> Result<DenoiseReport> {
        for (attribute, what) in
            [(positions, "the attribute of positions"), (&*to, "the attribute for the positions")]
        {
            if !attribute.device().same(self.mesh.device()) {
                return Err(Error::OtherDevice { what });
            }
            if !attribute.belongs_to(self.mesh) {
                return Err(Error::OtherMesh { what });
            }
        }
        let mut report = self.report();
        if report.iterations == 0 && self.options.iterations.is_some() || self.mesh.faces() == 0 {
            to.copy_from(positions)?;
            return Ok(report);
        }
        let begun = match &self.flat {
            Some(flat) => {
                let size = power_of_two(self.mesh, positions)?;
                let (x, choice) = flat.begin(&self.options, positions.buffer(), size, &mut report)?;
                Some((flat, x, choice, size))
            }
            None => None,
        };
        match (begun, &mut self.bilateral) {
            _ if report.iterations == 0 => to.copy_from(positions)?,
            (_, Some(bilateral)) => {
                let Counts { walked, cut } = bilateral.denoise(report.iterations, positions, to)?;
                (report.walked, report.cut) = (walked, cut);
            }
            (Some((flat, x, choice, size)), None) => {
                let done = flat.run(self.options.method, x, &choice, size, &mut report)?;
                scale(&done, size, to.view_mut())?;
            }
            (None, None) => {}
        }
        if self.options.no_self_intersections && report.iterations > 0 {
            let faces = self.mesh.query(Op::FV)?;
            let from = Triangles { positions: positions.buffer(), faces: faces.values() };
            let mut moved = to.buffer().try_clone()?;
            report.held = hold_back(&mut SearchAgain::default(), from, &mut moved)?.vertices;
            if report.held > 0 {
                to.copy_by_id(&moved)?;
            }
        }
        Ok(report)
    }
    /// The part of the report that is known before a run.
    fn report(&self) -> DenoiseReport {
        let bytes = self.bilateral.as_ref().map_or(0, Bilateral::stored_bytes);
        let report = DenoiseReport {
            stored_bytes: bytes + self.flat.as_ref().map_or(0, Flat::bytes),
            ..DenoiseReport::of(&self.options)
        };
        match &self.bilateral {
            Some(bilateral) => DenoiseReport {
                stored_rings: bilateral.stored_rings(),
                walked: vec![0; report.iterations as usize],
                ..report
            },
            None => report,
        }
    }
}
impl DenoiseReport {
    /// The part of the report that the options determine.
    fn of(options: &DenoiseOptions) -> Self {
        Self { method: options.method, iterations: options.iterations.unwrap_or(0), ..Self::default() }
    }
}

/// Denoises the positions of triangles without patches, with the methods `Normals` and `Taubin`; `size` is a
/// power of two of the size of the box around them. Returns `None` if nothing changes.
pub fn denoise_triangles(
    topology: &FlatTopology,
    positions: &Buffer<Vec3>,
    size: f32,
    options: &DenoiseOptions,
) -> Result<(Option<Buffer<Vec3>>, DenoiseReport)> {
    let flat = Flat::of_triangles(topology, options)?;
    let mut report = DenoiseReport { stored_bytes: flat.bytes(), ..DenoiseReport::of(options) };
    let (x, choice) = flat.begin(options, positions, size, &mut report)?;
    if report.iterations == 0 {
        return Ok((None, report));
    }
    let mut done = flat.run(options.method, x, &choice, size, &mut report)?;
    let x = done.try_clone()?;
    scale(&x, size, done.view_mut())?;
    if options.no_self_intersections {
        let from = Triangles { positions, faces: topology.face_vertices() };
        report.held = hold_back(&mut SearchAgain::default(), from, &mut done)?.vertices;
    }
    Ok((Some(done), report))
}

/// A power of two of the size of the box around all vertices: positions divided by it, which is exact, have
/// squares that neither overflow nor underflow.
fn power_of_two(mesh: &StaticMesh, positions: &Vectors) -> Result<f32> {
    let (around, wrong) = positions.bounds()?;
    if let Some(id) = wrong {
        let vertex = mesh.vertex_inputs().read_range(id as usize, 1)?[0] as usize;
        return Err(Error::NotFinite { vertex });
    }
    let diagonal = around.map_or(0.0, |bounds| bounds.diagonal());
    let power = if diagonal > 0.0 { diagonal.log2().floor().clamp(-126.0, 126.0) } else { 0.0 };
    Ok(power.exp2() as f32)
}
