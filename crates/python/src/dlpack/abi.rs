//! The structures of DLPack 1.0, as C has them.
use std::ffi::{CStr, c_void};

/// Name of a capsule, and the one that it gets when its content was taken.
pub const NAMES: [&CStr; 2] = [c"dltensor", c"used_dltensor"];
/// The same with a version.
pub const VERSIONED: [&CStr; 2] = [c"dltensor_versioned", c"used_dltensor_versioned"];

pub const CPU: i32 = 1;
pub const CUDA: i32 = 2;

pub const SIGNED: u8 = 0;
pub const UNSIGNED: u8 = 1;
pub const FLOAT: u8 = 2;
pub const BOOL: u8 = 6;

/// Flag: the memory is read-only.
pub const READ_ONLY: u64 = 1;

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub kind: i32,
    pub id: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub code: u8,
    pub bits: u8,
    pub lanes: u16,
}

#[repr(C)]
pub struct Tensor {
    pub data: *mut c_void,
    pub place: Place,
    pub dimensions: i32,
    pub of: Type,
    pub shape: *mut i64,
    /// In elements; null if rows follow each other.
    pub strides: *mut i64,
    pub offset: u64,
}

#[repr(C)]
pub struct Managed {
    pub tensor: Tensor,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
}

#[repr(C)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

#[repr(C)]
pub struct ManagedVersioned {
    pub version: Version,
    pub context: *mut c_void,
    pub deleter: Option<unsafe extern "C" fn(*mut Self)>,
    pub flags: u64,
    pub tensor: Tensor,
}
