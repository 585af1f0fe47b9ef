//! Distances of nodes from the triangles, computed near the surface.
use crate::fill::kernels::Flatten;
use crate::inside::InsideTest;
use crate::inside::kernels::Border;
use crate::wrap::grid::{Grid, NODES, ROWS};
use crate::wrap::kernels::field::{
    AT_ONCE, CloseRows, CopyTo, FlagAskedNodes, FlagContradicted, FlagMiddles, FlagNear, FlagUnlike,
    GiveSlots, OpenRows, RowValues, SetStates, TakeMiddles, TakeNodes, TurnInside, TurnRows, Within,
};
use crate::wrap::kernels::parts::{
    CloseBlocks, CountParts, DecideParts, ListParts, PartsArguments, ReachedNodes, TakeParts, UniteBlocks,
    UniteParts,
};
use crate::wrap::kernels::{OUTSIDE, ValuesArguments};
use glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result, array};

/// Accuracy of winding numbers, see [`InsideTest::winding`].
const BETA: f32 = 1.25;
/// Most blocks whose winding numbers are computed at once.
const BLOCKS_AT_ONCE: u32 = 1 << 14;
/// Most edges of the border that are compared with each block.
const MOST_OF_BORDER: usize = 1 << 14;

/// Values at the nodes of the blocks near the surface: positive outside, negative inside. A value is the
/// distance from the surface at `offset` cubes from the triangles, in cubes. All nodes of other blocks are on
/// the same side. All of it is on the device.
pub(crate) struct Field {
    grid: Grid,
    /// For each block its state: the slot of its values, or its side.
    states: Buffer<u32>,
    /// The block of each slot.
    near: Buffer<u32>,
    /// [`NODES`] for each slot.
    values: Buffer<f32>,
}

/// Source of the values.
pub(crate) struct Source<'a> {
    /// The triangles.
    pub test: InsideTest<'a>,
    /// Distance of the surface from the triangles, in cubes.
    offset: f64,
    /// The box of the triangles.
    within: Within,
    /// The border of the triangles, if points whose winding number is more than one half, in either
    /// orientation, are inside, and if there are such points beyond cavities.
    border: Option<Buffer<Border>>,
}

impl<'a> Source<'a> {
    /// The triangles of a test, in a box, and whether winding numbers matter. Waits.
    pub fn new(test: InsideTest<'a>, offset: f64, [low, high]: [Vec3; 2], winding: bool) -> Result<Self> {
        // whole winding numbers change only across faces: they are 0 at nodes that are reached from outside,
        // and others are in cavities
        let border = if winding && !test.is_cycle()? { Some(test.border()?) } else { None };
        Ok(Self { test, offset, within: Within { low, high }, border })
    }
    /// Distances are computed up to this many cubes from the triangles. Where the nodes of an edge, or of a
    /// diagonal of a cube, are on different sides, they are less than two cubes farther than the offset.
    fn reach(&self) -> f64 {
        self.offset + 2.0
    }
}

