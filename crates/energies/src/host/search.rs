//! Steps along a direction that decrease the energy.
use super::error::Result;
use super::objective::moved;
use ribbonmesh::Buffer;

/// Share of the decrease that the slope promises (Armijo 1966).
const SHARE: f64 = 1e-4;
/// Halvings before a direction is given up.
const HALVINGS: usize = 40;
/// Share of the longest step without inversion that is taken at most (Smith and Schaefer 2015: 0.8).
pub const SAFE: f64 = 0.9;

/// A step that was taken.
pub struct Step {
    /// The energy there.
    pub value: f64,
    /// Evaluations that it took.
    pub evaluations: usize,
}
/// Tries x + t d from t = `first` on, halved until the energy decreases enough: `slope` is its derivative by
/// t at 0, which is negative, and `value` what it is there. The positions are in `to`. None if no step does:
/// then rounding hides a decrease, or the slope is wrong.
pub fn backtrack(
    (x, value): (&Buffer<f64>, f64),
    (d, slope): (&Buffer<f64>, f64),
    first: f64,
    to: &mut Buffer<f64>,
    mut evaluate: impl FnMut(&Buffer<f64>) -> Result<f64>,
) -> Result<Option<Step>> {
    let mut t = first;
    for evaluations in 1..=HALVINGS {
        moved(x, t, d, to)?;
        let found = evaluate(to)?;
        if found <= value + SHARE * t * slope {
            return Ok(Some(Step { value: found, evaluations }));
        }
        // a decrease below the rounding of the energy cannot be seen
        if -t * slope <= 1e-15 * value.abs() {
            return Ok(None);
        }
        t *= 0.5;
    }
    Ok(None)
}
