//! Choice among faces with the same vertices.
use crate::fill::kernels::Flatten;
use crate::repair::RepairReport;
use crate::repair::check::NONE;
use crate::repair::kernels::note;
use crate::repair::linked::Linked;
use crate::repair::twin_kernels::{
    AddVotes, ChooseFaces, CountAtFolds, InsertFaces, PartDropped, SettleFolds, VoteOfFolds, WeighGroups,
};
use ribbonmesh::{Buffer, Result, array};

/// Faces by their vertices. Members are by face.
struct Groups {
    /// The first face with the same vertices.
    first: Buffer<u32>,
    /// Of first faces: the number of faces of this orientation, less that of the other one.
    balances: Buffer<u32>,
    /// The face that stays for this one, of a fold the first.
    kept: Buffer<u32>,
    /// 1 where that is the face itself, else 0.
    stays: Buffer<u32>,
    /// Whether there are folds.
    folds: bool,
}

impl Groups {
    /// Finds faces with the same vertices; `None` if there are none. `linked` has notes of faces that may
    /// have them. About linear in these faces; waits once if there are none, otherwise three times.
    fn of(linked: &Linked) -> Result<Option<Self>> {
        let (device, n) = (linked.faces().device(), linked.len());
        let list = array::select(&linked.notes)?;
        let count = list.len();
        if count == 0 {
            return Ok(None);
        }
        // a slot is free, so that each search ends
        let mut slots = device.unspecified::<u32>((2 * count).next_power_of_two())?;
        array::fill(&mut slots, NONE)?;
        let mut at = device.unspecified::<u32>(count)?;
        let insert = InsertFaces {
            list: list.view(),
            notes: linked.notes.view(),
            faces: linked.faces().view(),
            slots: slots.view_mut(),
            at: at.view_mut(),
        };
        device.launch_each(count as u32, insert)?;
        let mut first = array::count_up(device, n as u32)?;
        let mut balances = device.unspecified::<u32>(n)?;
        array::fill(&mut balances, 1)?;
        let mut others = device.unspecified::<u32>(n)?;
        array::fill(&mut others, NONE)?;
        let mut found = device.zeros::<u32>(2)?;
        let weigh = WeighGroups {
            list: list.view(),
            at: at.view(),
            slots: slots.view(),
            faces: linked.faces().view(),
            group: first.view_mut(),
            balances: balances.view_mut(),
            others: others.view_mut(),
            found: found.view_mut(),
        };
        device.launch_each(count as u32, weigh)?;
        if found.read()?[0] == 0 {
            return Ok(None);
        }
        let mut kept = device.unspecified::<u32>(n)?;
        let mut stays = device.unspecified::<u32>(n)?;
        let choose = ChooseFaces {
            group: first.view(),
            balances: balances.view(),
            others: others.view(),
            kept: kept.view_mut(),
            stays: stays.view_mut(),
            found: found.view_mut(),
        };
        device.launch_each(n as u32, choose)?;
        let folds = found.read()?[1] != 0;
        Ok(Some(Self { first, balances, kept, stays, folds }))
    }

