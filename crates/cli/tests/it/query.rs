//! `ribbonmesh query` against text made by brute force.
use crate::common;
use common::{Folder, every_kind, soup, triangles};
use ribbonmesh_io::TriangleMesh;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

type Key = (u32, u32);

/// Relations of a mesh, computed from all of its faces.
struct Oracle {
    vertices: u32,
    faces: Vec<[u32; 3]>,
    /// Faces of each edge.
    edges: BTreeMap<Key, BTreeSet<u32>>,
}
fn key(a: u32, b: u32) -> Key {
    (a.min(b), a.max(b))
}
fn sides(f: [u32; 3]) -> [Key; 3] {
    [key(f[0], f[1]), key(f[1], f[2]), key(f[2], f[0])]
}
fn name(k: &Key) -> String {
    format!("{}-{}", k.0, k.1)
}
fn line<S: ToString, T: ToString>(source: S, targets: impl IntoIterator<Item = T>) -> String {
    let mut line = format!("{}:", source.to_string());
    for target in targets {
        write!(line, " {}", target.to_string()).expect("memory");
    }
    line + "\n"
}

impl Oracle {
    fn new(mesh: &TriangleMesh) -> Self {
        let mut edges: BTreeMap<Key, BTreeSet<u32>> = BTreeMap::new();
        for (i, &f) in (0..).zip(&mesh.faces) {
            for k in sides(f) {
                edges.entry(k).or_default().insert(i);
            }
        }
        Self { vertices: mesh.positions.len() as u32, faces: mesh.faces.clone(), edges }
    }
    fn edges_of(&self, v: u32) -> Vec<Key> {
        self.edges.keys().copied().filter(|k| k.0 == v || k.1 == v).collect()
    }
    fn other(k: Key, v: u32) -> u32 {
        if k.0 == v { k.1 } else { k.0 }
    }
    fn faces_of(&self, v: u32) -> Vec<u32> {
        (0..).zip(&self.faces).filter(|(_, f)| f.contains(&v)).map(|(i, _)| i).collect()
    }
    /// The text that the program must write.
    fn text(&self, op: &str) -> String {
        let vertex = |row: &dyn Fn(u32) -> Vec<String>| (0..self.vertices).map(|v| line(v, row(v))).collect();
        let edge =
            |row: &dyn Fn(Key) -> Vec<String>| self.edges.keys().map(|&k| line(name(&k), row(k))).collect();
        let face = |row: &dyn Fn(u32) -> Vec<String>| {
            (0..).take(self.faces.len()).map(|f| line(f, row(f))).collect()
        };
        let numbers = |x: BTreeSet<u32>| x.iter().map(u32::to_string).collect::<Vec<_>>();
        match op {
            "VV" => vertex(&|v| {
                numbers(self.edges_of(v).into_iter().map(|k| Self::other(k, v)).filter(|&u| u != v).collect())
            }),
            "VE" => vertex(&|v| self.edges_of(v).iter().map(name).collect()),
            "VF" => vertex(&|v| self.faces_of(v).iter().map(u32::to_string).collect()),
            "EV" => edge(&|k| vec![k.0.to_string(), k.1.to_string()]),
            "EF" => edge(&|k| numbers(self.edges[&k].clone())),
            "EE" => edge(&|k| {
                let near = self.edges[&k].iter().flat_map(|&f| sides(self.faces[f as usize]));
                near.filter(|&e| e != k).collect::<BTreeSet<_>>().iter().map(name).collect()
            }),
            "EVDiamond" => edge(&|k| {
                let faces = self.edges[&k].iter().map(|&f| self.faces[f as usize]);
                let mut tips: Vec<u32> =
                    faces.flat_map(|f| f.into_iter().filter(|&v| v != k.0 && v != k.1)).collect();
                tips.sort_unstable();
                let tip = |i: usize| tips.get(i).map_or("-".to_owned(), u32::to_string);
                vec![k.0.to_string(), tip(0), k.1.to_string(), tip(1)]
            }),
            "FV" => face(&|f| self.faces[f as usize].iter().map(u32::to_string).collect()),
            "FE" => face(&|f| sides(self.faces[f as usize]).iter().map(name).collect()),
            "FF" => face(&|f| {
                let near =
                    sides(self.faces[f as usize]).into_iter().flat_map(|k| self.edges[&k].iter().copied());
                numbers(near.filter(|&g| g != f).collect())
            }),
            _ => unreachable!("{op}"),
        }
    }
    /// The vertices after each other around `v` with the faces between them, and whether the walk closes.
    fn walk(&self, v: u32) -> Option<(Vec<u32>, Vec<u32>, bool)> {
        let mut after = BTreeMap::new();
        for f in self.faces_of(v) {
            let c = self.faces[f as usize];
            if sides(c).iter().any(|k| k.0 == k.1) {
                return None;
            }
            let i = c.iter().position(|&x| x == v)?;
            if after.insert(c[(i + 1) % 3], (c[(i + 2) % 3], f)).is_some() {
                return None;
            }
        }
        let ends: BTreeSet<u32> = after.values().map(|x| x.0).collect();
        if ends.len() < after.len() {
            return None;
        }
        let open = after.keys().copied().find(|a| !ends.contains(a));
        let Some(first) = open.or(after.keys().next().copied()) else { return Some((vec![], vec![], true)) };
        let (mut around, mut faces) = (vec![first], vec![]);
        while let Some(&(next, face)) = after.get(around.last()?) {
            faces.push(face);
            if next == first {
                break;
            }
            around.push(next);
        }
        (faces.len() == after.len()).then_some((around, faces, open.is_none()))
    }
    fn oriented(&self, op: &str) -> (String, Vec<u32>) {
        let (mut text, mut bad) = (String::new(), vec![]);
        let plain = self.text(op);
        for (v, plain) in (0..).zip(plain.lines()) {
            match self.walk(v) {
                None => {
                    bad.push(v);
                    text += &format!("{plain}\n");
                }
                Some((around, _, _)) if op == "VV" => text += &line(v, around),
                Some((around, _, _)) if op == "VE" => {
                    text += &line(v, around.iter().map(|&u| name(&key(u, v))))
                }
                Some((_, faces, _)) => text += &line(v, faces),
            }
        }
        (text, bad)
    }
}

