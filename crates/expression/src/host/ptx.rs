//! PTX of an expression, for the driver to compile.

use super::emit::emit;
use super::expression::Expression;
use crate::machine::{FRAC_2_PI_BITS, Machine, TURN};
use std::cell::RefCell;
use std::fmt::{self, Display, Write};
use thiserror::Error;

/// Writes a line of the body.
macro_rules! line {
    ($writer:expr, $($text:tt)+) => {
        $writer.line(format_args!($($text)+))
    };
}

/// The name of the entry point of [`Expression::ptx`].
pub const PTX_ENTRY: &str = "expression";

/// An expression that has no PTX.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PtxError {
    /// Another number of strides than there are inputs.
    #[error("{strides} strides are given, and the expression has {inputs} inputs")]
    Strides {
        /// The given strides.
        strides: usize,
        /// The inputs of the expression.
        inputs: usize,
    },
}

impl Expression {
    /// The text of a PTX module whose entry point [`PTX_ENTRY`] evaluates the expression for all elements, by
    /// any number of blocks and threads in one dimension.
    ///
    /// The parameters, of 64 bits each, are the number of elements, the address of the results, and the
    /// address of each of [`inputs`](Self::inputs). Results are one or three numbers for each element, one
    /// after the other. Element i of input k is `strides[k] * i` numbers after its address; a stride of 0 is
    /// a value for all elements. Inputs are read by instructions for memory that nothing writes: the results
    /// must not be among them.
    ///
    /// Nothing is fused or approximated, so that the results have the bits of the CPU.
    pub fn ptx(&self, strides: &[u32]) -> Result<String, PtxError> {
        let inputs = self.inputs().len();
        if strides.len() != inputs {
            return Err(PtxError::Strides { strides: strides.len(), inputs });
        }
        let writer = Writer::default();
        let load = |input: u32| {
            let (address, value) = (writer.address(), writer.float());
            match strides[input as usize] {
                0 => line!(writer, "ld.global.nc.f32 {value}, [%input{input}];"),
                stride => {
                    line!(
                        writer,
                        "mad.lo.u64 {address}, %element, {}, %input{input};",
                        4 * u64::from(stride)
                    );
                    line!(writer, "ld.global.nc.f32 {value}, [{address}];");
                }
            }
            value
        };
        let index = || {
            let value = writer.float();
            line!(writer, "cvt.rn.f32.u64 {value}, %element;");
            value
        };
        let results = emit(self.graph(), self.roots(), &writer, load, index);
        let to = writer.address();
        line!(writer, "mad.lo.u64 {to}, %element, {}, %results;", 4 * results.len());
        for (place, result) in results.iter().enumerate() {
            line!(writer, "st.global.f32 [{to} + {}], {result};", 4 * place);
        }
        Ok(writer.module(inputs))
    }
}

/// A machine that writes PTX.
#[derive(Default)]
struct Writer {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    body: String,
    floats: u32,
    integers: u32,
    predicates: u32,
    addresses: u32,
    labels: u32,
}

/// A number: a register, or a constant.
#[derive(Clone, Copy)]
enum Float {
    Register(u32),
    Constant(u32),
}

impl Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(number) => write!(f, "%f{number}"),
            Self::Constant(bits) => write!(f, "0f{bits:08X}"),
        }
    }
}

/// An integer: a register, or a constant.
#[derive(Clone, Copy)]
enum Int {
    Register(u32),
    Constant(i32),
}

impl Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(number) => write!(f, "%r{number}"),
            Self::Constant(value) => write!(f, "{value}"),
        }
    }
}

/// A predicate register.
#[derive(Clone, Copy)]
struct Mask(u32);

impl Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%p{}", self.0)
    }
}

/// A register with an address.
struct Address(u32);

impl Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%a{}", self.0)
    }
}

/// The next number of a kind.
fn next(counter: &mut u32) -> u32 {
    *counter += 1;
    *counter - 1
}

