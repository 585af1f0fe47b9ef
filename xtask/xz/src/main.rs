//! `ribbonmesh-xz pack|unpack`: xz from standard input to standard output, for machines that may not have it.

use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::io::{BufWriter, Error, Result, Write, copy, stdin, stdout};
use std::process::ExitCode;

/// The strongest: its window of 64 MiB finds what several programs have in common.
const PRESET: u32 = 9;

fn main() -> ExitCode {
    let done = match std::env::args().nth(1).as_deref() {
        Some("pack") => pack(),
        Some("unpack") => unpack(),
        _ => Err(Error::other("usage: ribbonmesh-xz pack|unpack <FROM >TO")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pack() -> Result<()> {
    let mut packer = XzWriter::new(BufWriter::new(stdout().lock()), XzOptions::with_preset(PRESET))?;
    copy(&mut stdin().lock(), &mut packer)?;
    packer.finish()?.flush()
}

fn unpack() -> Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    copy(&mut XzReader::new(stdin().lock(), false), &mut out)?;
    out.flush()
}
