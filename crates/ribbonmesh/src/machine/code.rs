//! Machine code that is built into the library, so that the driver has nothing to compile.
//!
//! If `RIBBONMESH_MACHINE_CODE` names an archive when the library is compiled, the archive becomes part of
//! it. `cargo xtask release` makes one and builds the command with it. `ribbonmesh_ptx::machine_code` has the
//! format. An entry is used only for the file of PTX whose hash it states.
use flate2::{Crc, read::ZlibDecoder};
use std::io::Read;
use std::sync::LazyLock;

/// The archive that is built in; empty if none was named.
static BUILT_IN: LazyLock<Archive<'static>> =
    LazyLock::new(|| Archive::read(include_bytes!(concat!(env!("OUT_DIR"), "/machine-code"))));

/// The first line of an archive.
const FIRST: &[u8] = b"RibbonMesh machine code 2\n";
/// The first bytes of machine code.
const ELF: &[u8] = b"\x7fELF";
/// Machine code of one file has at most this many bytes.
const MOST: u64 = 1 << 30;

/// An archive of machine code.
pub struct Archive<'a> {
    /// Its table; `None` if it is damaged.
    entries: Option<Vec<Entry<'a>>>,
}

/// A line of the table, and the place of its code.
struct Entry<'a> {
    /// The words before the check.
    label: &'a str,
    package: &'a str,
    text: &'a str,
    chip: u32,
    len: u64,
    check: u32,
    packed: &'a [u8],
}

impl Archive<'static> {
    /// The archive that is built in.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }
    /// An archive without entries.
    pub fn empty() -> &'static Self {
        static EMPTY: Archive<'static> = Archive { entries: Some(Vec::new()) };
        &EMPTY
    }
}

impl<'a> Archive<'a> {
    /// The archive with these bytes, of which only the table is read; without bytes it is empty.
    pub fn read(bytes: &'a [u8]) -> Self {
        Self { entries: if bytes.is_empty() { Some(Vec::new()) } else { entries(bytes) } }
    }

    /// The machine code of a package's PTX with this hash for a chip (90 for `sm_90`), or the reason why it
    /// cannot be used; `None` if there is none.
    pub fn find(&self, package: &str, hash: &str, chip: u32) -> Option<Result<Vec<u8>, String>> {
        let Some(entries) = &self.entries else {
            return Some(Err("the table of the archive is damaged".into()));
        };
        // code runs on chips of the same major version with the same or a larger minor one
        let fits = |entry: &&Entry<'_>| {
            entry.package == package
                && entry.text == hash
                && entry.chip / 10 == chip / 10
                && entry.chip <= chip
        };
        Some(entries.iter().filter(fits).max_by_key(|entry| entry.chip)?.unpack())
    }
}

impl<'a> Entry<'a> {
    /// The entry that a line of the table describes, and what follows its code.
    fn read(line: &'a str, rest: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let mut words = line.rsplitn(3, ' ');
        let (packed, rest) = rest.split_at_checked(words.next()?.parse().ok()?)?;
        let check = u32::from_str_radix(words.next()?, 16).ok()?;
        let label = words.next()?;
        let mut words = label.split(' ');
        let (package, text) = (words.next()?, words.next()?);
        let (chip, len) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some((Self { label, package, text, chip, len, check, packed }, rest))
    }

    /// The code, or the reason why it is not what was packed.
    fn unpack(&self) -> Result<Vec<u8>, String> {
        let most = self.len.min(MOST);
        let mut code = Vec::new();
        // one byte more, so that code that is too long is found
        let read = ZlibDecoder::new(self.packed).take(most + 1).read_to_end(&mut code);
        let read = read.map_err(|e| format!("the machine code for sm_{} is damaged: {e}", self.chip))?;
        let mut check = Crc::new();
        check.update(self.label.as_bytes());
        check.update(&code);
        if read as u64 != self.len || check.sum() != self.check || !code.starts_with(ELF) {
            return Err(format!("the machine code for sm_{} is damaged", self.chip));
        }
        Ok(code)
    }
}

