//! `ribbonmesh unwrap`, `parameterize` and `bake`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::{ColourSpace, Column, Role, shapes};

#[test]
fn coordinates_in_every_format() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(3).expect("small")));
    for file in ["out.obj", "out.glb", "out.ply"] {
        let line = format!("unwrap ball.ply -o {file} --resolution 256 --report report.json");
        folder.succeed(line.split_whitespace());
        let results = &folder.json("report.json")["results"];
        assert_eq!((&results["flipped"], &results["resolution"]), (&0.into(), &256.into()));
        let found = ribbonmesh_io::read(folder.path(file)).expect("a mesh").mesh;
        let role = Role::TextureCoordinate(0);
        let column = found.corners().with_role(role).or_else(|| found.vertices().with_role(role));
        assert!(column.is_some_and(|column| column.width() == 2), "{file}");
    }
}
#[test]
fn one_chart() {
    let folder = Folder::new();
    folder.mesh("net.ply", &mesh(shapes::grid(8, 1).expect("small")));
    folder.succeed("parameterize net.ply -o net.obj --report report.json".split_whitespace());
    assert_eq!(folder.json("report.json")["results"]["method"], "isometric");
    folder.succeed("parameterize net.ply -o net.obj --method bff --report report.json".split_whitespace());
    let results = &folder.json("report.json")["results"];
    assert_eq!((&results["method"], &results["flipped"]), (&"bff".into(), &0.into()));
    folder.mesh("ball.ply", &mesh(shapes::icosphere(1).expect("small")));
    let ran = folder.run("parameterize ball.ply -o ball.obj".split_whitespace());
    assert!(ran.err.contains("the mesh is closed"), "{ran:?}");
}
#[test]
fn textures() {
    let folder = Folder::new();
    let mut ball = mesh(shapes::icosphere(3).expect("small"));
    let red = vec![[255_u8, 0, 0]; ball.positions.len()];
    let red = Column::with_role("colour", Role::Colour(ColourSpace::Srgb), red);
    ball.vertices_mut().insert_column(red).expect("a row for each");
    folder.mesh("ball.ply", &ball);
    folder.succeed("unwrap ball.ply -o low.obj --resolution 64".split_whitespace());
    for (line, size) in [
        ("bake ball.ply low.obj -o red.png --resolution 64 --report report.json", 64 * 64 * 3),
        ("bake ball.ply low.obj -o normal.png --of tangent-normal --bits 16 --resolution 32", 32 * 32 * 6),
    ] {
        folder.succeed(line.split_whitespace());
        let file = line.split_whitespace().nth(4).expect("a name");
        let image = std::fs::File::open(folder.path(file)).expect("a file");
        let mut reader = png::Decoder::new(std::io::BufReader::new(image)).read_info().expect("a picture");
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        assert_eq!(info.buffer_size(), size, "{line}");
        if file == "red.png" {
            let is_red = bytes.chunks_exact(3).filter(|texel| *texel == [255, 0, 0]).count();
            let results = &folder.json("report.json")["results"];
            let all = results["texels"].as_u64().zip(results["dilated"].as_u64());
            assert_eq!(all.map(|(a, b)| a + b), Some(is_red as u64), "{results}");
        }
    }
    folder.succeed("bake low.obj low.obj -o uv.npy --of texcoord --resolution 16".split_whitespace());
    let bytes = std::fs::read(folder.path("uv.npy")).expect("a file");
    assert!(bytes.starts_with(b"\x93NUMPY") && bytes.len() == 128 + 16 * 16 * 2 * 4, "{}", bytes.len());
}
#[test]
fn refusals() {
    let folder = Folder::new();
    folder.mesh("net.ply", &mesh(shapes::grid(4, 1).expect("small")));
    folder.succeed("unwrap net.ply -o net.obj".split_whitespace());
    for (line, expected) in [
        ("bake net.ply net.ply -o x.png --of normal", "no texture coordinates"),
        ("bake net.ply net.obj -o x.png", "no colours"),
        ("bake net.ply net.obj -o x.jpg", ".png or .npy"),
        ("bake net.obj net.obj -o x.png --of texcoord", ".npy"),
        ("unwrap net.ply -o x.obj --max-stretch 1", "max-stretch"),
        ("unwrap net.ply -o x.obj --resolution 8 --padding 16", "resolution"),
    ] {
        let ran = folder.run(line.split_whitespace());
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        assert!(!folder.path("x.png").exists() && !folder.path("x.obj").exists(), "{line}");
    }
}
