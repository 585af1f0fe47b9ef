//! Rounds of mending, until no faces of a result intersect.
use crate::boolean::attributes::end;
use crate::boolean::draft::Draft;
use crate::boolean::run::{BooleanOptions, BooleanReport, Opening, Operation};
use crate::boolean::scene::Scene;
use crate::boolean::snap::reach;
use crate::boolean::whole::Whole;
use crate::boolean::{BooleanError, BooleanError::Contradiction};
use glam::DVec3;
use ribbonmesh::Device;

/// A combination of meshes and its rounds.
struct Rounds<'a, W> {
    whole: &'a mut W,
    options: &'a BooleanOptions,
    report: &'a mut BooleanReport,
    device: Device,
    origin: DVec3,
}

/// Combines meshes of a scene. `middles` are points in the middle of each mesh that has faces.
pub(crate) fn combine(
    whole: &mut impl Whole,
    mut scene: Scene,
    middles: &[Option<DVec3>],
    options: &BooleanOptions,
    report: &mut BooleanReport,
) -> Result<(), BooleanError> {
    put_on_grid(whole, &scene)?;
    for (i, middle) in middles.iter().enumerate() {
        if let &Some(middle) = middle
            && scene.volume(i, middle)? < 0.0
        {
            let [first, n] = scene.turn(i)?;
            whole.turn(first, n)?;
            report.turned.push(i);
        }
    }
    let (device, origin) = (scene.device().clone(), scene.origin);
    let draft = Draft::new(scene, options.operation, 0, report)?;
    let mut rounds = Rounds { whole, options, report, device, origin };
    rounds.run(draft)?;
    report.columns_dropped.sort_unstable();
    report.columns_dropped.dedup();
    Ok(())
}

/// Gives vertices the positions that they have for predicates.
fn put_on_grid(whole: &mut impl Whole, scene: &Scene) -> Result<(), BooleanError> {
    let (vertices, positions) = &scene.rounded;
    if vertices.is_empty() { Ok(()) } else { whole.set_positions(vertices, positions) }
}

impl<W: Whole> Rounds<'_, W> {
    /// Mends a draft, and makes it the result.
    fn run(&mut self, mut draft: Draft) -> Result<(), BooleanError> {
        loop {
            draft = self.mended(draft)?;
            let parted = draft.part_sheets(self.report.rounds)?;
            self.report.vertices_doubled = parted.vertices;
            self.end(draft)?;
            if parted.middles == 0 {
                return Ok(());
            }
            // vertices in the middle of edges are rounded, too
            let scene = self.scene()?;
            let pairs = scene.intersecting_pairs()?;
            if pairs == 0 {
                return Ok(());
            }
            self.next(pairs, &scene)?;
            draft = Draft::new(scene, Operation::Union, self.report.rounds, &mut BooleanReport::default())?;
        }
    }
    /// The result so far as a scene, whose vertices are where its predicates see them.
    fn scene(&mut self) -> Result<Scene, BooleanError> {
        let scene = self.whole.scene(&self.device, self.origin)?;
        put_on_grid(self.whole, &scene)?;
        Ok(scene)
    }
    /// Makes a draft the result so far.
    fn end(&mut self, draft: Draft) -> Result<(), BooleanError> {
        let ending = end(self.whole, &draft)?;
        let is_empty = ending.kept.faces.is_empty() && ending.corners.is_empty();
        if let (Operation::Union, true, Some(&Opening { mesh, at })) =
            (self.options.operation, is_empty, self.report.open.first())
        {
            return Err(BooleanError::Open { mesh, at });
        }
        self.report.columns_dropped.extend(ending.dropped.iter().cloned());
        drop(draft);
        self.whole.end(ending)
    }
    /// Begins another round, for pairs of faces of a scene that are left.
    fn next(&mut self, pairs: usize, scene: &Scene) -> Result<(), BooleanError> {
        let BooleanReport { rounds, merged, .. } = self.report;
        if *rounds == self.options.rounds {
            return Err(BooleanError::Rounding { rounds: *rounds, pairs });
        }
        *rounds += 1;
        *merged = reach(scene.largest, *rounds);
        Ok(())
    }
    /// Mends intersections of a draft until there are none.
    fn mended(&mut self, mut draft: Draft) -> Result<Draft, BooleanError> {
        loop {
            let left = draft.left()?;
            if left.len() == 0 {
                return Ok(draft);
            }
            self.next(left.len(), &draft.scene)?;
            match draft.mend(&left, self.report.rounds) {
                // all faces again, with rays
                Err(Contradiction) => {
                    self.end(draft)?;
                    let scene = self.scene()?;
                    draft = Draft::new(
                        scene,
                        Operation::Union,
                        self.report.rounds,
                        &mut BooleanReport::default(),
                    )?;
                }
                mended => _ = mended?,
            }
        }
    }
}
