//! A grid of cells in space that changes while it is served.

use crate::LiveError;
use crate::evaluations::{Domain, Evaluations};
use crate::fields::{Fields, Row};
use crate::look::{self, in_words};
use crate::moment::Given;
use crate::seen::Seen;
use crate::surface::bounds_of;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_rixels::{CellGrid, CutGrid, Painter, Scene, Values};
use ribbonmesh_stream::{
    Description, Encoded, Extent, Found, Frames, Lacking, Places, Query, Slice, Triangles, View,
};

/// A regular grid of cells with fields, and a surface in it, such as that of an obstacle: what a
/// [`Live`](crate::Live) of a simulation in a box shows. Without a slice the surface is seen, with the values
/// of the cells around its vertices, linear on faces; a slice has squares with the values of cells.
///
/// Memory on the device: the buffers of the last moment, four bytes for each cell and expression that is in
/// use, of the last eight, and nine for each square of the last slice.
pub struct Grid {
    device: Device,
    painter: Painter,
    grid: CellGrid,
    /// The corner of the grid with the least coordinates.
    origin: DVec3,
    surface: Option<(Buffer<Vec3>, Buffer<u32>)>,
    /// Counts changes of the faces, and of the places.
    versions: [u64; 2],
    open: Option<Buffer<f32>>,
    fields: Fields,
    evaluations: Evaluations,
    begins: Option<Slice>,
    cut: Option<(Slice, CutGrid)>,
    /// Slices so far.
    cuts: u64,
}

/// A grid of cells and its surface at a moment, in buffers of a device, for
/// [`Live::update`](crate::Live::update).
pub struct GridMoment {
    time: f64,
    surface: Option<(Buffer<Vec3>, Buffer<u32>)>,
    moved: Option<Buffer<Vec3>>,
    open: Option<Buffer<f32>>,
    fields: Vec<Given>,
}

impl GridMoment {
    /// The moment of this time, without fields. A surface and open cells that it does not get are those of
    /// the moment before.
    pub fn at(time: f64) -> Self {
        Self { time, surface: None, moved: None, open: None, fields: vec![] }
    }
    /// With this surface: places of vertices, relative to the grid's corner, and three vertices for each
    /// face.
    pub fn surface(self, positions: Buffer<Vec3>, faces: Buffer<u32>) -> Self {
        Self { surface: Some((positions, faces)), ..self }
    }
    /// With other places of the surface's vertices.
    pub fn moved(self, positions: Buffer<Vec3>) -> Self {
        Self { moved: Some(positions), ..self }
    }
    /// With a number for each cell; cells in which it is not above 0, as within an obstacle, show no values.
    pub fn open(self, open: Buffer<f32>) -> Self {
        Self { open: Some(open), ..self }
    }
    /// With a field of cells: a row for each, the cells along x one after the other, then those along y.
    pub fn of_cells<T: Row>(mut self, name: impl Into<String>, values: Buffer<T>) -> Self {
        self.fields.push(Given::of_rows(name, "cells", values));
        self
    }
}

impl Grid {
    /// A grid without fields. `origin` is its corner with the least coordinates; pages begin with the slice,
    /// or with the surface.
    pub fn new(device: &Device, grid: CellGrid, origin: DVec3, begins: Option<Slice>) -> Self {
        Self {
            device: device.clone(),
            painter: Painter::new(device),
            grid,
            origin,
            surface: None,
            versions: [0; 2],
            open: None,
            fields: Fields::default(),
            evaluations: Evaluations::new(device),
            begins,
            cut: None,
            cuts: 0,
        }
    }

