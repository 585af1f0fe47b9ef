//! Validation on the device: masks, counts, tables, chains, copies and stars agree.
pub mod stars;

use crate::copy::{Topology, TopologyLayout};
use crate::fault::{Fault, record};
use crate::row::StoreRow;
use crate::view::{MOST_NEIGHBOURS, ReadStore, StoreView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, NONE, Out, Parameter, Shared, hi, kernel, lo};

/// Findings of validation.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Findings<'a> {
    /// The least record of a fault.
    pub fault: Out<'a, u64>,
    /// Owned vertices, edges, faces, and the most steps of a chain.
    pub totals: Out<'a, u32>,
    /// Owned edges of each vertex, by place.
    pub vertex_edges: Out<'a, u32>,
    /// Owned faces of each vertex, by place.
    pub vertex_faces: Out<'a, u32>,
    /// Owned faces of each edge, by place.
    pub edge_faces: Out<'a, u32>,
}

/// A patch that is validated: faults are noted for the host and for the block.
#[derive(Clone, Copy)]
struct Check<'b, 'a> {
    patch: u32,
    broken: Shared<'b, u32>,
    findings: Findings<'a>,
}
impl Check<'_, '_> {
    #[inline(always)]
    fn fail(&self, fault: Fault, kind: usize, local: u32) {
        self.broken.fetch_or(0, 1);
        atomic::fetch_min(self.findings.fault, 0, record(self.patch, fault, kind, local), Relaxed, Device);
    }
    #[inline(always)]
    fn expect(&self, holds: bool, fault: Fault, kind: usize, local: u32) {
        if !holds {
            self.fail(fault, kind, local);
        }
    }
    /// Whether nothing has failed so far. Collective.
    #[inline(always)]
    fn holds(&self, block: &Block) -> bool {
        block.sync();
        let holds = self.broken.get(0) == 0;
        block.sync();
        holds
    }
}

/// Shared memory of [`validate_patches`].
#[derive(Clone, Copy)]
struct Memory<'b> {
    broken: Shared<'b, u32>,
    topology: TopologyLayout<'b>,
    owners: [Shared<'b, u32>; 3],
    sorted: Shared<'b, u32>,
}
fn memory(arena: &Arena, capacity: [u32; 3]) -> Memory<'_> {
    let [v, e, f] = capacity;
    let most = [v, e, f].into_iter().fold(MOST_NEIGHBOURS, |most, n| if n > most { n } else { most });
    Memory {
        broken: arena.take(1),
        topology: Topology::layout(arena, capacity),
        owners: [arena.take(v), arena.take(e), arena.take(f)],
        sorted: arena.take(most.next_power_of_two()),
    }
}

/// Checks each patch, its tables, and its ribbon against the owners, as far as this can be read without
/// harm; counts what is owned around each element. One block per patch.
#[kernel(threads = 256, shared = memory(arena, store.limits()))]
pub fn validate_patches<'a>(block: &Block, store: StoreView<'a>, findings: Findings<'a>) {
    let row = store.row(block.index());
    let memory = memory(block.arena(), row.capacity);
    block.for_each(1, |_| memory.broken.set(0, 0));
    let check = Check { patch: block.index(), broken: memory.broken, findings };
    counts(block, check, &row);
    if !check.holds(block) {
        return;
    }
    let t = Topology::load(block, store, row, memory.topology);
    stash(block, check, store, &row, memory.sorted);
    masks(block, check, t);
    if !check.holds(block) {
        return;
    }
    elements(block, check, t);
    tables(block, check, store, t, memory);
    if !check.holds(block) {
        return;
    }
    chains(block, check, store, t, memory);
    if !check.holds(block) {
        return;
    }
    copies(block, check, store, t, memory.owners);
    count_owned(block, findings, t, memory.owners);
}

