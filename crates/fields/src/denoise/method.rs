//! Methods by name.
use ribbonmesh_application::Choice;

/// Method by which vertices are moved.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Offsets of neighbours along the normal, weighted (Fleishman, Drori and Cohen-Or 2003; thesis 4.5.3).
    Bilateral,
    /// The normals of faces are filtered (Zheng, Fu, Au and Tai 2011), then vertices follow them (Sun, Rosin,
    /// Martin and Langbein 2007).
    #[default]
    Normals,
    /// λ|μ smoothing, which keeps no edges (Taubin 1995).
    Taubin,
}