impl Writer {
    fn line(&self, text: fmt::Arguments<'_>) {
        let body = &mut self.state.borrow_mut().body;
        // a string takes any text
        let _ = writeln!(body, "\t{text}");
    }

    fn float(&self) -> Float {
        Float::Register(next(&mut self.state.borrow_mut().floats))
    }

    fn int(&self) -> Int {
        Int::Register(next(&mut self.state.borrow_mut().integers))
    }

    fn mask(&self) -> Mask {
        Mask(next(&mut self.state.borrow_mut().predicates))
    }

    fn address(&self) -> Address {
        Address(next(&mut self.state.borrow_mut().addresses))
    }

    fn floating(&self, instruction: &str, operands: &[&dyn Display]) -> Float {
        let to = self.float();
        self.instruction(instruction, &to, operands);
        to
    }

    fn whole(&self, instruction: &str, operands: &[&dyn Display]) -> Int {
        let to = self.int();
        self.instruction(instruction, &to, operands);
        to
    }

    fn truth(&self, instruction: &str, operands: &[&dyn Display]) -> Mask {
        let to = self.mask();
        self.instruction(instruction, &to, operands);
        to
    }

    fn instruction(&self, instruction: &str, to: &dyn Display, operands: &[&dyn Display]) {
        let operands: String = operands.iter().map(|operand| format!(", {operand}")).collect();
        line!(self, "{instruction} {to}{operands};");
    }

    /// The whole module around the body.
    fn module(self, inputs: usize) -> String {
        let State { body, floats, integers, predicates, addresses, .. } = self.state.into_inner();
        let list = |item: &dyn Fn(usize) -> String| (0..inputs).map(item).collect::<String>();
        let parameters = list(&|input| format!(",\n\t.param .u64 input{input}"));
        let registers = list(&|input| format!(", %input{input}"));
        let loads = list(&|input| {
            format!(
                "\tld.param.u64 %input{input}, [input{input}];\n\tcvta.to.global.u64 %input{input}, \
                 %input{input};\n"
            )
        });
        format!(
            ".version 7.0
.target sm_80
.address_size 64

.visible .entry {PTX_ENTRY}(
\t.param .u64 elements,
\t.param .u64 results{parameters}
)
{{
\t.reg .f32 %f<{floats}>;
\t.reg .b32 %r<{integers}>;
\t.reg .pred %p<{predicates}>;
\t.reg .b64 %a<{addresses}>;
\t.reg .b64 %element, %stride, %elements, %results{registers};
\t.reg .b32 %block, %threads, %thread, %blocks;
\t.reg .pred %done;
\tld.param.u64 %elements, [elements];
\tld.param.u64 %results, [results];
\tcvta.to.global.u64 %results, %results;
{loads}\tmov.u32 %block, %ctaid.x;
\tmov.u32 %threads, %ntid.x;
\tmov.u32 %thread, %tid.x;
\tmov.u32 %blocks, %nctaid.x;
\tcvt.u64.u32 %element, %thread;
\tmad.wide.u32 %element, %block, %threads, %element;
\tmul.wide.u32 %stride, %blocks, %threads;
\tsetp.ge.u64 %done, %element, %elements;
\t@%done bra $end;
$next:
{body}\tadd.u64 %element, %element, %stride;
\tsetp.lt.u64 %done, %element, %elements;
\t@%done bra $next;
$end:
\tret;
}}
",
            floats = floats.max(1),
            integers = integers.max(1),
            predicates = predicates.max(1),
            addresses = addresses.max(1),
        )
    }
}

impl Machine for Writer {
    type Float = Float;
    type Int = Int;
    type Mask = Mask;

