//! Matrices as conjugate gradients see them.
use super::blocks::Blocks;
use super::error::{MultigridError, Result};
use ribbonmesh::Buffer;
use ribbonmesh_linear::{Operator, Run};

/// A matrix that multiplies several vectors at once, whose numbers for a row are next to each other: an
/// [`Operator`] for conjugate gradients.
#[derive(Debug)]
pub struct Lanes<'a, R> {
    /// The matrix.
    pub matrix: &'a Blocks<R>,
    /// The number of vectors.
    pub lanes: u32,
}

macro_rules! operators { ($($real:ident)*) => { $(
    impl Operator for Lanes<'_, $real> {
        type Vector = Buffer<$real>;
        type Error = MultigridError;
        fn direct(
            &mut self,
            z: &Buffer<$real>,
            p: &mut Buffer<$real>,
            q: &mut Buffer<$real>,
            run: &mut Run,
        ) -> Result<()> {
            run.turn(z, p)?;
            self.matrix.multiply(self.lanes, p, q)?;
            Ok(run.step(p, q)?)
        }
    }
)* } }
operators!(f32 f64);
