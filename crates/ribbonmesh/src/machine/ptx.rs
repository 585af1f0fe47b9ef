//! The text of one kernel out of a file of PTX: the driver compiles what is launched, and nothing else.
use flate2::read::ZlibDecoder;
use ribbonmesh_device::PtxFile;
use std::io::Read;

/// The prefix of a part of the text that kernels share: `// part NAME`.
const PART: &str = "// part ";
/// The prefix of a kernel: `// kernel NAME PART…`, with the parts that it needs.
const KERNEL: &str = "// kernel ";

/// The PTX of a file; `None` if it is damaged.
pub fn unpack(file: &PtxFile) -> Option<String> {
    let mut text = String::with_capacity(file.len);
    let read = ZlibDecoder::new(file.packed).take(file.len as u64 + 1).read_to_string(&mut text);
    (read.ok()? == file.len).then_some(text)
}

/// The text with one entry point and the parts that it needs; `None` if it is missing.
pub fn entry(text: &str, name: &str) -> Option<String> {
    let is_marker = |line: &str| line.starts_with(PART) || line.starts_with(KERNEL);
    let needs = text.lines().find_map(|line| {
        let mut words = line.strip_prefix(KERNEL)?.split(' ');
        (words.next() == Some(name)).then(|| words.collect::<Vec<_>>())
    })?;
    let (mut alone, mut wanted) = (String::new(), true);
    for line in text.split_inclusive('\n') {
        if is_marker(line) {
            let of = |marker: &str| line.strip_prefix(marker).and_then(|rest| rest.split_whitespace().next());
            wanted = of(KERNEL) == Some(name) || of(PART).is_some_and(|part| needs.contains(&part));
        }
        if wanted {
            alone.push_str(line);
        }
    }
    Some(alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write;

    const TEXT: &str = "\
.version 7.8
.target sm_80
.address_size 64
// part helper
.func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
;
// part arena
.extern .shared .align 16 .b8 arena[];
// part table
.global .align 8 .u64 table = 5;
// part helper
.func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
{
\tld.global.u64 %rd1, [table];
\tret;
}
// kernel one helper table
.visible .entry one(
)
{
\tcall.uni (retval0), helper, (param0);
\tret;
}
// kernel two arena
.visible .entry two(
)
{
\tmov.u64 %rd1, arena;
\tret;
}
";

    #[test]
    fn one_kernel_with_all_that_it_needs() {
        let one = entry(TEXT, "one").expect("is there");
        for part in [".version 7.8", "table = 5", "entry one(", "ld.global"] {
            assert!(one.contains(part), "{part} is missing from {one}");
        }
        assert_eq!(one.matches("helper_param_0").count(), 2, "declared and defined: {one}");
        assert!(!one.contains("entry two") && !one.contains("arena"), "{one}");
        let two = entry(TEXT, "two").expect("is there");
        assert!(two.contains("arena[]") && !two.contains("helper"), "{two}");
        assert!(entry(TEXT, "three").is_none() && entry(TEXT, "helper").is_none());
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
        packer.write_all(TEXT.as_bytes()).expect("written to memory");
        let packed: &'static [u8] = packer.finish().expect("written to memory").leak();
        let file = |packed, len| PtxFile { hash: "", kernels: &[], packed, len };
        assert_eq!(unpack(&file(packed, TEXT.len())).as_deref(), Some(TEXT));
        for damaged in [
            file(packed, TEXT.len() - 1),
            file(packed, TEXT.len() + 1),
            file(&packed[..packed.len() / 2], TEXT.len()),
        ] {
            assert_eq!(unpack(&damaged), None);
        }
    }

    /// Every kernel of the library, as it is included.
    #[test]
    fn the_librarys_own_kernels() {
        for file in crate::PTX.files {
            let text = unpack(file).expect("whole");
            for (kernel, layout) in file.kernels {
                let (found, stated) = crate::PTX.find(kernel).expect("by its name");
                assert_eq!((found.hash, stated), (file.hash, *layout), "{kernel}");
                let alone = entry(&text, kernel).unwrap_or_else(|| panic!("{kernel}"));
                assert_eq!(alone.matches(".entry").count(), 1, "{kernel}");
                assert_eq!(alone.matches('{').count(), alone.matches('}').count(), "{kernel}");
            }
        }
    }
}
