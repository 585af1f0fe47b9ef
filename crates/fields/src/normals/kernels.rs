//! Kernels of normals.
use crate::normals::corner::{Angle, Area, Max, Weighting};
use crate::normals::row;
use glam::Vec3;
use ribbonmesh::corners::{Corners, FlatCorners, Points, after, before};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, In, Out, Shared, StatusCode, kernel};

/// The word of what kernels find out that counts vertices without a normal.
pub const WITHOUT: u32 = 1;

/// Positions of vertices of which some may not exist: the host finds such a face only after the launch, and
/// drops what was computed. It is computed from the last vertex then.
#[derive(Clone, Copy)]
struct Within<'a>(In<'a, Vec3>);
impl Points for Within<'_> {
    #[inline(always)]
    fn at(&self, vertex: u32) -> Vec3 {
        let last = self.0.len() as u32 - 1;
        self.0.get(if vertex < last { vertex } else { last })
    }
}

/// Vertices of a block of the kernels that take linked corners.
pub const VERTICES: u32 = 128;
/// Most corners of a vertex that these kernels take.
const ROW: u32 = 32;
/// The word of what kernels find out that tells that a vertex has more than [`ROW`] corners.
pub const LONG: u32 = 0;

/// Links the corners of each vertex, in any order: 1 more than one of them is in `last`, and 1 more than
/// another one in `before` of each; 0 ends. Records a vertex that is not below their number. Blocks: tiles.
#[kernel(threads = 256)]
pub fn link_corners<'a>(block: &Block, faces: In<'a, u32>, last: Out<'a, u32>, before: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |c| {
        let v = faces.get(c);
        if v >= last.len() as u32 {
            return block.status().record(StatusCode::Index, block.index(), c, v);
        }
        before.set(c, atomic::exchange(last, v, c + 1, Relaxed, Device));
    });
}

/// The corners of a vertex in shared memory, where vertices alternate.
#[derive(Clone, Copy)]
struct Row<'a, 'b> {
    faces: In<'a, u32>,
    row: Shared<'b, u32>,
    vertex: u32,
    count: u32,
}
impl<'a, 'b> Row<'a, 'b> {
    /// The corners, which are linked from `last` on, from the last one to the first; `None` if there are more
    /// than [`ROW`].
    #[inline(always)]
    fn new(
        faces: In<'a, u32>,
        before: In<'_, u32>,
        row: Shared<'b, u32>,
        vertex: u32,
        last: u32,
    ) -> Option<Self> {
        let place = |k: u32| k * VERTICES + vertex;
        let (mut count, mut link) = (0, last);
        while link > 0 {
            if count == ROW {
                return None;
            }
            let (corner, mut k) = (link - 1, count);
            while k > 0 && row.get(place(k - 1)) < corner {
                row.set(place(k), row.get(place(k - 1)));
                k -= 1;
            }
            row.set(place(k), corner);
            (count, link) = (count + 1, before.get(corner));
        }
        Some(Self { faces, row, vertex, count })
    }
}
impl Corners for Row<'_, '_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.count
    }
    #[inline(always)]
    fn corner(&self, k: u32) -> (u32, u32) {
        let c = self.row.get((self.count - 1 - k) * VERTICES + self.vertex);
        (self.faces.get(after(c)), self.faces.get(before(c)))
    }
}

/// Computes the normals of [`VERTICES`] vertices whose corners are linked; tells if one has too many.
#[inline(always)]
fn linked<W: Weighting>(
    block: &Block,
    faces: In<'_, u32>,
    last: In<'_, u32>,
    links: In<'_, u32>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
    found: Out<'_, u32>,
) {
    let (row, base, n) = (rows(block.arena()), VERTICES * block.index(), normals.len() as u32);
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = base + i;
        match Row::new(faces, links, row, i, last.get(v)) {
            Some(around) => set_normal::<W>(around, x, v, normals, found),
            None => atomic::store(found, LONG, 1, Relaxed, Device),
        }
    });
}
/// Memory of [`Row`]s.
#[inline(always)]
fn rows(arena: &Arena) -> Shared<'_, u32> {
    arena.take(ROW * VERTICES)
}

/// Computes the normal of a vertex; in `f64` where `f32` is not precise enough. Counts zeros.
#[inline(always)]
fn set_normal<W: Weighting>(
    around: impl Corners,
    x: In<'_, Vec3>,
    v: u32,
    normals: Out<'_, Vec3>,
    found: Out<'_, u32>,
) {
    let x = Within(x);
    let normal = match row::normal::<W>(around, x, v) {
        Some(n) => n,
        None => row::careful_normal::<W>(around, x, v),
    };
    normals.set(v, normal);
    if normal == Vec3::ZERO {
        atomic::fetch_add(found, WITHOUT, 1, Relaxed, Device);
    }
}

macro_rules! kernels { ($($w:ident $flat:ident $linked:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". Counts zeros. Blocks: tiles.")]
    #[kernel(threads = 128)]
    pub fn $flat<'a>(
        block: &Block,
        corners: FlatCorners<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        found: Out<'a, u32>,
    ) {
        let n = normals.len() as u32;
        block.for_each_of_tile(n, |v| set_normal::<$w>(corners.of(v), x, v, normals, found));
    }
    #[doc = concat!("The same of corners that [`link_corners`] has linked, weighted ", $doc, ". One block for")]
    #[doc = "[`VERTICES`]. Tells if a vertex has too many corners, whose normal is not written then."]
    #[kernel(threads = 128, shared = rows(arena))]
    pub fn $linked<'a>(
        block: &Block,
        faces: In<'a, u32>,
        last: In<'a, u32>,
        links: In<'a, u32>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        found: Out<'a, u32>,
    ) {
        linked::<$w>(block, faces, last, links, x, normals, found)
    }
)* } }
kernels! {
    Area normals_by_area_flat normals_by_area_linked "by area";
    Angle normals_by_angle_flat normals_by_angle_linked "by angle";
    Max normals_by_max_flat normals_by_max_linked "as by Max";
}