#[inline(always)]
fn counts(block: &Block, check: Check<'_, '_>, row: &StoreRow) {
    block.single_nosync(|| {
        for kind in [0, 1, 2] {
            check.expect(row.count[kind] <= row.capacity[kind], Fault::Count, kind, row.count[kind]);
        }
        let most = if row.stash_room < MOST_NEIGHBOURS { row.stash_room } else { MOST_NEIGHBOURS };
        check.expect(row.neighbours <= most, Fault::Count, 0, row.neighbours);
    });
}

#[inline(always)]
fn stash(block: &Block, check: Check<'_, '_>, store: StoreView<'_>, row: &StoreRow, sorted: Shared<'_, u32>) {
    let n = row.neighbours;
    block.for_each(n, |i| {
        let q = store.stash(row.stash + i);
        check.expect(q < store.patches && q != check.patch, Fault::Stash, 0, i);
        sorted.set(i, q);
    });
    block.for_each_nosync(n, |i| {
        let mut j = 0;
        while j < i {
            check.expect(sorted.get(j) != sorted.get(i), Fault::Stash, 0, i);
            j += 1;
        }
    });
}

#[inline(always)]
fn masks(block: &Block, check: Check<'_, '_>, t: Topology<'_>) {
    for kind in [0, 1, 2] {
        let row = t.row();
        block.for_each_nosync(32 * row.mask_words(kind), |l| {
            let (has, owns) = (t.has(kind, l), t.owns(kind, l));
            check.expect((has || !owns) && (!has || l < row.count[kind]), Fault::Mask, kind, l);
        });
    }
}

#[inline(always)]
fn elements(block: &Block, check: Check<'_, '_>, t: Topology<'_>) {
    let [vertices, edges, faces] = t.row().count;
    block.for_each_nosync(edges, |e| {
        let [a, b] = t.ends(e);
        let holds = |v| v < vertices && t.has(0, v);
        check.expect(!t.has(1, e) || holds(a) && holds(b), Fault::Edge, 1, e);
    });
    block.for_each_nosync(faces, |f| {
        if !t.has(2, f) {
            return;
        }
        let is_edge = |i| t.edge(f, i) < edges && t.has(1, t.edge(f, i));
        if !(is_edge(0) && is_edge(1) && is_edge(2)) {
            return check.fail(Fault::Face, 2, f);
        }
        let follows = |i: u32, j: u32| {
            let (edge, flipped) = t.side(f, i);
            t.ends(edge)[!flipped as usize] == t.corner(f, j)
        };
        check.expect(follows(0, 1) && follows(1, 2) && follows(2, 0), Fault::Face, 2, f);
    });
}

/// Entries name elements of the ribbon, each once, and every one has an entry.
#[inline(always)]
fn tables(block: &Block, check: Check<'_, '_>, store: StoreView<'_>, t: Topology<'_>, memory: Memory<'_>) {
    let row = t.row();
    for kind in [0, 1, 2] {
        let (seen, table) = (memory.owners[kind], store.table_of(row, kind));
        block.for_each(row.count[kind], |l| seen.set(l, 0));
        block.for_each(row.table_words[kind], |i| {
            let Some(entry) = table.entry(i) else { return };
            let key = entry.key();
            if key >= row.count[kind] || t.owns(kind, key) || entry.slot() >= row.neighbours {
                return check.fail(Fault::Entry, kind, key);
            }
            check.expect(seen.fetch_add(key, 1) == 0, Fault::Entry, kind, key);
        });
        block.for_each_nosync(row.count[kind], |l| {
            let needs = t.has(kind, l) && !t.owns(kind, l);
            check.expect(!needs || seen.get(l) > 0, Fault::Missing, kind, l);
        });
    }
}

