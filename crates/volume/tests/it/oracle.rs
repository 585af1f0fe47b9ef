//! A volume mesh by sets on the host, without the library.
use ribbonmesh_volume::{CellKind, CellList, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of columns with signs; 1 where there is no sign.
pub type Signed = Vec<Vec<(u32, i32)>>;

#[derive(Debug)]
pub struct Oracle {
    pub vertices: usize,
    pub edges: Vec<[u32; 2]>,
    /// The cycle of each face.
    pub faces: Vec<Vec<u32>>,
    /// Faces of each cell, and whether the face's normal points into the cell.
    pub cells: Vec<Vec<(u32, i32)>>,
}

/// The faces of a cell, seen from outside counter-clockwise: the figures of VTK's book, with x to the right,
/// y to the back, z up.
pub fn polygons(kind: CellKind, words: &[u32]) -> Vec<Vec<u32>> {
    let of = |sides: &[&[usize]]| sides.iter().map(|side| side.iter().map(|&i| words[i]).collect()).collect();
    match kind {
        CellKind::Tetrahedron => of(&[&[2, 1, 0], &[3, 0, 1], &[3, 1, 2], &[3, 2, 0]]),
        CellKind::Pyramid => of(&[&[3, 2, 1, 0], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]]),
        CellKind::Wedge => of(&[&[0, 1, 2], &[5, 4, 3], &[1, 0, 3, 4], &[2, 1, 4, 5], &[0, 2, 5, 3]]),
        CellKind::Hexahedron => {
            of(&[&[3, 2, 1, 0], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]])
        }
        CellKind::Polyhedron => {
            let (mut faces, mut at) = (Vec::new(), 1);
            for _ in 0..words[0] {
                let len = words[at] as usize;
                faces.push(words[at + 1..=at + len].to_vec());
                at += 1 + len;
            }
            faces
        }
    }
}
/// From the smallest vertex towards the smaller one beside it; whether that is the direction as given.
pub fn canonical(polygon: &[u32]) -> (Vec<u32>, bool) {
    let n = polygon.len();
    let at = (0..n).min_by_key(|&i| polygon[i]).expect("a vertex");
    let forward: Vec<u32> = (0..n).map(|i| polygon[(at + i) % n]).collect();
    let backward: Vec<u32> = (0..n).map(|i| polygon[(at + n - i) % n]).collect();
    if forward[1] < backward[1] { (forward, true) } else { (backward, false) }
}

impl Oracle {
    pub fn new(vertices: usize, list: &CellList) -> Self {
        let cells: Vec<Vec<_>> = (0..list.len())
            .map(|cell| {
                let (kind, words) = list.cell(cell);
                polygons(kind, words).iter().map(|polygon| canonical(polygon)).collect()
            })
            .collect();
        let extra = (0..list.faces()).map(|face| canonical(list.face(face)).0);
        let mut first = BTreeMap::new();
        for (place, face) in cells.iter().flatten().map(|(face, _)| face.clone()).chain(extra).enumerate() {
            first.entry(face).or_insert(place);
        }
        // by the first three vertices, then as they come
        let mut faces: Vec<Vec<u32>> = first.keys().cloned().collect();
        faces.sort_by_key(|face| ([face[0], face[1], face[2]], first[face]));
        let number: BTreeMap<&Vec<u32>, u32> = faces.iter().zip(0..).collect();
        let cells = cells
            .iter()
            .map(|own| own.iter().map(|(face, out)| (number[face], if *out { -1 } else { 1 })).collect())
            .collect();
        let sides = faces.iter().flat_map(|face| {
            let next = face.iter().cycle().skip(1);
            face.iter().zip(next).map(|(&a, &b)| [a.min(b), a.max(b)]).collect::<Vec<_>>()
        });
        let edges: BTreeSet<[u32; 2]> = sides.collect();
        Self { vertices, edges: edges.into_iter().collect(), faces: faces.clone(), cells }
    }
    /// The faces' edges along the cycle.
    fn sides(&self, face: usize) -> Vec<(u32, i32)> {
        let own = &self.faces[face];
        let next = own.iter().cycle().skip(1);
        let edge = |a: u32, b: u32| self.edges.binary_search(&[a.min(b), a.max(b)]).expect("an edge") as u32;
        own.iter().zip(next).map(|(&a, &b)| (edge(a, b), if a < b { 1 } else { -1 })).collect()
    }
    /// A relation from its definition, every row sorted.
    pub fn relation(&self, relation: Relation) -> Signed {
        use Relation::*;
        let rows: Signed = match relation {
            EV => self.edges.iter().map(|e| vec![(e[0], -1), (e[1], 1)]).collect(),
            FE => (0..self.faces.len()).map(|f| self.sides(f)).collect(),
            CF => self.cells.clone(),
            FV => self.faces.iter().map(|f| f.iter().map(|&v| (v, 1)).collect()).collect(),
            CE => self.through(CF, FE),
            CV => self.through(CF, FV),
            VE | VF | VC | EF | EC | FC => {
                let rows = match relation {
                    VE | VF | VC => self.vertices,
                    EF | EC => self.edges.len(),
                    _ => self.faces.len(),
                };
                let mut all = vec![Vec::new(); rows];
                for (row, entries) in (0..).zip(self.relation(relation.reverse())) {
                    entries.into_iter().for_each(|(column, sign)| all[column as usize].push((row, sign)));
                }
                all
            }
            VV => self.others(VE, EV),
            EE => self.others(EF, FE),
            FF => self.others(FE, EF),
            CC => self.others(CF, FC),
        };
        rows.into_iter()
            .map(|mut row| {
                row.sort_unstable();
                row
            })
            .collect()
    }
    fn through(&self, first: Relation, second: Relation) -> Signed {
        let second = self.relation(second);
        let rows = self.relation(first);
        let row = |row: &Vec<(u32, i32)>| -> BTreeSet<u32> {
            row.iter().flat_map(|&(middle, _)| second[middle as usize].iter().map(|entry| entry.0)).collect()
        };
        rows.iter().map(|entries| row(entries).into_iter().map(|found| (found, 1)).collect()).collect()
    }
    fn others(&self, first: Relation, second: Relation) -> Signed {
        let mut rows = self.through(first, second);
        for (i, row) in (0..).zip(&mut rows) {
            row.retain(|entry| entry.0 != i);
        }
        rows
    }
}
