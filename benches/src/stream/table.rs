//! The tables as Markdown, beside the thesis's numbers.
use super::expressions::{CHUNKS, EXPRESSIONS, KERNEL, MACHINE, PTX, THREADS, Tier, WALK};
use super::frames::Frames;
use super::network::Streamed;
use super::page::Watched;
use super::{All, thesis};
use crate::report::{self, Report, row};
use anyhow::Result;
use std::fmt::Write;

/// All tables.
pub fn write(report: &Report, all: &All) -> Result<String> {
    let (m, mut text) = (&report.machine, String::new());
    writeln!(text, "# Streaming: {}\n", m.name)?;
    if let Some(driver) = &m.driver {
        writeln!(text, "Driver {driver}; host {}, {} threads.", m.cpu, m.threads)?;
    }
    let profile =
        if cfg!(debug_assertions) { ", built for development (optimized, with checks)" } else { "" };
    writeln!(
        text,
        "{}, version {}{profile}. Beside chapter 6 of Mueller-Roemer's thesis (2020), *T*: numbers of its own machines. \
         Milliseconds unless said otherwise.",
        report.date,
        env!("CARGO_PKG_VERSION"),
    )?;
    frames(&mut text, &all.frames)?;
    expressions(&mut text, all)?;
    break_even(&mut text, all)?;
    networks(&mut text, &all.networks)?;
    rixels(&mut text, all)?;
    served(&mut text, all)?;
    Ok(text)
}

fn head(text: &mut String, title: &str, words: &str, columns: &[&str]) -> Result<()> {
    writeln!(text, "\n## {title}\n\n{words}\n")?;
    report::head(text, columns)
}

pub fn frames(text: &mut String, measured: &[Frames]) -> Result<()> {
    head(
        text,
        "Table 6.1: a frame's time",
        "Fields of 1024² values as pictures of 1024² pixels, all seen, values and depths of 16 bits: a frame for each field, \
         the mean. *Server*: drawing two million faces, packing, the copy to the host and into the socket's message; the thesis serializes \
         only. *Client*: from bytes to a place, a value and a depth for each pixel. *Chromium*: to the page's arrays, and from \
         these to WebGL (on the CPU, headless), median and 95 %, of a picture that is seen whole, with a margin of 4 % of the pixels that is \
         another one than in the frame before, and with the same margin as there.",
        &[
            "fields",
            "bytes",
            "server",
            "T",
            "client",
            "T",
            "Chromium, arrays",
            "WebGL",
            "with a margin",
            "WebGL",
            "the same margin",
            "WebGL",
            "T: Chrome",
            "T: telephone",
        ],
    )?;
    for (frames, (_, [server, native, chrome, phone])) in measured.iter().zip(thesis::FRAMES) {
        let of = |[half, most]: [f64; 2]| format!("{half:.2} ({most:.2})");
        let browser = match frames.browser_ms {
            Some(times) => times.as_flattened().iter().map(|ms| of(*ms)).collect(),
            None => vec!["–".to_owned(); 6],
        };
        writeln!(
            text,
            "| {} | {} | {:.2} | {server} | {:.2} | {native} | {} | {chrome} | {phone} |",
            frames.fields,
            frames.bytes,
            frames.server_ms,
            frames.native_ms,
            browser.join(" | ")
        )?;
    }
    Ok(())
}

/// The thesis's numbers for a way: compilation and execution; calculation and copy.
fn of_thesis(expression: &str, way: &str) -> Option<([f64; 2], Option<[f64; 2]>)> {
    let at = EXPRESSIONS.iter().position(|text| *text == expression)?;
    let of = &thesis::EXPRESSIONS[at];
    match way {
        WALK => Some((of.interpreter, None)),
        MACHINE => Some((of.cpu, Some(of.parts[0]))),
        PTX => Some((of.gpu, Some(of.parts[1]))),
        _ => None,
    }
}