/// The table: a line for each entry, then an empty one, then the code of all in the same order, and no more.
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
        let (entry, after) = Entry::read(line, rest)?;
        entries.push(entry);
        rest = after;
    }
    rest.is_empty().then_some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::SplitMix64;
    use ribbonmesh_ptx::{MachineCode, machine_code};

    /// Machine code with a number by which tests know it.
    fn code(package: &str, text: &str, chip: u32, number: u8) -> MachineCode {
        let code = [ELF, &[number], &vec![7; 5000]].concat();
        MachineCode { package: package.into(), text: text.into(), chip, code }
    }
    fn packed(codes: &[MachineCode]) -> Vec<u8> {
        machine_code(codes).expect("written to memory")
    }
    fn archive() -> Vec<u8> {
        packed(&[
            code("one", "abc", 80, 1),
            code("one", "abc", 86, 2),
            code("one", "older", 90, 3),
            code("two", "abc", 90, 4),
        ])
    }
    /// The number of what is found.
    fn number(archive: &[u8], package: &str, hash: &str, chip: u32) -> Option<Result<u8, String>> {
        let found = Archive::read(archive).find(package, hash, chip)?;
        Some(found.map(|found| {
            assert_eq!(found, code("", "", 0, found[ELF.len()]).code, "what was packed");
            found[ELF.len()]
        }))
    }

    #[test]
    fn the_newest_code_that_runs_on_the_chip() {
        let archive = archive();
        assert_eq!(number(&archive, "one", "abc", 80), Some(Ok(1)));
        assert_eq!(number(&archive, "one", "abc", 86), Some(Ok(2)));
        assert_eq!(
            number(&archive, "one", "abc", 89),
            Some(Ok(2)),
            "an older chip of the same major version"
        );
        assert_eq!(number(&archive, "one", "abc", 75), None, "no code for an older chip");
        assert_eq!(number(&archive, "one", "abc", 90), None, "code of other PTX");
        assert_eq!(number(&archive, "two", "abc", 90), Some(Ok(4)));
        assert_eq!(number(&archive, "three", "abc", 90), None);
        assert_eq!(number(&archive, "one", "def", 80), None, "PTX of another hash");
        assert_eq!(number(b"", "one", "abc", 80), None);
    }

    #[test]
    fn an_archive_that_is_cut_short_gives_nothing() {
        let whole = archive();
        for end in 1..whole.len() {
            assert!(matches!(number(&whole[..end], "two", "abc", 90), Some(Err(_))), "{end} bytes");
        }
        let longer = [&whole[..], b" "].concat();
        assert!(matches!(number(&longer, "two", "abc", 90), Some(Err(_))));
    }

    /// Whatever is changed, what is found is what was packed for this chip and this PTX.
    #[test]
    fn damaged_bytes_are_never_code() {
        let whole = archive();
        let allowed = |found: Option<Result<u8, String>>, wanted: u8| match found {
            Some(Ok(number)) => number == wanted,
            _ => true,
        };
        let look = |archive: &[u8], what: &str| {
            assert!(allowed(number(archive, "one", "abc", 80), 1), "{what}");
            assert!(allowed(number(archive, "two", "abc", 90), 4), "{what}");
            // where the newer code cannot be used, or its line says something else, the older one is right
            let newer = number(archive, "one", "abc", 86);
            assert!(allowed(newer.clone(), 2) || allowed(newer, 1), "{what}");
        };
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                look(&damaged, &format!("bit {bit} of byte {at}"));
            }
        }
        let mut random = SplitMix64::new(1);
        for round in 0..2000 {
            let mut damaged = whole.clone();
            for _ in 0..1 + random.below(8) {
                let at = random.below(damaged.len() as u32) as usize;
                damaged[at] = random.bits() as u8;
            }
            damaged.truncate(random.below(4 * whole.len() as u32) as usize);
            look(&damaged, &format!("round {round}"));
        }
    }

    #[test]
    fn what_is_no_machine_code_is_not_given_to_the_driver() {
        let other = MachineCode { code: b".version 7.8".to_vec(), ..code("one", "abc", 80, 1) };
        assert!(matches!(number(&packed(&[other]), "one", "abc", 80), Some(Err(_))));
    }

    #[test]
    fn what_is_built_in_can_be_read() {
        for entry in Archive::built_in().entries.as_ref().expect("a whole table") {
            entry.unpack().expect("whole");
        }
    }
}
