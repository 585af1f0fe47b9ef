//! Locks, queue and tables: on the host by many threads, on both machines by kernels.
mod kernels;
mod table;
mod threads;
