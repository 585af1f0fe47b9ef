//! Grids of heights against the same triangles as meshes.
use crate::support::{Random, Shape, looking};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_rixels::{Heights, HeightsAt, Options, Painter, Picture, RixelError, Values, View};
use ribbonmesh_suite::suite;

/// Heights of which some are dry and some no numbers.
struct Field {
    size: [u32; 2],
    at: HeightsAt,
    heights: Vec<f32>,
    wet: Vec<u8>,
}

const ORIGIN: Vec3 = Vec3::new(-1.0, -0.7, 0.1);
const ACROSS: Vec3 = Vec3::new(0.13, 0.01, 0.0);
const ALONG: Vec3 = Vec3::new(-0.02, 0.11, 0.03);
const UP: Vec3 = Vec3::new(0.1, -0.2, 0.9);

impl Field {
    fn new(size: [u32; 2], at: HeightsAt, seed: u64, dry: u64) -> Self {
        let mut random = Random(seed);
        let n = size[0] * size[1];
        let heights = (0..n).map(|_| if random.next() % 40 < dry { f32::NAN } else { 0.3 * random.number() });
        let heights = heights.collect();
        Self { size, at, heights, wet: (0..n).map(|_| u8::from(random.next() % 20 >= dry)).collect() }
    }
    fn cells(&self) -> [usize; 2] {
        let less = u32::from(self.at == HeightsAt::Corners);
        self.size.map(|n| (n - less) as usize)
    }
    fn sample(&self, i: usize) -> Option<f32> {
        (self.wet[i] != 0 && self.heights[i].is_finite()).then_some(self.heights[i])
    }
    fn height(&self, column: usize, row: usize) -> Option<f32> {
        let [columns, rows] = self.cells();
        if self.at == HeightsAt::Corners {
            return self.sample(row * (columns + 1) + column);
        }
        let around = [(1, 1), (0, 1), (1, 0), (0, 0)]
            .into_iter()
            .filter_map(|(x, y)| Some((column.checked_sub(x)?, row.checked_sub(y)?)))
            .filter(|(x, y)| *x < columns && *y < rows)
            .filter_map(|(x, y)| self.sample(y * columns + x));
        let around: Vec<f32> = around.collect();
        let sum: f32 = around.iter().sum();
        (!around.is_empty()).then(|| sum / around.len() as f32)
    }
    /// The same triangles as a list. A triangle that is not there has a vertex that is nowhere.
    fn mesh(&self, device: &Device) -> Shape {
        let [columns, rows] = self.cells();
        let mut points = vec![];
        for row in 0..=rows {
            for column in 0..=columns {
                let height = self.height(column, row).unwrap_or(f32::NAN);
                points.push(ORIGIN + column as f32 * ACROSS + row as f32 * ALONG + height * UP);
            }
        }
        points.push(Vec3::NAN);
        let nowhere = points.len() as u32 - 1;
        let mut faces = vec![];
        for cell in 0..rows * columns {
            let a = (cell / columns * (columns + 1) + cell % columns) as u32;
            let (b, d) = (a + 1, a + columns as u32 + 1);
            let missing = self.at == HeightsAt::Centres && self.sample(cell).is_none();
            faces.extend(if missing { [[nowhere; 3]; 2] } else { [[a, b, d + 1], [a, d + 1, d]] });
        }
        Shape::new(device, points, faces)
    }
}

fn grid<'a>(field: &Field, heights: &'a Buffer<f32>, wet: &'a Buffer<u8>) -> Heights<'a> {
    let frame = Heights::new(field.size, field.at, heights);
    Heights { origin: ORIGIN, across: ACROSS, along: ALONG, up: UP, wet: Some(wet), ..frame }
}

