//! Writing MSH files.

use std::collections::BTreeMap;
use std::io;

use ribbonmesh_io::core::{Order, Sink};
use ribbonmesh_mesh::{Precision, Scalar, Scalars};
use ribbonmesh_volume::CellKind;

use crate::{
    DataArray, ENTITY, MshVersion, VolumeData, VolumeLoss, VolumeWriteOptions,
    data::{coordinates, is_region},
    medit::turn,
    shape::Shape,
};

/// An element as the file has it.
struct Element {
    dimension: i32,
    kind: i32,
    /// The numbers that are not 0.
    regions: Vec<i32>,
    entity: i32,
    /// From 1.
    nodes: Vec<u32>,
}

struct Writer<'o, 'w> {
    out: &'o mut Sink<'w>,
    ascii: bool,
}

impl Writer<'_, '_> {
    fn ints(&mut self, values: &[i32]) -> io::Result<()> {
        if self.ascii {
            return self.out.integers(values.iter().copied());
        }
        values.iter().for_each(|value| self.out.bytes(&value.to_le_bytes()));
        self.out.settle()
    }
    fn longs(&mut self, values: &[u64]) -> io::Result<()> {
        if self.ascii {
            return self.out.integers(values.iter().copied());
        }
        values.iter().for_each(|value| self.out.bytes(&value.to_le_bytes()));
        self.out.settle()
    }
    fn doubles(&mut self, values: Vec<f64>) -> io::Result<()> {
        let (width, values) = (values.len(), Scalars::F64(values));
        if self.ascii { self.out.rows(&values, width) } else { self.out.binary(&values, Order::Little) }
    }
    /// Ends a section; binary data do not end in a line end of their own.
    fn end(&mut self, name: &str) -> io::Result<()> {
        self.out.text(if self.ascii { "" } else { "\n" })?;
        self.out.text(name)
    }
}

/// Writes a file. Faces come first, so that their tags are the smallest.
pub(crate) fn write(
    out: &mut Sink<'_>,
    data: &VolumeData,
    options: &VolumeWriteOptions,
    losses: &mut Vec<VolumeLoss>,
) -> io::Result<()> {
    if !data.title.is_empty() {
        losses.push(VolumeLoss::Title);
    }
    let (faces, cells) = elements(data, losses);
    let elements: Vec<Element> = faces.into_iter().chain(cells).collect();
    let kind = i32::from(!options.ascii);
    let is_four = options.msh_version == MshVersion::V4;
    out.text(&format!("$MeshFormat\n{} {kind} 8\n", if is_four { "4.1" } else { "2.2" }))?;
    if !options.ascii {
        out.bytes(&1_i32.to_le_bytes());
        out.text("\n")?;
    }
    out.text("$EndMeshFormat\n")?;
    let (named, unnamed): (Vec<_>, Vec<_>) =
        data.regions.iter().partition(|region| !region.name.contains(['"', '\n', '\r']));
    if !unnamed.is_empty() {
        losses.push(VolumeLoss::RegionNames { count: unnamed.len() });
    }
    if !named.is_empty() {
        out.text(&format!("$PhysicalNames\n{}\n", named.len()))?;
        for region in named {
            out.text(&format!("{} {} \"{}\"\n", region.dimension, region.tag, region.name))?;
        }
        out.text("$EndPhysicalNames\n")?;
    }
    let mut to = Writer { out, ascii: options.ascii };
    if is_four {
        write4(&mut to, data, &elements)?;
    } else {
        write2(&mut to, data, &elements)?;
    }
    let first_cell = elements.iter().filter(|element| element.dimension == 2).count();
    for array in &data.point_data {
        section(&mut to, "NodeData", "point", array, 1, losses)?;
    }
    for (element, arrays, first) in [("cell", &data.cell_data, first_cell + 1), ("face", &data.face_data, 1)]
    {
        for array in arrays.iter() {
            let is_tag = is_region(&array.name) || array.name == ENTITY;
            if !(is_tag && array.tags().is_some()) {
                section(&mut to, "ElementData", element, array, first, losses)?;
            }
        }
    }
    Ok(())
}

