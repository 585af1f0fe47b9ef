//! Simplification and remeshing round by round.
use crate::cut::cut;
use crate::deviate::{measure, shorten};
use crate::gather::{Tile, gather, gather_lengths, spans};
use crate::goals::{deeper, goals, goals_by_costs};
use crate::job::Job;
use crate::join::join;
use crate::lengths::{by_curvature, expected};
use crate::level::Level;
use crate::manifest::{LevelReport, Manifest, Nearest, Request, Sharp};
use crate::output::Output;
use crate::plan::{Plan, Room};
use crate::project::project;
use crate::report::TilesReport;
use crate::simplify::lock;
use crate::task::{About, Aim};
use crate::work::Work;
use crate::{Result, disk, input};
use ribbonmesh_io::{MeshStream, check_output};
use ribbonmesh_remeshing::remesh::Tolerance;
use std::fs::File;
use std::path::{Path, PathBuf};

/// More levels than any mesh takes that becomes smaller with each one.
const LEVELS: u32 = 64;
/// Levels after which vertices no longer wait.
const REMESHED: u32 = 24;

/// A run of [`simplify`](crate::simplify()) or [`remesh`](crate::remesh()), whose tiles anyone may work on:
/// threads, processes, or tasks of a scheduler on other machines.
///
/// ```no_run
/// # use ribbonmesh_tiles::{Result, Run, SimplifyTiles, work_on};
/// # fn simplify(options: SimplifyTiles) -> Result<()> {
/// let mut run = Run::open("in.ply".as_ref(), "out.ply".as_ref(), options)?;
/// while let Some(tiles) = run.round(&mut |line| eprintln!("{line}"))? {
///     for tile in tiles {
///         // the bytes of the task and those of the result may travel
///         let result = work_on(&run.task(tile)?)?;
///         run.put(tile, &result)?;
///     }
/// }
/// run.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct Run {
    output: PathBuf,
    job: Job,
    pub(crate) room: Room,
    pub(crate) state: Manifest,
    left_out: Vec<String>,
    resumed: bool,
    /// The work of the present round.
    work: Option<Work>,
    lock: File,
}

