//! A copy of a tree's memory, for tests that search it as kernels do.
use crate::Result;
use crate::bvh::{Bvh, BvhView};
use crate::device::{In, Quad};

/// The copy.
pub struct Copied {
    nodes: Vec<Quad>,
    triangles: Vec<Quad>,
    /// The triangle of each face.
    pub places: Vec<u32>,
    root: u32,
    scale: f32,
    unscale: f32,
}
impl Copied {
    /// A copy of a tree.
    pub fn new(bvh: &Bvh) -> Result<Self> {
        let ((nodes, triangles, places), view) = (bvh.read()?, bvh.view());
        Ok(Self { nodes, triangles, places, root: view.root, scale: view.scale, unscale: view.unscale })
    }
    /// The tree as kernels see it.
    pub fn view(&self) -> BvhView<'_> {
        let Self { nodes, triangles, places, root, scale, unscale } = self;
        // SAFETY: vectors that are borrowed as long as the result lives
        unsafe {
            BvhView {
                nodes: In::new(nodes.as_ptr(), nodes.len()),
                triangles: In::new(triangles.as_ptr(), triangles.len()),
                places: In::new(places.as_ptr(), places.len()),
                root: *root,
                scale: *scale,
                unscale: *unscale,
            }
        }
    }
}
