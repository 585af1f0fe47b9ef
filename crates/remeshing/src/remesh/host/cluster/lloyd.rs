//! Clusters of vertices.
use crate::remesh::cluster::assign::{Accumulate, Assign, Centres, CountNew};
use crate::remesh::cluster::fans::Divide;
use crate::remesh::cluster::parts::{
    Alone, Choose, DropFrom, DropOthers, FlagMembers, FlagNew, Heaviest, LookedArguments, NameNew, NameParts,
    RenumberClusters, UniteClusters, WeighParts,
};
use crate::remesh::cluster::seed::{Areas, FlagSeeds, Neighbours, Plant, ShortenWeights, Weigh};
use crate::remesh::cluster::{Grid, NONE, SUMS};
use glam::Vec3;
use ribbonmesh::array::{Groups, GroupsViewArguments};
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::{Buffer, Device, FlatTopology, Result, array};

/// Base-2 logarithm of the sum of all weights, about.
const WEIGHT_BITS: u32 = 36;
/// Rounds between two checks of whether all vertices are in clusters.
const ROUNDS: u32 = 8;

/// A surface that is being clustered.
pub struct Input<'a> {
    pub topology: &'a FlatTopology,
    pub x: &'a Buffer<Vec3>,
    pub grid: Grid,
    weights: Buffer<u64>,
    /// The corners at each vertex.
    pub corners: Groups,
    /// For each of these corners, the vertex after it.
    neighbours: Buffer<u32>,
}
impl<'a> Input<'a> {
    pub fn new(topology: &'a FlatTopology, x: &'a Buffer<Vec3>, grid: Grid) -> Result<Self> {
        let device = topology.device();
        let (n, f) = (topology.vertices(), topology.faces() as u32);
        let faces = topology.face_vertices();
        let (areas, area) = area(topology, x, grid)?;
        let mut weights = device.zeros::<u64>(n)?;
        let unit = if area > 0.0 { (1_u64 << WEIGHT_BITS) as f64 / area } else { 0.0 };
        let weigh =
            Weigh { areas: areas.view(), faces: faces.view().wide(), unit, weights: weights.view_mut() };
        device.launch(tiles(f), weigh)?;
        drop(areas);
        let corners = array::group_by(faces, n as u32)?;
        let mut neighbours = device.unspecified::<u32>(corners.places().len())?;
        let follow = Neighbours {
            vertices: faces.view(),
            corners: corners.places().view(),
            to: neighbours.view_mut(),
        };
        device.launch(tiles(3 * f), follow)?;
        Ok(Self { topology, x, grid, weights, corners, neighbours })
    }
    fn device(&self) -> &Device {
        self.topology.device()
    }
    fn vertices(&self) -> u32 {
        self.topology.vertices() as u32
    }
    /// The vertices after the corners of each vertex.
    pub fn neighbours(&self) -> GroupsViewArguments<'_> {
        GroupsViewArguments { starts: self.corners.starts().view(), places: self.neighbours.view() }
    }
}

