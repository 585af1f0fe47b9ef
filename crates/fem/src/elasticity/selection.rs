//! Selection of vertices, faces and cells of a volume.
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::{BoundingBox, Class, Classified};
use ribbonmesh_volume_io::{VolumeData, is_region};
use std::collections::HashSet;
use std::str::FromStr;

/// A selection of vertices.
///
/// | text | selects vertices |
/// |---|---|
/// | `all` | all |
/// | `min-x`, `max-z` | on a side of the bounding box |
/// | `x=0.5` | on a plane, within a millionth of the box's diagonal |
/// | `y<0.1`, `y>2` | on a side of a plane, or on it |
/// | `box:0,0,0,1,1,2` | within a box, from its lowest to its highest corner |
/// | `region:clamp`, `region:3` | of a region of the file, by its name or number: of its faces, or of its cells if it has no faces |
/// | `faces:3`, `cells:3` | of the faces alone, of the cells alone |
///
/// Faces and cells may have regions of the same number. `region` means regions of faces for supports and
/// loads, and regions of cells for materials; [`Report::ambiguous`](crate::elasticity::Report::ambiguous)
/// lists the selections for which there are both.
#[derive(Clone, Debug, PartialEq)]
pub enum Selection {
    /// All vertices.
    All,
    /// Vertices on a side of the bounding box.
    Side {
        /// The axis: 0 to 2 for x to z.
        axis: usize,
        /// Whether the side is at the upper end.
        upper: bool,
    },
    /// Vertices on a plane.
    Plane {
        /// The axis: 0 to 2 for x to z.
        axis: usize,
        /// The coordinate of the plane.
        value: f64,
    },
    /// Vertices below a plane, or on it.
    Below {
        /// The axis: 0 to 2 for x to z.
        axis: usize,
        /// The coordinate of the plane.
        value: f64,
    },
    /// Vertices above a plane, or on it.
    Above {
        /// The axis: 0 to 2 for x to z.
        axis: usize,
        /// The coordinate of the plane.
        value: f64,
    },
    /// Vertices within a box.
    Box {
        /// The lowest corner.
        low: DVec3,
        /// The highest corner.
        high: DVec3,
    },
    /// Vertices of the faces of a region, or of its cells.
    Region(String),
    /// Vertices of the faces of a region.
    Faces(String),
    /// Vertices of the cells of a region.
    Cells(String),
}

/// Error of a text that is not a selection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is {SELECTIONS}")]
pub struct SelectionError(pub String);

/// Rest of the message about a text that is none of these.
const SELECTIONS: &str = "none of all, min-x, max-y, x=NUMBER, y<NUMBER, z>NUMBER, box:X,Y,Z,X,Y,Z, region:NAME, faces:NAME, cells:NAME";

impl Classified for SelectionError {
    fn class(&self) -> Class {
        Class::option("selection", format!("is {:?}: {SELECTIONS}", self.0))
    }
}

impl FromStr for Selection {
    type Err = SelectionError;
    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let wrong = || SelectionError(text.to_owned());
        let axis_of = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name.trim());
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        if text == "all" {
            return Ok(Self::All);
        }
        let kinds = [
            ("region:", Self::Region as fn(String) -> Self),
            ("faces:", Self::Faces),
            ("cells:", Self::Cells),
        ];
        for (prefix, kind) in kinds {
            if let Some(name) = text.strip_prefix(prefix) {
                return if name.is_empty() { Err(wrong()) } else { Ok(kind(name.to_owned())) };
            }
        }
        if let Some(list) = text.strip_prefix("box:") {
            let numbers: Option<Vec<f64>> = list.split(',').map(number).collect();
            let numbers = numbers.filter(|n| n.len() == 6).ok_or_else(wrong)?;
            let (low, high) = (DVec3::from_slice(&numbers[..3]), DVec3::from_slice(&numbers[3..]));
            return if low.cmple(high).all() { Ok(Self::Box { low, high }) } else { Err(wrong()) };
        }
        for (prefix, upper) in [("min-", false), ("max-", true)] {
            if let Some(name) = text.strip_prefix(prefix) {
                return Ok(Self::Side { axis: axis_of(name).ok_or_else(wrong)?, upper });
            }
        }
        let at = text.find(['=', '<', '>']).ok_or_else(wrong)?;
        let (axis, value) = (axis_of(&text[..at]), number(&text[at + 1..]));
        match (axis, &text[at..=at], value) {
            (Some(axis), "=", Some(value)) => Ok(Self::Plane { axis, value }),
            (Some(axis), "<", Some(value)) => Ok(Self::Below { axis, value }),
            (Some(axis), ">", Some(value)) => Ok(Self::Above { axis, value }),
            _ => Err(wrong()),
        }
    }
}
impl std::fmt::Display for Selection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |axis: &usize| ["x", "y", "z"][*axis];
        match self {
            Self::All => write!(f, "all"),
            Self::Side { axis, upper } => write!(f, "{}-{}", if *upper { "max" } else { "min" }, name(axis)),
            Self::Plane { axis, value } => write!(f, "{}={value}", name(axis)),
            Self::Below { axis, value } => write!(f, "{}<{value}", name(axis)),
            Self::Above { axis, value } => write!(f, "{}>{value}", name(axis)),
            Self::Box { low, high } => {
                write!(f, "box:{},{},{},{},{},{}", low.x, low.y, low.z, high.x, high.y, high.z)
            }
            Self::Region(name) => write!(f, "region:{name}"),
            Self::Faces(name) => write!(f, "faces:{name}"),
            Self::Cells(name) => write!(f, "cells:{name}"),
        }
    }
}