impl Run {
    /// Reads the input, or goes on with what an earlier run has left in the folder.
    /// # Errors
    /// [`TilesError`](crate::TilesError).
    pub fn open(from: &Path, output: &Path, job: impl Into<Job>) -> Result<Self> {
        let job = job.into();
        job.check()?;
        let room = job.room()?;
        check_output(output)?;
        Output::format(output)?;
        let stream = MeshStream::open(from)?;
        std::fs::create_dir_all(job.work()).map_err(disk::failed(job.work()))?;
        let lock = lock(job.work())?;
        let request = Request::new(from, job.text())?;
        let known = Manifest::load(job.work(), &request)?;
        let resumed = known.is_some();
        let state = match known {
            Some(known) => known,
            None => read(&stream, &job, request, &room)?,
        };
        let (output, left_out) = (output.into(), stream.left_out());
        Ok(Self { output, job, room, state, left_out, resumed, work: None, lock })
    }
    /// Whether the run goes on from what another one has left.
    pub fn resumed(&self) -> bool {
        self.resumed
    }
    /// Ends the round before, whose tiles must be done, and begins the next one: returns its tiles whose
    /// results are not there, or [`None`] when the mesh is as it should be. `say` gets a line for each level.
    /// # Errors
    /// [`TilesError`](crate::TilesError); of a round whose tiles are not done,
    /// [`Damaged`](crate::TilesError::Damaged).
    pub fn round(&mut self, say: &mut dyn FnMut(String)) -> Result<Option<Vec<usize>>> {
        match self.work.take() {
            Some(Work { about: About { aim: Aim::Costs(shape), frame }, level, spans, goals }) => {
                let about = About { aim: Aim::Simplify(shape), frame };
                let work = Work { about, level, spans, goals };
                let tiles = self.state.tiles.as_deref().unwrap_or_default();
                let goals = goals_by_costs(tiles, &work.costs()?, self.plan().goal);
                return self.begin(Work { goals, ..work }).map(Some);
            }
            Some(work) => self.join(&work)?,
            None => {}
        }
        if self.state.ended && !self.state.complete {
            self.settle(say)?;
        }
        if self.state.complete {
            return Ok(None);
        }
        self.cut()?;
        let (plan, level) = (self.plan(), self.level());
        let tiles = self.state.tiles.as_deref().unwrap_or_default();
        say(plan.line(self.state.level, self.state.sizes, tiles));
        let (aim, goals) = match &self.job {
            Job::Simplify(options) => {
                let same = goals(tiles, plan.goal);
                match plan.by_costs {
                    true => (Aim::Costs(options.shape()), deeper(&same)),
                    false => (Aim::Simplify(options.shape()), same),
                }
            }
            Job::Remesh(options) => {
                let options = options.of_part(self.state.length, self.state.sharp, plan.most_faces);
                (Aim::Remesh { options, everywhere: self.state.level == 0 }, vec![])
            }
        };
        let about = About { aim, frame: self.state.frame };
        self.begin(Work { level, spans: spans(tiles), goals, about }).map(Some)
    }
    /// The work on a tile of this round, as bytes for [`work_on`](crate::work_on()).
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) for a tile that the round does not have.
    pub fn task(&self, tile: usize) -> Result<Vec<u8>> {
        Ok(self.work_of(tile)?.task(tile)?.bytes())
    }
    /// Keeps the result of a tile of this round.
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) for a tile that the round does not have;
    /// [`TilesError::Damaged`](crate::TilesError::Damaged) for bytes that are no result.
    pub fn put(&self, tile: usize, result: &[u8]) -> Result<()> {
        self.work_of(tile)?.put(tile, result)
    }
    /// Works on all tiles of this round that are not done, by so many threads.
    /// # Errors
    /// Those of the first tile that fails.
    pub fn work(&self, threads: usize) -> Result<()> {
        self.work.as_ref().map_or(Ok(()), |work| work.run(threads))
    }
    /// Writes the output, and removes the folder unless it is to be kept.
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) before the last round.
    pub fn finish(self) -> Result<TilesReport> {
        if !self.state.complete {
            return Err(crate::TilesError::Task);
        }
        let (level, sizes, frame, room) = (&self.level(), self.state.sizes, &self.state.frame, &self.room);
        Output { level, sizes, frame, normals: None, room }.write(&self.output)?;
        let Self { job, state, left_out, resumed, lock, .. } = self;
        drop(lock);
        if !job.keep() {
            disk::remove_folder(job.work())?;
        }
        let remeshed = job.has_marks();
        let length = |length: f32| f64::from(state.frame.length(length));
        let course = state.course.as_ref();
        Ok(TilesReport {
            before: state.input,
            after: state.sizes,
            target_faces: (!remeshed).then_some(state.wanted),
            target_length: remeshed.then(|| length(state.length)),
            kept_from: state.sharp.angle,
            tolerance: course.map(|course| length(course.tolerance)),
            deviation: course.and_then(|course| course.attempts.least).map(length),
            refinements: course.map(|course| course.attempts.refinements),
            most_faces: course.map(|course| course.most_faces),
            gave_up: course.and_then(|course| course.attempts.gave_up),
            levels: state.levels,
            left_out,
            resumed,
        })
    }

    pub(crate) fn level(&self) -> Level {
        self.level_of(self.state.level)
    }
    fn level_of(&self, number: u32) -> Level {
        match &self.state.course {
            Some(course) => Level::of_attempt(self.job.work(), number, course.attempt),
            None => Level::new(self.job.work(), number).with_marks(self.job.has_marks()),
        }
    }
    fn plan(&self) -> Plan {
        let Manifest { sizes, wanted, .. } = self.state;
        match self.job {
            Job::Simplify(_) => Plan::new(sizes, wanted, &self.room),
            Job::Remesh(_) => Plan::of_remeshing(sizes, wanted, &self.room),
        }
    }
    fn work_of(&self, tile: usize) -> Result<&Work> {
        let work = self.work.as_ref().filter(|work| tile < work.spans.len());
        work.ok_or(crate::TilesError::Task)
    }
    fn begin(&mut self, work: Work) -> Result<Vec<usize>> {
        let mut missing = vec![];
        for tile in 0..work.spans.len() {
            if !work.is_done(tile)? {
                missing.push(tile);
            }
        }
        self.work = Some(work);
        Ok(missing)
    }
    /// Cuts the mesh of the level into tiles, if it is not cut.
    fn cut(&mut self) -> Result<()> {
        if self.state.tiles.is_some() {
            return Ok(());
        }
        let (level, room) = (self.level(), self.room);
        disk::empty_folder(&level.results())?;
        let tiles = self.tiles(&level)?;
        if let (0, Job::Remesh(options)) = (self.state.level, &self.job) {
            self.state.sharp = options.sharp(&level, &spans(&tiles))?;
            self.begin_attempt(&level, &tiles)?;
        }
        if level.has_lengths() {
            gather_lengths(&level, self.state.sizes, &tiles, &room)?;
        }
        if let (0, Some(course)) = (self.state.level, &mut self.state.course) {
            course.expected = expected(&level, &tiles)?;
        }
        if self.state.level == 0 && self.job.projects() {
            self.state.of_input.clone_from(&tiles);
        }
        self.state.tiles = Some(tiles);
        self.state.save(self.job.work())
    }
    /// Cuts the mesh of a level.
    fn tiles(&self, level: &Level) -> Result<Vec<Tile>> {
        let Manifest { sizes, ref frame, .. } = self.state;
        let counts = cut(level, sizes, frame, self.plan().tile, &self.room)?;
        gather(level, sizes, &counts, &self.room)
    }
    /// Target lengths by curvature, unless they were shortened.
    fn begin_attempt(&self, level: &Level, tiles: &[Tile]) -> Result<()> {
        let Manifest { sizes, ref frame, length, sharp, ref course, .. } = self.state;
        let (Some(course), Job::Remesh(options)) = (course, &self.job) else { return Ok(()) };
        if course.attempts.least.is_some() {
            return Ok(());
        }
        let options = options.of_part(length, sharp, u64::MAX);
        let range = course.attempts.range.map(|part| part * length);
        by_curvature((level, sizes, tiles), frame, &self.room, &options, (course.tolerance, range))
    }
    /// Projects a result to the input, and compares the two.
    fn settle(&mut self, say: &mut dyn FnMut(String)) -> Result<()> {
        if self.state.sizes.faces == 0 {
            return self.end();
        }
        let (level, next) = (self.level(), self.level_of(self.state.level + 1));
        if !self.state.projected {
            let tiles = self.tiles(&level)?;
            let Manifest { sizes, input, ref of_input, ref frame, .. } = self.state;
            let cuts = [(&self.level_of(0), input, &**of_input), (&level, sizes, &*tiles)];
            project(cuts, &next, frame, &self.room)?;
            (self.state.level, self.state.projected) = (next.number, true);
            self.state.save(self.job.work())?;
            level.remove()?;
        }
        self.measure(say)
    }
    /// Compares the result of an attempt with the input. Another one begins, or the nearest one is the
    /// result.
    fn measure(&mut self, say: &mut dyn FnMut(String)) -> Result<()> {
        if self.state.course.is_none() {
            return self.end();
        }
        let (input, result) = (self.level_of(0), self.level());
        let tiles = self.tiles(&result)?;
        let (room, work) = (self.room, self.job.work().to_owned());
        let Manifest { frame, length, sizes, input: before, ref of_input, level: number, .. } = self.state;
        let cuts = [(&input, before, &**of_input), (&result, sizes, &*tiles)];
        let Some(course) = &mut self.state.course else { return Ok(()) };
        let finest = [course.attempts.range[0], course.attempts.finest];
        let tolerance = Tolerance::new(course.tolerance, finest, length);
        let distance = measure(cuts, &frame, &room, (&tolerance, length))?;
        let attempt = course.attempt;
        let next = Level::of_attempt(&work, 0, attempt + 1);
        let wants_more = !tolerance.holds(distance);
        let shorter = wants_more && shorten([&input, &next], before.vertices, &tolerance)?;
        say(format!("attempt {}: {} from the input", attempt + 1, frame.length(distance)));
        let levels = std::mem::take(&mut self.state.levels);
        let mut superseded = Some((attempt, number));
        if course.attempts.measured(distance, wants_more, shorter) {
            let nearest = Nearest { attempt, level: number, sizes, levels };
            superseded = course.nearest.replace(nearest).map(|before| (before.attempt, before.level));
        }
        if wants_more && course.attempts.gave_up.is_none() {
            self.again()?;
        } else {
            self.end()?;
        }
        // a level 0 is that of all attempts
        superseded
            .filter(|&(_, number)| number > 0)
            .map_or(Ok(()), |(attempt, number)| Level::of_attempt(&work, number, attempt).remove())
    }
    /// Begins another attempt.
    fn again(&mut self) -> Result<()> {
        let state = &mut self.state;
        if let Some(course) = &mut state.course {
            course.attempt += 1;
        }
        (state.level, state.sizes, state.tiles) = (0, state.input, None);
        (state.ended, state.projected) = (false, false);
        state.levels.clear();
        state.save(self.job.work())
    }
    /// Makes the nearest attempt the result.
    fn end(&mut self) -> Result<()> {
        let state = &mut self.state;
        if let Some(course) = &mut state.course
            && let Some(Nearest { attempt, level, sizes, levels }) = course.nearest.take()
        {
            (course.attempt, state.level, state.sizes, state.levels) = (attempt, level, sizes, levels);
        }
        state.complete = true;
        state.save(self.job.work())
    }
    /// Joins the results of tiles to the mesh of the next level.
    fn join(&mut self, work: &Work) -> Result<()> {
        let (plan, next) = (self.plan(), self.level_of(self.state.level + 1));
        let state = &mut self.state;
        let tiles = state.tiles.take().unwrap_or_default();
        let (sizes, waiting) = join(&work.level, tiles.len(), &next)?;
        state.levels.push(LevelReport {
            faces: state.sizes.faces,
            vertices: state.sizes.vertices,
            tiles: tiles.len() as u64,
            goal: plan.goal,
            largest_tile: tiles.iter().map(|tile| tile.faces).max().unwrap_or(0),
            at_borders: tiles.iter().map(|tile| tile.stay).sum(),
            left: sizes.faces,
            waiting,
        });
        // nothing is gained by levels that change nothing, and a mesh may have no other edge to collapse
        let done = match self.job {
            Job::Simplify(_) => {
                let stuck = sizes.faces == state.sizes.faces;
                sizes.faces <= state.wanted || plan.last && tiles.len() == 1 || stuck
            }
            Job::Remesh(_) => waiting == 0,
        };
        let most = if self.job.has_marks() { REMESHED } else { LEVELS };
        let last = done || state.level >= most;
        (state.level, state.sizes) = (state.level + 1, sizes);
        self.go_on(last)?;
        let kept = work.level.number == 0 && self.job.projects() || last && self.job.keep();
        if kept { Ok(()) } else { work.level.remove() }
    }
    /// Ends the levels after the last one, or where an attempt has too many faces.
    fn go_on(&mut self, last: bool) -> Result<()> {
        let (result, projects, state) = (self.level(), self.job.projects(), &mut self.state);
        (state.ended, state.complete) = (last && projects, last && !projects);
        if let Some(course) = &mut state.course {
            state.wanted = course.expected;
            if state.sizes.faces > course.most_faces {
                let measured = course.attempts.least.is_some();
                if course.attempts.coarser() {
                    self.again()?;
                    return result.remove();
                }
                if measured {
                    self.end()?;
                    return result.remove();
                }
                state.ended = true;
            }
        }
        state.save(self.job.work())
    }
}

/// Writes the input as level 0.
fn read(stream: &MeshStream, job: &Job, request: Request, room: &Room) -> Result<Manifest> {
    let level = Level::new(job.work(), 0).with_marks(job.has_marks());
    let (frame, sizes) = input::read(stream, &level, room, None)?;
    let (length, wanted, course) = match job {
        Job::Simplify(options) => (0.0, options.wanted(sizes.faces), None),
        Job::Remesh(options) => options.resolve((&level, sizes), &frame, room)?,
    };
    let state = Manifest {
        request,
        frame,
        input: sizes,
        wanted,
        length,
        sharp: Sharp::default(),
        course,
        level: 0,
        sizes,
        tiles: None,
        levels: vec![],
        of_input: vec![],
        ended: false,
        projected: false,
        complete: false,
    };
    state.save(job.work())?;
    Ok(state)
}

/// Does all rounds of a run by so many threads, and writes its output.
pub(crate) fn run(mut run: Run, threads: usize, say: &mut dyn FnMut(String)) -> Result<TilesReport> {
    if run.resumed() {
        say(format!("goes on with the work in {}", run.job.work().display()));
    }
    while run.round(say)?.is_some() {
        run.work(threads)?;
    }
    run.finish()
}
