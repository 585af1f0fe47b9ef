//! Pages, and their pictures in a browser, if there is one.
use glam::DVec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_render::{
    Camera, Colormap, Colouring, Legend, Lens, Page, Range, RenderError, Rgb, Scene, Style, View,
};
use ribbonmesh_suite::browser::Browser;
use serde_json::{Value, json};

const REPORT: &str = r#"{"program": "ribbonmesh </script><!-- 1", "seconds": 1.25, "machine": null,
    "phases": [{"name": "read", "seconds": 0.5}, {"name": "build", "seconds": 0.25, "parts": [{"name": "edges", "seconds": 0.125}]}],
    "results": {"faces_turned": [3, 4], "nested": {"deep": 7}}}"#;

fn page<'a>(scene: Scene<'a>, style: &'a Style) -> Page<'a> {
    let (title, view, lens) = ("a & b <c>", View::FRONT, Lens::Orthographic);
    Page { title, scene, view, lens, style, legend: None, report: Some(REPORT) }
}
fn text(page: &Page<'_>) -> String {
    let mut bytes = vec![];
    page.encode(&mut bytes).expect("a page");
    String::from_utf8(bytes).expect("UTF-8")
}
/// The bytes of an array.
fn array(text: &str, name: &str) -> Vec<u8> {
    let begin = format!("data-array=\"{name}\">");
    let pieces = text.split(&begin).skip(1).filter_map(|piece| piece.split('<').next());
    let decode = |piece| base64::Engine::decode(&base64::engine::general_purpose::STANDARD, piece);
    pieces.flat_map(|piece| decode(piece).expect("base64")).collect()
}
fn meta(text: &str, id: &str) -> Value {
    let begin = format!("type=\"application/json\" id=\"{id}\">");
    let json = text.split(&begin).nth(1).and_then(|rest| rest.split("</script>").next()).expect("JSON");
    serde_json::from_str(json).expect("JSON")
}

#[test]
fn arrays_hold_the_mesh() {
    // more than one piece of each array, far from the origin
    let mut sphere = shapes::icosphere(7).expect("small");
    sphere.positions.iter_mut().for_each(|p| *p = DVec3::new(p[0] + 4.0, 3.0 * p[1], p[2] - 9.0));
    let numbers: Vec<f32> =
        sphere.positions.iter().map(|p| if p[1] > 2.9 { f32::NAN } else { p[1] as f32 }).collect();
    let range = Range { min: -3.0, max: 3.0 };
    let colouring = Colouring::Scalar { values: &numbers, map: Colormap::Viridis, range };
    let scene = Scene::new(&sphere.positions, &sphere.faces).coloured(colouring);
    let style = Style::default();
    let text = text(&page(scene, &style));
    let words =
        |name| array(&text, name).chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]).collect::<Vec<_>>();
    let indices: Vec<u32> = words("indices").into_iter().map(u32::from_le_bytes).collect();
    assert_eq!(indices, sphere.faces.as_flattened());
    let positions: Vec<f32> = words("positions").into_iter().map(f32::from_le_bytes).collect();
    let radius = (1.0_f64 + 9.0 + 1.0).sqrt();
    for (p, q) in sphere.positions.iter().zip(positions.chunks_exact(3)) {
        let expected = [p[0] - 4.0, p[1], p[2] + 9.0].map(|x| x / radius);
        assert!(q.iter().zip(expected).all(|(q, x)| (f64::from(*q) - x).abs() < 1e-3), "{p:?} is {q:?}");
    }
    let places: Vec<u16> =
        array(&text, "places").chunks_exact(2).map(|w| u16::from_le_bytes([w[0], w[1]])).collect();
    for (place, number) in places.into_iter().zip(&numbers) {
        let expected = (f64::from(*number) + 3.0) / 6.0 * 65534.0;
        assert!(if number.is_nan() { place == 65535 } else { (f64::from(place) - expected).abs() < 1.0 });
    }
    let meta = meta(&text, "scene");
    assert_eq!(
        (&meta["vertices"], &meta["faces"]),
        (&json!(sphere.positions.len()), &json!(sphere.faces.len()))
    );
}

