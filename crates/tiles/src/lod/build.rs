//! The levels of a mesh, the finest first.
use super::group::{Made, SIZE, Values, groups, options, shared, simplified};
use super::meshlet::{Meshlet, split};
use super::rows::{GroupRow, MeshletRow, NO_GROUP, page};
use super::sphere::{Bound, Sphere};
use super::{About, LevelReport, Levels, LevelsOptions, Pages};
use crate::curve::Grid;
use crate::frame::{Frame, Measured};
use crate::{Result, TilesError};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_mesh::{Precision, TriangleMesh};
use ribbonmesh_remeshing::simplify::PartOptions;
use ribbonmesh_remeshing::simplify::quadric::Quadric;
use ribbonmesh_solid::repair::manifold_violations;

/// A group with the meshlets of which it was made.
struct Group {
    bound: Bound,
    level: u32,
    meshlets: Vec<MeshletRow>,
    page: Vec<u8>,
}

struct Builder {
    frame: Frame,
    values: Values,
    groups: Vec<Group>,
    levels: Vec<LevelReport>,
}

/// Makes the levels of a mesh.
pub fn build(mesh: &TriangleMesh, usual: &LevelsOptions) -> Result<Levels> {
    let options = options(usual)?;
    if mesh.positions.len() >= NO_GROUP as usize {
        return Err(TilesError::TooManyVertices);
    }
    // groups are checked where they are simplified, one meshlet alone never is
    let violations = manifold_violations(&Device::cpu(), mesh.positions.len(), &mesh.faces)?;
    if !violations.is_empty() {
        return Err(TilesError::Violations(Box::new(violations)));
    }
    let mut measured = Measured::NOTHING;
    mesh.positions.iter().for_each(|&p| measured.add(p));
    let frame = measured.frame(mesh.precision == Precision::Single);
    let positions = mesh.positions.iter().map(|&p| frame.inside(p)).collect();
    let quadrics = vec![Quadric::ZERO; mesh.positions.len()];
    let values = Values { positions, quadrics };
    let pieces = split(&mesh.faces);
    let mut builder = Builder { frame, values, groups: vec![], levels: vec![] };
    let own = |around| Bound { sphere: around, error: 0.0 };
    let mut front: Vec<_> = pieces.into_iter().map(|piece| builder.meshlet(piece, own, None)).collect();
    let mut size = SIZE;
    while front.len() > 1 {
        let level = builder.levels.len() as u32;
        let grid = Grid::of_level(&frame, level);
        let parts = groups(&front, &grid, size);
        let fixed = shared(&front, &parts, mesh.positions.len());
        let only = parts.len() == 1;
        let work = |part: &Vec<u32>, options: &PartOptions| {
            let group: Vec<_> = part.iter().map(|&m| &front[m as usize]).collect();
            simplified((&group, only), &builder.values, &fixed, (options, &frame))
        };
        let made: Vec<_> = parts.par_iter().map(|part| work(part, &options)).collect::<Result<_>>()?;
        let bound = bound(&made, level);
        let bounded = PartOptions { max_error: Some(bound), ..options };
        let again = |(part, made): (_, Option<Made>)| match made {
            Some(made) if made.error > bound && !only => work(part, &bounded),
            made => Ok(made),
        };
        let made: Vec<Option<Made>> = parts.par_iter().zip(made).map(again).collect::<Result<_>>()?;
        if made.iter().all(Option::is_none) {
            if only {
                break;
            }
            // larger ones, of which less stays
            size *= 2;
            continue;
        }
        front = builder.next(front, parts, made);
    }
    Ok(builder.finish(front, mesh))
}

/// The largest error that a group of a level may have without being made again within it: many times that
/// of most groups. So few bad places do not spoil all that is above them.
fn bound(made: &[Option<Made>], level: u32) -> f32 {
    /// Times that of the group in the middle.
    const MOST: f32 = 16.0;
    /// In diagonals, for meshes that are flat but in few places; twice as much in each level.
    const LEAST: f32 = 1e-4;
    let mut errors: Vec<f32> = made.iter().flatten().map(|made| made.error).collect();
    errors.sort_unstable_by(f32::total_cmp);
    let middle = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    MOST * middle.max(LEAST * 2.0_f32.powi(level.min(30) as i32))
}

