//! Attributes that a change carries along.
use super::attribute::PatchAttribute;
use super::error::StoreError;
use super::relay::Relaid;
use super::store::PatchStore;
use crate::attributes::{AttributesArguments, ColumnArguments, ColumnsArguments, MOST_COLUMNS, rule};
use crate::quadrics;
use ribbonmesh::device::{BufferViewMut, ElementKind, Pod, Vec3};
use ribbonmesh::{Buffer, Element, Vertex};

/// Values whose words are floats.
pub trait Floats: Pod {}
impl Floats for f32 {}
impl Floats for Vec3 {}
impl<const N: usize> Floats for [f32; N] where Self: Pod {}

/// An attribute of any type.
trait Attribute {
    fn words(&mut self) -> BufferViewMut<'_, u32>;
    fn width(&self) -> u32;
    fn store(&self) -> u64;
    fn relay(&mut self, relaid: &Relaid) -> Result<(), StoreError>;
}
impl<E: Element, T: Pod + Send + Sync> Attribute for PatchAttribute<E, T> {
    fn words(&mut self) -> BufferViewMut<'_, u32> {
        self.buffer_mut().view_mut().wide()
    }
    fn width(&self) -> u32 {
        (size_of::<T>() / 4) as u32
    }
    fn store(&self) -> u64 {
        self.store()
    }
    fn relay(&mut self, relaid: &Relaid) -> Result<(), StoreError> {
        self.relay(relaid)
    }
}
struct Carry<'c> {
    attribute: &'c mut dyn Attribute,
    rule: u32,
}

/// Attributes, beside positions, that move with their elements while a store changes, and what an element
/// that is made gets: by [`averaged`](Self::averaged) or [`copied`](Self::copied).
///
/// The vertex in the middle of a split edge has what comes of its ends; halves of edges and faces have what
/// comes of the whole; other edges that are made have zeros. A collapse keeps the values of what stays, and a
/// flip those of the edge and its faces.
#[derive(Default)]
pub struct Carried<'c> {
    columns: [Vec<Carry<'c>>; 3],
}

impl<'c> Carried<'c> {
    /// No attributes.
    pub fn none() -> Self {
        Self::default()
    }
    /// With an attribute of which an element that is made of two others has the mean.
    /// # Errors
    /// [`StoreError::TooManyAttributes`].
    pub fn averaged<E: Element, T: Floats + Send + Sync>(
        self,
        attribute: &'c mut PatchAttribute<E, T>,
    ) -> Result<Self, StoreError> {
        self.with(attribute, rule::MEAN)
    }
    /// With an attribute of which an element that is made of two others has the value of the first one.
    /// # Errors
    /// [`StoreError::TooManyAttributes`].
    pub fn copied<E: Element, T: Pod + Send + Sync>(
        self,
        attribute: &'c mut PatchAttribute<E, T>,
    ) -> Result<Self, StoreError> {
        self.with(attribute, rule::FIRST)
    }
    fn with<E: Element, T: Pod + Send + Sync>(
        mut self,
        attribute: &'c mut PatchAttribute<E, T>,
        rule: u32,
    ) -> Result<Self, StoreError> {
        const { assert!(size_of::<T>().is_multiple_of(4), "values are carried by words of four bytes") };
        let columns = &mut self.columns[E::KIND as usize];
        if columns.len() == MOST_COLUMNS {
            return Err(StoreError::TooManyAttributes { limit: MOST_COLUMNS });
        }
        columns.push(Carry { attribute, rule });
        Ok(self)
    }
    /// Whether there are attributes of edges.
    pub(super) fn has_edges(&self) -> bool {
        !self.columns[ElementKind::Edge as usize].is_empty()
    }
    /// Refuses attributes of another store.
    pub(super) fn require(&self, store: &PatchStore) -> Result<(), StoreError> {
        let mut all = self.columns.iter().flatten();
        let same = all.all(|carry| carry.attribute.store() == store.number());
        if same { Ok(()) } else { Err(StoreError::OtherStore) }
    }
    /// The same values where the store's elements are now.
    pub(super) fn relay(&mut self, relaid: &Relaid) -> Result<(), StoreError> {
        self.columns.iter_mut().flatten().try_for_each(|carry| carry.attribute.relay(relaid))
    }
}

fn columns_of<'s>(
    carried: &'s mut [Carry<'_>],
    input: Option<BufferViewMut<'s, u32>>,
) -> ColumnsArguments<'s> {
    let none = || ColumnArguments { words: BufferViewMut::empty(), width: 0, rule: rule::FIRST };
    let mut others = carried.iter_mut().map(|carry| ColumnArguments {
        width: carry.attribute.width(),
        rule: carry.rule,
        words: carry.attribute.words(),
    });
    let mut next = || others.next().unwrap_or_else(none);
    let [a, b, c] = [next(), next(), next()];
    let input = input.map_or_else(none, |words| ColumnArguments { words, width: 1, rule: rule::INPUT });
    ColumnsArguments { input, a, b, c }
}

/// Quadrics of vertices.
pub(super) type Quadrics = PatchAttribute<Vertex, [u64; quadrics::WORDS as usize]>;

/// Arrays that an operator reads and writes by place: borrowed for a change.
pub(super) struct Values<'s, 'c> {
    pub x: &'s mut PatchAttribute<Vertex, Vec3>,
    pub valences: Option<Buffer<u32>>,
    pub quadrics: Option<&'s mut Quadrics>,
    pub budget: Option<Buffer<u32>>,
    pub carried: &'s mut Carried<'c>,
}
impl Values<'_, '_> {
    /// The argument of kernels, with the inputs of the store.
    pub fn arguments<'s>(
        &'s mut self,
        [vertex_inputs, face_inputs]: [BufferViewMut<'s, u32>; 2],
    ) -> AttributesArguments<'s> {
        let [vertices, edges, faces] = &mut self.carried.columns;
        AttributesArguments {
            x: self.x.buffer_mut().view_mut(),
            valences: self.valences.as_mut().map_or_else(BufferViewMut::empty, Buffer::view_mut),
            quadrics: self
                .quadrics
                .as_mut()
                .map_or_else(BufferViewMut::empty, |quadrics| quadrics.buffer_mut().view_mut().wide()),
            budget: self.budget.as_mut().map_or_else(BufferViewMut::empty, Buffer::view_mut),
            vertices: columns_of(vertices, Some(vertex_inputs)),
            edges: columns_of(edges, None),
            faces: columns_of(faces, Some(face_inputs)),
        }
    }
}