    fn check(&self, moment: &GridMoment) -> Result<(), LiveError> {
        let other = |what: &str| Err(LiveError::OtherDevice { what: what.into() });
        let cells = self.grid.count() as usize;
        let (given, kept) = (&moment.surface, &self.surface);
        if let Some((positions, faces)) = given {
            if !faces.len().is_multiple_of(3) {
                return Err(LiveError::Faces(faces.len()));
            }
            if !positions.device().same(&self.device) || !faces.device().same(&self.device) {
                return other("positions and faces of the surface");
            }
        }
        if let Some(moved) = &moment.moved {
            let elements = given.as_ref().or(kept.as_ref()).map_or(0, |(positions, _)| positions.len());
            if moved.len() != elements {
                let (field, of) = ("positions".into(), "vertices");
                return Err(LiveError::Rows { field, of, numbers: 3 * moved.len(), width: 3, elements });
            }
            if !moved.device().same(&self.device) {
                return other("the positions");
            }
        }
        if let Some(open) = &moment.open {
            if open.len() != cells {
                let (field, of, numbers) = ("open".into(), "cells", open.len());
                return Err(LiveError::Rows { field, of, numbers, width: 1, elements: cells });
            }
            if !open.device().same(&self.device) {
                return other("the numbers of open cells");
            }
        }
        moment.fields.iter().try_for_each(|field| field.check(&self.device, cells))
    }

    /// Cuts the grid, unless it is cut by this plane.
    fn cut(&mut self, slice: &Slice) -> Result<(), String> {
        if self.cut.as_ref().is_none_or(|(cut, _)| cut != slice) {
            let normal = DVec3::from(slice.normal);
            let offset = slice.offset - normal.dot(self.origin);
            let cut = self.grid.cut(&self.device, normal, offset).map_err(in_words)?;
            self.cut = Some((*slice, cut));
            self.cuts += 1;
        }
        Ok(())
    }

    /// Does something with the surface and an expression's values there; nothing without a surface.
    fn on_surface<T>(
        &mut self,
        query: &Query,
        then: impl FnOnce(&mut Painter, &Scene<'_>, DVec3) -> ribbonmesh_rixels::Result<T>,
    ) -> Result<Option<T>, String> {
        let (grid, origin) = (self.grid, self.origin);
        let values = &self.evaluations.of(query, &over(&self.fields, grid))?.values;
        let Some((positions, faces)) = &self.surface else { return Ok(None) };
        let values = grid.values_at(positions, values, self.open.as_ref()).map_err(in_words)?;
        let scene = Scene { positions, faces, values: Values::OfVertices(&values) };
        then(&mut self.painter, &scene, origin).map(Some).map_err(in_words)
    }

    /// Does something with a slice and an expression's values there.
    fn on_slice<T>(
        &mut self,
        (query, slice): (&Query, &Slice),
        then: impl FnOnce(&mut Painter, &CutGrid, &Buffer<f32>, DVec3) -> ribbonmesh_rixels::Result<T>,
    ) -> Result<T, String> {
        self.cut(slice)?;
        let values = &self.evaluations.of(query, &over(&self.fields, self.grid))?.values;
        let Some((_, cut)) = &self.cut else { unreachable!("cut above") };
        let values = cut.values(values, self.open.as_ref()).map_err(in_words)?;
        then(&mut self.painter, cut, &values, self.origin).map_err(in_words)
    }
}

/// Domain of expressions: all cells.
fn over(fields: &Fields, grid: CellGrid) -> Domain<'_> {
    Domain { fields, positions: None, elements: ("cells", grid.count() as usize) }
}

