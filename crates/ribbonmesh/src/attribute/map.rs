//! Functions of the host, applied to attributes.
use super::Attribute;
use crate::Result;
use rayon::prelude::*;
use ribbonmesh_device::{Element, Pod};

impl<E: Element, T: Pod + Send + Sync> Attribute<E, T> {
    /// A new attribute with `f` of each value. `f` runs on the host, in parallel; values of a GPU are copied
    /// to the host and back. For repeated work, write a kernel (see [`Attribute`]).
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn map_host<U: Pod + Send + Sync>(&self, f: impl Fn(T) -> U + Sync) -> Result<Attribute<E, U>> {
        let values = self.download_by_id()?;
        let mapped: Vec<U> = self.device().install(|| values.into_par_iter().map(&f).collect());
        self.with_values(&mapped)
    }
    /// A new attribute with `f` of the values of both attributes for each element. Runs on the host, as
    /// [`Attribute::map_host`].
    /// # Errors
    /// [`crate::Error::OtherMesh`], [`crate::Error::OtherDevice`], and as [`Attribute::map_host`].
    pub fn zip_host<U: Pod + Send + Sync, V: Pod + Send + Sync>(
        &self,
        other: &Attribute<E, U>,
        f: impl Fn(T, U) -> V + Sync,
    ) -> Result<Attribute<E, V>> {
        self.require_same_mesh(other)?;
        let (a, b) = (self.download_by_id()?, other.download_by_id()?);
        let zipped: Vec<V> =
            self.device().install(|| a.into_par_iter().zip(b).map(|(a, b)| f(a, b)).collect());
        self.with_values(&zipped)
    }
    fn with_values<U: Pod + Send + Sync>(&self, values: &[U]) -> Result<Attribute<E, U>> {
        let mut new = self.zeros_like::<U>()?;
        new.upload_by_id(values)?;
        Ok(new)
    }
}
