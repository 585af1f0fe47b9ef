//! The PTX of a kernel for a device of several cards, from that for one.
//!
//! A card runs a part of the blocks of a launch, which know their places in all of it: the entry point takes
//! two more parameters, the first block and the number of blocks, and adds and reads them where it reads
//! `%ctaid.x` and `%nctaid.x`. Blocks of several cards talk to each other: what has the scope of a device
//! (`.gpu`, or none) gets that of the system. Code for several cards alone, behind
//! [`several_cards`](crate::device::several_cards), is reached. The text for one card stays as it is and pays
//! nothing.

/// Names of the added parameters. Names of the compiler's begin otherwise.
const FIRST: &str = "several_cards_first_block";
const BLOCKS: &str = "several_cards_blocks";
/// The instruction that tells a kernel that there is one card, and the one for several.
const ONE: &str = "mov.b32 several, 0;";
const SEVERAL: &str = "mov.b32 several, 1;";
/// Instructions with a scope.
const SCOPED: [&str; 6] = ["atom", "red", "ld", "st", "fence", "membar"];

/// The text of one kernel for several cards; the reason if it cannot be had.
pub fn of_several(text: &str) -> Result<String, String> {
    let mut several = String::with_capacity(text.len() + text.len() / 16);
    let mut in_head = false;
    let mut entries = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        if code.starts_with("//") {
            several.push_str(line);
            continue;
        }
        if code.starts_with(".visible .entry ") {
            in_head = true;
            entries += 1;
        }
        if in_head && code == ")" {
            in_head = false;
            let end = several.trim_end().len();
            let before = if several[..end].ends_with('(') { "" } else { "," };
            several.truncate(end);
            several.push_str(&format!("{before}\n\t.param .b32 {FIRST},\n\t.param .b32 {BLOCKS}\n"));
        }
        several.push_str(&line_of_several(line, code)?);
    }
    if entries != 1 || in_head {
        return Err(format!("{entries} entry points in its text"));
    }
    Ok(several)
}

