//! Shared memory: too little of it, and more than 48 KB. Values of all sizes in global memory.
use ribbonmesh::device::{Block, In, Out, Parameter, Quad, Vec3, kernel};

/// Asks for `more` words than the launch gives it, in the block `which`; the others write.
#[kernel(threads = 64, shared = arena.take::<u32>(64))]
pub fn overflow<'a>(block: &Block, which: u32, more: u32, out: Out<'a, u32>) {
    let n = if block.index() == which { 64 + more } else { 64 };
    let s = block.shared::<u32>(n);
    block.for_each(64, |i| s.set(i, i + block.index()));
    block.for_each_nosync(64, |i| out.set(64 * block.index() + i, s.get(63 - i)));
}

/// Reverses `n` words through shared memory.
#[kernel(threads = 512, shared = arena.take::<u32>(n))]
pub fn reverse<'a>(block: &Block, n: u32, values: In<'a, u32>, out: Out<'a, u32>) {
    let s = block.shared::<u32>(n);
    block.for_each(n, |i| s.set(i, values.get(i)));
    block.for_each_nosync(n, |i| out.set(i, s.get(n - 1 - i)));
}

/// Two arrays, the second twice as long.
#[repr(C)]
#[derive(Parameter)]
pub struct Copied<'a, T> {
    /// Read.
    pub from: In<'a, T>,
    /// Written.
    pub to: Out<'a, T>,
}
impl<T> Clone for Copied<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Copied<'_, T> {}

/// Copies values of 2, 4, 8, 12 and 16 bytes; what is copied is read again and written to the second half.
#[kernel(threads = 128)]
pub fn copy_all<'a>(
    block: &Block,
    n: u32,
    halves: Copied<'a, u16>,
    words: Copied<'a, f32>,
    doubles: Copied<'a, u64>,
    vectors: Copied<'a, Vec3>,
    quads: Copied<'a, Quad>,
) {
    macro_rules! both { ($($a:ident)*) => { $(
        block.for_each_nosync(n, |i| $a.to.set(i, $a.from.get(i)));
        block.for_each_nosync(n, |i| $a.to.set(n + i, $a.to.get(i)));
    )* } }
    both!(halves words doubles vectors quads);
}
