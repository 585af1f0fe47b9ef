//! The phases of a round.
use crate::cavity::{Cavity, HEAD, Lengths, OPEN};
use crate::control::{self, refusals};
use crate::operator::{Memory, Operator};
use crate::plan::{has_slots, plan};
use crate::view::{DynamicView, next};
use crate::walk::{KEPT, Walk};
use crate::write::write;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{Block, ElementKind, NONE, Out, Quad, Shared, TILE, tiles};

/// The places of seeds whose cavity was refused in this round: this minus the reason.
const REFUSED: u32 = NONE;

#[inline(always)]
fn add(memory: Out<'_, u32>, i: u32, n: u32) -> u32 {
    atomic::fetch_add(memory, i, n, Order::Relaxed, Scope::Device)
}

/// What is kept of a priority: 16 bits in the same order.
#[inline(always)]
fn rank(priority: f32) -> u32 {
    let bits = priority.to_bits();
    let ordered = if bits >> 31 != 0 { !bits } else { bits | 1 << 31 };
    ordered >> 16
}
/// The claim of a candidate: greatest first by round, then rank, then by chance. All different.
#[inline(always)]
fn word(stamp: u32, [seed, rank_and_faces]: [u32; 2]) -> u64 {
    let rank = rank_and_faces & 0xFFFF;
    let chance = seed.wrapping_mul(0x9E37_79B1) ^ stamp.wrapping_mul(0x85EB_CA6B);
    (stamp as u64) << 48 | (rank as u64) << 32 | chance as u64
}

/// Candidates that a block takes at a time: one per thread, so that short lists keep many blocks busy.
pub const CHUNK: u32 = 256;
/// The parts `(first, length)` of a list that fall to this block.
#[inline(always)]
fn for_each_chunk(block: &Block, n: u32, f: impl FnMut(u32, u32)) {
    for_each_of(block, n, CHUNK, f);
}
/// The same with tiles, where there are enough of them for all blocks.
#[inline(always)]
fn for_each_part(block: &Block, n: u32, f: impl FnMut(u32, u32)) {
    for_each_of(block, n, if n > CHUNK * block.count() { TILE } else { CHUNK }, f);
}
#[inline(always)]
fn for_each_of(block: &Block, n: u32, size: u32, mut f: impl FnMut(u32, u32)) {
    let mut base = block.index() * size;
    while base < n {
        f(base, if n - base < size { n - base } else { size });
        base += block.count() * size;
    }
}

/// Number of seeds, living or not.
#[inline(always)]
fn seeds<O: Operator>(m: DynamicView<'_>) -> u32 {
    m.control.get(match O::SEED {
        ElementKind::Vertex => 0,
        ElementKind::Edge => 1,
        ElementKind::Face => 2,
    })
}
#[inline(always)]
fn lives<O: Operator>(m: DynamicView<'_>, seed: u32) -> bool {
    match O::SEED {
        // the half-edge of a vertex, which was found before this pass, may have been changed in it
        ElementKind::Vertex => {
            let h = m.vh.get(seed);
            m.dead.get(seed) == 0 && h != NONE && m.fe.get(h | 3) != m.control.get(control::PASS)
        }
        ElementKind::Edge => m.sides(seed) != [NONE; 2],
        ElementKind::Face => m.fv.get(4 * seed) != NONE,
    }
}
/// Whether the run goes on. Only the end of a round changes that.
#[inline(always)]
pub fn running(m: DynamicView<'_>) -> bool {
    m.control.get(control::STATE) == control::RUNNING
}
/// Whether another round may follow without the host: the run goes on, this is not the end of a pass if that is the
/// limit, and claims of the round can be told apart.
#[inline(always)]
pub fn another(m: DynamicView<'_>, within_pass: bool) -> bool {
    // three loads beside each other
    let (state, round, stamp) =
        (m.control.get(control::STATE), m.control.get(control::ROUND), m.control.get(control::STAMP));
    state == control::RUNNING && !(within_pass && round == 0) && stamp < control::MOST_STAMPS
}
/// This round's candidates, and those of the last one.
#[inline(always)]
fn lists<'a>(m: DynamicView<'a>) -> (Out<'a, [u32; 2]>, Out<'a, [u32; 2]>) {
    if m.control.get(control::ROUND) & 1 == 0 { (m.even, m.odd) } else { (m.odd, m.even) }
}

