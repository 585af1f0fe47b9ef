//! `ribbonmesh view`.
use crate::failure::Failure;
use crate::render::Pixels;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::{counted, short};
use ribbonmesh_render::{Colormap, Image};
use ribbonmesh_serve::{Client, Received};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Receive frames of a server without a browser, and measure them
///
/// URL is the address that serve, or a command with --serve, prints. The view is that of the whole box from
/// the front.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh view URL --expr 'mag(position)' -o last.png
  ribbonmesh view URL --size 512x512 --frames 100 --seconds 2 --log frames.jsonl")]
pub struct View {
    /// Address of the page
    #[arg(value_name = "URL")]
    url: String,
    /// Expression [default: the first field that is a number, else 1]
    #[arg(long, value_name = "TEXT")]
    expr: Option<String>,
    /// Pixels of a frame
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1024x1024")]
    size: Pixels,
    /// Most frames
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    frames: Option<u64>,
    /// Most seconds
    #[arg(long, value_name = "T", default_value_t = 5.0)]
    seconds: f64,
    /// Write a line of JSON for each frame
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Picture of the last frame: PNG
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// A line of the log.
#[derive(Serialize)]
struct Line {
    step: u64,
    time: f64,
    points: u32,
    bytes: usize,
    /// Since the first request.
    seconds: f64,
    decoding_ms: f64,
    /// From the step or the request, whichever is later, to the sending.
    age_ms: f64,
}

#[derive(Serialize)]
struct Results {
    frames: usize,
    bytes: usize,
    /// From the first request to the last frame.
    seconds: f64,
    frames_per_second: f64,
    megabits_per_second: f64,
    /// Medians.
    decoding_ms: f64,
    age_ms: f64,
}

impl Results {
    fn of(lines: &[Line]) -> Self {
        let median = |of: fn(&Line) -> f64| {
            let mut numbers: Vec<f64> = lines.iter().map(of).collect();
            numbers.sort_by(f64::total_cmp);
            numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
        };
        let bytes = lines.iter().map(|line| line.bytes).sum();
        let seconds = lines.last().map_or(0.0, |line| line.seconds);
        let rate = |n: f64| if seconds > 0.0 { n / seconds } else { 0.0 };
        Self {
            frames: lines.len(),
            bytes,
            seconds,
            frames_per_second: rate(lines.len() as f64),
            megabits_per_second: rate(8e-6 * bytes as f64),
            decoding_ms: median(|line| line.decoding_ms),
            age_ms: median(|line| line.age_ms),
        }
    }
}

impl View {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if !(self.seconds > 0.0 && self.seconds <= 1e6) {
            return Err(Failure::Usage(format!("--seconds {}: above 0, at most 1e6", self.seconds)));
        }
        let mut client = Client::connect(&self.url)?;
        let first = || {
            let fields = client.description()["fields"].as_array().into_iter().flatten();
            let scalar =
                fields.filter(|field| field["type"] == "scalar").find_map(|field| field["name"].as_str());
            scalar.map_or_else(|| "1".to_owned(), |name| format!("`{name}`"))
        };
        let expression = self.expr.clone().unwrap_or_else(first);
        client.ask(&expression)?;
        client.look(self.size.0)?;
        let (begin, wait) = (Instant::now(), Duration::from_secs_f64(self.seconds));
        client.request(0)?;
        let (mut lines, mut last) = (vec![], None);
        while self.frames.is_none_or(|most| (lines.len() as u64) < most) {
            let Some(frame) = client.frame(wait.saturating_sub(begin.elapsed()))? else { break };
            client.request(1)?;
            lines.push(Line {
                step: frame.header.step,
                time: frame.header.time,
                points: frame.header.count,
                bytes: frame.bytes,
                seconds: (frame.at - begin).as_secs_f64(),
                decoding_ms: 1e3 * frame.decoding.as_secs_f64(),
                age_ms: 1e-3 * f64::from(frame.header.age),
            });
            last = Some(frame);
        }
        if let Some(log) = &self.log {
            session.emit(Some(log), |out| {
                lines.iter().try_for_each(|line| {
                    serde_json::to_writer(&mut *out, line)?;
                    out.write_all(b"\n")
                })
            })?;
        }
        if let (Some(output), Some(frame)) = (&self.output, &last) {
            session.write_picture(output, &picture(frame))?;
        }
        let results = Results::of(&lines);
        let line = format!(
            "{} in {} s: {} frames and {} Mbit a second; decoding {} ms, age {} ms (medians)",
            counted(results.frames as u64, "frame"),
            short(results.seconds),
            short(results.frames_per_second),
            short(results.megabits_per_second),
            short(results.decoding_ms),
            short(results.age_ms),
        );
        session.results(&results);
        session.emit(None, |out| writeln!(out, "{line}"))
    }
}

/// The values of a frame in colours, on white.
fn picture(frame: &Received) -> Image {
    let header = frame.rixels.header();
    let mut image = Image::new(header.width, header.height, [255; 4]);
    let scale = (header.maximum - header.minimum).max(f32::MIN_POSITIVE);
    for pixel in frame.rixels.pixels() {
        let [r, g, b] = match pixel.value {
            Some(value) => Colormap::Viridis.at((value - header.minimum) / scale),
            None => [128; 3],
        };
        image.set(pixel.x, header.height - 1 - pixel.y, [r, g, b, 255]);
    }
    image
}
