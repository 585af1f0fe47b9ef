//! Limits of what is accepted.

/// Limits of an expression. Without loops in the language, they bound the work for each element (6.3.4).
/// Reading recurses, so that greater ones for depth and nodes need more stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of the text.
    pub bytes: usize,
    /// Depth to which parentheses, functions and signs are nested.
    pub depth: usize,
    /// Numbers, names, operators and functions together.
    pub nodes: usize,
    /// Calls of functions.
    pub functions: usize,
    /// Operations on numbers after simplification; a function of tensors has many.
    pub operations: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1024, depth: 64, nodes: 256, functions: 64, operations: 2048 }
    }
}
