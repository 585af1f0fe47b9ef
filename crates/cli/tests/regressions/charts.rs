//! Texture charts and seams.
use crate::common::Folder;
use std::collections::HashMap;
use std::fmt::Write;

/// An OBJ file with texture coordinates, read without the library.
struct Textured {
    v: Vec<[f64; 3]>,
    vt: Vec<[f64; 2]>,
    /// Vertex and texture coordinate of each corner.
    faces: Vec<[[usize; 2]; 3]>,
}
impl Textured {
    fn of(text: &str) -> Self {
        let (mut v, mut vt, mut faces) = (vec![], vec![], vec![]);
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let kind = words.next();
            let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number");
            match kind {
                Some("v") => v.push([number(), number(), number()]),
                Some("vt") => vt.push([number(), number()]),
                Some("f") => {
                    let corner = |word: &str| {
                        let mut places = word.split('/').map(|i| i.parse::<usize>().expect("an index") - 1);
                        [(); 2].map(|()| places.next().expect("a vertex and its texture coordinate"))
                    };
                    let corners: Vec<_> = words.map(corner).collect();
                    faces.push(corners.try_into().expect("a triangle"));
                }
                _ => {}
            }
        }
        Self { v, vt, faces }
    }
    fn read(folder: &Folder, name: &str) -> Self {
        Self::of(&folder.text(name))
    }
    fn uv(&self, [a, b, c]: &[[usize; 2]; 3]) -> [[f64; 2]; 3] {
        [a, b, c].map(|corner| self.vt[corner[1]])
    }
    /// Faces with a side that is longer in the texture than `most` times its length in space.
    fn smeared(&self, most: f64) -> usize {
        let sides = |face: &[[usize; 2]; 3]| {
            (0..3).any(|i| {
                let [[v, t], [w, u]] = [face[i], face[(i + 1) % 3]];
                let far =
                    |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                far(&self.vt[t], &self.vt[u]) > most * far(&self.v[v], &self.v[w])
            })
        };
        self.faces.iter().filter(|face| sides(face)).count()
    }
    /// The area in the texture.
    fn texture_area(&self) -> f64 {
        let area = |face| {
            let [a, b, c] = self.uv(face);
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs() / 2.0
        };
        self.faces.iter().map(area).sum()
    }
    /// Parts of the texture that have no corner in common.
    fn charts(&self) -> usize {
        fn root(up: &[usize], mut i: usize) -> usize {
            while up[i] != i {
                i = up[i];
            }
            i
        }
        let mut up: Vec<usize> = (0..self.faces.len()).collect();
        let mut first = HashMap::new();
        for (f, face) in self.faces.iter().enumerate() {
            for [v, t] in *face {
                let known = *first.entry((v, self.vt[t].map(f64::to_bits))).or_insert(f);
                let (a, b) = (root(&up, known), root(&up, f));
                up[a] = b;
            }
        }
        (0..up.len()).filter(|&f| up[f] == f).count()
    }
    fn volume(&self) -> f64 {
        let six_times = |face: &[[usize; 2]; 3]| {
            let [a, b, c] = face.map(|[v, _]| self.v[v]);
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        self.faces.iter().map(six_times).sum::<f64>() / 6.0
    }
}

/// The largest ratio of lengths in the texture and in space in the input, times four: pymeshlab's results
/// have none above.
const SMEARED: f64 = 4.0 * 0.157;

#[test]
fn case_03_simplify_smears_uv_charts() {
    let folder = crate::case("03-simplify-smears-uv-charts");
    folder.succeed(["convert", "atlas.obj.gz", "atlas.obj"]);
    let before = Textured::read(&folder, "atlas.obj");
    assert_eq!((before.faces.len(), before.smeared(SMEARED)), (1280, 0));
    for (words, faces) in [
        ("simplify atlas.obj.gz -o out.obj --ratio 0.5", 640),
        ("simplify atlas.obj.gz -o out.obj --ratio 0.2", 256),
        ("simplify atlas.obj.gz -o out.obj --ratio 0.1", 128),
        ("clean atlas.obj.gz -o out.obj --faces 256", 256),
        ("remesh atlas.obj.gz -o out.obj --target-length 0.3", 0),
    ] {
        let ran = folder.line(words);
        assert_eq!(ran.status, 0, "{words}: {ran:?}");
        let after = Textured::read(&folder, "out.obj");
        assert!(faces == 0 || after.faces.len() <= faces, "{words}: {}", after.faces.len());
        assert_eq!(after.smeared(SMEARED), 0, "{words}");
        assert_eq!(after.charts(), before.charts(), "{words}");
        let area = after.texture_area() / before.texture_area();
        assert!((area - 1.0).abs() < 0.1, "{words}: {area} of the texture");
    }
    // clusters do not follow seams: each face ends at the nearest one
    let ran = folder.line("remesh atlas.obj.gz -o out.obj --fast --vertices 64");
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(Textured::read(&folder, "out.obj").smeared(SMEARED), 0);
}

