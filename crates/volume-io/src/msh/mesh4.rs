//! Nodes, elements and entities of version 4.1.

use glam::DVec3;

use super::read::Reader;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault},
};

impl Reader<'_> {
    /// Physical groups of geometric entities.
    pub fn entities4(&mut self) -> Outcome<()> {
        let mut counts = [0; 4];
        for (dimension, count) in counts.iter_mut().enumerate() {
            let (numbers, bytes) = if dimension == 0 { (10, 36) } else { (16, 68) };
            *count = self.count("entities", numbers, bytes)?;
        }
        for (dimension, count) in (0..).zip(counts) {
            for _ in 0..count {
                let tag = self.int("the tag of an entity")?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    self.double("the box of an entity")?;
                }
                let groups = self.count("groups of an entity", 2, 4)?;
                let mut regions = Vec::with_capacity(groups);
                for _ in 0..groups {
                    regions.push(self.int("a group of an entity")?);
                }
                self.regions_of.insert((dimension, tag), regions);
                if dimension > 0 {
                    let bounds = self.count("boundaries of an entity", 2, 4)?;
                    for _ in 0..bounds {
                        self.int("the boundary of an entity")?;
                        self.builder.notes.skip("boundaries of entities");
                    }
                }
            }
        }
        Ok(())
    }

    pub fn nodes4(&mut self) -> Outcome<()> {
        let blocks = self.count("blocks of nodes", 8, 20)?;
        let start = self.here();
        let all = self.count("nodes", 8, 32)?;
        for _ in 0..2 {
            self.long("a tag of a node")?;
        }
        for _ in 0..blocks {
            let dimension = self.int("the dimension of an entity")?;
            self.int("the tag of an entity")?;
            let parametric = self.int("whether nodes are parametric")? != 0;
            let count = self.count("nodes of a block", 8, 32)?;
            let mut tags = Vec::with_capacity(count);
            for _ in 0..count {
                tags.push(self.long("the tag of a node")?);
            }
            let parameters = if parametric { dimension.clamp(0, 3) } else { 0 };
            for tag in tags {
                let start = self.here();
                let mut position = [0.0; 3];
                for value in &mut position {
                    *value = self.double("a coordinate")?;
                }
                for _ in 0..parameters {
                    self.double("a parameter of a node")?;
                    self.builder.notes.skip("parameters of nodes");
                }
                self.node(tag, DVec3::from_array(position), start)?;
            }
        }
        if blocks > 1 {
            self.builder.notes.skip("entities of nodes");
        }
        let found = self.builder.data.positions.len();
        same("the section $Nodes", all, found, start)
    }

    pub fn elements4(&mut self) -> Outcome<()> {
        let blocks = self.count("blocks of elements", 8, 20)?;
        let start = self.here();
        let all = self.count("elements", 4, 16)?;
        for _ in 0..2 {
            self.long("a tag of an element")?;
        }
        for _ in 0..blocks {
            let dimension = self.int("the dimension of an entity")?;
            let entity = self.int("the tag of an entity")?;
            let type_at = self.here();
            let number = self.int("the type of an element")?;
            let (shape, nodes) = self.shape(number, type_at)?;
            let count = self.count("elements of a block", 2 * (nodes + 1), 8 * (nodes + 1))?;
            let regions = self.regions_of.get(&(dimension, entity)).cloned().unwrap_or_default();
            let mut tags = vec![0; nodes];
            for _ in 0..count {
                let start = self.here();
                let tag = self.long("the tag of an element")?;
                for node in &mut tags {
                    *node = self.long("a node of an element")?;
                }
                self.element(tag, shape, &tags, (&regions, entity), start)?;
            }
        }
        same("the section $Elements", all, self.elements.len(), start)
    }
}

/// Refuses a section that has not as many things as it announces.
pub(super) fn same(what: &str, expected: usize, found: usize, start: usize) -> Outcome<()> {
    if expected == found {
        return Ok(());
    }
    let (what, expected, found) = (what.to_owned(), expected as u64, found as u64);
    Err(fault(start, Kind::Length { what, expected, found }))
}
