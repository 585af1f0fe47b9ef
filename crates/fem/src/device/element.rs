//! The trait of elements, which computes the blocks of their matrices.
use super::real::Entry;
use super::space::Shape;
use glam::Vec3;
use ribbonmesh::device::{In, Out, Pod};

/// A kind of element: how the matrix of a cell is computed. Write your own, and have its kernels made by
/// [`element_kernels!`](crate::element_kernels).
///
/// The matrix of an element consists of a block for each pair of its nodes. What all blocks of a cell need is
/// computed once per cell, [`Element::data`], and kept in memory; a block is computed from it where it is
/// summed. So the data of an element should be small: volume and gradients in the elements of this crate, 40
/// bytes in single precision whatever the order. Where blocks are costly, the data may be the whole matrix.
pub trait Element: Copy {
    /// The cells and their nodes.
    type Shape: Shape;
    /// A block of the matrix.
    type Entry: Entry;
    /// Data that the blocks of one cell have in common.
    type Data: Pod;
    /// The data of a cell, whose corners in the order of VTK are at `corner(0)`, `corner(1)`, …
    fn data(&self, cell: u32, corner: impl Fn(u32) -> Vec3) -> Self::Data;
    /// The block in the rows of node `i` and the columns of node `j` of the cell. The matrix must be
    /// symmetric: the block of (j, i) is the transpose of that of (i, j).
    fn block(&self, data: &Self::Data, i: u32, j: u32) -> Self::Entry;
}

/// Loads a value of whole words by as few instructions as its size allows.
#[inline(always)]
pub fn load<D: Pod>(from: In<'_, D>, i: u32) -> D {
    let mut value = D::zeroed();
    if size_of::<D>().is_multiple_of(8) && align_of::<D>() == 8 {
        let (n, words) = ((size_of::<D>() / 8) as u32, from.wide::<u64>());
        copy(bytemuck::bytes_of_mut(&mut value), n, |k| words.get(n * i + k).to_ne_bytes());
    } else if size_of::<D>().is_multiple_of(4) && align_of::<D>() == 4 {
        let (n, words) = ((size_of::<D>() / 4) as u32, from.wide::<u32>());
        copy(bytemuck::bytes_of_mut(&mut value), n, |k| words.get(n * i + k).to_ne_bytes());
    } else {
        value = from.get(i);
    }
    value
}
#[inline(always)]
fn copy<const N: usize>(to: &mut [u8], n: u32, word: impl Fn(u32) -> [u8; N]) {
    let mut k = 0;
    while k < n {
        let at = N * k as usize;
        to[at..at + N].copy_from_slice(&word(k));
        k += 1;
    }
}
/// Stores a value of whole words.
#[inline(always)]
pub fn store<D: Pod>(to: Out<'_, D>, i: u32, value: D) {
    let bytes = bytemuck::bytes_of(&value);
    let mut k = 0;
    if size_of::<D>().is_multiple_of(8) && align_of::<D>() == 8 {
        let (n, words) = ((size_of::<D>() / 8) as u32, to.wide::<u64>());
        while k < n {
            words.set(n * i + k, bytemuck::pod_read_unaligned(&bytes[8 * k as usize..8 * k as usize + 8]));
            k += 1;
        }
    } else if size_of::<D>().is_multiple_of(4) && align_of::<D>() == 4 {
        let (n, words) = ((size_of::<D>() / 4) as u32, to.wide::<u32>());
        while k < n {
            words.set(n * i + k, bytemuck::pod_read_unaligned(&bytes[4 * k as usize..4 * k as usize + 4]));
            k += 1;
        }
    } else {
        to.set(i, value);
    }
}
