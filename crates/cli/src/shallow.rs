//! `ribbonmesh shallow`.
mod frame;
mod grid;
mod ground;
mod picture;
mod watched;

use crate::failure::Failure;
use crate::frames::{Lines, begin_folder};
use crate::numbers::{list, number};
use crate::serving::{Serving, Watched};
use crate::session::Session;
use clap::{Args, ValueEnum};
use frame::Frames;
use grid::{Grid, Meaning};
use ground::{Ground, Land};
use ribbonmesh_application::counted;
use ribbonmesh_serve::HeightMap;
use ribbonmesh_shallow::{Options, Progress, ShallowError, Sides, Source, Water};
use serde::Serialize;
use std::path::PathBuf;
use std::str::FromStr;

/// Simulate shallow water over terrain: floods, dam breaks, lakes with moving shores
///
/// A terrain is a grid of heights: an ESRI ASCII grid (.asc), an array of NumPy (.npy) or a grey PNG of 8 or
/// 16 bits, whose first row is the northern one; or flat:N, bowl:N, island:N, of N × N cells. Four heights
/// are the corners of a cell. Only tiles that hold water or touch it are computed; no water is lost or made.
///
/// x goes to the east and y to the north, from 0 in the lower left corner. Units are those of the terrain,
/// and of time those of gravity: metres and seconds. frames.jsonl has a line of JSON for each frame.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh shallow flat:60 -o dam --dam 0,0,20,60@3 --time 4
  ribbonmesh shallow bowl:50 -o rain --rain 1e-3 --time 20 --every 5 --save asc,png
  ribbonmesh shallow bowl:50 -o on --water rain/frame-000004-depth.asc --time 2 --open all
  ribbonmesh shallow island:80 -o wave --water 2 --dam 0,0,10,80@4 --time 5 --save png
  ribbonmesh shallow flat:40 -o spring --inflow 18,18,22,22@5 --time 5 --save npy")]
pub struct Shallow {
    /// Heights: ASC, NPY or PNG; or flat:N, bowl:N, island:N
    #[arg(value_name = "TERRAIN")]
    terrain: Ground,
    /// Folder for frames and frames.jsonl; it must be empty or not exist
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Water at the beginning: a level, or a file with the depth of each cell, ASC, NPY or PNG
    #[arg(long, value_name = "LEVEL|FILE", allow_hyphen_values = true)]
    water: Option<Start>,
    /// More water at the beginning, up to a level in a rectangle; may be repeated
    #[arg(long, value_name = "X,Y,X,Y@LEVEL", allow_hyphen_values = true)]
    dam: Vec<Rectangle>,
    /// Water that comes into a rectangle, a volume per time; may be repeated
    #[arg(long, value_name = "X,Y,X,Y@VOLUME", allow_hyphen_values = true)]
    inflow: Vec<Rectangle>,
    /// Rain everywhere, a height per time
    #[arg(long, value_name = "RATE")]
    rain: Option<f64>,
    /// Time at the end
    #[arg(long, value_name = "T", default_value_t = 10.0)]
    time: f64,
    /// Time between two frames [default: a tenth of --time]
    #[arg(long, value_name = "T")]
    every: Option<f64>,
    /// Files of a frame: depth and velocities of cells as ASC or NPY, the surface as PLY, the map as PNG
    #[arg(
        long,
        value_name = "asc|npy|ply|png",
        value_enum,
        value_delimiter = ',',
        default_value = "ply,png"
    )]
    save: Vec<Save>,
    /// Manning's coefficient n: 0.03 for natural rivers, 0 for no friction
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    friction: f64,
    /// Sides through which water leaves; the others are walls
    #[arg(long, value_name = "west|east|south|north|all", value_enum, value_delimiter = ',')]
    open: Vec<Side>,
    /// Distance of neighbouring heights [default: the file's, or 1]
    #[arg(long, value_name = "LENGTH")]
    spacing: Option<f64>,
    /// Heights of black and white in a PNG
    #[arg(long, value_name = "LOW,HIGH", default_value = "0,100", allow_hyphen_values = true)]
    range: Range,
    /// Height where an ASC has no data [default: such a file is refused]
    #[arg(long, value_name = "HEIGHT", allow_hyphen_values = true)]
    nodata: Option<f64>,
    /// Acceleration of gravity
    #[arg(long, value_name = "G", default_value_t = Options::default().gravity)]
    gravity: f64,
    /// Part of a cell that the fastest wave crosses in a step, at most 0.25
    #[arg(long, value_name = "PART", default_value_t = Options::default().courant)]
    courant: f64,
    /// The highest level that water reaches [default: twice as high as terrain and water are]
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    highest: Option<f64>,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Save {
    Asc,
    Npy,
    Ply,
    Png,
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    West,
    East,
    South,
    North,
    All,
}

