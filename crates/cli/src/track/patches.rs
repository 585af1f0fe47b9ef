//! Splits, flips and collapses of `track --resolver patches`: in a store of patches that lives as long as the
//! run (thesis 5.4.4, decision 68).
use crate::patches::work;
use ribbonmesh::device::NONE;
use ribbonmesh::dynamic::Operations;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, MeshOptions, Vertex};
use ribbonmesh_dynamic::{
    Carried, PatchAttribute, PatchStore, StoreChange, StoreChanges, StoreError, StoreOptions,
};
use ribbonmesh_mesh::AnyError;
use ribbonmesh_track::values::{Criteria, ROW};
use ribbonmesh_track::{Changes, Handed, Made};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

type Row = PatchAttribute<Vertex, [f32; ROW]>;

/// The work of patches since the beginning of a run, for its report.
#[derive(Clone, Default)]
pub struct Worked(Arc<Mutex<Sums>>);
#[derive(Default)]
struct Sums {
    changes: StoreChanges,
    stores: u64,
}
impl Worked {
    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub fn entries(&self) -> Map<String, Value> {
        let sums = self.sums();
        let mut entries = work(&sums.changes);
        entries.insert("stores_made".into(), sums.stores.into());
        entries
    }
}

/// Operations in a store.
pub struct InPatches {
    device: Device,
    patches: MeshOptions,
    validate: bool,
    held: Option<Held>,
    worked: Worked,
}
/// A store with the surface as the last step left it.
struct Held {
    store: PatchStore,
    x: PatchAttribute<Vertex, Vec3>,
    rows: Vec<Row>,
    /// The faces of the surface.
    faces: Vec<[u32; 3]>,
    /// The vertex of the surface that each vertex of the store is, until the surface has the store's order.
    order: Option<Vec<u32>>,
    /// Whether elements have changed their places.
    relaid: bool,
}

impl InPatches {
    /// `validate`: whether the store is checked after each step.
    pub fn new(device: &Device, patches: MeshOptions, validate: bool, worked: &Worked) -> Self {
        Self { device: device.clone(), patches, validate, held: None, worked: worked.clone() }
    }
    fn run(&mut self, surface: &mut Handed, criteria: &Criteria) -> Result<Made, StoreError> {
        let mut held = match self.held.take() {
            // the same connectivity: vertices have moved since
            Some(mut held) if held.faces == surface.faces => {
                held.move_to(&surface.points)?;
                held
            }
            _ => {
                self.worked.sums().stores += 1;
                Held::new(&self.device, &self.patches, surface)?
            }
        };
        let Criteria { shortest, longest, .. } = *criteria;
        let made = Made {
            split: self.phase(&mut held, StoreChange::Split { longest })?,
            flip: self.phase(&mut held, StoreChange::FlipDelaunay)?,
            collapse: self.phase(&mut held, StoreChange::Collapse { shortest, longest })?,
        };
        if made.any() {
            surface.points = held.x.values(&held.store)?;
            surface.rows = held.rows.iter().map(|row| row.values(&held.store)).collect::<Result<_, _>>()?;
            surface.faces = held.store.triangles()?;
            (held.faces, held.order, held.relaid) = (surface.faces.clone(), None, false);
        }
        if self.validate {
            held.store.validate()?;
        }
        // where patches were cut and nothing else was done, the surface has the order of before
        self.held = (!held.relaid).then_some(held);
        Ok(made)
    }
    fn phase(&self, held: &mut Held, change: StoreChange) -> Result<Operations, StoreError> {
        let start = Instant::now();
        let mut carried = Carried::none();
        for row in &mut held.rows {
            carried = carried.averaged(row)?;
        }
        let done = held.store.change_enlarging(change, &mut held.x, &mut carried)?;
        self.worked.sums().changes += done;
        held.relaid |= done.cuts + done.enlarged + done.remade > 0;
        Ok(Operations {
            executed: done.filled.into(),
            passes: done.launches,
            finished: true,
            seconds: start.elapsed().as_secs_f64(),
            ..Operations::default()
        })
    }
}
impl Held {
    fn new(device: &Device, patches: &MeshOptions, surface: &Handed) -> Result<Self, StoreError> {
        let options = StoreOptions::default();
        let store = PatchStore::new(device, surface.points.len(), &surface.faces, patches, &options)?;
        let x = PatchAttribute::from_input(&store, &surface.points)?;
        let rows = surface
            .rows
            .iter()
            .map(|row| PatchAttribute::from_input(&store, row))
            .collect::<Result<_, _>>()?;
        let inputs = store.inputs::<Vertex>()?;
        let order = Some(inputs.into_iter().filter(|input| *input != NONE).collect());
        Ok(Self { store, x, rows, faces: surface.faces.clone(), order, relaid: false })
    }
    /// Moves the vertices to where those of the surface are.
    fn move_to(&mut self, points: &[Vec3]) -> Result<(), StoreError> {
        let in_order = |order: &Vec<u32>| order.iter().map(|&v| points[v as usize]).collect::<Vec<_>>();
        match &self.order {
            Some(order) => self.x.set_values(&self.store, &in_order(order)),
            None => self.x.set_values(&self.store, points),
        }
    }
}
impl Changes for InPatches {
    fn change(&mut self, surface: &mut Handed, criteria: &Criteria) -> Result<Made, AnyError> {
        self.run(surface, criteria).map_err(|error| Box::new(error) as AnyError)
    }
}
