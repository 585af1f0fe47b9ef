//! Whether a result is far from its input: one rule for all commands that change triangles.
use crate::{Line, Log, counted, short};
use ribbonmesh_mesh::{BoundingBox, TriangleMesh, UnionFind};
use serde::Serialize;

/// A result is far from its input if a point of one is farther from the other than this, in diagonals of the
/// input's box, ...
const FAR: f64 = 0.05;
/// ... or its area or its volume differs by more than this part.
const MUCH: f64 = 0.1;

/// Measures of a mesh that must not change much.
#[derive(Clone, Debug, Serialize)]
pub struct Shape {
    /// The area of all faces.
    area: f64,
    /// The volume that they enclose; none of a surface that is not closed.
    volume: Option<f64>,
    /// Parts that have no vertex in common.
    components: u64,
    #[serde(skip)]
    around: Option<BoundingBox>,
}
impl Shape {
    /// One of which the area, the volume and the box are known, and not its parts.
    pub fn known(area: f64, volume: Option<f64>, around: Option<BoundingBox>) -> Self {
        Self { area, volume, components: 0, around }
    }
    /// That of a mesh. Sorts the sides.
    pub fn of(mesh: &TriangleMesh) -> Self {
        Self {
            area: mesh.area(),
            volume: mesh.volume(),
            components: components(mesh),
            around: mesh.bounding_box(),
        }
    }
}

/// Treatment of the parts of a command's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// They stay what they are.
    Stay,
    /// Drops what is inside, and makes one part of all.
    Unite,
}

/// How a command has changed the shape of a mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    before: Shape,
    after: Shape,
    /// Why the result is far from the input, in words; none if it is not.
    far: Vec<String>,
}
impl Change {
    /// Between two shapes; with the largest distance of the surfaces, in diagonals of the first, where it was
    /// measured.
    pub fn between(before: Shape, after: Shape, distance: Option<f64>, parts: Parts) -> Self {
        let mut far = vec![];
        let moved = distance.or_else(|| before.around.zip(after.around).map(|(a, b)| apart(&a, &b)));
        if let Some(moved) = moved.filter(|moved| *moved > FAR) {
            far.push(format!("up to {} of the diagonal away", percent(moved)));
        }
        // what is united loses area, but gains none
        let changed = |before: f64, after: f64| {
            let by = after - before;
            let much = by > MUCH * before.abs() || parts == Parts::Stay && -by > MUCH * before.abs();
            much && by != 0.0
        };
        if changed(before.area, after.area) {
            far.push(format!("area {} in place of {}", short(after.area), short(before.area)));
        }
        match (before.volume, after.volume) {
            (Some(was), Some(is)) if changed(was, is) => {
                far.push(format!("volume {} in place of {}", short(is), short(was)));
            }
            (Some(_), None) => far.push("no longer closed".into()),
            _ => {}
        }
        if parts == Parts::Stay && after.components < before.components {
            let lost = counted(before.components - after.components, "component");
            far.push(format!("{lost} of {} lost", before.components));
        }
        Self { before, after, far }
    }
    /// Warns if the result is far from the input; `help` says what keeps it nearer.
    pub fn warn(&self, log: &mut dyn Log, help: &str) {
        if !self.far.is_empty() {
            let far = self.far.join(", ");
            log.line(Line::Warning(format!("the result is far from the input: {far}; {help}")));
        }
    }
}

fn percent(share: f64) -> String {
    format!("{} %", short((1000.0 * share).round() / 10.0))
}

/// How far a side of the second box is from that of the first, in diagonals of the first.
fn apart(a: &BoundingBox, b: &BoundingBox) -> f64 {
    let most = (a.low - b.low).abs().max((a.high - b.high).abs()).max_element();
    if most > 0.0 { most / a.diagonal() } else { 0.0 }
}

/// Parts of a mesh that have no vertex in common; vertices without faces are none. Nearly linear.
fn components(mesh: &TriangleMesh) -> u64 {
    let mut used = vec![false; mesh.positions.len()];
    mesh.faces.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut parts = UnionFind::new(used.len());
    parts.join_faces(&mesh.faces);
    let isolated = used.iter().filter(|used| !**used).count();
    (parts.count() - isolated) as u64
}

#[cfg(test)]
mod tests {
    use super::{Change, Parts, Shape};
    use ribbonmesh_mesh::shapes;

    #[test]
    fn what_is_far() {
        let ball = shapes::icosphere(3).expect("small");
        let far = |change: &dyn Fn(&mut ribbonmesh_mesh::TriangleMesh), distance, parts| {
            let mut after = ball.clone();
            change(&mut after);
            Change::between(Shape::of(&ball), Shape::of(&after), distance, parts).far
        };
        let scaled = |by: f64| {
            move |mesh: &mut ribbonmesh_mesh::TriangleMesh| {
                mesh.positions.iter_mut().for_each(|p| *p *= by);
            }
        };
        assert!(far(&scaled(1.0), Some(0.04), Parts::Stay).is_empty());
        assert_eq!(far(&scaled(1.0), Some(0.06), Parts::Stay), ["up to 6 % of the diagonal away"]);
        assert!(far(&scaled(0.99), None, Parts::Stay).is_empty());
        assert_eq!(far(&scaled(0.8), None, Parts::Stay).len(), 3, "distance, area, volume");
        assert_eq!(far(&scaled(0.9), Some(0.0), Parts::Unite).len(), 0, "parts may go");
        assert_eq!(far(&scaled(1.1), Some(0.0), Parts::Unite).len(), 2, "a balloon");
        assert_eq!(far(&|mesh| _ = mesh.faces.pop(), None, Parts::Stay), ["no longer closed"]);
        let mut two = ball.clone();
        two.positions.extend(ball.positions.iter().map(|p| *p * 0.01));
        let n = ball.positions.len() as u32;
        two.faces.extend(ball.faces.iter().map(|face| face.map(|v| v + n)));
        let one = Change::between(Shape::of(&two), Shape::of(&ball), None, Parts::Stay).far;
        assert_eq!(one, ["1 component of 2 lost"]);
        assert!(Change::between(Shape::of(&two), Shape::of(&ball), None, Parts::Unite).far.is_empty());
    }
}
