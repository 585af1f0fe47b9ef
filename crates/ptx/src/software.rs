//! Finds functions that kernels compute in software although the GPU has an instruction.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A function that the GPU has an instruction for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Routine {
    /// A square root: `sqrt.rn`.
    SquareRoot,
    /// Rounding to an integer (floor, ceil, trunc, round): `cvt`.
    Rounding,
    /// A call of one of C's functions by its name, such as `sqrtf` or `fma`.
    Call,
}

impl fmt::Display for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SquareRoot => "square roots",
            Self::Rounding => "roundings to integers",
            Self::Call => "calls of C's functions for floats",
        })
    }
}

/// A kernel that computes a function in software although the GPU has an instruction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Software {
    /// The name of the entry point.
    pub kernel: String,
    /// The function.
    pub routine: Routine,
}

impl fmt::Display for Software {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, routine } = self;
        write!(f, "kernel `{kernel}` has {routine} in software, for which the GPU has an instruction")
    }
}

/// The first entries of the table that libm's square root, which Rust's runtime has as well, begins with.
const ROOT_TABLE: &str = "81, 180, 240, 178, 150, 177, 68, 176, 249, 174";

/// The bits of sign and exponent. Software that rounds shifts them by the exponent, to get a mask of the
/// integer part.
const EXPONENT_BITS: [(&str, &str); 2] = [("mov.b32", "-8388608"), ("mov.b64", "-4503599627370496")];

/// C's functions that are an instruction.
const CALLS: [&str; 22] = [
    "sqrt",
    "sqrtf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "trunc",
    "truncf",
    "rint",
    "rintf",
    "round",
    "roundf",
    "roundeven",
    "roundevenf",
    "fabs",
    "fabsf",
    "copysign",
    "copysignf",
    "fma",
    "fmaf",
    "fmin",
    "fmax",
];

/// The functions that kernels compute in software although the GPU has an instruction, sorted by kernel.
///
/// Detects square roots of libm from 0.2.15 on and of Rust's runtime, the rounding functions of libm 0.2, and
/// calls of C's functions. Functions that a kernel calls count for the kernel. Reads the text once.
pub fn software_routines(text: &str) -> Vec<Software> {
    let functions = functions(text);
    let tables: Vec<&str> =
        text.lines().filter(|line| line.contains(ROOT_TABLE)).filter_map(table_name).collect();
    let mut found = BTreeSet::new();
    for (kernel, _) in functions.iter().filter(|(_, function)| function.is_kernel) {
        for body in reached(kernel, &functions) {
            let routines = routines(body, &tables);
            found.extend(routines.map(|routine| Software { kernel: (*kernel).to_owned(), routine }));
        }
    }
    found.into_iter().collect()
}

struct Function<'a> {
    is_kernel: bool,
    body: &'a str,
}

/// The functions that have a body, by name.
fn functions(text: &str) -> BTreeMap<&str, Function<'_>> {
    let mut found = BTreeMap::new();
    let mut rest = text;
    // a body is between braces in the first column
    while let Some((head, after)) = rest.split_once("\n{\n") {
        let (body, after) = after.split_once("\n}").unwrap_or((after, ""));
        rest = after;
        let declared = head.rsplit_once(".entry").map(|(_, name)| (true, name));
        let declared = declared.or_else(|| head.rsplit_once(".func").map(|(_, name)| (false, name)));
        let Some((is_kernel, declared)) = declared else { continue };
        // the value that a function returns precedes its name
        let declared = declared.trim_start();
        let named = match declared.strip_prefix('(') {
            Some(value) => value.split_once(')').map_or("", |(_, name)| name),
            None => declared,
        };
        let name = named.trim_start().split(['(', '\n', ' ']).next().unwrap_or_default();
        found.insert(name, Function { is_kernel, body });
    }
    found
}

/// The bodies of a kernel and of the functions that it calls.
fn reached<'a>(kernel: &str, functions: &BTreeMap<&str, Function<'a>>) -> Vec<&'a str> {
    let mut open: Vec<&str> = vec![kernel];
    let (mut seen, mut bodies) = (BTreeSet::new(), Vec::new());
    while let Some(name) = open.pop() {
        let Some(function) = functions.get(name).filter(|_| seen.insert(name.to_owned())) else { continue };
        bodies.push(function.body);
        open.extend(called(function.body));
    }
    bodies
}

