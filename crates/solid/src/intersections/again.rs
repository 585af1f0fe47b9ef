//! Repeated searches of a mesh of which few faces change in between.
use crate::intersections::find::{Intersections, Triangles, of_tree};
use crate::intersections::kernels::{FindListed, ListFaces, MET, NO_PLACE, NO_ROOM, OpenArguments};
use crate::intersections::open::OpenPairs;
use crate::intersections::parts::TRIANGLES;
use ribbonmesh::bvh::{BvhViewArguments, RefitBvh};
use ribbonmesh::{Buffer, Error, Result};

/// A tree for repeated searches of a mesh whose faces change in place.
///
/// A face with a vertex that does not exist, such as [`NONE`](ribbonmesh::device::NONE), is none: so faces
/// that are deleted keep their places.
#[derive(Default)]
pub struct SearchAgain {
    tree: Option<RefitBvh>,
}

/// Faces of a list, and whether each of them intersects another face.
pub struct Met {
    /// The faces, in the order of the list.
    pub faces: Buffer<u32>,
    /// 1 for each that intersects another one, else 0.
    pub intersects: Buffer<u32>,
    /// Number of those that do.
    pub count: u32,
}

impl SearchAgain {
    /// Takes faces as they are now: fits the tree of the last search to them, or makes a new one if their
    /// number has changed.
    /// # Errors
    /// As [`RefitBvh::new`].
    pub fn update(&mut self, mesh: Triangles<'_>) -> Result<()> {
        mesh.check_lengths()?;
        match &mut self.tree {
            Some(tree) if tree.faces() == mesh.len() as usize => tree.refit(mesh.positions, mesh.faces),
            tree => {
                *tree = None;
                *tree = Some(RefitBvh::new(mesh.positions, mesh.faces)?);
                Ok(())
            }
        }
    }
    /// The tree as an argument of kernels; `None` before the first update.
    pub fn view(&self) -> Option<BvhViewArguments<'_>> {
        self.tree.as_ref().map(RefitBvh::view)
    }
    /// Finds all pairs of faces that intersect, as
    /// [`self_intersections`](crate::intersections::self_intersections). `mesh` is that of the last update.
    /// Waits.
    /// # Errors
    /// As [`SearchAgain::meet_others`]; as [`self_intersections`](crate::intersections::self_intersections).
    pub fn all(&self, mesh: Triangles<'_>) -> Result<Intersections> {
        let tree = self.tree_of(mesh)?;
        of_tree(mesh, tree.view(), tree.check(mesh.positions, mesh.faces)?)
    }
    /// Tests the faces at some places in the order of the tree
    /// ([`BvhView::place_of`](ribbonmesh::bvh::BvhView::place_of)): whether each intersects another face. See
    /// the [documentation of the module](crate::intersections) for the definition. `mesh` is that of the last
    /// update. The same on every machine. Fastest if the places ascend. Waits.
    /// # Errors
    /// [`Error::Invalid`] before the first update; [`Error::OtherDevice`]; [`Error::Length`] for another
    /// mesh; [`Error::Invalid`] for a place that does not exist; as [`RefitBvh::check`].
    pub fn meet_others(&self, mesh: Triangles<'_>, places: &Buffer<u32>) -> Result<Met> {
        let (device, n) = (mesh.device(), places.len());
        let tree = self.tree_of(mesh)?;
        if !places.device().same(device) {
            return Err(Error::OtherDevice { what: "the list of places" });
        }
        let mut listed = device.unspecified::<u32>(n)?;
        let mut found = device.zeros::<u32>(n)?;
        if n == 0 {
            return Ok(Met { faces: listed, intersects: found, count: 0 });
        }
        let faces = tree.faces();
        let no_place = |place| Error::Invalid(format!("a list names place {place}; there are {faces} faces"));
        if faces == 0 {
            return Err(no_place(places.read_range(0, 1)?[0]));
        }
        let mut counts = device.zeros::<u32>(3)?;
        let list = ListFaces {
            bvh: tree.view(),
            places: places.view(),
            listed: listed.view_mut(),
            counts: counts.view_mut(),
        };
        device.launch_each(n as u32, list)?;
        let exact = mesh.view_in(tree.check(mesh.positions, mesh.faces)?);
        let find = |open: OpenArguments<'_>, first, n: u32| {
            let (bvh, faces, places) = (tree.view(), exact, places.view());
            device.launch(n.div_ceil(TRIANGLES), FindListed { bvh, faces, places, first, n, open })
        };
        let mut open = OpenPairs::new(device, n as u32, faces as u32)?;
        loop {
            open.search(n as u32, find, |open| open.decide_listed(mesh, &listed, &mut found, &mut counts))?;
            let all = counts.read()?;
            match all[NO_PLACE as usize] {
                0 if all[NO_ROOM as usize] == 0 => {
                    return Ok(Met { faces: listed, intersects: found, count: all[MET as usize] });
                }
                // the next search takes parts for which there is room
                0 => counts.clear()?,
                beyond => return Err(no_place(beyond - 1)),
            }
        }
    }
    fn tree_of(&self, mesh: Triangles<'_>) -> Result<&RefitBvh> {
        let Some(tree) = &self.tree else {
            return Err(Error::Invalid("a search without a tree: update comes first".into()));
        };
        mesh.check_lengths()?;
        if mesh.len() as usize != tree.faces() {
            let (expected, found) = (tree.faces(), mesh.len() as usize);
            return Err(Error::Length { what: "faces", expected, found });
        }
        Ok(tree)
    }
}
