//! The text of one kernel out of the PTX of a crate: the driver compiles what is launched, and nothing else.
use std::collections::{HashMap, HashSet};

/// PTX, taken apart: what stands before all items, and the items in their order.
pub struct Parts<'t> {
    head: &'t str,
    /// Declarations and definitions.
    items: Vec<&'t str>,
    /// The items of each name: a function may be declared before it is defined.
    places: HashMap<&'t str, Vec<usize>>,
}

impl<'t> Parts<'t> {
    /// Takes PTX apart as the compiler writes it: an item begins with a directive at the beginning of a line,
    /// and ends with a semicolon or its body.
    pub fn of(text: &'t str) -> Self {
        let mut parts = Self { head: "", items: vec![], places: HashMap::new() };
        let (mut begin, mut depth, mut at) = (None, 0_usize, 0);
        for line in text.split_inclusive('\n') {
            let code = line.split("//").next().unwrap_or_default();
            let trimmed = code.trim_start();
            if begin.is_none() && trimmed.starts_with('.') && !is_head(trimmed) {
                begin = Some(at);
                if parts.items.is_empty() {
                    parts.head = &text[..at];
                }
            }
            at += line.len();
            let body = code.contains('}');
            depth += code.matches('{').count();
            depth = depth.saturating_sub(code.matches('}').count());
            if let Some(start) = begin
                && depth == 0
                && (body && code.trim_end().ends_with('}') || code.trim_end().ends_with(';'))
            {
                parts.add(&text[start..at]);
                begin = None;
            }
        }
        parts
    }

    fn add(&mut self, text: &'t str) {
        self.places.entry(name_of(text)).or_default().push(self.items.len());
        self.items.push(text);
    }

    /// The text with one entry point and all that it refers to; `None` if it is not there.
    pub fn entry(&self, name: &str) -> Option<String> {
        let is_entry = |i: &usize| self.items[*i].contains(".entry");
        let first = self.places.get(name)?.iter().copied().find(is_entry)?;
        let (mut wanted, mut left) = (HashSet::from([first]), vec![first]);
        while let Some(i) = left.pop() {
            for word in words(self.items[i]) {
                for &j in self.places.get(word).into_iter().flatten() {
                    if wanted.insert(j) {
                        left.push(j);
                    }
                }
            }
        }
        let mut text = self.head.to_owned();
        for (i, item) in self.items.iter().enumerate() {
            if wanted.contains(&i) {
                text.push_str(item);
            }
        }
        Some(text)
    }

    /// The layout that the PTX states for the parameter of an entry point; `None` if it states none.
    pub fn layout(&self, entry: &str) -> Option<u64> {
        let name = format!("ribbonmesh_layout_{entry}");
        let item = self.items[*self.places.get(name.as_str())?.first()?];
        let (declared, value) = item.split_once('=')?;
        let numbers: Option<Vec<i128>> = value
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter(|n| !n.is_empty())
            .map(|n| n.parse().ok())
            .collect();
        let numbers = numbers?;
        if declared.contains('[') {
            // bytes, those at the end left out if they are 0
            let byte = |i: usize| numbers.get(i).copied().unwrap_or(0) as u8;
            return Some(u64::from_le_bytes(std::array::from_fn(byte)));
        }
        // a number without its sign, or with it
        numbers.first().map(|n| *n as u64)
    }
}

/// Whether a directive belongs to the text as a whole.
fn is_head(line: &str) -> bool {
    [".version", ".target", ".address_size", ".file"].iter().any(|directive| line.starts_with(directive))
}

/// The name that an item declares: the last word before its parameters, its value, its size or its end. What
/// a function returns stands in parentheses before its name.
fn name_of(text: &str) -> &str {
    let mut rest = text;
    if let Some((_, after)) = rest.split_once(".func") {
        let after = after.trim_start();
        rest = match after.strip_prefix('(') {
            Some(returned) => returned.split_once(')').map_or(after, |(_, after)| after),
            None => after,
        };
    }
    let end = rest.find(['(', '[', '=', ';', '{']).unwrap_or(rest.len());
    words(&rest[..end]).last().unwrap_or_default()
}