#[test]
fn nothing_comes_from_outside_and_nothing_breaks_out() {
    let sphere = shapes::icosphere(1).expect("small");
    let style = Style::default();
    let text = text(&page(Scene::new(&sphere.positions, &sphere.faces), &style));
    assert!(text.contains("default-src 'none'") && text.contains("<title>a &amp; b &lt;c&gt;</title>"));
    for outside in ["http:", "https:", " src=", "<link", "import ", "fetch(", "XMLHttp"] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert_eq!(meta(&text, "report"), serde_json::from_str::<Value>(REPORT).expect("JSON"));
    assert_eq!(meta(&text, "scene")["title"], "a & b <c>");
}

#[test]
fn what_is_not_finite_is_left_out() {
    let positions =
        [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [f64::NAN; 3], [500.0; 3]].map(DVec3::from_array);
    let faces = [[0, 1, 3], [0, 1, 2], [3, 3, 3]];
    let colours = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let style = Style::default();
    let scene = Scene::new(&positions, &faces).coloured(Colouring::Faces(&colours));
    let text = text(&page(scene, &style));
    assert_eq!(array(&text, "colours"), [4, 5, 6]);
    assert_eq!(array(&text, "indices"), [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    let positions = array(&text, "positions");
    let positions: Vec<f32> =
        positions.chunks_exact(4).map(|w| f32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    assert!(positions.iter().all(|x| x.abs() <= 1.0), "{positions:?}");
    assert_eq!(positions[9..], [0.0; 6]);
}

#[test]
fn refusals() {
    let style = Style::default();
    let short = page(Scene::new(&[DVec3::ZERO], &[[0, 0, 1]]), &style);
    assert!(matches!(short.check(), Err(RenderError::IndexOutOfRange { face: 0, vertex: 1, vertices: 1 })));
    assert!(short.encode(&mut vec![]).is_err());
    let faces = vec![[0; 3]; 33_000_000];
    let large = page(Scene::new(&[DVec3::ZERO], &faces), &style);
    assert!(matches!(large.check(), Err(RenderError::PageTooLarge { faces: 33_000_000, .. })));
}

/// Mean difference of channels.
fn difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: u64 =
        a.as_flattened().iter().zip(b.as_flattened()).map(|(x, y)| u64::from(x.abs_diff(*y))).sum();
    sum as f64 / (3 * a.len()) as f64
}

/// Means of squares of 8 × 8 pixels, since lines are smoothed in different ways.
fn coarse(pixels: &[[u8; 3]], width: usize) -> Vec<[u8; 3]> {
    let height = pixels.len() / width;
    let squares = (0..height / 8).flat_map(|y| (0..width / 8).map(move |x| (8 * x, 8 * y)));
    let mean = |(x, y): (usize, usize)| {
        let square = (0..64).map(|i| pixels[(y + i / 8) * width + x + i % 8]);
        let sum = square.fold([0; 3], |sum: [u32; 3], p| [0, 1, 2].map(|k| sum[k] + u32::from(p[k])));
        sum.map(|x| (x / 64) as u8)
    };
    squares.map(mean).collect()
}

/// The browser draws the same as the rasteriser, in every way of colouring, smooth and flat, with and without
/// edges, near and far.
#[test]
fn pictures_agree() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let mesh = shapes::torus(24, 1).expect("small");
    let numbers: Vec<f32> =
        mesh.positions.iter().map(|p| if p[0] > 1.1 { f32::NAN } else { p[1] as f32 }).collect();
    let range = Range::of(&numbers, Colormap::Viridis).expect("numbers");
    let colour = |i: usize| [(i * 37 % 256) as u8, (i * 91 % 256) as u8, (i * 53 % 256) as u8];
    let of_vertices: Vec<Rgb> = (0..mesh.positions.len()).map(colour).collect();
    let of_faces: Vec<Rgb> = (0..mesh.faces.len()).map(colour).collect();
    let scalar = Colouring::Scalar { values: &numbers, map: Colormap::Viridis, range };
    let colourings = [
        Colouring::default(),
        Colouring::Vertices(&of_vertices),
        Colouring::Faces(&of_faces),
        scalar,
        Colouring::Normals,
    ];
    let file = browser.folder().join("page.html");
    for (i, colouring) in colourings.into_iter().enumerate() {
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring);
        let style = Style {
            smooth: i != 1,
            edges: if i % 2 == 0 { 1.0 } else { 0.0 },
            obscurance: 0.0,
            ..Style::default()
        };
        let view = View { azimuth: 30.0 - 50.0 * i as f64, elevation: 40.0 - 25.0 * i as f64 };
        let shown = Page { view, ..page(scene, &style) };
        shown.write(&file).expect("a page");
        assert_eq!(browser.open(&file, 640, 480), "ready", "{:?}", browser.complaints());
        browser.value("document.querySelector('#help').hidden = true");
        let (seen, width, height) = browser.pixels("main");
        let style = Style { width: width as u32, height: height as u32, ..style.clone() };
        let camera = Camera::fit(&scene, view, Lens::Orthographic, &style).expect("a camera");
        let picture = scene.render(&ribbonmesh::Device::cpu(), &camera, &style).expect("a picture");
        let expected: Vec<[u8; 3]> = picture.pixels().iter().map(|p| [p[0], p[1], p[2]]).collect();
        let [seen, expected] = [seen, expected].map(|pixels| coarse(&pixels, width));
        let blank = difference(&expected, &vec![[255; 3]; expected.len()]);
        let apart = difference(&seen, &expected);
        println!("colouring {i}: {apart:.2}; a blank page: {blank:.2}");
        assert!(apart < 2.0 && blank > 30.0, "colouring {i}: {apart}, and from a blank page {blank}");
        assert_eq!(browser.complaints(), Vec::<&Value>::new());
        assert!(browser.requests().iter().all(|url| url.starts_with("file:")), "{:?}", browser.requests());
    }
}

