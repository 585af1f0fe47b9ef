//! Fields with values, random numbers and random expressions.

use ribbonmesh_expression::{Column, Expression, Field, Program, REGISTERS, Type, evaluate};

/// The fields of the tests: their names, types and whether they are uniform.
const FIELDS: [(&str, Type, bool); 6] = [
    ("p", Type::Scalar, false),
    ("q", Type::Scalar, false),
    ("v", Type::Vector, false),
    ("s", Type::Symmetric, false),
    ("m", Type::Tensor, false),
    ("t", Type::Scalar, true),
];

pub fn fields() -> Vec<Field> {
    FIELDS
        .iter()
        .map(|(name, of_type, uniform)| match uniform {
            true => Field::uniform(*name, *of_type),
            false => Field::new(*name, *of_type, "cells"),
        })
        .collect()
}

/// Values of all fields, interleaved.
pub struct Values {
    pub count: usize,
    pub of: Vec<Vec<f32>>,
}

impl Values {
    pub fn random(random: &mut Random, count: usize) -> Self {
        let values = |(_, of_type, uniform): &(_, Type, bool)| {
            let count = if *uniform { 1 } else { count };
            (0..count * of_type.width()).map(|_| random.number()).collect()
        };
        Self { count, of: FIELDS.iter().map(values).collect() }
    }

    pub fn get(&self, element: usize, field: usize, component: usize) -> f32 {
        let (_, of_type, uniform) = FIELDS[field];
        self.of[field][if uniform { component } else { element * of_type.width() + component }]
    }

    pub fn column(&self, field: usize, component: usize) -> Column<'_> {
        let (_, of_type, uniform) = FIELDS[field];
        match uniform {
            true => Column::uniform(&self.of[field][component]),
            false => Column::interleaved(&self.of[field], component, of_type.width()),
        }
    }

    /// The columns of an expression's inputs.
    pub fn columns(&self, expression: &Expression) -> Vec<Column<'_>> {
        expression.inputs().iter().map(|input| self.column(input.field, input.component)).collect()
    }

    /// All results by the walk over the tree.
    pub fn walked(&self, expression: &Expression) -> Vec<f32> {
        let width = expression.result().width();
        (0..self.count)
            .flat_map(|element| {
                let result =
                    expression.walk(element as u32, |field, component| self.get(element, field, component));
                result.into_iter().take(width)
            })
            .collect()
    }

    /// All results by the bytecode, `N` elements at a time.
    pub fn few_at_a_time<const N: usize>(&self, program: &Program) -> Vec<f32> {
        let mut registers = [[f32::NAN; N]; REGISTERS];
        let mut results = Vec::new();
        for start in (0..self.count).step_by(N) {
            let elements = std::array::from_fn(|lane| (start + lane).min(self.count - 1) as u32);
            let found = evaluate(program.words(), elements, &mut registers, |input, element| {
                let input = program.inputs()[input as usize];
                self.get(element as usize, input.field, input.component)
            });
            let lanes = N.min(self.count - start);
            results.extend(
                (0..lanes).flat_map(|lane| found.map(|of| of[lane]).into_iter().take(program.width())),
            );
        }
        results
    }

    /// All results by the interpreter, in two ranges of elements.
    pub fn in_chunks(&self, expression: &Expression, program: &Program) -> Vec<f32> {
        let mut results = vec![0.0; self.count * program.width()];
        let columns = self.columns(expression);
        let middle = self.count / 3;
        let (first, second) = results.split_at_mut(middle * program.width());
        program.evaluate(&columns, 0..middle, first).expect("the columns fit");
        program.evaluate(&columns, middle..self.count, second).expect("the columns fit");
        results
    }
}

/// All results by machine code, in two ranges of elements.
#[cfg(feature = "cranelift")]
impl Values {
    pub fn by_machine_code(&self, expression: &Expression) -> Vec<f32> {
        let code = ribbonmesh_expression::MachineCode::new(expression).expect("the processor is supported");
        let width = expression.result().width();
        let mut results = vec![0.0; self.count * width];
        let columns = self.columns(expression);
        let middle = self.count / 3;
        let (first, second) = results.split_at_mut(middle * width);
        code.evaluate(&columns, 0..middle, first).expect("the columns fit");
        code.evaluate(&columns, middle..self.count, second).expect("the columns fit");
        results
    }
}

/// Asserts the same bits, with all NaNs as one value.
pub fn assert_same(what: &str, text: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what} of {text}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{what} of {text}: result {i} is {found:e} instead of {expected:e}");
    }
}