fn line_of_several(line: &str, code: &str) -> Result<String, String> {
    let read = |name: &str| {
        let register = code.strip_prefix("mov.u32")?.strip_suffix(';')?.trim().strip_suffix(name)?;
        register.trim_end().strip_suffix(',').map(str::trim_end)
    };
    if let Some(register) = read("%ctaid.x") {
        let first = format!(".reg .b32 %first; ld.param.b32 %first, [{FIRST}];");
        return Ok(format!("\t{{ {first} {code} add.u32 {register}, {register}, %first; }}\n"));
    }
    if let Some(register) = read("%nctaid.x") {
        return Ok(format!("\tld.param.b32 {register}, [{BLOCKS}];\n"));
    }
    if code.contains(ONE) {
        return Ok(line.replace(ONE, SEVERAL));
    }
    if code.contains(" several,") {
        return Err(format!("it uses `{code}`"));
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.%$:".contains(c);
    let (mut several, mut rest) = (String::with_capacity(line.len() + 4), line);
    while let Some(start) = rest.find(is_word) {
        let len = rest[start..].find(|c| !is_word(c)).unwrap_or(rest.len() - start);
        several.push_str(&rest[..start]);
        several.push_str(&word_of_several(&rest[start..start + len])?);
        rest = &rest[start + len..];
    }
    several.push_str(rest);
    Ok(several)
}

fn word_of_several(word: &str) -> Result<String, String> {
    const OTHERS: [&str; 6] = ["%ctaid", "%nctaid", "%cluster", "%ncluster", "%is_explicit", "%gridid"];
    let parts: Vec<&str> = word.split('.').collect();
    let scoped = SCOPED.contains(&parts[0]);
    let unknown = OTHERS.iter().any(|other| parts[0].starts_with(other))
        || parts.contains(&"gpu") && !scoped
        || parts[0] == "membar" && word != "membar.gl" && word != "membar.sys" && word != "membar.cta";
    if unknown {
        return Err(format!("it uses `{word}`"));
    }
    if !scoped {
        return Ok(word.into());
    }
    if word == "membar.gl" {
        return Ok("membar.sys".into());
    }
    let has = |names: &[&str]| parts.iter().any(|part| names.contains(part));
    let atomic = matches!(parts[0], "atom" | "red");
    if atomic && !has(&["gpu", "sys", "cta", "cluster", "shared"]) {
        // without a scope: that of a device, and without an order: relaxed
        let (order, from) = match parts.get(1) {
            Some(&order @ ("relaxed" | "acquire" | "release" | "acq_rel")) => (order, 2),
            _ => ("relaxed", 1),
        };
        return Ok(format!("{}.{order}.sys.{}", parts[0], parts[from..].join(".")));
    }
    let wider = |part: &&str| if *part == "gpu" { "sys" } else { *part }.to_owned();
    Ok(parts.iter().map(wider).collect::<Vec<_>>().join("."))
}

#[cfg(test)]
mod tests {
    use super::super::super::ptx;
    use super::*;

    const TEXT: &str = "\
.version 7.8
.target sm_80
// part helper, which says atom.gpu
.func helper(
\t.param .b32 helper_param_0
)
{
\tatom.relaxed.gpu.global.max.u64 %rd1, [%rd2], %rd3;
\tret;
}
// kernel one helper
.visible .entry one(
\t.param .align 8 .b8 one_param_0[40]
)
.maxntid 256
{
\tmov.u32 %r2, %ctaid.x;
\t@%p1 bra $L2;
\tmov.u32 \t%r3, %nctaid.x;
\t@%p3 ld.acquire.gpu.global.b32 %r4, [%rd1];
\tld.global.nc.b32 %r4, [%rd1];
\tatom.or.b32 %r5, [%rd4], %r6;
\tatom.acquire.add.u32 %r5, [%rd4], %r6;
\tatom.shared.add.u32 %r5, [%rd4], %r6;
\t{ .reg .u64 t; cvta.to.shared.u64 t, %rd1; red.relaxed.cta.shared.add.f32 [t], %r1; red.add.f32 [t], 0f0; }
\tbarrier.red.or.pred %p1, 0, %p2;
\tfence.acq_rel.gpu;
\t{ .reg .b32 several; mov.b32 several, 0; mov.b32 %r6, several; }
\tmembar.gl;
\tret;
}
";

    #[test]
    fn a_text_for_several_cards() {
        let several = of_several(TEXT).expect("known instructions");
        let lines: Vec<&str> = several.lines().map(str::trim).collect();
        for expected in [
            "// part helper, which says atom.gpu",
            "atom.relaxed.sys.global.max.u64 %rd1, [%rd2], %rd3;",
            ".param .align 8 .b8 one_param_0[40],",
            ".param .b32 several_cards_first_block,",
            ".param .b32 several_cards_blocks",
            ".maxntid 256",
            "{ .reg .b32 %first; ld.param.b32 %first, [several_cards_first_block]; mov.u32 %r2, %ctaid.x; \
             add.u32 %r2, %r2, %first; }",
            "ld.param.b32 %r3, [several_cards_blocks];",
            "@%p3 ld.acquire.sys.global.b32 %r4, [%rd1];",
            "ld.global.nc.b32 %r4, [%rd1];",
            "atom.relaxed.sys.or.b32 %r5, [%rd4], %r6;",
            "atom.acquire.sys.add.u32 %r5, [%rd4], %r6;",
            "atom.shared.add.u32 %r5, [%rd4], %r6;",
            "{ .reg .u64 t; cvta.to.shared.u64 t, %rd1; red.relaxed.cta.shared.add.f32 [t], %r1; \
             red.relaxed.sys.add.f32 [t], 0f0; }",
            "barrier.red.or.pred %p1, 0, %p2;",
            "fence.acq_rel.sys;",
            "{ .reg .b32 several; mov.b32 several, 1; mov.b32 %r6, several; }",
            "membar.sys;",
        ] {
            assert!(lines.contains(&expected), "{expected} is missing from {several}");
        }
        // of the entry point alone
        assert_eq!(several.matches(FIRST).count(), 2, "{several}");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let with = |line: &str| of_several(&TEXT.replace("\tmembar.gl;", line));
        assert!(with("").is_ok());
        for line in [
            "\tmov.u32 %r1, %ctaid.y;",
            "\tadd.u32 %r1, %ctaid.x, 1;",
            "\t@%p1 mov.u32 %r1, %ctaid.x;",
            "\tmov.u32 %r1, %nctaid.z;",
            "\tmembar.other;",
            "\tcp.reduce.async.bulk.gpu [%rd1], 5;",
            "\tmov.u32 %r1, %clusterid.x;",
            "\t{ .reg .b32 several; mov.b32 several, 2; mov.b32 %r6, several; }",
        ] {
            assert!(with(line).is_err(), "{line}");
        }
        assert!(of_several(".version 7.8\n").is_err());
    }

    /// Every kernel of the library.
    #[test]
    fn the_librarys_own_kernels() {
        for file in crate::PTX.files {
            let text = ptx::unpack(file).expect("whole");
            for (kernel, _) in file.kernels {
                let one = ptx::entry(&text, kernel).expect("is there");
                let several = of_several(&one).unwrap_or_else(|reason| panic!("{kernel}: {reason}"));
                assert!(!several.contains(".gpu"), "{kernel}");
                assert_eq!(several.matches(FIRST).count() - 1, one.matches("%ctaid.x").count(), "{kernel}");
                assert_eq!(several.matches(BLOCKS).count() - 1, one.matches("%nctaid.x").count(), "{kernel}");
                for line in several.lines().filter(|line| line.contains("\tatom.") || line.contains("\tred."))
                {
                    assert!(
                        [".sys.", ".shared.", ".cta."].iter().any(|s| line.contains(s)),
                        "{kernel}: {line}"
                    );
                }
            }
        }
    }
}