/// Whether a pass looks only at edges near what the pass before has changed.
#[inline(always)]
fn by_looks<O: Operator>() -> bool {
    O::LOCAL && matches!(O::SEED, ElementKind::Edge)
}
/// One bit per edge: those to look at in this pass, and in the next one.
#[inline(always)]
fn looks<'a>(m: DynamicView<'a>) -> (Out<'a, u32>, Out<'a, u32>) {
    if m.control.get(control::PASS) & 1 == 0 { (m.look_even, m.look_odd) } else { (m.look_odd, m.look_even) }
}
#[inline(always)]
fn look_at(bits: Out<'_, u32>, edge: u32) {
    atomic::fetch_or(bits, edge / 32, 1 << (edge % 32), Order::Relaxed, Scope::Device);
}
/// The edges of a filling are looked at in the next pass.
#[inline(always)]
fn look_around<O: Operator>(m: DynamicView<'_>, c: &Cavity<'_>, made: [u32; 3], first: u32) {
    if !by_looks::<O>() {
        return;
    }
    let (_, next) = looks(m);
    let mut i = 0;
    while i < c.len() {
        look_at(next, c.dart(i) >> 1);
        i += 1;
    }
    let mut i = 0;
    while i < made[1] {
        look_at(next, if i < c.edges { c.deleted_edge(i) } else { first + (i - c.edges) });
        i += 1;
    }
}

/// Candidates claim the faces of their cavities. In the first round of a pass all seeds are asked, then the losers of
/// the round before, except for those with a face that this pass has made.
#[inline(always)]
pub fn claim<O: Operator>(block: &Block, m: DynamicView<'_>, operator: O) {
    let first = m.control.get(control::ROUND) == 0;
    let (stamp, pass) = (m.control.get(control::STAMP), m.control.get(control::PASS));
    let (list, last) = lists(m);
    if O::GROWS {
        block.for_each_of_tile(3 * tiles(seeds::<O>(m)), |i| m.needs.set(i, 0));
    }
    let asked = |seed: u32| {
        let rank = rank(operator.propose(m, seed)?);
        if let Some(reason) = operator.judge(m, seed) {
            add(m.control, control::JUDGED + reason, 1);
            return Some(None);
        }
        Some(Some([seed, rank]))
    };
    let claim = |[seed, rank]: [u32; 2]| {
        let (word, mut faces) = (word(stamp, [seed, rank]), 0);
        operator.faces(m, seed, |h| {
            faces += 1;
            atomic::fetch_max(m.claims, h >> 2, word, Order::Relaxed, Scope::Device);
        });
        [seed, rank & 0xFFFF | faces << 16]
    };
    if first {
        let (look, next) = looks(m);
        let all = !by_looks::<O>() || m.control.get(control::PASSES) == 0;
        for_each_part(block, seeds::<O>(m), |base, len| {
            block.for_each_nosync(len.div_ceil(32), |i| m.out.set(base / 32 + i, 0));
            block.append(len, list, m.control, control::CANDIDATES, |i| {
                let seed = base + i;
                if !all && look.get(seed / 32) >> (seed % 32) & 1 == 0 || !lives::<O>(m, seed) {
                    return None;
                }
                let answer = asked(seed)?;
                if by_looks::<O>() {
                    look_at(next, seed);
                }
                Some(claim(answer?))
            });
        });
    } else {
        for_each_chunk(block, m.control.get(control::LAST), |base, len| {
            block.append(len, list, m.control, control::CANDIDATES, |i| {
                let candidate = last.get(base + i);
                let seed = candidate[0];
                if m.out.get(seed / 32) >> (seed % 32) & 1 != 0 || !lives::<O>(m, seed) {
                    return None;
                }
                let (mut changed, mut faces) = (false, 0);
                operator.faces(m, seed, |h| {
                    faces += 1;
                    changed |= m.fe.get(h | 3) == pass;
                });
                // of a face that was deleted nothing is left but that there are less
                if changed || faces << 16 != candidate[1] & 0xFFFF_0000 {
                    return None;
                }
                // where nothing has changed, the answer would be the same
                Some(claim(if by_looks::<O>() { candidate } else { asked(seed)?? }))
            });
        });
    }
}