/// All faces and all cells, with their regions and entities.
fn elements(data: &VolumeData, losses: &mut Vec<VolumeLoss>) -> (Vec<Element>, Vec<Element>) {
    let cells = &data.cells;
    let mut anew = false;
    let mut tags = |arrays: &[DataArray], rows: usize| {
        let mut regions = vec![vec![]; rows];
        for own in arrays.iter().filter(|array| is_region(&array.name)).filter_map(DataArray::tags) {
            let all =
                regions.iter_mut().zip(own).filter(|(all, region)| *region != 0 && !all.contains(region));
            all.for_each(|(all, region)| all.push(region));
        }
        // each entity has the same regions everywhere
        let given = arrays.iter().find(|array| array.name == ENTITY).and_then(DataArray::tags);
        let mut of: BTreeMap<i32, &Vec<i32>> = BTreeMap::new();
        let fits = |entities: &Vec<i32>| {
            let mut pairs = entities.iter().zip(&regions);
            pairs.all(|(&entity, regions)| entity > 0 && *of.entry(entity).or_insert(regions) == regions)
        };
        let was_given = given.is_some();
        let entities = given.filter(fits).unwrap_or_else(|| {
            anew |= was_given;
            let most = regions.iter().flatten().copied().max().unwrap_or_default().max(0);
            let mut others = BTreeMap::new();
            let number = |regions: &Vec<i32>| {
                let next = most.saturating_add(1 + others.len() as i32);
                match regions[..] {
                    [region] if region > 0 => region,
                    _ => *others.entry(regions.clone()).or_insert(next),
                }
            };
            regions.iter().map(number).collect()
        });
        (regions, entities)
    };
    let (mut face_regions, face_entities) = tags(&data.face_data, cells.faces());
    let (mut cell_regions, cell_entities) = tags(&data.cell_data, cells.len());
    if anew {
        losses.push(VolumeLoss::Entities);
    }
    let faces = (0..cells.faces()).map(|i| Element {
        dimension: 2,
        kind: if cells.face(i).len() == 3 { 2 } else { 3 },
        regions: std::mem::take(&mut face_regions[i]),
        entity: face_entities[i],
        nodes: cells.face(i).iter().map(|v| v + 1).collect(),
    });
    let all = (0..cells.len()).map(|i| {
        let (kind, own) = cells.cell(i);
        let mut nodes: Vec<u32> = own.iter().map(|v| v + 1).collect();
        if kind == CellKind::Wedge {
            turn(Shape::Wedge, &mut nodes);
        }
        let kind = match kind {
            CellKind::Tetrahedron => 4,
            CellKind::Pyramid => 7,
            CellKind::Wedge => 6,
            CellKind::Hexahedron | CellKind::Polyhedron => 5,
        };
        let regions = std::mem::take(&mut cell_regions[i]);
        Element { dimension: 3, kind, regions, entity: cell_entities[i], nodes }
    });
    (faces.collect(), all.collect())
}

/// The groups and the bounding box of an entity.
type Entity<'a> = (&'a [i32], [f64; 6]);

fn write4(to: &mut Writer<'_, '_>, data: &VolumeData, elements: &[Element]) -> io::Result<()> {
    let mut entities: BTreeMap<(i32, i32), Entity<'_>> = BTreeMap::new();
    for element in elements {
        let none = [
            f64::INFINITY,
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ];
        let of = entities.entry((element.dimension, element.entity)).or_insert((&element.regions, none));
        for &node in &element.nodes {
            let position = data.positions[node as usize - 1].to_array();
            for (axis, x) in position.into_iter().enumerate() {
                of.1[axis] = of.1[axis].min(x);
                of.1[axis + 3] = of.1[axis + 3].max(x);
            }
        }
    }
    let count = |dimension| entities.keys().filter(|key| key.0 == dimension).count() as u64;
    to.out.text("$Entities\n")?;
    to.longs(&[0, 0, count(2), count(3)])?;
    for (&(_, tag), &(regions, bounds)) in &entities {
        to.ints(&[tag])?;
        to.doubles(bounds.to_vec())?;
        to.longs(&[regions.len() as u64])?;
        if !regions.is_empty() {
            to.ints(regions)?;
        }
        to.longs(&[0])?;
    }
    to.end("$EndEntities\n$Nodes\n")?;
    let nodes = data.positions.len() as u64;
    to.longs(&[1, nodes, 1, nodes])?;
    let volume = elements.iter().find(|element| element.dimension == 3).map_or(1, |element| element.entity);
    to.ints(&[3, volume, 0])?;
    to.longs(&[nodes])?;
    for tag in 1..=nodes {
        to.longs(&[tag])?;
    }
    positions(to, data)?;
    to.end("$EndNodes\n$Elements\n")?;
    let alike = |a: &Element, b: &Element| (a.dimension, a.entity, a.kind) == (b.dimension, b.entity, b.kind);
    let (blocks, all) = (elements.chunk_by(alike).count() as u64, elements.len() as u64);
    to.longs(&[blocks, all, 1, all])?;
    let mut tag = 0;
    for block in elements.chunk_by(alike) {
        to.ints(&[block[0].dimension, block[0].entity, block[0].kind])?;
        to.longs(&[block.len() as u64])?;
        for element in block {
            tag += 1;
            let mut row = vec![tag];
            row.extend(element.nodes.iter().map(|&node| u64::from(node)));
            to.longs(&row)?;
        }
    }
    to.end("$EndElements\n")
}

