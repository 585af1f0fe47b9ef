//! Patches made anew of the faces as they are now.
use super::attribute::PatchAttribute;
use super::carried::Carried;
use super::error::StoreError;
use super::options::StoreOptions;
use super::relay::Relaid;
use super::rows::StoreOp;
use super::store::PatchStore;
use ribbonmesh::device::{ElementKind, NONE, Vec3};
use ribbonmesh::{Error, Face, MeshOptions, StaticMesh, Vertex};
use std::collections::HashMap;

impl PatchStore {
    /// Makes patches anew of the mesh as it is, and the store of these: few small patches become fewer large
    /// ones, of short borders. Attributes that are not carried belong to the store no longer. The triangles
    /// go through the host; otherwise as costly as [`PatchStore::from_mesh`] and
    /// [`StaticMesh::new`] together.
    /// # Errors
    /// [`StoreError::OtherStore`]; an option out of range; as [`StaticMesh::new`] and
    /// [`PatchStore::from_mesh`]. The store is as it was then.
    pub fn recluster(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        patches: &MeshOptions,
        options: &StoreOptions,
    ) -> Result<(), StoreError> {
        self.reclustered(x, carried, patches, options).map(drop)
    }
    /// Patches in use.
    pub(super) fn used(&self) -> usize {
        self.patches() - self.free.len()
    }
    /// The mean number of faces that a patch in use owns.
    pub(super) fn faces_of_a_patch(&self) -> f64 {
        self.count(ElementKind::Face) as f64 / self.used().max(1) as f64
    }
    /// Makes patches anew, as large as at first, with the usual room, where they have become many small ones
    /// or few large ones; where the elements have gone. `None`, and the store is as it was, if some patch
    /// would be too large, or have too many around.
    pub(super) fn merge(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
    ) -> Result<Option<Relaid>, StoreError> {
        let patches = self.patch_options().clone();
        match self.reclustered(x, carried, &patches, &StoreOptions::default()) {
            Err(
                StoreError::PatchTooLarge { .. }
                | StoreError::TooManyNeighbours { .. }
                | StoreError::TableFull { .. }
                | StoreError::Library(Error::PatchTooLarge { .. }),
            ) => Ok(None),
            made => made.map(Some),
        }
    }
    /// As [`PatchStore::recluster`]; where the elements have gone.
    fn reclustered(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        patches: &MeshOptions,
        options: &StoreOptions,
    ) -> Result<Relaid, StoreError> {
        x.require(self)?;
        carried.require(self)?;
        let device = self.device().clone();
        let order = [self.order(ElementKind::Vertex)?, self.order(ElementKind::Face)?];
        let triangles = self.triangles_by(&order)?;
        let mesh = StaticMesh::new(&device, self.count(ElementKind::Vertex), &triangles, patches)?;
        let mut to = Self::from_mesh(&mesh, options)?;
        let [vertices, faces] =
            [moved(&order[0], &to.inputs::<Vertex>()?), moved(&order[1], &to.inputs::<Face>()?)];
        let edges = match carried.has_edges() {
            true => self.edges_in(&to, &vertices)?,
            // nothing asks for them
            false => vec![NONE; self.places(ElementKind::Edge)],
        };
        let places = [device.upload(&vertices)?, device.upload(&edges)?, device.upload(&faces)?];
        let relaid = Relaid::new(self, &mut to, places)?;
        *self = to;
        x.relay(&relaid)?;
        carried.relay(&relaid)?;
        Ok(relaid)
    }
    /// The places in another store of the edges of this one, by their vertices, whose places there these are.
    fn edges_in(&self, to: &Self, vertices: &[u32]) -> Result<Vec<u32>, StoreError> {
        let sorted = |[a, b]: [u32; 2]| if a < b { [a, b] } else { [b, a] };
        let edges = |store: &Self| -> Result<_, StoreError> {
            let order = store.order(ElementKind::Edge)?;
            Ok((store.query(StoreOp::EV)?.download()?, order))
        };
        let (rows, order) = edges(to)?;
        let living = |order: &[u32], place: usize| order[place] != NONE;
        let there: HashMap<[u32; 2], u32> = (0..order.len())
            .filter(|&place| living(&order, place))
            .map(|place| (sorted([rows.row(place)[0], rows.row(place)[1]]), place as u32))
            .collect();
        let (rows, order) = edges(self)?;
        let place_of = |place: usize| {
            let ends = [0, 1].map(|i| vertices[rows.row(place)[i] as usize]);
            there.get(&sorted(ends)).copied().unwrap_or(NONE)
        };
        Ok((0..order.len()).map(|place| if living(&order, place) { place_of(place) } else { NONE }).collect())
    }
}

/// The new place of each old one, of elements that have these numbers there, and these here.
fn moved(numbers: &[u32], inputs: &[u32]) -> Vec<u32> {
    let mut places = vec![NONE; inputs.len()];
    for (place, &number) in (0..).zip(inputs) {
        if number != NONE {
            places[number as usize] = place;
        }
    }
    let place = |&number: &u32| if number == NONE { NONE } else { places[number as usize] };
    numbers.iter().map(place).collect()
}
