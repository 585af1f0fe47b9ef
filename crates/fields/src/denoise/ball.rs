//! The ball around a vertex.
use ribbonmesh::device::math::sqrt;

/// Rule by which σc, the distance at which neighbours weigh less, follows from the edges at a vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, ribbonmesh::device::Parameter)]
pub struct Rule {
    /// The length: [`Rule::SHORTEST`], [`Rule::MEAN`] or [`Rule::LONGEST`].
    pub from: u32,
    /// σc as a multiple of that length.
    pub scale: f32,
}
impl Rule {
    /// The shortest edge that is not 0 (thesis 4.5.3).
    pub const SHORTEST: u32 = 0;
    /// The mean of the edges.
    pub const MEAN: u32 = 1;
    /// The longest edge.
    pub const LONGEST: u32 = 2;
}

/// Range of σc² in which no value leaves the range of `f32`.
const LEAST: f32 = 1e-30;
const MOST: f32 = 1e30;

/// The lengths of the edges at a vertex.
#[derive(Clone, Copy)]
pub struct Lengths {
    shortest: f32,
    longest: f32,
    sum: f32,
    count: u32,
}
impl Lengths {
    /// No edges yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { shortest: f32::MAX, longest: 0.0, sum: 0.0, count: 0 }
    }
    /// Adds an edge by its squared length; an edge without length is left out.
    #[inline(always)]
    pub fn add(&mut self, squared: f32, rule: Rule) {
        if squared > 0.0 {
            self.shortest = self.shortest.min(squared);
            self.longest = self.longest.max(squared);
            if rule.from == Rule::MEAN {
                self.sum += sqrt(squared);
                self.count += 1;
            }
        }
    }
    /// σc², or 0 if it is out of range.
    #[inline(always)]
    pub fn sigma_squared(&self, rule: Rule) -> f32 {
        let squared = match rule.from {
            Rule::SHORTEST => self.shortest,
            Rule::LONGEST => self.longest,
            _ => {
                let mean = self.sum / self.count as f32;
                mean * mean
            }
        };
        let squared = squared * rule.scale * rule.scale;
        if (LEAST..=MOST).contains(&squared) { squared } else { 0.0 }
    }
}

/// The square of the radius: 2σc (Fleishman et al., section 3).
#[inline(always)]
pub fn radius_squared(sigma_squared: f32) -> f32 {
    4.0 * sigma_squared
}