/// `--water`.
#[derive(Clone)]
enum Start {
    Level(f64),
    Depths(PathBuf),
}
impl FromStr for Start {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(level) if level.is_finite() => Ok(Self::Level(level)),
            Ok(_) => Err("a finite level is wanted".into()),
            Err(_) => Ok(Self::Depths(text.into())),
        }
    }
}

/// `X,Y,X,Y@VALUE`.
#[derive(Clone)]
struct Rectangle {
    from: [f64; 2],
    to: [f64; 2],
    value: f64,
}
impl FromStr for Rectangle {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is not X,Y,X,Y@VALUE, the lower left corner and the upper right one");
        let (corners, value) = text.split_once('@').ok_or_else(wrong)?;
        let corners = list(corners, number).ok_or_else(wrong)?;
        let value = number(value).ok_or_else(wrong)?;
        let [x, y, x_end, y_end]: [f64; 4] = corners;
        if x < x_end && y < y_end {
            Ok(Self { from: [x, y], to: [x_end, y_end], value })
        } else {
            Err(wrong())
        }
    }
}

/// `LOW,HIGH`.
#[derive(Clone)]
struct Range([f64; 2]);
impl FromStr for Range {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        list(text, number).map(Self).ok_or_else(|| format!("{text:?} is not LOW,HIGH"))
    }
}

/// A frame, and the state of the water at its time.
#[derive(Serialize)]
struct State {
    frame: u64,
    time: f64,
    steps: u32,
    /// The shortest time step so far; `None` before the first one.
    shortest_step: Option<f32>,
    volume: f64,
    wet_cells: u64,
    greatest_depth: f32,
    greatest_speed: f32,
    active_tiles: u32,
}

#[derive(Serialize)]
struct Results {
    columns: u32,
    rows: u32,
    spacing: f64,
    /// The unit in which heights are kept.
    unit: f64,
    tiles: u32,
    /// Of all tiles in all steps, the part that was computed.
    computed: f64,
    volume_before: f64,
    came_in: f64,
    /// Through open sides.
    left: f64,
    /// Seconds of all steps, without frames.
    step_seconds: f64,
    /// The last frame.
    end: State,
}

