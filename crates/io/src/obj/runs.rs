//! Statements that hold for all faces up to the next one of their kind: groups, objects, materials.

use ribbonmesh_mesh::{Column, NONE, Role};
use rustc_hash::FxHashMap;

/// Names, and from which face on each holds.
#[derive(Default)]
pub(super) struct Runs {
    pub names: Vec<String>,
    numbers: FxHashMap<Vec<u8>, u32>,
    /// First face, and the number of the name.
    runs: Vec<(usize, u32)>,
}

impl Runs {
    /// From face `face` on, `name` holds; an empty one means none.
    pub fn name(&mut self, face: usize, name: &[u8]) {
        let number = match (name, self.numbers.get(name)) {
            (b"", _) => NONE,
            (_, Some(&number)) => number,
            _ => {
                let number = self.names.len() as u32;
                self.names.push(String::from_utf8_lossy(name).into_owned());
                self.numbers.insert(name.to_vec(), number);
                number
            }
        };
        self.number(face, number);
    }

    /// From face `face` on, `number` holds.
    pub fn number(&mut self, face: usize, number: u32) {
        self.runs.push((face, number));
    }

    /// A column of the numbers of all faces, `before` for the faces before the first statement; `None` if
    /// every face has `before`.
    pub fn column(&self, name: &str, role: Role, faces: usize, before: u32) -> Option<Column> {
        if self.runs.iter().all(|(_, number)| *number == before) {
            return None;
        }
        let mut values = Vec::with_capacity(faces);
        let mut current = before;
        for &(face, number) in &self.runs {
            values.resize(face, current);
            current = number;
        }
        values.resize(faces, current);
        Some(Column::with_role(name, role, values))
    }
}