/// The cluster of each vertex, and the centre of each cluster.
pub struct Clusters {
    pub of: Buffer<u32>,
    pub centres: Buffer<Vec3>,
    other: Buffer<u32>,
    sums: Buffer<u64>,
    /// For each cluster what is known of whether it may be cut, until it is divided: see
    /// [`mark_clusters`](crate::remesh::cluster::dual::mark_clusters). As many entries as vertices.
    pub cuts: Buffer<u32>,
}
impl Clusters {
    /// Makes about `count` connected clusters by `rounds` rounds of Lloyd's algorithm. If no cluster began in
    /// a component, its vertices get one cluster. Waits.
    pub fn new(input: &Input<'_>, count: u32, rounds: u32) -> Result<Self> {
        let (device, n) = (input.device(), input.vertices());
        let seeds = seeds(input, count)?;
        let clusters = seeds.len();
        let mut of = device.unspecified::<u32>(n as usize)?;
        array::fill(&mut of, NONE)?;
        let mut this = Self {
            of,
            centres: device.unspecified(clusters)?,
            other: device.unspecified(n as usize)?,
            sums: device.zeros(SUMS as usize * clusters)?,
            cuts: device.zeros(n as usize)?,
        };
        let plant = Plant {
            seeds: seeds.view(),
            x: input.x.view(),
            clusters: this.of.view_mut(),
            centres: this.centres.view_mut(),
        };
        device.launch(tiles(clusters as u32), plant)?;
        this.flood(input, false)?;
        let parts = this.parts(input, None)?;
        this.name_rest(input, &parts)?;
        for _ in 0..rounds {
            this.find_centres(input)?;
            this.assign(input, false)?;
        }
        this.find_centres(input)?;
        let parts = this.parts(input, None)?;
        this.drop_others(input, &parts, None)?;
        this.flood(input, true)?;
        this.drop_empty(input)?;
        Ok(this)
    }
    pub fn len(&self) -> u32 {
        self.centres.len() as u32
    }
    fn assign(&mut self, input: &Input<'_>, only_new: bool) -> Result<()> {
        let kernel = Assign {
            x: input.x.view(),
            neighbours: input.neighbours(),
            centres: self.centres.view(),
            from: self.of.view(),
            only_new: only_new as u32,
            to: self.other.view_mut(),
        };
        input.device().launch(tiles(input.vertices()), kernel)?;
        std::mem::swap(&mut self.of, &mut self.other);
        Ok(())
    }
    /// Assigns vertices until all that can be reached are in clusters. With `only_new`, vertices that have a
    /// cluster keep it.
    fn flood(&mut self, input: &Input<'_>, only_new: bool) -> Result<()> {
        let mut before = u32::MAX;
        loop {
            let mut counts = input.device().zeros::<u32>(1)?;
            let count = CountNew { clusters: self.of.view(), counts: counts.view_mut() };
            input.device().launch(tiles(input.vertices()), count)?;
            let left = counts.read()?[0];
            if left == 0 || left == before {
                return Ok(());
            }
            before = left;
            for _ in 0..ROUNDS {
                self.assign(input, only_new)?;
            }
        }
    }
    /// Computes the centre of each cluster.
    pub fn find_centres(&mut self, input: &Input<'_>) -> Result<()> {
        let accumulate = Accumulate {
            x: input.x.view(),
            weights: input.weights.view(),
            clusters: self.of.view(),
            grid: input.grid,
            sums: self.sums.view_mut(),
        };
        input.device().launch(tiles(input.vertices()), accumulate)?;
        let clusters = self.len();
        let (sums, centres) = (self.sums.view_mut(), self.centres.view_mut());
        input.device().launch(tiles(clusters), Centres { sums, grid: input.grid, centres })
    }
    /// The connected parts of all clusters, and of the vertices without one; where there are marks, only of
    /// the marked clusters and of those with further numbers, and each other vertex by itself.
    fn parts(&self, input: &Input<'_>, marks: Option<&Buffer<u32>>) -> Result<Buffer<u32>> {
        let (device, n) = (input.device(), input.vertices());
        let mut parts = device.unspecified::<u32>(n as usize)?;
        device.launch(tiles(n), Alone { parents: parts.view_mut() })?;
        let (neighbours, clusters) = (input.neighbours(), self.of.view());
        device.launch(
            tiles(n),
            UniteClusters { neighbours, clusters, looked: looked(marks), parents: parts.view_mut() },
        )?;
        device.launch(tiles(n), NameParts { parents: parts.view_mut() })?;
        Ok(parts)
    }
    /// Removes all parts but the heaviest from each cluster, or from each of those that [`Clusters::parts`]
    /// looked at.
    fn drop_others(
        &mut self,
        input: &Input<'_>,
        parts: &Buffer<u32>,
        marks: Option<&Buffer<u32>>,
    ) -> Result<()> {
        let (device, n) = (input.device(), input.vertices());
        let mut sums = device.zeros::<u64>(n as usize)?;
        let (weights, of) = (input.weights.view(), parts.view());
        device.launch(tiles(n), WeighParts { parts: of, weights, sums: sums.view_mut() })?;
        let mut most = device.zeros::<u64>(self.centres.len())?;
        let (clusters, sums) = (self.of.view(), sums.view());
        device.launch(tiles(n), Heaviest { parts: of, clusters, sums, most: most.view_mut() })?;
        let mut chosen = device.unspecified::<u32>(self.centres.len())?;
        array::fill(&mut chosen, NONE)?;
        let (most, least) = (most.view(), chosen.view_mut());
        device.launch(tiles(n), Choose { parts: of, clusters, sums, most, chosen: least })?;
        let (looked, chosen) = (looked(marks), chosen.view());
        let drop = DropOthers { parts: of, looked, chosen, clusters: self.of.view_mut() };
        device.launch(tiles(n), drop)
    }
    /// Makes a cluster of each part without one. Waits.
    fn name_rest(&mut self, input: &Input<'_>, parts: &Buffer<u32>) -> Result<()> {
        let (device, n) = (input.device(), input.vertices());
        let mut numbers = device.unspecified::<u32>(n as usize)?;
        let (of, clusters) = (parts.view(), self.of.view());
        device.launch(tiles(n), FlagNew { parts: of, clusters, flags: numbers.view_mut() })?;
        let more = array::exclusive_scan(&mut numbers)?;
        if more == 0 {
            return Ok(());
        }
        let (first, clusters) = (self.len(), self.of.view_mut());
        device.launch(tiles(n), NameNew { parts: of, numbers: numbers.view(), first, clusters })?;
        self.make_centres(input, first + more)
    }
    /// Removes clusters that have lost all their vertices, and renumbers the others. Waits.
    fn drop_empty(&mut self, input: &Input<'_>) -> Result<()> {
        let (device, n) = (input.device(), input.vertices());
        let mut numbers = device.zeros::<u32>(self.centres.len())?;
        device.launch(tiles(n), FlagMembers { clusters: self.of.view(), flags: numbers.view_mut() })?;
        let count = array::exclusive_scan(&mut numbers)?;
        if count < self.len() {
            let clusters = self.of.view_mut();
            device.launch(tiles(n), RenumberClusters { numbers: numbers.view(), clusters })?;
            self.make_centres(input, count)?;
        }
        Ok(())
    }
    /// Makes room for the centres of `count` clusters, and computes them.
    fn make_centres(&mut self, input: &Input<'_>, count: u32) -> Result<()> {
        self.centres = input.device().zeros(count as usize)?;
        self.sums = input.device().zeros(SUMS as usize * count as usize)?;
        self.find_centres(input)
    }
    /// The vertices of each cluster.
    pub fn members(&self) -> Result<Groups> {
        array::group_by(&self.of, self.len())
    }
    /// Divides marked clusters into `runs`, and makes clusters of the parts that are not connected then.
    /// Waits.
    pub fn divide(
        &mut self,
        input: &Input<'_>,
        members: &Groups,
        marks: &Buffer<u32>,
        runs: u32,
    ) -> Result<()> {
        let (device, n, count) = (input.device(), input.vertices(), self.len());
        let divide = Divide {
            members: members.view(),
            marks: marks.view(),
            parts: runs,
            clusters: self.of.view_mut(),
            cuts: self.cuts.view_mut(),
        };
        device.launch(tiles(count), divide)?;
        // all other clusters are connected
        let parts = self.parts(input, Some(marks))?;
        device.launch(tiles(n), DropFrom { count, clusters: self.of.view_mut() })?;
        self.drop_others(input, &parts, Some(marks))?;
        self.name_rest(input, &parts)
    }
}

