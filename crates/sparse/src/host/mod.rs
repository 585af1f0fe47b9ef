//! Code that runs on the host.
pub(crate) mod balance;
pub(crate) mod cg;
pub(crate) mod class;
pub(crate) mod csr;
pub(crate) mod error;
pub(crate) mod guess;
pub(crate) mod layout;
pub(crate) mod market;
pub(crate) mod matrix;
pub(crate) mod numbers;
pub(crate) mod rows;
pub(crate) mod tune;
pub(crate) mod vector;
pub(crate) mod winners;

use crate::device::family::Launched;
use csr::Csr;
use matrix::SparseMatrix;
