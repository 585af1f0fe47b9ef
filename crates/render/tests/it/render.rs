//! Pictures of known shapes.
use ribbonmesh_render::glam::DVec3;
use ribbonmesh_render::{
    Background, Camera, Colormap, Colouring, Image, Legend, Lens, Projection, Range, RenderError, Rgb, Scene,
    Style, Up, View,
};
use ribbonmesh_suite::suite;

const RED: Rgb = [200, 0, 0];
const BLUE: Rgb = [0, 0, 200];

fn style(width: u32, height: u32, samples: u32) -> Style {
    Style { width, height, samples, background: Background::Transparent, ..Style::default() }
}
/// Looks along −z at a square of that height around the origin.
fn above(height: f64) -> Camera {
    let projection = Projection::Orthographic { height };
    Camera { eye: DVec3::Z, target: DVec3::ZERO, up: DVec3::Y, projection }
}
fn covered(image: &Image) -> Vec<bool> {
    image.pixels().iter().map(|p| p[3] > 0).collect()
}
/// The strongest of three channels.
fn hue(pixel: [u8; 4]) -> usize {
    (0..3).max_by_key(|&k| pixel[k]).expect("three")
}

suite! {
fn samples_inside_a_triangle_are_covered_and_no_others(device) {
    let corners = [[-8.3, -6.1], [7.7, -4.9], [1.2, 9.4]];
    let positions = corners.map(|[x, y]| DVec3::new(x, y, 0.5));
    for face in [[0, 1, 2], [2, 1, 0]] {
        let faces = [face];
        let scene = Scene::new(&positions, &faces);
        let image = scene.render(device, &above(20.0), &style(40, 40, 1)).expect("a picture");
        for y in 0..40 {
            for x in 0..40 {
                let p = [(x as f64 + 0.5) / 2.0 - 10.0, 10.0 - (y as f64 + 0.5) / 2.0];
                let inside = (0..3).all(|i| {
                    let (a, b) = (corners[i], corners[(i + 1) % 3]);
                    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0
                });
                assert_eq!(image.pixel(x, y).expect("inside")[3] == 255, inside, "{x}, {y}");
            }
        }
    }
    let faces = [[0, 1, 2]];
    let scene = Scene::new(&positions, &faces);
    let image = scene.render(device, &above(20.0), &style(40, 40, 4)).expect("a picture");
    let covered: f64 = image.pixels().iter().map(|p| f64::from(p[3]) / 255.0 / 4.0).sum();
    let area = (16.0 * 15.5 - 1.2 * 9.5) / 2.0;
    assert!((covered - area).abs() < 0.01 * area, "{covered}, {area}");
}

fn faces_that_share_edges_leave_no_sample_out(device) {
    for seed in 1..4 {
        let grid = ribbonmesh_mesh::shapes::grid(40, seed).expect("small");
        let scene = Scene::new(&grid.positions, &grid.faces);
        for lens in [Lens::Orthographic, Lens::Perspective] {
            let camera = Camera::fit(&scene, View::FRONT, lens, &style(301, 301, 1)).expect("a camera");
            let covered = covered(&scene.render(device, &camera, &style(301, 301, 1)).expect("a picture"));
            for y in 12..289 {
                for x in 12..289 {
                    assert!(covered[y * 301 + x], "{x}, {y}");
                }
            }
        }
    }
}

fn nearer_faces_hide_others_in_any_order(device) {
    // two triangles that cross: left of the middle the first is nearer, right of it the second
    let positions = [
        [-5.0, -5.0, 1.0],
        [5.0, -5.0, -1.0],
        [0.0, 5.0, 0.0],
        [-5.0, -5.0, -1.0],
        [5.0, -5.0, 1.0],
        [0.0, 5.0, 0.0],
    ]
    .map(DVec3::from_array);
    let camera = Camera { eye: DVec3::Z * 40.0, ..above(12.0) };
    let lens = Projection::Perspective { field_of_view: 18.0 };
    for camera in [camera, Camera { projection: lens, ..camera }] {
        for (faces, colours) in [([[0, 1, 2], [3, 4, 5]], [RED, BLUE]), ([[3, 4, 5], [0, 1, 2]], [BLUE, RED])]
        {
            let scene = Scene::new(&positions, &faces).coloured(Colouring::Faces(&colours));
            let image = scene.render(device, &camera, &style(60, 60, 1)).expect("a picture");
            for (x, expected) in [(18, 0), (26, 0), (33, 2), (41, 2)] {
                assert_eq!(hue(image.pixel(x, 45).expect("inside")), expected, "{x}");
            }
        }
    }
}

fn a_sphere_is_round_and_fills_the_picture(device) {
    let sphere = ribbonmesh_mesh::shapes::icosphere(5).expect("small");
    let scene = Scene::new(&sphere.positions, &sphere.faces);
    for lens in [Lens::Orthographic, Lens::Perspective] {
        for (_, view) in View::NAMED {
            let style = style(160, 100, 1);
            let camera = Camera::fit(&scene, view, lens, &style).expect("a camera");
            let covered = covered(&scene.render(device, &camera, &style).expect("a picture"));
            let radius = 0.94 * 50.0;
            for y in 0..100_usize {
                for x in 0..160_usize {
                    let r = (x as f64 + 0.5 - 80.0).hypot(y as f64 + 0.5 - 50.0);
                    if (r - radius).abs() > 0.7 {
                        assert_eq!(covered[y * 160 + x], r < radius, "{view} {lens:?}: {x}, {y}");
                    }
                }
            }
        }
    }
}

fn views_look_from_where_they_say(device) {
    let sphere = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
    let scene = Scene::new(&sphere.positions, &sphere.faces).coloured(Colouring::Normals);
    let middle = |view| {
        let style = style(31, 31, 1);
        let camera = Camera::fit(&scene, view, Lens::Orthographic, &style).expect("a camera");
        scene.render(device, &camera, &style).expect("a picture").pixel(15, 15).expect("inside")
    };
    // normals towards x, y, z are red, green, blue; against them the channel is dark
    for (bright, dark, axis) in
        [(View::RIGHT, View::LEFT, 0), (View::TOP, View::BOTTOM, 1), (View::FRONT, View::BACK, 2)]
    {
        let (bright, dark) = (middle(bright), middle(dark));
        assert!(hue(bright) == axis && dark[axis] < 40 && bright[axis] > 100, "{axis}: {bright:?}, {dark:?}");
    }
    // the axis that points up is seen from the top, the opposite one not
    for (up, axis) in [(Up::X, 0), (Up::Y, 1), (Up::Z, 2), (Up::MinusX, 0), (Up::MinusY, 1), (Up::MinusZ, 2)]
    {
        let style = style(31, 31, 1);
        let scene = scene.standing(up);
        let camera = Camera::fit(&scene, View::TOP, Lens::Orthographic, &style).expect("a camera");
        let seen = scene.render(device, &camera, &style).expect("a picture").pixel(15, 15).expect("inside");
        let positive = matches!(up, Up::X | Up::Y | Up::Z);
        assert!(if positive { hue(seen) == axis } else { seen[axis] < 40 }, "{up}: {seen:?}");
    }
    let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]].map(DVec3::from_array);
    let faces = [[0, 1, 2]];
    let scene = Scene::new(&positions, &faces);
    let style = style(80, 100, 1);
    let camera = Camera::fit(&scene, View::FRONT, Lens::Orthographic, &style).expect("a camera");
    let image = scene.render(device, &camera, &style).expect("a picture");
    assert!(image.pixel(60, 94).expect("inside")[3] == 255, "x points to the right");
    assert!(image.pixel(17, 10).expect("inside")[3] == 255, "y points up");
    assert!(image.pixel(60, 10).expect("inside")[3] == 0);
}