#[test]
fn mouse_fingers_keys_and_buttons() {
    let Some(mut browser) = Browser::start(&["--touch-events=enabled"]) else { return };
    let mesh = shapes::bumpy_sphere(4, 3).expect("small");
    let style = Style::default();
    let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(Colouring::Normals);
    let file = browser.folder().join("page.html");
    page(scene, &style).write(&file).expect("a page");
    assert_eq!(browser.open(&file, 640, 480), "ready");
    let (first, width, height) = browser.pixels("main");
    let middle = |pixels: &[[u8; 3]]| pixels[height / 2 * width + width / 2];
    // from the front the normal is along z: blue
    let [r, g, b] = middle(&first);
    assert!(b > r && b > g, "{:?}", middle(&first));

    // a quarter of a turn, to the left: the part that was on the right, along x, is red
    browser.drag("left", [320.0, 260.0], [320.0 - 0.5 * height as f64, 260.0]);
    let (turned, ..) = browser.pixels("main");
    let [r, g, b] = middle(&turned);
    assert!(r > g && r > b, "{:?}", middle(&turned));
    browser.value("document.querySelector('#reset').click()");
    assert_eq!(browser.pixels("main").0, first);

    type Change<'a> = (&'a str, &'a dyn Fn(&mut Browser));
    let changes: [Change<'_>; 8] = [
        ("right button", &|b| b.drag("right", [320.0, 260.0], [400.0, 300.0])),
        ("wheel", &|b| {
            let event = json!({"type": "mouseWheel", "x": 300, "y": 250, "deltaX": 0, "deltaY": -300});
            b.call("Input.dispatchMouseEvent", event);
        }),
        ("finger", &|b| b.touch(&[[300.0, 250.0]], &[[360.0, 230.0]])),
        ("two fingers", &|b| b.touch(&[[300.0, 250.0], [340.0, 250.0]], &[[260.0, 250.0], [380.0, 250.0]])),
        ("edges", &|b| drop(b.value("document.querySelector('#edges').click()"))),
        ("flat", &|b| drop(b.value("document.querySelector('#flat').click()"))),
        ("perspective", &|b| drop(b.value("document.querySelector('#perspective').click()"))),
        ("keys", &|b| {
            b.value("document.querySelector('canvas').focus()");
            b.call("Input.dispatchKeyEvent", json!({"type": "keyDown", "key": "ArrowLeft"}));
        }),
    ];
    for (what, change) in changes {
        change(&mut browser);
        assert!(difference(&browser.pixels("main").0, &first) > 0.5, "{what} changes nothing");
        for toggle in ["edges", "flat", "perspective"] {
            browser.value(&format!(
                "(b => b.getAttribute('aria-pressed') === 'true' && b.click())(document.querySelector('#{toggle}'))"
            ));
        }
        browser.value("document.querySelector('#reset').click()");
        assert_eq!(difference(&browser.pixels("main").0, &first), 0.0, "reset after {what}");
    }
    browser.value("(s => { s.value = 'plain'; s.dispatchEvent(new Event('change')) })(document.querySelector('#colouring'))");
    let [r, _, b] = middle(&browser.pixels("main").0);
    assert!(r.abs_diff(b) < 30, "grey: {r} {b}");
    assert_eq!(browser.complaints(), Vec::<&Value>::new());
}