    /// Decides which folds are dropped. `linked` has the faces that stay otherwise, which `list` has. Returns
    /// which of them stay; `folded` gets marks of the first faces of folds that are dropped, among all faces.
    fn settle(&self, linked: &Linked, list: &Buffer<u32>, folded: &mut Buffer<u32>) -> Result<Buffer<u32>> {
        let (device, n) = (list.device(), list.len());
        let balances = self.balances.view();
        let mut counts = device.zeros::<u32>(linked.edge_numbers)?;
        let mut folds = device.unspecified::<u32>(linked.edge_numbers)?;
        array::fill(&mut folds, NONE)?;
        let count = CountAtFolds {
            list: list.view(),
            balances,
            edges: linked.edges.view(),
            counts: counts.view_mut(),
            folds: folds.view_mut(),
        };
        device.launch_each(3 * n as u32, count)?;
        let mut parents = array::count_up(device, n as u32)?;
        let mut votes = device.unspecified::<u32>(n)?;
        let vote = VoteOfFolds {
            list: list.view(),
            balances,
            edges: linked.edges.view(),
            counts: counts.view(),
            folds: folds.view(),
            parents: parents.view_mut(),
            votes: votes.view_mut(),
        };
        device.launch_each(n as u32, vote)?;
        device.launch_each(n as u32, Flatten { parent: parents.view_mut() })?;
        let mut sums = device.zeros::<u32>(n)?;
        let add = AddVotes { parents: parents.view(), votes: votes.view(), sums: sums.view_mut() };
        device.launch_each(n as u32, add)?;
        let mut stays = device.unspecified::<u32>(n)?;
        let settle = SettleFolds {
            list: list.view(),
            parents: parents.view(),
            votes: votes.view(),
            sums: sums.view(),
            stays: stays.view_mut(),
            folded: folded.view_mut(),
        };
        device.launch_each(n as u32, settle)?;
        Ok(stays)
    }

    /// Reports the faces that go, `folded` by the marks of their first ones. Waits four times.
    fn tell(
        &self,
        folded: &Buffer<u32>,
        inputs: Option<&Buffer<u32>>,
        report: &mut RepairReport,
    ) -> Result<()> {
        let (device, n) = (folded.device(), folded.len());
        let mut of_folds = device.unspecified::<u32>(n)?;
        let mut doubled = device.unspecified::<u32>(n)?;
        let part = PartDropped {
            group: self.first.view(),
            kept: self.kept.view(),
            folded: folded.view(),
            of_folds: of_folds.view_mut(),
            doubled: doubled.view_mut(),
        };
        device.launch_each(n as u32, part)?;
        let numbers = |list: Buffer<u32>| match inputs {
            Some(inputs) => array::gather(inputs, &list)?.read(),
            None => list.read(),
        };
        if self.folds {
            report.folded_faces_dropped = numbers(array::select(&of_folds)?)?;
        }
        let doubled = array::select(&doubled)?;
        let kept = numbers(array::gather(&self.kept, &doubled)?)?;
        let pairs = numbers(doubled)?.into_iter().zip(kept);
        report.duplicate_faces_dropped = pairs.map(|(face, kept)| [face, kept]).collect();
        Ok(())
    }
}

/// Drops all faces with the same vertices but one: the first face of the orientation that more of them have
/// stays. If both orientations have the same number, the faces enclose nothing: if they are a fold of a
/// surface, which closes without them, all are dropped; otherwise the first stays, as for a sheet that has a
/// face on both sides. Sets of faces that share edges are a fold if at least half of them are met by pairs of
/// other faces.
///
/// Returns the others, linked, with notes of edges of more than two faces, and the faces of the input that
/// they are, if these are not all. `faces`: none with a vertex twice; `inputs`: the same of these. About
/// linear.
pub(crate) fn without_twins(
    vertices: usize,
    faces: Buffer<u32>,
    inputs: Option<Buffer<u32>>,
    report: &mut RepairReport,
) -> Result<(Linked, Option<Buffer<u32>>)> {
    let mut linked = Linked::of(vertices, faces, note::CROWDED | note::TWIN)?;
    let Some(groups) = Groups::of(&linked)? else { return Ok((linked, inputs)) };
    let mut folded = linked.faces().device().zeros::<u32>(linked.len())?;
    let mut list = array::select(&groups.stays)?;
    linked = linked.left(&list)?;
    if groups.folds {
        let stays = groups.settle(&linked, &list, &mut folded)?;
        let left = array::select(&stays)?;
        if left.len() < list.len() {
            linked = linked.left(&left)?;
            list = array::gather(&list, &left)?;
        }
    }
    groups.tell(&folded, inputs.as_ref(), report)?;
    let inputs = match inputs {
        Some(inputs) => array::gather(&inputs, &list)?,
        None => list,
    };
    Ok((linked, Some(inputs)))
}
