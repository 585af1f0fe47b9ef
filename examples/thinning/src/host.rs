//! Functions for programs.
use crate::operator::{Thin, ThinArguments};
use ribbonmesh::device::Vec3;
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, Limits, Operation, PassReport};
use ribbonmesh::{Attribute, Device, Face, MeshOptions, Result, StaticMesh, Vertex};

/// The result of thinning a surface.
#[derive(Clone, Debug)]
pub struct Thinned {
    /// Positions of the vertices, in the order in which the machine had them.
    pub positions: Vec<Vec3>,
    /// Three indices of `positions` each.
    pub faces: Vec<[u32; 3]>,
    /// The amount of each face.
    pub amounts: Vec<f32>,
    /// Counts of the pass, with the reasons for which other vertices stay.
    pub report: PassReport,
}

/// The operator with its attributes.
#[derive(AttributeSet)]
struct Thinning {
    x: DynamicAttribute<Vertex, Vec3>,
    amount: DynamicAttribute<Face, f32>,
    least_cosine: f32,
}
impl Operation for Thinning {
    type Operator<'a> = Thin<'a>;
    fn operator(&mut self) -> ThinArguments<'_> {
        ThinArguments { x: self.x.view(), amount: self.amount.view_mut(), least_cosine: self.least_cosine }
    }
}

/// Removes vertices around which no face is turned by more than `degrees` from their mean, until no vertex is
/// left that may be removed. `amounts` has the amount of each face. Its sum stays the same, and positions do
/// not change.
/// # Errors
/// [`ribbonmesh::Error::NotManifold`], as [`DynamicMesh::new`]; [`ribbonmesh::Error::Length`] unless there is
/// an amount for each face; as [`StaticMesh::new`] and [`DynamicMesh::run`].
pub fn thin(
    device: &Device,
    positions: &[Vec3],
    faces: &[[u32; 3]],
    amounts: &[f32],
    degrees: f32,
) -> Result<Thinned> {
    let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
    let x = Attribute::<Vertex, Vec3>::from_input(&mesh, positions)?;
    let amount = Attribute::<Face, f32>::from_input(&mesh, amounts)?;

    let mut mesh = DynamicMesh::new(&mesh, 0.0)?;
    let mut thinning = Thinning {
        x: DynamicAttribute::from_static(&mesh, &x)?,
        amount: DynamicAttribute::from_static(&mesh, &amount)?,
        least_cosine: degrees.to_radians().cos(),
    };
    let report = mesh.run(&mut thinning, Limits::default())?;

    // ids without gaps, for what leaves the machine
    mesh.compact()?.apply_to(&mut thinning)?;
    Ok(Thinned {
        positions: thinning.x.read(&mesh)?,
        faces: mesh.read_faces()?,
        amounts: thinning.amount.read(&mesh)?,
        report,
    })
}
