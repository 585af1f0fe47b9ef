//! Kinds of elements that files have.

/// Shape of an element, by its corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Neither a cell nor a face.
    Other(&'static str),
    Triangle,
    Quad,
    Pixel,
    Polygon,
    Tetrahedron,
    Pyramid,
    Wedge,
    Hexahedron,
    Voxel,
    /// Its list of faces.
    Polyhedron,
}

impl Shape {
    /// Number of corners, where it is fixed.
    pub fn corners(self) -> Option<usize> {
        match self {
            Self::Triangle => Some(3),
            Self::Quad | Self::Pixel | Self::Tetrahedron => Some(4),
            Self::Pyramid => Some(5),
            Self::Wedge => Some(6),
            Self::Hexahedron | Self::Voxel => Some(8),
            Self::Other(_) | Self::Polygon | Self::Polyhedron => None,
        }
    }

    /// The shape of one of VTK's numbers, and whether it is of higher order; `None` for a number that is
    /// unknown, or has no such shape.
    pub fn of_vtk(number: u64) -> Option<(Self, bool)> {
        let linear = |shape| Some((shape, false));
        let higher = |shape| Some((shape, true));
        match number {
            0 => linear(Self::Other("empty cells")),
            1 | 2 => linear(Self::Other("points")),
            3 | 4 => linear(Self::Other("lines")),
            5 => linear(Self::Triangle),
            6 => linear(Self::Other("triangle strips")),
            7 => linear(Self::Polygon),
            8 => linear(Self::Pixel),
            9 => linear(Self::Quad),
            10 => linear(Self::Tetrahedron),
            11 => linear(Self::Voxel),
            12 => linear(Self::Hexahedron),
            13 => linear(Self::Wedge),
            14 => linear(Self::Pyramid),
            21 | 35 | 68 | 75 => linear(Self::Other("lines")),
            22 | 34 | 69 | 76 => higher(Self::Triangle),
            23 | 28 | 30 | 70 | 77 => higher(Self::Quad),
            24 | 71 | 78 => higher(Self::Tetrahedron),
            25 | 29 | 33 | 72 | 79 => higher(Self::Hexahedron),
            26 | 31 | 32 | 73 | 80 => higher(Self::Wedge),
            27 | 37 | 74 | 81 => higher(Self::Pyramid),
            42 => linear(Self::Polyhedron),
            _ => None,
        }
    }

    /// The shape of one of Gmsh's numbers, and its number of nodes; `None` for an unknown number.
    pub fn of_gmsh(number: i64) -> Option<(Self, usize)> {
        let (points, lines) = (Self::Other("points"), Self::Other("lines"));
        Some(match number {
            15 => (points, 1),
            1 => (lines, 2),
            8 => (lines, 3),
            26 => (lines, 4),
            27 => (lines, 5),
            28 => (lines, 6),
            2 => (Self::Triangle, 3),
            9 => (Self::Triangle, 6),
            20 => (Self::Triangle, 9),
            21 => (Self::Triangle, 10),
            22 => (Self::Triangle, 12),
            23 => (Self::Triangle, 15),
            24 => (Self::Triangle, 15),
            25 => (Self::Triangle, 21),
            3 => (Self::Quad, 4),
            10 => (Self::Quad, 9),
            16 => (Self::Quad, 8),
            36 => (Self::Quad, 16),
            37 => (Self::Quad, 25),
            4 => (Self::Tetrahedron, 4),
            11 => (Self::Tetrahedron, 10),
            29 => (Self::Tetrahedron, 20),
            30 => (Self::Tetrahedron, 35),
            31 => (Self::Tetrahedron, 56),
            5 => (Self::Hexahedron, 8),
            12 => (Self::Hexahedron, 27),
            17 => (Self::Hexahedron, 20),
            92 => (Self::Hexahedron, 64),
            93 => (Self::Hexahedron, 125),
            6 => (Self::Wedge, 6),
            13 => (Self::Wedge, 18),
            18 => (Self::Wedge, 15),
            90 => (Self::Wedge, 40),
            91 => (Self::Wedge, 75),
            7 => (Self::Pyramid, 5),
            14 => (Self::Pyramid, 14),
            19 => (Self::Pyramid, 13),
            _ => return None,
        })
    }
}

/// The vertices of a wedge in the order of Gmsh and MEDIT, whose first triangle runs the other way round,
/// from corners in VTK's order, or the other way.
pub(crate) fn turn_wedge(w: &[u32; 6]) -> [u32; 6] {
    [w[0], w[2], w[1], w[3], w[5], w[4]]
}
