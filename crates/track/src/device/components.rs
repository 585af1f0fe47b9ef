//! Components of a surface: their volumes, and their motion along normals.
use super::rank::{VERTICES, star};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{
    Block, Each, FaceId, In, NONE, Out, Pod, Values, ValuesMut, Vertex, VertexId, kernel,
};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Words of the sums of a component: its volume, its area, its faces.
pub const WORDS: u32 = 3;

/// Sums over faces of one component, in units that make them integers, so that their order does not matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The volume of the cone to the origin, signed, modulo 2⁶⁴.
    pub volume: u64,
    /// The area.
    pub area: u64,
    /// Number of faces.
    pub faces: u64,
}
// SAFETY: 24 bytes of plain integers, no padding.
unsafe impl ribbonmesh::device::bytemuck::Zeroable for Part {}
// SAFETY: as above.
unsafe impl Pod for Part {}
impl Part {
    const NONE: Self = Self { volume: 0, area: 0, faces: 0 };
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            volume: self.volume.wrapping_add(other.volume),
            area: self.area.wrapping_add(other.area),
            faces: self.faces.wrapping_add(other.faces),
        }
    }
    #[inline(always)]
    fn add_to(self, sums: Out<'_, u64>, label: u32) {
        if self.faces == 0 || WORDS * label + 2 >= sums.len() as u32 {
            return;
        }
        let add = |word: u32, value: u64| {
            atomic::fetch_add(sums, WORDS * label + word, value, Order::Relaxed, Scope::Device);
        };
        add(0, self.volume);
        add(1, self.area);
        add(2, self.faces);
    }
}

/// Sets 1 for each of `n` faces that is not deleted, else 0.
#[kernel(threads = 256)]
pub fn flag_living<'a>(f: Each, mesh: DynamicView<'a>, living: Out<'a, u32>) {
    living.set(f, mesh.living_corners(FaceId::new(f)).is_some() as u32);
}

/// Lists the vertices of each face of a list.
#[kernel(threads = 256)]
pub fn list_corners<'a>(block: &Block, mesh: DynamicView<'a>, list: In<'a, u32>, corners: Out<'a, [u32; 3]>) {
    block.for_each_of_tile(list.len() as u32, |i| {
        if let Some(ids) = mesh.living_corners(FaceId::new(list.get(i))) {
            corners.set(i, ids.map(VertexId::index));
        }
    });
}

/// Adds the volumes, areas and numbers of `n` faces to those of their components: [`WORDS`] for each label.
/// `units`: units of volume and of area that are 1. About 60 bytes for each face.
#[kernel(threads = 256)]
pub fn add_components<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    labels: Values<'a, Vertex, u32>,
    n: u32,
    units: [f64; 2],
    sums: Out<'a, u64>,
) {
    block.for_each_tile(n, |base, len| {
        let label = |i: u32| {
            mesh.living_corners(FaceId::new(base + i)).map_or(NONE, |corners| labels.get(corners[0]))
        };
        let part = |i: u32| {
            let Some(corners) = mesh.living_corners(FaceId::new(base + i)) else { return Part::NONE };
            let [a, b, c] = corners.map(|v| x.get(v).as_dvec3());
            let n = (b - a).cross(c - a);
            let volume = a.dot(n) / 6.0 * units[0];
            let area = 0.5 * libm::sqrt(n.dot(n)) * units[1];
            Part { volume: libm::rint(volume) as i64 as u64, area: libm::rint(area) as u64, faces: 1 }
        };
        let least = block.reduce(len, NONE, label, |a, b| if a < b { a } else { b });
        let or_zero = |i: u32| if label(i) == NONE { 0 } else { label(i) };
        let most = block.reduce(len, 0, or_zero, |a, b| if a > b { a } else { b });
        if least >= most {
            let sum = block.reduce(len, Part::NONE, part, |a, b| a.and(b));
            block.single_nosync(|| sum.add_to(sums, least));
        } else {
            block.for_each(len, |i| part(i).add_to(sums, label(i)));
        }
    });
}

/// Moves each of `n` vertices along its normal by the distance that `by` has for its label. Needs half-edges
/// of vertices. One block per [`VERTICES`].
#[kernel(threads = 128)]
pub fn inflate<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    labels: Values<'a, Vertex, u32>,
    n: u32,
    by: In<'a, f32>,
    y: ValuesMut<'a, Vertex, Vec3>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let mut p = x.get(v);
        if let Some(h) = mesh.half_edge_at(v) {
            let normals = star(mesh, x, h).normals;
            let length = sqrt(normals.length_squared());
            let label = labels.get(v);
            if length > 0.0 && label < by.len() as u32 {
                p += normals * (by.get(label) / length);
            }
        }
        y.set(v, p);
    });
}