    fn constant(&self, value: f32) -> Float {
        Float::Constant(value.to_bits())
    }
    fn integer(&self, value: i32) -> Int {
        Int::Constant(value)
    }
    fn add(&self, a: Float, b: Float) -> Float {
        self.floating("add.rn.f32", &[&a, &b])
    }
    fn sub(&self, a: Float, b: Float) -> Float {
        self.floating("sub.rn.f32", &[&a, &b])
    }
    fn mul(&self, a: Float, b: Float) -> Float {
        self.floating("mul.rn.f32", &[&a, &b])
    }
    fn div(&self, a: Float, b: Float) -> Float {
        self.floating("div.rn.f32", &[&a, &b])
    }
    fn fma(&self, a: Float, b: Float, c: Float) -> Float {
        self.floating("fma.rn.f32", &[&a, &b, &c])
    }
    fn neg(&self, x: Float) -> Float {
        self.floating("neg.f32", &[&x])
    }
    fn abs(&self, x: Float) -> Float {
        self.floating("abs.f32", &[&x])
    }
    fn sqrt(&self, x: Float) -> Float {
        self.floating("sqrt.rn.f32", &[&x])
    }
    fn floor(&self, x: Float) -> Float {
        self.floating("cvt.rmi.f32.f32", &[&x])
    }
    fn ceil(&self, x: Float) -> Float {
        self.floating("cvt.rpi.f32.f32", &[&x])
    }
    fn trunc(&self, x: Float) -> Float {
        self.floating("cvt.rzi.f32.f32", &[&x])
    }
    fn rint(&self, x: Float) -> Float {
        self.floating("cvt.rni.f32.f32", &[&x])
    }
    fn less(&self, a: Float, b: Float) -> Mask {
        self.truth("setp.lt.f32", &[&a, &b])
    }
    fn less_equal(&self, a: Float, b: Float) -> Mask {
        self.truth("setp.le.f32", &[&a, &b])
    }
    fn equal(&self, a: Float, b: Float) -> Mask {
        self.truth("setp.eq.f32", &[&a, &b])
    }
    fn both(&self, a: Mask, b: Mask) -> Mask {
        self.truth("and.pred", &[&a, &b])
    }
    fn either(&self, a: Mask, b: Mask) -> Mask {
        self.truth("or.pred", &[&a, &b])
    }
    fn not(&self, a: Mask) -> Mask {
        self.truth("not.pred", &[&a])
    }
    fn select(&self, mask: Mask, a: Float, b: Float) -> Float {
        self.floating("selp.f32", &[&a, &b, &mask])
    }
    fn bits(&self, x: Float) -> Int {
        self.whole("mov.b32", &[&x])
    }
    fn float_of_bits(&self, bits: Int) -> Float {
        self.floating("mov.b32", &[&bits])
    }
    fn int_add(&self, a: Int, b: Int) -> Int {
        self.whole("add.s32", &[&a, &b])
    }
    fn int_sub(&self, a: Int, b: Int) -> Int {
        self.whole("sub.s32", &[&a, &b])
    }
    fn int_and(&self, a: Int, b: Int) -> Int {
        self.whole("and.b32", &[&a, &b])
    }
    fn int_or(&self, a: Int, b: Int) -> Int {
        self.whole("or.b32", &[&a, &b])
    }
    fn shift_left(&self, a: Int, places: u32) -> Int {
        self.whole("shl.b32", &[&a, &places])
    }
    fn shift_right(&self, a: Int, places: u32) -> Int {
        self.whole("shr.s32", &[&a, &places])
    }
    fn int_equal(&self, a: Int, b: Int) -> Mask {
        self.truth("setp.eq.s32", &[&a, &b])
    }
    fn int_less(&self, a: Int, b: Int) -> Mask {
        self.truth("setp.lt.s32", &[&a, &b])
    }
    fn to_float(&self, a: Int) -> Float {
        self.floating("cvt.rn.f32.s32", &[&a])
    }
    fn to_int(&self, x: Float) -> Int {
        self.whole("cvt.rzi.s32.f32", &[&x])
    }

