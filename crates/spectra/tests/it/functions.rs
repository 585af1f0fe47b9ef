//! Signatures and distances, against sums of plain code.
use crate::oracle::of;
use ribbonmesh_mesh::shapes;
use ribbonmesh_spectra::Distance;
use ribbonmesh_suite::suite;

fn near(found: &[f64], expected: impl Iterator<Item = f64>) {
    let mut count = 0;
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-10 * (1.0 + expected.abs()), "{found}, not {expected}");
        count += 1;
    }
    assert_eq!(count, found.len());
}

suite! {
    fn signatures(device) {
        let spectrum = of(device, &shapes::torus(16, 1).expect("small"), 10);
        let (values, vectors) = (spectrum.values(), spectrum.vectors().read().expect("memory"));
        let times = spectrum.heat_times(3).expect("times");
        assert!(times[0] < times[1] && times[1] < times[2]);
        assert!((values[1] * times[2] - 4.0 * 10.0_f64.ln()).abs() < 1e-9);
        let heat = spectrum.heat_kernel(&times).expect("memory").read().expect("memory");
        let expected = vectors.chunks(10).flat_map(|own| {
            times.iter().map(move |t| values.iter().zip(own).map(|(l, x)| (-l * t).exp() * x * x).sum())
        });
        near(&heat, expected);
        // of waves, a part of all at each energy: constants in the mean
        let waves = spectrum.wave_kernel(5).expect("memory").read().expect("memory");
        assert_eq!(waves.len(), heat.len() / 3 * 5);
        assert!(waves.iter().all(|part| *part >= 0.0 && part.is_finite()));
    }
    fn distances(device) {
        let spectrum = of(device, &shapes::icosphere(3).expect("small"), 16);
        let (values, vectors) = (spectrum.values(), spectrum.vectors().read().expect("memory"));
        for (distance, weight) in
            [(Distance::Biharmonic, (|l| 1.0 / (l * l)) as fn(f64) -> f64), (Distance::Commute, |l| 1.0 / l)]
        {
            let found = spectrum.distances(5, distance).expect("memory").read().expect("memory");
            let from = &vectors[16 * 5..16 * 6];
            near(&found, vectors.chunks(16).map(|own| {
                let sum: f64 = (1..16).map(|k| weight(values[k]) * (own[k] - from[k]).powi(2)).sum();
                sum.sqrt()
            }));
            assert_eq!(found[5], 0.0);
        }
    }
}
