//! Packing of flat charts into a square of texels.
//!
//! Charts stand on each other, the highest first, each where it leaves the least room below itself: what
//! counts is its lower and the upper outline so far, a number for each column of texels (Lévy and others,
//! *Least squares conformal maps for automatic texture atlas generation*, 2002).
use glam::DVec2;
use rayon::prelude::*;

/// A chart to be packed, turned so that its box is small and not wider than high.
pub struct Outline {
    /// The first column of the rotation.
    pub turn: DVec2,
    /// The lower left corner of the turned box.
    pub low: DVec2,
    /// Its sizes.
    pub size: DVec2,
    /// The boundary, turned, relative to `low`.
    points: Vec<DVec2>,
}
impl Outline {
    /// Turns a closed boundary.
    pub fn new(boundary: &[DVec2]) -> Self {
        let hull = hull(boundary.to_vec());
        let edges = (0..hull.len()).map(|i| hull[(i + 1) % hull.len()] - hull[i]);
        let turned = |along: DVec2| DVec2::new(along.x, -along.y);
        let boxes = edges.filter_map(DVec2::try_normalize).map(|along| {
            let turn = turned(along);
            let (low, high) = bounds(hull.iter().map(|&p| turn.rotate(p)));
            (turn, (high - low).element_product())
        });
        let best = boxes.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(DVec2::X, |found| found.0);
        let (low, high) = bounds(hull.iter().map(|&p| best.rotate(p)));
        let turn = if high.x - low.x > high.y - low.y { best.perp() } else { best };
        let (low, high) = bounds(boundary.iter().map(|&p| turn.rotate(p)));
        let points = boundary.iter().map(|&p| turn.rotate(p) - low).collect();
        Self { turn, low, size: high - low, points }
    }
    /// The lower and upper outline at a scale, widened by `margin` texels.
    fn profile(&self, scale: f64, margin: usize) -> Profile {
        let width = (self.size.x * scale) as usize + 1;
        let mut low = vec![f64::INFINITY; width];
        let mut high = vec![0.0_f64; width];
        let n = self.points.len();
        for i in 0..n {
            let (p, q) = (self.points[i] * scale, self.points[(i + 1) % n] * scale);
            let (a, b) = if p.x <= q.x { (p, q) } else { (q, p) };
            let (first, last) = (a.x.max(0.0) as usize, (b.x as usize).min(width - 1));
            for column in first.min(last)..=last {
                let y = |x: f64| if b.x > a.x { a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) } else { a.y };
                let from = y((column as f64).clamp(a.x, b.x));
                let to = if b.x > a.x { y((column as f64 + 1.0).clamp(a.x, b.x)) } else { b.y };
                low[column] = low[column].min(from.min(to));
                high[column] = high[column].max(from.max(to));
            }
        }
        let widened = |column: usize| column.saturating_sub(2 * margin)..(column + 1).min(width);
        let lows = |c: usize| widened(c).map(|k| low[k]).fold(f64::INFINITY, f64::min).max(0.0) as u32;
        let highs = |c: usize| {
            let high = widened(c).map(|k| high[k]).fold(0.0, f64::max);
            high as u32 + 1 + 2 * margin as u32
        };
        let columns = 0..width + 2 * margin;
        Profile { low: columns.clone().map(lows).collect(), high: columns.map(highs).collect() }
    }
}
/// For each column of texels, the first and the end of what a chart needs.
struct Profile {
    low: Vec<u32>,
    high: Vec<u32>,
}
impl Profile {
    fn height(&self) -> u32 {
        self.high.iter().copied().max().unwrap_or(0)
    }
    /// That of the chart turned by 180 degrees.
    fn turned(&self) -> Self {
        let height = self.height();
        let other = |values: &[u32]| values.iter().rev().map(|value| height - value).collect();
        Self { low: other(&self.high), high: other(&self.low) }
    }
    /// The part of the last column and row that a chart of this size leaves.
    fn room(&self, size: DVec2, margin: usize) -> DVec2 {
        let whole = DVec2::new(self.low.len() as f64, f64::from(self.height()));
        whole - 2.0 * margin as f64 - size
    }
}

/// Where charts are.
pub struct Layout {
    /// Texels per unit.
    pub scale: f64,
    /// The place of each chart's box, in texels, and whether the chart is turned by 180 degrees.
    pub places: Vec<(DVec2, bool)>,
    /// Side of the square.
    pub side: u32,
}

