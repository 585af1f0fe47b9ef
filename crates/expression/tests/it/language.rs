//! The grammar, and the values of functions.

use crate::support::fields;
use ribbonmesh_expression::{Expression, Field, Type};

fn field(name: &str, of_type: Type) -> Field {
    Field::new(name, of_type, "points")
}

/// The value of an expression of these fields, whose components count 1, 2, 3, … from each field's beginning.
fn value_of(text: &str, fields: &[Field]) -> [f32; 3] {
    match Expression::parse(text, fields) {
        Ok(expression) => expression.walk(7, |_, component| (component + 1) as f32),
        Err(error) => panic!("{}", error.with_text(text)),
    }
}

fn value(text: &str) -> f32 {
    value_of(text, &fields())[0]
}

#[test]
fn precedence() {
    let cases = [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24 / 4 / 2", 3.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2 * -3", -6.0),
        ("2 - -3", 5.0),
        ("+-+2", -2.0),
        ("1 + 2 < 4", 1.0),
        ("4 <= 3", 0.0),
        ("3 >= 3", 1.0),
        ("3 != 3", 0.0),
        ("1 < 2 ? 5 : 6", 5.0),
        ("0 ? 1 : 0 ? 2 : 3", 3.0),
        ("1 ? 0 ? 1 : 2 : 3", 2.0),
        ("1.5e2 + .5 + 2.", 152.5),
        ("1E-1", 0.1),
        (" \t\n1 ", 1.0),
        ("id", 7.0),
        ("pi", std::f32::consts::PI),
        ("log(e)", 1.0),
        ("`p` + p", 2.0),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn components() {
    let cases = [
        ("v.x", 1.0),
        ("v.2", 3.0),
        ("vY", 2.0),
        ("s.xx", 1.0),
        ("s.yz", 5.0),
        ("s.zy", 5.0),
        ("s.xz", 6.0),
        ("s.5", 6.0),
        ("sXY", 4.0),
        ("m.yx", 4.0),
        ("m.8", 9.0),
        ("(2 * v).z", 6.0),
        ("(-v).y", -2.0),
        ("vec(4, 5, 6).1", 5.0),
        ("v . x", 1.0),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    // a field of this name comes before a component in capitals, and before a constant
    let fields = [field("v", Type::Vector), field("vX", Type::Vector), field("e", Type::Vector)];
    assert_eq!(value_of("vX", &fields), [1.0, 2.0, 3.0]);
    assert_eq!(value_of("e", &fields), [1.0, 2.0, 3.0]);
    assert_eq!(value_of("`von mises`*2", &[field("von mises", Type::Scalar)])[0], 2.0);
}

#[test]
fn vectors_and_tensors() {
    let cases = [
        ("mag(vec(3, 4, 12))", 13.0),
        ("norm1(vec(3, -4, 12))", 19.0),
        ("norminf(vec(3, -14, 12))", 14.0),
        ("dot(v, v)", 14.0),
        ("trace(s)", 6.0),
        ("i1(m)", 15.0),
        ("det(m)", 0.0),
        ("i2(m)", -18.0),
        ("det(s)", 6.0 + 2.0 * 120.0 - 25.0 - 72.0 - 48.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 4, 2)", 4.0),
        ("clamp(5, 0, 1)", 1.0),
        ("clamp(-5, 0, 1)", 0.0),
        ("mod(-1, 3)", 2.0),
        ("mod(7, -3)", -2.0),
        ("sign(-3)", -1.0),
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("hypot(3, 4)", 5.0),
        ("cbrt(-27)", -3.0),
        ("min(0/0, 2)", 2.0),
        ("max(2, 0/0)", 2.0),
        ("(0/0) ? 1 : 2", 1.0),
        ("abs(1/0) > 1e30", 1.0),
    ];
    for (text, expected) in cases {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(value_of("cross(vec(1, 0, 0), vec(0, 1, 0))", &fields()), [0.0, 0.0, 1.0]);
    assert_eq!(value_of("normalize(vec(0, 3, 4))", &fields()), [0.0, 0.6, 0.8]);
    assert_eq!(value_of("v * 2 - v / 2", &fields()), [1.5, 3.0, 4.5]);
    assert!(value("mod(1, 0)").is_nan() && value("sqrt(-1)").is_nan() && value("(-8)^0.4").is_nan());
}

/// Eigenvalues against their sum, product and order.
#[test]
fn eigenvalues() {
    let stress = [
        ([2.0, 2.0, 2.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0]),
        ([1.0, -3.0, 2.0, 0.0, 0.0, 0.0], [2.0, 1.0, -3.0]),
        ([0.0, 0.0, 0.0, 5.0, 0.0, 0.0], [5.0, 0.0, -5.0]),
        ([4.0, 4.0, 1.0, 2.0, 0.0, 0.0], [6.0, 2.0, 1.0]),
        ([2e6, 2e6, 3e6, 0.0, 0.0, 1e6], [3.618_034e6, 2e6, 1.381_966e6]),
    ];
    let fields = [field("s", Type::Symmetric)];
    for (components, expected) in stress {
        let size = components.iter().fold(0.0_f32, |size, value: &f32| size.max(value.abs()));
        let of = |text: &str| {
            let expression = Expression::parse(text, &fields).expect(text);
            expression.walk(0, |_, component| components[component])[0]
        };
        for (number, expected) in (1..).zip(expected) {
            let found = of(&format!("eig(s, {number})"));
            assert!((found - expected).abs() < 2e-6 * size, "{components:?}: {found}, not {expected}");
        }
        let [a, b, c] = expected;
        assert!((of("tresca(s)") - (a - c)).abs() < 4e-6 * size);
        let mises = (((a - b).powi(2) + (b - c).powi(2) + (c - a).powi(2)) / 2.0).sqrt();
        assert!((of("mises(s)") - mises).abs() < 4e-6 * size);
    }
}

/// The three expressions of table 6.2.
#[test]
fn expressions_of_the_thesis() {
    let fields = ["VelocityX", "VelocityY", "Pressure"].map(|name| field(name, Type::Scalar));
    let values = [3.0, 4.0, -2.5];
    for (text, expected) in [
        ("abs(Pressure)", 2.5),
        ("sqrt(VelocityX^2+VelocityY^2)", 5.0),
        ("(VelocityX^2+VelocityY^2)/2 + Pressure", 10.0),
    ] {
        let expression = Expression::parse(text, &fields).expect(text);
        assert_eq!(expression.walk(0, |field, _| values[field])[0], expected, "{text}");
    }
}