fn nothing_of_the_input_makes_it_fail(device) {
    let nan = f32::NAN;
    type Mesh<'a> = (&'a [[f32; 3]], &'a [[u32; 3]]);
    let meshes: [Mesh; 8] = [
        (&[], &[]),
        (&[[1.0, 2.0, 3.0]], &[]),
        (&[[1.0, 2.0, 3.0]], &[[0, 0, 0]]),
        (&[[nan; 3], [f32::INFINITY, 0.0, 0.0], [0.0; 3], [1.0; 3]], &[[0, 1, 2], [2, 3, 1], [2, 2, 3]]),
        (&[[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], &[[0, 1, 2]]),
        (&[[-f32::MAX; 3], [f32::MAX; 3], [0.0, f32::MAX, 0.0]], &[[0, 1, 2]]),
        (&[[-1e-45; 3], [1e-45; 3], [0.0, 1e-45, 0.0]], &[[0, 1, 2]]),
        (&[[0.0, 0.0, -1e30], [1e30, 0.0, 1e30], [-1e30, 0.1, 1e30]], &[[0, 1, 2], [2, 1, 0]]),
    ];
    for (positions, faces) in meshes {
        let positions: Vec<DVec3> = positions.iter().map(|p| DVec3::from_array(p.map(f64::from))).collect();
        let scene = Scene::new(&positions, faces);
        for lens in [Lens::Orthographic, Lens::Perspective] {
            for view in [View::FRONT, View::TOP, View::ISO] {
                let style = Style { edges: 1.0, ..style(33, 21, 2) };
                let camera = Camera::fit(&scene, view, lens, &style).expect("a camera");
                assert!(camera.eye.is_finite() && camera.target.is_finite(), "{camera:?}");
                scene.render(device, &camera, &style).expect("a picture");
            }
        }
        for at in [DVec3::ZERO, DVec3::NAN, DVec3::splat(1e300)] {
            let lens = Projection::Perspective { field_of_view: 400.0 };
            let camera = Camera { eye: at, target: DVec3::ZERO, up: DVec3::ZERO, projection: lens };
            scene.render(device, &camera, &style(9, 9, 1)).expect("a picture");
        }
    }
}

fn triangles_through_the_near_plane_are_cut(device) {
    // a floor from far behind the eye to far ahead, and a wall behind the eye
    let far = 1e6;
    let positions = [
        [-far, -1.0, far],
        [far, -1.0, far],
        [far, -1.0, -far],
        [-far, -1.0, -far],
        [-9.0, -9.0, 8.0],
        [9.0, -9.0, 8.0],
        [0.0, 9.0, 8.0],
    ]
    .map(DVec3::from_array);
    let faces = [[0, 1, 2], [0, 2, 3], [4, 5, 6]];
    let colours = [BLUE, BLUE, RED];
    let scene = Scene::new(&positions, &faces).coloured(Colouring::Faces(&colours));
    let projection = Projection::Perspective { field_of_view: 60.0 };
    let camera = Camera { eye: DVec3::Z * 5.0, target: DVec3::ZERO, up: DVec3::Y, projection };
    let image = scene.render(device, &camera, &style(50, 50, 1)).expect("a picture");
    for y in 0..50 {
        for x in 0..50 {
            let pixel = image.pixel(x, y).expect("inside");
            assert_eq!(pixel[3] > 0, y >= 25, "the floor ends at the horizon: {x}, {y}");
            assert!(pixel[3] == 0 || hue(pixel) == 2);
        }
    }
}

fn threads_do_not_matter(device) {
    let shape = ribbonmesh_mesh::shapes::bumpy_sphere(5, 3).expect("small");
    let values: Vec<f32> = shape.positions.iter().map(|p| p[0] as f32).collect();
    let range = Range::of(&values, Colormap::Viridis).expect("finite");
    let colouring = Colouring::Scalar { values: &values, map: Colormap::Viridis, range };
    let scene = Scene::new(&shape.positions, &shape.faces).coloured(colouring);
    let style = Style { edges: 0.5, ..style(200, 150, 2) };
    let pictures = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let camera = Camera::fit(&scene, View::ISO, Lens::Perspective, &style).expect("a camera");
            scene.render(device, &camera, &style).expect("a picture")
        })
    });
    assert!(pictures[0] == pictures[1] && pictures[0] == pictures[2]);
}

