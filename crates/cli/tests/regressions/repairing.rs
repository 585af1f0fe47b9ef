//! Holes, cracks, contacts and cleaning.
