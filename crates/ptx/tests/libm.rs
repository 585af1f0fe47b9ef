//! Float functions of kernels: the accuracy of the builder's functions, and that kernels get them.

mod common;
// The module `gpu` that the builder puts into libm, with instructions of the CPU.
#[path = "../libm/arc.rs"]
mod arc;
#[path = "../libm/exponential.rs"]
mod exponential;
#[path = "../libm/power.rs"]
mod power;
#[path = "../libm/trigonometric.rs"]
mod trigonometric;

mod instruction {
    pub fn fmaf(x: f32, y: f32, z: f32) -> f32 {
        x.mul_add(y, z)
    }
    pub fn rintf(x: f32) -> f32 {
        x.round_ties_even()
    }
    pub fn truncf(x: f32) -> f32 {
        x.trunc()
    }
    pub fn fabsf(x: f32) -> f32 {
        x.abs()
    }
    pub fn sqrtf(x: f32) -> f32 {
        x.sqrt()
    }
    pub fn copysignf(x: f32, sign: f32) -> f32 {
        x.copysign(sign)
    }
}

use common::{Crates, KERNELS, manifest};
use ribbonmesh_ptx::{BuildError, Builder, Routine, software_routines, source_hash};
use std::path::PathBuf;

/// How far a number is from the exact one, in units of the last place; infinite if only one is a NaN or if
/// only one has the other sign.
fn ulps(found: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if found.to_bits() == nearest.to_bits() || found.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if found.is_nan() || exact.is_nan() || found.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    let exponent = (exact.abs().log2().floor() as i32).clamp(-126, 127);
    let greatest = 2f64.powi(128);
    (f64::from(found).abs().min(greatest) - exact.abs().min(greatest)).abs() / 2f64.powi(exponent - 23)
}

/// Compares at all magnitudes.
fn compare(name: &str, allowed: f64, found: fn(f32) -> f32, exact: fn(f64) -> f64) {
    let special =
        [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, -1e-45, f32::MAX, f32::MIN];
    for x in (0..=u32::MAX).step_by(10_007).map(f32::from_bits).chain(special) {
        let error = ulps(found(x), exact(f64::from(x)));
        assert!(error <= allowed, "{name}({x:e}) = {:e}, {error} ulp off", found(x));
    }
}

#[test]
fn functions_of_one_number_are_as_exact_as_documented() {
    use {arc::*, exponential::*, trigonometric::*};
    compare("expf", 0.9, expf, f64::exp);
    compare("exp2f", 0.9, exp2f, f64::exp2);
    compare("logf", 0.9, logf, f64::ln);
    compare("log2f", 1.9, log2f, f64::log2);
    compare("log10f", 1.7, log10f, f64::log10);
    compare("sinf", 1.6, sinf, f64::sin);
    compare("cosf", 1.6, cosf, f64::cos);
    compare("sincosf", 1.6, |x| sincosf(x).0, f64::sin);
    compare("sincosf", 1.6, |x| sincosf(x).1, f64::cos);
    compare("tanf", 3.2, tanf, f64::tan);
    compare("atanf", 1.5, atanf, f64::atan);
    compare("asinf", 1.9, asinf, f64::asin);
    compare("acosf", 1.3, acosf, f64::acos);
}

#[test]
fn functions_of_two_numbers_are_as_exact_as_documented() {
    let special = [0.0, 1.0, 0.5, 2.0, 3.0, 1e-45, f32::MAX, f32::INFINITY, f32::NAN];
    let special: Vec<f32> = special.into_iter().flat_map(|x| [x, -x]).collect();
    let mut pairs: Vec<_> = special.iter().flat_map(|x| special.iter().map(|y| (*x, *y))).collect();
    // xorshift
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..300_000 {
        pairs.push((f32::from_bits(random() as u32), f32::from_bits(random() as u32)));
        let mut near = || (random() % 2_000_001) as f32 / 1e6 - 1.0;
        pairs.push((near(), near()));
        // a power that is neither 0 nor infinite
        let x = 3.0 * near().abs() + 1e-3;
        pairs.push((x, 90.0 * near() / x.ln()));
    }
    for (x, y) in pairs {
        let (a, b) = (f64::from(x), f64::from(y));
        let powf = ("powf", 1.1, power::powf(x, y), a.powf(b));
        let atan2f = ("atan2f", 1.6, arc::atan2f(x, y), a.atan2(b));
        for (name, allowed, found, exact) in [powf, atan2f, ("hypotf", 1.3, arc::hypotf(x, y), a.hypot(b))] {
            let error = ulps(found, exact);
            assert!(error <= allowed, "{name}({x:e}, {y:e}) = {found:e}, {error} ulp off");
        }
    }
}

