//! Queries: which elements are next to which.
