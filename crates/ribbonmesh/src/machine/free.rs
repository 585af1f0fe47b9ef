//! Free memory of a machine.
use std::path::Path;

/// The memory of a machine, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeMemory {
    /// Bytes that can still be allocated; approximate, since other programs use the same memory.
    pub free: u64,
    /// All of it.
    pub total: u64,
}

/// The error about bytes that cannot be had.
pub(super) fn refused(needed: u64, memory: Option<FreeMemory>) -> crate::Error {
    let FreeMemory { free, total } = memory.unwrap_or(FreeMemory { free: 0, total: 0 });
    crate::Error::OutOfMemory { needed, free, total }
}

/// The memory of this computer, or of the control group of this process if that has less; `None` if the
/// system does not tell, for example outside of Linux.
pub(super) fn of_host() -> Option<FreeMemory> {
    let host = of_meminfo(&std::fs::read_to_string("/proc/meminfo").ok()?)?;
    Some(of_group(Path::new("/sys/fs/cgroup")).filter(|group| group.free < host.free).unwrap_or(host))
}

/// The memory from the text of `/proc/meminfo`.
fn of_meminfo(text: &str) -> Option<FreeMemory> {
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    };
    Some(FreeMemory { free: number("MemAvailable:")?, total: number("MemTotal:")? })
}

/// The memory from the files of a control group (version 2); `None` without a limit. Files in the cache count
/// as free.
fn of_group(folder: &Path) -> Option<FreeMemory> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let total = number("memory.max")?;
    let cached = read("memory.stat")
        .and_then(|text| text.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok()));
    let used = number("memory.current")?.saturating_sub(cached.unwrap_or(0));
    Some(FreeMemory { free: total.saturating_sub(used), total })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_system() {
        let text = "MemTotal:  2048 kB\nMemFree:   10 kB\nMemAvailable:    1024 kB\n";
        assert_eq!(of_meminfo(text), Some(FreeMemory { free: 1 << 20, total: 2 << 20 }));
        assert_eq!(of_meminfo("MemTotal: 2048 kB\n"), None);
        let folder = std::env::temp_dir().join(format!("ribbonmesh-free-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        assert_eq!(of_group(&folder), None);
        write("memory.max", "1000\n");
        write("memory.stat", "anon 5\ninactive_file 300\n");
        assert_eq!(of_group(&folder), Some(FreeMemory { free: 600, total: 1000 }));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
