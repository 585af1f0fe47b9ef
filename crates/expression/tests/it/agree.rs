//! All ways to evaluate an expression give the same bits.

use crate::support::{Random, Values, assert_same, fields};
use ribbonmesh_expression::{Column, Error, ErrorKind, Expression, Program, ProgramError};

#[test]
fn random_expressions() {
    let mut random = Random(1);
    let values = Values::random(&mut random, 600);
    let (mut compared, mut refused) = (0, 0);
    for round in 0..1500 {
        let depth = 1 + round % 5;
        let text = if round % 4 == 3 { random.vector(depth) } else { random.scalar(depth) };
        let expression = match Expression::parse(&text, &fields()) {
            Ok(expression) => expression,
            Err(Error { kind: ErrorKind::TooMany { .. }, .. }) => continue,
            Err(error) => panic!("{}", error.with_text(&text)),
        };
        let walked = values.walked(&expression);
        #[cfg(feature = "cranelift")]
        assert_same("machine code", &text, &values.by_machine_code(&expression), &walked);
        match Program::new(&expression) {
            Ok(program) => {
                assert_same("bytecode", &text, &values.few_at_a_time::<1>(&program), &walked);
                assert_same("bytecode", &text, &values.few_at_a_time::<4>(&program), &walked);
                assert_same("interpreter", &text, &values.in_chunks(&expression, &program), &walked);
                compared += 1;
            }
            Err(ProgramError::Registers { .. }) => refused += 1,
            Err(error) => panic!("{text}: {error}"),
        }
    }
    assert!(compared > 1000, "{compared} compared");
    assert!(refused < 15, "{refused} need too many registers");
}

/// Each function alone, over many numbers.
#[test]
fn each_function() {
    let mut random = Random(2);
    let values = Values::random(&mut random, 20_000);
    let texts = [
        "p + q",
        "p - q",
        "p * q",
        "p / q",
        "-p",
        "p < q",
        "p <= q",
        "p == q",
        "p != q",
        "p ? q : t",
        "min(p, q)",
        "max(p, q)",
        "abs(p)",
        "sign(p)",
        "floor(p)",
        "ceil(p)",
        "round(p)",
        "mod(p, q)",
        "sqrt(p)",
        "cbrt(p)",
        "exp(p)",
        "log(p)",
        "log2(p)",
        "log10(p)",
        "p ^ q",
        "hypot(p, q)",
        "sin(p)",
        "cos(p)",
        "tan(p)",
        "asin(p)",
        "acos(p)",
        "atan(p)",
        "atan2(p, q)",
        "sinh(p)",
        "cosh(p)",
        "tanh(p)",
        "p ^ 0.5",
        "p ^ 7",
        "p ^ -8",
        "id * p",
        "p + 0",
        "p - 0",
        "0 - p",
        "p * -1",
        "p / -4",
        "p / 3",
        "abs(-p)",
        "floor(round(p))",
    ];
    for text in texts {
        let expression = Expression::parse(text, &fields()).expect(text);
        let program = Program::new(&expression).expect(text);
        let walked = values.walked(&expression);
        assert_same("bytecode", text, &values.few_at_a_time::<1>(&program), &walked);
        #[cfg(feature = "cranelift")]
        assert_same("machine code", text, &values.by_machine_code(&expression), &walked);
        assert_same("interpreter", text, &values.in_chunks(&expression, &program), &walked);
    }
}

/// Columns that are contiguous, and ranges that end within a chunk.
#[test]
fn contiguous_columns() {
    let mut random = Random(9);
    let values = Values::random(&mut random, 5_000);
    for text in ["p", "p + q", "vec(q, p, p - q)", "p * p + q / p"] {
        let expression = Expression::parse(text, &fields()).expect(text);
        let program = Program::new(&expression).expect(text);
        let columns: Vec<_> =
            expression.inputs().iter().map(|input| Column::new(&values.of[input.field])).collect();
        let width = program.width();
        let walked = values.walked(&expression);
        for range in [0..5_000, 1..4_098, 256..512, 4_999..5_000] {
            let expected = &walked[width * range.start..width * range.end];
            let mut results = vec![0.0; expected.len()];
            program.evaluate(&columns, range.clone(), &mut results).expect("the columns fit");
            assert_same("interpreter", text, &results, expected);
            #[cfg(feature = "cranelift")]
            {
                let code =
                    ribbonmesh_expression::MachineCode::new(&expression).expect("the processor is supported");
                let columns = &columns;
                // from another thread
                std::thread::scope(|scope| {
                    scope.spawn(|| code.evaluate(columns, range, &mut results)).join().expect("no panic")
                })
                .expect("the columns fit");
                assert_same("machine code", text, &results, expected);
            }
        }
    }
}
