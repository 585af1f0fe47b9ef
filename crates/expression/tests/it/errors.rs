//! The texts of errors.

use crate::support::fields;
use ribbonmesh_expression::{Expression, Field, Limits, Type};

#[test]
fn texts() {
    let cases = [
        ("", "byte 0: expected a number, a name or `(`, found the end"),
        ("1 +", "byte 3: expected a number, a name or `(`, found the end"),
        ("1 + * 2", "byte 4: expected a number, a name or `(`, found `*`"),
        ("(p", "byte 2: expected an operator or `)`, found the end"),
        ("p q", "byte 2: expected an operator or the end, found `q`"),
        ("p = q", "byte 2: expected an operator or the end, found `=`"),
        ("sin(p", "byte 5: expected an operator, `,` or `)`, found the end"),
        ("sin()", "byte 4: expected a number, a name or `(`, found `)`"),
        ("p ? q", "byte 5: expected `:` and the value for a false condition, found the end"),
        ("1 < p < 2", "byte 6: expected no second comparison: put the first one in parentheses, found `<`"),
        ("v.", "byte 2: expected a component such as x, xy or 0, found the end"),
        ("1e+", "byte 3: expected a digit of the exponent, found the end"),
        ("é", "byte 0: expected a number, a name or `(`, found `é`"),
        ("`p", "byte 2: expected a back-quote at the end of the name, found the end"),
        ("``", "byte 1: expected a name between back-quotes, found ```"),
        ("1e99", "byte 0: 1e99 is beyond the range of single precision"),
        (
            "p + presure",
            "byte 4: no field is called \"presure\"; did you mean \"p\", \"q\", \"v\", \"s\", \"m\", \
             or \"t\"?",
        ),
        ("sqr(p)", "byte 0: no function is called \"sqr\"; did you mean \"sqrt\"?"),
        ("MAG(v)", "byte 0: no function is called \"MAG\"; did you mean \"mag\"?"),
        ("p(2)", "byte 0: no function is called \"p\""),
        ("sin(p, q)", "byte 0: sin takes 1 argument, and 2 are given"),
        ("min(p)", "byte 0: min takes 2 or more arguments, and 1 are given"),
        (
            "abs(v)",
            "byte 4: abs takes a scalar, and this is a vector: mag(v) is the length of a \
             vector, v.x a component",
        ),
        ("mag(p)", "byte 4: mag takes a vector, and this is a scalar: abs is the magnitude of a scalar"),
        ("mises(m)", "byte 6: mises takes a symmetric tensor, and this is a tensor"),
        (
            "v * v",
            "byte 0: * cannot combine a vector and a vector: dot(a, b) and cross(a, b) are products \
             of vectors",
        ),
        ("1 + v", "byte 0: + cannot combine a scalar and a vector"),
        (
            "v ^ 2",
            "byte 0: ^ cannot combine a vector and a scalar: dot(v, v) is the square of a vector's \
             length",
        ),
        ("p ? v : q", "byte 0: ? cannot combine a vector and a scalar: both values after `?` have one type"),
        ("v ? p : q", "byte 0: a condition before `?` takes a scalar, and this is a vector"),
        ("p.x", "byte 2: a scalar has no component \"x\""),
        ("1 + v.w", "byte 6: a vector has no component \"w\"; it has x, y, z"),
        ("s.6", "byte 2: a symmetric tensor has no component \"6\"; it has xx, yy, zz, xy, yz, xz"),
        ("eig(s, 4)", "byte 7: the second argument of eig is 1, 2 or 3: 1 is the greatest eigenvalue"),
        ("eig(s, p)", "byte 7: the second argument of eig is 1, 2 or 3: 1 is the greatest eigenvalue"),
        (
            "2 * s",
            "byte 0: the result is a symmetric tensor, but must be a scalar or a vector: choose a component \
             such as .xx, or a function such as mises",
        ),
    ];
    for (text, expected) in cases {
        let error = Expression::parse(text, &fields()).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn kinds_of_elements() {
    let fields = [Field::new("area", Type::Scalar, "faces"), Field::new("height", Type::Scalar, "vertices")];
    let error = Expression::parse("area * height", &fields).expect_err("two kinds");
    assert_eq!(
        error.with_text("area * height"),
        "byte 7: \"area\" is a field of faces, and \"height\" is one of vertices: use fields of one \
         kind\n    area * height\n           ^^^^^^"
    );
}

#[test]
fn near_names() {
    let fields = ["Velocity", "Pressure", "Vorticity"].map(|name| Field::new(name, Type::Scalar, "cells"));
    let error = Expression::parse("velocity", &fields).expect_err("another spelling");
    assert_eq!(error.to_string(), "byte 0: no field is called \"velocity\"; did you mean \"Velocity\"?");
    let error =
        Expression::parse("1 + 2", &[]).map(|_| ()).and_then(|()| Expression::parse("x", &[]).map(|_| ()));
    assert_eq!(
        error.expect_err("no fields").to_string(),
        "byte 0: no field is called \"x\"; did you mean \"e\"?"
    );
}

#[test]
fn limits() {
    let error = |text: &str| Expression::parse(text, &fields()).expect_err("beyond a limit").to_string();
    assert_eq!(error(&" ".repeat(2000)), "byte 1024: the expression has 2000 bytes; 1024 are allowed");
    assert_eq!(error(&"(".repeat(100)), "byte 64: the expression has 65 nested levels; 64 are allowed");
    assert_eq!(
        error(&("1+".repeat(200) + "1")),
        "byte 0: the expression has 257 nodes (numbers, names, operators and functions); 256 are allowed"
    );
    assert_eq!(
        error(&("abs(p)+".repeat(65) + "1")),
        "byte 448: the expression has 65 functions; 64 are allowed"
    );
    let few = Limits { operations: 10, ..Limits::default() };
    let error = Expression::parse_within("eig(s, 1)", &fields(), &few).expect_err("beyond a limit");
    assert!(error.to_string().contains("operations on numbers; 10 are allowed"), "{error}");
}
