//! `ribbonmesh render`: the pictures are decoded and looked at.
use crate::common;
use common::{Folder, every_kind, mesh, soup};
use ribbonmesh_mesh::shapes;
use std::collections::HashSet;

struct Picture {
    width: usize,
    height: usize,
    channels: usize,
    bytes: Vec<u8>,
}
impl Picture {
    fn read(folder: &Folder, name: &str) -> Self {
        let file = std::io::BufReader::new(std::fs::File::open(folder.path(name)).expect("a picture"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        let (width, height) = (info.width as usize, info.height as usize);
        Self { width, height, channels: info.color_type.samples(), bytes }
    }
    fn at(&self, x: usize, y: usize) -> &[u8] {
        &self.bytes[(y * self.width + x) * self.channels..][..self.channels]
    }
}

#[test]
fn every_kind_every_way() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        let mut seen = HashSet::new();
        for way in ["", "--patches", "--patches --ribbons", "--normals", "--scalar x", "--edges", "--flat"] {
            let words = format!("render mesh.ply -o a.png --size 200x150 --view iso --patch-size 16 {way}");
            folder.succeed(words.split_whitespace());
            let picture = Picture::read(&folder, "a.png");
            assert_eq!((picture.width, picture.height, picture.channels), (200, 150, 3), "{kind} {way}");
            let drawn = picture.bytes.iter().filter(|b| **b != 255).count();
            assert!(drawn > 100, "{kind} {way}: {drawn}");
            seen.insert(picture.bytes);
        }
        // a flat mesh of one patch looks alike in some ways
        assert!(seen.len() >= 4, "{kind}: {} pictures", seen.len());
    }
}

#[test]
fn threads_do_not_matter() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::bumpy_sphere(4, 1).expect("small")));
    let pictures = [1, 3].map(|threads| {
        let words = format!("render mesh.ply -o a.png --patches --size 160x120 --threads {threads}");
        folder.succeed(words.split_whitespace());
        std::fs::read(folder.path("a.png")).expect("a picture")
    });
    assert!(pictures[0] == pictures[1]);
}

#[test]
fn views_and_transparency() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &mesh(shapes::icosphere(3).expect("small")));
    for (view, axis) in [("right", 0), ("top", 1), ("front", 2), ("90,0", 0), ("0,90", 1), ("360,0", 2)] {
        let words = format!("render mesh.ply -o a.png --normals --transparent --size 41x31 --view {view}");
        folder.succeed(words.split_whitespace());
        let picture = Picture::read(&folder, "a.png");
        assert_eq!(picture.at(0, 0), [0; 4]);
        let middle = picture.at(20, 15);
        assert_eq!(middle[3], 255);
        assert!((0..3).all(|k| k == axis || middle[k] < middle[axis]), "{view}: {middle:?}");
    }
}

#[test]
fn scalars() {
    let folder = Folder::new();
    let mut mesh = soup();
    let mut values: Vec<f32> = (0..mesh.positions.len()).map(|i| i as f32 - 4.0).collect();
    values[0] = f32::INFINITY;
    values[12] = f32::NAN;
    mesh.vertices_mut().insert("heat", values).expect("a value per vertex");
    folder.mesh("mesh.ply", &mesh);
    let render = |more: &str| {
        let words = format!("render mesh.ply -o a.png --scalar heat --size 300x200 --report a.json {more}");
        (folder.succeed(words.split_whitespace()), folder.json("a.json"))
    };
    let (ran, report) = render("");
    assert!(ran.err.contains("warning: 2 vertices without a finite heat"), "{ran:?}");
    assert!(!ran.err.contains("passed over"), "{ran:?}");
    let scalar = &report["results"]["scalar"];
    assert_eq!(
        (&scalar["min"], &scalar["max"], &scalar["not_finite"]),
        (&(-3.0).into(), &7.0.into(), &2.into())
    );
    assert_eq!((&report["results"]["width"], &report["outputs"][0]), (&300.into(), &"a.png".into()));
    assert_eq!(render("--colormap coolwarm").1["results"]["scalar"]["min"], -7.0);
    assert_eq!(render("--range -2.5,9").1["results"]["scalar"]["max"], 9.0);
}

