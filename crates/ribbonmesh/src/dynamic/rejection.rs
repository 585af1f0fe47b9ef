//! Why a cavity is not filled.

/// Why a cavity is not filled: one of [`rejections`], or a reason of the operator.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rejection(u32);
impl Rejection {
    /// The greatest number of reasons, the library's and the operator's.
    pub const COUNT: u32 = 20;
    /// The reason with this number, below [`Rejection::COUNT`].
    pub const fn new(index: u32) -> Self {
        assert!(index < Self::COUNT, "there are 20 reasons");
        Self(index)
    }
    /// A reason of an operator: number `n` of the reasons that the library leaves to it, up to 8.
    pub const fn own(n: u32) -> Self {
        Self::new(rejections::OWN + n)
    }
    /// The one with this number, which is that of one.
    #[inline(always)]
    pub(crate) const fn of(index: u32) -> Self {
        Self(index)
    }
    /// Its number.
    #[inline(always)]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// The reasons of the library.
pub mod rejections {
    use super::Rejection;
    /// The deleted faces do not leave one simple loop.
    pub const NOT_ONE_LOOP: Rejection = Rejection::new(0);
    /// The deleted faces are not a disc.
    pub const NOT_A_DISC: Rejection = Rejection::new(1);
    /// A new edge would join two vertices that have an edge, or that both have more than 512 faces: their
    /// faces are not searched for an edge.
    pub const EDGE_EXISTS: Rejection = Rejection::new(2);
    /// A new edge or face has a vertex twice.
    pub const DEGENERATE: Rejection = Rejection::new(3);
    /// A vertex would have two fans of faces.
    pub const NON_MANIFOLD_VERTEX: Rejection = Rejection::new(4);
    /// A new face would lie on another one.
    pub const FACE_EXISTS: Rejection = Rejection::new(5);
    /// The filling is invalid: sides that do not meet, edges without faces. Or it breaks its operator's
    /// declaration: with `in_place` it makes more elements than it deletes; with `no_chords` it joins
    /// vertices of the loop, leaves a hole or claims a vertex; with a local priority it claims a vertex.
    pub const BROKEN_FILL: Rejection = Rejection::new(6);
    /// The ends of an edge to be collapsed have a neighbour in common that is not opposite of it.
    pub const LINK: Rejection = Rejection::new(7);
    /// The operator needs an edge, or a vertex, inside of the surface.
    pub const ON_BOUNDARY: Rejection = Rejection::new(8);
    /// Both ends lie on the boundary, but the edge does not: the surface would be pinched.
    pub const PINCHES: Rejection = Rejection::new(9);
    /// The component would vanish.
    pub const VANISHES: Rejection = Rejection::new(10);
    /// Number of reasons of the library; reasons of operators begin here.
    pub(super) const OWN: u32 = 11;
}