    /// [`far_turns`](crate::machine::far_turns), instruction by instruction.
    fn far_turns(&self, far: Mask, x: Float, near: (Int, Float)) -> (Int, Float) {
        let (quadrant, rest) = (self.int(), self.float());
        let label = next(&mut self.state.borrow_mut().labels);
        line!(self, "mov.b32 {quadrant}, {};", near.0);
        line!(self, "mov.f32 {rest}, {};", near.1);
        line!(self, "@!{far} bra $near{label};");
        line!(self, "{{");
        line!(self, ".reg .b32 %x, %exponent, %mantissa, %first, %high, %middle, %low, %w<4>;");
        line!(self, ".reg .b64 %product, %part;");
        line!(self, ".reg .f64 %fraction;");
        line!(self, ".reg .pred %is, %one, %two, %three;");
        line!(self, "mov.b32 %x, {x};");
        line!(self, "shr.u32 %exponent, %x, 23;");
        line!(self, "and.b32 %exponent, %exponent, 255;");
        line!(self, "shl.b32 %mantissa, %x, 8;");
        line!(self, "or.b32 %mantissa, %mantissa, 0x80000000;");
        line!(self, "sub.s32 %first, %exponent, 128;");
        // the exponent of a far angle is 142 to 255, so that the first word is 0 to 3
        line!(self, "shr.u32 %low, %first, 5;");
        for (i, mask) in ["%one", "%two", "%three"].into_iter().enumerate() {
            line!(self, "setp.eq.s32 {mask}, %low, {};", i + 1);
        }
        for i in 0..4 {
            line!(self, "mov.b32 %w{i}, 0x{:08X};", FRAC_2_PI_BITS[i]);
            for (j, mask) in ["%one", "%two", "%three"].into_iter().enumerate() {
                line!(self, "@{mask} mov.b32 %w{i}, 0x{:08X};", FRAC_2_PI_BITS[i + j + 1]);
            }
        }
        // the shift is taken modulo 32
        for (i, window) in ["%high", "%middle", "%low"].into_iter().enumerate() {
            line!(self, "shf.l.wrap.b32 {window}, %w{}, %w{i}, %first;", i + 1);
        }
        line!(self, "mul.wide.u32 %product, %mantissa, %middle;");
        line!(self, "mul.lo.u32 %high, %mantissa, %high;");
        line!(self, "cvt.u64.u32 %part, %high;");
        line!(self, "shl.b64 %part, %part, 32;");
        line!(self, "add.u64 %product, %product, %part;");
        line!(self, "mul.hi.u32 %low, %mantissa, %low;");
        line!(self, "cvt.u64.u32 %part, %low;");
        line!(self, "add.u64 %product, %product, %part;");
        line!(self, "add.u64 %part, %product, 0x2000000000000000;");
        line!(self, "shr.u64 %part, %part, 62;");
        line!(self, "cvt.u32.u64 {quadrant}, %part;");
        line!(self, "shl.b64 %product, %product, 2;");
        line!(self, "cvt.rn.f64.s64 %fraction, %product;");
        line!(self, "mul.rn.f64 %fraction, %fraction, 0d{:016X};", TURN.to_bits());
        line!(self, "cvt.rn.f32.f64 {rest}, %fraction;");
        line!(self, "setp.lt.s32 %is, %x, 0;");
        line!(self, "@%is neg.s32 {quadrant}, {quadrant};");
        line!(self, "@%is neg.f32 {rest}, {rest};");
        line!(self, "setp.eq.s32 %is, %exponent, 255;");
        line!(self, "@%is mov.b32 {quadrant}, 0;");
        line!(self, "@%is mov.f32 {rest}, 0f{:08X};", f32::NAN.to_bits());
        line!(self, "}}");
        let body = &mut self.state.borrow_mut().body;
        let _ = writeln!(body, "$near{label}:");
        (quadrant, rest)
    }
}
