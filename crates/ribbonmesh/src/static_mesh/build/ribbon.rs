//! Ribbons, local topology and the rows of patches.
use super::BuildReport;
use super::edges::Sides;
use super::numbering::Ids;
use super::scan::offsets_of_parts;
use crate::kernels::construct::edges::counter;
use crate::kernels::construct::refresh::{MOST_CORNERS, MOST_EDGES, MOST_LOCAL};
use crate::kernels::construct::ribbon::{
    Bounds, CollectRibbons, CountRibbons, FlatArguments, Localize, MoveArguments, MoveParts, MovePartsU16,
    PartsArguments, word,
};
use crate::static_mesh::{MeshOptions, StaticMesh};
use crate::{Buffer, Device, Error, Result};
use ribbonmesh_device::{Counts, MeshView, PatchRow, tiles};

pub(super) fn finish(
    device: &Device,
    vertices: u32,
    sides: &Sides,
    ids: Ids,
    options: &MeshOptions,
) -> Result<StaticMesh> {
    let faces = sides.faces;
    let patches = ids.first_f.len() - 1;
    let flags = flags(&sides.counters);
    let flat = FlatArguments {
        fv: ids.fv.view(),
        fe: ids.fe.view(),
        ev: ids.ev.view(),
        ring: ids.ring.view(),
        patch_of: ids.patch_of.view(),
        owner_v: ids.owner_v.view(),
        owner_e: ids.owner_e.view(),
        faces,
    };

    // which faces each patch needs
    let mut counts = device.zeros::<u32>(4 * patches)?;
    device.launch(tiles(3 * faces), CountRibbons { mesh: flat, counts: counts.view_mut() })?;
    let counts = counts.read()?;
    let near = offsets_of_parts("faces of ribbons", counts.chunks(4).flat_map(|c| [c[0], c[1]]))?;
    let bounds: Vec<Bounds> = counts.chunks(4).map(bounds).collect();
    let at_e = offsets_of_parts("edges of ribbons", bounds.iter().map(|b| b.e))?;
    let at_v = offsets_of_parts("vertices of ribbons", bounds.iter().map(|b| b.v))?;
    let most = bounds.iter().fold(Bounds::default(), |m, b| Bounds {
        f: m.f.max(b.f),
        e: m.e.max(b.e),
        v: m.v.max(b.v),
    });
    let total_near = near[2 * patches];
    // while patches are made, EV has a word for each edge of a patch, and FE three for each face
    offsets_of_parts("edges of patches", [ids.edges, at_e[patches]])?;
    offsets_of_parts("sides of faces of patches", [faces, faces, faces, total_near, total_near, total_near])?;
    let near_on_device = device.upload(&near)?;
    let mut cursors = near_on_device.try_clone()?;
    let mut list = device.zeros::<u32>(total_near as usize)?;
    let collect = CollectRibbons { mesh: flat, cursors: cursors.view_mut(), list: list.view_mut() };
    device.launch(tiles(3 * faces), collect)?;

    // local topology, into scratch space
    let (first_f, at_e_dev, at_v_dev) =
        (device.upload(&ids.first_f)?, device.upload(&at_e)?, device.upload(&at_v)?);
    let mut ribbon_f = device.zeros::<u32>(total_near as usize)?;
    let mut ribbon_e = device.zeros::<u32>(at_e[patches] as usize)?;
    let mut ribbon_v = device.zeros::<u32>(at_v[patches] as usize)?;
    let mut ev = device.zeros::<u32>((ids.edges + at_e[patches]) as usize)?;
    let mut fe = device.zeros::<u16>(3 * (faces + total_near) as usize)?;
    let mut words = device.zeros::<u32>(word::COUNT as usize * patches)?;
    let general = flags & MeshView::EDGE_MANIFOLD == 0;
    let localize = Localize {
        mesh: flat,
        parts: PartsArguments {
            first_v: ids.first_v.view(),
            first_e: ids.first_e.view(),
            first_f: first_f.view(),
            near: near_on_device.view(),
            list: list.view(),
            at_e: at_e_dev.view(),
            at_v: at_v_dev.view(),
            most,
            general: general as u32,
        },
        ribbon_f: ribbon_f.view_mut(),
        ribbon_e: ribbon_e.view_mut(),
        ribbon_v: ribbon_v.view_mut(),
        ev: ev.view_mut(),
        fe: fe.view_mut(),
        words: words.view_mut(),
    };
    device.launch(patches as u32, localize)?;

    // numbers of each patch
    let words = words.read()?;
    let (first_v, first_e) = (ids.first_v.read()?, ids.first_e.read()?);
    let span = |first: &[u32], p: usize| first[p + 1] - first[p];
    let counts: Vec<Counts> = (0..patches)
        .map(|p| {
            let w = &words[word::COUNT as usize * p..][..word::COUNT as usize];
            patch_counts(w, [span(&first_v, p), span(&first_e, p), span(&ids.first_f, p)])
        })
        .collect();
    for (p, c) in counts.iter().enumerate() {
        for (what, count, limit) in [
            ("edges", c.e_all, MOST_EDGES),
            ("faces", c.f_all, MOST_CORNERS / 3),
            ("vertices", c.v_all, MOST_LOCAL),
        ] {
            if count > limit {
                let face = ids.face_inputs.read_range(ids.first_f[p] as usize, 1)?[0] as usize;
                // the vertex is found where the order of the input is known
                let (vertex, faces) = (0, 0);
                return Err(Error::PatchTooLarge { vertex, faces, face, what, count, limit });
            }
        }
    }

    // final places
    let aligned = |n: u32, to: u32| n.next_multiple_of(to);
    let to_f = offsets_of_parts("faces of ribbons", counts.iter().map(|c| c.f_all - c.f_owned))?;
    let to_e = offsets_of_parts("edges of ribbons", counts.iter().map(|c| c.e_all - c.e_owned))?;
    let to_v = offsets_of_parts("vertices of ribbons", counts.iter().map(|c| c.v_all - c.v_owned))?;
    let to_ev = offsets_of_parts("edges of patches", counts.iter().map(|c| aligned(c.e_all, 4)))?;
    let to_fe =
        offsets_of_parts("sides of faces of patches", counts.iter().map(|c| aligned(3 * c.f_all, 8)))?;
    let from_f = (0..patches).map(|p| near[2 * p]);
    let mover = Mover { device, patches: patches as u32 };
    let n_of = |to: &[u32]| (0..patches).map(|p| to[p + 1] - to[p]).collect::<Vec<_>>();
    let ribbon_f = mover.words(&ribbon_f, from_f.collect(), &to_f, n_of(&to_f))?;
    let ribbon_e = mover.words(&ribbon_e, at_e[..patches].to_vec(), &to_e, n_of(&to_e))?;
    let ribbon_v = mover.words(&ribbon_v, at_v[..patches].to_vec(), &to_v, n_of(&to_v))?;
    let from_ev = (0..patches).map(|p| first_e[p] + at_e[p]).collect();
    let ev = mover.words(&ev, from_ev, &to_ev, counts.iter().map(|c| c.e_all).collect())?;
    let from_fe = (0..patches).map(|p| 3 * (ids.first_f[p] + near[2 * p])).collect();
    let fe = mover.halves(&fe, from_fe, &to_fe, counts.iter().map(|c| 3 * c.f_all).collect())?;

    // rows; then patches of isolated vertices
    let mut rows: Vec<[[u32; 4]; 5]> = Vec::new();
    let mut general_rows = Vec::new();
    let (mut bases, mut total, mut max) = (Bases::default(), Counts::default(), Counts::default());
    let mut push = |c: &Counts, firsts: [u32; 3], p: usize| {
        let row = PatchRow {
            first: firsts,
            ev: to_ev[p],
            fe: to_fe[p],
            ribbon: [to_v[p], to_e[p], to_f[p]],
            counts: *c,
            bases: [bases.vv, bases.ve, bases.vf],
        };
        rows.push(row.encode());
        general_rows.extend([bases.ef, bases.ff, bases.ee]);
        bases.add(c);
        total = sum(total, *c);
        max = max.max(*c);
    };
    for (p, c) in counts.iter().enumerate() {
        push(c, [first_v[p], first_e[p], ids.first_f[p]], p);
    }
    let per_patch = options.patch_size.div_ceil(2);
    let mut first = ids.used;
    while first < vertices {
        let n = per_patch.min(vertices - first);
        let c = Counts { v_owned: n, v_near: n, v_all: n, ..Counts::default() };
        push(&c, [first, ids.edges, faces], patches);
        first += n;
    }
    general_rows.extend([bases.ef, bases.ff, bases.ee]);
    let general_rows = if general { device.upload(&general_rows)? } else { device.zeros(0)? };

    Ok(StaticMesh {
        device: device.clone(),
        patches: rows.len() as u32,
        rows: device.upload(bytemuck::cast_slice(&rows))?,
        general_rows,
        ev,
        fe,
        ribbon_v,
        ribbon_e,
        ribbon_f,
        vertex_inputs: ids.vertex_inputs.into(),
        face_inputs: ids.face_inputs.into(),
        vertices,
        edges: ids.edges,
        faces,
        flags,
        max,
        total,
        report: BuildReport::default(),
        options: options.clone(),
    })
}

