//! Splits the PTX of a crate by the source files of its kernels.
//!
//! The text of a file depends on its kernels alone: what the compiler numbers over the whole crate (labels,
//! constants without a name) is renamed, names of functions lose the hashes that cargo adds, comments are
//! dropped, and kernels are sorted. So a change of one kernel changes one file.

use crate::hash::text_hash;
use crate::header::Kernel;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// Prefixes of the constants by which `#[kernel]` describes an entry point: the layout of its parameter, its
/// module, and where it states them, its threads and the blocks that a multiprocessor is to hold.
const LAYOUT: &str = "ribbonmesh_layout_";
const MODULE: &str = "ribbonmesh_module_";
const BOUNDS: &str = "ribbonmesh_bounds_";

/// The PTX of the kernels of one source file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourcePtx {
    /// The source file below `src`, without its ending: `lib`, `host/flip`.
    pub source: String,
    /// The kernels, sorted by name.
    pub kernels: Vec<Kernel>,
    /// The text: parts that kernels share, each after a line `// part NAME`, and the kernels, each after a
    /// line `// kernel NAME PART…` with the parts that it needs.
    pub text: String,
}

/// The files of a crate's PTX; `source` names the source file of a module.
pub(crate) fn split(text: &str, source: impl Fn(&str) -> String) -> Vec<SourcePtx> {
    let module = Module::of(text);
    let mut sources: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (i, item) in module.items.iter().enumerate().filter(|(_, item)| item.is_entry) {
        let path = module.bytes(MODULE, &item.name);
        let path = path.map_or(String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned());
        sources.entry(source(&path)).or_default().insert(&item.name, i);
    }
    sources.into_iter().map(|(source, entries)| module.file(source, &entries)).collect()
}

/// A declaration or a definition.
struct Item {
    name: String,
    is_entry: bool,
    text: String,
}

/// The PTX of a crate, taken apart.
struct Module {
    head: String,
    items: Vec<Item>,
    /// The items of each name: a function may be declared before it is defined.
    places: HashMap<String, Vec<usize>>,
}

impl Module {
    /// Takes PTX apart as the compiler writes it: an item begins with a directive at the beginning of a line,
    /// and ends with a semicolon or its body.
    fn of(text: &str) -> Self {
        let mut module = Self { head: String::new(), items: vec![], places: HashMap::new() };
        let mut renamed = HashMap::new();
        let (mut item, mut depth) = (String::new(), 0_usize);
        for line in text.lines() {
            let code = line.split("//").next().unwrap_or_default().trim_end();
            if code.is_empty() {
                continue;
            }
            if item.is_empty() && is_head(code) {
                writeln!(module.head, "{code}").expect("memory");
                continue;
            }
            item.push_str(code);
            item.push('\n');
            depth += code.matches('{').count();
            depth = depth.saturating_sub(code.matches('}').count());
            if depth == 0 && code.ends_with(['}', ';']) {
                module.add(&std::mem::take(&mut item), &mut renamed);
            }
        }
        module
    }

    fn add(&mut self, text: &str, renamed: &mut HashMap<String, String>) {
        let text = with_names(text, renamed);
        let name = name_of(&text).to_owned();
        let (name, text) = match is_numbered(&name, &text) {
            true => {
                let content = text.replacen(&name, "", 1);
                let by_content = format!("constant_{}", &text_hash(&content)[..16]);
                let text = text.replacen(&name, &by_content, 1);
                renamed.insert(name, by_content.clone());
                (by_content, text)
            }
            false => (name, text),
        };
        let places = self.places.entry(name.clone()).or_default();
        if places.iter().any(|&i| self.items[i].text == text) {
            return;
        }
        places.push(self.items.len());
        self.items.push(Item { name, is_entry: text.contains(".entry"), text });
    }

    /// The items that an entry point refers to, directly or not.
    fn needs(&self, entry: usize) -> BTreeSet<usize> {
        let (mut wanted, mut open) = (BTreeSet::new(), vec![entry]);
        while let Some(i) = open.pop() {
            for &j in words(&self.items[i].text).filter_map(|word| self.places.get(word)).flatten() {
                if j != entry && wanted.insert(j) {
                    open.push(j);
                }
            }
        }
        wanted
    }