impl Seen for Grid {
    type Moment = GridMoment;
    fn device(&self) -> &Device {
        &self.device
    }
    fn replace(&mut self, moment: GridMoment) -> Result<f64, LiveError> {
        self.check(&moment)?;
        let fields = Fields::given(moment.fields);
        match fields.layout() == self.fields.layout() {
            true => self.evaluations.expire(),
            false => self.evaluations.forget(),
        }
        self.fields = fields;
        if let Some(surface) = moment.surface {
            self.surface = Some(surface);
            self.versions = self.versions.map(|version| version + 1);
        }
        if let (Some(moved), Some((positions, _))) = (moment.moved, &mut self.surface) {
            *positions = moved;
            self.versions[1] += 1;
        }
        self.open = moment.open.or(self.open.take());
        Ok(moment.time)
    }
    fn bounds(&self) -> Result<Option<[DVec3; 2]>, Error> {
        let size = DVec3::from_array(self.grid.cells.map(f64::from)) * f64::from(self.grid.edge);
        let grid = [self.origin, self.origin + size];
        let surface = self.surface.as_ref().map(|(positions, _)| bounds_of(positions, self.origin));
        let of_surface = surface.transpose()?.flatten().unwrap_or(grid);
        Ok(Some([grid[0].min(of_surface[0]), grid[1].max(of_surface[1])]))
    }
    fn describe(&self) -> Description {
        let faces = self.surface.as_ref().map(|(_, faces)| ("faces", faces.len() as u64 / 3));
        Description {
            fields: self.fields.served.clone(),
            domain: ("grid", [("cells", self.grid.count())].into_iter().chain(faces).collect()),
            machine: self.device.name(),
            slices: true,
            begins: self.begins,
            ..Description::default()
        }
    }
}

impl Frames for Grid {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        Ok(self.evaluations.of(query, &over(&self.fields, self.grid))?.by().into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        if let Some(slice) = &view.slice {
            return self.on_slice((query, slice), |painter, cut, values, origin| {
                look::encode(painter, &cut.shown(values), view, origin)
            });
        }
        let seen =
            self.on_surface(query, |painter, scene, origin| look::encode(painter, scene, view, origin));
        Ok(seen?.unwrap_or_else(|| Encoded::empty(view)))
    }
    fn extent(&mut self, view: &View) -> Result<Option<Extent>, String> {
        if let Some(slice) = &view.slice {
            self.cut(slice)?;
            let counts = self.cut.as_ref().map_or([0; 2], |(_, cut)| cut.counts());
            // odd numbers are those of slices
            let ([vertices, faces], version) = (counts, 2 * self.cuts + 1);
            return Ok(Some(Extent { vertices, faces, topology: version, placement: version }));
        }
        Ok(self.surface.as_ref().map(|(positions, faces)| {
            let scene = Scene { positions, faces, values: Values::Plain };
            look::extent(&scene, self.versions.map(|version| 2 * version))
        }))
    }
    fn triangles(&mut self, query: &Query, view: &View, lacking: Lacking) -> Result<Triangles, String> {
        if let Some(slice) = &view.slice {
            return self.on_slice((query, slice), |_, cut, values, origin| {
                // two triangles for each square
                let values: Vec<f32> = values.read()?.into_iter().flat_map(|value| [value; 2]).collect();
                let mesh = (lacking.faces || lacking.places).then(|| cut.mesh()).transpose()?;
                let (places, faces) = mesh.unzip();
                let places = places.filter(|_| lacking.places);
                let places = places.map(|places| Places::of(&places, origin.to_array()));
                let faces = faces.filter(|_| lacking.faces);
                Ok(Triangles { faces, places, ..Triangles::with_values(&values, true) })
            });
        }
        let seen = self.on_surface(query, |_, scene, origin| look::triangles(scene, lacking, origin))?;
        seen.ok_or_else(|| "there is no surface".into())
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        if let Some(slice) = &view.slice {
            return self.on_slice((query, slice), |painter, cut, values, origin| {
                let found = look::probe(painter, &cut.shown(values), view, origin, pixel)?;
                let in_cell = |found: Found| {
                    let cell = cut.cell(found.element.1 as u32)?;
                    Ok(Found { element: ("cell", u64::from(cell)), ..found })
                };
                found.map(in_cell).transpose()
            });
        }
        let seen =
            self.on_surface(query, |painter, scene, origin| look::probe(painter, scene, view, origin, pixel));
        Ok(seen?.flatten())
    }
}
