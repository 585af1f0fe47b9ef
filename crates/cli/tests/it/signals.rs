//! Signals that end the program while it writes.
use crate::common;
use common::Folder;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};
use std::time::Duration;

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("")).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Waits until a program has written a part of a file.
fn wait_until_it_writes(folder: &Folder, child: &mut Child) {
    let begun = |name: &String| {
        let length = || std::fs::metadata(folder.path(name)).map_or(0, |file| file.len());
        name.starts_with(".ribbonmesh-") && length() > 0
    };
    while !names(folder).iter().any(begun) {
        assert!(child.try_wait().expect("a status").is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Whether this process ignores a signal, and with it the programs that it starts: under `nohup`, for
/// example.
fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok())
        .is_some_and(|set| set >> (number - 1) & 1 == 1)
}

#[test]
fn nothing_is_left_behind() {
    // the program heeds SIGTERM in any case
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        if number != 15 && is_ignored(number) {
            continue;
        }
        let folder = Folder::new();
        folder.write("big.obj.gz", "old");
        let mut child = folder.start("exec ribbonmesh generate icosphere 8 -o big.obj.gz");
        wait_until_it_writes(&folder, &mut child);
        send(&child, signal);
        assert_eq!(child.wait().expect("a status").signal(), Some(number), "{signal}");
        assert_eq!(names(&folder), ["big.obj.gz"], "{signal}");
        assert_eq!(folder.text("big.obj.gz"), "old", "{signal}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    let folder = Folder::new();
    // the program ignores the signals that the shell ignores
    let mut child = folder.start("trap '' HUP INT; exec ribbonmesh generate icosphere 7 -o big.obj.gz");
    wait_until_it_writes(&folder, &mut child);
    send(&child, "-HUP");
    send(&child, "-INT");
    assert!(child.wait().expect("a status").success());
    assert_eq!(names(&folder), ["big.obj.gz"]);
}