fn numbers_become_colours(device) {
    let positions = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let positions = positions.map(DVec3::from_array);
    let faces = [[0, 1, 2], [0, 2, 3]];
    let range = Range { min: 0.0, max: 1.0 };
    let picture = |values: &[f32]| {
        let colouring = Colouring::Scalar { values, map: Colormap::Viridis, range };
        Scene::new(&positions, &faces)
            .coloured(colouring)
            .render(device, &above(2.0), &style(40, 40, 1))
            .expect("a picture")
    };
    // every channel of the same surface under the same light grows with that of its colour
    let image = picture(&[0.0, 1.0, 1.0, 0.0]);
    let (left, middle, right) = (image.pixel(0, 20), image.pixel(20, 20), image.pixel(39, 20));
    let (left, middle, right) = (left.expect("inside"), middle.expect("inside"), right.expect("inside"));
    assert!(left[2] > left[1] && right[0] > right[2] && right[1] > right[2], "{left:?}, {right:?}");
    assert!(middle[1] > left[1] && middle[1] < right[1], "{middle:?}");
    assert_eq!((hue(left), hue(middle)), (2, 1));
    // one number that is not finite takes its face's colour, and the other face keeps its own
    let image = picture(&[0.0, f32::NAN, 1.0, 0.0]);
    let [r, g, b, _] = image.pixel(36, 30).expect("inside");
    assert!(r.abs_diff(g) < 12 && g.abs_diff(b) < 12, "{r}, {g}, {b}");
    assert_eq!(hue(image.pixel(2, 10).expect("inside")), 2);
}

fn edges_are_drawn(device) {
    let positions = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let positions = positions.map(DVec3::from_array);
    let faces = [[0, 1, 2], [0, 2, 3]];
    let scene = Scene::new(&positions, &faces).coloured(Colouring::Plain([255; 3]));
    let camera = Camera { eye: DVec3::Z * 10.0, ..above(2.2) };
    let lens = Projection::Perspective { field_of_view: 12.6 };
    for camera in [camera, Camera { projection: lens, ..camera }] {
        let style = Style { edges: 3.0, edge_colour: [0; 3], ..style(110, 110, 1) };
        let image = scene.render(device, &camera, &style).expect("a picture");
        let dark = |x, y| image.pixel(x, y).expect("inside")[0] == 0;
        for i in 10..100 {
            assert!(dark(i, 109 - i), "the diagonal at {i}");
        }
        assert!(dark(55, 5) && !dark(30, 30) && !dark(80, 80));
    }
}

