//! A tagged mesh in host memory.
use super::surface::Surface;
use glam::UVec2;
use ribbonmesh::device::NONE;

/// A mesh and its tags, by ids.
#[derive(Clone, Debug)]
pub struct State {
    /// Vertices of each face; `NONE` for deleted ones.
    pub faces: Vec<[u32; 3]>,
    /// Ends of each edge; `NONE` for deleted ones.
    pub edges: Vec<[u32; 2]>,
    /// Whether each vertex lives.
    pub vertices: Vec<bool>,
    /// Tags of vertices, edges and faces.
    pub tags: [Vec<UVec2>; 3],
    /// The number of the last operation for each seed that it executed.
    pub executed: Vec<u32>,
    /// The faces as a surface.
    pub surface: Surface,
}
impl State {
    /// Checks that edges and living vertices belong to the faces, and that these are a surface.
    /// # Errors
    /// A description of the first mistake.
    pub fn check(&self) -> Result<(), String> {
        self.surface.check()?;
        let expected = self.surface.edges();
        let mut found = 0;
        for (e, &[a, b]) in self.edges.iter().enumerate().filter(|(_, ends)| ends[0] != NONE) {
            if !expected.contains_key(&super::surface::edge((a, b))) {
                return Err(format!("edge {e} between {a} and {b} has no face"));
            }
            found += 1;
        }
        if found != expected.len() {
            return Err(format!("{found} edges, and faces with {} of them", expected.len()));
        }
        match self.surface.around.keys().find(|v| !self.vertices[**v as usize]) {
            Some(v) => Err(format!("vertex {v} is deleted and has faces")),
            None => Ok(()),
        }
    }
    /// The numbers of ids of vertices, edges and faces.
    pub fn ids(&self) -> [u32; 3] {
        [self.vertices.len() as u32, self.edges.len() as u32, self.faces.len() as u32]
    }
}
