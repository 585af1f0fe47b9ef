//! Bytecode from elsewhere, limits, and arrays that do not fit.

use crate::support::{Random, Values, fields};
use ribbonmesh_expression::{
    Column, EvaluateError, Expression, Input, Instruction, Operation, Program, ProgramError, REGISTERS,
    evaluate,
};

fn parse(text: &str) -> Expression {
    Expression::parse(text, &fields()).expect(text)
}

/// The operations of an expression after simplification.
fn operations(text: &str) -> Vec<Operation> {
    let instructions: Vec<_> = Program::new(&parse(text)).expect(text).instructions().collect();
    instructions
        .into_iter()
        .filter_map(|instruction| match instruction {
            Instruction::Apply { operation, .. } => Some(operation),
            _ => None,
        })
        .collect()
}

#[test]
fn simplification() {
    use Operation::{Abs, Add, Cos, Divide, Multiply, Negate, Pow, Sin, Sqrt, Subtract};
    let cases: [(&str, &[Operation]); 27] = [
        ("1 + 2 * 3", &[]),
        ("p * 1", &[]),
        ("1 * p / 1", &[]),
        ("p - 0", &[]),
        ("p + -0", &[]),
        ("p + 0", &[Add]),
        ("p * 0", &[Multiply]),
        ("p - p", &[Subtract]),
        ("--p", &[]),
        ("p - -q", &[Add]),
        ("p + -q", &[Subtract]),
        ("-p * -q", &[Multiply]),
        ("p * -1", &[Negate]),
        ("p / 4", &[Multiply]),
        ("p / 3", &[Divide]),
        ("abs(abs(-p))", &[Abs]),
        ("p^2", &[Multiply]),
        ("p^(1+1)", &[Multiply]),
        ("p^8", &[Multiply; 3]),
        ("p^0.5", &[Sqrt]),
        ("p^q", &[Pow]),
        ("p^9", &[Pow]),
        ("sin(p) * sin(p)", &[Sin, Multiply]),
        ("(p + q) * (q + p)", &[Add, Multiply]),
        ("1 ? p : sin(p)", &[]),
        ("vec(p, q, cos(p)).z", &[Cos]),
        ("cross(v, vec(1, 0, 0)).x", &[Multiply, Multiply, Subtract]),
    ];
    for (text, expected) in cases {
        assert_eq!(operations(text), expected, "{text}");
    }
}

#[test]
fn inputs_are_those_that_matter() {
    let inputs = |text: &str| parse(text).inputs().to_vec();
    assert_eq!(inputs("1 ? p : q"), [Input { field: 0, component: 0 }]);
    assert_eq!(inputs("vY + v.y"), [Input { field: 2, component: 1 }]);
    assert_eq!(inputs("trace(s)").len(), 3);
    assert!(inputs("id * 2").is_empty());
    assert_eq!(parse("t + 1").of(), None);
    assert_eq!(parse("t + p").of(), Some("cells"));
}

#[test]
fn registers() {
    // 31 products that are all needed twice, in opposite orders
    let products = |order: Vec<usize>, sign: &str| {
        let terms: Vec<_> = order.iter().map(|i| format!("p*{i}.5")).collect();
        terms.join(sign)
    };
    let text =
        format!("({}) / ({})", products((0..31).collect(), "+"), products((0..31).rev().collect(), "-"));
    let expression = parse(&text);
    let error = Program::new(&expression).expect_err("too many values are alive");
    assert_eq!(error, ProgramError::Registers { needed: REGISTERS + 1 });
    assert!(error.to_string().starts_with("the expression needs 33 registers, and bytecode has 32"));
    // but a chain of any length needs few
    let chain = "p+(".repeat(60) + "q" + &")".repeat(60);
    assert!(Program::new(&parse(&chain)).is_ok());
}

#[test]
fn words_from_elsewhere() {
    let program = Program::new(&parse("p < q ? p : q")).expect("it is short");
    let wrong = |words: Vec<u32>| {
        Program::from_words(words, program.inputs().to_vec(), 1).expect_err("it is wrong").to_string()
    };
    let words = program.words().to_vec();
    assert_eq!(wrong(words[1..].to_vec()), "9 words are not a whole number of instructions of two words");
    assert_eq!(wrong(words[2..].to_vec()), "instruction 1 reads a register that was not written");
    assert_eq!(wrong(vec![]), "result 0 is not set once");
    assert_eq!(Program::from_words(vec![], vec![], 0), Err(ProgramError::Result(0)));
    assert_eq!(
        Program::from_words(words.clone(), program.inputs().to_vec(), 4),
        Err(ProgramError::Result(1))
    );
    assert_eq!(wrong([&words[..], &words[..]].concat()), "result 0 is not set once");
    assert_eq!(wrong(vec![200, 0]), "instruction 0 is unknown");
    let encoded = |instruction: Instruction| instruction.encode().to_vec();
    assert_eq!(
        wrong(encoded(Instruction::Constant { to: 32, bits: 0 })),
        "instruction 0 writes a register that does not exist"
    );
    assert_eq!(
        wrong(encoded(Instruction::Input { to: 0, input: 2 })),
        "instruction 0 reads an input that does not exist"
    );
    assert_eq!(
        wrong(encoded(Instruction::Result { place: 0, from: 99 })),
        "instruction 0 reads a register that does not exist"
    );
    for operation in Operation::ALL {
        let instruction = Instruction::Apply { operation: *operation, to: 1, operands: [2, 3, 4] };
        assert_eq!(Instruction::decode(instruction.encode()), Some(instruction));
    }
}

/// Words that nobody checked give some result.
#[test]
fn any_words() {
    let mut random = Random(6);
    let mut registers = [[0.0; 2]; REGISTERS];
    for _ in 0..20_000 {
        let words: Vec<_> = (0..random.below(30))
            .map(|_| random.next() as u32 & if random.below(2) == 0 { 0xff3f } else { !0 })
            .collect();
        evaluate(&words, [7, 8], &mut registers, |input, element| (input ^ element) as f32);
    }
}

#[test]
fn arrays_that_do_not_fit() {
    let expression = parse("p + q");
    let program = Program::new(&expression).expect("it is short");
    let values = Values::random(&mut Random(7), 10);
    let columns = values.columns(&expression);
    let mut results = [0.0; 11];
    let error = program.evaluate(&columns[1..], 0..10, &mut results[..10]).unwrap_err();
    assert_eq!(error.to_string(), "1 columns are given, and the expression has 2 inputs");
    let error = program.evaluate(&columns, 0..11, &mut results).unwrap_err();
    assert_eq!(error, EvaluateError::Short { column: 0, element: 10 });
    let error = program.evaluate(&columns, 0..10, &mut results).unwrap_err();
    assert_eq!(error.to_string(), "the result has room for 11 numbers, and 10 elements have 10");
    assert_eq!(program.evaluate(&columns, 0..0, &mut []), Ok(()));
    let uniform = [Column::uniform(&1.0), Column::uniform(&2.0)];
    assert_eq!(program.evaluate(&uniform, 5..16, &mut results), Ok(()));
    assert_eq!(results, [3.0; 11]);
}
