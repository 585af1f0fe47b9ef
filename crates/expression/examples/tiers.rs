//! Prints the times of the thesis's three expressions (tables 6.2 and 6.4) for each way of evaluation on one
//! thread of the CPU: `cargo run --release -p ribbonmesh-expression --features cranelift --example tiers`.

use ribbonmesh_expression::{Column, Expression, Field, Program, REGISTERS, Type, evaluate};
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 1024 * 1024;
const REPETITIONS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fields = ["VelocityX", "VelocityY", "Pressure"].map(|name| Field::new(name, Type::Scalar, "cells"));
    let values = [0.1_f32, 0.7, -0.3]
        .map(|first| (0..COUNT).map(|i| first + (i % 1000) as f32 * 0.001).collect::<Vec<_>>());
    let mut results = vec![0.0; COUNT];
    println!("milliseconds for 1024² elements on one thread; frames until a way repays its compilation");
    for text in [
        "abs(Pressure)",
        "sqrt(VelocityX^2+VelocityY^2)",
        "(VelocityX^2+VelocityY^2)/2 + Pressure",
        "sin(VelocityX) * exp(-VelocityY^2) + atan2(Pressure, VelocityX)",
    ] {
        println!("{text}");
        let (parsed, expression) = least(|| Expression::parse(text, &fields));
        let expression = expression?;
        let (walked, ()) = least(|| {
            for (element, result) in results.iter_mut().enumerate() {
                *result = expression.walk(element as u32, |field, _| values[field][element])[0];
            }
        });
        print("walk over the tree", parsed, walked, None);
        let walk = (parsed, walked);

        let (encoded, program) = least(|| Program::new(&expression));
        let program = program?;
        let inputs: Vec<_> = program.inputs().iter().map(|input| &*values[input.field]).collect();
        let (one_by_one, ()) = least(|| {
            let mut registers = [[0.0]; REGISTERS];
            for (element, result) in results.iter_mut().enumerate() {
                let input = |input: u32, element: u32| inputs[input as usize][element as usize];
                *result = evaluate(program.words(), [element as u32], &mut registers, input)[0][0];
            }
        });
        print("bytecode, one by one", parsed + encoded, one_by_one, Some(walk));

        let columns: Vec<_> = inputs.iter().map(|values| Column::new(values)).collect();
        let (in_chunks, outcome) = least(|| program.evaluate(&columns, 0..COUNT, &mut results));
        outcome?;
        print("bytecode, in chunks", parsed + encoded, in_chunks, Some(walk));

        #[cfg(feature = "cranelift")]
        {
            let (compiled, code) = least(|| ribbonmesh_expression::MachineCode::new(&expression));
            let code = code?;
            let (executed, outcome) = least(|| code.evaluate(&columns, 0..COUNT, &mut results));
            outcome?;
            let chunks = (parsed + encoded, in_chunks);
            print("machine code", parsed + compiled, executed, Some(walk));
            print("  against chunks", parsed + compiled, executed, Some(chunks));
        }
        black_box(&results);
    }
    Ok(())
}

/// The least milliseconds of some repetitions, and the value.
fn least<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let start = Instant::now();
        let value = work();
        (start.elapsed().as_secs_f64() * 1e3, value)
    };
    (1..REPETITIONS).fold(timed(), |best, _| {
        let other = timed();
        if other.0 < best.0 { other } else { best }
    })
}

/// A row; `n = ⌈(t_c,a - t_c,b) / (t_e,b - t_e,a)⌉` frames against another way (6.4.3).
fn print(name: &str, compiled: f64, executed: f64, other: Option<(f64, f64)>) {
    let frames = match other {
        None => String::new(),
        Some((_, faster)) if faster <= executed => ", never".to_owned(),
        Some((other_compiled, other_executed)) => {
            let frames = (compiled - other_compiled) / (other_executed - executed);
            format!(", {} frames", frames.ceil().max(1.0))
        }
    };
    println!("  {name:22} compile {compiled:6.3}, execute {executed:7.3}{frames}");
}
