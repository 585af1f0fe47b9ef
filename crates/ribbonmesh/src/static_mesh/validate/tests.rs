//! Whatever word of the structure changes, validation notices.
use crate::{Buffer, Device, MeshOptions, StaticMesh};
use bytemuck::Pod;
use ribbonmesh_device::PatchRow;
use std::sync::Arc;

fn mesh(faces: &[[u32; 3]]) -> StaticMesh {
    let vertices = faces.iter().flatten().max().map_or(0, |&v| v as usize + 1) + 1;
    let options = MeshOptions { patch_size: 16, ..MeshOptions::default() };
    let mesh = StaticMesh::new(&Device::cpu(), vertices, faces, &options).expect("a mesh");
    mesh.validate().expect("valid");
    mesh
}
fn grid() -> StaticMesh {
    mesh(&ribbonmesh_mesh::shapes::grid(6, 1).expect("small").faces)
}
/// Pages of a book, and a degenerate face.
fn book() -> StaticMesh {
    let mut faces: Vec<[u32; 3]> = (0..20).map(|i| [0, 1, i + 2]).collect();
    faces.push([5, 5, 6]);
    mesh(&faces)
}

/// Changes each word of an array in turn, except for the words that `unused` names.
fn each_word<T: Pod>(
    mesh: &mut StaticMesh,
    name: &str,
    buffer: impl Fn(&mut StaticMesh) -> &mut Buffer<T>,
    change: impl Fn(T) -> T,
    unused: impl Fn(usize) -> bool,
) {
    let words = buffer(mesh).read().expect("a read");
    for (i, &word) in words.iter().enumerate().filter(|(i, _)| !unused(*i)) {
        buffer(mesh).write_range(i, &[change(word)]).expect("a write");
        assert!(mesh.validate().is_err(), "{name}[{i}]");
        buffer(mesh).write_range(i, &[word]).expect("a write");
    }
    mesh.validate().expect("valid again");
}

/// Entries of EV and FE that no patch has: they are there for alignment.
fn padding(mesh: &StaticMesh) -> (Vec<bool>, Vec<bool>) {
    let (mut ev, mut fe) = (vec![true; mesh.ev.len()], vec![true; mesh.fe.len()]);
    let rows = mesh.rows.read().expect("a read");
    for row in rows.chunks(PatchRow::WORDS as usize).filter_map(PatchRow::of_words) {
        ev[row.ev as usize..][..row.counts.e_all as usize].fill(false);
        fe[row.fe as usize..][..3 * row.counts.f_all as usize].fill(false);
    }
    (ev, fe)
}

#[test]
fn every_word_matters() {
    for mut mesh in [grid(), book()] {
        let m = &mut mesh;
        let (no_ev, no_fe) = padding(m);
        let general = !m.edge_manifold();
        for flip in [1, 1 << 16, 1 << 31] {
            // patches of isolated vertices alone have no topology that could be anywhere
            let empty = m.patches() - 1;
            each_word(
                m,
                "rows",
                |m| &mut m.rows,
                |w| w ^ flip,
                |i| i / 20 == empty && (3..8).contains(&(i % 20)),
            );
            each_word(m, "ev", |m| &mut m.ev, |w| w ^ flip, |i| no_ev[i]);
            each_word(m, "ribbon_v", |m| &mut m.ribbon_v, |w| w ^ flip, |_| false);
            each_word(m, "ribbon_e", |m| &mut m.ribbon_e, |w| w ^ flip, |_| false);
            each_word(m, "ribbon_f", |m| &mut m.ribbon_f, |w| w ^ flip, |_| false);
            each_word(
                m,
                "vertex_inputs",
                |m| Arc::get_mut(&mut m.vertex_inputs).expect("alone"),
                |w| w ^ flip,
                |_| false,
            );
            each_word(
                m,
                "face_inputs",
                |m| Arc::get_mut(&mut m.face_inputs).expect("alone"),
                |w| w ^ flip,
                |_| false,
            );
            if general {
                each_word(m, "general_rows", |m| &mut m.general_rows, |w| w ^ flip, |_| false);
            }
        }
        for flip in [1, 2, 4, 1 << 15] {
            each_word(m, "fe", |m| &mut m.fe, |w| w ^ flip, |i| no_fe[i]);
        }
        m.flags ^= 1;
        assert!(m.validate().is_err());
        m.flags ^= 3;
        assert!(m.validate().is_err());
    }
}