    fn file(&self, source: String, entries: &BTreeMap<&str, usize>) -> SourcePtx {
        let needs: Vec<_> = entries.values().map(|&entry| self.needs(entry)).collect();
        let mut text = self.head.clone();
        let shared: BTreeSet<_> = needs.iter().flatten().copied().collect();
        for Item { name, text: part, .. } in shared.into_iter().map(|i| &self.items[i]) {
            write!(text, "// part {name}\n{part}").expect("memory");
        }
        let mut kernels = vec![];
        for ((name, &entry), needs) in entries.iter().zip(&needs) {
            let parts: BTreeSet<_> = needs.iter().map(|&i| self.items[i].name.as_str()).collect();
            let parts: String = parts.iter().map(|part| format!(" {part}")).collect();
            write!(text, "// kernel {name}{parts}\n{}", self.bounded(name, entry)).expect("memory");
            kernels.push(Kernel { name: (*name).to_owned(), layout: self.layout(name) });
        }
        SourcePtx { source, kernels, text: with_plain_names(&text) }
    }

    /// The text of an entry point, with the bounds that it states as directives before its body.
    fn bounded(&self, name: &str, entry: usize) -> String {
        let text = &self.items[entry].text;
        let (Some(bounds), Some(body)) = (self.bytes(BOUNDS, name), text.find("\n{")) else {
            return text.clone();
        };
        let byte = |i: usize| bounds.get(i).copied().unwrap_or(0);
        let [threads, blocks] = [0, 2].map(|i| u16::from_le_bytes([byte(i), byte(i + 1)]));
        let (before, body) = text.split_at(body);
        format!("{before}\n.maxntid {threads}\n.minnctapersm {blocks}{body}")
    }

    /// The layout that an entry point states; 0 if none.
    fn layout(&self, entry: &str) -> u64 {
        let bytes = self.bytes(LAYOUT, entry).unwrap_or_default();
        u64::from_le_bytes(std::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0)))
    }

    /// The bytes of the constant of an entry point; zeros at the end may be left out.
    fn bytes(&self, what: &str, entry: &str) -> Option<Vec<u8>> {
        let item = &self.items[*self.places.get(&format!("{what}{entry}"))?.first()?].text;
        let (declared, value) = item.split_once('=')?;
        let numbers: Vec<i128> = value
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter_map(|number| number.parse().ok())
            .collect();
        match declared.contains('[') {
            true => Some(numbers.iter().map(|&number| number as u8).collect()),
            // one number, with its sign or without
            false => Some((*numbers.first()? as u64).to_le_bytes().to_vec()),
        }
    }
}

/// The text of a file with other names for functions and statics: their path, and a hash of their content.
/// The compiler's names have hashes of crates, which depend on the place of the checkout and on the versions
/// of all dependencies.
fn with_plain_names(text: &str) -> String {
    let is_marker = |line: &str| line.starts_with("// part ") || line.starts_with("// kernel ");
    let mut sections = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if is_marker(line) {
            sections.push(String::new());
        }
        sections.last_mut().expect("one at least").push_str(line);
    }
    let mut names: HashMap<String, String> = HashMap::new();
    for section in &sections {
        let Some((name, body)) = section.strip_prefix("// part ").and_then(|part| part.split_once('\n'))
        else {
            continue;
        };
        if name.starts_with("_R") && (body.contains("\n{") || body.starts_with(".global")) {
            let content = renamed_words(body, |name| Some(path_of(name)));
            names.insert(name.to_owned(), format!("{}_{}", path_of(name), &text_hash(&content)[..8]));
        }
    }
    let mut seen = BTreeSet::new();
    let mut result = String::with_capacity(text.len());
    for section in &sections {
        let mut section = renamed_words(section, |name| names.get(name).cloned());
        if section.starts_with("// kernel ") {
            let (line, body) = section.split_once('\n').unwrap_or((&section, ""));
            let mut needs: Vec<_> = line.split(' ').skip(3).collect();
            needs.sort_unstable();
            needs.dedup();
            let kernel = line.split(' ').take(3).chain(needs).collect::<Vec<_>>().join(" ");
            section = format!("{kernel}\n{body}");
        }
        // text that is the same in two crates, or for two types, is written once
        if seen.insert(section.clone()) {
            result.push_str(&section);
        }
    }
    result
}

