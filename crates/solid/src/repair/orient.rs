//! Orientation of faces, on their device.
use crate::fill::kernels::Flatten;
use crate::repair::check::NONE;
use crate::repair::linked::{Linked, set};
use crate::repair::orient_kernels::{
    BeginSidedLinks, ChooseTurned, CountLinks, FindSmall, FindWrong, FlagWrong, FlattenLinks, UniteAgreeing,
    UniteSides,
};
use crate::repair::part::{Left, parents};
use crate::repair::patches::{Cuts, cuts};
use crate::repair::{EdgeCut, RepairReport};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// Sets of faces that are linked, directly or by way of others, and the side of its set on which each face
/// is: faces on one side agree.
pub(crate) struct Orientation {
    /// For each face twice the least face of its set, and 1 more if it is on the other side than that face.
    links: Buffer<u32>,
    /// Number of faces with each of these numbers.
    sizes: Buffer<u32>,
    /// Of a part of a mesh, what its faces stand for.
    left: Option<Left>,
}

impl Orientation {
    /// Orients faces. Cuts edges where faces cannot be oriented, and reports them. Waits once if no face has
    /// to be cut, and not at all if no faces disagree.
    pub fn of(
        linked: &mut Linked,
        inputs: Option<&Buffer<u32>>,
        left: Option<Left>,
        report: &mut RepairReport,
    ) -> Result<Self> {
        let found = Self::new(linked, left)?;
        if !linked.disagrees {
            return Ok(found);
        }
        let cuts = found.cuts(linked, inputs)?;
        if cuts.sides.is_empty() {
            return Ok(found);
        }
        let cut: Vec<u32> = cuts.sides.iter().flat_map(|side| [side.side, side.across]).collect();
        set(&mut linked.across, &cut, &vec![NONE; cut.len()])?;
        let cut = cuts.sides.iter().map(|side| EdgeCut { edge: side.edge(), faces: side.inputs });
        report.edges_cut = cut.collect();
        report.edges_cut.sort_unstable_by_key(|cut| (cut.edge, cut.faces));
        report.nonorientable_components = cuts.components;
        Self::new(linked, found.left)
    }
    /// Unites faces that are linked.
    fn new(linked: &Linked, left: Option<Left>) -> Result<Self> {
        let (device, n) = (linked.faces().device(), linked.len());
        let links = match &left {
            // before all others: no edge of a part contradicts what is not in it
            Some(left) => left.links(device)?,
            None => {
                let mut links = device.unspecified::<u32>(n)?;
                device.launch_each(n as u32, BeginSidedLinks { links: links.view_mut() })?;
                links
            }
        };
        let mut found = Self { links, sizes: device.unspecified::<u32>(0)?, left };
        found.unite(linked)?;
        Ok(found)
    }
    /// Unites faces that are linked, after more of them were. Waits only for those of a part.
    pub fn unite(&mut self, linked: &Linked) -> Result<()> {
        let (device, n) = (linked.faces().device(), linked.len() as u32);
        let (faces, across) = (linked.faces().view(), linked.across.view());
        device.launch_each(3 * n, UniteSides { faces, across, links: self.links.view_mut() })?;
        device.launch_each(n, FlattenLinks { links: self.links.view_mut() })?;
        if let Some(left) = &self.left {
            self.sizes = left.sizes(&self.links)?;
            return Ok(());
        }
        self.sizes = device.zeros::<u32>(2 * n as usize)?;
        let count = CountLinks { faces: n, links: self.links.view(), sizes: self.sizes.view_mut() };
        device.launch(tiles(n), count)
    }
    /// Finds the edges to cut. Waits once if there are none; otherwise reads the edges where faces disagree
    /// in sets that cannot be oriented, and the patches there.
    fn cuts(&self, linked: &Linked, inputs: Option<&Buffer<u32>>) -> Result<Cuts> {
        let (device, n) = (linked.faces().device(), linked.len());
        let (faces, across, links) = (linked.faces().view(), linked.across.view(), self.links.view());
        let mut wrong = device.zeros::<u32>(n)?;
        let mut found = device.zeros::<u32>(1)?;
        let find = FindWrong { faces, across, links, wrong: wrong.view_mut(), found: found.view_mut() };
        device.launch_each(3 * n as u32, find)?;
        if found.read()? == [0] {
            return Ok(Cuts::default());
        }
        let mut flags = device.unspecified::<u32>(3 * n)?;
        let flag = FlagWrong { faces, across, links, wrong: wrong.view(), flags: flags.view_mut() };
        device.launch_each(3 * n as u32, flag)?;
        let sides = linked.listed(&array::select(&flags)?, inputs)?;
        let mut parents = parents(device, n, self.left.as_ref())?;
        device.launch_each(3 * n as u32, UniteAgreeing { faces, across, parents: parents.view_mut() })?;
        device.launch_each(n as u32, Flatten { parent: parents.view_mut() })?;
        let ends: Vec<u32> = sides.iter().flat_map(|side| [side.side / 3, side.across / 3]).collect();
        let patches = array::gather(&parents, &device.upload(&ends)?)?.read()?;
        Ok(cuts(sides, patches.as_chunks().0))
    }
    /// Whether each face is turned: 1, else 0. Of the two orientations of a set, the one that turns fewer
    /// faces is taken; if both turn the same number, that of its first face.
    pub fn turned(&self) -> Result<Buffer<u32>> {
        let (device, n) = (self.links.device(), self.links.len());
        let mut turned = device.unspecified::<u32>(n)?;
        let (links, sizes) = (self.links.view(), self.sizes.view());
        device.launch_each(n as u32, ChooseTurned { links, sizes, turned: turned.view_mut() })?;
        Ok(turned)
    }
    /// The least face of the set of each listed face, and whether the face is turned: 1, else 0. Waits.
    pub fn of_faces(&self, list: &Buffer<u32>) -> Result<[Vec<u32>; 2]> {
        let mut roots = array::gather(&self.links, list)?.read()?;
        roots.iter_mut().for_each(|link| *link >>= 1);
        Ok([roots, array::gather(&self.turned()?, list)?.read()?])
    }
    /// Whether the set of each face has fewer faces than `below`, and whether it stays: 1, else 0.
    pub fn small(&self, below: u32) -> Result<[Buffer<u32>; 2]> {
        let (device, n) = (self.links.device(), self.links.len());
        let mut small = device.unspecified::<u32>(n)?;
        let mut stays = device.unspecified::<u32>(n)?;
        let find = FindSmall {
            links: self.links.view(),
            sizes: self.sizes.view(),
            below,
            small: small.view_mut(),
            stays: stays.view_mut(),
        };
        device.launch_each(n as u32, find)?;
        Ok([small, stays])
    }
}
