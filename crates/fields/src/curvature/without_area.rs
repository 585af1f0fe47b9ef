//! Faces without area.
use ribbonmesh::{Result, Surface};

/// Number of faces that are named.
const NAMED: usize = 8;

/// The faces without area: two positions are equal, or all three are on a line in double precision. Faces
/// that have a vertex twice are included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacesWithoutArea {
    /// Number of these faces.
    pub count: u64,
    /// The first eight by number in the input.
    pub first: Vec<u32>,
    /// Number of those that have a vertex twice. They do not count in the Euler characteristic.
    pub degenerate: u64,
}

impl FacesWithoutArea {
    /// Finds those of a surface. Reads 12 bytes per vertex and 12 per face; waits.
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn of(surface: &Surface) -> Result<Self> {
        let triangles = surface.triangles();
        let (x, corners) = (triangles.positions().read()?, triangles.faces().read()?);
        let faces = corners.as_chunks::<3>().0;
        let is_whole = |&[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
        let has_area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|v| x[v as usize].as_dvec3());
            (b - a).cross(c - a).length() > 0.0
        };
        let ids = (0..).zip(faces).filter(|(_, face)| !(is_whole(face) && has_area(face)));
        let ids: Vec<usize> = ids.map(|(id, _)| id).collect();
        let mut first = vec![];
        if !ids.is_empty() {
            let inputs = triangles.face_places()?.read()?;
            first.extend(ids.iter().map(|&id| inputs[id]));
            first.sort_unstable();
            first.truncate(NAMED);
        }
        let degenerate = ids.iter().filter(|&&id| !is_whole(&faces[id])).count() as u64;
        Ok(Self { count: ids.len() as u64, first, degenerate })
    }
}
