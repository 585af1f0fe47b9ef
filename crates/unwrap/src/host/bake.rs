//! Textures of a mesh from the values of another one.
use super::unwrap::TEXTURE_COORDINATES;
use super::values::{Values, of_source};
use crate::device::bake::{
    BakeTexels, DIRECTIONS, NEARLY, SourceArguments, TANGENT_SPACE, TargetArguments, VALUES, WITHIN,
};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::mesh::{Class, Classified, Role, TriangleMesh};
use ribbonmesh::{Buffer, Device, Error};

/// Values of a texture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// The source's colours: red, green, blue, and opacity if it has one, 0 to 1.
    #[default]
    Colour,
    /// The source's unit normals.
    Normal,
    /// The same in the target's tangent space: along the first texture coordinate, along the second, and
    /// along the normal.
    TangentNormal,
    /// The source's column of this name, of vertices, faces or corners.
    Column(String),
}

impl Quantity {
    /// `color`, `normal` or `tangent-normal`; any other name is that of a column.
    pub fn of_name(name: &str) -> Self {
        match name {
            "color" | "colour" => Self::Colour,
            "normal" => Self::Normal,
            "tangent-normal" => Self::TangentNormal,
            name => Self::Column(name.to_owned()),
        }
    }
}

/// Options of [`bake`].
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// The values.
    pub quantity: Quantity,
    /// Side of the square texture in texels, 1 to 32,768.
    pub resolution: u32,
    /// Texels around charts that get values as well: those of the nearest point of a chart; 0 to 256.
    pub dilate: u32,
    /// The greatest distance of the source from the target; texels that are farther from it get nothing.
    pub distance: Option<f64>,
}
impl Default for BakeOptions {
    fn default() -> Self {
        Self { quantity: Quantity::default(), resolution: 1024, dilate: 4, distance: None }
    }
}

/// A texture.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Texels in a row, and rows.
    pub side: u32,
    /// Numbers of a texel.
    pub width: u32,
    /// The numbers, by rows: the first row is at the second texture coordinate 0. 0 where there is nothing.
    pub values: Vec<f32>,
    /// 2 for texels whose centre is in a chart, 1 for those near one, 0 for those that got nothing.
    pub covered: Vec<u32>,
    /// Whether colours are linear, not sRGB.
    pub linear: bool,
}
impl Texture {
    /// The number of texels whose centre is in a chart, and of those that got values.
    pub fn counts(&self) -> [usize; 2] {
        let of = |least: u32| self.covered.iter().filter(|state| **state >= least).count();
        [of(WITHIN), of(1)]
    }
}

/// Why a texture was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// The target has no texture coordinates.
    #[error("the target has no texture coordinates: `ribbonmesh unwrap` gives it some")]
    Coordinates,
    /// A corner of the target has none.
    #[error(
        "corner {corner} of face {face} of the target has no texture coordinates, or one that is not finite"
    )]
    Corner {
        /// The face.
        face: usize,
        /// The corner, 0 to 2.
        corner: usize,
    },
    /// The source has no colours.
    #[error("the source has no colours of vertices, faces or corners")]
    Colours,
    /// The source has no column of this name.
    #[error("the source has no column {name:?} of vertices, faces or corners; it has {columns}")]
    Column {
        /// The name.
        name: String,
        /// The columns that there are.
        columns: String,
    },
    /// Too many numbers.
    #[error("a texel would have {width} numbers: there may be 16")]
    Width {
        /// The numbers of a row.
        width: usize,
    },
}
impl Classified for BakeError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Corner { face, .. } => Class::mesh().face(*face),
            _ => Class::mesh(),
        }
    }
}

