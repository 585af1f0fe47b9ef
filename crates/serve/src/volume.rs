//! A volume on a device as a source.

use crate::LiveError;
use crate::evaluations::{Domain, Evaluated, Evaluations};
use crate::fields::Fields;
use crate::look::{self, in_words, origin_of};
use crate::moment::Given;
use ribbonmesh::device::NONE;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_render::Up;
use ribbonmesh_rixels::{Painter, RixelError, Scene, Values};
use ribbonmesh_stream::{
    Description, Encoded, Extent, Found, Frames, Lacking, Query, Slice, Source, Step, Triangles, View,
};
use ribbonmesh_volume::{Plane, VolumeError, VolumeMesh, VolumeOptions, VolumeSlice};
use ribbonmesh_volume_io::VolumeData;

/// A volume on a device, with its data of vertices and cells as fields: its surface, or a slice, which is cut
/// anew whenever the plane changes. It does not move.
///
/// Values of vertices are linear between them, also on slices; a value of a cell is that of its polygon.
///
/// Memory on the device: that of the volume with its faces, the surface, four bytes for each number of a data
/// array and for each vertex or cell and expression that is in use, of the last eight, and the last slice.
pub struct VolumeSource {
    painter: Painter,
    volume: VolumeMesh,
    surface: Shown,
    /// Faces of the surface that belong to no cell.
    loose: usize,
    slice: Option<(Slice, Shown)>,
    /// Slices so far.
    slices: u64,
    /// The point that is the origin of positions.
    origin: DVec3,
    fields: Fields,
    description: Description,
    evaluations: Evaluations,
}

/// Triangles of a surface or a slice, and the values that they had last.
struct Shown {
    shape: Shape,
    /// Another number for each slice; 0 is the surface.
    version: u64,
    /// The number of the evaluation, and its values on the triangles.
    values: Option<(u64, Buffer<f32>)>,
}

enum Shape {
    Surface { positions: Buffer<Vec3>, corners: Buffer<u32>, vertices: Buffer<u32>, cells: Buffer<u32> },
    Slice(VolumeSlice),
}

impl Shown {
    fn new(shape: Shape, version: u64) -> Self {
        Self { shape, version, values: None }
    }
    /// The surface of a volume, without the faces that belong to no cell, and the number of their triangles.
    fn of_surface(volume: &VolumeMesh) -> Result<(Self, usize), VolumeError> {
        let surface = volume.surface()?;
        let cells = surface.volume_cells().read()?;
        let loose = cells.iter().filter(|cell| **cell == NONE).count();
        let (mut corners, mut cells_of) =
            (surface.corners().try_clone()?, surface.volume_cells().try_clone()?);
        if loose > 0 {
            let all = corners.read()?;
            let kept = all.as_chunks::<3>().0.iter().zip(&cells).filter(|(_, cell)| **cell != NONE);
            let (faces, cells): (Vec<[u32; 3]>, Vec<u32>) = kept.map(|(face, cell)| (*face, *cell)).unzip();
            corners = volume.device().upload(faces.as_flattened())?;
            cells_of = volume.device().upload(&cells)?;
        }
        let positions = surface.positions().try_clone()?;
        let vertices = surface.volume_vertices().try_clone()?;
        Ok((Self::new(Shape::Surface { positions, corners, vertices, cells: cells_of }, 0), loose))
    }
    /// Takes the values of the volume's vertices or cells.
    fn take(&mut self, of: &Evaluated) -> Result<(), String> {
        if self.values.as_ref().is_some_and(|(number, _)| *number == of.number) {
            return Ok(());
        }
        let values = match &self.shape {
            Shape::Surface { cells, .. } if of.of_elements => {
                array::gather(&of.values, cells).map_err(in_words)?
            }
            Shape::Surface { vertices, .. } => array::gather(&of.values, vertices).map_err(in_words)?,
            Shape::Slice(slice) if of.of_elements => {
                array::gather(&of.values, slice.volume_cells()).map_err(in_words)?
            }
            Shape::Slice(slice) => slice.of_vertices(&of.values).map_err(in_words)?,
        };
        self.values = Some((of.number, values));
        Ok(())
    }
    fn scene(&self, of_elements: bool) -> Scene<'_> {
        let (positions, faces) = match &self.shape {
            Shape::Surface { positions, corners, .. } => (positions, corners),
            Shape::Slice(slice) => (slice.positions(), slice.corners()),
        };
        let values = match &self.values {
            Some((_, values)) if of_elements => Values::OfFaces(values),
            Some((_, values)) => Values::OfVertices(values),
            None => Values::Plain,
        };
        Scene { positions, faces, values }
    }
    /// The cell of a triangle.
    fn cell(&self, triangle: u64) -> Result<u32, RixelError> {
        let cells = match &self.shape {
            Shape::Surface { cells, .. } => cells,
            Shape::Slice(slice) => slice.volume_cells(),
        };
        Ok(cells.read_range(triangle as usize, 1)?[0])
    }
}

/// The fields of a volume: data of vertices, data of cells, and places.
fn fields_of(device: &Device, volume: &VolumeData, origin: DVec3) -> Result<Fields, Error> {
    let mut given = vec![];
    for (of, arrays) in [("vertices", &volume.point_data), ("cells", &volume.cell_data)] {
        for array in arrays {
            given.push(Given::of_host(device, of, &array.name, (array.width, &array.scalars))?);
        }
    }
    let places = || volume.positions.iter().flat_map(|p| p.as_vec3().to_array()).collect::<Vec<f32>>();
    // positions are the places of the world unless they are relative to a point
    let places = (origin != DVec3::ZERO).then(|| device.upload(&places())).transpose()?;
    Ok(Fields::new(given, volume.positions.len() as u64, places))
}