/// Random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// A number: usual, special, or any bits.
    pub fn number(&mut self) -> f32 {
        const SPECIAL: [f32; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            -3.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::MIN_POSITIVE,
            1e-45,
            -1e-40,
            f32::MAX,
            1e30,
            8_388_609.0,
        ];
        match self.below(8) {
            0 => SPECIAL[self.below(SPECIAL.len())],
            1 => f32::from_bits(self.next() as u32),
            2 => (self.below(21) as f32) - 10.0,
            3 => ((self.next() as i32) as f32) / 1000.0,
            _ => ((self.next() as i32) as f32) / (1u32 << 29) as f32,
        }
    }

    /// An expression with a scalar value.
    pub fn scalar(&mut self, depth: usize) -> String {
        const NUMBERS: [&str; 12] =
            ["0", "1", "2", "3", "0.5", "-1", "7", "1e-3", "2.5", ".25", "1e30", "-0"];
        const UNARY: [&str; 24] = [
            "abs", "sqrt", "cbrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos",
            "atan", "sinh", "cosh", "tanh", "floor", "ceil", "round", "sign", "-", "+", "abs", "sqrt",
        ];
        const BINARY: [&str; 7] = ["pow", "atan2", "mod", "hypot", "min", "max", "max"];
        const OPERATORS: [&str; 14] =
            ["+", "-", "*", "/", "+", "-", "*", "^", "<", "<=", ">", ">=", "==", "!="];
        const POWERS: [&str; 10] = ["2", "3", "-1", "0.5", "8", "-3", "0", "1", "2.5", "(1+1)"];
        if depth == 0 {
            return match self.below(8) {
                0 | 1 => self.of(&NUMBERS).to_owned(),
                2 => self.of(&["t", "id", "pi", "e"]).to_owned(),
                3 => self.of(&["v.x", "v.1", "vZ", "s.xy", "s.zz", "m.zy", "m.4"]).to_owned(),
                _ => self.of(&["p", "q"]).to_owned(),
            };
        }
        let depth = depth - 1;
        match self.below(16) {
            0..4 => format!("{}({})", self.of(&UNARY), self.scalar(depth)),
            4 => format!("{}({}, {})", self.of(&BINARY), self.scalar(depth), self.scalar(depth)),
            5..10 => format!("({} {} {})", self.scalar(depth), self.of(&OPERATORS), self.scalar(depth)),
            10 => format!("({})^{}", self.scalar(depth), self.of(&POWERS)),
            11 => format!("({} ? {} : {})", self.scalar(depth), self.scalar(depth), self.scalar(depth)),
            12 => format!("clamp({}, {}, {})", self.scalar(depth), self.scalar(0), self.scalar(0)),
            13 => format!("{}({})", self.of(&["mag", "norm1", "norminf"]), self.vector(depth)),
            14 => format!("dot({}, {})", self.vector(depth), self.vector(depth)),
            _ => match self.below(4) {
                0 => format!("eig({}, {})", self.tensor(depth, "s"), 1 + self.below(3)),
                1 => format!("{}({})", self.of(&["mises", "tresca"]), self.tensor(depth, "s")),
                which => {
                    let tensor = if which == 2 { "s" } else { "m" };
                    format!(
                        "{}({})",
                        self.of(&["trace", "det", "i1", "i2", "i3"]),
                        self.tensor(depth, tensor)
                    )
                }
            },
        }
    }

    /// An expression with a vector value.
    pub fn vector(&mut self, depth: usize) -> String {
        if depth == 0 {
            return "v".to_owned();
        }
        let depth = depth - 1;
        match self.below(7) {
            0 => format!("vec({}, {}, {})", self.scalar(depth), self.scalar(depth), self.scalar(0)),
            1 => format!("cross({}, {})", self.vector(depth), self.vector(0)),
            2 => format!("normalize({})", self.vector(depth)),
            3 => format!("({} * {})", self.scalar(depth), self.vector(depth)),
            4 => format!("({} {} {})", self.vector(depth), self.of(&["+", "-"]), self.vector(depth)),
            5 => format!("-{} / {}", self.vector(depth), self.scalar(depth)),
            _ => format!("({} ? {} : {})", self.scalar(depth), self.vector(depth), self.vector(0)),
        }
    }

    fn tensor(&mut self, depth: usize, field: &str) -> String {
        match (depth, self.below(3)) {
            (0, _) | (_, 0) => field.to_owned(),
            (_, 1) => format!("({} * {field})", self.scalar(depth - 1)),
            _ => format!("({field} - {} / {})", self.tensor(depth - 1, field), self.scalar(0)),
        }
    }
}
