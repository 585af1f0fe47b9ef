//! Vertex normals.