#[test]
fn ends_of_the_colours() {
    let folder = Folder::new();
    let mut mesh = mesh(shapes::icosphere(3).expect("small"));
    let n = mesh.positions.len();
    // from -1 to 1, and a vertex far from the others
    let mut values: Vec<f32> = (0..n).map(|i| 2.0 * i as f32 / (n - 1) as f32 - 1.0).collect();
    mesh.vertices_mut().insert("even", values.clone()).expect("a value per vertex");
    values[n - 1] = 500.0;
    mesh.vertices_mut().insert("mean_curvature", values).expect("a value per vertex");
    folder.mesh("mesh.ply", &mesh);
    let run = |more: &str| {
        let words = format!("render mesh.ply -o a.png --size 300x200 --report a.json {more}");
        let ran = folder.run(words.split_whitespace());
        (ran, folder.json("a.json"))
    };
    let ends = |more: &str| {
        let (ran, report) = run(more);
        assert_eq!(ran.status, 0, "{ran:?}");
        let scalar = &report["results"]["scalar"];
        let [min, max] = ["min", "max"].map(|end| scalar[end].as_f64().expect("a number"));
        (min, max, scalar["colormap"].as_str().expect("a name").to_owned(), ran.err)
    };
    let (min, max, colormap, said) = ends("--scalar even");
    assert_eq!((min, max, colormap.as_str()), (-1.0, 1.0, "viridis"));
    assert!(!said.contains("the colours go"), "{said}");
    let (min, max, colormap, said) = ends("--scalar mean_curvature");
    assert!(max < 0.97 && max > 0.95 && min == -max && colormap == "coolwarm", "{min}, {max}, {colormap}");
    assert!(said.contains("mean_curvature is from -1 to 500"), "{said}");
    assert_eq!(ends("--scalar mean_curvature --range 0%,100%").1, 500.0);
    let (min, max, ..) = ends("--scalar mean_curvature --colormap viridis --range 0%,50%");
    assert!(min == -1.0 && max.abs() < 0.01, "{min}, {max}");
    let (min, max, ..) = ends("--scalar even --range -0.25,75%");
    assert!(min == -0.25 && (max - 0.5).abs() < 1e-5, "{min}, {max}");
    let (ran, _) = run("--scalar even --range 0.9,50%");
    assert!(ran.status == 2 && ran.err.contains("the first is not the lower"), "{ran:?}");
}

#[test]
fn what_points_up() {
    let folder = Folder::new();
    // a sign that stands on y; with z up it is seen from above, and so it is from the top with y up
    folder.write("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    let picture = |more: &str| {
        let words = format!("render a.obj -o a.png --size 90x60 --report a.json {more}");
        folder.succeed(words.split_whitespace());
        (Picture::read(&folder, "a.png").bytes, folder.json("a.json")["results"]["up"].clone())
    };
    let (plain, up) = picture("");
    assert_eq!((picture("--up y").0, up), (plain.clone(), "y".into()));
    let (z, up) = picture("--up z --view top");
    assert_eq!((z, up), (plain.clone(), "z".into()));
    assert_eq!(picture("--up -z --view bottom").0.len(), plain.len());
    assert_ne!(picture("--up -x").0, plain);
    folder.succeed("render a.obj --html a.html --up z".split_whitespace());
    assert!(folder.text("a.html").contains("\"axes\":[[1.0,0.0,0.0],[0.0,0.0,1.0],[0.0,-1.0,0.0]]"));
}

#[test]
fn numbers_that_are_nowhere_finite() {
    let folder = Folder::new();
    let mut mesh = mesh(shapes::icosphere(1).expect("small"));
    let values = vec![f32::NAN; mesh.positions.len()];
    mesh.vertices_mut().insert("heat", values).expect("a value per vertex");
    folder.mesh("mesh.ply", &mesh);
    let ran = folder.succeed(["render", "mesh.ply", "-o", "a.png", "--scalar", "heat", "--size", "90x90"]);
    assert!(ran.err.contains("42 vertices without a finite heat"), "{ran:?}");
    let picture = Picture::read(&folder, "a.png");
    let middle = picture.at(45, 45);
    assert!(middle[0].abs_diff(middle[2]) < 20 && middle[0] < 230, "grey: {middle:?}");
}

#[test]
fn page() {
    let folder = Folder::new();
    folder.mesh("<i> & mesh.ply", &soup());
    let words = ["render", "<i> & mesh.ply", "--html", "a.html", "--scalar", "y", "--report", "a.json"];
    folder.succeed(words);
    let text = folder.text("a.html");
    assert!(text.contains("<title>&lt;i&gt; &amp; mesh.ply</title>"));
    let begin = "type=\"application/json\" id=\"report\">";
    let report = text.split(begin).nth(1).and_then(|rest| rest.split("</script>").next()).expect("a report");
    let mut report: serde_json::Value = serde_json::from_str(report).expect("JSON");
    let mut expected = folder.json("a.json");
    assert_eq!(expected["outputs"], serde_json::json!(["a.html"]));
    assert_eq!(expected["results"]["width"], serde_json::Value::Null);
    // output after the report is not in it
    for report in [&mut report, &mut expected] {
        report["seconds"].take();
        report["phases"].as_array_mut().expect("phases").retain(|phase| phase["name"] != "page");
    }
    assert_eq!(report, expected);
    folder.succeed([
        "render",
        "<i> & mesh.ply",
        "--html",
        "b.html",
        "-o",
        "b.png",
        "--size",
        "40x30",
        "--patches",
    ]);
    assert!(folder.path("b.png").exists() && folder.text("b.html").contains("\"kind\":\"faces\""));
}