/// Makes a texture for a mesh with texture coordinates: each texel gets the values of the point of `source`
/// that is nearest to the point of `target` there. One kernel, a thread for each texel: it searches the tree
/// of the target's triangles on the texture, then that of the source.
///
/// ```
/// use ribbonmesh::{Device, mesh::shapes};
/// use ribbonmesh_unwrap::{BakeOptions, Quantity, UnwrapOptions, bake, unwrap};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::auto();
/// let (fine, mut coarse) = (shapes::icosphere(4)?, shapes::icosphere(2)?);
/// unwrap(&device, &mut coarse, &UnwrapOptions::default())?;
/// let options = BakeOptions { quantity: Quantity::Normal, resolution: 64, ..BakeOptions::default() };
/// let texture = bake(&device, &fine, &coarse, &options)?;
/// assert_eq!(texture.values.len(), 3 * 64 * 64);
/// # Ok(())
/// # }
/// ```
/// # Errors
/// [`BakeError`]; [`Error::NoFaces`], [`Error::NotFinite`], [`Error::IndexOutOfRange`] for one of the meshes;
/// [`Error::Option`]; out of memory; errors of the driver.
pub fn bake(
    device: &Device,
    source: &TriangleMesh,
    target: &TriangleMesh,
    options: &BakeOptions,
) -> Result<Texture, BakeError> {
    check(options)?;
    for (mesh, what) in [(source, "the source"), (target, "the target")] {
        if mesh.faces.is_empty() {
            return Err(Error::NoFaces { what }.into());
        }
        checked(mesh)?;
    }
    let values = of_source(source, &options.quantity)?;
    let origin = middle(target);
    let flat = flat(target, options.resolution)?;
    let atlas = tree(device, &flat)?;
    let (corners, source_corners) = (corners(target, origin), corners(source, origin));
    let source_tree = tree(device, &source_corners)?;
    let normals = match options.quantity {
        Quantity::TangentNormal => of_source(target, &Quantity::Normal)?.numbers,
        _ => vec![],
    };
    let normals: Vec<Vec3> = normals.chunks_exact(3).map(Vec3::from_slice).collect();
    let of_target = [device.upload(&flat)?, device.upload(&corners)?, device.upload(&normals)?];
    let of_source = (source_tree, device.upload(&source_corners)?);
    run(device, (&atlas, of_target), of_source, values, options)
}
/// The launch.
fn run(
    device: &Device,
    (atlas, [flat, corners, normals]): (&Bvh, [Buffer<Vec3>; 3]),
    (tree, source_corners): (Bvh, Buffer<Vec3>),
    values: Values,
    options: &BakeOptions,
) -> Result<Texture, BakeError> {
    let (side, width) = (options.resolution, values.width as u32);
    let texels = side * side;
    let numbers = device.upload(&values.numbers)?;
    let mut to = device.unspecified::<f32>(texels as usize * values.width)?;
    let mut covered = device.unspecified::<u32>(texels as usize)?;
    let kernel = BakeTexels {
        side,
        width,
        kind: match options.quantity {
            Quantity::Normal => DIRECTIONS,
            Quantity::TangentNormal => TANGENT_SPACE,
            _ => VALUES,
        },
        reach: options.dilate as f32 + NEARLY,
        distance: options.distance.map_or(f32::INFINITY, |distance| distance as f32),
        target: TargetArguments {
            atlas: atlas.view(),
            flat: flat.view(),
            corners: corners.view(),
            normals: normals.view(),
        },
        source: SourceArguments { tree: tree.view(), corners: source_corners.view(), values: numbers.view() },
        to: to.view_mut(),
        covered: covered.view_mut(),
    };
    device.launch_each(texels, kernel)?;
    Ok(Texture { side, width, values: to.read()?, covered: covered.read()?, linear: values.linear })
}

fn check(options: &BakeOptions) -> Result<(), Error> {
    let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
    if !(1..=super::options::MOST).contains(&options.resolution) {
        return refuse("resolution", options.resolution.to_string(), "a whole number from 1 to 32,768");
    }
    if options.dilate > 256 {
        return refuse("dilate", options.dilate.to_string(), "a whole number from 0 to 256");
    }
    match options.distance {
        Some(distance) if distance.is_nan() || distance < 0.0 => {
            refuse("max_distance", distance.to_string(), "a number from 0 on")
        }
        _ => Ok(()),
    }
}
fn checked(mesh: &TriangleMesh) -> Result<(), Error> {
    let vertices = mesh.positions.len();
    for (face, corners) in mesh.faces.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|v| **v as usize >= vertices) {
            return Err(Error::IndexOutOfRange { face, vertex: *vertex, vertices });
        }
    }
    match mesh.faces.as_flattened().iter().find(|v| !mesh.positions[**v as usize].is_finite()) {
        Some(vertex) => Err(Error::NotFinite { vertex: *vertex as usize }),
        None => Ok(()),
    }
}
/// The middle of the box of a mesh.
fn middle(mesh: &TriangleMesh) -> DVec3 {
    let used = || mesh.faces.as_flattened().iter().map(|&v| mesh.positions[v as usize]);
    let low = used().fold(DVec3::INFINITY, DVec3::min);
    0.5 * low + 0.5 * used().fold(DVec3::NEG_INFINITY, DVec3::max)
}
/// The corners of all faces relative to a point.
fn corners(mesh: &TriangleMesh, origin: DVec3) -> Vec<Vec3> {
    let place = |v: &u32| (mesh.positions[*v as usize] - origin).as_vec3();
    mesh.faces.as_flattened().iter().map(place).collect()
}
fn tree(device: &Device, corners: &[Vec3]) -> Result<Bvh, Error> {
    let numbers: Vec<u32> = (0..corners.len() as u32).collect();
    Bvh::from_buffers(&device.upload(corners)?, &device.upload(&numbers)?)
}
/// The corners of all faces on the texture, in texels.
fn flat(mesh: &TriangleMesh, side: u32) -> Result<Vec<Vec3>, BakeError> {
    let of_corners = mesh.corners().with_role(Role::TextureCoordinate(0));
    let of_corners = of_corners.or_else(|| mesh.corners().column(TEXTURE_COORDINATES));
    let of_vertices = mesh.vertices().with_role(Role::TextureCoordinate(0));
    let column = of_corners.or(of_vertices).ok_or(BakeError::Coordinates)?;
    let row = |corner: usize| match of_corners {
        Some(_) => corner,
        None => mesh.faces[corner / 3][corner % 3] as usize,
    };
    let at = |corner: usize| {
        let number = |k| column.scalars().as_f64(column.width() * row(corner) + k).unwrap_or(f64::NAN);
        let place = Vec3::new(number(0) as f32, number(1) as f32, 0.0) * side as f32;
        let missing = BakeError::Corner { face: corner / 3, corner: corner % 3 };
        if place.is_finite() { Ok(place) } else { Err(missing) }
    };
    (0..3 * mesh.faces.len()).map(at).collect()
}