impl Field {
    /// Computes values near the triangles; and where the surface passes between blocks that are far from
    /// them: across holes. Waits.
    pub fn new(grid: Grid, source: &mut Source<'_>) -> Result<Self> {
        let device = source.test.device().clone();
        let blocks = grid.count();
        let mut flags = device.unspecified::<u32>(blocks as usize)?;
        let mut states = device.unspecified::<u32>(blocks as usize)?;
        array::fill(&mut states, OUTSIDE)?;
        let near =
            FlagNear { grid, bvh: source.test.tree().view(), reach: source.reach(), near: flags.view_mut() };
        device.launch_each(blocks, near)?;
        let mut field = Self { grid, states, near: device.zeros(0)?, values: device.zeros(0)? };
        field.add(source, array::select(&flags)?)?;
        if source.border.is_none() {
            return Ok(field);
        }
        field.set_sides(source, &mut flags)?;
        let unlike = FlagUnlike { grid, states: field.states.view(), flags: flags.view_mut() };
        device.launch_each(blocks, unlike)?;
        loop {
            let list = array::select(&flags)?;
            if !list.is_empty() {
                field.add(source, list)?;
            }
            device.launch_each(blocks, FlagContradicted { field: field.view(), flags: flags.view_mut() })?;
            if array::max(&flags)? != Some(1) {
                return Ok(field);
            }
        }
    }
    /// Computes the values of more blocks.
    fn add(&mut self, source: &mut Source<'_>, list: Buffer<u32>) -> Result<()> {
        let (device, grid) = (self.device().clone(), self.grid);
        let (first, more) = (self.slots(), list.len() as u32);
        let nodes = u64::from(NODES) * (u64::from(first) + u64::from(more));
        let limit = u64::from(u32::MAX);
        if nodes > limit {
            return Err(Error::TooMany { what: "nodes of the grid", count: nodes, limit });
        }
        let slots = GiveSlots { list: list.view(), first, states: self.states.view_mut() };
        device.launch_each(more, slots)?;
        let mut values = device.unspecified::<f32>((NODES * more) as usize)?;
        let rows = RowValues {
            grid,
            bvh: source.test.tree().view(),
            list: list.view(),
            reach: source.reach(),
            offset: source.offset,
            values: values.view_mut(),
        };
        device.launch((ROWS * more).div_ceil(AT_ONCE), rows)?;
        self.near = joined(std::mem::replace(&mut self.near, device.zeros(0)?), list)?;
        self.values = joined(std::mem::replace(&mut self.values, device.zeros(0)?), values)?;
        for from in (first..first + more).step_by(BLOCKS_AT_ONCE as usize) {
            self.turn_inside(source, from, BLOCKS_AT_ONCE.min(first + more - from))?;
        }
        Ok(())
    }
    /// Turns the values of nodes inside, in some slots from `first` on, by their winding numbers. One node of
    /// each part of a block decides about the part, unless the border of the triangles is too near.
    fn turn_inside(&mut self, source: &mut Source<'_>, first: u32, slots: u32) -> Result<()> {
        let (device, grid, within) = (self.device().clone(), self.grid, source.within);
        let Some(border) = &source.border else { return Ok(()) };
        let (rows, offset) = (ROWS * slots, source.offset);
        let mut asked = device.unspecified::<u8>(rows as usize)?;
        let open = OpenRows { values: self.values.view(), first: ROWS * first, open: asked.view_mut() };
        device.launch_each(rows, open)?;
        if border.len() <= MOST_OF_BORDER {
            let Connected { starts, parts } = Connected::of(&asked, slots)?;
            let mut points = device.unspecified::<Vec3>(parts.len())?;
            let take = TakeParts {
                grid,
                near: self.near.view(),
                first,
                starts: starts.view(),
                parts: parts.view(),
                points: points.view_mut(),
            };
            device.launch_each(slots, take)?;
            let winding = source.test.winding(&points, BETA)?;
            let mut solid = device.unspecified::<u8>(rows as usize)?;
            let decide = DecideParts {
                grid,
                near: self.near.view(),
                first,
                starts: starts.view(),
                parts: parts.view(),
                winding: winding.view(),
                border: border.view(),
                solid: solid.view_mut().wide(),
                asked: asked.view_mut().wide(),
            };
            device.launch_each(slots, decide)?;
            let turn = TurnRows {
                grid,
                near: self.near.view(),
                first,
                within,
                offset,
                solid: solid.view(),
                values: self.values.view_mut(),
            };
            device.launch_each(rows, turn)?;
        }
        let mut flags = device.unspecified::<u32>((NODES * slots) as usize)?;
        let flag = FlagAskedNodes {
            grid,
            near: self.near.view(),
            first,
            within,
            asked: asked.view(),
            flags: flags.view_mut(),
        };
        device.launch_each(NODES * slots, flag)?;
        let list = array::select(&flags)?;
        drop(flags);
        let n = list.len() as u32;
        let mut points = device.unspecified::<Vec3>(list.len())?;
        let (near, at) = (self.near.view(), list.view());
        device.launch_each(n, TakeNodes { grid, near, first, list: at, points: points.view_mut() })?;
        let winding = source.test.winding(&points, BETA)?;
        let turn = TurnInside {
            list: list.view(),
            winding: winding.view(),
            first,
            offset,
            values: self.values.view_mut(),
        };
        device.launch_each(n, turn)
    }
    /// Sets the sides of the blocks without values by the winding numbers of their middles.
    fn set_sides(&mut self, source: &mut Source<'_>, flags: &mut Buffer<u32>) -> Result<()> {
        let (device, grid, within) = (self.device().clone(), self.grid, source.within);
        let middles = FlagMiddles { grid, states: self.states.view(), within, flags: flags.view_mut() };
        device.launch_each(grid.count(), middles)?;
        let list = array::select(flags)?;
        let n = list.len() as u32;
        let mut points = device.unspecified::<Vec3>(list.len())?;
        device.launch_each(n, TakeMiddles { grid, list: list.view(), points: points.view_mut() })?;
        let winding = source.test.winding(&points, BETA)?;
        let states = self.states.view_mut();
        device.launch_each(n, SetStates { list: list.view(), winding: winding.view(), states })
    }

