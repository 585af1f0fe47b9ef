//! The text of PTX, which is checked without a GPU, and by ptxas where `RIBBONMESH_PTXAS` names it.

use crate::support::{Random, fields};
use ribbonmesh_expression::{Expression, PTX_ENTRY, PtxError};
use std::collections::HashSet;
use std::process::Command;

/// The strides of the fields of the tests.
const STRIDES: [u32; 6] = [1, 1, 3, 6, 9, 0];

fn ptx(text: &str) -> String {
    let expression = Expression::parse(text, &fields()).expect(text);
    let strides: Vec<_> = expression.inputs().iter().map(|input| STRIDES[input.field]).collect();
    expression.ptx(&strides).expect("a stride for each input")
}

/// The instructions of the loop.
fn body(ptx: &str) -> Vec<&str> {
    let after = ptx.split_once("$next:\n").expect("a loop").1;
    let before = after.split_once("\tadd.u64 %element, %element, %stride;").expect("its end").0;
    before.lines().map(str::trim).collect()
}

#[test]
fn text() {
    assert_eq!(
        body(&ptx("p * v.y + t")),
        [
            "mad.lo.u64 %a0, %element, 4, %input0;",
            "ld.global.nc.f32 %f0, [%a0];",
            "mad.lo.u64 %a1, %element, 12, %input1;",
            "ld.global.nc.f32 %f1, [%a1];",
            "mul.rn.f32 %f2, %f0, %f1;",
            "ld.global.nc.f32 %f3, [%input2];",
            "add.rn.f32 %f4, %f2, %f3;",
            "mad.lo.u64 %a3, %element, 4, %results;",
            "st.global.f32 [%a3 + 0], %f4;",
        ]
    );
    assert!(ptx("p").contains(&format!(".visible .entry {PTX_ENTRY}(")));
    let error = Expression::parse("p + q", &fields()).expect("short").ptx(&[1]).expect_err("two inputs");
    assert_eq!(error, PtxError::Strides { strides: 1, inputs: 2 });
    assert_eq!(error.to_string(), "1 strides are given, and the expression has 2 inputs");
}

/// Nothing that the driver's compiler may fuse or approximate, no register without a declaration, and no
/// label twice.
#[test]
fn random_texts() {
    let mut random = Random(8);
    for round in 0..400 {
        let text = random.scalar(1 + round % 5);
        let Ok(expression) = Expression::parse(&text, &fields()) else { continue };
        let strides: Vec<_> = expression.inputs().iter().map(|input| STRIDES[input.field]).collect();
        let ptx = expression.ptx(&strides).expect("a stride for each input");
        let mut labels = HashSet::new();
        for line in body(&ptx) {
            for name in ["add", "sub", "mul", "fma", "div", "sqrt"] {
                let unrounded = line.starts_with(name) && line.contains(".f32") && !line.contains(".rn");
                assert!(!unrounded && !line.contains("approx") && !line.contains("ftz"), "{text}: {line}");
            }
            if let Some(label) = line.strip_suffix(':') {
                assert!(labels.insert(label.to_owned()), "{text}: {label} twice");
            } else {
                assert!(line.ends_with([';', '{', '}']), "{text}: {line}");
            }
        }
        for register in ["f", "r", "p", "a"] {
            let declared = number_after(&ptx, &format!(" %{register}<"));
            let name = format!("%{register}");
            let used = ptx.match_indices(&name);
            let most = used.map(|(at, name)| number_after(&ptx[at..], name)).max().unwrap_or_default();
            assert!(most < declared, "{text}: %{register}{most} of {declared}");
        }
    }
}

/// The number after a text, 0 if there is none.
fn number_after(text: &str, before: &str) -> u32 {
    let Some((_, after)) = text.split_once(before) else { return 0 };
    let length = after.bytes().take_while(u8::is_ascii_digit).count();
    after[..length].parse().unwrap_or_default()
}

#[test]
fn accepted_by_ptxas() {
    let Some(ptxas) = std::env::var_os("RIBBONMESH_PTXAS") else {
        eprintln!("skipped: RIBBONMESH_PTXAS names no ptxas");
        return;
    };
    let folder = std::env::temp_dir().join(format!("ribbonmesh-expression-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for text in [
        "1 + 2",
        "id * t",
        "normalize(v) * eig(s, 2) + vec(det(m), mises(s), tresca(s))",
        "sin(p) * cos(q) - tan(t) + atan2(p, q) + hypot(p, q) + mod(p, q)",
        "p ^ q + cbrt(p) + exp(q) - log(p) * log2(q) / log10(p)",
        "asin(p) + acos(p) + atan(p) + sinh(p) + cosh(p) + tanh(p)",
        "sign(p) < round(q) ? floor(p) : ceil(q) + min(p, q) + max(p, q) + abs(p)",
    ] {
        let file = folder.join("expression.ptx");
        std::fs::write(&file, ptx(text)).expect("written");
        let output = Command::new(&ptxas).args(["-arch=sm_80", "-o", "/dev/null"]).arg(&file).output();
        let output = output.expect("ptxas runs");
        assert!(output.status.success(), "{text}: {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
