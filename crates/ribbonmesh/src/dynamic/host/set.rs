//! Sets of attributes that follow a mesh.
use super::attribute::DynamicAttribute;
use super::compact::Compaction;
use super::mesh::Capacity;
use super::numbering::Numbering;
use crate::device::Pod;
use crate::{Element, Result};

/// A container with a value for each element of a dynamic mesh.
pub trait Follow {
    /// Grows to the capacity of the mesh.
    /// # Errors
    /// Out of memory; errors of the driver.
    fn grow(&mut self, capacity: Capacity) -> Result<()>;
    /// Refuses to belong to another mesh, or to have missed a renumbering: [`Numbering::require`].
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh),
    /// [`Error::OtherNumbering`](crate::Error::OtherNumbering).
    fn check(&self, numbering: Numbering) -> Result<()>;
    /// Moves the values to the new ids of their elements.
    /// # Errors
    /// As [`Follow::check`], for a compaction of another mesh, or one that was not the next: it was applied
    /// already, or one before it was not. Out of memory; errors of the driver.
    fn follow(&mut self, compaction: &Compaction) -> Result<()>;
}

/// A set of attributes that grow with a mesh and are renumbered by its compactions. `#[derive(AttributeSet)]`
/// implements this trait for structs.
pub trait AttributeSet {
    /// Visits each attribute. By default there are none.
    /// # Errors
    /// The first error of a visit, which ends it.
    fn for_each_attribute(&mut self, visit: &mut dyn FnMut(&mut dyn Follow) -> Result<()>) -> Result<()> {
        let _ = visit;
        Ok(())
    }
}
impl AttributeSet for () {}
impl<E: Element, T: Pod> AttributeSet for DynamicAttribute<E, T> {
    fn for_each_attribute(&mut self, visit: &mut dyn FnMut(&mut dyn Follow) -> Result<()>) -> Result<()> {
        visit(self)
    }
}
impl<S: AttributeSet + ?Sized> AttributeSet for &mut S {
    fn for_each_attribute(&mut self, visit: &mut dyn FnMut(&mut dyn Follow) -> Result<()>) -> Result<()> {
        (**self).for_each_attribute(visit)
    }
}
impl<S: AttributeSet> AttributeSet for Option<S> {
    fn for_each_attribute(&mut self, visit: &mut dyn FnMut(&mut dyn Follow) -> Result<()>) -> Result<()> {
        self.as_mut().map_or(Ok(()), |set| set.for_each_attribute(visit))
    }
}
impl<S: AttributeSet> AttributeSet for Vec<S> {
    fn for_each_attribute(&mut self, visit: &mut dyn FnMut(&mut dyn Follow) -> Result<()>) -> Result<()> {
        self.iter_mut().try_for_each(|set| set.for_each_attribute(visit))
    }
}

impl Compaction {
    /// Renumbers all attributes of a set.
    /// # Errors
    /// [`Error::OtherMesh`](crate::Error::OtherMesh) for an attribute of another mesh;
    /// [`Error::OtherNumbering`](crate::Error::OtherNumbering) for one that has followed already, or has
    /// missed a compaction before this one. All attributes are as they were then. Out of memory; errors of
    /// the driver.
    pub fn apply_to(&self, attributes: &mut impl AttributeSet) -> Result<()> {
        attributes.for_each_attribute(&mut |attribute| attribute.check(self.before()))?;
        attributes.for_each_attribute(&mut |attribute| attribute.follow(self))
    }
}