/// A sphere that a map of the world covers: one meridian is a cut, and the poles have a texture coordinate in
/// each face.
fn globe(around: usize, down: usize) -> String {
    let (mut v, mut vt, mut faces) = (String::new(), String::new(), String::new());
    let vertex = |i: usize, j: usize| match j {
        0 => 1,
        j if j == down => 2 + (down - 1) * around,
        j => 2 + (j - 1) * around + i % around,
    };
    for j in 0..=down {
        let theta = std::f64::consts::PI * j as f64 / down as f64;
        for i in 0..if j == 0 || j == down { 1 } else { around } {
            let phi = std::f64::consts::TAU * i as f64 / around as f64;
            let (x, y, z) = (theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos());
            writeln!(v, "v {x:.7} {y:.7} {z:.7}").expect("text");
        }
    }
    let mut count = 0;
    let mut corner = |i: f64, j: usize, v: usize| {
        writeln!(vt, "vt {:.7} {:.7}", i / around as f64, 1.0 - j as f64 / down as f64).expect("text");
        count += 1;
        format!("{v}/{count}")
    };
    for i in 0..around {
        for j in 0..down {
            let mut at = |k: usize, j: usize| {
                let pole = j == 0 || j == down;
                corner(if pole { i as f64 + 0.5 } else { (i + k) as f64 }, j, vertex(i + k, j))
            };
            if j > 0 {
                let [a, b, c] = [at(0, j), at(0, j + 1), at(1, j)];
                writeln!(faces, "f {a} {b} {c}").expect("text");
            }
            if j + 1 < down {
                let [a, b, c] = [at(1, j), at(0, j + 1), at(1, j + 1)];
                writeln!(faces, "f {a} {b} {c}").expect("text");
            }
        }
    }
    v + &vt + &faces
}

#[test]
fn the_poles_and_the_cut_of_a_globe() {
    let folder = Folder::new();
    folder.write("globe.obj", globe(64, 32));
    let before = Textured::read(&folder, "globe.obj");
    let span = |t: &Textured, face: &[[usize; 2]; 3]| {
        let u = t.uv(face).map(|uv| uv[0]);
        u[0].max(u[1]).max(u[2]) - u[0].min(u[1]).min(u[2])
    };
    for words in [
        "simplify globe.obj -o out.obj --ratio 0.25",
        "simplify globe.obj -o out.obj --ratio 0.08",
        "remesh globe.obj -o out.obj --target-length 0.2",
    ] {
        let ran = folder.line(words);
        assert_eq!(ran.status, 0, "{words}: {ran:?}");
        let after = Textured::read(&folder, "out.obj");
        let volume = after.volume() / before.volume();
        assert!((volume - 1.0).abs() < 0.06, "{words}: {volume} of the volume");
        // no face spans the map from one side of the cut to the other
        let widest = after.faces.iter().map(|face| span(&after, face)).fold(0.0, f64::max);
        assert!(widest <= 0.5, "{words}: a face spans {widest} of the map");
        let area = after.texture_area() / before.texture_area();
        assert!(area > 0.85 && area < 1.05, "{words}: {area} of the texture");
        // fans at the poles become coarser, too
        let north = after.v.iter().position(|p| p[2] > 0.999).expect("the pole stays");
        let fan = after.faces.iter().filter(|face| face.iter().any(|corner| corner[0] == north)).count();
        assert!(fan < 32, "{words}: {fan} faces at the pole");
    }
}
