//! Drawing of a surface to triangles.
use crate::intersections::kernels::FlagOthers;
use crate::intersections::moving::FlagFacesOf;
use crate::intersections::{Triangles, marks_with};
use crate::wrap::kernels::project::{
    AT_ONCE, Draw, FlagCorners, FlagLoose, FlagMoved, Means, RanksOf, TakeBack,
};
use crate::wrap::options::WrapReport;
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Buffer, Result, array};

/// Distance between a vertex and the triangles, in cubes, so that two sides of a sheet stay apart.
const GAP: f32 = 0.02;
/// Rounds in which vertices of faces that intersect are moved back, before all vertices near them are.
const ROUNDS: u32 = 8;

/// Steps of smoothing for vertices that are not drawn to triangles.
const SMOOTHED: u32 = 20;

/// Moves vertices to the nearest points of the triangles of a tree that are at most `reach` away, but for a
/// gap. The vertices of faces that then intersect are moved back, until no faces intersect: at the old
/// positions none did. The vertices that are still at their positions on the grid are then smoothed: they
/// would be steps in holes, and bumps elsewhere. The vertices of faces that then intersect are moved back as
/// well. All of it is on the device. Waits.
pub(crate) fn project(
    tree: &Bvh,
    positions: &mut Buffer<Vec3>,
    faces: &Buffer<u32>,
    reach: f32,
    cell: f32,
    report: &mut WrapReport,
) -> Result<()> {
    let (device, n) = (tree.device(), positions.len() as u32);
    let mut drawn = device.unspecified::<Vec3>(positions.len())?;
    let mut flags = device.unspecified::<u32>(positions.len())?;
    let draw = Draw {
        bvh: tree.view(),
        reach,
        gap: GAP * cell,
        x: positions.view(),
        y: drawn.view_mut(),
        flags: flags.view_mut(),
    };
    device.launch(n.div_ceil(AT_ONCE), draw)?;
    let reached = array::sum(&flags)?;
    drop(flags);
    let stays = keep_apart(positions, &mut drawn, faces)?;
    report.projected = array::sum(&stays)?;
    report.taken_back = reached.saturating_sub(report.projected);
    *positions = drawn;
    if report.projected < u64::from(n) {
        let mut smoothed = smooth(positions, faces, &stays)?;
        report.smoothed = array::sum(&keep_apart(positions, &mut smoothed, faces)?)?;
        *positions = smoothed;
    }
    Ok(())
}

/// The positions after each vertex that need not stay was moved to the mean of its neighbours, [`SMOOTHED`]
/// times.
fn smooth(positions: &Buffer<Vec3>, faces: &Buffer<u32>, stays: &Buffer<u32>) -> Result<Buffer<Vec3>> {
    let device = positions.device();
    let mut loose = device.unspecified::<u32>(faces.len())?;
    let flag = FlagLoose { faces: faces.view(), stays: stays.view(), flags: loose.view_mut() };
    device.launch_each(faces.len() as u32, flag)?;
    let corners = array::select(&loose)?;
    drop(loose);
    // of all vertices, and then ranks of those that do not stay
    let mut ranks = device.unspecified::<u32>(positions.len())?;
    let others = FlagOthers { flags: stays.view(), others: ranks.view_mut() };
    device.launch_each(positions.len() as u32, others)?;
    let list = array::select(&ranks)?;
    array::exclusive_scan(&mut ranks)?;
    let mut keys = device.unspecified::<u32>(corners.len())?;
    let of =
        RanksOf { faces: faces.view(), list: corners.view(), ranks: ranks.view(), keys: keys.view_mut() };
    device.launch_each(corners.len() as u32, of)?;
    let n = list.len() as u32;
    let groups = array::group_by(&keys, n)?;
    drop((keys, ranks));
    let mut smoothed = positions.try_clone()?;
    let mut means = device.unspecified::<Vec3>(list.len())?;
    for _ in 0..SMOOTHED {
        let step = Means {
            x: smoothed.view(),
            faces: faces.view(),
            corners: corners.view(),
            of: groups.view(),
            to: means.view_mut(),
        };
        device.launch_each(n, step)?;
        array::scatter(&means, &list, &mut smoothed)?;
    }
    Ok(smoothed)
}

/// Moves vertices of faces that intersect back to where they were, until no faces intersect, given that none
/// did before. Returns flags of the vertices that are still moved.
fn keep_apart(before: &Buffer<Vec3>, after: &mut Buffer<Vec3>, faces: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n, f) = (before.device(), before.len() as u32, (faces.len() / 3) as u32);
    let corners = faces.view().wide();
    let mut moved = device.unspecified::<u32>(before.len())?;
    let flag = FlagMoved { x: before.view(), y: after.view(), flags: moved.view_mut() };
    device.launch_each(n, flag)?;
    let mut touched = device.unspecified::<u32>(f as usize)?;
    let touch = FlagFacesOf { vertices: corners, flags: moved.view(), flagged: touched.view_mut() };
    device.launch_each(f, touch)?;
    let mut near = device.unspecified::<u32>(before.len())?;
    for round in 0.. {
        let mesh = Triangles { positions: after, faces };
        let Some(mut marks) = marks_with(mesh, &touched)? else { break };
        near.clear()?;
        let flag = FlagCorners { faces: corners, of_faces: marks.view(), flags: near.view_mut() };
        device.launch_each(f, flag)?;
        if round >= ROUNDS {
            // move the ring around them back as well
            let touch = FlagFacesOf { vertices: corners, flags: near.view(), flagged: marks.view_mut() };
            device.launch_each(f, touch)?;
            let flag = FlagCorners { faces: corners, of_faces: marks.view(), flags: near.view_mut() };
            device.launch_each(f, flag)?;
        }
        let mut any = device.zeros::<u32>(1)?;
        let back = TakeBack {
            x: before.view(),
            flags: near.view(),
            y: after.view_mut(),
            moved: moved.view_mut(),
            any: any.view_mut(),
        };
        device.launch_each(n, back)?;
        if any.read()?[0] == 0 {
            break;
        }
        let touch = FlagFacesOf { vertices: corners, flags: near.view(), flagged: touched.view_mut() };
        device.launch_each(f, touch)?;
    }
    Ok(moved)
}
