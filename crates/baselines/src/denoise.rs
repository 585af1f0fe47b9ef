//! Bilateral filtering over directed edges (Fleishman, Drori and Cohen-Or 2003; thesis 4.5.3): one thread per
//! vertex gathers its neighbourhood ring by ring.
use crate::HalfEdges;
use crate::each::each;
use core::f32::consts::LOG2_E;
use core::mem::MaybeUninit;
use ribbonmesh::device::math::{fast_recip, sqrt};
use ribbonmesh::device::{Block, In, NONE, Out, StatusCode, Vec3, kernel};

/// Vertices that a neighbourhood can have, with the ring in which none is near enough.
pub const MOST: u32 = 2048;
/// Status: a vertex has more. First detail: its id.
pub const TOO_MANY: u32 = StatusCode::User as u32;

/// Unit normals of all vertices, weighted by the areas of their faces; zero without any.
#[kernel(threads = 256)]
pub fn pde_normals<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    n: u32,
    positions: In<'a, Vec3>,
    normals: Out<'a, Vec3>,
) {
    each(block, n, |v| {
        let (own, mut sum) = (positions.get(v), Vec3::ZERO);
        mesh.around(v, |half| {
            if mesh.faces.get(half) != NONE {
                let [a, b] = [half, mesh.nexts.get(half)].map(|h| positions.get(mesh.targets.get(h)));
                sum += (a - own).cross(b - own);
            }
        });
        let squared = sum.dot(sum);
        normals.set(v, if squared > 0.0 { sum * fast_recip(sqrt(squared)) } else { Vec3::ZERO });
    });
}

/// The vertices met so far, each once.
struct Met<'a> {
    ids: &'a mut Ids,
    len: u32,
}
type Ids = [MaybeUninit<u32>; MOST as usize];
impl Met<'_> {
    /// Entry `i`, less than both `len` and [`MOST`].
    #[inline(always)]
    fn get(&self, i: u32) -> u32 {
        // SAFETY: written when `len` became larger
        unsafe { self.ids[i as usize % MOST as usize].assume_init() }
    }
    /// Adds a vertex; vertices that do not fit are counted.
    #[inline(always)]
    fn add(&mut self, v: u32) {
        let mut i = 0;
        while i < self.len && i < MOST {
            if self.get(i) == v {
                return;
            }
            i += 1;
        }
        if self.len < MOST {
            self.ids[self.len as usize % MOST as usize] = MaybeUninit::new(v);
        }
        self.len += 1;
    }
}

/// 2ˣ.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    // SAFETY: an instruction on registers alone; every `f32` is a valid operand.
    #[cfg(target_arch = "nvptx64")]
    unsafe {
        let r;
        core::arch::asm!("ex2.approx.ftz.f32 {r}, {x};", r = out(reg32) r, x = in(reg32) x,
            options(pure, nomem, nostack, preserves_flags));
        r
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        x.exp2()
    }
}

/// Moves every vertex by one iteration. σc is the length of its shortest edge; the ball has twice that
/// radius; rings are added until one has no vertex in the ball; σs is the standard deviation of the offsets.
#[kernel(threads = 256)]
pub fn pde_filter<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    n: u32,
    positions: In<'a, Vec3>,
    normals: In<'a, Vec3>,
    moved: Out<'a, Vec3>,
) {
    each(block, n, |v| {
        let (own, normal) = (positions.get(v), normals.get(v));
        // apart from their number, which so stays in a register
        let mut ids: Ids = [const { MaybeUninit::uninit() }; MOST as usize];
        let mut met = Met { ids: &mut ids, len: 0 };
        met.add(v);
        let mut shortest = f32::INFINITY;
        mesh.around(v, |half| {
            let u = mesh.targets.get(half);
            let d = positions.get(u) - own;
            let squared = d.dot(d);
            if squared > 0.0 && squared < shortest {
                shortest = squared;
            }
            met.add(u);
        });
        let radius = 4.0 * shortest;
        // the last ring is from..met.len; all in the ball are before end
        let (mut from, mut end) = (1, 1);
        let (mut count, mut sum, mut squares, mut first) = (0.0f32, 0.0f32, 0.0f32, 0.0f32);
        while met.len <= MOST {
            let (ring, mut inside, mut i) = (met.len, false, from);
            while i < ring {
                let d = positions.get(met.get(i)) - own;
                if d.dot(d) < radius {
                    let h = normal.dot(d);
                    if count == 0.0 {
                        first = h;
                    }
                    count += 1.0;
                    sum += h - first;
                    squares += (h - first) * (h - first);
                    inside = true;
                }
                i += 1;
            }
            if !inside {
                break;
            }
            end = ring;
            while from < ring {
                mesh.around(met.get(from), |half| met.add(mesh.targets.get(half)));
                from += 1;
            }
        }
        if met.len > MOST {
            block.status().record_code(TOO_MANY, block.index(), v, 0);
        }
        let mean = sum / count;
        let deviation = (squares / count - mean * mean).max(1e-12 * shortest).max(f32::MIN_POSITIVE);
        let (near, alike) = (-0.5 * LOG2_E / shortest, -0.5 * LOG2_E / deviation);
        // weights relative to that of the offset nearest to 0, so that they do not all vanish
        let mut least = f32::INFINITY;
        let (mut offsets, mut weights) = (0.0, 0.0);
        let each_inside = |f: &mut dyn FnMut(f32, f32)| {
            let mut i = 1;
            while i < end {
                let d = positions.get(met.get(i)) - own;
                let squared = d.dot(d);
                if squared < radius {
                    f(squared, normal.dot(d));
                }
                i += 1;
            }
        };
        each_inside(&mut |_, h| least = least.min(h * h));
        each_inside(&mut |squared, h| {
            let weight = exp2(squared * near + (h * h - least) * alike);
            offsets += weight * h;
            weights += weight;
        });
        moved.set(v, if weights > 0.0 { own + normal * (offsets / weights) } else { own });
    });
}
