//! Duplicate faces.
use rayon::prelude::*;

/// Faces beyond the first with the same three vertices, in whatever order. `fv`: three ids per face. Takes
/// O(n log n).
pub(super) fn duplicate_faces(fv: &[u32]) -> usize {
    let sorted = |corners: &[u32]| {
        let mut key = [corners[0], corners[1], corners[2]];
        key.sort_unstable();
        key
    };
    let mut keys: Vec<[u32; 3]> = fv.par_chunks_exact(3).map(sorted).collect();
    keys.par_sort_unstable();
    keys.par_windows(2).filter(|two| two[0] == two[1]).count()
}