fn what_does_not_fit_is_refused(device) {
    let positions = [DVec3::ZERO; 3];
    let faces = [[0, 1, 2], [0, 1, 3]];
    let scene = Scene::new(&positions, &faces);
    let error = scene.render(device, &above(1.0), &style(9, 9, 1)).expect_err("out of range");
    assert!(matches!(error, RenderError::IndexOutOfRange { face: 1, vertex: 3, vertices: 3 }), "{error}");
    let faces = &faces[..1];
    let colours = [RED; 2];
    let normals = [[0.0; 3]; 4];
    for scene in [
        Scene::new(&positions, faces).coloured(Colouring::Faces(&colours)),
        Scene::new(&positions, faces).coloured(Colouring::Vertices(&colours)),
        Scene::new(&positions, faces).with_normals(&normals),
    ] {
        let error = scene.render(device, &above(1.0), &style(9, 9, 1)).expect_err("lengths");
        assert!(matches!(error, RenderError::Length { .. }), "{error}");
    }
    for (width, height, samples) in
        [(0, 9, 1), (9, 0, 1), (9, 9, 0), (9, 9, 9), (u32::MAX, u32::MAX, 8), (1 << 15, 1 << 15, 1)]
    {
        let style = Style { width, height, samples, ..Style::default() };
        let scene = Scene::new(&positions, faces);
        assert!(
            matches!(scene.render(device, &above(1.0), &style), Err(RenderError::Size { .. })),
            "{width} {height} {samples}"
        );
        assert!(matches!(
            Camera::fit(&scene, View::FRONT, Lens::Perspective, &style),
            Err(RenderError::Size { .. })
        ));
    }
}

fn png_can_be_read_back(device) {
    let folder = tempfile::tempdir().expect("a folder");
    let sphere = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
    let scene = Scene::new(&sphere.positions, &sphere.faces).coloured(Colouring::Normals);
    for (background, kind) in [
        (Background::Transparent, png::ColorType::Rgba),
        (Background::Colour([255, 250, 240]), png::ColorType::Rgb),
    ] {
        let style = Style { background, ..style(61, 47, 2) };
        let camera = Camera::fit(&scene, View::ISO, Lens::Perspective, &style).expect("a camera");
        let image = scene.render(device, &camera, &style).expect("a picture");
        let path = folder.path().join("picture.png");
        image.write_png(&path).expect("a file");
        let (info, bytes) = decoded(&path);
        assert_eq!((info.width, info.height, info.color_type), (61, 47, kind));
        let channels = kind.samples();
        let expected: Vec<u8> = image.pixels().iter().flat_map(|p| p[..channels].to_vec()).collect();
        assert_eq!(bytes, expected);
    }
    assert!(Image::new(0, 0, [0; 4]).write_png(&folder.path().join("none.png")).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
}

fn decoded(path: &std::path::Path) -> (png::OutputInfo, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    (info, bytes)
}

#[test]
fn legends_have_bar_and_letters() {
    let legend =
        Legend { name: "distance".into(), map: Colormap::Coolwarm, range: Range { min: -1.0, max: 1.0 } };
    for height in [1, 60, 600, 1300] {
        let picture = Image::new(50, height, [255; 4]);
        let image = legend.beside(&picture, Background::Colour([255; 3]));
        assert_eq!((image.width(), image.height()), (50 + legend.width(height), height));
        for y in 0..height {
            assert!((0..50).all(|x| image.pixel(x, y) == Some([255; 4])), "the picture stays as it is");
        }
        if height < 600 {
            continue;
        }
        let (first, last) = (height / 7 + 1, height - height / 7 - 2);
        let column = 50 + 20 * (height / 550).max(1);
        let [top, bottom] = [first, last].map(|y| image.pixel(column, y).expect("inside"));
        assert!(hue(top) == 0 && top[2] < 60 && hue(bottom) == 2 && bottom[0] < 80, "{top:?}, {bottom:?}");
        let ink = image.pixels().iter().filter(|p| **p == [40, 44, 52, 255]).count();
        assert!(ink > 300, "{ink}");
    }
    let odd =
        Legend {
            name: "Länge\n日".repeat(40), map: Colormap::Viridis, range: Range { min: 0.0, max: 0.0 }
        };
    assert!(odd.width(100) < 400);
    odd.beside(&Image::new(1, 1, [0; 4]), Background::Transparent);
}
