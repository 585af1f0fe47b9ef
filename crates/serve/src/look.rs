//! Triangles on a device as clients' cameras see them.

use ribbonmesh::Error;
use ribbonmesh::glam::{DMat4, DVec3, DVec4};
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_rixels::{Depth, Options, Painter, Picture, RixelError, Scene, Shown, Values, View as Camera};
use ribbonmesh_stream::{DepthBits, Encoded, Extent, Found, Lacking, Places, Triangles, View};

/// A mesh that is farther from the origin than so many of its diagonals is drawn relative to its middle.
const FAR: f64 = 100.0;

/// The point relative to which positions are drawn: the origin, or the middle of what is far from it.
pub(crate) fn origin_of(bounds: &BoundingBox) -> DVec3 {
    let is_far = bounds.middle().length() > FAR * bounds.diagonal();
    if is_far { bounds.middle() } else { DVec3::ZERO }
}

/// An error as clients get it.
pub(crate) fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The camera of a view, for positions relative to an origin.
pub(crate) fn camera(view: &View, origin: DVec3) -> Result<Camera, RixelError> {
    let from_world = DMat4::from_cols_array(&view.view) * DMat4::from_translation(origin);
    let [width, height] = view.size;
    Camera::new(width, height, from_world, DMat4::from_cols_array(&view.projection))
}

/// The camera that sees one pixel of another's picture.
fn camera_of(view: &View, origin: DVec3, [x, y]: [u32; 2]) -> Result<Camera, RixelError> {
    let [w, h] = view.size.map(f64::from);
    let [x, y] = [(x, w), (y, h)].map(|(i, n)| (2.0 * f64::from(i) + 1.0) / n - 1.0);
    let crop = DMat4::from_cols(
        DVec4::new(w, 0.0, 0.0, 0.0),
        DVec4::new(0.0, h, 0.0, 0.0),
        DVec4::Z,
        DVec4::new(-w * x, -h * y, 0.0, 1.0),
    );
    let camera = camera(view, origin)?;
    // clip space has w where the translation needs it
    Camera::new(1, 1, camera.view(), crop * camera.projection())
}

/// The visible points.
pub(crate) fn encode(
    painter: &mut Painter,
    scene: &impl Shown,
    view: &View,
    origin: DVec3,
) -> Result<Encoded, RixelError> {
    let depth = match view.depth {
        DepthBits::Bits16 => Depth::Linear16,
        DepthBits::Bits32 => Depth::Linear32,
    };
    let rixels = painter.encode(scene, &camera(view, origin)?, &Options { depth })?;
    let header = *rixels.header();
    Ok(Encoded {
        count: header.count,
        minimum: header.minimum,
        maximum: header.maximum,
        linear: !header.depth.is_window(),
        sparse: header.sparse,
        parts: rixels.parts().map(|part| part.len() as u32),
        body: rixels.bytes().to_vec(),
        ..Encoded::empty(view)
    })
}

/// The triangles with their values, without the parts that a client has.
pub(crate) fn triangles(scene: &Scene<'_>, lacking: Lacking, origin: DVec3) -> Result<Triangles, RixelError> {
    let (values, of_faces) = match scene.values {
        Values::OfFaces(values) => (values.read()?, true),
        Values::OfVertices(values) => (values.read()?, false),
        Values::Plain => (vec![0.0; scene.positions.len()], false),
    };
    let faces = lacking.faces.then(|| scene.faces.read()).transpose()?;
    if let Some(faces) = &faces {
        check_vertices(faces, scene.positions.len())?;
    }
    let places = lacking.places.then(|| scene.positions.read()).transpose()?;
    let places = places.map(|places| {
        let places: Vec<[f32; 3]> = places.iter().map(|p| p.to_array()).collect();
        Places::of(&places, origin.to_array())
    });
    Ok(Triangles { faces, places, ..Triangles::with_values(&values, of_faces) })
}

/// Refuses faces that name vertices that do not exist, as the painter does.
fn check_vertices(faces: &[u32], vertices: usize) -> Result<(), Error> {
    let wrong = faces.iter().position(|&vertex| vertex as usize >= vertices);
    wrong.map_or(Ok(()), |at| Err(Error::IndexOutOfRange { face: at / 3, vertex: faces[at], vertices }))
}

/// The numbers of a scene, whose triangles and places have these numbers.
pub(crate) fn extent(scene: &Scene<'_>, [topology, placement]: [u64; 2]) -> Extent {
    let (vertices, faces) = (scene.positions.len() as u64, scene.faces.len() as u64 / 3);
    Extent { vertices, faces, topology, placement }
}

/// The exact value at a pixel, whose face is given as the element.
pub(crate) fn probe(
    painter: &mut Painter,
    scene: &impl Shown,
    view: &View,
    origin: DVec3,
    pixel: [u32; 2],
) -> Result<Option<Found>, RixelError> {
    let camera = camera_of(view, origin, pixel)?;
    let picture = painter.paint(scene, &camera)?;
    let (face, distance) = (picture.faces[0], f64::from(picture.distances[0]));
    if face == Picture::NOTHING {
        return Ok(None);
    }
    let [z, w] = [camera.projection().row(2), camera.projection().row(3)];
    let depth = (z.w - z.z * distance) / (w.w - w.z * distance);
    let place = (camera.projection() * camera.view()).inverse() * DVec4::new(0.0, 0.0, depth, 1.0);
    let position = (place.truncate() / place.w + origin).to_array();
    Ok(Some(Found { value: picture.values[0], element: ("face", u64::from(face)), position }))
}
