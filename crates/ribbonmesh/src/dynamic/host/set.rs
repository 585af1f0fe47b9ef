//! Attributes that follow a mesh together.
use super::attribute::DynamicAttribute;
use super::compact::Compaction;
use super::mesh::Capacity;
use crate::device::Pod;
use crate::{Element, Result};

/// Something with a value for each element of a dynamic mesh.
pub trait Follow {
    /// Makes room for as many elements as the mesh has room for.
    /// # Errors
    /// Out of memory; errors of the driver.
    fn grow(&mut self, capacity: Capacity) -> Result<()>;
    /// Follows the elements to their new ids.
    /// # Errors
    /// Out of memory; errors of the driver.
    fn follow(&mut self, compaction: &Compaction) -> Result<()>;
}

/// Attributes that grow with a mesh and follow its compactions. `#[derive(AttributeSet)]` writes it for structs.
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
    /// Lets all attributes of a set follow.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn carry(&self, attributes: &mut impl AttributeSet) -> Result<()> {
        attributes.for_each_attribute(&mut |attribute| attribute.follow(self))
    }
}
