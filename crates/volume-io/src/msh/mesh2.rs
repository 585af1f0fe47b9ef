//! Nodes and elements of version 2.

use glam::DVec3;

use super::mesh4::same;
use super::read::Reader;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault},
};

impl Reader<'_> {
    /// A tag of a node or element, which is not negative.
    fn tag(&mut self, what: &'static str) -> Outcome<u64> {
        let start = self.here();
        let tag = self.int(what)?;
        u64::try_from(tag).map_err(|_| fault(start, Kind::NotANumber { what, text: tag.to_string() }))
    }

    pub fn nodes2(&mut self) -> Outcome<()> {
        // counts are text in binary files, too
        let count = self.at.count_of("nodes", if self.binary { 28 } else { 8 })?;
        if self.binary {
            self.at.line();
        }
        for _ in 0..count {
            let start = self.here();
            let tag = self.tag("the tag of a node")?;
            let mut position = [0.0; 3];
            for value in &mut position {
                *value = self.double("a coordinate")?;
            }
            self.node(tag, DVec3::from_array(position), start)?;
        }
        Ok(())
    }

    pub fn elements2(&mut self) -> Outcome<()> {
        let start = self.here();
        let all = self.at.count_of("elements", if self.binary { 8 } else { 6 })?;
        if self.binary {
            self.at.line();
        }
        let mut tags = vec![];
        while self.elements.len() < all {
            let block_at = self.here();
            // text has the tag first, and no blocks
            let first = if self.binary { None } else { Some(self.tag("the tag of an element")?) };
            let number = self.int("the type of an element")?;
            let (shape, nodes) = self.shape(number, block_at)?;
            let count = if self.binary { self.int("elements of a block")? } else { 1 };
            let groups = self.int("the number of tags of an element")?;
            let left = all - self.elements.len();
            let (Ok(count), Ok(groups)) = (usize::try_from(count), usize::try_from(groups)) else {
                let reason = format!("a block of {count} elements with {groups} tags each");
                return Err(fault(block_at, Kind::Malformed { reason }));
            };
            if count == 0 || count > left {
                return same("a block of elements", left, count, block_at);
            }
            for _ in 0..count {
                let start = self.here();
                let tag = match first {
                    Some(tag) => tag,
                    None => self.tag("the tag of an element")?,
                };
                let mut pair = [0; 2];
                for group in 0..groups {
                    let value = self.int("a tag of an element")?;
                    match pair.get_mut(group) {
                        Some(own) => *own = value,
                        None => self.builder.notes.skip("partitions of elements"),
                    }
                }
                tags.clear();
                for _ in 0..nodes {
                    tags.push(self.tag("a node of an element")?);
                }
                self.element(tag, shape, &tags, (&pair[..1], pair[1]), start)?;
            }
        }
        same("the section $Elements", all, self.elements.len(), start)
    }
}
