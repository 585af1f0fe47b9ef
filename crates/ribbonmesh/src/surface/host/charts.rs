//! Charts of the texture of a surface, and where the corners of a mesh made of it are within them.
use super::column::Column;
use super::replace::{Changed, Source};
use super::surface::Surface;
use crate::device::{ColumnView, ElementKind, Quad, tiles};
use crate::kernels::construct::components::{LabelFaces, UniteFaces};
use crate::surface::kernels::charts::{
    ChartsArguments, CompareSides, CountBreaks, KeepPoles, LocateInCharts, MarkCutCharts, OpenSides,
    StartInCharts, UniteRegions,
};
use crate::surface::kernels::locate::{ELEMENTS, LocateFaces};
use crate::surface::kernels::seams::CurvesArguments;
use crate::{Buffer, Result, array};
use ribbonmesh_mesh::{Policy, Role};
use std::collections::HashMap;

/// Where the texture of a surface is continuous.
pub struct Charts {
    /// For each corner that across its side; the corner itself at a wall, at the boundary, and at an edge of
    /// more than two faces.
    pub open: Buffer<u32>,
    /// 3 for each vertex that is a pole, at which texture coordinates differ from face to face, else 0.
    pub poles: Buffer<u32>,
    labels: Buffer<u32>,
    cut: Buffer<u32>,
}

impl Charts {
    /// Of the columns of texture coordinates that follow changes; `None` if all of them are continuous
    /// everywhere, or there are none. Waits.
    pub fn of(surface: &mut Surface) -> Result<Option<Self>> {
        if !surface.of_corners.iter().any(is_texture) {
            return Ok(None);
        }
        surface.link()?;
        let Some(topology) = &surface.kept.edges else { return Ok(None) };
        let columns = surface.of_corners.iter().filter(|column| is_texture(column));
        let device = topology.device();
        let [vertices, faces] = [topology.vertices(), topology.faces()];
        let corners = 3 * faces as u32;
        let (fv, ring) = (topology.face_vertices().view(), topology.ring().view());
        let mut differ = device.zeros::<u32>(corners as usize)?;
        for column in columns {
            let words = column.head.words() as u32;
            let (rows, differ) = (column.rows.view(), differ.view_mut());
            device.launch(tiles(corners), CompareSides { corners, faces: fv, ring, words, rows, differ })?;
        }
        let mut poles = device.zeros::<u32>(vertices)?;
        let breaks = poles.view_mut();
        device.launch_each(corners, CountBreaks { faces: fv, ring, differ: differ.view(), breaks })?;
        let mut open = device.unspecified::<u32>(corners as usize)?;
        let mut walls = device.zeros::<u32>(1)?;
        let kernel = OpenSides {
            faces: fv,
            ring,
            differ: differ.view(),
            breaks: poles.view(),
            open: open.view_mut(),
            walls: walls.view_mut(),
        };
        device.launch_each(corners, kernel)?;
        if walls.read()?[0] == 0 {
            return Ok(None);
        }
        let mut labels = array::count_up(device, faces as u32)?;
        device.launch_each(corners, UniteFaces { ring: open.view(), parent: labels.view_mut() })?;
        device.launch_each(faces as u32, LabelFaces { parent: labels.view_mut() })?;
        let mut cut = device.zeros::<u32>(faces)?;
        let kernel = MarkCutCharts {
            faces: fv,
            ring,
            breaks: poles.view(),
            open: open.view(),
            labels: labels.view(),
            cut: cut.view_mut(),
        };
        device.launch_each(corners, kernel)?;
        let n = vertices as u32;
        device.launch_each(n, KeepPoles { breaks: poles.view_mut() })?;
        Ok(Some(Self { open, poles, labels, cut }))
    }
    fn view(&self) -> ChartsArguments<'_> {
        ChartsArguments { open: self.open.view(), labels: self.labels.view(), cut: self.cut.view() }
    }
    /// The places of the corners of a mesh on the surface before, those of each face in one chart;
    /// `of_vertices` are those of its vertices. Waits.
    pub(super) fn locate(
        &self,
        source: &Source<'_>,
        changed: &mut Changed,
        of_vertices: &Buffer<Quad>,
    ) -> Result<Buffer<Quad>> {
        let device = self.open.device();
        let [n, e] = [ElementKind::Face, ElementKind::Edge].map(|kind| changed.mesh.ids(kind));
        let marks = changed.curves.as_ref();
        let curves = || CurvesArguments { marks: marks.map_or(ColumnView::empty(), |marks| marks.view()) };
        let mut view = changed.mesh.refresh_view()?;
        let mut starts = device.zeros::<u32>(n as usize)?;
        let locate = LocateFaces {
            mesh: view.reborrow(),
            n,
            x: changed.positions.view(),
            before: source.before(),
            nearest: starts.view_mut(),
        };
        device.launch(n.div_ceil(ELEMENTS), locate)?;
        let mut wanted = array::gather(&self.labels, &starts)?;
        if changed.seams_kept {
            let mut regions = array::count_up(device, n)?;
            let unite = UniteRegions { mesh: view.reborrow(), curves: curves(), parent: regions.view_mut() };
            device.launch_each(e, unite)?;
            device.launch_each(n, LabelFaces { parent: regions.view_mut() })?;
            wanted = device.upload(&elected(&regions.read()?, &wanted.read()?))?;
            let start = StartInCharts {
                mesh: view.reborrow(),
                n,
                x: changed.positions.view(),
                tree: source.before().tree,
                charts: self.view(),
                wanted: wanted.view(),
                nearest: starts.view_mut(),
            };
            device.launch(n.div_ceil(ELEMENTS), start)?;
        }
        let mut at = device.zeros::<Quad>(3 * n as usize)?;
        let locate = LocateInCharts {
            mesh: view.reborrow(),
            n: 3 * n,
            x: changed.positions.view(),
            before: source.before(),
            curves: curves(),
            kept: changed.seams_kept as u32,
            charts: self.view(),
            poles: self.poles.view(),
            wanted: wanted.view(),
            starts: starts.view(),
            of_vertices: of_vertices.view(),
            at: at.view_mut(),
        };
        device.launch((3 * n).div_ceil(ELEMENTS), locate)?;
        Ok(at)
    }
}

/// Whether a column has texture coordinates that follow changes.
pub fn is_texture(column: &Column) -> bool {
    matches!(column.head.role, Role::TextureCoordinate(_)) && column.head.policy != Policy::Drop
}

/// For each face the chart that most faces of its region have, the first of several; `regions` and `charts`
/// have a label for each face.
fn elected(regions: &[u32], charts: &[u32]) -> Vec<u32> {
    let mut votes = HashMap::<[u32; 2], u32>::new();
    for (&region, &chart) in regions.iter().zip(charts) {
        *votes.entry([region, chart]).or_default() += 1;
    }
    let mut best = HashMap::<u32, [u32; 2]>::new();
    for ([region, chart], n) in votes {
        let best = best.entry(region).or_insert([n, chart]);
        if n > best[0] || n == best[0] && chart < best[1] {
            *best = [n, chart];
        }
    }
    regions.iter().map(|region| best[region][1]).collect()
}