const ALL: [&str; 10] = ["VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE", "EVDiamond"];

#[test]
fn every_query() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        let oracle = Oracle::new(&mesh);
        for op in ALL.into_iter().filter(|&op| !(kind == "soup" && op == "EVDiamond")) {
            let ran = folder.succeed(["query", "mesh.ply", "--op", op, "--patch-size", "16"]);
            assert_eq!(ran.out, oracle.text(op), "{op} of {kind}");
        }
    }
}

#[test]
fn every_oriented_query() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.ply", &mesh);
        let oracle = Oracle::new(&mesh);
        for op in ["VV", "VE", "VF"] {
            let words =
                ["query", "mesh.ply", "--op", op, "--oriented", "--patch-size", "40", "--report", "r.json"];
            let (ran, (text, bad)) = (folder.succeed(words), oracle.oriented(op));
            assert_eq!(ran.out, text, "{op} of {kind}");
            assert_eq!(
                folder.json("r.json")["results"]["not_walkable"],
                serde_json::json!(bad),
                "{op} of {kind}"
            );
            assert_eq!(
                ran.err.contains("cannot be walked around"),
                !bad.is_empty(),
                "{op} of {kind}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn same_text_for_other_patches_and_seeds() {
    let folder = Folder::new();
    for (kind, mesh) in every_kind() {
        folder.mesh("mesh.obj", &mesh);
        for words in ["--op EE", "--op FF", "--op VF --oriented", "--op vv --oriented"] {
            let run = |more: &str| {
                let line = format!("query mesh.obj {words} {more}");
                folder.succeed(line.split_whitespace()).out
            };
            let first = run("");
            assert_eq!(first, run("--patch-size 16 --seed 9"), "{words} of {kind}");
            assert_eq!(first, run("--patch-size 64 --threads 1"), "{words} of {kind}");
        }
    }
}

#[test]
fn to_a_file() {
    let folder = Folder::new();
    folder.mesh("mesh.ply", &soup());
    let ran = folder.succeed(["query", "mesh.ply", "--op", "VV", "-o", "vv.txt"]);
    assert_eq!((ran.out.as_str(), folder.text("vv.txt")), ("", Oracle::new(&soup()).text("VV")));
}

#[test]
fn diamonds_of_non_manifold_edges_are_refused_by_name() {
    let folder = Folder::new();
    folder.mesh("book.off", &triangles(6, &[[2, 3, 0], [0, 4, 1], [4, 1, 2], [1, 4, 5]]));
    let ran = folder.run(["query", "book.off", "--op", "EVDiamond", "-o", "diamonds.txt"]);
    assert_eq!((ran.status, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("1 edge has more than two faces, for example 1-4"), "{}", ran.err);
    assert!(!folder.path("diamonds.txt").exists());
}
