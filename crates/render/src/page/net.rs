//! Directions in 32 bits.
use glam::DVec3;

/// No direction.
pub(super) const NO_DIRECTION: u32 = 0x8000_8000;

/// A direction as a place on the net of an octahedron, two signed numbers of 16 bits (Cigolle, Donow,
/// Evangelakos, Mara, McGuire and Meyer, *A survey of efficient representations for independent unit
/// vectors*, 2014, listing 1). [`NO_DIRECTION`] where the vector is 0 or not finite.
pub(super) fn pack(direction: [f32; 3]) -> u32 {
    let n = DVec3::from_array(direction.map(f64::from));
    let sum = n.abs().element_sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return NO_DIRECTION;
    }
    let [x, y, z] = (n / sum).to_array();
    let sign = |v: f64| if v < 0.0 { -1.0 } else { 1.0 };
    let [x, y] = if z < 0.0 { [(1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y)] } else { [x, y] };
    let [x, y] = [x, y].map(|v| u32::from((v * 32767.0).round() as i16 as u16));
    y << 16 | x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the shader does it.
    fn unpack(net: u32) -> DVec3 {
        let [x, y] = [net as u16, (net >> 16) as u16].map(|v| f64::from(v as i16) / 32767.0);
        let z = 1.0 - x.abs() - y.abs();
        let sign = |v: f64| if v < 0.0 { -1.0 } else { 1.0 };
        let [x, y] = if z < 0.0 { [(1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y)] } else { [x, y] };
        DVec3::new(x, y, z).normalize()
    }

    #[test]
    fn there_and_back() {
        let sphere = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
        let axes = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [-3e-20, 0.0, 4e-20]];
        for direction in sphere.points_as_arrays().into_iter().chain(axes) {
            let expected = DVec3::from_array(direction.map(f64::from)).normalize();
            assert!(unpack(pack(direction)).angle_between(expected) < 1e-4, "{direction:?}");
        }
        for none in [[0.0; 3], [f32::NAN, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0]] {
            assert_eq!(pack(none), NO_DIRECTION);
        }
    }
}
