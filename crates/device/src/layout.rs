//! A hash of the memory layout of an argument, compared between host and PTX.
use crate::{Grid, In, MeshView, Out, Status, Values, ValuesMut};
use bytemuck::Pod;

/// The memory layout of a type: its size, its alignment, and for structs the offsets, names and types of
/// their fields.
///
/// The PTX of a kernel states the hash of its parameter, and loading it compares that with the host's: PTX
/// that is older than a struct would read other bytes than it should. `#[derive(Parameter)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a kernel: how it lies in memory is not known",
    note = "a struct needs `#[repr(C)]` and `#[derive(Clone, Copy, Parameter)]`"
)]
pub trait Layout: Sized {
    /// The number.
    const HASH: u64 = plain::<Self>();
}

/// The layout of a type of which only size and alignment are known.
pub const fn plain<T>() -> u64 {
    mix(mix(START, size_of::<T>() as u64), align_of::<T>() as u64)
}

/// Start value of hashes of structs.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Mixes a number into a hash: FNV-1a, eight bits at a time.
pub const fn mix(mut hash: u64, value: u64) -> u64 {
    let mut i = 0;
    while i < 64 {
        hash = (hash ^ (value >> i & 0xff)).wrapping_mul(0x0100_0000_01b3);
        i += 8;
    }
    hash
}

/// Mixes a field of a struct into its hash.
pub const fn field(mut hash: u64, name: &str, offset: usize, layout: u64) -> u64 {
    let name = name.as_bytes();
    let mut i = 0;
    while i < name.len() {
        hash = mix(hash, name[i] as u64);
        i += 1;
    }
    mix(mix(hash, offset as u64), layout)
}

#[diagnostic::do_not_recommend]
impl<T: Pod> Layout for T {}
impl Layout for Grid {}
impl Layout for Status<'_> {}
impl Layout for MeshView<'_> {
    const HASH: u64 = {
        let mut hash = plain::<Self>();
        macro_rules! fields { ($($name:ident)*) => { $(
            hash = field(hash, stringify!($name), core::mem::offset_of!(Self, $name), 0);
        )* } }
        fields!(rows general_rows ev fe ribbon_v ribbon_e ribbon_f patches vertices edges faces flags max);
        hash
    };
}
impl<T: Pod> Layout for In<'_, T> {
    const HASH: u64 = mix(plain::<Self>(), T::HASH);
}
impl<T: Pod> Layout for Out<'_, T> {
    const HASH: u64 = mix(plain::<Self>(), T::HASH);
}
impl<E: crate::Element, T: Pod> Layout for Values<'_, E, T> {
    const HASH: u64 = mix(plain::<Self>(), T::HASH);
}
impl<E: crate::Element, T: Pod> Layout for ValuesMut<'_, E, T> {
    const HASH: u64 = mix(plain::<Self>(), T::HASH);
}
