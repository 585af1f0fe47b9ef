//! The nearest of several sources.

/// No source.
const NONE: i32 = -1;

/// For each vertex the source to which a walk along edges leads, always to the neighbour whose distance with
/// the edge between is least; -1 where no path leads. Near the lines where two sources are equally far it may
/// name either. `length` is that of the edge between two vertices, `name` the number of a source.
pub(crate) fn nearest_sources(
    faces: &[[u32; 3]],
    distance: &[f64],
    sources: &[u32],
    length: impl Fn(u32, u32) -> f64,
    name: impl Fn(u32) -> i32,
) -> Vec<i32> {
    let n = distance.len();
    // the neighbour that each vertex comes from, with its distance and the length of the edge
    let mut from = vec![(f64::INFINITY, u32::MAX); n];
    for &[a, b, c] in faces {
        for (v, w) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            // only downhill, so that no walk turns round
            if distance[w as usize] < distance[v as usize] && distance[v as usize].is_finite() {
                let offer = (distance[w as usize] + length(v, w), w);
                if offer < from[v as usize] {
                    from[v as usize] = offer;
                }
            }
        }
    }
    let mut nearest = vec![NONE; n];
    sources.iter().for_each(|&source| nearest[source as usize] = name(source));
    let mut order: Vec<u32> = (0..n as u32).filter(|&v| distance[v as usize].is_finite()).collect();
    order.sort_by(|&v, &w| distance[v as usize].total_cmp(&distance[w as usize]));
    for v in order {
        let (_, w) = from[v as usize];
        if nearest[v as usize] == NONE && w != u32::MAX {
            nearest[v as usize] = nearest[w as usize];
        }
    }
    nearest
}
