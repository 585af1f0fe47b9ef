//! Curvatures of patches, host side.
use crate::curvature::{CurvatureBarycentric, CurvatureMixed};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Error, Result, StaticMesh, Vertex};
use ribbonmesh_fields::curvature::Area;
use ribbonmesh_fields::curvature::at_vertex::ResultsArguments;

/// Curvatures of all vertices, on the mesh's device. All values are 0 at vertices without faces. No value is
/// NaN; values beyond the range of `f32` are clamped to its largest number.
pub struct Curvatures {
    /// Angle defect in radians: 2π minus the sum of the angles at the vertex, on the boundary π minus this
    /// sum. It is the integral of the Gaussian curvature around the vertex, or of the geodesic curvature of
    /// the boundary. For any vertex it is 2π − π (edges − faces) − angles, so that all defects add up to 2π
    /// times the Euler characteristic.
    pub defect: Attribute<Vertex, f32>,
    /// The area of the vertex. All areas add up to the surface's area.
    pub area: Attribute<Vertex, f32>,
    /// Gaussian curvature: defect divided by area, in 1/length²; 0 on the boundary.
    pub gaussian: Attribute<Vertex, f32>,
    /// Mean curvature in 1/length, positive if the surface is convex towards its normals; 0 on the boundary.
    pub mean: Attribute<Vertex, f32>,
    /// Geodesic curvature of the boundary: defect divided by half the length of the vertex's boundary edges,
    /// in 1/length, positive if the surface is convex; 0 elsewhere.
    pub geodesic: Attribute<Vertex, f32>,
}
impl Curvatures {
    /// Curvatures that are all 0.
    /// # Errors
    /// Out of memory.
    pub fn zeros(mesh: &StaticMesh) -> Result<Self> {
        let one = || Attribute::zeros(mesh);
        Ok(Self { defect: one()?, area: one()?, gaussian: one()?, mean: one()?, geodesic: one()? })
    }
}

/// Curvatures of all vertices. One launch, linear in the mesh (quadratic in the faces of a vertex on the
/// boundary, or of more than 32).
/// # Errors
/// [`Error::OtherDevice`] or [`Error::OtherMesh`] if `positions` are not of this mesh; out of memory; errors
/// of the driver.
pub fn curvatures_of(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    area: Area,
) -> Result<Curvatures> {
    let mut found = Curvatures::zeros(mesh)?;
    curvatures_into(mesh, positions, area, &mut found)?;
    Ok(found)
}

/// As [`curvatures_of`], into existing attributes.
/// # Errors
/// As [`curvatures_of`].
pub fn curvatures_into(
    mesh: &StaticMesh,
    positions: &Attribute<Vertex, Vec3>,
    area: Area,
    found: &mut Curvatures,
) -> Result<()> {
    let Curvatures { defect, area: areas, gaussian, mean, geodesic } = found;
    let what = "the attribute of positions";
    if !positions.device().same(mesh.device()) {
        return Err(Error::OtherDevice { what });
    }
    if !positions.belongs_to(mesh) {
        return Err(Error::OtherMesh { what });
    }
    let all = [defect, areas, gaussian, mean, geodesic];
    if all.iter().any(|a| !a.belongs_to(mesh)) {
        return Err(Error::OtherMesh { what: "the attribute for a curvature" });
    }
    if mesh.patches() == 0 {
        return all.into_iter().try_for_each(|a| a.fill(0.0));
    }
    let [defect, areas, gaussian, mean, geodesic] = all;
    let results = ResultsArguments {
        defect: defect.view_mut(),
        area: areas.view_mut(),
        gaussian: gaussian.view_mut(),
        mean: mean.view_mut(),
        geodesic: geodesic.view_mut(),
    };
    let (device, patches, mesh, x) = (mesh.device(), mesh.patches() as u32, mesh.view(), positions.view());
    match area {
        Area::Barycentric => device.launch(patches, CurvatureBarycentric { mesh, x, results }),
        Area::Mixed => device.launch(patches, CurvatureMixed { mesh, x, results }),
    }
}

/// Minimal number of bytes that a launch must read and write, the lower bound for its time.
///
/// The patches' rows, EV of the edges (4 bytes) and FE of the faces (6 bytes) around owned vertices,
/// positions (12 bytes) of all vertices that occur and ids of those in ribbons, and five numbers per vertex.
pub fn curvature_floor_bytes(mesh: &StaticMesh) -> u64 {
    let t = mesh.totals();
    let (near, owned) = (t.v_near as u64, t.v_owned as u64);
    let topology = 4 * t.e_near as u64 + 6 * t.f_of_v as u64 + 80 * mesh.patches() as u64;
    topology + 12 * near + 4 * (near - owned) + 20 * mesh.vertices() as u64
}
