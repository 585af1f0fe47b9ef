//! Attributes of a store.
use super::error::StoreError;
use super::relay::Relaid;
use super::store::PatchStore;
use ribbonmesh::device::{ElementKind, Pod};
use ribbonmesh::{Buffer, Element};
use std::marker::PhantomData;

/// A value for each element that fits a store's patches, by place: the values of a patch are next to each
/// other, and no element needs a number across patches (thesis, Figure 5.9).
pub struct PatchAttribute<E, T> {
    store: u64,
    values: Buffer<T>,
    of: PhantomData<E>,
}

impl<E: Element, T: Pod + Send + Sync> PatchAttribute<E, T> {
    /// Zeros.
    /// # Errors
    /// Out of memory.
    pub fn zeros(store: &PatchStore) -> Result<Self, StoreError> {
        let values = store.device().zeros(store.places(E::KIND))?;
        Ok(Self { store: store.number(), values, of: PhantomData })
    }
    /// The values of vertices or faces in the order of the input; for edges in the order of places.
    /// # Errors
    /// [`StoreError::Length`]; out of memory; errors of the driver.
    pub fn from_input(store: &PatchStore, data: &[T]) -> Result<Self, StoreError> {
        let mut attribute = Self::zeros(store)?;
        let places = store.places(E::KIND);
        let (what, by_place) = (kind_name(E::KIND), E::KIND == ElementKind::Edge);
        let expected = if by_place { places } else { store.input_count(E::KIND) };
        if data.len() != expected {
            return Err(StoreError::Length { what, found: data.len(), expected });
        }
        if by_place {
            attribute.values.write(data)?;
            return Ok(attribute);
        }
        let zero = T::zeroed();
        let inputs = store.inputs::<E>()?;
        let values: Vec<T> = inputs.iter().map(|&i| data.get(i as usize).copied().unwrap_or(zero)).collect();
        attribute.values.write(&values)?;
        Ok(attribute)
    }
    /// The values of vertices or faces in the order of the input, zeros for those that are deleted; for edges
    /// in the order of places.
    /// # Errors
    /// [`StoreError::OtherStore`]; errors of the driver.
    pub fn download(&self, store: &PatchStore) -> Result<Vec<T>, StoreError> {
        self.require(store)?;
        let values = self.values.read()?;
        if E::KIND == ElementKind::Edge {
            return Ok(values);
        }
        let mut data = vec![T::zeroed(); store.input_count(E::KIND)];
        for (input, value) in store.inputs::<E>()?.into_iter().zip(values) {
            if let Some(data) = data.get_mut(input as usize) {
                *data = value;
            }
        }
        Ok(data)
    }
    /// The values of the elements that the store has now, in the order of places, as
    /// [`PatchStore::triangles`] numbers them.
    /// # Errors
    /// [`StoreError::OtherStore`]; errors of the driver.
    pub fn values(&self, store: &PatchStore) -> Result<Vec<T>, StoreError> {
        self.require(store)?;
        let values = self.values.read()?.into_iter().zip(store.handles(E::KIND)?);
        Ok(values.filter_map(|(value, handle)| handle.map(|_| value)).collect())
    }
    /// Replaces the values of the elements that the store has now, in the order of
    /// [`PatchAttribute::values`].
    /// # Errors
    /// [`StoreError::OtherStore`]; [`StoreError::Length`]; errors of the driver.
    pub fn set_values(&mut self, store: &PatchStore, data: &[T]) -> Result<(), StoreError> {
        self.require(store)?;
        let expected = store.count(E::KIND);
        if data.len() != expected {
            return Err(StoreError::Length { what: kind_name(E::KIND), found: data.len(), expected });
        }
        let zero = T::zeroed();
        let numbers = store.order(E::KIND)?;
        let values: Vec<T> =
            numbers.iter().map(|&number| data.get(number as usize).copied().unwrap_or(zero)).collect();
        Ok(self.values.write(&values)?)
    }
    /// The same values where the store's elements are now.
    pub(super) fn relay(&mut self, relaid: &Relaid) -> Result<(), StoreError> {
        const { assert!(size_of::<T>().is_multiple_of(4), "values are carried by words of four bytes") };
        let mut values = self.values.device().zeros(relaid.len(E::KIND))?;
        let to = Buffer::view_mut(&mut values).wide();
        relaid.moved(E::KIND, (size_of::<T>() / 4) as u32, self.values.view().wide(), to)?;
        (self.values, self.store) = (values, relaid.number);
        Ok(())
    }
    /// The number of its store.
    pub(super) fn store(&self) -> u64 {
        self.store
    }
    /// Refuses an attribute of another store.
    /// # Errors
    /// [`StoreError::OtherStore`].
    pub fn require(&self, store: &PatchStore) -> Result<(), StoreError> {
        if self.store == store.number() { Ok(()) } else { Err(StoreError::OtherStore) }
    }
    /// The memory, by place.
    pub fn buffer(&self) -> &Buffer<T> {
        &self.values
    }
    /// The memory, by place.
    pub fn buffer_mut(&mut self) -> &mut Buffer<T> {
        &mut self.values
    }
}

fn kind_name(kind: ElementKind) -> &'static str {
    ["vertices", "edges", "faces"][kind as usize]
}
