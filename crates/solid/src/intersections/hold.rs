//! Moves of vertices that are taken back where faces would pass through others.
use crate::intersections::again::SearchAgain;
use crate::intersections::find::Triangles;
use crate::intersections::moving::{
    BoxWays, FindPassing, FlagFacesOf, FlagFar, FlagHalved, Halve, MovingArguments,
};
use glam::Vec3;
use ribbonmesh::bvh::RefitBvh;
use ribbonmesh::{Buffer, Error, Result, array};

/// Moves that were held back: see [`hold_back`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldBack {
    /// Faces that would intersect others at the end, or that would go farther than they are large.
    pub suspects: u64,
    /// Vertices that go a part of their way only, or stay.
    pub vertices: u64,
    /// Searches that found faces that pass through others.
    pub rounds: u32,
}

/// Holds back moves of vertices, from the positions of `from` to `to`, so that no face that moves intersects
/// another one at the end. The same on every machine. Waits.
///
/// 1. All faces are searched at the end of the move ([`SearchAgain::all`]). Those that intersect others are
///    suspects, and those of which a vertex moves farther than the longest side before.
/// 2. Suspects are searched for other faces through which they may pass on straight ways of their vertices:
///    if the two have a corner in common at the end, by position, whether they intersect there; otherwise
///    unless an axis separates them both before and after, and so all the way, or on each quarter of it.
/// 3. The ways of the vertices of both faces are halved, after two times taken back, and faces at these
///    vertices become the suspects, until there is no such pair.
///
/// So faces that intersect or touch before, without a corner in common, stay as they are, if one of them is a
/// suspect; and near suspects some moves are held back that would not make faces pass. Faces that pass
/// through others entirely are not noticed if they move by less than their size: where a part of a surface
/// does that, faces at its rim intersect, unless it is a whole sheet or component.
///
/// Faces with a vertex that does not exist, such as [`NONE`](ribbonmesh::device::NONE), are left out.
/// `search` serves several moves of the same faces: its tree is made once.
///
/// Without suspects: one search of all faces. With suspects also a tree of boxes around the ways, 160 bytes
/// per face, and one search for each suspect.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`]; [`Error::NotFinite`] for positions before or after; as
/// [`SearchAgain::all`].
pub fn hold_back(search: &mut SearchAgain, from: Triangles<'_>, to: &mut Buffer<Vec3>) -> Result<HeldBack> {
    let (device, n, vertices) = (from.device().clone(), from.len(), from.positions.len());
    from.check_lengths()?;
    if !to.device().same(&device) {
        return Err(Error::OtherDevice { what: "the buffer of positions after the move" });
    }
    if to.len() != vertices {
        return Err(Error::Length { what: "positions after the move", expected: vertices, found: to.len() });
    }
    let mut held = HeldBack::default();
    if n == 0 {
        return Ok(held);
    }
    let corners = from.faces.view().wide();
    let at_end = Triangles { positions: &*to, faces: from.faces };
    search.update(at_end)?;
    let mut flagged = search.all(at_end)?.marks;
    let faces = MovingArguments { x: from.positions.view(), y: to.view_mut(), vertices: corners };
    device.launch_each(n, FlagFar { faces, flagged: flagged.view_mut() })?;
    let mut list = array::select(&flagged)?;
    held.suspects = list.len() as u64;
    if list.is_empty() {
        return Ok(held);
    }
    let mut boxes = device.unspecified::<Vec3>(2 * n as usize)?;
    let mut triangles = device.unspecified::<u32>(3 * n as usize)?;
    let faces = MovingArguments { x: from.positions.view(), y: to.view_mut(), vertices: corners };
    let ways = BoxWays { faces, corners: boxes.view_mut(), triangles: triangles.view_mut().wide() };
    device.launch_each(n, ways)?;
    let bvh = RefitBvh::new(&boxes, &triangles);
    let bvh =
        bvh.and_then(|bvh| bvh.check(&boxes, &triangles).map(|_| bvh)).map_err(|error| match error {
            Error::NotFinite { vertex } => not_finite(from, to, vertex / 2).unwrap_or_else(|error| error),
            error => error,
        })?;
    let mut marks = device.zeros::<u32>(vertices)?;
    let mut times = device.zeros::<u32>(vertices)?;
    loop {
        let faces = MovingArguments { x: from.positions.view(), y: to.view_mut(), vertices: corners };
        let find = FindPassing {
            bvh: bvh.view(),
            faces,
            boxes: boxes.view(),
            list: list.view(),
            held: marks.view_mut(),
        };
        device.launch(list.len() as u32, find)?;
        let halve = Halve {
            x: from.positions.view(),
            y: to.view_mut(),
            held: marks.view_mut(),
            times: times.view_mut(),
        };
        device.launch_each(vertices as u32, halve)?;
        let flag = FlagFacesOf { vertices: corners, flags: marks.view(), flagged: flagged.view_mut() };
        device.launch_each(n, flag)?;
        list = array::select(&flagged)?;
        if list.is_empty() {
            break;
        }
        held.rounds += 1;
        array::fill(&mut marks, 0)?;
    }
    if held.rounds > 0 {
        device.launch_each(vertices as u32, FlagHalved { times: times.view(), flagged: marks.view_mut() })?;
        held.vertices = array::sum(&marks)?;
    }
    Ok(held)
}

/// The error of a face with a corner that is not finite, before or after.
fn not_finite(from: Triangles<'_>, to: &Buffer<Vec3>, face: usize) -> Result<Error> {
    let corners = from.faces.read_range(3 * face, 3)?;
    for &vertex in &corners {
        let vertex = vertex as usize;
        if !from.positions.read_range(vertex, 1)?[0].is_finite() || !to.read_range(vertex, 1)?[0].is_finite()
        {
            return Ok(Error::NotFinite { vertex });
        }
    }
    Ok(Error::NotFinite { vertex: corners[0] as usize })
}