/// The names that a body calls: `call.uni (value), name, (arguments);`, over one line or several.
fn called(body: &str) -> impl Iterator<Item = &str> {
    body.split("call.uni").skip(1).filter_map(|call| {
        let call = call.split(';').next()?.trim_start();
        let call = if call.starts_with('(') { call.split_once(')')?.1 } else { call };
        call.split([',', '(', ')']).map(str::trim).find(|name| !name.is_empty())
    })
}

fn routines<'a>(body: &'a str, tables: &'a [&str]) -> impl Iterator<Item = Routine> + 'a {
    let root = tables.iter().any(|table| body.contains(table)).then_some(Routine::SquareRoot);
    let rounding =
        EXPONENT_BITS.iter().any(|(load, bits)| shifts(body, load, bits)).then_some(Routine::Rounding);
    let call = called(body).any(|name| CALLS.contains(&name)).then_some(Routine::Call);
    [root, rounding, call].into_iter().flatten()
}

/// Whether a constant is loaded into a register that is shifted, as a signed number, by another register.
fn shifts(body: &str, load: &str, constant: &str) -> bool {
    let instructions = || body.lines().map(str::trim);
    let loaded: BTreeSet<&str> = instructions()
        .filter_map(|line| line.strip_prefix(load)?.strip_suffix(';')?.split_once(','))
        .filter(|(_, value)| value.trim() == constant)
        .map(|(register, _)| register.trim())
        .collect();
    instructions().filter(|line| line.starts_with("shr.s")).any(|line| {
        let mut operands = line.trim_end_matches(';').split(',').map(str::trim).skip(1);
        operands.next().is_some_and(|value| loaded.contains(value))
            && operands.next().is_some_and(|by| by.starts_with('%'))
    })
}

/// The name in `.global .align 2 .b8 name[256] = {…};`.
fn table_name(line: &str) -> Option<&str> {
    line.split_once('[')?.0.split_whitespace().last()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = ".version 7.8\n\
        .global .align 2 .b8 libm_TAB[256] = {81, 180, 240, 178, 150, 177, 68, 176, 249, 174, 182};\n\
        .func  (.param .b32 func_retval0) helper(\n\t.param .b32 helper_param_0\n)\n;\n\
        .visible .entry rooted(\n\t.param .u64 rooted_param_0\n)\n{\n\tmov.b64 %rd1, libm_TAB;\n\tret;\n\n}\n\
        \t// .globl\tcaller\n.visible .entry caller(\n\t.param .u64 a\n)\n{\n\t{ // callseq 0, 0\n\tcall.uni (retval0), helper, (param0);\n\t}\n\tret;\n}\n\
        .func  (.param .b32 func_retval0) helper(\n\t.param .b32 helper_param_0\n)\n{\n\
        \tmov.b32 \t%r8, -8388608;\n\tshr.s32 \t%r9, %r8, %r7;\n\tret;\n}\n\
        .visible .entry clean(\n)\n{\n\tmov.b32 %r8, -8388608;\n\tand.b32 %r9, %r8, %r7;\n\tshr.s32 %r9, %r7, 23;\n\tsqrt.rn.f32 %r1, %r2;\n}\n\
        .visible .entry linked(\n)\n{\n\tcall.uni (retval0), \n\tsqrtf, \n\t(\n\tparam0\n\t);\n}\n";

    #[test]
    fn routines_are_found_by_kernel() {
        let found: Vec<_> = software_routines(PTX).into_iter().map(|s| (s.kernel, s.routine)).collect();
        let expected =
            [("caller", Routine::Rounding), ("linked", Routine::Call), ("rooted", Routine::SquareRoot)];
        assert_eq!(found, expected.map(|(kernel, routine)| (kernel.to_owned(), routine)));
    }

    #[test]
    fn a_report_names_the_kernel() {
        let first = software_routines(PTX).remove(0);
        assert_eq!(
            first.to_string(),
            "kernel `caller` has roundings to integers in software, for which the GPU has an instruction"
        );
    }
}