/// The clusters of which parts are looked at.
fn looked(marks: Option<&Buffer<u32>>) -> LookedArguments<'_> {
    LookedArguments { marks: marks.map_or(BufferView::empty(), Buffer::view) }
}

/// The areas of the faces, and their sum, in the unit of the grid.
pub fn area(topology: &FlatTopology, x: &Buffer<Vec3>, grid: Grid) -> Result<(Buffer<f32>, f64)> {
    let (device, f) = (topology.device(), topology.faces() as u32);
    let mut areas = device.unspecified::<f32>(f as usize)?;
    let (faces, scale) = (topology.face_vertices().view().wide(), grid.scale);
    device.launch(tiles(f), Areas { x: x.view(), faces, scale, areas: areas.view_mut() })?;
    let sum = array::sum(&areas)?;
    Ok((areas, sum))
}

/// The vertices at which equal parts of the total weight end, in the order of the ids.
fn seeds(input: &Input<'_>, count: u32) -> Result<Buffer<u32>> {
    let (device, n) = (input.device(), input.vertices());
    let mut sums = device.unspecified::<u32>(n as usize)?;
    let (weights, shift) = (input.weights.view(), WEIGHT_BITS - 30);
    device.launch(tiles(n), ShortenWeights { weights, shift, to: sums.view_mut() })?;
    let total = array::inclusive_scan(&mut sums)?;
    let mut flags = device.unspecified::<u32>(n as usize)?;
    let flag = FlagSeeds { sums: sums.view(), total, clusters: count, flags: flags.view_mut() };
    device.launch(tiles(n), flag)?;
    array::select(&flags)
}