/// Pictures of heights and of the mesh: the same bits.
fn compare(
    painter: &mut Painter,
    grid: &Heights<'_>,
    mesh: &Shape,
    of_mesh: Values<'_>,
    view: &View,
) -> usize {
    let expected = painter.paint(&mesh.scene(of_mesh), view).expect("a picture");
    let rixels = painter.encode(&mesh.scene(of_mesh), view, &Options::default()).expect("rixels").clone();
    let found = painter.paint(grid, view).expect("a picture");
    assert!(found.faces == expected.faces);
    let bits = |of: &[f32]| of.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert!(bits(&found.distances) == bits(&expected.distances));
    assert!(found.values.iter().zip(&expected.values).all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
    assert!(*painter.encode(grid, view, &Options::default()).expect("rixels") == rixels);
    found.faces.iter().filter(|face| **face != Picture::NOTHING).count()
}

fn views() -> Vec<View> {
    let eye = DVec3::new(1.0, -2.0, 1.5);
    let wide = View::perspective(0.9, 1.5, 0.5, 20.0);
    vec![
        looking(eye, DVec3::Z, wide, [300, 200]),
        // cells of a pixel, and the grid edge on
        looking(eye, DVec3::Z, wide, [24, 16]),
        looking(DVec3::new(1.0, -2.0, 0.01), DVec3::Z, View::parallel(3.0, 2.0, 0.1, 20.0), [90, 60]),
        // within the surface: cells behind the eye, cells as large as the picture
        looking(0.05 * eye, DVec3::Z, View::perspective(1.5, 1.5, 1e-3, 20.0), [300, 200]),
    ]
}

suite! {
    fn as_meshes(device) {
        let mut painter = Painter::new(device);
        let sizes = [([17, 13], 1), ([33, 2], 2), ([2, 9], 0), ([40, 40], 0)];
        for (seed, (size, dry)) in sizes.into_iter().enumerate() {
            for at in [HeightsAt::Corners, HeightsAt::Centres] {
                let field = Field::new(size, at, seed as u64, dry);
                let mesh = field.mesh(device);
                let mut random = Random(9);
                let of_corners: Vec<f32> = mesh.points.iter().map(|_| random.number()).collect();
                let of_cells: Vec<f32> = mesh.faces.iter().step_by(2).map(|_| random.number()).collect();
                let twice: Vec<f32> = of_cells.iter().flat_map(|x| [*x; 2]).collect();
                let heights = device.upload(&field.heights).expect("memory");
                let wet = device.upload(&field.wet).expect("memory");
                let grid = grid(&field, &heights, &wet);
                // the mesh has a vertex more
                let corners = device.upload(&of_corners[..of_corners.len() - 1]).expect("memory");
                let [vertices, cells, twice] =
                    [&of_corners, &of_cells, &twice].map(|of| device.upload(of).expect("memory"));
                let mut seen = 0;
                for view in views() {
                    for (of_grid, of_mesh) in [
                        (Values::OfVertices(&corners), Values::OfVertices(&vertices)),
                        (Values::OfFaces(&cells), Values::OfFaces(&twice)),
                        (Values::Plain, Values::Plain),
                    ] {
                        seen += compare(&mut painter, &Heights { values: of_grid, ..grid }, &mesh, of_mesh, &view);
                    }
                }
                assert!(seen > 1000, "{size:?} {at:?}: {seen}");
            }
        }
    }
    /// Without heights and marks it is a plane: each pixel before it has the cell below it.
    fn flat(device) {
        let mut painter = Painter::new(device);
        let none = device.upload(&[]).expect("memory");
        let values: Vec<f32> = (0..12).map(|i| i as f32).collect();
        let values = device.upload(&values).expect("memory");
        let grid = Heights {
            heights: None,
            origin: Vec3::new(-2.0, -1.5, 0.0),
            values: Values::OfFaces(&values),
            ..Heights::new([4, 3], HeightsAt::Centres, &none)
        };
        assert_eq!(grid.cells(), [4, 3]);
        let view = looking(DVec3::Z, DVec3::Y, View::parallel(4.0, 3.0, 0.1, 2.0), [40, 30]);
        let picture = painter.paint(&grid, &view).expect("a picture");
        for (i, value) in picture.values.iter().enumerate() {
            let (x, y) = (i % 40 / 10, i / 40 / 10);
            assert_eq!(*value, (4 * y + x) as f32);
            assert_eq!(picture.faces[i] as usize / 2, 4 * y + x);
        }
        // a single height is no cell at corners
        let one = device.upload(&[1.0]).expect("memory");
        let point = Heights::new([1, 1], HeightsAt::Corners, &one);
        assert_eq!(painter.encode(&point, &view, &Options::default()).expect("rixels").count(), 0);
        let empty = Heights::new([0, 5], HeightsAt::Centres, &none);
        assert_eq!(painter.encode(&empty, &view, &Options::default()).expect("rixels").count(), 0);
    }
    fn refusals(device) {
        let mut painter = Painter::new(device);
        let view = looking(DVec3::Z, DVec3::Y, View::parallel(2.0, 2.0, 0.1, 2.0), [8, 8]);
        let six = device.upload(&[0.0; 6]).expect("memory");
        let marks = device.upload(&[1_u8; 5]).expect("memory");
        let grid = Heights::new([3, 2], HeightsAt::Corners, &six);
        let mut refused = |grid: Heights<'_>| painter.paint(&grid, &view).expect_err("refused").to_string();
        let wider = Heights { size: [4, 2], ..grid };
        assert_eq!(refused(wider), "heights of the grid: 6 elements where 8 are expected");
        let marked = Heights { wet: Some(&marks), ..grid };
        assert_eq!(refused(marked), "marks of heights: 5 elements where 6 are expected");
        let of_cells = Heights { values: Values::OfFaces(&six), ..grid };
        assert_eq!(refused(of_cells), "values of the grid's cells: 6 elements where 2 are expected");
        let huge = Heights { size: [70_000; 2], heights: None, ..grid };
        let error = painter.paint(&huge, &view).expect_err("too many");
        assert!(error.to_string().contains("of a grid are more than"), "{error}");
        let elsewhere = Device::cpu().upload(&[0.0; 6]).expect("memory");
        let grid = Heights::new([3, 2], HeightsAt::Corners, &elsewhere);
        let error = painter.paint(&grid, &view).expect_err("elsewhere");
        assert!(matches!(error, RixelError::Library(ribbonmesh::Error::OtherDevice { .. })), "{error}");
    }
}
