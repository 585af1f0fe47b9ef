//! The host's side.
mod choice;
mod filled;
mod malice;
mod oracle;
mod sequence;
mod shapes;
mod state;
mod subject;
mod surface;

pub use choice::{Choice, Filling, Naming};
pub use malice::Malice;
pub use oracle::{check_compaction, check_pass};
pub use sequence::{Manner, Sequence, Tally};
pub use shapes::{adversaries, manifolds};
pub use state::State;
pub use subject::Subject;
pub use surface::Surface;