fn positions(to: &mut Writer<'_, '_>, data: &VolumeData) -> io::Result<()> {
    let numbers = coordinates(&data.positions, Precision::Double);
    if to.ascii { to.out.rows(&numbers, 3) } else { to.out.binary(&numbers, Order::Little) }
}

fn write2(to: &mut Writer<'_, '_>, data: &VolumeData, elements: &[Element]) -> io::Result<()> {
    to.out.text(&format!("$Nodes\n{}\n", data.positions.len()))?;
    for (tag, position) in (1..).zip(&data.positions) {
        if to.ascii {
            to.out.integer(tag);
            to.out.text(" ")?;
        } else {
            to.ints(&[tag])?;
        }
        to.doubles(position.to_array().to_vec())?;
    }
    // an element of several groups is written once for each, as Gmsh has it; the tags of such copies follow
    // all others
    let copies = |element: &Element| element.regions.len().max(1);
    let all: usize = elements.iter().map(copies).sum();
    to.end(&format!("$EndNodes\n$Elements\n{all}\n"))?;
    let (mut tag, mut copy) = (0, elements.len() as i32);
    for block in elements.chunk_by(|a, b| a.kind == b.kind) {
        if !to.ascii {
            to.ints(&[block[0].kind, block.iter().map(copies).sum::<usize>() as i32, 2])?;
        }
        for element in block {
            tag += 1;
            for k in 0..copies(element) {
                copy += i32::from(k > 0);
                let own = if k == 0 { tag } else { copy };
                let mut row = if to.ascii { vec![own, element.kind, 2] } else { vec![own] };
                row.extend([element.regions.get(k).copied().unwrap_or_default(), element.entity]);
                row.extend(element.nodes.iter().map(|&node| node as i32));
                to.ints(&row)?;
            }
        }
    }
    to.end("$EndElements\n")
}

/// Data as a section: numbers in double precision, 1, 3 or 9 per row.
fn section(
    to: &mut Writer<'_, '_>,
    title: &str,
    element: &'static str,
    array: &DataArray,
    first: usize,
    losses: &mut Vec<VolumeLoss>,
) -> io::Result<()> {
    let name = array.name.clone();
    let width = [1, 3, 9].into_iter().find(|&width| width >= array.width);
    let Some(width) = width.filter(|_| !name.contains(['"', '\n', '\r'])) else {
        losses.push(VolumeLoss::Array { element, name });
        return Ok(());
    };
    if array.scalars.scalar() != Scalar::F64 {
        losses.push(VolumeLoss::Type { element, name: name.clone(), stored: "f64" });
    }
    // six numbers of a symmetric tensor, in VTK's order
    let tensor = array.width == 6;
    if tensor {
        losses.push(VolumeLoss::Tensor { element, name: name.clone() });
    } else if width > array.width {
        losses.push(VolumeLoss::Padded { element, name: name.clone(), width });
    }
    to.out.text(&format!("${title}\n1\n\"{name}\"\n1\n0\n3\n0\n{width}\n{}\n", array.rows()))?;
    for row in 0..array.rows() {
        let value = |i: usize| array.scalars.as_f64(row * array.width + i).unwrap_or_default();
        let mut values: Vec<f64> = (0..array.width).map(value).collect();
        if tensor {
            values = [0, 3, 5, 3, 1, 4, 5, 4, 2].map(|k| values[k]).to_vec();
        }
        values.resize(width, 0.0);
        let tag = (first + row) as i32;
        if to.ascii {
            to.out.integer(tag);
            to.out.text(" ")?;
        } else {
            to.ints(&[tag])?;
        }
        to.doubles(values)?;
    }
    to.end(&format!("$End{title}\n"))
}