fn flags(counters: &[u32]) -> u32 {
    let degenerate = counters[counter::LOOPS as usize] > 0;
    let manifold = counters[counter::NONMANIFOLD as usize] == 0 && !degenerate;
    let flag = |on: bool, flag: u32| if on { flag } else { 0 };
    flag(manifold, MeshView::EDGE_MANIFOLD) | flag(degenerate, MeshView::DEGENERATE_FACES)
}

/// From faces with an owned vertex, faces across, corners with a foreign edge, corners with a foreign vertex.
/// A face of the first group brings at most two vertices.
fn bounds(c: &[u32]) -> Bounds {
    let f = c[0] + c[1];
    Bounds { f, e: c[2] + 3 * f, v: c[3] + 2 * c[0] + 3 * c[1] }
}

fn patch_counts(w: &[u32], [v_owned, e_owned, f_owned]: [u32; 3]) -> Counts {
    let at = |k: u32| w[k as usize];
    let e_of_f = e_owned + at(word::E_OF_F);
    let e_of_v = e_of_f + at(word::E_OF_V);
    let e_near = e_of_v + at(word::E_NEAR);
    let v_near = v_owned + at(word::V_NEAR);
    let f_of_v = f_owned + at(word::F_OF_V);
    Counts {
        v_owned,
        v_near,
        v_all: v_near + at(word::V_REST),
        e_owned,
        e_of_f,
        e_of_v,
        e_near,
        e_all: e_near + at(word::E_REST),
        f_owned,
        f_of_v,
        f_all: f_of_v + at(word::F_ACROSS),
        vv: at(word::VV),
        ve: at(word::VV + 1),
        vf: at(word::VV + 2),
        ef: at(word::VV + 3),
        ff: at(word::VV + 4),
        ee: at(word::VV + 5),
    }
}

