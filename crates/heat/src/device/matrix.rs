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
        self.for_each_entry(row, |_, column, weight| f(column, weight));
    }
    /// The same with the places of entries first.
    #[inline(always)]
    pub fn for_each_entry(&self, row: u32, mut f: impl FnMut(u32, u32, f64)) {
        let (mut k, end) = (self.starts.get(row), self.starts.get(row + 1));
        while k < end {
            let (column, weight) = (self.columns.get(k), -self.values.get(k));
            if column != row && weight > 0.0 {
                f(k, column, weight);
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
/// The matrix of a step of heat flow: `time` L, and masses on its diagonal.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && rows.columns.len() == rows.values.len(),
    mass.len() >= count as usize && to.len() == rows.values.len(),
))]
pub fn step_rows<'a>(v: Each, time: f64, rows: Rows<'a>, mass: In<'a, f64>, to: Out<'a, f64>) {
    let (mut k, end) = (rows.starts.get(v), rows.starts.get(v + 1));
    while k < end {
        let value = time * rows.values.get(k);
        to.set(k, if rows.columns.get(k) == v { mass.get(v) + value } else { value });
        k += 1;
    }
}
/// The numbers of vectors, `lanes` of each vertex, 0 where values are held.
#[kernel(threads = 256, requires(
    lanes > 0 && held.len() * lanes as usize >= count as usize,
    from.len() >= count as usize && to.len() >= count as usize,
))]
pub fn hold_vector<'a>(i: Each, lanes: u32, held: In<'a, u32>, from: In<'a, f64>, to: Out<'a, f64>) {
    to.set(i, if held.get(i / lanes) != 0 { 0.0 } else { from.get(i) });
}
/// Copies a lane of vectors to a lane of others: the numbers of a vertex are next to each other.
#[kernel(threads = 256, requires(
    from.len() >= count as usize * from_lanes as usize && from_lane < from_lanes,
    to.len() >= count as usize * to_lanes as usize && to_lane < to_lanes,
))]
pub fn copy_lane<'a>(
    v: Each,
    from_lane: u32,
    from_lanes: u32,
    from: In<'a, f64>,
    to_lane: u32,
    to_lanes: u32,
    to: Out<'a, f64>,
) {
    to.set(v * to_lanes + to_lane, from.get(v * from_lanes + from_lane));
}

/// Adds the shift of its component to each number.
#[kernel(threads = 256, requires(components.len() >= count as usize && x.len() >= count as usize))]
pub fn add_shifts<'a>(v: Each, components: In<'a, u32>, shifts: In<'a, f64>, x: Out<'a, f64>) {
    x.set(v, x.get(v) + shifts.get(components.get(v)));
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