fn expressions(text: &mut String, all: &All) -> Result<()> {
    let cached = match (all.driver_cache, all.expressions.iter().any(|tier| tier.way == PTX)) {
        (true, true) => {
            " The driver may have kept PTX that it compiled earlier (`CUDA_CACHE_DISABLE=1` prevents it)."
        }
        _ => "",
    };
    head(
        text,
        "Tables 6.2 and 6.3: expressions",
        &format!(
            "Fields of 1024² values, medians. The first three ways have one thread of the CPU. *With copy*: on a GPU machine, \
             of the fields to the host before evaluation on the CPU, or of the result after evaluation on the GPU, the median and the least; the thesis's execution \
             includes both copies.{cached}"
        ),
        &["expression", "way", "compile", "T", "execute", "T: calculation", "with copy", "T: execution"],
    )?;
    for tier in &all.expressions {
        let of = of_thesis(tier.expression, tier.way);
        let [compile, execute] =
            of.map_or(["–", "–"].map(str::to_owned), |(both, _)| both.map(|ms| ms.to_string()));
        let calculation = of.and_then(|(_, parts)| parts).map_or("–".to_owned(), |[ms, _]| ms.to_string());
        let copied = match (tier.copied_ms, tier.copied_least_ms) {
            (Some(median), Some(least)) => format!("{median:.3} ({least:.3})"),
            _ => "–".to_owned(),
        };
        writeln!(
            text,
            "| `{}` | {} | {:.4} | {compile} | {:.4} | {calculation} | {copied} | {execute} |",
            tier.expression, tier.way, tier.compile_ms, tier.execute_ms
        )?;
    }
    Ok(())
}

fn break_even(text: &mut String, all: &All) -> Result<()> {
    head(
        text,
        "Table 6.4: frames until compilation is repaid",
        "`(compile a - compile b) / (frame b - frame a)`, with copies where there are any; 0 if a way compiles no longer than \
         the other, \"never\" if its frames take longer. T: machine code against the interpreter; PTX against the interpreter and \
         machine code.",
        &["expression", "way", "against the walk", "chunks", "machine code", "kernel", "T"],
    )?;
    for (expression, of) in EXPRESSIONS.into_iter().zip(&thesis::EXPRESSIONS) {
        let find = |way| all.expressions.iter().find(|tier| (tier.expression, tier.way) == (expression, way));
        let against = |tier: &Tier, way| match find(way) {
            Some(other) if other.way != tier.way => match tier.break_even(other) {
                Some(frames) => format!("{:.0} ({frames:.2})", frames.ceil()),
                None => "never".to_owned(),
            },
            _ => "–".to_owned(),
        };
        for way in [CHUNKS, MACHINE, THREADS, KERNEL, PTX] {
            let Some(tier) = find(way) else { continue };
            let [machine, interpreter, code] = of.frames;
            let theirs = match way {
                MACHINE => format!("{machine}"),
                PTX => format!("{interpreter}, {code}"),
                _ => "–".to_owned(),
            };
            let others = [WALK, CHUNKS, MACHINE, KERNEL].map(|other| against(tier, other));
            writeln!(text, "| `{expression}` | {way} | {} | {theirs} |", others.join(" | "))?;
        }
    }
    Ok(())
}

fn networks(text: &mut String, all: &[Streamed]) -> Result<()> {
    head(
        text,
        "Figures 6.8 and 6.9: networks",
        &format!(
            "Twenty seconds or fifty frames in computed time: a source with a thousand steps a second, a client whose camera moves all the time, a \
             network with a bandwidth and a delay. *Turnaround*: from a frame's arrival to that of the client's answer. *Formula*: n s / (s + B r). \
             *Age*: from a step to the arrival of its frame. *Motion to photon*: from a move of the camera to the arrival of a frame that \
             shows it; the page moves what it has at once. Both without encoding and decoding, median and 95 %. {}",
            thesis::NETWORK
        ),
        &[
            "bytes",
            "Mbit/s",
            "turnaround",
            "credits",
            "frames/s",
            "used",
            "formula",
            "age",
            "motion to photon",
        ],
    )?;
    for m in all {
        let both = |[median, most]: [f64; 2]| format!("{median:.0}, {most:.0}");
        writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {:.1} % | {:.1} % | {} | {} |",
            m.bytes,
            m.megabits,
            m.turnaround_ms,
            m.credits,
            m.frames_per_second,
            100.0 * m.utilisation,
            100.0 * m.formula,
            both(m.age_ms),
            both(m.moved_ms)
        )?;
    }
    Ok(())
}