/// Owners of all elements, of which no two are the same. Chains read other patches, which may be broken:
/// [`ReadStore::owner`] compares what it reads.
#[inline(always)]
fn chains(block: &Block, check: Check<'_, '_>, store: StoreView<'_>, t: Topology<'_>, memory: Memory<'_>) {
    let (row, sorted) = (t.row(), memory.sorted);
    for kind in [0, 1, 2] {
        let (n, owners) = (row.count[kind], memory.owners[kind]);
        let room = n.next_power_of_two();
        block.for_each_nosync(room, |l| sorted.set(l, NONE));
        block.for_each(n, |l| {
            owners.set(l, NONE);
            if !t.has(kind, l) {
                return;
            }
            match store.owner(check.patch, kind, l) {
                Some(owner) => {
                    owners.set(l, owner.slot);
                    sorted.set(l, owner.slot);
                    if owner.steps > 1 {
                        atomic::fetch_max(check.findings.totals, 3, owner.steps, Relaxed, Device);
                    }
                }
                None => check.fail(Fault::Chain, kind, l),
            }
        });
        block.sort(sorted, n);
        block.for_each(n, |i| {
            let again = i > 0 && sorted.get(i) != NONE && sorted.get(i) == sorted.get(i - 1);
            check.expect(!again, Fault::Twice, kind, i);
        });
    }
}

/// Elements of the ribbon are as their owners have them.
#[inline(always)]
fn copies(
    block: &Block,
    check: Check<'_, '_>,
    store: StoreView<'_>,
    t: Topology<'_>,
    owners: [Shared<'_, u32>; 3],
) {
    let slot = |patch: u32, kind: usize, local: u32| store.owner(patch, kind, local).map(|o| o.slot);
    let count = t.row().count;
    block.for_each_nosync(count[1], |e| {
        if !t.has(1, e) || t.owns(1, e) {
            return;
        }
        let Some(owner) = store.owner(check.patch, 1, e) else { return };
        let there = store.ev(store.row(owner.patch).first[1] + owner.local);
        let [a, b] = t.ends(e).map(|v| Some(owners[0].get(v)));
        let same = slot(owner.patch, 0, lo(there)) == a && slot(owner.patch, 0, hi(there)) == b;
        check.expect(same, Fault::Disagreement, 1, e);
    });
    block.for_each_nosync(count[2], |f| {
        if !t.has(2, f) || t.owns(2, f) {
            return;
        }
        let Some(owner) = store.owner(check.patch, 2, f) else { return };
        let first = 3 * (store.row(owner.patch).first[2] + owner.local);
        let same = |i: u32| {
            let (there, (edge, flipped)) = (store.fe(first + i), t.side(f, i));
            there & 1 == flipped as u32 && slot(owner.patch, 1, there >> 1) == Some(owners[1].get(edge))
        };
        check.expect(same(0) && same(1) && same(2), Fault::Disagreement, 2, f);
    });
}

/// Adds up what the patch owns around each element.
#[inline(always)]
fn count_owned(block: &Block, findings: Findings<'_>, t: Topology<'_>, owners: [Shared<'_, u32>; 3]) {
    let add = |to: Out<'_, u32>, at: u32| {
        atomic::fetch_add(to, at, 1, Relaxed, Device);
    };
    for kind in [0, 1, 2] {
        let owned = block.count_where(t.row().count[kind], |l| t.owns(kind, l));
        block.single_nosync(|| {
            atomic::fetch_add(findings.totals, kind as u32, owned, Relaxed, Device);
        });
    }
    t.for_each_owned_nosync(block, 1, |e| {
        let [a, b] = t.ends(e);
        add(findings.vertex_edges, owners[0].get(a));
        if a != b {
            add(findings.vertex_edges, owners[0].get(b));
        }
    });
    t.for_each_owned_nosync(block, 2, |f| {
        each_once([0, 1, 2].map(|i| t.corner(f, i)), |v| add(findings.vertex_faces, owners[0].get(v)));
        each_once([0, 1, 2].map(|i| t.edge(f, i)), |e| add(findings.edge_faces, owners[1].get(e)));
    });
}

/// Visits three numbers, each once.
#[inline(always)]
fn each_once([a, b, c]: [u32; 3], f: impl Fn(u32)) {
    f(a);
    if b != a {
        f(b);
    }
    if c != a && c != b {
        f(c);
    }
}