fn sum(a: Counts, b: Counts) -> Counts {
    let (a, b): ([u32; 17], [u32; 17]) = (bytemuck::cast(a), bytemuck::cast(b));
    bytemuck::cast::<[u32; 17], Counts>(std::array::from_fn(|k| a[k].saturating_add(b[k])))
}

/// The first indices of the parts of variable-length results, as far as 32 bits name them: queries with more
/// entries are refused.
#[derive(Default)]
struct Bases {
    vv: u32,
    ve: u32,
    vf: u32,
    ef: u32,
    ff: u32,
    ee: u32,
}
impl Bases {
    fn add(&mut self, c: &Counts) {
        self.vv = self.vv.saturating_add(c.vv);
        self.ve = self.ve.saturating_add(c.ve);
        self.vf = self.vf.saturating_add(c.vf);
        self.ef = self.ef.saturating_add(c.ef);
        self.ff = self.ff.saturating_add(c.ff);
        self.ee = self.ee.saturating_add(c.ee);
    }
}

/// Moves the patches' parts from scratch arrays to final ones.
struct Mover<'a> {
    device: &'a Device,
    patches: u32,
}
impl Mover<'_> {
    fn words(&self, from: &Buffer<u32>, at: Vec<u32>, to: &[u32], n: Vec<u32>) -> Result<Buffer<u32>> {
        let d = self.device;
        let mut result = d.zeros::<u32>(to[self.patches as usize] as usize)?;
        let (at, to, n) = (d.upload(&at)?, d.upload(to)?, d.upload(&n)?);
        let parts = MoveArguments { from: at.view(), to: to.view(), n: n.view() };
        d.launch(self.patches, MoveParts { parts, from: from.view(), to: result.view_mut() })?;
        Ok(result)
    }
    fn halves(&self, from: &Buffer<u16>, at: Vec<u32>, to: &[u32], n: Vec<u32>) -> Result<Buffer<u16>> {
        let d = self.device;
        let mut result = d.zeros::<u16>(to[self.patches as usize] as usize)?;
        let (at, to, n) = (d.upload(&at)?, d.upload(to)?, d.upload(&n)?);
        let parts = MoveArguments { from: at.view(), to: to.view(), n: n.view() };
        d.launch(self.patches, MovePartsU16 { parts, from: from.view(), to: result.view_mut() })?;
        Ok(result)
    }
}
