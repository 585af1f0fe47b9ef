//! Reading MSH files: their sections.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DVec3;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Cursor, Order, Outcome, fault, quote},
};
use ribbonmesh_mesh::Precision;

use crate::{
    DataArray, ENTITY, REGION, Region, VolumeData, VolumeNotes,
    builder::{Builder, Target, not_finite},
    data::further_region,
    medit::turn,
    shape::Shape,
};

/// Tags of nodes or elements, and their numbers in the order of the file.
pub(super) type Numbers = HashMap<u64, u32>;

/// State of a reader: the part of the file that has been read so far.
pub(super) struct Reader<'a> {
    pub at: Cursor<'a>,
    pub binary: bool,
    pub order: Order,
    pub builder: Builder,
    pub nodes: Numbers,
    pub elements: Numbers,
    /// Regions of all elements.
    pub regions: Vec<i32>,
    /// Entities of all elements.
    pub entities: Vec<i32>,
    /// Further regions of elements that have several.
    further: BTreeMap<u32, Vec<i32>>,
    /// Elements that the file lists more than once, for each of their groups.
    pub listed_again: HashSet<u32>,
    /// The last element: its shape, its nodes in order, its entity.
    last: Option<(Shape, Vec<u32>, i32)>,
    /// Regions of entities, by dimension and tag.
    pub regions_of: HashMap<(i32, i32), Vec<i32>>,
    has_nodes: bool,
    has_elements: bool,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Outcome<(VolumeData, VolumeNotes)> {
    let mut at = Cursor::words(bytes, 0, false);
    at.expect("$MeshFormat")?;
    let (version_at, version) = at.needed("the version")?;
    let is_four = match version {
        b"4.1" => true,
        b"2" | b"2.0" | b"2.1" | b"2.2" => false,
        _ => {
            let what = format!("MSH version {}", quote(version));
            return Err(fault(version_at, Kind::Unsupported { what }));
        }
    };
    at.next_word();
    let kind_at = at.pos;
    let binary = match at.number::<i64>("the kind of file")? {
        0 => false,
        1 => true,
        other => {
            let (expected, found) = ("0 or 1", other.to_string());
            return Err(fault(kind_at, Kind::Unexpected { expected, found }));
        }
    };
    at.next_word();
    let size_at = at.pos;
    let size: i64 = at.number("the size of numbers")?;
    if size != 8 {
        return Err(fault(size_at, Kind::Unsupported { what: format!("a size of numbers of {size} bytes") }));
    }
    let mut order = Order::Little;
    if binary {
        at.line();
        let one_at = at.pos;
        match at.int(Order::Little, "the number 1")? {
            1 => {}
            0x0100_0000 => order = Order::Big,
            other => {
                let (expected, found) = ("the number 1", other.to_string());
                return Err(fault(one_at, Kind::Unexpected { expected, found }));
            }
        }
    }
    at.expect("$EndMeshFormat")?;
    let (builder, nodes, elements, regions, entities, regions_of) = Default::default();
    let (further, listed_again, last) = Default::default();
    let (has_nodes, has_elements) = (false, false);
    let mut reader = Reader {
        at,
        binary,
        order,
        builder,
        nodes,
        elements,
        regions,
        entities,
        further,
        listed_again,
        last,
        regions_of,
        has_nodes,
        has_elements,
    };
    reader.builder.data.precision = Precision::Double;
    while reader.section(is_four)? {}
    reader.finish()
}

