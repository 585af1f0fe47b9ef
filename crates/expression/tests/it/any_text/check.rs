//! The property that holds for any text.

use ribbonmesh_expression::{Expression, Field, Limits, Program, Type};

/// Reads any text; an accepted one has bytecode or a named limit.
pub fn check(text: &str) {
    let fields = [
        Field::new("p", Type::Scalar, "cells"),
        Field::new("q", Type::Scalar, "cells"),
        Field::new("v", Type::Vector, "cells"),
        Field::new("s", Type::Symmetric, "cells"),
        Field::new("m", Type::Tensor, "cells"),
        Field::uniform("t", Type::Scalar),
        Field::new("von mises", Type::Scalar, "faces"),
    ];
    match Expression::parse(text, &fields) {
        Ok(expression) => {
            assert!(text.len() <= Limits::default().bytes);
            if let Ok(program) = Program::new(&expression) {
                let words = program.words().to_vec();
                let again = Program::from_words(words, program.inputs().to_vec(), program.width());
                assert_eq!(again.expect("what was made is valid"), program);
            }
        }
        Err(error) => {
            assert!(error.range.start <= error.range.end && error.range.end <= text.len(), "{error}");
            assert!(text.is_char_boundary(error.range.start) && text.is_char_boundary(error.range.end));
            assert!(error.with_text(text).contains('^'));
        }
    }
}