/// The greatest scale at which all charts are found to fit into a square of `side` texels, `padding` texels
/// apart and half of that from its border; none if they do not fit at a hundredth of what the square holds.
pub fn fitted(outlines: &[Outline], side: u32, padding: u32) -> Option<Layout> {
    let area: f64 = outlines.iter().map(|outline| outline.size.element_product()).sum();
    let longest = outlines.iter().map(|outline| outline.size.max_element()).fold(0.0, f64::max);
    let order = by_height(outlines);
    let texels = f64::from(side);
    let most = (texels / longest.max(1e-300)).min(1.3 * texels / area.max(1e-300).sqrt());
    let mut scale = 0.8 * most;
    let (mut found, mut too_large): (Option<Layout>, f64) = (None, most);
    for _ in 0..30 {
        match packed(outlines, &order, scale, side, padding) {
            Some(places) => found = Some(Layout { scale, places, side }),
            None => too_large = scale,
        }
        scale = match &found {
            Some(layout) if too_large < 1.01 * layout.scale => break,
            Some(layout) => 0.5 * (layout.scale + too_large),
            None => 0.85 * scale,
        };
    }
    found
}
/// The least square, by steps of a thirtieth, into which all charts fit at a scale; none beyond `most`
/// texels.
pub fn grown(outlines: &[Outline], scale: f64, padding: u32, most: u32) -> Option<Layout> {
    let margin = f64::from(padding.div_ceil(2) * 2 + 1);
    let area: f64 = outlines.iter().map(|o| (o.size * scale + margin).element_product()).sum();
    let longest = outlines.iter().map(|outline| outline.size.max_element()).fold(0.0, f64::max);
    let mut side = (0.7 * area.sqrt()).max(longest * scale + margin).max(1.0);
    let order = by_height(outlines);
    while side <= f64::from(most) {
        let texels = side.ceil() as u32;
        if let Some(places) = packed(outlines, &order, scale, texels, padding) {
            return Some(Layout { scale, places, side: texels });
        }
        side = (side * (1.0 + 1.0 / 30.0)).max(side + 1.0);
    }
    None
}
/// Charts from the highest on.
fn by_height(outlines: &[Outline]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..outlines.len()).collect();
    order.sort_by(|&a, &b| outlines[b].size.y.total_cmp(&outlines[a].size.y));
    order
}

/// Places of all charts at a scale, or none if they do not fit.
fn packed(
    outlines: &[Outline],
    order: &[usize],
    scale: f64,
    side: u32,
    padding: u32,
) -> Option<Vec<(DVec2, bool)>> {
    let margin = padding.div_ceil(2) as usize;
    let profiles: Vec<Profile> = outlines.par_iter().map(|outline| outline.profile(scale, margin)).collect();
    let needed: u64 =
        profiles.iter().map(|p| p.low.iter().zip(&p.high).map(|(l, h)| u64::from(h - l)).sum::<u64>()).sum();
    if needed > u64::from(side) * u64::from(side) {
        return None;
    }
    let mut horizon = vec![0_u32; side as usize];
    let mut places = vec![(DVec2::ZERO, false); outlines.len()];
    for &i in order {
        let turned = profiles[i].turned();
        let ways = [(&profiles[i], false), (&turned, true)].map(|(profile, turned)| {
            let (cost, x, y) = place(profile, &horizon, side)?;
            Some((cost, turned, x, y))
        });
        let (_, is_turned, x, y) = ways.into_iter().flatten().min()?;
        let profile = if is_turned { &turned } else { &profiles[i] };
        for (top, high) in horizon[x..].iter_mut().zip(&profile.high) {
            *top = y + high;
        }
        // the turned profile begins with what is left of the last texel
        let room = if is_turned { profile.room(outlines[i].size * scale, margin) } else { DVec2::ZERO };
        places[i] = (DVec2::new((x + margin) as f64, f64::from(y) + margin as f64) + room, is_turned);
    }
    Some(places)
}
/// The cost, column and height at which a chart leaves the least room below itself, lower ones first.
fn place(profile: &Profile, horizon: &[u32], side: u32) -> Option<(u64, usize, u32)> {
    let width = profile.low.len();
    let highest = *profile.high.iter().max()?;
    let columns = horizon.len().checked_sub(width)?;
    let lift = |x: usize| {
        let below = horizon[x..].iter().zip(&profile.low);
        below.map(|(top, low)| top.saturating_sub(*low)).max().unwrap_or(0)
    };
    let cost = |x: usize| {
        let y = lift(x);
        if y + highest > side {
            return None;
        }
        let below = horizon[x..].iter().zip(&profile.low);
        let waste: u64 = below.map(|(top, low)| u64::from(y + low - top)).sum();
        Some((waste + u64::from(y) * width as u64, x, y))
    };
    (0..=columns).step_by((width / 32).max(1)).filter_map(cost).min()
}

fn bounds(points: impl Iterator<Item = DVec2>) -> (DVec2, DVec2) {
    points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}
/// The convex hull, by Andrew's chains.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = vec![];
        for p in points {
            while let [.., a, b] = chain[..] {
                if (b - a).perp_dot(p - a) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut all = chain(&mut points.iter().copied());
    all.extend(chain(&mut points.iter().rev().copied()));
    all
}
