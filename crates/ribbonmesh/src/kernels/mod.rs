//! Kernels that the static mesh's host side launches. Nothing outside of this crate can, since their launches
//! are sound only with what the host side has checked.

pub mod attribute;
pub mod construct;
pub mod query;
