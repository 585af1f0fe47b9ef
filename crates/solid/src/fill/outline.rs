//! Search for boundary loops on the device.
use crate::fill::exact_kernels::OpenArguments;
use crate::fill::outline_kernels::{
    BeginLinks, BeginSides, CornersOfSides, CountLoops, DoubleLinks, ListLoops, MarkLoops, MeasureLoops,
    OrderSides, RingsArguments, Row,
};
use crate::fill::ring::Rim;
use crate::fill::surroundings::{OnDevice, Whole, trees};
use crate::fill::touching::Touching;
use crate::fill::{FillError, Hole};
use crate::repair::{CornersAt, Looked};
use glam::DVec3;
use ribbonmesh::device::{NONE, Quad};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_mesh::BoundingBox;

/// Most edges of a loop that a thread of a GPU measures; a longer one would be measured too slowly.
const LONGEST: u32 = 1024;

/// The boundary loops of a mesh on its device, in the order of their first vertices, with their measures.
pub(crate) struct Outline {
    starts: Buffer<u32>,
    order: Buffer<u32>,
    points: Buffer<DVec3>,
    rows: Buffer<Row>,
    /// The measures on the host.
    pub listed: Vec<Row>,
    /// The components.
    pub components: OnDevice,
}

impl Outline {
    /// Finds the loops; `None` if there are none, if one is very long, or if some touch such that they cannot
    /// be filled apart from each other. Linear. Waits for the numbers of loops and of their edges, for the
    /// rows, and for what is around vertices at which loops touch.
    pub fn of(whole: &mut impl Whole, looked: &Looked) -> Result<Option<Self>, FillError> {
        let Some((sides, count)) = looked.open.as_ref().filter(|(_, count)| *count > 0) else {
            return Ok(None);
        };
        let Some(touching) = Touching::of(whole, looked)? else { return Ok(None) };
        let Some(Ordered { starts, order }) = ordered(whole.device(), looked, &touching, sides, *count)?
        else {
            return Ok(None);
        };
        let device = whole.device().clone();
        let faces = &looked.faces;
        let mut list = device.unspecified::<u32>(3 * order.len())?;
        let corners = CornersOfSides { order: order.view(), faces: faces.view(), list: list.view_mut() };
        device.launch_each(*count, corners)?;
        let points = whole.points(&list)?;
        let parent = trees(&device, looked.vertices, faces)?;
        let loops = starts.len() - 1;
        let mut rows = device.unspecified::<Row>(loops)?;
        let measure = MeasureLoops {
            rings: RingsArguments { starts: starts.view(), order: order.view(), points: points.view() },
            faces: faces.view(),
            parent: parent.view(),
            rows: rows.view_mut(),
        };
        device.launch_each(loops as u32, measure)?;
        let listed = rows.read()?;
        let components = OnDevice { parent, faces: faces.clone() };
        Ok(Some(Self { starts, order, points, rows, listed, components }))
    }
    /// The loops as holes.
    pub fn holes(&self) -> Vec<Hole> {
        let hole = |row: &Row| Hole {
            edges: row.edges as usize,
            vertex: row.vertex,
            perimeter: row.measures.length,
            bounding_box: BoundingBox { low: row.measures.low, high: row.measures.high },
            component: row.component,
        };
        self.listed.iter().map(hole).collect()
    }
    /// The loops as rims.
    pub fn rims(&self) -> Vec<Rim> {
        self.listed.iter().map(|row| Rim { measures: row.measures, component: row.component }).collect()
    }
    /// The mesh with these holes, as kernels see it.
    pub fn open<'a>(&'a self, corners: &'a CornersAt) -> OpenArguments<'a> {
        let Self { starts, order, points, .. } = self;
        OpenArguments {
            rings: RingsArguments { starts: starts.view(), order: order.view(), points: points.view() },
            rows: self.rows.view(),
            faces: self.components.faces.view(),
            ends: corners.ends.view(),
            corners: corners.list.view(),
        }
    }
}

/// The sides of the boundary by loops.
struct Ordered {
    /// The place of the first side of each loop, and the end.
    starts: Buffer<u32>,
    /// The sides.
    order: Buffer<u32>,
}

/// Puts the sides of the boundary in the order of the loops; `None` if a loop is very long, or if loops touch
/// such that they cannot be filled apart from each other.
fn ordered(
    device: &Device,
    looked: &Looked,
    touching: &Touching,
    sides: &Buffer<u32>,
    count: u32,
) -> Result<Option<Ordered>, Error> {
    let (faces, n) = (&looked.faces, count as usize);
    let mut links = first_links(device, looked, sides, count)?;
    let places = touching.turn(sides, count, &mut links)?;
    let links = leading_to_first(links, count)?;
    let mut lengths = device.zeros::<u32>(n)?;
    let mut firsts = device.unspecified::<u32>(n)?;
    array::fill(&mut firsts, NONE)?;
    let of_loops = CountLoops {
        sides: sides.view(),
        faces: faces.view(),
        links: links.view(),
        lengths: lengths.view_mut(),
        firsts: firsts.view_mut(),
    };
    device.launch_each(count, of_loops)?;
    if !touching.is_simple(&places, &links, &firsts)? {
        return Ok(None);
    }
    let mut numbers = device.zeros::<u32>(looked.vertices)?;
    let marks = numbers.view_mut();
    device.launch_each(count, MarkLoops { lengths: lengths.view(), firsts: firsts.view(), marks })?;
    let loops = array::exclusive_scan(&mut numbers)?;
    let mut starts = device.zeros::<u32>(loops as usize + 1)?;
    let list = ListLoops {
        lengths: lengths.view(),
        firsts: firsts.view(),
        numbers: numbers.view(),
        counts: starts.view_mut(),
    };
    device.launch_each(count, list)?;
    if array::max(&starts)?.is_none_or(|longest| longest > LONGEST) {
        return Ok(None);
    }
    array::exclusive_scan(&mut starts)?;
    let mut order = device.unspecified::<u32>(n)?;
    let put = OrderSides {
        sides: sides.view(),
        links: links.view(),
        lengths: lengths.view(),
        firsts: firsts.view(),
        numbers: numbers.view(),
        starts: starts.view(),
        order: order.view_mut(),
    };
    device.launch_each(count, put)?;
    Ok(Some(Ordered { starts, order }))
}

/// Links from each side of the boundary to the one after it, any one at vertices of several fans.
fn first_links(
    device: &Device,
    looked: &Looked,
    sides: &Buffer<u32>,
    count: u32,
) -> Result<Buffer<Quad>, Error> {
    let faces = &looked.faces;
    let mut begins = device.unspecified::<u32>(looked.vertices)?;
    let begin = BeginSides { sides: sides.view(), faces: faces.view(), begins: begins.view_mut() };
    device.launch_each(count, begin)?;
    let mut links = device.unspecified::<Quad>(count as usize)?;
    let begin = BeginLinks {
        sides: sides.view(),
        faces: faces.view(),
        begins: begins.view(),
        links: links.view_mut(),
    };
    device.launch_each(count, begin)?;
    Ok(links)
}

/// Links from each side of the boundary to the first one of its loop, from links to the side after it.
fn leading_to_first(mut links: Buffer<Quad>, count: u32) -> Result<Buffer<Quad>, Error> {
    let device = links.device().clone();
    let mut farther = device.unspecified::<Quad>(count as usize)?;
    let mut span = 1;
    while span < count {
        device.launch_each(count, DoubleLinks { span, from: links.view(), to: farther.view_mut() })?;
        std::mem::swap(&mut links, &mut farther);
        span = span.saturating_mul(2);
    }
    Ok(links)
}