impl Shallow {
    fn options(&self, land: &Land) -> Result<Options, Failure> {
        let wall = |side| !(self.open.contains(&side) || self.open.contains(&Side::All));
        let sides = Sides {
            west: wall(Side::West),
            east: wall(Side::East),
            south: wall(Side::South),
            north: wall(Side::North),
        };
        let mut sources: Vec<Source> = self.rain.map(Source::rain).into_iter().collect();
        for Rectangle { from, to, value } in &self.inflow {
            let area = land.terrain.area(*from, *to);
            if area == 0.0 {
                return Err(Failure::Usage(format!(
                    "--inflow {},{},{},{}: there is no cell's middle of the terrain",
                    from[0], from[1], to[0], to[1]
                )));
            }
            sources.push(Source { from: *from, to: *to, rate: value / area });
        }
        let (gravity, friction, courant, highest) = (self.gravity, self.friction, self.courant, self.highest);
        Ok(Options { sides, gravity, friction, courant, highest, sources, ..Options::default() })
    }
    /// The level of each cell at the beginning.
    fn levels(&self, land: &Land) -> Result<Vec<f64>, Failure> {
        let terrain = &land.terrain;
        let mut levels = match &self.water {
            None => terrain.levels(|_, _| f64::NEG_INFINITY),
            Some(Start::Level(level)) => terrain.levels(|_, _| *level),
            Some(Start::Depths(file)) => {
                let depths = Grid::read(file, &self.meaning())?;
                let expected = [terrain.columns() as usize, terrain.rows() as usize];
                if [depths.columns, depths.rows] != expected {
                    return Err(Failure::Refused(format!(
                        "{}: depths of {} by {} cells; the terrain has {} by {}",
                        file.display(),
                        depths.columns,
                        depths.rows,
                        expected[0],
                        expected[1]
                    )));
                }
                let level = |(cell, depth): (usize, &f64)| {
                    let (column, row) = (cell % expected[0], cell / expected[0]);
                    // the size of a grid has 16 bits
                    terrain.bed(column as u32, row as u32) + depth
                };
                depths.values.iter().enumerate().map(level).collect()
            }
        };
        for Rectangle { from, to, value } in &self.dam {
            terrain.fill(&mut levels, *from, *to, *value);
        }
        Ok(levels)
    }
    fn meaning(&self) -> Meaning {
        Meaning { range: self.range.0, no_data: self.nodata }
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.time) {
            return Err(Failure::Usage("--time: a positive number is wanted".into()));
        }
        let every = self.every.unwrap_or(self.time / 10.0);
        if !positive(every) || self.time / every > 1e6 {
            return Err(Failure::Usage(
                "--every: a positive number is wanted, at least a millionth of --time".into(),
            ));
        }
        session.keep(None, &[])?;
        let server = self.serving.begin(session, &self.output)?;
        let land = session.phase("read", || self.terrain.read(self.spacing, &self.meaning()))?;
        let (options, levels) = (self.options(&land)?, self.levels(&land)?);
        let device = session.device()?;
        let begin = || Water::new(&device, &land.terrain, &levels, &options).map_err(spelled);
        let water = session.phase("begin", begin)?;
        begin_folder(&self.output, "frames of two runs would be mixed")?;
        let frames = Frames { folder: &self.output, land: &land, save: &self.save };
        let mut watched = self.watched(server, &land, &water)?;
        self.simulate(session, (water, &mut watched), every, &frames)?;
        if let Some(watched) = watched {
            watched.stay(session);
        }
        Ok(())
    }
    /// Steps and frames until the end.
    fn simulate(
        &self,
        session: &mut Session,
        (mut water, watched): (Water, &mut Option<Watched<HeightMap>>),
        every: f64,
        frames: &Frames<'_>,
    ) -> Result<(), Failure> {
        let log = self.output.join("frames.jsonl");
        let mut lines = Lines::new(&log)?;
        frames.begin(session)?;
        let volume_before = water.volume()?;
        let mut end = frames.add(session, &water, 0)?;
        lines.put(&end)?;
        let (mut frame, mut seconds) = (0, 0.0);
        while water.progress().time < self.time {
            frame += 1;
            let until = (frame as f64 * every).min(self.time);
            let done = session.phase("steps", || watched::advance(&mut water, until, watched));
            seconds += done.map_err(|failure| failure.midway("; frames before it are on disk"))?;
            end = frames.add(session, &water, frame)?;
            lines.put(&end)?;
        }
        session.wrote(&log);
        let (progress, terrain) = (water.progress(), &frames.land.terrain);
        let came_in = water.came_in()?;
        let results = Results {
            columns: terrain.columns(),
            rows: terrain.rows(),
            spacing: terrain.spacing(),
            unit: water.unit(),
            tiles: progress.tiles,
            computed: part_computed(&progress),
            volume_before,
            came_in,
            left: volume_before + came_in - end.volume,
            step_seconds: seconds,
            end,
        };
        results.say(session);
        session.results(&results);
        Ok(())
    }
}

/// Of all tiles in all steps, the part that was computed.
fn part_computed(progress: &Progress) -> f64 {
    let all = f64::from(progress.tiles) * f64::from(progress.steps);
    if all > 0.0 { progress.computed as f64 / all } else { 0.0 }
}

impl Results {
    fn say(&self, session: &Session) {
        session.say(format_args!(
            "{} to time {} in {:.3} s: {} by {} cells, {:.1} % of tiles computed",
            counted(u64::from(self.end.steps), "step"),
            self.end.time,
            self.step_seconds,
            self.columns,
            self.rows,
            100.0 * self.computed,
        ));
        session.say(format_args!(
            "volume: {:.6} at first, {:.6} came in, {:.6} left, {:.6} at the end; {}",
            self.volume_before,
            self.came_in,
            self.left,
            self.end.volume,
            counted(self.end.wet_cells, "wet cell"),
        ));
    }
}

/// The error, about an option as the command spells it.
fn spelled(error: ShallowError) -> Failure {
    match error {
        ShallowError::Option { option: "rate", value, expected } => {
            Failure::Usage(format!("--rain, --inflow: {value} as a height per time; expected {expected}"))
        }
        ShallowError::Option { option, value, expected } => {
            Failure::Usage(format!("--{option} is {value}; expected {expected}"))
        }
        error => error.into(),
    }
}
