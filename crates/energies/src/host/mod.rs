//! The host's side.
pub mod carry;
pub mod derive;
pub mod elements;
pub mod error;
pub mod inertial;
pub mod kernels;
pub mod newton;
pub mod objective;
pub mod quasi_newton;
pub mod report;
pub mod rest;
pub mod search;
pub mod solver;
