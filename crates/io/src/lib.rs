//! Indexed triangles to and from files: OBJ, PLY, OFF, STL, GLB.
