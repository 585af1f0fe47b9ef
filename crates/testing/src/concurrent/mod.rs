//! Kernels of locks, queues and tables: blocks that contend for them.

pub mod locks;
pub mod queue;
pub mod tables;
