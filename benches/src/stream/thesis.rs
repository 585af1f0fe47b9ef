//! Numbers of Mueller-Roemer's thesis (2020), chapter 6, milliseconds. Its server had two Xeon E5-2650 v2 and
//! two GRID K2, its client an i7-2600; for table 6.3 it was an i7-3770 with a GTX 580.

/// Table 6.1: fields, serialization, native client, Chrome 47, Chrome 46 on a telephone.
pub const FRAMES: [(usize, [f64; 4]); 3] =
    [(1, [8.81, 7.89, 86.5, 435.0]), (2, [18.9, 14.5, 174.0, 841.0]), (3, [30.0, 20.2, 254.0, 1202.0])];

/// Tables 6.2 and 6.3 for one expression.
pub struct Expression {
    /// Compilation and execution with copies: interpreter, machine code, GPU.
    pub interpreter: [f64; 2],
    /// For the CPU.
    pub cpu: [f64; 2],
    /// For the GPU.
    pub gpu: [f64; 2],
    /// Calculation and copy on the CPU and the GPU.
    pub parts: [[f64; 2]; 2],
    /// Table 6.4: frames before they are rounded up: machine code against the interpreter, the GPU against
    /// the interpreter and against machine code.
    pub frames: [f64; 3],
}

/// Expressions 1 to 3.
pub const EXPRESSIONS: [Expression; 3] = [
    Expression {
        interpreter: [0.03, 14.1],
        cpu: [6.60, 8.91],
        gpu: [77.1, 4.49],
        parts: [[1.99, 1.04], [0.10, 0.98]],
        frames: [1.27, 8.02, 15.95],
    },
    Expression {
        interpreter: [0.04, 53.1],
        cpu: [7.22, 13.1],
        gpu: [77.1, 4.27],
        parts: [[2.20, 1.98], [0.13, 0.97]],
        frames: [0.18, 1.58, 7.91],
    },
    Expression {
        interpreter: [0.04, 63.1],
        cpu: [9.37, 17.1],
        gpu: [77.2, 4.38],
        parts: [[1.13, 3.02], [0.16, 0.99]],
        frames: [0.20, 1.31, 5.33],
    },
];

/// Figures 6.8 and 6.9, of which the text has words alone.
pub const NETWORK: &str = "The thesis's figures are lost; its text says: one field reaches the server's rate at 500 \
    Mbit/s, two and three above 1 Gbit/s, and a second request brings up to 50 %.";

/// Figure 6.10: per cent that the thesis's layout saves, with depths of 32 and 16 bits; and the parts of the
/// picture below which it saves nothing.
pub const RIXELS: &str = "Thesis: 59 % less with depths of 32 bits and 73 % less with 16, if all is seen; more than before \
    below 1.4 and 1.2 % of the picture.";
