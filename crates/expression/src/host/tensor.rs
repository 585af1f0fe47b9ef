//! Formulas of vectors and tensors.

use super::compose::Composer;
use super::function::OfTensor;
use crate::operation::Operation;

type Vector<C> = [<C as Composer>::Value; 3];
type Tensor<C> = [Vector<C>; 3];

/// The product `a · b`.
pub fn dot<C: Composer>(c: &mut C, a: Vector<C>, b: Vector<C>) -> C::Value {
    let products = [0, 1, 2].map(|i| c.mul(a[i], b[i]));
    c.sum(products)
}

/// The product `a × b`.
pub fn cross<C: Composer>(c: &mut C, a: Vector<C>, b: Vector<C>) -> Vector<C> {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| minor(c, [a[i], a[j]], [b[i], b[j]]))
}

/// The length of a vector.
pub fn mag<C: Composer>(c: &mut C, v: Vector<C>) -> C::Value {
    let square = dot(c, v, v);
    c.sqrt(square)
}

/// `a[0] b[1] - a[1] b[0]`.
fn minor<C: Composer>(c: &mut C, a: [C::Value; 2], b: [C::Value; 2]) -> C::Value {
    let (p, q) = (c.mul(a[0], b[1]), c.mul(a[1], b[0]));
    c.sub(p, q)
}

/// A number of a tensor.
pub fn number<C: Composer>(c: &mut C, of: OfTensor, t: Tensor<C>) -> C::Value {
    match of {
        OfTensor::Trace => trace(c, t),
        OfTensor::Determinant => determinant(c, t),
        OfTensor::SecondInvariant => {
            let minors =
                [(0, 1), (1, 2), (0, 2)].map(|(i, j)| minor(c, [t[i][i], t[i][j]], [t[j][i], t[j][j]]));
            c.sum(minors)
        }
        OfTensor::Mises => {
            let differences = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| c.sub(t[i][i], t[j][j]));
            let normal = dot(c, differences, differences);
            let shears = [t[0][1], t[1][2], t[0][2]];
            let shear = dot(c, shears, shears);
            let (half, three) = (c.constant(0.5), c.constant(3.0));
            let (normal, shear) = (c.mul(half, normal), c.mul(three, shear));
            let square = c.add(normal, shear);
            c.sqrt(square)
        }
        OfTensor::Tresca => {
            let [greatest, _, least] = eigenvalues(c, t);
            c.sub(greatest, least)
        }
    }
}

fn trace<C: Composer>(c: &mut C, t: Tensor<C>) -> C::Value {
    c.sum([t[0][0], t[1][1], t[2][2]])
}

fn determinant<C: Composer>(c: &mut C, [a, b, d]: Tensor<C>) -> C::Value {
    let normal = cross(c, b, d);
    dot(c, a, normal)
}

/// The eigenvalues of a symmetric tensor in falling order, by the angle of its deviator (Smith 1961).
pub fn eigenvalues<C: Composer>(c: &mut C, t: Tensor<C>) -> Vector<C> {
    let (one, two, three, six) = (c.constant(1.0), c.constant(2.0), c.constant(3.0), c.constant(6.0));
    let sum = trace(c, t);
    let mean = c.div(sum, three);
    let diagonal = [0, 1, 2].map(|i| c.sub(t[i][i], mean));
    let shears = [t[0][1], t[1][2], t[0][2]];
    let (normal, shear) = (dot(c, diagonal, diagonal), dot(c, shears, shears));
    let shear = c.mul(two, shear);
    let square = c.add(normal, shear);
    let sixth = c.div(square, six);
    let radius = c.sqrt(sixth);
    let [x, y, z] = diagonal.map(|value| c.div(value, radius));
    let [xy, yz, xz] = shears.map(|value| c.div(value, radius));
    let determinant = determinant(c, [[x, xy, xz], [xy, y, yz], [xz, yz, z]]);
    let half = c.div(determinant, two);
    let minus_one = c.constant(-1.0);
    let raised = c.apply(Operation::Max, &[half, minus_one]);
    let cosine = c.apply(Operation::Min, &[raised, one]);
    let angle = c.apply(Operation::Acos, &[cosine]);
    let angle = c.div(angle, three);
    let third = c.constant(std::f32::consts::TAU / 3.0);
    let turned = c.add(angle, third);
    let diameter = c.mul(two, radius);
    let [greatest, least] = [angle, turned].map(|angle| {
        let cosine = c.apply(Operation::Cos, &[angle]);
        let deviation = c.mul(diameter, cosine);
        let value = c.add(mean, deviation);
        // without a deviator, the angle is none
        c.apply(Operation::Select, &[radius, value, mean])
    });
    let rest = c.sub(sum, greatest);
    [greatest, c.sub(rest, least), least]
}