/// The words in a text, without its comments: names, numbers, directives.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let code = text.lines().filter_map(|line| line.split("//").next());
    code.flat_map(move |code| code.split(move |c: char| !is_name(c))).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// header
.version 7.8
.target sm_80
.address_size 64

\t// .globl\tone
.func  (.param .b32 func_retval0) helper
(
\t.param .b32 helper_param_0
)
;
.extern .shared .align 16 .b8 arena[];
.global .align 4 .b8 table_one[4] = {1, 2, 3, 4};
.global .align 8 .u64 table_of_helper = 5;
.visible .global .align 8 .u64 ribbonmesh_layout_one = 12345678901234567890;
.visible .global .align 8 .b8 ribbonmesh_layout_two[8] = {1, 0, 0, 0, 0, 0, 1};

.visible .entry one(
\t.param .align 8 .b8 one_param_0[16]
)
.maxntid 128
{
\t// two begins elsewhere
\tmov.u64 \t%rd1, table_one;
\t{ // callseq 0
\tcall.uni (retval0), helper, (param0);
\t} // callseq 0
\tret;
\t// -- End function
}
.visible .entry two(
\t.param .align 8 .b8 two_param_0[16]
)
{
\tmov.u64 \t%rd1, arena;
\tret;
}
.func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
{
\tld.global.u64 \t%rd1, [table_of_helper];
\tret;
}
";

    #[test]
    fn one_kernel_with_all_that_it_needs() {
        let parts = Parts::of(TEXT);
        let names: Vec<_> = parts.items.iter().map(|item| name_of(item)).collect();
        let layouts = ["ribbonmesh_layout_one", "ribbonmesh_layout_two"];
        let all = [
            "helper",
            "arena",
            "table_one",
            "table_of_helper",
            layouts[0],
            layouts[1],
            "one",
            "two",
            "helper",
        ];
        assert_eq!(names, all);
        let one = parts.entry("one").expect("is there");
        for part in
            ["// header", ".version 7.8", "table_one[4]", "table_of_helper = 5", "entry one(", "ld.global"]
        {
            assert!(one.contains(part), "{part} is missing from {one}");
        }
        assert_eq!(one.matches("helper_param_0").count(), 2, "declared and defined: {one}");
        assert!(!one.contains("entry two") && !one.contains("arena"), "{one}");
        let two = parts.entry("two").expect("is there");
        assert!(two.contains("arena[]") && !two.contains("helper"), "{two}");
        assert!(parts.entry("three").is_none() && parts.entry("helper").is_none());
    }

    /// Every kernel of the repository.
    #[test]
    fn the_libraries_own_kernels() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let mut folders = vec![format!("{root}/crates"), format!("{root}/examples")];
        let mut kernels = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.expect("readable").path();
                if path.is_dir() && !path.ends_with("target") {
                    folders.push(path.display().to_string());
                } else if path.extension().is_some_and(|extension| extension == "ptx") {
                    let text = std::fs::read_to_string(&path).expect("readable");
                    let parts = Parts::of(&text);
                    for kernel in text.lines().filter_map(|line| line.strip_prefix("// kernel: ")) {
                        let alone =
                            parts.entry(kernel).unwrap_or_else(|| panic!("{}: {kernel}", path.display()));
                        assert_eq!(alone.matches(".entry").count(), 1, "{}: {kernel}", path.display());
                        assert_eq!(alone.matches('{').count(), alone.matches('}').count(), "{kernel}");
                        assert!(parts.layout(kernel).is_some(), "{}: layout of {kernel}", path.display());
                        kernels += 1;
                    }
                }
            }
        }
        assert!(kernels > 100 || !std::path::Path::new(root).join("xtask").exists(), "{kernels} kernels");
    }

    #[test]
    fn layouts_as_numbers_and_as_bytes() {
        let parts = Parts::of(TEXT);
        assert_eq!(parts.layout("one"), Some(12_345_678_901_234_567_890));
        assert_eq!(parts.layout("two"), Some(1 | 1 << 48));
        assert_eq!(parts.layout("three"), None);
    }
}