/// The text with other names for functions and statics, also in the names of their parameters.
fn renamed_words(text: &str, name_of: impl Fn(&str) -> Option<String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("_R") {
        let (between, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
        result.push_str(between);
        rest = after;
        let (name, parameter) = word.find("_param_").map_or((word, ""), |at| word.split_at(at));
        let begins = !between.ends_with(is_name);
        match name_of(name).filter(|_| begins) {
            Some(name) => result.extend([name.as_str(), parameter]),
            None => result.push_str(word),
        }
    }
    result.push_str(rest);
    result
}

/// The identifiers in a mangled name (RFC 2603), without hashes of crates and references to earlier parts.
fn path_of(name: &str) -> String {
    let mut path = String::new();
    let mut rest = name.strip_prefix("_R").unwrap_or(name);
    while let Some(tag) = rest.chars().next() {
        let number = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if number > 0 {
            let length = rest[..number].parse().unwrap_or(0);
            let after = &rest[number..];
            let after = after.strip_prefix('_').unwrap_or(after);
            let (identifier, after) = after.split_at_checked(length).unwrap_or((after, ""));
            if !path.is_empty() {
                path.push('_');
            }
            path.push_str(identifier);
            rest = after;
            continue;
        }
        rest = &rest[tag.len_utf8()..];
        if matches!(tag, 's' | 'B')
            && let Some((digits, after)) = rest.split_once('_')
            && digits.chars().all(|c| c.is_ascii_alphanumeric())
        {
            rest = after;
        }
    }
    path
}

/// Whether a directive belongs to the text as a whole.
fn is_head(line: &str) -> bool {
    [".version", ".target", ".address_size", ".file"].iter().any(|directive| line.starts_with(directive))
}

/// Whether an item is a constant whose name the compiler has numbered.
fn is_numbered(name: &str, text: &str) -> bool {
    text.starts_with(".global") && !name.starts_with("_R") && !name.starts_with("constant_")
}

/// The name that an item declares: the last word before its parameters, its value, its size or its end. What
/// a function returns is in parentheses before its name.
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

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

/// The words in a text: names, numbers, directives.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_name(c)).filter(|word| !word.is_empty())
}

