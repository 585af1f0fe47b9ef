//! Times of geodesic distances from one vertex: the ring, the level sets, the propagation in both orders.
use crate::rxmesh;
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, DeviceKind, StaticMesh, Vertex};
use ribbonmesh_fields::geodesic::{GeodesicOptions, Order};
use ribbonmesh_patches::{Geodesic, geodesic_floor_bytes as floor_bytes};
use std::cell::RefCell;

/// Runs are long, and repeat less often than queries.
const MOST: usize = 10;

/// Most faces of a mesh on a CPU: one with more would take minutes by hops.
const HOPS_ON_CPU: usize = 400_000;

/// Times the parts of a run from the first vertex of `subject`, which `mesh` is of. RXMesh's level sets are
/// found on the host, which its time includes.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let x: Vec<Vec3> = subject.points();
    let positions = Attribute::<Vertex, Vec3>::from_input(mesh, &x)?;
    let repetitions = if mesh.device().kind() == DeviceKind::Cuda { clock.repetitions.min(MOST) } else { 1 };
    let clock = Clock { repetitions, ..clock };
    let geodesic = RefCell::new(Geodesic::new(mesh, &positions)?);
    let [ring, levels, propagation] = floor_bytes(mesh);
    let mut times = vec![
        clock.time(mesh, from, "ring".into(), ring, None, || Geodesic::new(mesh, &positions).map(drop))?,
        clock
            .time(mesh, from, "level sets".into(), levels, None, || geodesic.borrow_mut().level_sets(&[0]))?,
    ];
    for order in Order::PARALLEL {
        if order == Order::Hops && mesh.device().kind() == DeviceKind::Cpu && mesh.faces() > HOPS_ON_CPU {
            continue;
        }
        let options = GeodesicOptions { order, ..GeodesicOptions::default() };
        let report = geodesic.borrow_mut().propagate(&options)?;
        let (levels, iterations) = (report.levels, report.iterations);
        eprintln!("geodesic, by {order}: {levels} levels, {iterations} iterations");
        times.push(clock.time(mesh, from, format!("propagation by {order}"), propagation, None, || {
            geodesic.borrow_mut().propagate(&options).map(drop)
        })?);
    }
    let peer = rxmesh::level_sets_ms(mesh.faces()).zip(rxmesh::geodesic_ms(mesh.faces()));
    let peer = peer.map(|(levels, propagation)| levels + propagation);
    times.push(clock.time(
        mesh,
        from,
        "level sets and propagation".into(),
        levels + propagation,
        peer,
        || geodesic.borrow_mut().run(&[0], &GeodesicOptions::default()).map(drop),
    )?);
    Ok(times)
}
