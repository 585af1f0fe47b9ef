//! Code that is also compiled for the GPU.
pub mod arap;
pub mod assemble;
pub mod derivatives;
pub mod dirichlet;
pub mod energy;
pub mod inertia;
pub mod kernels;
pub mod neo_hooke;
pub mod project;
pub mod rest;
pub mod roots;
pub mod rows;
pub mod scalar;
pub mod shape;
pub mod springs;
pub mod unroll;
