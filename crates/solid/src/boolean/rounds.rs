//! Rounds of mending, until no faces of a result intersect.
use crate::boolean::attributes::end;
use crate::boolean::draft::Draft;
use crate::boolean::run::{BooleanOptions, BooleanReport, Opening, Operation};
use crate::boolean::scene::Scene;
use crate::boolean::snap::Round;
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
    round: Round,
    /// The sum of the volumes within the meshes.
    volume: f64,
    /// The most by which mending may change the volume of the result.
    most: f64,
    /// The volume that mending has added, without that since `before`.
    changed: f64,
    /// The volume of the result before all its faces were arranged again.
    before: Option<f64>,
}

/// The most by which mending may change the volume, as a part of the volumes within the meshes.
pub(crate) const MOST: f64 = 1.0 / (1 << 15) as f64;
/// The volume of a layer on a cube whose half width is the largest coordinate, as a part of the cube of this
/// coordinate: as thick as numbers of single precision are apart there. So much is allowed in any case, since
/// sheets that move by such a distance change the volume by it.
const LAYER: f64 = 24.0 * f32::EPSILON as f64;

/// Combines meshes of a scene. `middles` are points in the middle of each mesh that has faces.
pub(crate) fn combine(
    whole: &mut impl Whole,
    mut scene: Scene,
    middles: &[Option<DVec3>],
    options: &BooleanOptions,
    report: &mut BooleanReport,
) -> Result<(), BooleanError> {
    put_on_grid(whole, &scene)?;
    let mut volume = 0.0;
    for (i, middle) in middles.iter().enumerate() {
        let Some(middle) = *middle else { continue };
        let within = scene.volume(i, middle)?;
        volume += within.abs();
        if within < 0.0 {
            let [first, n] = scene.turn(i)?;
            whole.turn(first, n)?;
            report.turned.push(i);
        }
    }
    let (device, origin) = (scene.device().clone(), scene.origin);
    let draft = Draft::new(scene, options.operation, Round::default(), report)?;
    let most = match report.open.is_empty() {
        true => (MOST * volume).max(LAYER * f64::from(draft.scene.largest).powi(3)),
        false => f64::INFINITY,
    };
    let (round, changed, before) = (Round::default(), 0.0, None);
    let mut rounds = Rounds { whole, options, report, device, origin, round, volume, most, changed, before };
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
                return self.check_volume();
            }
            // vertices in the middle of edges are rounded, too
            let scene = self.scene()?;
            let pairs = scene.intersecting_pairs()?;
            if pairs == 0 {
                return self.check_volume();
            }
            self.next(pairs, &scene)?;
            draft = self.again(scene)?;
        }
    }
    /// The result so far as a scene, whose vertices are where its predicates see them.
    fn scene(&mut self) -> Result<Scene, BooleanError> {
        let scene = self.whole.scene(&self.device, self.origin)?;
        put_on_grid(self.whole, &scene)?;
        Ok(scene)
    }
    /// Arranges all faces of the result so far.
    fn again(&mut self, scene: Scene) -> Result<Draft, BooleanError> {
        if self.before.is_none() {
            self.before = Some(scene.volume_of_all()?);
        }
        Draft::new(scene, Operation::Union, self.round, &mut BooleanReport::default())
    }
    /// Refuses a result whose volume mending has changed too much.
    fn check_volume(&mut self) -> Result<(), BooleanError> {
        if !self.report.open.is_empty() {
            return Ok(());
        }
        if let Some(before) = self.before {
            self.changed += self.scene()?.volume_of_all()? - before;
        }
        let Self { changed, volume, .. } = *self;
        self.report.volume_changed = changed;
        match changed.abs() > self.most {
            true => Err(BooleanError::Volume { rounds: self.report.rounds, changed, volume }),
            false => Ok(()),
        }
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
        if self.before.is_none() {
            self.changed += draft.changed;
        }
        drop(draft);
        self.whole.end(ending)
    }
    /// Begins another round, for pairs of faces of a scene that are left.
    fn next(&mut self, pairs: usize, scene: &Scene) -> Result<(), BooleanError> {
        let BooleanReport { rounds, merged, .. } = self.report;
        if *rounds == self.options.rounds {
            return Err(BooleanError::Rounding { rounds: *rounds, pairs });
        }
        self.round = self.round.next(pairs);
        *rounds = self.round.number;
        *merged = self.round.reach(scene.largest);
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
            match draft.mend(&left, self.round, self.most) {
                // all faces again, with rays
                Err(Contradiction) => {
                    self.end(draft)?;
                    let scene = self.scene()?;
                    draft = self.again(scene)?;
                }
                mended => _ = mended?,
            }
        }
    }
}
