//! Aggregates: groups of nodes that are one node of the next level.
use super::blocks::Blocks;
use rayon::prelude::*;

/// No aggregate.
pub const NONE: u32 = u32::MAX;

/// The aggregate of each node.
pub struct Aggregates {
    /// The number of aggregates.
    pub count: usize,
    /// The aggregate of each node; [`NONE`] for nodes whose unknowns are all fixed, and for those without
    /// neighbours.
    pub of: Vec<u32>,
}

/// Finds aggregates: a node with all of its neighbours, where none of these has one yet; then nodes join the
/// neighbour on which they depend most; the nodes that are left are aggregates of their own. Neighbours are
/// nodes with a block longer than `strength` by the mean of both diagonal blocks' lengths.
pub fn of(a: &Blocks, fixed: &[u32], strength: f64) -> Aggregates {
    let (rows, all_fixed) = (a.rows(), (1_u32 << a.height()) - 1);
    let norm = |block: &[f64]| block.iter().map(|x| x * x).sum::<f64>().sqrt();
    let own: Vec<f64> = (0..rows).into_par_iter().map(|row| a.diagonal(row).map_or(0.0, norm)).collect();
    let neighbours: Vec<Vec<(u32, f64)>> = (0..rows)
        .into_par_iter()
        .map(|row| {
            if fixed[row] == all_fixed {
                return vec![];
            }
            a.row(row)
                .filter(|(column, _)| *column != row && fixed[*column] != all_fixed)
                .map(|(column, block)| (column, norm(block)))
                .filter(|(column, length)| *length > strength * (own[row] * own[*column]).sqrt())
                .map(|(column, length)| (column as u32, length))
                .collect()
        })
        .collect();
    let (mut of, mut count) = (vec![NONE; rows], 0);
    for row in 0..rows {
        let free = |v: u32| of[v as usize] == NONE;
        if !neighbours[row].is_empty() && free(row as u32) && neighbours[row].iter().all(|(v, _)| free(*v)) {
            of[row] = count;
            neighbours[row].iter().for_each(|(v, _)| of[*v as usize] = count);
            count += 1;
        }
    }
    let roots = of.clone();
    for row in 0..rows {
        if of[row] == NONE {
            let joined = neighbours[row]
                .iter()
                .filter(|(v, _)| roots[*v as usize] != NONE)
                .max_by(|(_, a), (_, b)| a.total_cmp(b));
            if let Some((v, _)) = joined {
                of[row] = roots[*v as usize];
            }
        }
    }
    for row in 0..rows {
        if of[row] == NONE && !neighbours[row].is_empty() {
            of[row] = count;
            for (v, _) in &neighbours[row] {
                if of[*v as usize] == NONE {
                    of[*v as usize] = count;
                }
            }
            count += 1;
        }
    }
    Aggregates { count: count as usize, of }
}