/// The folder of the libm that this crate's tests depend on.
fn libm() -> PathBuf {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .exec()
        .expect("metadata");
    let package = metadata.packages.iter().find(|package| package.name.as_str() == "libm").expect("libm");
    package.manifest_path.parent().expect("a folder").into()
}

/// The tiny kernel crate with one more kernel that calls libm.
fn with_libm() -> Crates {
    let crates = Crates::new();
    let dependencies =
        format!("[dependencies]\nhelper = {{ path = \"../helper\" }}\nlibm = {{ path = {:?} }}\n", libm());
    crates.write("kernels/Cargo.toml", &(manifest("tiny-kernels") + &dependencies));
    let kernel = "#[cfg(target_arch = \"nvptx64\")]\n#[unsafe(no_mangle)]\n\
        pub unsafe extern \"ptx-kernel\" fn root(x: *mut f32, y: *mut f64) {\n\
        // SAFETY: compiled, and never run.\n\
        unsafe { *x = libm::sqrtf(*x) + libm::floorf(*x); *y = libm::fma(*y, *y, libm::sqrt(*y)) };\n}\n";
    crates.write("kernels/src/lib.rs", &format!("{KERNELS}{kernel}"));
    crates
}

#[test]
fn kernels_get_instructions() {
    let crates = with_libm();
    let builder = Builder::new(crates.kernels()).target_dir(crates.path("device"));
    let ptx = match builder.build() {
        Err(reason @ (BuildError::NoNightly { .. } | BuildError::NoCore { .. })) => {
            eprintln!("skipped: {reason}");
            return;
        }
        result => result.expect("the crate compiles"),
    };
    for instruction in ["sqrt.rn.f32", "sqrt.rn.f64", "cvt.rmi.f32.f32", "fma.rn.f64"] {
        assert!(ptx.files[0].text.contains(instruction), "no {instruction} in\n{}", ptx.files[0].text);
    }
    assert_eq!((software_routines(&ptx.files[0].text), ptx.log.as_str()), (Vec::new(), ""));
    // libm itself is as it was, and so is the crate
    assert!(!libm().join("src/gpu").exists() && !crates.path("kernels/Cargo.lock").exists());

    // a root from elsewhere is reported: it has this table
    let root = "#[cfg(target_arch = \"nvptx64\")]\n#[unsafe(no_mangle)]\n\
        pub unsafe extern \"ptx-kernel\" fn own_root(x: *mut u32) {\n\
        static TABLE: [u16; 8] = [46161, 45808, 45462, 45124, 44793, 44470, 44153, 43843];\n\
        // SAFETY: compiled, and never run.\n\
        unsafe { *x = u32::from(TABLE[(*x & 7) as usize]) };\n}\n";
    crates.write("kernels/src/lib.rs", &format!("{KERNELS}{root}"));
    let ptx = builder.build().expect("the crate compiles");
    let found: Vec<_> =
        software_routines(&ptx.files[0].text).into_iter().map(|s| (s.kernel, s.routine)).collect();
    assert_eq!(found, [("own_root".to_owned(), Routine::SquareRoot)]);
    assert!(ptx.log.contains("warning: kernel `own_root` has square roots in software"), "{}", ptx.log);
}

#[test]
fn what_replaces_libm_is_part_of_the_hash() {
    let (crates, other) = (with_libm(), Crates::new());
    let hash = |crates: &Crates| source_hash(crates.kernels()).expect("a hash");
    assert_ne!(hash(&crates), hash(&other));
}
