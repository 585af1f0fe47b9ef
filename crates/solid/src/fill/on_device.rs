//! Filling of short holes on the device.
use crate::fill::border::outer;
use crate::fill::exact_kernels::{Cell, FillLeast, Filled, OPEN, frame};
use crate::fill::outline::Outline;
use crate::fill::plan::Plan;
use crate::fill::ring::rings;
use crate::fill::run::limit_faces;
use crate::fill::surroundings::Whole;
use crate::fill::weight::degrees;
use crate::fill::{
    FillError, FillOptions, FillReport, Filling, Hole, HoleReport, Left, Method, Triangulation,
};
use crate::repair::Looked;
use ribbonmesh::{Buffer, Error};

/// Most edges of a hole that a block fills.
const LONGEST: u32 = 128;
/// Sizes of holes that are filled together: each block has a table for the largest.
const SIZES: [[u32; 2]; 2] = [[3, 16], [17, LONGEST]];
/// Most blocks of a launch.
const BLOCKS: usize = 4096;
/// Most bytes of all tables.
const TABLES: usize = 1 << 27;

/// Fills the holes of a mesh on its device, if nothing needs the host: flat fillings of short holes that
/// touch at single vertices at most and are not joined, of a mesh whose faces have no attributes. Returns the
/// new faces with the report; `None` if something needs the host.
pub(crate) fn fill_on_device(
    whole: &mut impl Whole,
    looked: &Looked,
    options: &FillOptions,
) -> Result<Option<(FillReport, Buffer<u32>)>, FillError> {
    if options.method != Method::Flat || options.join.is_some() || !whole.has_bare_faces() {
        return Ok(None);
    }
    let Some(outline) = Outline::of(whole, looked)? else { return Ok(None) };
    if outline.listed.iter().any(|row| row.finite == 0) {
        return Ok(None);
    }
    let (holes, rims) = (outline.holes(), outline.rims());
    let outer = match options.borders {
        true => vec![],
        false => outer(whole, Some(&outline.components), &rims, &holes)?,
    };
    let plan = Plan::new(options, &holes, vec![], &outer);
    if options.rings && !rings(&rims, |i| plan.is_no_ring(i)).is_empty() {
        return Ok(None);
    }
    let left = plan.left;
    let longest = LONGEST.min(options.exact_up_to) as usize;
    if holes.iter().zip(&left).any(|(hole, left)| left.is_none() && hole.edges > longest) {
        return Ok(None);
    }
    let (mut first, mut count) = (vec![OPEN; holes.len()], 0);
    for ((first, hole), _) in first.iter_mut().zip(&holes).zip(&left).filter(|(_, left)| left.is_none()) {
        *first = count as u32;
        count += hole.edges - 2;
        limit_faces(looked.faces.len() / 3 + count)?;
    }
    let (faces, filled) = fillings(&outline, looked, &first, count)?;
    if filled.iter().zip(&left).any(|(filled, left)| left.is_none() && filled.done == 0) {
        return Ok(None);
    }
    Ok(Some((report(holes, left, &filled), faces)))
}

/// Fills the holes of which the places of the first new faces are given; `count` is the number of new faces.
fn fillings(
    outline: &Outline,
    looked: &Looked,
    first: &[u32],
    count: usize,
) -> Result<(Buffer<u32>, Vec<Filled>), Error> {
    let device = looked.faces.device();
    let mut faces = device.unspecified::<u32>(3 * count)?;
    let Some(corners) = looked.corners.as_ref().filter(|_| count > 0) else { return Ok((faces, vec![])) };
    let places = device.upload(first)?;
    // a hole that stays open is not written
    let mut filled = device.zeros::<Filled>(first.len())?;
    for [least, most] in SIZES {
        let edges = outline.listed.iter().zip(first).filter(|(_, first)| **first != OPEN);
        let edges = edges.map(|(row, _)| row.edges).filter(|edges| (least..=most).contains(edges));
        let (holes, most) = edges.fold((0, 0), |(holes, most), edges| (holes + 1, edges.max(most)));
        if holes == 0 {
            continue;
        }
        let cells = (most * most) as usize;
        let blocks = BLOCKS.min(holes).min(TABLES / (cells * size_of::<Cell>()));
        let mut tables = device.unspecified::<Cell>(blocks * cells)?;
        let fill = FillLeast {
            least,
            most,
            open: outline.open(corners),
            first: places.view(),
            tables: tables.view_mut(),
            faces: faces.view_mut(),
            filled: filled.view_mut(),
        };
        device.launch(blocks as u32, fill)?;
    }
    Ok((faces, filled.read()?))
}

/// The report of holes that are filled, or left open for a reason.
fn report(holes: Vec<Hole>, left: Vec<Option<Left>>, filled: &[Filled]) -> FillReport {
    let mut report = FillReport::default();
    for (i, (hole, left)) in holes.into_iter().zip(left).enumerate() {
        let filling = filled.get(i).filter(|_| left.is_none()).map(|filled| {
            let (_, unit) = frame(hole.bounding_box.low, hole.bounding_box.high);
            Filling {
                triangulation: Triangulation::Exact,
                faces: hole.edges - 2,
                vertices: 0,
                area: filled.area * (unit * unit),
                max_dihedral_angle: degrees(filled.cosine),
                converged: true,
                flat_because: None,
            }
        });
        if let Some(filling) = &filling {
            report.faces_added += filling.faces;
            report.area_added += filling.area;
        }
        report.left += usize::from(left.is_some());
        report.holes.push(HoleReport { hole, left, joined: None, filling });
    }
    report.filled = report.holes.len() - report.left;
    report
}
