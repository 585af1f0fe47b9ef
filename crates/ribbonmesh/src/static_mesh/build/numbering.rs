//! Ids of faces, vertices and edges.
use super::edges::Sides;
use super::patching::Cut;
use super::scan::{filled, offsets};
use crate::kernels::construct::numbering::{
    FirstTouch, MarkFirst, MarkIsolated, NumberVertices, OrderFaces, OwnElements, PatchFirsts,
    RenumberCorners, ScatterFaces,
};
use crate::{Buffer, Device, Result, array};
use ribbonmesh_device::{NONE, tiles};

/// The mesh in ids, flat.
pub(in crate::static_mesh) struct Ids {
    pub fv: Buffer<u32>,
    pub fe: Buffer<u64>,
    pub ev: Buffer<u64>,
    pub ring: Buffer<u32>,
    pub patch_of: Buffer<u32>,
    pub owner_v: Buffer<u32>,
    pub owner_e: Buffer<u32>,
    pub vertex_inputs: Buffer<u32>,
    pub face_inputs: Buffer<u32>,
    /// First face id of each patch, and the end; for vertices and edges too.
    pub first_f: Vec<u32>,
    pub first_v: Buffer<u32>,
    pub first_e: Buffer<u32>,
    /// Vertices that have a face.
    pub used: u32,
    pub edges: u32,
}

/// `rank`: the final number of each patch, `NONE` for patches without faces.
pub(in crate::static_mesh) fn number(
    device: &Device,
    vertices: u32,
    fv: &Buffer<u32>,
    sides: &Sides,
    cut: Cut,
    rank: &[u32],
) -> Result<Ids> {
    let (faces, corners) = (sides.faces, 3 * sides.faces);
    let patches = rank.iter().filter(|&&rank| rank != NONE).count() as u32;
    let mut sizes = vec![0; patches as usize];
    for (&rank, &size) in rank.iter().zip(&cut.sizes).filter(|r| *r.0 != NONE) {
        sizes[rank as usize] = size;
    }
    let first_f = offsets(sizes.iter().copied());
    let most = sizes.iter().copied().max().unwrap_or(0);

    // faces
    let first = device.upload(&first_f)?;
    let mut cursors = first.try_clone()?;
    let rank = device.upload(rank)?;
    let mut keys = device.zeros::<u64>(faces as usize)?;
    let scatter = ScatterFaces {
        words: cut.words.view(),
        patch: cut.patch.view(),
        rank: rank.view(),
        cursors: cursors.view_mut(),
        keys: keys.view_mut(),
    };
    device.launch_each(faces, scatter)?;
    let mut face_inputs = device.zeros::<u32>(faces as usize)?;
    let mut face_ids = device.zeros::<u32>(faces as usize)?;
    let mut patch_of = device.zeros::<u32>(faces as usize)?;
    let order = OrderFaces {
        most,
        first: first.view(),
        keys: keys.view(),
        inputs: face_inputs.view_mut(),
        ids: face_ids.view_mut(),
        patch_of: patch_of.view_mut(),
    };
    device.launch(patches, order)?;
    drop((keys, cut, cursors, rank));

    // vertices and edges, by first touch
    let mut touch_v = filled(device, vertices as usize, NONE)?;
    let mut touch_e = filled(device, corners as usize, NONE)?;
    let touch = FirstTouch {
        fv: fv.view(),
        leader: sides.leader.view(),
        inputs: face_inputs.view(),
        first_v: touch_v.view_mut(),
        first_e: touch_e.view_mut(),
    };
    device.launch_each(corners, touch)?;
    let mut number_v = device.zeros::<u32>(corners as usize)?;
    let mut number_e = device.zeros::<u32>(corners as usize)?;
    let mark = MarkFirst {
        fv: fv.view(),
        leader: sides.leader.view(),
        inputs: face_inputs.view(),
        first_v: touch_v.view(),
        first_e: touch_e.view(),
        mark_v: number_v.view_mut(),
        mark_e: number_e.view_mut(),
    };
    device.launch_each(corners, mark)?;
    let used = array::scan_counts(&mut number_v)?;
    let edges = array::scan_counts(&mut number_e)?;
    let mut isolated = device.zeros::<u32>(vertices as usize)?;
    let mark = MarkIsolated { first_v: touch_v.view(), marks: isolated.view_mut() };
    device.launch_each(vertices, mark)?;
    array::scan_counts(&mut isolated)?;
    let mut vertex_ids = device.zeros::<u32>(vertices as usize)?;
    let mut vertex_inputs = device.zeros::<u32>(vertices as usize)?;
    let number = NumberVertices {
        used,
        first_v: touch_v.view(),
        number_v: number_v.view(),
        isolated: isolated.view(),
        ids: vertex_ids.view_mut(),
        inputs: vertex_inputs.view_mut(),
    };
    device.launch_each(vertices, number)?;
    drop((isolated, touch_v));

    // topology in ids
    let mut new_fv = device.zeros::<u32>(corners as usize)?;
    let mut fe = device.zeros::<u64>(corners as usize)?;
    let mut ring = device.zeros::<u32>(corners as usize)?;
    let renumber = RenumberCorners {
        corners,
        fv: fv.view(),
        leader: sides.leader.view(),
        ring: sides.ring.view(),
        face_inputs: face_inputs.view(),
        face_ids: face_ids.view(),
        vertex_ids: vertex_ids.view(),
        first_e: touch_e.view(),
        number_e: number_e.view(),
        new_fv: new_fv.view_mut(),
        new_fe: fe.view_mut(),
        new_ring: ring.view_mut(),
    };
    device.launch(tiles(corners), renumber)?;
    let mut ev = device.zeros::<u64>(edges as usize)?;
    let mut owner_v = device.zeros::<u32>(used as usize)?;
    let mut owner_e = device.zeros::<u32>(edges as usize)?;
    let own = OwnElements {
        corners,
        used,
        edges,
        fv: new_fv.view(),
        patch_of: patch_of.view(),
        number_v: number_v.view(),
        number_e: number_e.view(),
        ev: ev.view_mut(),
        owner_v: owner_v.view_mut(),
        owner_e: owner_e.view_mut(),
    };
    device.launch(tiles(corners), own)?;
    let mut first_v = device.zeros::<u32>(patches as usize + 1)?;
    let mut first_e = device.zeros::<u32>(patches as usize + 1)?;
    let firsts = PatchFirsts {
        patches,
        used,
        edges,
        first_f: first.view(),
        number_v: number_v.view(),
        number_e: number_e.view(),
        first_v: first_v.view_mut(),
        first_e: first_e.view_mut(),
    };
    device.launch(tiles(patches + 1), firsts)?;
    Ok(Ids {
        fv: new_fv,
        fe,
        ev,
        ring,
        patch_of,
        owner_v,
        owner_e,
        vertex_inputs,
        face_inputs,
        first_f,
        first_v,
        first_e,
        used,
        edges,
    })
}