fn rixels(text: &mut String, all: &All) -> Result<()> {
    head(
        text,
        "Figure 6.10: rixels",
        &format!(
            "A sphere with a value for each vertex. *Old*: 15 bytes for each pixel that is seen. *Thesis*: the layout by its text. *Saved*: of \
             the bytes of *old*. *Drawn*: on the device, median; *encoded*: by the host's clock, drawing and the copy included, the mean and the least; *decoded*: to \
             a place, a value and a depth for each pixel. {}",
            thesis::RIXELS
        ),
        &[
            "faces", "pixels", "seen", "depths", "old", "thesis", "bytes", "saved", "drawn", "encoded",
            "decoded",
        ],
    )?;
    for m in &all.rixels {
        writeln!(
            text,
            "| {} | {} | {:.2} % | {} | {} | {} | {} | {:.1} % | {:.3} | {:.3} ({:.3}) | {:.3} |",
            m.faces,
            m.pixels,
            100.0 * f64::from(m.count) / f64::from(m.pixels),
            m.depth_bits,
            m.old(),
            m.thesis(),
            m.bytes,
            100.0 * (1.0 - m.bytes as f64 / m.old() as f64),
            m.draw_ms,
            m.encode_ms[0],
            m.encode_ms[1],
            m.decode_ms
        )?;
    }
    Ok(())
}

fn served(text: &mut String, all: &All) -> Result<()> {
    let large = &all.large;
    head(
        text,
        "A large mesh",
        &format!(
            "{}; a client on this machine asks for another view of 1024² with each frame, for five seconds. Goal on a GPU: 30 frames a second \
             of a hundred million faces.",
            large.mesh
        ),
        &["faces", "frames/s", "bytes", "pixels", "motion to photon", "server", "s to begin"],
    )?;
    writeln!(
        text,
        "| {} | {:.1} | {:.0} | {} | {:.2} ({:.2}) | {:.2} ({:.2}) | {:.1} |",
        large.faces,
        large.frames_per_second,
        large.bytes,
        large.seen,
        large.moved_ms[0],
        large.moved_ms[1],
        large.age_ms[0],
        large.age_ms[1],
        large.begin_seconds
    )?;
    page(text, &all.page)
}

pub fn page(text: &mut String, all: &[Watched]) -> Result<()> {
    let Some(last) = all.last() else { return Ok(()) };
    head(
        text,
        "The page",
        "The page in headless Chromium on this machine, which draws on the CPU, shows a mesh of 82 thousand faces as points; the mouse turns \
         it, and the source makes a step each 33 ms. A limiter is the network. *Input to picture*: from an event of the mouse until the points \
         that the page has are drawn from the new camera. *Motion to photon*: from this event until a frame is drawn that was made for this \
         camera or a later one. *Age*: from a step until its frame is drawn, by the clock that server and browser share; *estimated*: by the \
         page, from the server's time and half of a round trip. Until the browser's next frame begins; median and 95 %.",
        &[
            "Mbit/s",
            "turnaround",
            "frames",
            "bytes",
            "input to picture",
            "motion to photon",
            "age",
            "estimated",
        ],
    )?;
    let both = |[median, most]: [f64; 2]| format!("{median:.0}, {most:.0}");
    for m in all {
        let [megabits, turnaround] = match m.network {
            Some((megabits, turnaround)) => [megabits.to_string(), turnaround.to_string()],
            None => ["–", "–"].map(str::to_owned),
        };
        let times = [m.picture_ms, m.photon_ms, m.age_ms, m.estimated_ms].map(both).join(" | ");
        writeln!(text, "| {megabits} | {turnaround} | {} | {:.0} | {times} |", m.frames, m.bytes)?;
    }
    writeln!(text, "\nThe page's statistics of the last row:\n")?;
    row(text, &["statistics", ""])?;
    row(text, &["---"; 2])?;
    last.statistics.iter().try_for_each(|(name, value)| row(text, &[name, value]))
}
