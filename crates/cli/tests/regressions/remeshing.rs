//! Remeshing and vertices of many faces.
