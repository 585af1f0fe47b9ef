//! Errors of full queues and tables.

/// A queue has no room left. Nothing was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

/// A table has no room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableFull;
