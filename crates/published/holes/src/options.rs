//! Options and errors.
use ribbonmesh::Error;

/// Options of [`fill`](crate::fill).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoleOptions {
    /// Vertices of two holes are near each other up to this distance; g_max of the paper.
    pub pair_distance: f32,
    /// Two holes may be joined if they have at least this number of pairs of near vertices for each vertex of
    /// the longer one; β of the paper.
    pub pair_share: f32,
    /// Candidates for the third vertex of a triangle are nearer than this to its first one; h_max of the
    /// paper.
    pub near_distance: f32,
    /// Most candidates near a vertex; `max_check_near` of the paper.
    pub candidates: u32,
    /// Holes of at most this number of vertices get algorithm 3, which considers all candidates; longer ones
    /// get algorithm 4.
    pub exact: u32,
}
impl HoleOptions {
    /// The paper's options for liquids of particles, of which `longest` is the greatest length of an edge,
    /// l_max; and algorithm 3 for holes of up to 128 vertices.
    pub fn of_edges(longest: f32) -> Self {
        let reach = 3.0 * longest;
        Self { pair_distance: reach, pair_share: 0.25, near_distance: reach, candidates: 30, exact: 128 }
    }
    pub(crate) fn check(&self) -> Result<(), Error> {
        let positive = "a number above 0";
        for (option, value) in [
            ("pair_distance", self.pair_distance),
            ("pair_share", self.pair_share),
            ("near_distance", self.near_distance),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::Option { option, value: value.to_string(), expected: positive });
            }
        }
        if !(1..=1024).contains(&self.candidates) {
            let value = self.candidates.to_string();
            return Err(Error::Option { option: "candidates", value, expected: "1 to 1024" });
        }
        Ok(())
    }
}

/// An error of [`fill`](crate::fill).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HolesError {
    /// An edge has more than two faces, or two that run along it in the same direction.
    #[error("face {face}, edge {}: more than two faces, or two in the same direction, at the edge of vertices {} and {}",
        .edge, .vertices[0], .vertices[1])]
    NotManifold {
        /// The first face with such an edge.
        face: usize,
        /// Which of its edges: 0 is that from its first vertex to its second one.
        edge: usize,
        /// The vertices.
        vertices: [u32; 2],
    },
    /// A face has a vertex twice.
    #[error("face {face} has vertex {vertex} twice")]
    Degenerate {
        /// The first such face.
        face: usize,
        /// The vertex.
        vertex: u32,
    },
    /// An error of the device or of an argument.
    #[error(transparent)]
    Device(#[from] Error),
}
