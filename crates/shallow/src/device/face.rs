//! The flux through a side of a cell: reconstruction and flux (Kurganov and Petrova 2007).
use super::domain::Scale;
use super::exact::{abs, greatest, least, mul, rint, sqrt};

/// A cell next to the face, seen from the face.
#[derive(Clone, Copy)]
pub struct Beside {
    /// Water above the middle of the bed that moves, in units.
    pub water: i32,
    /// From the bed's middle of the face up to the level in the cell, in units.
    pub above: i32,
    /// The same at the opposite face.
    pub above_far: i32,
    /// The level's change from the middle of the cell to this face, a length.
    pub rise: f32,
    /// Velocity through the face, at the face.
    pub u: f32,
    /// Velocity along the face, at the face.
    pub v: f32,
}

/// The flux through a face in one stage.
#[derive(Clone, Copy)]
pub struct Passing {
    /// Half of the height, in units, that goes from the cell before to the cell behind.
    pub units: i32,
    /// Momentum through the face that leaves the cell before, less the pressure there, with half of the
    /// cell's source.
    pub before: f32,
    /// Momentum that arrives in the cell behind, likewise.
    pub behind: f32,
    /// Momentum along the face, times the time step divided by the side of a cell.
    pub along: f32,
}
impl Passing {
    /// Nothing passes.
    pub const NOTHING: Self = Self { units: 0, before: 0.0, behind: 0.0, along: 0.0 };
}

/// The sign of a number.
const SIGN: u32 = 1 << 31;
/// Speeds below are no motion; their inverse is a finite number above.
const STILL: f32 = 1e-20;

/// The change from the middle of a cell to its face, from the differences to both neighbours: the minmod
/// limiter with 1.3.
#[inline(always)]
pub fn half_slope(a: f32, b: f32) -> f32 {
    // of numbers of one sign the nearest to 0; `min` of numbers that are not negative has the same bits
    // everywhere
    let size = mul(0.65, abs(a).min(abs(b))).min(mul(0.25, abs(a + b)));
    let (a, b) = (a.to_bits(), b.to_bits());
    if (a ^ b) >> 31 == 0 { f32::from_bits(size.to_bits() | a & SIGN) } else { 0.0 }
}

/// The depth of a cell at a face as its own values give it: not below 0 at either face.
#[derive(Clone, Copy)]
struct Depth {
    /// The depth without the correction; negative where the bed is above the level.
    raw: f32,
    /// The depth.
    own: f32,
    /// Twice the depth in the middle, which no depth at a face exceeds.
    twice: f32,
}

impl Beside {
    #[inline(always)]
    fn depth(&self, scale: &Scale) -> Depth {
        let raw = scale.length(self.above) + self.rise;
        let far = scale.length(self.above_far) - self.rise;
        let twice = mul(2.0, scale.length(self.water));
        let own = match (self.water == 0 || raw < 0.0, far < 0.0) {
            (true, _) => 0.0,
            (false, true) => twice,
            (false, false) => raw,
        };
        Depth { raw, own, twice }
    }
}

impl Depth {
    /// The depth at the face. What the levels of both cells say of the depth there is right for a lake, whose
    /// water does not reach the other face of a cell at its shore: so it is at rest.
    #[inline(always)]
    fn at_face(&self, beside: &Self) -> f32 {
        self.own.max(self.raw.min(beside.raw))
    }
    /// Half of the source of the cell: gravity, times the mean depth of this half, times the level's rise.
    #[inline(always)]
    fn source(&self, scale: &Scale, depth: f32, rise: f32) -> f32 {
        let rise = rise + (depth - greatest(self.raw, 0.0));
        let mean = mul(0.5, mul(0.5, self.twice) + least(depth, self.twice));
        mul(mul(scale.gravity, mean), rise)
    }
}

/// The flux from the cell before to the cell behind, central-upwind. `factor` is the time step, divided by
/// the side of a cell and by two units.
#[inline(always)]
pub fn flux(scale: &Scale, factor: f32, before: &Beside, behind: &Beside) -> Passing {
    if before.water | behind.water == 0 {
        return Passing::NOTHING;
    }
    let (of_l, of_r) = (before.depth(scale), behind.depth(scale));
    let (h_l, h_r) = (of_l.at_face(&of_r), of_r.at_face(&of_l));
    let (u_l, u_r) = (before.u, behind.u);
    // water that is there moves, and that which stands for a shore does not
    let (q_l, q_r) = (mul(least(h_l, of_l.twice), u_l), mul(least(h_r, of_r.twice), u_r));
    let (c_l, c_r) = (sqrt(mul(scale.gravity, h_l)), sqrt(mul(scale.gravity, h_r)));
    let fastest = greatest(greatest(u_l + c_l, u_r + c_r), 0.0);
    let slowest = least(least(u_l - c_l, u_r - c_r), 0.0);
    let width = fastest - slowest;
    // nothing moves, and there is no depth on either side
    let scaled = if width > STILL { 1.0 / width } else { 0.0 };
    let diffusion = mul(mul(fastest, slowest), scaled);
    let mass = mul(mul(fastest, q_l) - mul(slowest, q_r), scaled) + mul(diffusion, h_r - h_l);
    // differences of equal values are 0, so that water at rest stays so to the bit
    let pressure = mul(mul(mul(0.5, scale.gravity), h_l + h_r), h_l - h_r);
    let (m_l, m_r) = (mul(q_l, u_l), mul(q_r, u_r));
    let (fall, spread) = ((m_l - m_r) + pressure, mul(diffusion, q_r - q_l));
    let units = passing_units(mul(mass, factor), before.water, behind.water);
    let carried = mul(mul(2.0, scale.unit), units as f32);
    Passing {
        units,
        before: m_l + mul(mul(slowest, scaled), fall) + spread + of_l.source(scale, h_l, before.rise),
        behind: m_r + mul(mul(fastest, scaled), fall) + spread + of_r.source(scale, h_r, behind.rise),
        along: mul(carried, if units > 0 { before.v } else { behind.v }),
    }
}

/// The mass in halves of units. A face takes at most a quarter of the water of the cell that gives it: so no
/// depth becomes negative.
#[inline(always)]
fn passing_units(wanted: f32, before: i32, behind: i32) -> i32 {
    let units = rint(wanted) as i32;
    let most = if units > 0 { before } else { behind } >> 3;
    let units = if units > most { most } else { units };
    if units < -most { -most } else { units }
}