/// The text with other names for constants, for labels and for local memory, both of which are numbered by
/// function.
fn with_names(text: &str, renamed: &HashMap<String, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_name) {
        let (between, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
        result.push_str(between);
        rest = after;
        if let Some(label) = word.strip_prefix("$L__BB").and_then(|numbers| numbers.split_once('_')) {
            result.push_str("$L");
            result.push_str(label.1);
        } else if word.starts_with("__local_depot") {
            result.push_str("__local_depot");
        } else {
            result.push_str(renamed.get(word).map_or(word, String::as_str));
        }
    }
    result.push_str(rest);
    result.replace(" \t", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//
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
.global .align 4 .b8 anon_$_abc_$_7[4] = {1, 2, 3, 4};
.global .align 4 .b8 anon_$_abc_$_8[4] = {1, 2, 3, 4};
.visible .global .align 8 .u64 ribbonmesh_layout_one = 12345678901234567890;
.visible .global .align 8 .b8 ribbonmesh_layout_two[8] = {1, 0, 0, 0, 0, 0, 1};
.visible .global .align 2 .b8 ribbonmesh_bounds_two[4] = {0, 1, 7};
.visible .global .align 1 .b8 ribbonmesh_module_one[4] = {107, 58, 58, 97};
.visible .global .align 1 .b8 ribbonmesh_module_two[4] = {107, 58, 58, 98};

.visible .entry two(
\t.param .align 8 .b8 two_param_0[16]
)
{
\t.local .align 8 .b8 \t__local_depot3[64];
\tmov.u64 \t%rd1, arena;
$L__BB3_1:
\tbra.uni \t$L__BB3_1;
\tret;

}
.visible .entry one(
\t.param .align 8 .b8 one_param_0[16]
)
.maxntid 128
{
\t// two begins elsewhere
\tmov.u64 \t%rd1, anon_$_abc_$_7;
\tmov.u64 \t%rd1, anon_$_abc_$_8;
\t{ // callseq 0
\tcall.uni (retval0), helper, (param0);
\t} // callseq 0
\tret;
\t// -- End function
}
.func  (.param .b32 func_retval0) helper(
\t.param .b32 helper_param_0
)
{
\tret;
}
";

    fn files(text: &str) -> Vec<SourcePtx> {
        split(text, |module| module.replace("k::", ""))
    }

    #[test]
    fn each_source_has_its_kernels_and_what_they_need() {
        let files = files(TEXT);
        let of = |file: &SourcePtx| {
            let kernels = file.kernels.iter().map(|kernel| (kernel.name.clone(), kernel.layout));
            (file.source.clone(), kernels.collect::<Vec<_>>())
        };
        let expected = [
            ("a".to_owned(), vec![("one".to_owned(), 12_345_678_901_234_567_890)]),
            ("b".to_owned(), vec![("two".to_owned(), 1 | 1 << 48)]),
        ];
        assert_eq!(files.iter().map(of).collect::<Vec<_>>(), expected);
        let [one, two] = [&files[0].text, &files[1].text];
        assert_eq!(one.matches("helper_param_0").count(), 2, "declared and defined: {one}");
        assert_eq!(one.matches(".global").count(), 1, "two constants with the same content: {one}");
        assert!(one.contains("\n// kernel one constant_") && one.contains(" helper\n.visible .entry one("));
        assert!(!one.contains("arena") && !one.contains("ribbonmesh") && !one.contains("callseq"), "{one}");
        let body = "{\n\t.local .align 8 .b8 __local_depot[64];\n\tmov.u64 %rd1, arena;\n$L1:\n\tbra.uni $L1;\n\tret;\n}\n";
        let expected = format!(
            ".version 7.8\n.target sm_80\n.address_size 64\n// part arena\n.extern .shared .align 16 .b8 arena[];\n\
             // kernel two arena\n.visible .entry two(\n\t.param .align 8 .b8 two_param_0[16]\n)\n\
             .maxntid 256\n.minnctapersm 7\n{body}"
        );
        assert_eq!(two, &expected);
    }

    #[test]
    fn numbers_of_the_compiler_do_not_matter() {
        let other =
            TEXT.replace("BB3", "BB14").replace("depot3", "depot14").replace("callseq 0", "callseq 8");
        let other = other.replace("abc_$_7", "abc_$_9").replace("abc_$_8", "abc_$_12");
        assert_eq!(files(&other), files(TEXT));
    }

    #[test]
    fn names_have_no_hashes_of_crates() {
        let name = "_RNvMs0_NtCsbJlIMdgDbZv_17ribbonmesh_device6statusNtB5_6Status6record";
        assert_eq!(path_of(name), "ribbonmesh_device_status_Status_record");
        let other = "_RNvMs0_NtCs4U_17ribbonmesh_device6statusNtB4_6Status6record";
        let texts = [name, other].map(|name| files(&TEXT.replace("helper", name)));
        assert_eq!(texts[0], texts[1]);
        let text = &texts[0][0].text;
        assert!(text.contains("_record_param_0") || text.contains("_param_0"), "{text}");
        assert!(
            !text.contains("_R")
                && text.contains("call.uni (retval0), ribbonmesh_device_status_Status_record_"),
            "{text}"
        );
    }

    #[test]
    fn a_change_of_a_kernel_changes_its_file() {
        let (before, after) =
            (files(TEXT), files(&TEXT.replace("mov.u64 \t%rd1, arena", "mov.u64 \t%rd2, arena")));
        assert_eq!(before[0], after[0]);
        assert_ne!(before[1], after[1]);
    }
}
