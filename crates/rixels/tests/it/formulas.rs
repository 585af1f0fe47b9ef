//! Formulas against the walk over their tree.
use crate::support::Random;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, DeviceKind};
use ribbonmesh_expression::{EvaluateError, Expression, Field, Type};
use ribbonmesh_rixels::{DeviceColumn, Evaluator, RixelError, Way};
use ribbonmesh_suite::suite;

const N: usize = 20_000;

/// Fields on a device, and their values here.
struct Fields {
    scalar: Buffer<f32>,
    places: Buffer<Vec3>,
    stress: Buffer<[f32; 6]>,
    gradient: Buffer<[f32; 9]>,
    time: Buffer<f32>,
    values: Vec<Vec<f32>>,
}

fn fields() -> Vec<Field> {
    vec![
        Field::new("p", Type::Scalar, "vertices"),
        Field::new("v", Type::Vector, "vertices"),
        Field::new("s", Type::Symmetric, "vertices"),
        Field::new("m", Type::Tensor, "vertices"),
        Field::uniform("t", Type::Scalar),
        // the second component of the places
        Field::new("y", Type::Scalar, "vertices"),
        Field::new("unused", Type::Scalar, "vertices"),
    ]
}

impl Fields {
    fn new(device: &Device) -> Self {
        const SPECIAL: [f32; 8] =
            [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-45, f32::MAX, -1.0];
        let mut random = Random(7);
        let mut numbers = |width: usize| -> Vec<f32> {
            let number = |random: &mut Random| match random.next() % 16 {
                0 => SPECIAL[(random.next() % 8) as usize],
                1 => f32::from_bits(random.next() as u32),
                _ => 10.0 * random.number(),
            };
            (0..N * width).map(|_| number(&mut random)).collect()
        };
        let (p, v, s, m) = (numbers(1), numbers(3), numbers(6), numbers(9));
        let y = v.iter().skip(1).step_by(3).copied().collect();
        let places: Vec<Vec3> = v.as_chunks().0.iter().map(|v| Vec3::from_array(*v)).collect();
        Self {
            scalar: device.upload(&p).expect("memory"),
            places: device.upload(&places).expect("memory"),
            stress: device.upload(s.as_chunks().0).expect("memory"),
            gradient: device.upload(m.as_chunks().0).expect("memory"),
            time: device.upload(&[0.75]).expect("memory"),
            values: vec![p, v, s, m, vec![0.75], y],
        }
    }
    fn columns(&self) -> Vec<Option<DeviceColumn<'_>>> {
        vec![
            Some(DeviceColumn::new(&self.scalar)),
            Some(DeviceColumn::new(&self.places)),
            Some(DeviceColumn::new(&self.stress)),
            Some(DeviceColumn::new(&self.gradient)),
            Some(DeviceColumn::uniform(&self.time)),
            Some(DeviceColumn::interleaved(&self.places, 1, 3)),
            None,
        ]
    }
    fn walked(&self, expression: &Expression, n: usize) -> Vec<f32> {
        const WIDTHS: [usize; 6] = [1, 3, 6, 9, 0, 1];
        let get = |element: usize, field: usize, component: usize| {
            self.values[field][element * WIDTHS[field] + component]
        };
        let width = expression.result().width();
        (0..n).flat_map(|i| expression.walk(i as u32, |f, c| get(i, f, c)).into_iter().take(width)).collect()
    }
}

fn assert_same(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            "{what}: {i} is {a:e} instead of {b:e}"
        );
    }
}

const FORMULAS: [&str; 14] = [
    "2",
    "id * t",
    "abs(p)",
    "sqrt(v.x^2 + v.y^2)",
    "(v.x^2 + v.y^2) / 2 + p",
    "v",
    "cross(v, vec(p, t, y)) / 3",
    "mises(s) + tresca(s) - eig(s, 2)",
    "det(m) + trace(m) * m.zy",
    "normalize(v) * (p > 0 ? sin(p) : exp(p))",
    "atan2(p, y) + cos(1e6 * p) + p ^ y",
    "cbrt(p) + log(p) - tanh(y) + asin(y) + mod(p, y)",
    "min(p, y, t) + max(p, v.z) + clamp(p, -1, 1) + round(y)",
    "hypot(p, y) < 3 ? mag(v) : norminf(v)",
];

