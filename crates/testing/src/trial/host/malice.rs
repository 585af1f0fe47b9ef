//! Running operators that break the rules.
use crate::trial::broken::{
    BrokenArguments, BrokenAtEdges, BrokenAtEdgesArguments, BrokenAtFaces, BrokenAtFacesArguments,
    GROWS_UNANNOUNCED, NEVER_ENDS,
};
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{AttributeSet, DynamicMesh, Limits, Operation, PassReport};
use ribbonmesh::{Buffer, Result};

/// An operator that breaks the rules: see [`crate::trial::broken`].
pub struct Malice {
    how: u32,
    seeds: u32,
    filled: Buffer<u32>,
    faces: u32,
}
struct OfEdges(Malice);
struct OfFaces(Malice);

impl Malice {
    /// Runs one of [`crate::trial::broken`] on the first `seeds` seeds.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn run(mesh: &mut DynamicMesh, how: u32, seeds: u32, limits: Limits) -> Result<PassReport> {
        let faces = mesh.ids(ElementKind::Face);
        let malice = Self { how, seeds, filled: mesh.device().zeros(seeds as usize)?, faces };
        if [NEVER_ENDS, GROWS_UNANNOUNCED].contains(&how) {
            mesh.run(&mut OfEdges(malice), limits)
        } else {
            mesh.run(&mut OfFaces(malice), limits)
        }
    }
    fn view(&mut self) -> BrokenArguments<'_> {
        BrokenArguments {
            how: self.how,
            seeds: self.seeds,
            filled: self.filled.view_mut(),
            faces: self.faces,
        }
    }
}
impl AttributeSet for OfEdges {}
impl Operation for OfEdges {
    type Operator<'a> = BrokenAtEdges<'a>;
    fn operator(&mut self) -> BrokenAtEdgesArguments<'_> {
        BrokenAtEdgesArguments { broken: self.0.view() }
    }
}
impl AttributeSet for OfFaces {}
impl Operation for OfFaces {
    type Operator<'a> = BrokenAtFaces<'a>;
    fn operator(&mut self) -> BrokenAtFacesArguments<'_> {
        BrokenAtFacesArguments { broken: self.0.view() }
    }
}
