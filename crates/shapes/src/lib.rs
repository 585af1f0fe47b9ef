//! Generated triangle meshes: spheres, tori, grids, knots, Möbius strips.