    /// Makes all values negative at nodes that cannot be reached from the border of the grid along edges of
    /// cubes: this closes cavities. Waits.
    pub fn close_cavities(&mut self) -> Result<()> {
        let (device, grid, slots) = (self.device().clone(), self.grid, self.slots());
        let blocks = grid.count();
        let mut open = device.unspecified::<u8>((ROWS * slots) as usize)?;
        let rows = OpenRows { values: self.values.view(), first: 0, open: open.view_mut() };
        device.launch_each(ROWS * slots, rows)?;
        let Connected { starts, parts } = Connected::of(&open, slots)?;
        let count = parts.len() as u32;
        let elements = u64::from(count) + u64::from(blocks);
        let limit = u64::from(u32::MAX);
        if elements > limit {
            return Err(Error::TooMany { what: "parts of blocks", count: elements, limit });
        }
        let mut parents = array::count_up(&device, count + blocks)?;
        let of = PartsArguments {
            grid,
            states: self.states.view(),
            near: self.near.view(),
            starts: starts.view(),
            parts: parts.view(),
            count,
        };
        let states = self.states.view();
        device
            .launch_each(blocks, UniteBlocks { grid, states, parts: count, parents: parents.view_mut() })?;
        device.launch_each(slots, UniteParts { of, parents: parents.view_mut() })?;
        device.launch_each(count + blocks, Flatten { parent: parents.view_mut() })?;
        // the open nodes are not needed any more
        let mut reached = open;
        let nodes = ReachedNodes { of, roots: parents.view(), reached: reached.view_mut().wide() };
        device.launch_each(slots, nodes)?;
        let close = CloseRows { reached: reached.view(), values: self.values.view_mut() };
        device.launch_each(ROWS * slots, close)?;
        let close = CloseBlocks { parts: count, roots: parents.view(), states: self.states.view_mut() };
        device.launch_each(blocks, close)
    }

    /// The grid, the states of blocks, and the values.
    #[cfg(test)]
    pub fn read(&self) -> Result<(Grid, Vec<u32>, Vec<f32>)> {
        Ok((self.grid, self.states.read()?, self.values.read()?))
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.states.device()
    }
    /// Number of blocks with values.
    pub fn slots(&self) -> u32 {
        self.near.len() as u32
    }
    /// Number of nodes that have values.
    pub fn nodes(&self) -> usize {
        self.values.len()
    }
    /// As an argument of kernels.
    pub fn view(&self) -> ValuesArguments<'_> {
        let Self { grid, states, near, values } = self;
        ValuesArguments { grid: *grid, states: states.view(), near: near.view(), values: values.view() }
    }
}

/// Parts of blocks: sets of nodes that are connected along edges of cubes.
struct Connected {
    /// The first part of each block, and the number of all.
    starts: Buffer<u32>,
    /// The parts.
    parts: Buffer<[u64; 8]>,
}
impl Connected {
    /// The parts of some nodes, given a byte for each row of each of `slots` blocks.
    fn of(nodes: &Buffer<u8>, slots: u32) -> Result<Self> {
        let device = nodes.device();
        let mut starts = device.zeros::<u32>(slots as usize + 1)?;
        let count = CountParts { open: nodes.view().wide(), counts: starts.view_mut() };
        device.launch_each(slots, count)?;
        let count = array::exclusive_scan(&mut starts)?;
        let mut parts = device.unspecified::<[u64; 8]>(count as usize)?;
        let list = ListParts { open: nodes.view().wide(), starts: starts.view(), parts: parts.view_mut() };
        device.launch_each(slots, list)?;
        Ok(Self { starts, parts })
    }
}

/// The elements of one list, and after them those of another one. Elements are words.
fn joined<T: ribbonmesh::device::Pod>(first: Buffer<T>, second: Buffer<T>) -> Result<Buffer<T>> {
    if first.is_empty() {
        return Ok(second);
    }
    let device = first.device();
    let mut all = device.unspecified::<T>(first.len() + second.len())?;
    for (at, part) in [(0, &first), (first.len(), &second)] {
        let copy = CopyTo { from: part.view().wide(), at: at as u32, to: all.view_mut().wide() };
        device.launch_each(part.len() as u32, copy)?;
    }
    Ok(all)
}