impl Reader<'_> {
    fn section(&mut self, is_four: bool) -> Outcome<bool> {
        self.at.next_word();
        let start = self.at.pos;
        let Some(word) = self.at.word() else { return Ok(false) };
        let twice = |what: &str| Err(fault(start, Kind::Duplicate { what: format!("the section {what}") }));
        if self.binary {
            self.at.line();
        }
        match word {
            b"$PhysicalNames" => {
                self.names()?;
                self.at.expect("$EndPhysicalNames")?;
            }
            b"$Entities" if is_four => {
                self.entities4()?;
                self.at.expect("$EndEntities")?;
            }
            b"$Nodes" => {
                if std::mem::replace(&mut self.has_nodes, true) {
                    return twice("$Nodes");
                }
                if is_four {
                    self.nodes4()?
                } else {
                    self.nodes2()?
                }
                self.at.expect("$EndNodes")?;
            }
            b"$Elements" => {
                if std::mem::replace(&mut self.has_elements, true) {
                    return twice("$Elements");
                }
                if is_four {
                    self.elements4()?
                } else {
                    self.elements2()?
                }
                self.at.expect("$EndElements")?;
            }
            b"$NodeData" => {
                self.data(true, start)?;
                self.at.expect("$EndNodeData")?;
            }
            b"$ElementData" => {
                self.data(false, start)?;
                self.at.expect("$EndElementData")?;
            }
            _ if word.starts_with(b"$") && !word.starts_with(b"$End") => {
                self.builder.notes.skip(quote(&word[1..]));
                let end = [b"$End", &word[1..]].concat();
                let found = memchr::memmem::find(self.at.rest(), &end);
                let Some(found) = found else { return Err(self.at.truncated("the end of a section")) };
                self.at.pos += found + end.len();
            }
            _ => {
                let (expected, found) = ("a section", quote(word));
                return Err(fault(start, Kind::Unexpected { expected, found }));
            }
        }
        Ok(true)
    }

    /// Names of physical groups, which are text in binary files, too.
    fn names(&mut self) -> Outcome<()> {
        let count = self.at.count_of("names", 6)?;
        for _ in 0..count {
            let dimension = self.at.number::<u8>("the dimension of a group")?;
            let tag = self.at.number("the tag of a group")?;
            let start = self.at.pos;
            let line = self.at.line().trim_ascii();
            let name = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\""));
            let Some(name) = name else {
                let (expected, found) = ("a name in quotes", quote(line));
                return Err(fault(start, Kind::Unexpected { expected, found }));
            };
            let name = String::from_utf8_lossy(name).into_owned();
            self.builder.data.regions.push(Region { dimension, tag, name });
        }
        Ok(())
    }

    /// The offset of the next number.
    pub fn here(&mut self) -> usize {
        if !self.binary {
            self.at.next_word();
        }
        self.at.pos
    }
    /// A whole number of 32 bits.
    pub fn int(&mut self, what: &'static str) -> Outcome<i32> {
        if self.binary { self.at.int(self.order, what) } else { self.at.number(what) }
    }
    /// A whole number of 64 bits.
    pub fn long(&mut self, what: &'static str) -> Outcome<u64> {
        if self.binary { self.at.long(self.order, what) } else { self.at.number(what) }
    }
    /// A number in double precision.
    pub fn double(&mut self, what: &'static str) -> Outcome<f64> {
        if self.binary { self.at.double(self.order, what) } else { self.at.number(what) }
    }
    /// A count of 64 bits of items with this many numbers each, and this many bytes where they are binary.
    pub fn count(&mut self, what: &'static str, numbers: usize, bytes: usize) -> Outcome<usize> {
        let start = self.here();
        let count = self.long(what)?;
        self.at.room(start, what, count, if self.binary { bytes } else { numbers })
    }

    /// A node by its tag.
    pub fn node(&mut self, tag: u64, position: DVec3, start: usize) -> Outcome<()> {
        let number = self.builder.data.positions.len();
        if !position.as_vec3().is_finite() {
            let value = position.to_array().into_iter().find(|x| !(*x as f32).is_finite());
            return Err(not_finite(start, number, value.unwrap_or_default()));
        }
        self.builder.data.positions.push(position);
        match self.nodes.insert(tag, number as u32) {
            None => Ok(()),
            Some(_) => Err(fault(start, Kind::Duplicate { what: format!("node {tag}") })),
        }
    }

    /// An element by the tags of its nodes, with its regions. One with the nodes and the entity of the
    /// element before it is the same element in another group, as Gmsh writes it in version 2.
    pub fn element(
        &mut self,
        tag: u64,
        shape: Shape,
        tags: &[u64],
        (regions, entity): (&[i32], i32),
        start: usize,
    ) -> Outcome<()> {
        let mut nodes = Vec::with_capacity(tags.len());
        for &node in tags {
            let Some(&number) = self.nodes.get(&node) else {
                let (element, what, count) = (format!("element {tag}"), "node", self.nodes.len() as u64);
                let index = i64::try_from(node).unwrap_or(i64::MAX);
                return Err(fault(start, Kind::OutOfRange { element, what, index, count }));
            };
            nodes.push(number);
        }
        turn(shape, &mut nodes);
        let again = self.last.as_ref().is_some_and(|(before, own, of)| {
            *before == shape && *of == entity && entity != 0 && *own == nodes
        });
        let (first, others) =
            regions.split_first().map_or((0, [].as_slice()), |(first, rest)| (*first, rest));
        let next = self.builder.elements() as u32;
        let number = if again { next - 1 } else { next };
        let known = again && (self.regions[number as usize] == first || first == 0);
        if self.elements.insert(tag, number).is_some() {
            return Err(fault(start, Kind::Duplicate { what: format!("element {tag}") }));
        }
        if again && !known {
            self.builder.notes.groups_joined += 1;
            self.listed_again.insert(number);
            self.further.entry(number).or_default().push(first);
            return Ok(());
        }
        if !others.is_empty() {
            self.further.insert(next, others.to_vec());
        }
        let higher = shape.corners().is_some_and(|corners| corners < nodes.len());
        self.builder.notes.higher_order += u64::from(higher);
        self.elements.insert(tag, next);
        self.regions.push(first);
        self.entities.push(entity);
        self.builder.element(shape, &nodes, &|| start)?;
        self.last = Some((shape, nodes, entity));
        Ok(())
    }

    /// The shape of the element type of that number, and its number of nodes.
    pub fn shape(&self, number: i32, start: usize) -> Outcome<(Shape, usize)> {
        Shape::of_gmsh(number.into())
            .ok_or_else(|| fault(start, Kind::Unsupported { what: format!("element type {number}") }))
    }

    fn finish(mut self) -> Outcome<(VolumeData, VolumeNotes)> {
        let known = |numbers: &Numbers| numbers.iter().all(|(&tag, &number)| tag == u64::from(number) + 1);
        if !known(&self.nodes) || !known(&self.elements) {
            self.builder.notes.skip("tags of nodes and elements");
        }
        for (wanted, dimension) in [(Target::Cell, 3), (Target::Face, 2)] {
            let mine = |list: &[i32]| {
                let both = list.iter().zip(self.builder.targets());
                both.filter(|(_, target)| **target == wanted).map(|(&tag, _)| tag).collect::<Vec<i32>>()
            };
            let (regions, entities) = (mine(&self.regions), mine(&self.entities));
            let most = (0_u32..).zip(self.builder.targets()).filter(|(_, target)| **target == wanted);
            let most = most.filter_map(|(i, _)| Some(self.further.get(&i)?.len())).max().unwrap_or(0);
            let further: Vec<Vec<i32>> = (0..most)
                .map(|k| {
                    let of = |i: u32| self.further.get(&i).and_then(|own| own.get(k)).copied();
                    let all: Vec<i32> =
                        (0..self.regions.len() as u32).map(|i| of(i).unwrap_or_default()).collect();
                    mine(&all)
                })
                .collect();
            let to = match dimension {
                3 => &mut self.builder.data.cell_data,
                _ => &mut self.builder.data.face_data,
            };
            // one entity of number 1, or the entities of the regions, are made up by writers
            let made_up = entities == regions || entities.iter().all(|&entity| entity <= 1);
            let mut columns = vec![];
            if regions.iter().any(|&region| region != 0) {
                columns.push(DataArray::new(REGION, regions));
            }
            for (k, regions) in (2..).zip(further) {
                columns.push(DataArray::new(further_region(k), regions));
            }
            if !made_up {
                columns.push(DataArray::new(ENTITY, entities));
            }
            for column in columns {
                if to.iter().any(|known| known.name == column.name) {
                    self.builder.notes.skip(format!("tags of the name {:?}, which data have", column.name));
                } else {
                    to.push(column);
                }
            }
        }
        self.builder.finish()
    }
}
