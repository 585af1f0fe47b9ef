//! Points that are on the device.
use crate::inside::shapes::{icosphere, random_points, scaled, surface};
use ribbonmesh::Error;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_solid::inside::{InsideOptions, Method, inside, inside_arrays};
use ribbonmesh_suite::suite;

suite! {
    fn the_same_as_from_the_host(device) {
        let at = DVec3::new(300.0, -40.0, 7.0);
        let ball = surface(device, &scaled(&icosphere(3).expect("small"), 1.0, at));
        // few as they come, and many along a curve; one of them far away
        for count in [1, 300, 40_000] {
            let mut points: Vec<Vec3> = random_points(count, 1.5, 5).iter().map(|p| p.as_vec3() + at.as_vec3()).collect();
            points[count / 2] = Vec3::new(3e38, -3e38, 1.0);
            let exact: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
            let there = device.upload(&points).expect("memory");
            for method in [Method::Winding, Method::Rays] {
                let options = InsideOptions { method, ..InsideOptions::default() };
                let here = inside(&ball, &exact, &options).expect("numbers");
                let found = inside_arrays(&ball, &there, &options).expect("numbers");
                assert_eq!(found.report, here.report, "{count} {method}");
                assert_eq!(found.winding.read().expect("numbers"), here.winding, "{count} {method}");
                let flags: Vec<bool> = found.inside.read().expect("flags").iter().map(|&flag| flag == 1).collect();
                assert_eq!(flags, here.inside, "{count} {method}");
                assert!(count == 1 || (1..count as u64).contains(&here.report.inside));
            }
        }
    }

    fn refusals(device) {
        let ball = surface(device, &icosphere(1).expect("small"));
        let options = InsideOptions::default();
        for count in [9, 20_000] {
            let mut points = vec![Vec3::ZERO; count];
            points[7].y = f32::NAN;
            let points = device.upload(&points).expect("memory");
            let refused = inside_arrays(&ball, &points, &options).err();
            assert!(matches!(refused, Some(Error::PointNotFinite { point: 7 })), "{refused:?}");
        }
        let none = device.upload::<Vec3>(&[]).expect("memory");
        let found = inside_arrays(&ball, &none, &options).expect("nothing");
        assert_eq!((found.report.points, found.report.inside, found.inside.len()), (0, 0, 0));
    }
}
