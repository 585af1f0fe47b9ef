//! A store laid out again.
use super::attribute::PatchAttribute;
use super::carried::Carried;
use super::changes::StoreChanges;
use super::error::StoreError;
use super::layout::{Floor, Layout, Measured};
use super::options::StoreOptions;
use super::store::PatchStore;
use crate::build::MEASURES;
use crate::relay::{MoveValues, NUMBERS, NewLocalsArguments, NumberElements, RelayArguments, RelayPatches};
use ribbonmesh::device::{BufferView, BufferViewMut, ElementKind, NONE, Vec3};
use ribbonmesh::{Buffer, Device, Vertex};

/// Times that tables are made again, each time a fifth less full.
const TRIES: u32 = 4;
/// Room of a store that is enlarged, beyond what its patches have: patches that had no room get some.
const ENLARGED: StoreOptions = StoreOptions { room: 1.25, spare: 1.0, load: 0.8 };

/// Where the elements of a store have gone.
pub(super) struct Relaid {
    device: Device,
    /// New places by old ones.
    places: [Buffer<u32>; 3],
    /// Numbers of new places.
    lengths: [usize; 3],
    /// The number of the store now.
    pub number: u64,
}
impl Relaid {
    /// From a store to another one that has its elements at these places by its own ones; the other gets its
    /// input indices.
    pub fn new(from: &PatchStore, to: &mut PatchStore, places: [Buffer<u32>; 3]) -> Result<Self, StoreError> {
        let lengths = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| to.places(kind));
        let relaid = Self { device: from.device().clone(), places, lengths, number: to.number() };
        let inputs = to.take_inputs_of(from);
        let views = from.input_views();
        for ((kind, from), to) in [ElementKind::Vertex, ElementKind::Face].into_iter().zip(views).zip(inputs)
        {
            relaid.moved(kind, 1, from, to)?;
        }
        Ok(relaid)
    }
    /// Writes values of `width` words at their new places.
    pub fn moved(
        &self,
        kind: ElementKind,
        width: u32,
        from: BufferView<'_, u32>,
        to: BufferViewMut<'_, u32>,
    ) -> Result<(), StoreError> {
        let places = &self.places[kind as usize];
        let kernel = MoveValues { places: places.view(), width, from, to };
        Ok(self.device.launch_each(places.len() as u32, kernel)?)
    }
    /// Number of places of a kind.
    pub fn len(&self, kind: ElementKind) -> usize {
        self.lengths[kind as usize]
    }
}

