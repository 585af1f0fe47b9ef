//! The kernels of the attacks.
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::query::{Around, Diamond, Ee, Ef, EfRows, Fans};
use ribbonmesh::device::{Block, In, MeshView, Out, Parameter, Quad, Values, Vertex, kernel};

/// Two views.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Pair<'a> {
    pub first: In<'a, u32>,
    pub second: In<'a, u32>,
}

#[kernel(threads = 32, requires(x.get(0) > 0))]
pub fn requires_element<'a>(_block: &Block, x: In<'a, u32>) {
    _ = x;
}
#[kernel(threads = 32, requires(to.get(0) == 0))]
pub fn requires_out<'a>(_block: &Block, to: Out<'a, u32>) {
    _ = to;
}
#[kernel(threads = 32, requires(atomic::fetch_add(to, 0, 1, Order::Relaxed, Scope::Device) == 0))]
pub fn requires_atomic<'a>(_block: &Block, to: Out<'a, u32>) {
    _ = to;
}
#[kernel(threads = 32, requires(values.memory().get(0) == 0))]
pub fn requires_value<'a>(_block: &Block, values: Values<'a, Vertex, u32>) {
    _ = values;
}
#[kernel(threads = 32, shared = arena.take::<u32>(x.get(0)))]
pub fn carves_element<'a>(_block: &Block, x: In<'a, u32>) {
    _ = x;
}
#[kernel(threads = 32, shared = arena.take::<u32>(x.wide::<u64>().get(1) as u32))]
pub fn carves_wide<'a>(_block: &Block, x: In<'a, u32>) {
    _ = x;
}
#[kernel(threads = 32, shared = arena.take::<u32>(pair.second.get(3)))]
pub fn carves_struct<'a>(_block: &Block, pair: Pair<'a>) {
    _ = pair;
}
#[kernel(threads = 32, shared = arena.take::<u32>(mesh.patch(0).counts.v_owned))]
pub fn carves_patch<'a>(_block: &Block, mesh: MeshView<'a>) {
    _ = mesh;
}
#[kernel(threads = 32, shared = arena.take::<u32>(n).get(0))]
pub fn carves_shared_memory(_block: &Block, n: u32) {
    _ = n;
}
#[kernel(
    threads = 32,
    shared = arena.take::<u32>(pair.first.len() as u32),
    requires(x.len() >= 4, x.wide::<u64>().len() == 2, to.len() == pair.second.len(), x.try_get(0).is_none()),
)]
pub fn lengths<'a>(block: &Block, x: In<'a, u32>, pair: Pair<'a>, to: Out<'a, u32>) {
    let copy = block.shared::<u32>(pair.first.len() as u32);
    block.for_each(copy.len(), |i| copy.set(i, x.get(i)));
    block.for_each_nosync(copy.len(), |i| to.set(i, copy.get(i)));
}

#[kernel(threads = 32)]
pub fn first<'a>(block: &Block, x: In<'a, u32>, to: Out<'a, u32>) {
    block.single_nosync(|| to.set(0, x.get(0)));
}
#[kernel(threads = 32)]
pub fn first_shared<'a>(block: &Block, to: Out<'a, u32>) {
    let nothing = block.shared::<u32>(0);
    block.single_nosync(|| to.set(0, nothing.get(0)));
}
#[kernel(threads = 32)]
pub fn wide_from<'a>(block: &Block, x: In<'a, u32>, from: u32, to: Out<'a, u32>) {
    let quads = x.at(from).wide::<Quad>();
    block.single_nosync(|| to.set(0, quads.get(0).0[0]));
}

#[kernel(threads = 32)]
pub fn ask_patch<'a>(block: &Block, mesh: MeshView<'a>, to: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    block.single_nosync(|| to.set(0, p.counts.v_owned));
}
macro_rules! asking { ($($kernel:ident: |$block:ident, $p:ident, $arena:ident, $counts:ident| $layout:expr, |$memory:ident| $ask:expr;)*) => { $(
    #[kernel(threads = 32, shared = { let ($arena, $counts) = (arena, &mesh.max); $layout })]
    pub fn $kernel<'a>($block: &Block, mesh: MeshView<'a>, to: Out<'a, u32>) {
        let $p = mesh.patch($block.index());
        let ($arena, $counts) = ($block.arena(), &$p.counts);
        let $memory = $layout;
        _ = $ask;
        $block.single_nosync(|| to.set(0, 1));
    }
)* } }
asking! {
    ask_ef: |block, p, arena, counts| Ef::layout(arena, counts.e_owned), |memory| Ef::of_owned(block, &p, memory, 0, ());
    ask_ef_of_faces: |block, p, arena, counts| Ef::layout(arena, counts.e_of_f), |memory| Ef::of_owned_faces(block, &p, memory, ());
    ask_ee: |block, p, arena, counts| Ee::layout(arena, counts), |memory| Ee::by_slots(block, &p, memory, ());
    ask_diamond: |block, p, arena, counts| Diamond::layout(arena, counts), |memory| Diamond::by_slots(block, &p, memory, ());
    ask_fans: |block, p, arena, counts| Fans::layout(arena, counts, Around::Faces),
        |memory| Fans::walk(block, &p, memory, Around::Faces, 0, |_, _| ());
    ask_ef_rows: |block, p, arena, counts| EfRows::layout_of_faces(arena, counts),
        |memory| EfRows::transpose(block, &p, memory, p.counts.e_of_f);
}

#[kernel(threads = 32)]
pub fn keep<'a>(block: &Block, n: u32, to: Out<'a, u32>) {
    let kept = block.per_thread::<u32, 1>(n, |i| i + 1);
    kept.map(|_, v| v + 1).for_each(|i, v| to.set(i, v));
}
