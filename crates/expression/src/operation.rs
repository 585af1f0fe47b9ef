//! The operations of the graph, the bytecode and the compilers: one table.

use crate::function::{angle, exponential, hyperbolic, inverse, power, simple};
use crate::machine::Machine;

macro_rules! operations {
    ($($number:literal $name:ident $($operand:ident)+ = |$m:ident| $value:expr;)+) => {
        /// An operation on one to three numbers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        #[expect(missing_docs, reason = "their names are those of the language's functions")]
        pub enum Operation {
            $($name = $number),+
        }

        impl Operation {
            /// All operations.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The operation with this number in the bytecode.
            #[inline(always)]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)+
                    _ => None,
                }
            }

            /// The number of its operands.
            pub const fn operands(self) -> usize {
                match self {
                    $(Self::$name => [$(stringify!($operand)),+].len(),)+
                }
            }

            /// The operation on a machine; operands beyond the operation's number of them are ignored.
            #[inline(always)]
            pub fn apply<M: Machine>(self, machine: &M, operands: [M::Float; 3]) -> M::Float {
                match self {
                    $(Self::$name => {
                        let ($m, [$($operand,)+ ..]) = (machine, operands);
                        $value
                    })+
                }
            }

            /// The operation on each of `N` numbers, a loop for each operation.
            #[inline(always)]
            pub(crate) fn apply_each<M: Machine<Float = f32>, const N: usize>(
                self,
                machine: &M,
                operands: [&[f32; N]; 3],
                results: &mut [f32; N],
            ) {
                match self {
                    $(Self::$name => {
                        let ($m, [$($operand,)+ ..]) = (machine, operands);
                        for i in 0..N {
                            $(let $operand = $operand[i];)+
                            results[i] = $value;
                        }
                    })+
                }
            }
        }
    };
}

operations! {
    16 Add a b = |m| m.add(a, b);
    17 Subtract a b = |m| m.sub(a, b);
    18 Multiply a b = |m| m.mul(a, b);
    19 Divide a b = |m| m.div(a, b);
    20 Negate a = |m| m.neg(a);
    21 Less a b = |m| simple::truth(m, m.less(a, b));
    22 LessEqual a b = |m| simple::truth(m, m.less_equal(a, b));
    23 Equal a b = |m| simple::truth(m, m.equal(a, b));
    24 NotEqual a b = |m| simple::truth(m, m.not(m.equal(a, b)));
    25 Select a b c = |m| m.select(m.equal(a, m.constant(0.0)), c, b);
    26 Min a b = |m| simple::min(m, a, b);
    27 Max a b = |m| simple::max(m, a, b);
    28 Abs a = |m| m.abs(a);
    29 Sign a = |m| simple::sign(m, a);
    30 Floor a = |m| m.floor(a);
    31 Ceil a = |m| m.ceil(a);
    32 Round a = |m| simple::round(m, a);
    33 Mod a b = |m| simple::modulo(m, a, b);
    34 Sqrt a = |m| m.sqrt(a);
    35 Cbrt a = |m| power::cbrt(m, a);
    36 Exp a = |m| exponential::exp(m, a);
    37 Log a = |m| exponential::log(m, a);
    38 Log2 a = |m| exponential::log2(m, a);
    39 Log10 a = |m| exponential::log10(m, a);
    40 Pow a b = |m| power::pow(m, a, b);
    41 Hypot a b = |m| inverse::hypot(m, a, b);
    42 Sin a = |m| angle::sin(m, a);
    43 Cos a = |m| angle::cos(m, a);
    44 Tan a = |m| angle::tan(m, a);
    45 Asin a = |m| inverse::asin(m, a);
    46 Acos a = |m| inverse::acos(m, a);
    47 Atan a = |m| inverse::atan(m, a);
    48 Atan2 a b = |m| inverse::atan2(m, a, b);
    49 Sinh a = |m| hyperbolic::sinh(m, a);
    50 Cosh a = |m| hyperbolic::cosh(m, a);
    51 Tanh a = |m| hyperbolic::tanh(m, a);
}
