//! The rows of a Laplacian, and the matrix of a step of heat flow.
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// The rows of a Laplacian.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rows<'a> {
    /// The first entry of each row, and the end.
    pub starts: In<'a, u32>,
    /// Columns.
    pub columns: In<'a, u32>,
    /// Entries.
    pub values: In<'a, f64>,
}
impl Rows<'_> {
    /// Calls `f` with the other vertices of a row to which heat flows, and the weights of their edges. A
    /// weight below the tolerance of flips counts as 0: heat never flows against its slope.
    #[inline(always)]
    pub fn for_each(&self, row: u32, mut f: impl FnMut(u32, f64)) {
        let (mut k, end) = (self.starts.get(row), self.starts.get(row + 1));
        while k < end {
            let (column, weight) = (self.columns.get(k), -self.values.get(k));
            if column != row && weight > 0.0 {
                f(column, weight);
            }
            k += 1;
        }
    }
}

/// 1 / √ of the diagonal of M + t L; 0 for a vertex without triangles.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && rows.columns.len() == rows.values.len(),
    mass.len() >= count as usize && scales.len() >= count as usize,
))]
pub fn heat_scales<'a>(v: Each, time: f64, rows: Rows<'a>, mass: In<'a, f64>, scales: Out<'a, f64>) {
    let mut sum = 0.0;
    rows.for_each(v, |_, weight| sum += weight);
    let diagonal = mass.get(v) + time * sum;
    scales.set(v, if diagonal > 0.0 { 1.0 / libm::sqrt(diagonal) } else { 0.0 });
}

/// The matrix with the values of some vertices held at 0.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && rows.columns.len() == rows.values.len(),
    held.len() >= count as usize && to.len() == rows.values.len(),
))]
pub fn hold_rows<'a>(v: Each, rows: Rows<'a>, held: In<'a, u32>, to: Out<'a, f64>) {
    let (mut k, end, own) = (rows.starts.get(v), rows.starts.get(v + 1), held.get(v) != 0);
    while k < end {
        let column = rows.columns.get(k);
        let value = if own || held.get(column) != 0 {
            if column == v { 1.0 } else { 0.0 }
        } else {
            rows.values.get(k)
        };
        to.set(k, value);
        k += 1;
    }
}
/// The numbers of a vector, 0 where values are held.
#[kernel(threads = 256, requires(
    held.len() >= count as usize && from.len() >= count as usize && to.len() >= count as usize,
))]
pub fn hold_vector<'a>(v: Each, held: In<'a, u32>, from: In<'a, f64>, to: Out<'a, f64>) {
    to.set(v, if held.get(v) != 0 { 0.0 } else { from.get(v) });
}

/// Adds to each distance what the vertex's component lacks, where heat is known or a source is; +∞ elsewhere,
/// and nothing below 0. `components` is empty if one shift is that of all. `reached` gets a 1 where a
/// distance is finite.
#[kernel(threads = 256, requires(
    logarithms.len() >= count as usize && sources.len() >= count as usize,
    components.is_empty() || components.len() >= count as usize,
    !shifts.is_empty(),
    distances.len() >= count as usize && reached.len() >= count as usize,
))]
pub fn shift_distances<'a>(
    v: Each,
    logarithms: In<'a, f64>,
    sources: In<'a, u32>,
    components: In<'a, u32>,
    shifts: In<'a, f64>,
    distances: Out<'a, f64>,
    reached: Out<'a, u32>,
) {
    let component = if components.is_empty() { 0 } else { components.get(v) };
    let shifted = distances.get(v) + shifts.get(component);
    let known = logarithms.get(v) > f64::NEG_INFINITY;
    let is_source = sources.get(v) != 0;
    let distance = if known { shifted } else { 0.0 };
    distances
        .set(v, if known || is_source { if distance > 0.0 { distance } else { 0.0 } } else { f64::INFINITY });
    reached.set(v, (known || is_source) as u32);
}