suite! {
    fn all_ways(device) {
        let fields_on_device = Fields::new(device);
        let columns = fields_on_device.columns();
        for text in FORMULAS {
            let expression = Expression::parse(text, &fields()).expect(text);
            let mut evaluator = Evaluator::new(device, &expression).expect(text);
            for n in [N, 1, 0, 257] {
                let expected = fields_on_device.walked(&expression, n);
                let found = evaluator.evaluate(&columns, n).expect(text);
                assert_same(text, &found.read().expect("memory"), &expected);
                for way in [Way::Kernel, Way::Chunks, Way::Compiled] {
                    let mut to = device.upload(&vec![-7.0; expected.len()]).expect("memory");
                    match evaluator.evaluate_by(way, &columns, n, &mut to) {
                        Ok(()) => assert_same(text, &to.read().expect("memory"), &expected),
                        Err(RixelError::Way { .. }) => {
                            assert_eq!((device.kind(), way), (DeviceKind::Cuda, Way::Chunks))
                        }
                        Err(error) => {
                            assert_eq!(error.to_string(), "a text of PTX needs an NVIDIA GPU");
                            assert_eq!((device.kind(), way), (DeviceKind::Cpu, Way::Compiled));
                        }
                    }
                }
            }
        }
    }
    /// On a GPU the driver compiles a formula while a kernel evaluates it, and other columns anew.
    fn taken_over(device) {
        if device.kind() == DeviceKind::Cpu {
            return;
        }
        let all = Fields::new(device);
        let expression = Expression::parse("tanh(p) * 3 + y", &fields()).expect("a formula");
        let expected = all.walked(&expression, N);
        let mut evaluator = Evaluator::new(device, &expression).expect("bytecode");
        let mut rounds = 0;
        while evaluator.way() != Way::Compiled {
            let found = evaluator.evaluate(&all.columns(), N).expect("values");
            assert_same("taken over", &found.read().expect("memory"), &expected);
            rounds += 1;
            assert!(rounds < 100_000, "never compiled");
        }
        let found = evaluator.evaluate(&all.columns(), N).expect("values");
        assert_same("compiled", &found.read().expect("memory"), &expected);
        let mut columns = all.columns();
        columns[5] = columns[0];
        let found = evaluator.evaluate(&columns, N).expect("values");
        assert!(found.read().expect("memory") != expected);
    }
    fn refused(device) {
        let all = Fields::new(device);
        let expression = Expression::parse("p + v.z", &fields()).expect("a formula");
        let mut evaluator = Evaluator::new(device, &expression).expect("bytecode");
        let missing = evaluator.evaluate(&all.columns()[..1], N).expect_err("no v");
        assert!(matches!(missing, RixelError::Evaluate(EvaluateError::Columns { .. })), "{missing}");
        let short = evaluator.evaluate(&all.columns(), N + 1).expect_err("short");
        assert_eq!(short.to_string(), format!("column 0 has no value for element {N}"));
        let mut other = device.zeros(3).expect("memory");
        let length = evaluator.evaluate_into(&all.columns(), 2, &mut other).expect_err("a length");
        assert!(matches!(length, RixelError::Evaluate(EvaluateError::Result { needed: 2, .. })), "{length}");

        let many: Vec<Field> =
            (0..14).map(|k| Field::new(format!("f{k}"), Type::Scalar, "vertices")).collect();
        let sum = |n: usize| (0..n).map(|k| format!("f{k}")).collect::<Vec<_>>().join(" + ");
        let columns = vec![Some(DeviceColumn::new(&all.scalar)); 14];
        let mut to = device.zeros(N).expect("memory");
        for (n, ok) in [(12, true), (13, false)] {
            let expression = Expression::parse(&sum(n), &many).expect("a formula");
            let mut evaluator = Evaluator::new(device, &expression).expect("bytecode");
            let done = evaluator.evaluate_by(Way::Kernel, &columns, N, &mut to);
            assert_eq!(done.is_ok(), ok);
            if let Err(error) = done {
                assert_eq!(error.to_string(), "13 fields in a formula are more than this version handles (12)");
            }
            // in the usual way without this limit
            evaluator.evaluate_into(&columns, N, &mut to).expect("values");
            let value = |p: f32| (1..n).fold(p, |sum, _| sum + p);
            let expected: Vec<f32> = all.values[0].iter().map(|p| value(*p)).collect();
            assert_same("many fields", &to.read().expect("memory"), &expected);
        }
    }
}