#[test]
fn legend_report_and_night() {
    let Some(mut browser) = Browser::start(&[]) else { return };
    let mesh = shapes::icosphere(3).expect("small");
    let numbers: Vec<f32> = mesh.positions.iter().map(|p| p[1] as f32).collect();
    let range = Range { min: -1.0, max: 1.0 };
    let map = Colormap::Viridis;
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let scene = scene.coloured(Colouring::Scalar { values: &numbers, map, range });
    let (style, legend) = (Style::default(), Legend { name: "height".into(), map, range });
    let file = browser.folder().join("page.html");
    Page { legend: Some(&legend), ..page(scene, &style) }.write(&file).expect("a page");
    assert_eq!(browser.open(&file, 800, 600), "ready");
    let words = browser.value("document.querySelector('#legend').innerText");
    let words: Vec<&str> = words.as_str().expect("text").split_whitespace().filter(|w| *w != "–").collect();
    assert_eq!(words, ["height", "-1.0", "-0.5", "0", "0.5", "1.0"]);
    assert_eq!(browser.value("document.title"), "a & b <c>");

    assert_eq!(browser.value("document.querySelector('#report-panel').hidden"), true);
    browser.value("document.querySelector('#show-report').click()");
    let rows = browser.value("[...document.querySelectorAll('#report-panel tr')].map(row => row.innerText)");
    let rows: Vec<String> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|r| r.as_str().unwrap_or_default().replace('\t', ": "))
        .collect();
    for row in [
        "program: ribbonmesh </script><!-- 1",
        "seconds: 1.25",
        "read: 0.5",
        "edges: 0.125",
        "faces turned: 3, 4",
        "deep: 7",
    ] {
        assert!(rows.iter().any(|found| found.trim() == row), "{row:?} is not in {rows:?}");
    }
    assert!(!rows.iter().any(|row| row.contains("machine")), "nothing is left out: {rows:?}");
    let day = browser.pixels("main").0[0];
    let night = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    browser.call("Emulation.setEmulatedMedia", night);
    let night = browser.pixels("main").0[0];
    assert!(day == [255; 3] && night.iter().all(|c| *c < 60), "{day:?}, {night:?}");
    assert_eq!(browser.complaints(), Vec::<&Value>::new());
}

#[test]
fn without_webgl_the_page_says_so() {
    let Some(mut browser) = Browser::start(&["--disable-3d-apis"]) else { return };
    let mesh = shapes::icosphere(1).expect("small");
    let style = Style::default();
    let file = browser.folder().join("page.html");
    page(Scene::new(&mesh.positions, &mesh.faces), &style).write(&file).expect("a page");
    assert_eq!(browser.open(&file, 640, 480), "failed");
    let message = browser.value("document.querySelector('#message').innerText");
    assert!(message.as_str().is_some_and(|m| m.contains("WebGL 2")), "{message}");
    browser.value("document.querySelector('#show-report').click()");
    assert_eq!(browser.value("document.querySelectorAll('#report-panel tr').length > 5"), true);
}
