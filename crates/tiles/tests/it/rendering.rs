//! Pictures by parts against those in memory.
use crate::{Folder, bumpy};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_io::{WriteOptions, read, write};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_render::{Background, Camera, Colouring, Image, Lens, Scene, Style, Up, View};
use ribbonmesh_tiles::{FEWEST_FACES, LEAST_MEMORY, Shot, Streaming, TilesError, render};
use std::path::Path;

fn usual() -> Shot {
    let style = Style { width: 160, height: 120, samples: 2, ..Style::default() };
    Shot { view: View::ISO, up: Up::Y, lens: Lens::Orthographic, style, normals: false }
}

fn in_memory(mesh: &TriangleMesh, shot: &Shot) -> Image {
    let colouring = if shot.normals { Colouring::Normals } else { Colouring::default() };
    let scene = Scene::new(&mesh.positions, &mesh.faces).standing(shot.up).coloured(colouring);
    let camera = Camera::fit(&scene, shot.view, shot.lens, &shot.style).expect("a scene");
    scene.render(&Device::cpu(), &camera, &shot.style).expect("a picture")
}

/// The picture by parts of a thousand faces, and what was said.
fn by_parts(folder: &Folder, file: &Path, shot: &Shot) -> (Image, String) {
    let options = Streaming { tile_faces: Some(FEWEST_FACES), ..Streaming::new(folder.path("work")) };
    let mut said = String::new();
    let found = render(file, shot, &options, &mut |line| said += &line).expect("a picture");
    assert!(!folder.path("work").exists());
    (found, said)
}

fn assert_same(folder: &Folder, file: &Path, shot: &Shot, what: &str) {
    let (found, said) = by_parts(folder, file, shot);
    assert!(!said.contains("in 1 parts"), "{what}: {said}");
    let known = in_memory(&read(file).expect("a mesh").mesh, shot);
    let other = found.pixels().iter().zip(known.pixels()).filter(|(a, b)| a != b).count();
    assert!(found == known, "{what}: {other} of {} pixels differ; {said}", known.pixels().len());
}

#[test]
fn pictures_are_those_in_memory_bit_by_bit() {
    let mut mesh = bumpy(5);
    // a vertex far in front, without a face
    mesh.positions.push(DVec3::splat(30.0));
    let folder = Folder::with(&mesh);
    let file = folder.path("in.ply");
    let usual = usual();
    let style = &usual.style;
    assert_same(&folder, &file, &usual, "smooth");
    let flat = Style { smooth: false, edges: 1.0, ..style.clone() };
    assert_same(&folder, &file, &Shot { style: flat, ..usual.clone() }, "flat with edges");
    let perspective = Shot { lens: Lens::Perspective, normals: true, ..usual.clone() };
    assert_same(&folder, &file, &perspective, "normals in perspective");
    let transparent = Style { background: Background::Transparent, samples: 1, ..style.clone() };
    let turned = Shot { up: Up::MinusZ, view: View::LEFT, style: transparent, ..usual.clone() };
    assert_same(&folder, &file, &turned, "turned, transparent");
    // more samples across than are drawn at once
    let large = Style { width: 4200, height: 40, samples: 1, ..style.clone() };
    assert_same(&folder, &file, &Shot { style: large, ..usual.clone() }, "large");
}

#[test]
fn all_formats_and_broken_meshes_have_the_same_picture_as_in_memory() {
    let usual = usual();
    let folder = Folder::new();
    for name in ["a.stl", "a.glb", "a.obj"] {
        write(folder.path(name), &bumpy(4), &WriteOptions::default()).expect("a file");
        assert_same(&folder, &folder.path(name), &usual, name);
    }
    // of faces at the same place the first is seen, wherever the others are in the file
    let mut mesh = bumpy(4);
    let turned: Vec<_> = mesh.faces.iter().step_by(3).map(|&[a, b, c]| [a, c, b]).collect();
    mesh.faces.splice(0..0, turned.iter().copied().step_by(2));
    mesh.faces.extend(turned);
    mesh.faces.extend([[0, 0, 1], [7, 7, 7]]);
    write(folder.path("b.ply"), &mesh, &WriteOptions::default()).expect("a file");
    let flat = Style { smooth: false, ..usual.style.clone() };
    for style in [usual.style.clone(), flat] {
        let shot = Shot { normals: true, style, ..usual.clone() };
        assert_same(&folder, &folder.path("b.ply"), &shot, "faces at the same place");
    }
    let grid = shapes::grid(40, 1).expect("small");
    write(folder.path("c.ply"), &grid, &WriteOptions::default()).expect("a file");
    assert_same(&folder, &folder.path("c.ply"), &Shot { view: View::FRONT, ..usual }, "a boundary");
}

#[test]
fn coordinates_are_rounded_around_a_local_origin() {
    let mut mesh = bumpy(4);
    mesh.positions.iter_mut().for_each(|p| *p += DVec3::new(5e6 + 0.1, 0.1, -3e6));
    let folder = Folder::with(&mesh);
    let file = folder.path("in.ply");
    let (found, _) = by_parts(&folder, &file, &usual());
    let mut rounded = read(&file).expect("a mesh").mesh;
    let origin = rounded.local_origin();
    rounded.positions = rounded.points_around(origin).iter().map(|p| p.as_dvec3() + origin).collect();
    assert!(found == in_memory(&rounded, &usual()));
}

#[test]
fn pictures_that_do_not_fit_are_refused() {
    let folder = Folder::with(&bumpy(3));
    let options = Streaming { memory: LEAST_MEMORY, ..Streaming::new(folder.path("work")) };
    let refused = render(&folder.path("in.ply"), &usual(), &options, &mut drop).expect_err("refused");
    assert!(matches!(refused, TilesError::Option { option: "memory", .. }), "{refused}");
    let needed = LEAST_MEMORY + usual().bytes();
    assert!(refused.to_string().contains(&needed.to_string()), "{refused}");
    let options = Streaming { memory: needed, ..options };
    render(&folder.path("in.ply"), &usual(), &options, &mut drop).expect("a picture");
    let style = Style { width: 0, ..usual().style };
    let refused = render(&folder.path("in.ply"), &Shot { style, ..usual() }, &options, &mut drop);
    assert!(matches!(refused, Err(TilesError::Render(_))), "{refused:?}");
}