impl PatchStore {
    /// Lays the store out again by other options, as if it were made of its patches as they are now: local
    /// indices have no gaps, patches that own nothing are gone, and there is room and there are free patches
    /// by the options. Attributes that are not carried belong to the store no longer. A few launches, and
    /// memory for both stores meanwhile.
    /// # Errors
    /// [`StoreError::OtherStore`]; an option out of range; as [`PatchStore::from_mesh`] and
    /// [`PatchStore::clean`].
    pub fn compact(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        options: &StoreOptions,
    ) -> Result<(), StoreError> {
        options.check()?;
        self.relay(x, carried, options, None).map(drop)
    }
    /// Makes room for a change that ended with an error: patches anew where they have become too large for a
    /// block, few large ones or many small ones, and where a cleanup has no room; otherwise a larger store.
    /// Where the elements have gone, if there are any patches.
    pub(super) fn make_room(
        &mut self,
        error: &StoreError,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        done: &mut StoreChanges,
    ) -> Result<Option<Relaid>, StoreError> {
        let usual = f64::from(self.patch_options().patch_size);
        let odd = error.is_of_a_block()
            || self.used() > 1 && !(usual / 2.0..=2.0 * usual).contains(&self.faces_of_a_patch());
        // not again at once: there are meshes of which no other patches come
        let mut relaid = if odd && done.remade <= done.enlarged { self.merge(x, carried)? } else { None };
        if relaid.is_none() {
            match self.enlarge(x, carried) {
                Err(full @ StoreError::Full { .. }) => relaid = Some(self.merge(x, carried)?.ok_or(full)?),
                enlarged => {
                    done.enlarged += 1;
                    return enlarged;
                }
            }
        }
        done.remade += 1;
        Ok(relaid)
    }
    /// Twice as many patches, and room for those that had none; where the elements have gone, if there are
    /// any patches.
    fn enlarge(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
    ) -> Result<Option<Relaid>, StoreError> {
        self.relay(x, carried, &ENLARGED, Some(self.typical()))
    }
    fn relay(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        options: &StoreOptions,
        enlarged: Option<Floor>,
    ) -> Result<Option<Relaid>, StoreError> {
        x.require(self)?;
        carried.require(self)?;
        if self.patches() == 0 {
            return Ok(None);
        }
        self.clean()?;
        let device = self.device().clone();
        let zeros = |kind| device.zeros(self.places(kind));
        let mut locals: [Buffer<u32>; 3] =
            [zeros(ElementKind::Vertex)?, zeros(ElementKind::Edge)?, zeros(ElementKind::Face)?];
        let mut numbers = device.zeros(NUMBERS as usize * self.patches())?;
        let kernel = NumberElements {
            store: self.view(),
            locals: new_locals(&mut locals),
            numbers: numbers.view_mut(),
        };
        device.launch(self.patches() as u32, kernel)?;
        let kept = Kept::of(&numbers.read()?);
        let mut load = options.load;
        for _ in 0..TRIES {
            let measured = Measured {
                numbers: &kept.numbers,
                firsts: kept.firsts.each_ref().map(Vec::as_slice),
                isolated: 0,
                points: 1,
            };
            let layout = Layout::new(&measured, options, load, enlarged)?;
            if let Some(relaid) = self.written(&kept, &mut locals, &layout, load)? {
                x.relay(&relaid)?;
                carried.relay(&relaid)?;
                return Ok(Some(relaid));
            }
            load *= 0.8;
        }
        Err(StoreError::TableFull { load: load / 0.8 })
    }
    /// Becomes the store of a layout; `None`, and nothing has changed, if a table has no room.
    fn written(
        &mut self,
        kept: &Kept,
        locals: &mut [Buffer<u32>; 3],
        layout: &Layout,
        load: f32,
    ) -> Result<Option<Relaid>, StoreError> {
        let device = self.device().clone();
        let mut to = self.empty_like(layout, load)?;
        let none = |kind| device.upload(&vec![NONE; self.places(kind)]);
        let mut places = [none(ElementKind::Vertex)?, none(ElementKind::Edge)?, none(ElementKind::Face)?];
        let (olds, news) = (device.upload(&kept.olds)?, device.upload(&kept.news)?);
        let mut full = device.zeros(1)?;
        let [vertices, edges, faces] = places.each_mut().map(Buffer::view_mut);
        let relay = RelayArguments {
            olds: olds.view(),
            news: news.view(),
            locals: new_locals(locals),
            vertices,
            edges,
            faces,
            full: full.view_mut(),
        };
        let patches = kept.olds.len() as u32;
        if patches > 0 {
            device.launch(patches, RelayPatches { from: self.view(), to: to.view_mut().0, relay })?;
        }
        if full.read()?[0] != 0 {
            return Ok(None);
        }
        let relaid = Relaid::new(self, &mut to, places)?;
        *self = to;
        Ok(Some(relaid))
    }
}

fn new_locals(locals: &mut [Buffer<u32>; 3]) -> NewLocalsArguments<'_> {
    let [vertices, edges, faces] = locals.each_mut().map(Buffer::view_mut);
    NewLocalsArguments { vertices, edges, faces }
}

/// Patches that own something.
struct Kept {
    /// Their old numbers.
    olds: Vec<u32>,
    /// Their new numbers by old ones.
    news: Vec<u32>,
    /// [`MEASURES`] words for each.
    numbers: Vec<u32>,
    /// Sums of owned vertices, edges and faces before each, and in all.
    firsts: [Vec<u32>; 3],
}
impl Kept {
    fn of(numbers: &[u32]) -> Self {
        let mut kept = Self {
            olds: vec![],
            news: vec![],
            numbers: vec![],
            firsts: [const { vec![] }; 3].map(|_: Vec<u32>| vec![0]),
        };
        for (old, numbers) in numbers.chunks_exact(NUMBERS as usize).enumerate() {
            let (all, owned) = numbers.split_at(MEASURES as usize);
            let owns = owned.iter().any(|&n| n > 0);
            kept.news.push(if owns { kept.olds.len() as u32 } else { NONE });
            if owns {
                kept.olds.push(old as u32);
                kept.numbers.extend(all);
                for (firsts, n) in kept.firsts.iter_mut().zip(owned) {
                    firsts.push(firsts.last().copied().unwrap_or(0) + n);
                }
            }
        }
        kept
    }
}