/// Selected elements.
pub struct Chosen {
    /// For each vertex whether it is selected.
    pub vertices: Vec<bool>,
    /// Faces of a region by their sorted vertices, if it lists faces.
    pub faces: HashSet<Vec<u32>>,
    /// The cells of a region.
    pub cells: Option<HashSet<usize>>,
    /// Whether both faces and cells have regions of that name or number; only one kind was taken.
    pub ambiguous: bool,
}
impl Chosen {
    /// Number of selected vertices.
    pub fn count(&self) -> usize {
        self.vertices.iter().filter(|v| **v).count()
    }
    /// Whether a cell with these vertices is selected.
    pub fn has_cell(&self, cell: usize, vertices: &[u32]) -> bool {
        match &self.cells {
            Some(cells) => cells.contains(&cell),
            None => vertices.iter().all(|&v| self.vertices[v as usize]),
        }
    }
    /// Whether a face with these vertices is selected.
    pub fn has_face(&self, vertices: &[u32]) -> bool {
        if self.faces.is_empty() {
            return vertices.iter().all(|&v| self.vertices[v as usize]);
        }
        let mut own = vertices.to_vec();
        own.sort_unstable();
        self.faces.contains(&own)
    }
}

/// The use of a selection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Supports and loads.
    Surface,
    /// Materials.
    Material,
}

impl Selection {
    /// The names of a file's regions if a region is selected, for an error about it.
    pub(crate) fn regions(&self, volume: &VolumeData) -> Vec<String> {
        if !matches!(self, Self::Region(_) | Self::Faces(_) | Self::Cells(_)) {
            return vec![];
        }
        let mut names: Vec<String> = volume.regions.iter().map(|r| r.name.clone()).collect();
        let arrays = volume.face_data.iter().chain(&volume.cell_data).filter(|array| is_region(&array.name));
        let mut numbers: Vec<i32> = arrays.filter_map(|array| array.tags()).flatten().collect();
        numbers.sort_unstable();
        numbers.dedup();
        names.extend(numbers.iter().filter(|&&tag| tag != 0).map(ToString::to_string));
        names
    }
    /// Selects vertices, faces and cells.
    pub(crate) fn choose(&self, volume: &VolumeData, purpose: Purpose) -> Chosen {
        let x = &volume.positions;
        let around = x.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with);
        let (BoundingBox { low, high }, near) = (around, 1e-6 * around.diagonal());
        let by = |f: &dyn Fn(DVec3) -> bool| x.iter().map(|x| f(*x)).collect::<Vec<_>>();
        let vertices = match self {
            Self::All => vec![true; x.len()],
            Self::Side { axis, upper: false } => by(&|x| x[*axis] <= low[*axis] + near),
            Self::Side { axis, upper: true } => by(&|x| x[*axis] >= high[*axis] - near),
            Self::Plane { axis, value } => by(&|x| (x[*axis] - value).abs() <= near),
            Self::Below { axis, value } => by(&|x| x[*axis] <= value + near),
            Self::Above { axis, value } => by(&|x| x[*axis] >= value - near),
            Self::Box { low, high } => by(&|x| x.cmpge(*low - near).all() && x.cmple(*high + near).all()),
            Self::Region(name) | Self::Faces(name) | Self::Cells(name) => {
                return self.choose_region(volume, name, purpose);
            }
        };
        Chosen { vertices, faces: HashSet::new(), cells: None, ambiguous: false }
    }
    fn choose_region(&self, volume: &VolumeData, name: &str, purpose: Purpose) -> Chosen {
        let own = |dimension: u8, tag: i32| {
            let named = |r: &ribbonmesh_volume_io::Region| {
                r.dimension == dimension && r.tag == tag && r.name == *name
            };
            volume.regions.iter().any(named) || name.parse() == Ok(tag)
        };
        let rows = |arrays: &[ribbonmesh_volume_io::DataArray], dimension: u8| -> HashSet<usize> {
            let tags = arrays.iter().filter(|array| is_region(&array.name)).filter_map(|array| array.tags());
            tags.flat_map(|tags| (0..tags.len()).filter(|&row| own(dimension, tags[row])).collect::<Vec<_>>())
                .collect()
        };
        let (mut faces, mut cells) = (rows(&volume.face_data, 2), rows(&volume.cell_data, 3));
        let both = !faces.is_empty() && !cells.is_empty();
        match self {
            Self::Faces(_) => cells.clear(),
            Self::Cells(_) => faces.clear(),
            _ if both && purpose == Purpose::Material => faces.clear(),
            _ if both => cells.clear(),
            _ => {}
        }
        let mut vertices = vec![false; volume.positions.len()];
        let mut listed = HashSet::new();
        for &face in &faces {
            let mut own = volume.cells.face(face).to_vec();
            own.iter().for_each(|&v| vertices[v as usize] = true);
            own.sort_unstable();
            listed.insert(own);
        }
        for &cell in &cells {
            volume.cells.cell(cell).1.iter().for_each(|&v| vertices[v as usize] = true);
        }
        let ambiguous = both && matches!(self, Self::Region(_));
        Chosen { vertices, faces: listed, cells: Some(cells), ambiguous }
    }
}