/// The lengths of the cavity of a candidate that has all its faces: none if it has not, no disc if it cannot be one.
#[inline(always)]
fn measure<O: Operator>(
    m: DynamicView<'_>,
    operator: O,
    seed: u32,
    word: u64,
    walk: Walk,
) -> Option<(u32, u32)> {
    let (mut all, mut faces) = (true, 0);
    operator.faces(m, seed, |h| {
        walk.put(faces, h);
        faces += 1;
        all &= m.claims.get(h >> 2) == word;
    });
    if !all {
        return None;
    }
    let (mut sides, mut bits, mut place) = (0, 0u64, 0);
    let mut look = |h: u32| {
        // loads beside each other, not after each other
        let [a, b, c] = darts_from(m, h).map(|dart| m.eh.get(dart ^ 1)).map(|t| !has(m, t, word) as u32);
        sides += a + b + c;
        bits |= ((a | b << 1 | c << 2) as u64) << place;
        place = (place + 3) & 63;
    };
    if faces > KEPT {
        operator.faces(m, seed, look);
    } else {
        let mut k = 0;
        while k < faces {
            look(walk.get(k));
            k += 1;
        }
        walk.put_loop(bits);
    }
    Some((faces, sides))
}
/// The darts of a face, from half-edge `h` on.
#[inline(always)]
fn darts_from(m: DynamicView<'_>, h: u32) -> [u32; 3] {
    let Quad([a, b, c, _]) = m.fe.wide::<Quad>().get(h >> 2);
    match h & 3 {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}
/// Whether the face of half-edge `h` has this claim.
#[inline(always)]
fn has(m: DynamicView<'_>, h: u32, word: u64) -> bool {
    let claim = m.claims.get(if h == NONE { 0 } else { h >> 2 });
    h != NONE && claim == word
}

/// Writes the lists of a cavity; tells why it is none.
#[inline(always)]
fn record<O: Operator>(
    m: DynamicView<'_>,
    operator: O,
    c: &Cavity<'_>,
    word: u64,
    walk: Walk,
) -> Result<(), u32> {
    let r = m.records;
    let ends = if O::SEED == ElementKind::Edge { m.ends(c.seed) } else { [NONE; 2] };
    c.put_ends(ends);
    // faces, inner edges, and where the loop begins
    let kept = c.faces <= KEPT;
    if !kept {
        let mut k = 0;
        operator.faces(m, c.seed, |h| {
            r.set(c.faces_at() + k, h);
            k += 1;
        });
    }
    let bits = if kept { walk.loop_bits() } else { 0 };
    let (mut edges, mut start, mut k) = (0, NONE, 0);
    while k < c.faces {
        let h = if kept { walk.get(k) } else { r.get(c.faces_at() + k) };
        r.set(c.faces_at() + k, h >> 2);
        let mut side = |g: u32, dart: u32, j: u32| {
            let of_loop = if kept { bits >> (3 * k + j) & 1 != 0 } else { !has(m, m.eh.get(dart ^ 1), word) };
            if of_loop {
                if start == NONE {
                    start = g;
                }
            } else if dart & 1 == 0 {
                // once, though two faces have it
                if edges < c.edges {
                    r.set(c.edges_at() + edges, dart >> 1);
                }
                edges += 1;
            }
        };
        let [a, b, d] = darts_from(m, h);
        side(h, a, 0);
        side(next(h), b, 1);
        side(next(next(h)), d, 2);
        k += 1;
    }
    if edges != c.edges {
        return Err(refusals::NOT_A_DISC);
    }
    // the loop
    let (mut h, mut i, mut seen) = (start, 0, Seen::default());
    loop {
        let dart = m.dart(h);
        let open = if m.eh.get(dart ^ 1) == NONE { OPEN } else { 0 };
        let v = m.from(h);
        seen.add(v);
        r.set(c.at + HEAD + 2 * i, v | open);
        r.set(c.at + HEAD + 2 * i + 1, dart);
        i += 1;
        h = next(h);
        loop {
            let t = m.twin(h);
            if !has(m, t, word) {
                break;
            }
            h = next(t);
        }
        if h == start {
            break;
        }
        if i == c.len() {
            return Err(refusals::NOT_ONE_LOOP);
        }
    }
    if i != c.len() || seen.maybe_twice && touches_itself(c) {
        return Err(refusals::NOT_ONE_LOOP);
    }
    // inner vertices: most often the ends of the seed
    let mut vertices = 0;
    let mut add = |v: u32| {
        if vertices < c.vertices && c.find(v) == NONE {
            let (mut known, mut j) = (false, 0);
            while j < vertices {
                known |= c.deleted_vertex(j) == v;
                j += 1;
            }
            if !known {
                r.set(c.vertices_at() + vertices, v);
                vertices += 1;
            }
        }
        vertices < c.vertices
    };
    if ends[0] != NONE && add(ends[0]) {
        add(ends[1]);
    }
    let mut k = 0;
    while k < c.faces && add(m.fv.get(4 * c.deleted_face(k))) {
        add(m.fv.get(4 * c.deleted_face(k) + 1));
        add(m.fv.get(4 * c.deleted_face(k) + 2));
        k += 1;
    }
    if vertices == c.vertices { Ok(()) } else { Err(refusals::NOT_A_DISC) }
}

/// A set of vertices, in two hashes of 6 bits: tells most loops that touch themselves from those that do not.
#[derive(Default)]
struct Seen {
    bits: [u64; 2],
    maybe_twice: bool,
}
impl Seen {
    #[inline(always)]
    fn add(&mut self, v: u32) {
        let hash = v.wrapping_mul(0x9E37_79B1);
        let [a, b] = [1 << (hash >> 26), 1 << (hash >> 20 & 63)];
        self.maybe_twice |= self.bits[0] & a != 0 && self.bits[1] & b != 0;
        self.bits[0] |= a;
        self.bits[1] |= b;
    }
}
/// Whether a vertex stands on the loop twice; quadratic.
#[inline(always)]
fn touches_itself(c: &Cavity<'_>) -> bool {
    let mut i = 0;
    while i < c.len() {
        let (v, mut j) = (c.vertex(i), 0);
        while j < i {
            if c.vertex(j) == v {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// Candidates that have their faces record their cavities, plan what fills them, and claim the edges to be.
#[inline(always)]
pub fn survey<O: Operator>(block: &Block, m: DynamicView<'_>, operator: O, memory: Memory) {
    let stamp = m.control.get(control::STAMP);
    let (list, _) = lists(m);
    let [at, face_counts, side_counts] = memory.counts;
    for_each_chunk(block, m.control.get(control::CANDIDATES), |base, len| {
        block.for_each(len, |i| {
            let candidate = list.get(base + i);
            let (mut words, mut place) = (0, 0);
            if let Some((faces, sides)) =
                measure(m, operator, candidate[0], word(stamp, candidate), memory.walks.of(i))
            {
                face_counts.set(i, faces);
                side_counts.set(i, sides);
                match Lengths::of_disc(faces, sides) {
                    Some(lengths) => words = lengths.words(),
                    None => place = REFUSED - refusals::NOT_A_DISC,
                }
            }
            at.set(i, words);
            m.place.set(candidate[0], place);
        });
        let total = block.exclusive_scan(at, len);
        if total == 0 {
            return;
        }
        let start = block.single(|| add(m.control, control::RECORDED, total));
        block.for_each(len, |i| {
            let end = if i + 1 < len { at.get(i + 1) } else { total };
            if at.get(i) == end || (start + end) as usize > m.records.len() {
                return;
            }
            let candidate = list.get(base + i);
            let (seed, word) = (candidate[0], word(stamp, candidate));
            let Some(lengths) = Lengths::of_disc(face_counts.get(i), side_counts.get(i)) else { return };
            let cavity = Cavity::new(m, start + at.get(i), seed, lengths);
            let made = match record(m, operator, &cavity, word, memory.walks.of(i)) {
                Ok(()) => plan(m, operator, &cavity, word),
                Err(reason) => Err(reason),
            };
            match made {
                Ok(made) => {
                    cavity.put_head(made);
                    m.place.set(seed, cavity.at + 1);
                }
                Err(reason) => m.place.set(seed, REFUSED - reason),
            }
        });
    });
}

/// Whether a place is that of a record.
#[inline(always)]
fn recorded(place: u32) -> bool {
    place != 0 && place <= REFUSED - refusals::COUNT
}
/// Elements of the filling beyond those that are deleted.
#[inline(always)]
fn beyond(c: &Cavity<'_>, made: [u32; 3]) -> [u32; 3] {
    let [v, e, f] = made;
    [v.saturating_sub(c.vertices), e.saturating_sub(c.edges), f.saturating_sub(c.faces)]
}

/// Where fillings need new ids, candidates with edges to be that others have withdraw; the last block allocates.
#[inline(always)]
pub fn settle<O: Operator>(block: &Block, m: DynamicView<'_>, operator: O, memory: Memory) {
    if !O::GROWS {
        return;
    }
    let stamp = m.control.get(control::STAMP);
    let (list, _) = lists(m);
    let n = m.control.get(control::CANDIDATES);
    if m.control.get(control::RECORDED) as usize <= m.records.len() {
        for_each_chunk(block, n, |base, len| {
            let winners = block.count_where(len, |i| {
                let candidate = list.get(base + i);
                let seed = candidate[0];
                let place = m.place.get(seed);
                if !recorded(place) {
                    return false;
                }
                let (cavity, made) = Cavity::read(m, place - 1);
                if O::CLAIMS && !has_slots(m, operator, &cavity, word(stamp, candidate)) {
                    m.place.set(seed, 0);
                    return false;
                }
                let [v, e, f] = beyond(&cavity, made);
                let tile = 3 * (seed / TILE);
                add(m.needs, tile, v);
                add(m.needs, tile + 1, e);
                add(m.needs, tile + 2, f);
                true
            });
            block.single_nosync(|| {
                if winners > 0 {
                    add(m.control, control::WINNERS, winners);
                }
            });
        });
    }
    if last_block(block, m) {
        allocate::<O>(block, m, memory.counts[0]);
    }
}

/// Whether this block is the last of the launch that comes here. Collective.
#[inline(always)]
fn last_block(block: &Block, m: DynamicView<'_>) -> bool {
    block.sync();
    let last = block.single(|| {
        let before = atomic::fetch_add(m.control, control::FINISHED, 1, Order::AcqRel, Scope::Device);
        (before + 1 == block.count()) as u32
    });
    if last != 0 {
        atomic::fence(Order::Acquire, Scope::Device);
        block.single_nosync(|| m.control.set(control::FINISHED, 0));
    }
    last != 0
}

/// Where the new elements of each tile of seeds begin. One block.
#[inline(always)]
fn allocate<O: Operator>(block: &Block, m: DynamicView<'_>, part: Shared<u32>) {
    let n = tiles(seeds::<O>(m));
    let mut kind = 0;
    while kind < 3 {
        let (mut base, mut carry) = (0, 0);
        while base < n {
            let len = if n - base < TILE { n - base } else { TILE };
            block.for_each(len, |i| part.set(i, atomic_get(m.needs, 3 * (base + i) + kind)));
            let total = block.exclusive_scan(part, len);
            block.for_each(len, |i| m.needs.set(3 * (base + i) + kind, carry + part.get(i)));
            carry += total;
            base += TILE;
        }
        block.single_nosync(|| m.control.set(control::NEEDED + kind, carry));
        kind += 1;
    }
    block.sync();
}
#[inline(always)]
fn atomic_get(memory: Out<'_, u32>, i: u32) -> u32 {
    atomic::load(memory, i, Order::Relaxed, Scope::Device)
}

/// What the round lacks: a state, or running if nothing.
#[inline(always)]
fn lacks(m: DynamicView<'_>) -> u32 {
    if m.control.get(control::RECORDED) as usize > m.records.len() {
        return control::NO_ROOM;
    }
    let over = |kind: u32, most: u32| {
        m.control.get(control::COUNT + kind) + m.control.get(control::NEEDED + kind) > most
    };
    if over(0, m.most_vertices) || over(1, m.most_edges) || over(2, m.most_faces) {
        return control::FULL;
    }
    control::RUNNING
}

/// Counts of a chunk, beside each other in a word: of winners, and of those that left the pass.
const WON: u32 = 1;
const OUT: u32 = 1 << 16;

/// Winners write, those refused leave the pass, and the last block ends the round. Where fillings need no new ids, who
/// has its edges to be has won: what others write meanwhile is not asked for.
#[inline(always)]
pub fn fill<O: Operator>(block: &Block, m: DynamicView<'_>, operator: O, memory: Memory) {
    let lacks = lacks(m);
    let good = lacks == control::RUNNING;
    let (stamp, pass) = (m.control.get(control::STAMP), m.control.get(control::PASS));
    let (list, _) = lists(m);
    let n = m.control.get(control::CANDIDATES);
    if by_looks::<O>() && good && m.control.get(control::ROUND) == 0 {
        // not before: a round without room is run again
        let (look, _) = looks(m);
        block.for_each_of_tile(seeds::<O>(m).div_ceil(32), |i| look.set(i, 0));
    }
    let won_or_left = |i: u32| {
        let candidate = list.get(i);
        let seed = candidate[0];
        let place = m.place.get(seed);
        if recorded(place) && O::GROWS && good {
            return 0;
        }
        if place != 0 {
            m.place.set(seed, 0);
        }
        if place == 0 || !good {
            return 0;
        }
        if recorded(place) {
            let (cavity, made) = Cavity::read(m, place - 1);
            if O::CLAIMS && !has_slots(m, operator, &cavity, word(stamp, candidate)) {
                return 0;
            }
            write(m, operator, &cavity, made, [0; 3], pass);
            look_around::<O>(m, &cavity, made, 0);
            return WON;
        }
        atomic::fetch_or(m.out, seed / 32, 1 << (seed % 32), Order::Relaxed, Scope::Device);
        add(m.control, control::REFUSED + (REFUSED - place), 1);
        OUT
    };
    for_each_chunk(block, n, |base, len| {
        let counts = block.reduce(len, 0, |i| won_or_left(base + i), |a, b| a + b);
        block.single_nosync(|| {
            let (won, left) = (counts % OUT, counts / OUT);
            if won > 0 {
                add(m.control, control::WINNERS, won);
            }
            if left > 0 {
                add(m.control, control::LEFT, left);
            }
        });
    });
    if O::GROWS && good {
        fill_in_order::<O>(block, m, operator, memory, pass);
    }
    if last_block(block, m) {
        let words = memory.counts[0];
        block.for_each(control::WORDS, |i| words.set(i, atomic_get(m.control, i)));
        block.single_nosync(|| end_round(m, words, lacks));
    }
}

/// The same for operators whose fillings need new ids: these ascend with the seeds.
#[inline(always)]
fn fill_in_order<O: Operator>(block: &Block, m: DynamicView<'_>, operator: O, memory: Memory, pass: u32) {
    let count = |kind: u32| m.control.get(control::COUNT + kind);
    let counts = [count(0), count(1), count(2)];
    let [at_v, at_e, at_f] = memory.counts;
    block.for_each_tile(seeds::<O>(m), |base, len| {
        if !block.any(len, |i| recorded(m.place.get(base + i))) {
            return;
        }
        block.for_each(len, |i| {
            let place = m.place.get(base + i);
            let mut more = [0; 3];
            if recorded(place) {
                let (cavity, made) = Cavity::read(m, place - 1);
                more = beyond(&cavity, made);
            }
            at_v.set(i, more[0]);
            at_e.set(i, more[1]);
            at_f.set(i, more[2]);
        });
        block.exclusive_scan(at_v, len);
        block.exclusive_scan(at_e, len);
        block.exclusive_scan(at_f, len);
        let need = |kind: u32| m.needs.get(3 * (base / TILE) + kind);
        let first = [counts[0] + need(0), counts[1] + need(1), counts[2] + need(2)];
        block.for_each(len, |i| {
            let place = m.place.get(base + i);
            if recorded(place) {
                let (cavity, made) = Cavity::read(m, place - 1);
                let [v, e, f] = first;
                let first = [v + at_v.get(i), e + at_e.get(i), f + at_f.get(i)];
                write(m, operator, &cavity, made, first, pass);
                look_around::<O>(m, &cavity, made, e + at_e.get(i));
                m.place.set(base + i, 0);
            }
        });
    });
}

/// The next round, or the next pass, or the end.
#[inline(always)]
fn end_round(m: DynamicView<'_>, words: Shared<u32>, lacks: u32) {
    let c = m.control;
    let get = |i: u32| words.get(i);
    let (candidates, winners, left) = (get(control::CANDIDATES), get(control::WINNERS), get(control::LEFT));
    c.set(control::CANDIDATES, 0);
    c.set(control::WINNERS, 0);
    c.set(control::LEFT, 0);
    c.set(control::STAMP, get(control::STAMP) + 1);
    c.set(control::ROUNDS, get(control::ROUNDS) + 1);
    // a round that did nothing is run again
    let counts = lacks == control::RUNNING;
    let mut reason = 0;
    while reason < refusals::COUNT {
        let (judged, refused) = (control::JUDGED + reason, control::REFUSED + reason);
        let n = get(judged);
        if n > 0 {
            c.set(judged, 0);
            if counts {
                words.set(refused, get(refused) + n);
                c.set(refused, get(refused));
            }
        }
        reason += 1;
    }
    if !counts {
        c.set(control::STATE, lacks);
        return;
    }
    if get(control::DIFFERED) != 0 {
        c.set(control::STATE, control::BROKEN);
        return;
    }
    c.set(control::RECORDED, 0);
    let mut kind = 0;
    while kind < 3 {
        c.set(control::COUNT + kind, get(control::COUNT + kind) + get(control::NEEDED + kind));
        c.set(control::NEEDED + kind, 0);
        kind += 1;
    }
    let (of_pass, passes) = (get(control::OF_PASS) + winners, get(control::PASSES) + 1);
    c.set(control::EXECUTED, get(control::EXECUTED) + winners);
    if candidates > winners + left {
        c.set(control::OF_PASS, of_pass);
        c.set(control::LAST, candidates);
        c.set(control::ROUND, get(control::ROUND) + 1);
        let first = if get(control::ROUND) == 0 { candidates } else { get(control::FIRST) };
        c.set(control::FIRST, first);
        if winners + left == 0 || get(control::ROUND) + 1 >= first {
            c.set(control::STATE, control::STALLED);
        }
        return;
    }
    c.set(control::OF_PASS, 0);
    c.set(control::ROUND, 0);
    c.set(control::PASS, get(control::PASS) + 1);
    c.set(control::PASSES, passes);
    if of_pass == 0 {
        c.set(control::STATE, control::DONE);
        return;
    }
    if passes >= get(control::MOST_PASSES) {
        c.set(control::STATE, control::STOPPED);
        return;
    }
    let mut reason = 0;
    while reason < refusals::COUNT {
        let (of_pass, before) = (control::REFUSED + reason, control::REFUSED_BEFORE + reason);
        c.set(before, get(before) + get(of_pass));
        c.set(of_pass, 0);
        reason += 1;
    }
}
