//! Cells of grids in space, on planes and at places, against plain code.
use crate::support::{Random, looking};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_rixels::{CellGrid, Painter, Picture, View};
use ribbonmesh_suite::suite;

const GRID: CellGrid = CellGrid { cells: [5, 4, 3], edge: 0.5 };

fn numbers(seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    (0..GRID.count()).map(|_| random.number()).collect()
}
/// The cell of a place, if it is inside.
fn cell_at(p: DVec3) -> Option<usize> {
    let at = [0, 1, 2].map(|a| (p[a] / f64::from(GRID.edge)).floor());
    let inside = (0..3).all(|a| at[a] >= 0.0 && at[a] < f64::from(GRID.cells[a]));
    let [i, j, k] = at.map(|x| x.max(0.0) as usize);
    inside.then_some(i + 5 * (j + 4 * k))
}

suite! {
/// A picture of a plane shows the cell at the place that is seen.
fn planes(device) {
    let (values, open) = (numbers(1), numbers(2));
    let (on_device, open_there) = (device.upload(&values).expect("memory"), device.upload(&open).expect("memory"));
    let mut painter = Painter::new(device);
    let middle = 0.5 * DVec3::new(2.5, 2.0, 1.5);
    let size = [90, 80];
    for (normal, offset, loose) in [
        (DVec3::Z, 0.7, 0.0),
        (DVec3::new(0.0, -2.0, 0.0), -2.5, 0.0),
        (DVec3::X, 0.0, 0.0),
        (DVec3::X, 2.5, 0.0),
        (DVec3::new(1.0, 2.0, -1.0), 3.0, 0.5),
        (DVec3::new(0.3, 0.1, 1.0), 1.0, 0.5),
    ] {
        let cut = GRID.cut(device, normal, offset).expect("a cut");
        let shown = cut.values(&on_device, Some(&open_there)).expect("values");
        let up = if normal.x.abs() > 2.0 * normal.y.abs() { DVec3::Y } else { DVec3::new(0.1, 0.2, 0.9) };
        let eye = 5.0 * normal.normalize() + DVec3::splat(0.01);
        let view = looking(eye, up, View::parallel(5.0, 5.0, 0.1, 20.0), size);
        let move_there = view.view() * ribbonmesh::glam::DMat4::from_translation(-middle);
        let view = View::new(size[0], size[1], move_there, view.projection()).expect("a view");
        let picture = painter.paint(&cut.shown(&shown), &view).expect("a picture");
        let back = (view.projection() * view.view()).inverse();
        let (mut seen, mut expected, mut wrong) = (0_u32, 0_u32, 0_u32);
        for pixel in 0..size[0] * size[1] {
            let [x, y] = [(pixel % size[0], size[0]), (pixel / size[0], size[1])]
                .map(|(i, n)| (2.0 * f64::from(i) + 1.0) / f64::from(n) - 1.0);
            let [from, to] = [-1.0, 1.0].map(|z| back.project_point3(DVec3::new(x, y, z)));
            let part = (offset - normal.dot(from)) / normal.dot(to - from);
            // a little within, so that places on sides of the grid are inside
            let place = from.lerp(to, part).clamp(DVec3::splat(1e-6), 2.0 * middle - 1e-6);
            let off = from.lerp(to, part).distance(place) > 1e-3;
            let cell = cell_at(place).filter(|_| !off);
            expected += u32::from(cell.is_some());
            let face = picture.faces[pixel as usize];
            if face == Picture::NOTHING {
                continue;
            }
            seen += 1;
            let shows = cut.cell(face).expect("a cell") as usize;
            let value = picture.values[pixel as usize];
            assert_eq!(value.is_nan(), open[shows] <= 0.0, "{normal} {offset}");
            assert!(value.is_nan() || value.to_bits() == values[shows].to_bits());
            wrong += u32::from(cell != Some(shows));
        }
        assert!(expected > 500, "{normal} {offset}: {expected} pixels");
        // squares of a plane that is not across an axis are not those of cells
        let most = (loose * f64::from(expected)) as u32 + expected / 50;
        assert!(wrong <= most && seen.abs_diff(expected) <= most, "{normal}: {wrong}, {seen} of {expected}");
    }
    let nothing = GRID.cut(device, DVec3::Z, 1.6).expect("no cut");
    let none = nothing.values(&on_device, None).expect("no values");
    assert!(none.is_empty() && nothing.cell(0).is_err());
    let view = looking(DVec3::Z, DVec3::Y, View::parallel(5.0, 5.0, 0.1, 20.0), [8, 8]);
    let picture = painter.paint(&nothing.shown(&none), &view).expect("a picture");
    assert!(picture.faces.iter().all(|face| *face == Picture::NOTHING));
}

fn places(device) {
    let (values, open) = (numbers(3), numbers(4));
    let (on_device, open_there) = (device.upload(&values).expect("memory"), device.upload(&open).expect("memory"));
    let mut random = Random(5);
    let place = |p: Vec3| (p + 1.0) * Vec3::new(1.5, 1.2, 0.9) - 0.2;
    let places: Vec<Vec3> = (0..500).map(|_| place(random.point())).collect();
    let there = device.upload(&places).expect("memory");
    let found = GRID.values_at(&there, &on_device, Some(&open_there)).expect("values").read().expect("numbers");
    for (place, found) in places.iter().zip(found) {
        let around = [0, 1, 2].map(|a| {
            let last = GRID.cells[a] as usize - 1;
            let s = (f64::from(place[a]) / 0.5 - 0.5).clamp(0.0, last as f64);
            let first = (s.floor() as usize).min(last);
            [(first, 1.0 - s.fract()), ((first + 1).min(last), s.fract())]
        });
        let (mut sum, mut weights) = (0.0, 0.0);
        for k in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|a| around[a][k >> a & 1]);
            let (cell, weight) = (x.0 + 5 * (y.0 + 4 * z.0), x.1 * y.1 * z.1);
            if open[cell] > 0.0 && weight > 0.0 {
                sum += weight * f64::from(values[cell]);
                weights += weight;
            }
        }
        if weights < 1e-4 {
            continue;
        }
        assert!((f64::from(found) - sum / weights).abs() < 1e-3, "{place}: {found}, {}", sum / weights);
    }
    let wrong = device.upload(&values[1..]).expect("memory");
    assert!(GRID.values_at(&there, &wrong, None).is_err() && GRID.values_at(&there, &on_device, Some(&wrong)).is_err());
    let all = device.upload(&vec![-1.0; 60]).expect("memory");
    let closed = GRID.values_at(&there, &on_device, Some(&all)).expect("values").read().expect("numbers");
    assert!(closed.iter().all(|value| value.is_nan()));
}
}
