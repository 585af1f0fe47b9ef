//! The answers of an operator of the store: its cavities, and what fills them.
use super::attempt::Attempt;

/// A change of the store's mesh by cavities (thesis 5.1): at a seed that the patch owns, so that the patch
/// has all faces of the cavity.
///
/// A cavity is a disc of faces, with the edges and vertices inside. The elements of its loop and the faces
/// across become the patch's own before it is filled. All functions read the working copy; positions are read
/// once while cavities are looked for, and once more under locks.
pub trait StoreOperator: Copy {
    /// The kind of its seeds: 0 for vertices, 1 for edges.
    const SEED: usize;
    /// Most elements of each kind that a filling makes beyond those that it deletes.
    const GROWS: [u32; 3] = [0; 3];
    /// Whether no two cavities that are filled at once have a common vertex.
    const APART: bool = false;
    /// Whether no more cavities are filled than the budget has.
    const COUNTED: bool = false;
    /// Whether a cavity also keeps others from the faces across its loop.
    const WIDE: bool = false;

    /// The rank of the cavity at a seed, in 16 bits, the least first; none if nothing is to be done here.
    fn rank(a: &Attempt<'_, '_>, seed: u32) -> Option<u32>;
    /// Visits the faces of the cavity.
    fn faces(a: &Attempt<'_, '_>, seed: u32, f: impl FnMut(u32));
    /// Whether an edge of these faces is inside.
    fn inside(a: &Attempt<'_, '_>, seed: u32, edge: u32) -> bool;
    /// Whether the cavity may be filled, as far as faces outside of it are concerned.
    #[inline(always)]
    fn allowed(_: &Attempt<'_, '_>, _: u32) -> bool {
        true
    }
    /// Visits the vertices of edges that the filling makes where the mesh may have one already.
    fn makes(a: &Attempt<'_, '_>, seed: u32, f: impl FnMut(u32, u32));
    /// Fills the cavity in the copy, and writes values; `fresh(kind, i)` are local indices of what it
    /// makes. What it makes and deletes beyond each other, of vertices, edges and faces.
    fn fill(a: &Attempt<'_, '_>, seed: u32, fresh: impl Fn(usize, u32) -> u32) -> [i32; 3];
}
