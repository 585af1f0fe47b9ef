//! An additive Schwarz method.
use super::aggregates::strengths;
use super::blocks::Blocks;
use super::diagonal;
use super::error::{MultigridError, Result, length};
use super::numbers::Numbers;
use crate::device::domains::{
    AdvanceDomains, BeginBlocks, BeginDomains, DomainsArguments, FactorDomains, FactorsArguments,
    FlagDomains, FlagEdges, FollowJoins, GrowDomains, GrowthArguments, ListEdges, SlotsOfNodes, SolveDomains,
    StepsArguments, TilesOfDomains,
};
use crate::device::tiles::{MOST, STRIDE};
use ribbonmesh::array::Groups;
use ribbonmesh::device::{BufferView, GridArgument, NONE, Quad};
use ribbonmesh::{Buffer, array};
use ribbonmesh_linear::{Preconditioner, Run, Vector, Vectors};

/// Blocks of [`AdvanceDomains`] that a multiprocessor holds: more would wait for the sums of those before.
const RESIDENT: u32 = 4;
/// Blocks for each multiprocessor in which domains grow.
const BLOCKS: u32 = 3;

/// A preconditioner for symmetric positive definite matrices with one unknown for each node: exact solutions
/// on domains of few nodes that have no node in common (an additive Schwarz method without overlap).
///
/// Nodes that depend on each other most are in one domain, so that slivers of a mesh, whose vertices are
/// coupled a thousand times as stiffly as others, cost no iterations; strips of them longer than a domain do.
/// Iterations grow with the mesh as those of Jacobi's method do. All is made on the device, has the same bits
/// in every run, and is kept in single precision: a triangle of numbers for each domain.
///
/// [`Schwarz::apply`] takes vectors in the order of nodes. Conjugate gradients whose matrix and vectors are
/// in the [order](Schwarz::order) of domains read and write neighbouring numbers, and can do with two
/// launches in an iteration, of which [`Schwarz::advance`] is one.
pub struct Schwarz {
    size: u32,
    /// The number of domains.
    count: u32,
    /// The domain of each node.
    of: Buffer<u32>,
    /// The nodes of each domain.
    domains: Groups,
    /// The place of each node in the order of domains.
    slots: Buffer<u32>,
    /// The first tile and the first row of each block of threads, and the end.
    blocks: Buffer<u64>,
    /// The inverses of triangular factors, by tiles.
    tiles: Buffer<Quad>,
    /// The place of each tile.
    places: Buffer<u32>,
    /// The place of each row, in the order of domains.
    rows: Buffer<u32>,
    /// The inverses of pivots, in the order of domains.
    pivots: Buffer<f32>,
}
/// A vector of up to four numbers for each node, in words of 16 bytes.
pub type Words = Buffer<[f32; 4]>;
impl Schwarz {
    /// Domains of at most `size` nodes, 1 to 64, for a matrix of blocks of 1 × 1. About 30 launches; waits a
    /// few times.
    /// # Errors
    /// [`MultigridError::Option`] for another size; [`MultigridError::Size`] for other blocks;
    /// [`MultigridError::NotPositive`] names the first row whose diagonal is missing or not positive;
    /// [`ribbonmesh::Error::Length`] for a matrix that is not square; out of memory; errors of the driver.
    pub fn new(matrix: &Blocks<f64>, size: u32) -> Result<Self> {
        if !(1..=MOST).contains(&size) {
            let (option, value) = ("nodes of a domain", f64::from(size));
            return Err(MultigridError::Option { option, value, expected: "1 to 64" });
        }
        let [height, width] = matrix.shape();
        if [height, width] != [1, 1] {
            return Err(MultigridError::Size {
                what: "a matrix of blocks",
                height,
                width,
                expected: "1 x 1",
            });
        }
        length("columns of a square matrix", matrix.pattern().rows(), matrix.pattern().columns())?;
        let (of, count) = domains(matrix, size)?;
        let (device, nodes) = (matrix.device(), of.len() as u32);
        let groups = array::group_by(&of, count)?;
        let mut slots = device.unspecified::<u32>(nodes as usize)?;
        device.launch_each(nodes, SlotsOfNodes { nodes: groups.places().view(), to: slots.view_mut() })?;
        let mut offsets = device.unspecified::<u32>(count as usize + 1)?;
        let kernel =
            TilesOfDomains { domains: count, starts: groups.starts().view(), to: offsets.view_mut() };
        device.launch_each(count + 1, kernel)?;
        let all = array::exclusive_scan(&mut offsets)?;
        let mut blocks = device.unspecified::<u64>((all / STRIDE) as usize + 2)?;
        let (offsets, starts) = (offsets.view(), groups.starts().view());
        device.launch_each(count + 1, BeginBlocks { offsets, starts, to: blocks.view_mut() })?;
        let mut tiles = device.unspecified::<Quad>(16 * all as usize)?;
        let (mut places, mut rows) =
            (device.unspecified::<u32>(all as usize)?, device.unspecified::<u32>(nodes as usize)?);
        let mut pivots = device.unspecified::<f32>(nodes as usize)?;
        let mut wrong = device.upload(&[NONE])?;
        let kernel = FactorDomains {
            most: size,
            groups: groups.view(),
            of: of.view(),
            slots: slots.view(),
            rows: matrix.pattern.view(),
            values: matrix.values.view(),
            offsets,
            blocks: blocks.view(),
            to: FactorsArguments {
                tiles: tiles.view_mut(),
                places: places.view_mut(),
                rows: rows.view_mut(),
                pivots: pivots.view_mut(),
            },
            wrong: wrong.view_mut(),
        };
        device.launch(count, kernel)?;
        diagonal::found(&wrong)?;
        Ok(Self { size, count, of, domains: groups, slots, blocks, tiles, places, rows, pivots })
    }
    /// The domain of each node.
    pub fn domains(&self) -> &Buffer<u32> {
        &self.of
    }
    /// The nodes, one domain after the other; nodes of a domain ascend.
    pub fn order(&self) -> &Buffer<u32> {
        self.domains.places()
    }
    /// The place of each node in the [`Schwarz::order`].
    pub fn slots(&self) -> &Buffer<u32> {
        &self.slots
    }
    /// The number of domains.
    pub fn len(&self) -> usize {
        self.count as usize
    }
    /// Whether there are no domains.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        let nodes = self.of.bytes() + self.slots.bytes() + self.domains.bytes();
        nodes + self.bytes_of_advance()
    }
    /// Bytes of domains that [`Schwarz::advance`] reads, of which most are triangles.
    pub fn bytes_of_advance(&self) -> usize {
        let tiles = self.blocks.bytes() + self.tiles.bytes() + self.places.bytes();
        tiles + self.rows.bytes() + self.pivots.bytes()
    }
    /// z = M r for vectors with `lanes` numbers for each node, which are next to each other, 1 to 32. One
    /// launch; does not wait; does nothing if `state` is that of a solve that has ended, and not empty.
    /// # Errors
    /// [`MultigridError::Option`] for other lanes; [`ribbonmesh::Error::Length`]; errors of launches.
    pub fn apply<X: Vector<Real: Numbers>>(
        &self,
        lanes: u32,
        state: BufferView<'_, f64>,
        r: &X,
        z: &mut X,
    ) -> Result<()> {
        if !(1..=32).contains(&lanes) {
            let (option, value) = ("lanes", f64::from(lanes));
            return Err(MultigridError::Option { option, value, expected: "1 to 32" });
        }
        let numbers = self.of.len() * lanes as usize;
        length("numbers of the residual", numbers, r.numbers().len())?;
        length("numbers of the result", numbers, z.numbers().len())?;
        let (order, domains) = (self.order().view(), self.view());
        let kernel = SolveDomains { lanes, state, order, domains, r: r.numbers(), z: z.numbers_mut() };
        Ok(self.of.device().launch(self.blocks(), kernel)?)
    }
    /// The end of an iteration of conjugate gradients, for vectors of three numbers for each node in the
    /// [order](Schwarz::order) of domains: x += α p, r -= α q, z = S M r, and the scalars of the next
    /// direction, z + β p. S is diagonal; with factors other than 1, x, p and z are S times those of the
    /// matrix whose domains these are, r and q are its own. One launch; does not wait.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of launches.
    pub fn advance(
        &self,
        scales: &Buffer<f32>,
        with: &mut Vectors<Words>,
        x: &mut Words,
        z: &mut Words,
        run: &mut Run,
    ) -> Result<()> {
        let Vectors { r, p, q } = with;
        length("numbers of the direction", self.of.len(), p.len())?;
        length("numbers of the product", self.of.len(), q.len())?;
        self.steps(scales, Some([p, q]), [x, r, z], run)
    }
    /// z = S M r, and the scalars with which a solve begins: as [`Schwarz::advance`].
    /// # Errors
    /// As [`Schwarz::advance`].
    pub fn begin(
        &self,
        scales: &Buffer<f32>,
        with: &mut Vectors<Words>,
        x: &mut Words,
        z: &mut Words,
        run: &mut Run,
    ) -> Result<()> {
        self.steps(scales, None, [x, &mut with.r, z], run)
    }
    fn steps(
        &self,
        scales: &Buffer<f32>,
        direction: Option<[&Words; 2]>,
        [x, r, z]: [&mut Words; 3],
        run: &mut Run,
    ) -> Result<()> {
        for (what, found) in [
            ("factors", scales.len()),
            ("numbers of the solution", x.len()),
            ("numbers of the residual", r.len()),
            ("numbers of the result", z.len()),
        ] {
            length(what, self.of.len(), found)?;
        }
        let [p, q] = direction.map_or([BufferView::empty(); 2], |of| of.map(|words| words.view().wide()));
        let [x, r, z] = [x, r, z].map(|words| words.view_mut().wide());
        let kernel = AdvanceDomains {
            scalars: run.scalars(),
            domains: self.view(),
            scales: scales.view(),
            to: StepsArguments { p, q, x, r, z },
        };
        Ok(self.of.device().launch(self.blocks_of_advance(), kernel)?)
    }
    fn view(&self) -> DomainsArguments<'_> {
        DomainsArguments {
            blocks: self.blocks.view(),
            tiles: self.tiles.view(),
            places: self.places.view(),
            rows: self.rows.view(),
            pivots: self.pivots.view(),
        }
    }
    /// Blocks of a launch that solves on all domains.
    fn blocks(&self) -> u32 {
        self.blocks.len() as u32 - 1
    }
    /// Blocks of [`Schwarz::advance`], which [`ConjugateGradients`] need to know.
    ///
    /// [`ConjugateGradients`]: ribbonmesh_linear::ConjugateGradients
    pub fn blocks_of_advance(&self) -> u32 {
        self.blocks().min(RESIDENT * self.of.device().multiprocessors())
    }
}
impl std::fmt::Debug for Schwarz {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Schwarz with {} domains of at most {} of {} nodes", self.len(), self.size, self.of.len())
    }
}
/// The domain of each node, and their number. Domains are numbered in the order of their first nodes.
fn domains(matrix: &Blocks<f64>, size: u32) -> Result<(Buffer<u32>, u32)> {
    let (device, nodes) = (matrix.device(), matrix.pattern.rows() as u32);
    let diagonal = diagonal::places(matrix)?;
    let words = device.zeros::<u32>(nodes as usize)?;
    let strengths = strengths(matrix, &diagonal, &words, 0.0)?;
    let pattern = &matrix.pattern;
    let mut flags = device.unspecified::<u32>(pattern.len())?;
    let kernel = FlagEdges {
        rows: pattern.rows.view(),
        columns: pattern.indices.view(),
        strengths: strengths.view(),
        to: flags.view_mut(),
    };
    device.launch_each(pattern.len() as u32, kernel)?;
    let places = array::select(&flags)?;
    let mut edges = device.unspecified::<Quad>(places.len())?;
    let kernel = ListEdges {
        places: places.view(),
        rows: pattern.rows.view(),
        columns: pattern.indices.view(),
        strengths: strengths.view(),
        to: edges.view_mut(),
    };
    device.launch_each(places.len() as u32, kernel)?;
    let numbers = || device.unspecified::<u32>(nodes as usize);
    let (mut parents, mut sizes) = (numbers()?, numbers()?);
    let mut best = device.unspecified::<u64>(nodes as usize)?;
    let (to, each) = (parents.view_mut(), sizes.view_mut());
    device.launch_each(nodes, BeginDomains { parents: to, sizes: each, best: best.view_mut() })?;
    let most_blocks = BLOCKS * device.multiprocessors();
    let mut counters = device.zeros::<u32>(most_blocks as usize + 3)?;
    let of = GrowthArguments {
        edges: edges.view_mut(),
        counters: counters.view_mut(),
        parents: parents.view_mut(),
        sizes: sizes.view_mut(),
        best: best.view_mut(),
    };
    let grid = GridArgument::default();
    device.launch_resident(most_blocks, GrowDomains { grid, most: size, most_blocks, of })?;
    let mut roots = numbers()?;
    device.launch_each(nodes, FollowJoins { parents: parents.view(), roots: roots.view_mut() })?;
    let mut numbers = device.unspecified::<u32>(nodes as usize + 1)?;
    device.launch_each(nodes + 1, FlagDomains { nodes, roots: roots.view(), to: numbers.view_mut() })?;
    let count = array::exclusive_scan(&mut numbers)?;
    Ok((array::gather(&numbers, &roots)?, count))
}
/// Domains with a vector for the result: a [`Preconditioner`] of `ribbonmesh-linear`.
#[derive(Debug)]
pub struct Additive<'a, X: Vector> {
    /// The domains.
    pub schwarz: &'a Schwarz,
    /// Numbers of vectors for each node.
    pub lanes: u32,
    /// The result.
    pub z: &'a mut X,
}
impl<X: Vector<Real: Numbers>, E: From<MultigridError>> Preconditioner<X, E> for Additive<'_, X> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &X) -> std::result::Result<&X, E> {
        self.schwarz.apply(self.lanes, state, r, self.z)?;
        Ok(self.z)
    }
}
