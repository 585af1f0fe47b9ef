//! The peer: RXMesh (C++/CUDA, newest public version of July 2026, its own release flags, CUDA 13.0) on an
//! H100 80GB HBM3, measured with the same kind of mesh in shuffled order; mean of 200 launches, results
//! stored to global memory.
use ribbonmesh::Op;

/// Faces of the two meshes it was measured with.
const FACES: [usize; 2] = [1_310_720, 5_242_880];

/// Milliseconds of a query with this many faces. Its EE is broken, its VE and VF have no oriented form.
pub fn query_ms(op: Op, oriented: bool, faces: usize) -> Option<f64> {
    let times = match (op, oriented) {
        (Op::VV, false) => [0.202, 0.723],
        (Op::VV, true) => [0.276, 1.012],
        (Op::VE, false) => [0.176, 0.630],
        (Op::VF, false) => [0.176, 0.627],
        (Op::FV, false) => [0.107, 0.379],
        (Op::FE, false) => [0.100, 0.360],
        (Op::FF, false) => [0.184, 0.657],
        (Op::EV, false) => [0.102, 0.369],
        (Op::EF, false) => [0.153, 0.539],
        (Op::EVDiamond, false) => [0.145, 0.519],
        _ => return None,
    };
    at(faces, times)
}

/// Milliseconds of vertex normals with this many faces.
pub fn normals_ms(faces: usize) -> Option<f64> {
    at(faces, [0.223, 0.853])
}

/// Milliseconds of its comparison with indexed triangles: sums by atomics, not made unit vectors.
pub fn hard_wired_normals_ms(faces: usize) -> Option<f64> {
    at(faces, [0.193, 1.252])
}
/// Milliseconds of an iteration of conjugate gradients in mean curvature flow with this many faces:
/// matrix-free, uniform weights.
pub fn smooth_uniform_ms(faces: usize) -> Option<f64> {
    at(faces, [0.747, 2.675])
}
/// The same with cotangent weights, which it was measured with on the smaller mesh only.
pub fn smooth_cotangent_ms(faces: usize) -> Option<f64> {
    (faces == FACES[0]).then_some(0.960)
}
/// The same with an assembled matrix, uniform weights.
pub fn smooth_assembled_ms(faces: usize) -> Option<f64> {
    at(faces, [0.228, 0.611])
}

/// Milliseconds of geodesic distances from one source, level sets not included.
pub fn geodesic_ms(faces: usize) -> Option<f64> {
    at(faces, [98.0, 508.0])
}

/// Milliseconds of the level sets for that, on the host.
pub fn level_sets_ms(faces: usize) -> Option<f64> {
    at(faces, [100.0, 602.0])
}

/// Seconds to build its data structure on the host; the fastest.
pub fn construction_seconds(faces: usize) -> Option<f64> {
    at(faces, [4.5, 28.5])
}

fn at(faces: usize, values: [f64; 2]) -> Option<f64> {
    FACES.iter().position(|&f| f == faces).map(|i| values[i])
}
