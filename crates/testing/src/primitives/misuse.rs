//! Kernels that do what a kernel must not, for the suite of misuse; on the CPU only.
use ribbonmesh::device::{Block, In, MeshView, Out, Vec3, kernel};

/// Reads element `i` of `from`.
#[kernel(threads = 32)]
pub fn read_at<'a>(block: &Block, i: u32, from: In<'a, u32>, to: Out<'a, u32>) {
    block.single_nosync(|| to.set(0, from.get(i)));
}

/// Writes element `i` of `to`.
#[kernel(threads = 32)]
pub fn write_at<'a>(block: &Block, i: u32, to: Out<'a, u32>) {
    block.single_nosync(|| to.set(i, 1));
}

/// Reads element `i` of four elements of shared memory.
#[kernel(threads = 32, shared = arena.take::<u32>(4))]
pub fn read_shared_at<'a>(block: &Block, i: u32, to: Out<'a, u32>) {
    let s = block.shared::<u32>(4);
    block.for_each(4, |k| s.set(k, k));
    block.single_nosync(|| to.set(0, s.get(i)));
}

/// Calls what belongs into uniform code from inside of a loop: barriers and collectives, by number.
#[kernel(threads = 32, shared = arena.take::<u32>(32))]
pub fn nest<'a>(block: &Block, which: u32, to: Out<'a, u32>) {
    let s = block.shared::<u32>(32);
    block.for_each(32, |i| {
        match which {
            0 => block.sync(),
            1 => block.for_each(1, |_| {}),
            2 => block.for_each_nosync(1, |_| {}),
            3 => block.single_nosync(|| {}),
            4 => _ = block.single(|| 1u32),
            5 => _ = block.reduce(4, 0, |k| k, |a, b| a + b),
            6 => _ = block.exclusive_scan(s, 4),
            7 => block.sort(s, 4),
            8 => _ = block.any(4, |k| k == 3),
            9 => block.append(4, to, to, 0, Some),
            _ => block.per_thread::<u32, 1>(4, |k| k).for_each(|_, _| {}),
        }
        s.set(i, i);
    });
}
/// Number of ways in which [`nest`] nests.
pub const NESTED: u32 = 11;

/// Copies positions of a mesh's vertices, which `scale` has a value for, too.
#[kernel(threads = 128, requires(
    scale.len() >= mesh.vertices as usize,
    factor > 0.0,
    to.len() == x.len() && !scale.is_empty(),
))]
pub fn scale_positions<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    x: In<'a, Vec3>,
    scale: In<'a, f32>,
    factor: f32,
    to: Out<'a, Vec3>,
) {
    let p = mesh.patch(block.index());
    block.for_each_nosync(p.v.owned, |v| {
        let id = p.v.first + v;
        to.set(id, x.get(id) * scale.get(id) * factor);
    });
}