fn domain<'a>(fields: &'a Fields, volume: &'a VolumeMesh) -> Domain<'a> {
    Domain { fields, positions: Some(volume.positions()), elements: ("cells", volume.cells()) }
}

impl VolumeSource {
    /// Copies a volume and its data to a device. `title` is shown in the page; `up` points up there.
    /// # Errors
    /// [`LiveError::NoCells`]; [`LiveError::Volume`]: errors of [`VolumeMesh::new`].
    pub fn new(
        device: &Device,
        volume: &VolumeData,
        title: impl Into<String>,
        up: Up,
        options: &VolumeOptions,
    ) -> Result<Self, LiveError> {
        if volume.cells.is_empty() {
            return Err(LiveError::NoCells);
        }
        let nothing = BoundingBox { low: DVec3::ZERO, high: DVec3::ZERO };
        let bounds = BoundingBox::around(volume.positions.iter().copied()).unwrap_or(nothing);
        let origin = origin_of(&bounds);
        let fields = fields_of(device, volume, origin)?;
        let (vertices, cells) = (volume.positions.len() as u64, volume.cells.len() as u64);
        let mesh = volume.upload(device, origin, options)?;
        let (surface, loose) = Shown::of_surface(&mesh)?;
        let description = Description {
            title: title.into(),
            fields: fields.served.clone(),
            domain: ("volume", vec![("vertices", vertices), ("cells", cells)]),
            bounds: [bounds.low.to_array(), bounds.high.to_array()],
            axes: up.axes().to_cols_array_2d(),
            slices: true,
            machine: device.name(),
            ..Description::default()
        };
        let (painter, evaluations) = (Painter::new(device), Evaluations::new(device));
        Ok(Self {
            painter,
            volume: mesh,
            surface,
            loose,
            slice: None,
            slices: 0,
            origin,
            fields,
            description,
            evaluations,
        })
    }
    /// Triangles of faces that belong to no cell, which are not shown.
    pub fn loose_triangles(&self) -> usize {
        self.loose
    }

    /// Cuts the volume, unless it is cut by this plane.
    fn cut(&mut self, slice: &Slice) -> Result<(), String> {
        if self.slice.as_ref().is_some_and(|(cut, _)| cut == slice) {
            return Ok(());
        }
        let normal = DVec3::from(slice.normal);
        // of length 1, so that single precision holds it
        let length = normal.length();
        let offset = (slice.offset - normal.dot(self.origin)) / length;
        let plane = Plane { normal: (normal / length).as_vec3(), offset };
        let cut = self.volume.slice(&plane).map_err(in_words)?;
        self.slices += 1;
        self.slice = Some((*slice, Shown::new(Shape::Slice(cut), self.slices)));
        Ok(())
    }

    /// The scene that a view sees, with the expression's values.
    fn seen<T>(
        &mut self,
        query: &Query,
        view: &View,
        then: impl FnOnce(&mut Painter, &Shown, bool) -> Result<T, RixelError>,
    ) -> Result<T, String> {
        if let Some(slice) = &view.slice {
            self.cut(slice)?;
        }
        let kept = self.evaluations.of(query, &domain(&self.fields, &self.volume))?;
        let triangles = match (&view.slice, &mut self.slice) {
            (Some(_), Some((_, triangles))) => triangles,
            _ => &mut self.surface,
        };
        triangles.take(kept)?;
        then(&mut self.painter, triangles, kept.of_elements).map_err(in_words)
    }
}

impl Source for VolumeSource {
    fn describe(&self) -> Description {
        self.description.clone()
    }
    fn step(&self) -> Step {
        Step { number: 0, time: 0.0 }
    }
    fn frames(&mut self) -> &mut dyn Frames {
        self
    }
}

impl Frames for VolumeSource {
    fn prepare(&mut self, query: &Query) -> Result<String, String> {
        let kept = self.evaluations.of(query, &domain(&self.fields, &self.volume))?;
        Ok(kept.by().into())
    }
    fn encode(&mut self, query: &Query, view: &View) -> Result<Encoded, String> {
        let origin = self.origin;
        self.seen(query, view, |painter, triangles, of_elements| {
            look::encode(painter, &triangles.scene(of_elements), view, origin)
        })
    }
    fn extent(&mut self, view: &View) -> Result<Option<Extent>, String> {
        if let Some(slice) = &view.slice {
            self.cut(slice)?;
        }
        let shown = match (&view.slice, &self.slice) {
            (Some(_), Some((_, shown))) => shown,
            _ => &self.surface,
        };
        Ok(Some(look::extent(&shown.scene(false), [shown.version; 2])))
    }
    fn triangles(&mut self, query: &Query, view: &View, lacking: Lacking) -> Result<Triangles, String> {
        let origin = self.origin;
        self.seen(query, view, |_, shown, of_elements| {
            look::triangles(&shown.scene(of_elements), lacking, origin)
        })
    }
    fn probe(&mut self, query: &Query, view: &View, pixel: [u32; 2]) -> Result<Option<Found>, String> {
        let origin = self.origin;
        self.seen(query, view, |painter, triangles, of_elements| {
            let found = look::probe(painter, &triangles.scene(of_elements), view, origin, pixel)?;
            let in_cell = |found: Found| {
                let cell = triangles.cell(found.element.1)?;
                Ok(Found { element: ("cell", u64::from(cell)), ..found })
            };
            found.map(in_cell).transpose()
        })
    }
}