impl Builder {
    fn meshlet(
        &self,
        triangles: Vec<[u32; 3]>,
        own: impl Fn(Sphere) -> Bound,
        made_by: Option<u32>,
    ) -> Meshlet {
        let around = super::meshlet::sphere(&triangles, &self.values.positions);
        Meshlet { triangles, around, own: own(around), made_by }
    }
    /// The next level: meshlets of groups that were made, and those that wait. Groups are complete then.
    fn next(&mut self, front: Vec<Meshlet>, parts: Vec<Vec<u32>>, made: Vec<Option<Made>>) -> Vec<Meshlet> {
        self.report(&front);
        let level = self.levels.len() as u32;
        let mut front: Vec<Option<Meshlet>> = front.into_iter().map(Some).collect();
        let mut next = vec![];
        for (part, made) in parts.into_iter().zip(made) {
            let group: Vec<_> = part.into_iter().filter_map(|m| front[m as usize].take()).collect();
            let Some(Made { pieces, values, error }) = made else {
                next.extend(group);
                continue;
            };
            let points: Vec<Vec3> = values.iter().map(|&(_, p, _)| p).collect();
            let below: Vec<_> = group.iter().map(|meshlet| meshlet.own.sphere).collect();
            let bound = Bound { sphere: Sphere::around(&points, &below), error };
            let number = self.groups.len() as u32;
            self.complete(group, bound, level);
            for (v, p, quadric) in values {
                (self.values.positions[v as usize], self.values.quadrics[v as usize]) = (p, quadric);
            }
            next.extend(pieces.into_iter().map(|piece| self.meshlet(piece, |_| bound, Some(number))));
        }
        next
    }
    fn report(&mut self, front: &[Meshlet]) {
        let triangles = front.iter().map(|meshlet| meshlet.triangles.len() as u64).sum();
        let error = front.iter().map(|meshlet| meshlet.own.error).fold(0.0, f32::max);
        let error = self.frame.length(error);
        self.levels.push(LevelReport { meshlets: front.len() as u64, triangles, error });
    }
    /// Adds a group with what it was made of.
    fn complete(&mut self, group: Vec<Meshlet>, bound: Bound, level: u32) {
        let (mut meshlets, mut bytes) = (vec![], vec![]);
        for Meshlet { triangles, around, own, made_by } in group {
            let offset = bytes.len() as u64;
            let vertices = page(&triangles, |v| self.position(v), &mut bytes);
            meshlets.push(MeshletRow {
                own: self.outside(own),
                above: self.outside(bound),
                around: self.outside(Bound { sphere: around, error: 0.0 }).sphere,
                // in the order in which groups are made; that of the file is told in the end
                group: self.groups.len() as u32,
                made_by: made_by.unwrap_or(NO_GROUP),
                vertices,
                triangles: triangles.len() as u32,
                offset,
            });
        }
        self.groups.push(Group { bound: self.outside(bound), level, meshlets, page: bytes });
    }
    fn position(&self, v: u32) -> [f32; 3] {
        self.values.positions[v as usize].to_array().map(|x| self.frame.length(x))
    }
    fn outside(&self, bound: Bound) -> Bound {
        let Bound { sphere: Sphere { centre, radius }, error } = bound;
        let length = |x: f32| self.frame.length(x);
        Bound { sphere: Sphere { centre: centre.map(length), radius: length(radius) }, error: length(error) }
    }
    /// All levels, the coarsest first, with what is left as the first group's.
    fn finish(mut self, front: Vec<Meshlet>, mesh: &TriangleMesh) -> Levels {
        self.report(&front);
        self.complete(front, Bound::NEVER, self.levels.len() as u32);
        let last = self.groups.len() as u32 - 1;
        let (mut groups, mut meshlets, mut pages, mut offset) = (vec![], vec![], vec![], 0);
        for Group { bound, level, meshlets: of_group, page } in self.groups.into_iter().rev() {
            groups.push(GroupRow {
                bound,
                level,
                first: meshlets.len() as u32,
                meshlets: of_group.len() as u32,
                offset,
                bytes: page.len() as u32,
                check: crc32fast::hash(&page),
            });
            meshlets.extend(of_group.into_iter().map(|row| MeshletRow {
                group: last - row.group,
                made_by: if row.made_by == NO_GROUP { NO_GROUP } else { last - row.made_by },
                ..row
            }));
            offset += page.len() as u64;
            pages.push(page);
        }
        let box_of = mesh.bounding_box().map_or([DVec3::ZERO; 2], |found| [found.low, found.high]);
        let about = About::new(&self.frame, mesh, box_of, self.levels);
        Levels { about, groups, meshlets, pages: Pages::Memory(pages) }
    }
}
