//! Signals that end the program: it leaves no files behind.
use ribbonmesh_io::remove_unfinished;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::ffi::c_int;

/// Has a thread wait for Ctrl-C, for requests to end, and for the end of the terminal. It removes files that
/// are being written, and then the signal ends the process as it does by default.
///
/// A signal that the process was told to ignore (`nohup`, jobs in the background of a script) stays ignored,
/// as far as the system says so.
pub fn watch() {
    let ignored = ignored();
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| {
        let unknown = *signal != SIGHUP;
        ignored.map_or(unknown, |set| set >> (signal - 1) & 1 == 0)
    });
    // without it, such a file may be left
    let Ok(mut signals) = Signals::new(watched.collect::<Vec<c_int>>()) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            remove_unfinished();
            _ = emulate_default_handler(signal);
        }
    });
}

/// The signals that this process ignores, bit i − 1 for signal i, where the system says it.
fn ignored() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(set.trim(), 16).ok()
}
