//! Values that move with their elements, and those of elements that are made (thesis 5.3.2).
use crate::quadrics::{Quadric, WORDS};
use crate::view::store;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{NONE, Out, Parameter, Vec3};

/// Rules for the value of an element that is made of others.
pub mod rule {
    /// The mean of two values, whose words are floats.
    pub const MEAN: u32 = 0;
    /// The value of the first one.
    pub const FIRST: u32 = 1;
    /// An index of the input, which an element that is made has not.
    pub const INPUT: u32 = 2;
}

/// Attributes of one kind that a change can carry, beside the indices of the input.
pub const MOST_COLUMNS: usize = 3;

/// One attribute, by place.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Column<'a> {
    /// Its words; empty if there is no such attribute.
    pub words: Out<'a, u32>,
    /// Words of a value.
    pub width: u32,
    /// A [`rule`].
    pub rule: u32,
}
impl Column<'_> {
    /// Moves the value of an element whose place changes.
    #[inline(always)]
    fn relocate(self, from: u32, to: u32) {
        let mut i = 0;
        while i < self.width {
            self.words.set(self.width * to + i, self.words.get(self.width * from + i));
            i += 1;
        }
        if self.rule == rule::INPUT {
            self.forget(from);
        }
    }
    /// Gives an element that is made of two others its value; any of them may be at the same place.
    #[inline(always)]
    fn derive(self, [a, b]: [u32; 2], to: u32) {
        let mut i = 0;
        while i < self.width {
            let of = |place: u32| self.words.get(self.width * place + i);
            let value = if self.rule == rule::MEAN {
                let (p, q) = (f32::from_bits(of(a)), f32::from_bits(of(b)));
                (0.5 * p + 0.5 * q).to_bits()
            } else if self.rule == rule::FIRST {
                of(a)
            } else {
                NONE
            };
            self.words.set(self.width * to + i, value);
            i += 1;
        }
    }
    /// Zeros.
    #[inline(always)]
    fn clear(self, at: u32) {
        let mut i = 0;
        while i < self.width {
            self.words.set(self.width * at + i, if self.rule == rule::INPUT { NONE } else { 0 });
            i += 1;
        }
    }
    /// An element that lives no longer has no index of the input.
    #[inline(always)]
    fn forget(self, at: u32) {
        if self.rule == rule::INPUT && self.width == 1 {
            self.words.set(at, NONE);
        }
    }
}

/// The attributes of one kind of elements.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Columns<'a> {
    /// Indices of the input, or nothing.
    pub input: Column<'a>,
    /// Others.
    pub a: Column<'a>,
    /// Others.
    pub b: Column<'a>,
    /// Others.
    pub c: Column<'a>,
}
impl<'a> Columns<'a> {
    #[inline(always)]
    fn each(self, f: impl Fn(Column<'a>)) {
        f(self.input);
        f(self.a);
        f(self.b);
        f(self.c);
    }
}

/// All attributes that a change of a store writes.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Attributes<'a> {
    /// Positions of vertices.
    pub x: Out<'a, Vec3>,
    /// Numbers of edges of vertices, and 2 more on the boundary; empty unless the operator needs them.
    pub valences: Out<'a, u32>,
    /// Quadrics of vertices; empty unless the operator needs them.
    pub quadrics: Out<'a, u64>,
    /// Cavities that may be filled, where they are counted.
    pub budget: Out<'a, u32>,
    /// Attributes of vertices.
    pub vertices: Columns<'a>,
    /// Attributes of edges.
    pub edges: Columns<'a>,
    /// Attributes of faces.
    pub faces: Columns<'a>,
}
impl<'a> Attributes<'a> {
    /// The position at a place. Blocks that look for cavities read it while the owner may write it, and read
    /// it again when they have the lock; so it is read by words.
    #[inline(always)]
    pub fn position(&self, place: u32) -> Vec3 {
        let words = self.x.wide::<u32>();
        let of = |i: u32| f32::from_bits(atomic::load(words, 3 * place + i, Relaxed, Device));
        Vec3::new(of(0), of(1), of(2))
    }
    /// Writes the position at a place.
    #[inline(always)]
    pub fn put_position(&self, place: u32, x: Vec3) {
        let words = self.x.wide::<u32>();
        store(words, 3 * place, x.x.to_bits());
        store(words, 3 * place + 1, x.y.to_bits());
        store(words, 3 * place + 2, x.z.to_bits());
    }
    /// The valence at a place.
    #[inline(always)]
    pub fn valence(&self, place: u32) -> u32 {
        atomic::load(self.valences, place, Relaxed, Device)
    }
    /// Adds to the valence at a place, whose lock the block has.
    #[inline(always)]
    pub fn add_valence(&self, place: u32, by: u32) {
        store(self.valences, place, self.valence(place).wrapping_add(by));
    }
    /// The quadric at a place, read as positions are.
    #[inline(always)]
    pub fn quadric(&self, place: u32) -> Quadric {
        Quadric::of(|i| atomic::load(self.quadrics, WORDS * place + i, Relaxed, Device))
    }
    /// Writes the quadric at a place.
    #[inline(always)]
    pub fn put_quadric(&self, place: u32, quadric: &Quadric) {
        for (i, word) in quadric.words().into_iter().enumerate() {
            atomic::store(self.quadrics, WORDS * place + i as u32, word, Relaxed, Device);
        }
    }
    #[inline(always)]
    fn of(&self, kind: usize) -> Columns<'a> {
        if kind == 0 {
            self.vertices
        } else if kind == 1 {
            self.edges
        } else {
            self.faces
        }
    }
    /// Moves the values of an element whose place changes.
    #[inline(always)]
    pub fn relocate(&self, kind: usize, from: u32, to: u32) {
        if kind == 0 {
            self.put_position(to, self.position(from));
            if !self.valences.is_empty() {
                store(self.valences, to, self.valence(from));
            }
            if !self.quadrics.is_empty() {
                self.put_quadric(to, &self.quadric(from));
            }
        }
        self.of(kind).each(|column| column.relocate(from, to));
    }
    /// Gives an element that is made of two others its values, but for the position of a vertex.
    #[inline(always)]
    pub fn derive(&self, kind: usize, from: [u32; 2], to: u32) {
        self.of(kind).each(|column| column.derive(from, to));
    }
    /// Gives an element that is made of no other zeros.
    #[inline(always)]
    pub fn clear(&self, kind: usize, at: u32) {
        self.of(kind).each(|column| column.clear(at));
    }
    /// An element lives no longer.
    #[inline(always)]
    pub fn forget(&self, kind: usize, at: u32) {
        self.of(kind).each(|column| column.forget(at));
    }
}
