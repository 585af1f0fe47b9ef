//! Content that a reader changed or ignored.

/// Content that a reader changed or ignored. All counts are zero, and all lists empty, if the file was read
/// completely.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct VolumeNotes {
    /// Ignored elements that are neither cells nor faces, and their data: vertices, lines, strips; by kind.
    pub elements_skipped: Vec<(&'static str, u64)>,
    /// Cells and faces of higher order, of which only the corners were read.
    pub higher_order: u64,
    /// Vertices that no cell and no face has, if there are elements of higher order: their other nodes.
    pub nodes_unused: u64,
    /// Voxels and pixels that became hexahedra and quads: their vertices are in another order.
    pub reordered: u64,
    /// Wedges that were turned: most wedges of the file had a negative volume, so that its writer has the
    /// other order of vertices.
    pub wedges_turned: u64,
    /// Elements that the file lists once more for each further region, and that became one element with
    /// several regions.
    pub groups_joined: u64,
    /// Pieces that were joined into one mesh; 0 if there is only one.
    pub pieces_joined: u64,
    /// Arrays in which elements without a value got NaN or zero.
    pub filled: Vec<String>,
    /// Names of other parts and arrays that were ignored, each once.
    pub skipped: Vec<String>,
    /// Bytes after the end of the data.
    pub trailing_bytes: u64,
}

impl VolumeNotes {
    /// Takes note of ignored elements.
    pub(crate) fn skip_elements(&mut self, kind: &'static str, count: u64) {
        match self.elements_skipped.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += count,
            None => self.elements_skipped.push((kind, count)),
        }
    }
    /// Takes note of an ignored part, once for each name.
    pub(crate) fn skip(&mut self, name: impl Into<String>) {
        let name = name.into();
        if !self.skipped.contains(&name) {
            self.skipped.push(name);
        }
    }
    /// Each note in words.
    pub fn in_words(&self) -> Vec<String> {
        let mut words = vec![];
        for (kind, count) in &self.elements_skipped {
            words.push(format!("{count} {kind} passed over"));
        }
        if self.higher_order > 0 {
            words.push(format!("{} elements of higher order read by their corners", self.higher_order));
        }
        if self.nodes_unused > 0 {
            words.push(format!("{} vertices kept that no element has", self.nodes_unused));
        }
        if self.reordered > 0 {
            words.push(format!("{} voxels and pixels read as hexahedra and quads", self.reordered));
        }
        if self.wedges_turned > 0 {
            words
                .push(format!("{} wedges turned, whose vertices are in the other order", self.wedges_turned));
        }
        if self.groups_joined > 0 {
            words.push(format!(
                "{} elements that are listed again for another group joined",
                self.groups_joined
            ));
        }
        if self.pieces_joined > 0 {
            words.push(format!("{} pieces joined", self.pieces_joined));
        }
        if !self.filled.is_empty() {
            words.push(format!("missing values became NaN or 0: {}", self.filled.join(", ")));
        }
        if !self.skipped.is_empty() {
            words.push(format!("passed over: {}", self.skipped.join(", ")));
        }
        if self.trailing_bytes > 0 {
            words.push(format!("{} bytes after the end passed over", self.trailing_bytes));
        }
        words
    }
}
