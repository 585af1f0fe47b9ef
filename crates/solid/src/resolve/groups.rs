//! Groups of components of which no two members intersect.
use ribbonmesh_mesh::{BoundingBox, TriangleMesh, UnionFind};
use rustc_hash::FxHashSet;

/// A component of a surface.
#[derive(Clone)]
struct Component {
    around: BoundingBox,
    /// Six times the volume that it encloses.
    volume: f64,
}

/// The group of each face: components are numbered by their first vertices, and each gets the lowest group in
/// which it intersects no other component. So three surfaces that meet are joined one after the other, and
/// never more than two holes run along each other.
pub(crate) fn groups(mesh: &TriangleMesh, pairs: &[[u32; 2]]) -> Vec<u32> {
    let mut sets = UnionFind::new(mesh.positions.len());
    sets.join_faces(&mesh.faces);
    with_voids(mesh, &mut sets);
    let mut component = |face: u32| sets.root(mesh.faces[face as usize][0]);
    let mut meetings: Vec<[u32; 2]> = pairs
        .iter()
        .map(|pair| pair.map(&mut component))
        .filter(|[a, b]| a != b)
        .flat_map(|[a, b]| [[a, b], [b, a]])
        .collect();
    meetings.sort_unstable();
    meetings.dedup();
    let mut group = vec![0; mesh.positions.len()];
    // components that meet no other stay in the first group
    for row in meetings.chunk_by(|a, b| a[0] == b[0]) {
        let [own, _] = row[0];
        let taken: FxHashSet<u32> =
            row.iter().filter(|[_, other]| *other < own).map(|[_, other]| group[*other as usize]).collect();
        group[own as usize] = (0..).find(|group| !taken.contains(group)).unwrap_or(0);
    }
    (0..mesh.faces.len() as u32).map(|face| group[component(face) as usize]).collect()
}

/// Puts each component that is inside out, a void, together with the smallest one whose box has its own.
fn with_voids(mesh: &TriangleMesh, sets: &mut UnionFind) {
    let none = Component { around: BoundingBox::EMPTY, volume: 0.0 };
    let mut components = vec![none; mesh.positions.len()];
    let middle = mesh.local_origin();
    for face in &mesh.faces {
        let component = &mut components[sets.root(face[0]) as usize];
        let [a, b, c] = face.map(|v| mesh.positions[v as usize] - middle);
        component.volume += a.dot(b.cross(c));
        component.around = [a, b, c].into_iter().fold(component.around, BoundingBox::with);
    }
    let roots: Vec<u32> =
        (0..mesh.positions.len() as u32).filter(|&v| components[v as usize].volume != 0.0).collect();
    let (voids, bodies): (Vec<u32>, Vec<u32>) =
        roots.into_iter().partition(|&v| components[v as usize].volume < 0.0);
    for void in voids {
        let own = components[void as usize].clone();
        let around = |v: &&u32| components[**v as usize].around.contains(&own.around);
        let volume = |v: &&u32| components[**v as usize].volume;
        if let Some(&body) = bodies.iter().filter(around).min_by(|a, b| volume(a).total_cmp(&volume(b))) {
            sets.join(void, body);
        }
    }
}
