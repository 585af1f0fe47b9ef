//! Machine code that is built into the library, so that the driver has nothing to compile.
//!
//! If `RIBBONMESH_MACHINE_CODE` names an archive when the library is compiled, the archive becomes part of
//! it. `cargo xtask release` makes one and builds the command with it. `ribbonmesh_ptx::machine_code` has the
//! format. An entry is used only for the file of PTX whose hash it states.
use flate2::read::ZlibDecoder;
use std::io::Read;

/// The archive; empty if none was named.
static ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/machine-code"));

/// The first line of an archive.
const FIRST: &[u8] = b"RibbonMesh machine code 1\n";
/// Machine code of one file has at most this many bytes.
const MOST: u64 = 1 << 30;

/// The machine code of a package's PTX with this hash for a chip (90 for `sm_90`), or the reason why it
/// cannot be read; `None` if there is none.
pub fn find(package: &str, hash: &str, chip: u32) -> Option<Result<Vec<u8>, String>> {
    find_in(ARCHIVE, package, hash, chip)
}

/// A line of the table, and the place of its code.
struct Entry<'a> {
    package: &'a str,
    text: &'a str,
    chip: u32,
    len: u64,
    packed: &'a [u8],
}

fn find_in(archive: &[u8], package: &str, hash: &str, chip: u32) -> Option<Result<Vec<u8>, String>> {
    if archive.is_empty() {
        return None;
    }
    let entries = match entries(archive) {
        Some(entries) => entries,
        None => return Some(Err("the table of the archive is damaged".into())),
    };
    // code runs on chips of the same major version with the same or a larger minor one
    let fits = |entry: &&Entry<'_>| {
        entry.package == package && entry.text == hash && entry.chip / 10 == chip / 10 && entry.chip <= chip
    };
    let entry = entries.iter().filter(fits).max_by_key(|entry| entry.chip)?;
    let mut code = Vec::new();
    let read = ZlibDecoder::new(entry.packed).take(MOST).read_to_end(&mut code);
    Some(match read {
        Ok(n) if n as u64 == entry.len => Ok(code),
        Ok(n) => Err(format!("{n} bytes instead of {}", entry.len)),
        Err(e) => Err(e.to_string()),
    })
}

/// The table: a line for each entry, then an empty one, then the code of all in the same order.
fn entries(archive: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut rest = archive.strip_prefix(FIRST)?;
    let mut lines = vec![];
    loop {
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?;
        rest = &rest[end + 1..];
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let mut entries = vec![];
    for line in lines {
        let mut words = line.split(' ');
        let (package, text) = (words.next()?, words.next()?);
        let (chip, len) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let packed;
        (packed, rest) = rest.split_at_checked(words.next()?.parse().ok()?)?;
        entries.push(Entry { package, text, chip, len, packed });
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_ptx::{MachineCode, machine_code};

    fn archive() -> Vec<u8> {
        let code = |package: &str, text: &str, chip, byte| MachineCode {
            package: package.into(),
            text: text.into(),
            chip,
            code: vec![byte; 5000 + byte as usize],
        };
        machine_code(&[
            code("one", "abc", 80, 1),
            code("one", "abc", 86, 2),
            code("one", "older", 90, 3),
            code("two", "abc", 90, 4),
        ])
        .expect("written to memory")
    }
    fn first(archive: &[u8], name: &str, chip: u32) -> Option<Result<u8, String>> {
        Some(find_in(archive, name, "abc", chip)?.map(|code| {
            assert!(code.iter().all(|&byte| byte == code[0]) && code.len() == 5000 + code[0] as usize);
            code[0]
        }))
    }

    #[test]
    fn the_newest_code_that_runs_on_the_chip() {
        let archive = archive();
        assert_eq!(first(&archive, "one", 80), Some(Ok(1)));
        assert_eq!(first(&archive, "one", 86), Some(Ok(2)));
        assert_eq!(first(&archive, "one", 89), Some(Ok(2)), "an older chip of the same major version");
        assert_eq!(first(&archive, "one", 75), None, "no code for an older chip");
        assert_eq!(first(&archive, "one", 90), None, "code of other PTX");
        assert_eq!(first(&archive, "two", 90), Some(Ok(4)));
        assert_eq!(first(&archive, "three", 90), None);
        assert_eq!(find_in(&archive, "one", "def", 80), None, "PTX of another hash");
        assert_eq!(first(b"", "one", 80), None);
    }

    #[test]
    fn damage_is_found() {
        let whole = archive();
        let mut wrong = 0;
        for cut in (0..whole.len()).step_by(7).chain([whole.len() - 1]).skip(1) {
            wrong += matches!(first(&whole[..cut], "two", 90), Some(Err(_))) as usize;
        }
        assert_eq!(wrong, (1..whole.len()).filter(|cut| cut % 7 == 0).count() + 1, "each archive cut short");
        let mut other = whole;
        other[0] ^= 1;
        assert!(matches!(first(&other, "one", 80), Some(Err(_))));
    }

    #[test]
    fn what_is_built_in_can_be_read() {
        assert!(ARCHIVE.is_empty() || entries(ARCHIVE).is_some_and(|entries| !entries.is_empty()));
    }
}
