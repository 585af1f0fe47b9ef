//! Texture charts and seams.
