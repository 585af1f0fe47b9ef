//! Numbers of faces that are to be left of tiles.
use crate::gather::Tile;

/// A part of a number, rounded down.
fn share(number: u64, [part, of]: [u64; 2]) -> u64 {
    (u128::from(number) * u128::from(part) / u128::from(of.max(1))) as u64
}

/// Faces that are to be left of each tile, `goal` altogether: all that stay, and the same part of the others
/// everywhere. Where more than the goal stay, the same part of all faces, which none can reach.
pub fn goals(tiles: &[Tile], goal: u64) -> Vec<u64> {
    let faces: u64 = tiles.iter().map(|tile| tile.faces).sum();
    let stay: u64 = tiles.iter().map(|tile| tile.stay).sum();
    // exact: the sum up to each tile is rounded, not each number
    let (mut before, mut given) = (0, 0);
    tiles
        .iter()
        .map(|tile| {
            let (own, rest) =
                if goal > stay { (tile.stay, [goal - stay, faces - stay]) } else { (0, [goal, faces]) };
            before += tile.faces - own;
            let sum = share(before, rest);
            let part = sum - given;
            given = sum;
            own + part
        })
        .collect()
}

/// Part of the same goal to which tiles are simplified to learn the costs of their collapses: so much less is
/// to be left, so that tiles with many cheap ones have room for them.
const DEEPER: [u64; 2] = [3, 5];

/// Goals for learning costs.
pub fn deeper(goals: &[u64]) -> Vec<u64> {
    goals.iter().map(|&goal| share(goal, DEEPER)).collect()
}

/// Faces that are to be left of each tile, `goal` altogether, where the same collapses are too expensive
/// everywhere. `costs` are the faces that collapses of each tile can remove, by classes of costs, the
/// cheapest first; of the last class that is needed each tile removes the same part.
pub fn goals_by_costs(tiles: &[Tile], costs: &[Vec<u32>], goal: u64) -> Vec<u64> {
    let faces: u64 = tiles.iter().map(|tile| tile.faces).sum();
    let mut surplus = faces.saturating_sub(goal);
    let classes = costs.iter().map(Vec::len).max().unwrap_or(0);
    let of = |tile: usize, class: usize| u64::from(costs[tile].get(class).copied().unwrap_or(0));
    let mut removed = vec![0; tiles.len()];
    for class in 0..classes {
        let sum: u64 = (0..tiles.len()).map(|tile| of(tile, class)).sum();
        let part = [surplus.min(sum), sum];
        let (mut before, mut given) = (0, 0);
        for (tile, removed) in removed.iter_mut().enumerate() {
            before += of(tile, class);
            let next = share(before, part);
            *removed += next - given;
            given = next;
        }
        surplus -= part[0];
        if surplus == 0 {
            break;
        }
    }
    tiles.iter().zip(removed).map(|(tile, removed)| tile.faces.saturating_sub(removed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_exact_and_leave_what_stays() {
        let tiles: Vec<_> =
            (0..17).map(|i| Tile { faces: 1_000 + 37 * i, vertices: 0, stay: 10 * i }).collect();
        for goal in [2_000, 9_999, 20_000] {
            let goals = goals(&tiles, goal);
            assert_eq!(goals.iter().sum::<u64>(), goal);
            assert!(goals.iter().zip(&tiles).all(|(&goal, tile)| (tile.stay..=tile.faces).contains(&goal)));
        }
        assert_eq!(goals(&tiles, 100).iter().sum::<u64>(), 100);
    }

    #[test]
    fn goals_by_costs_cut_at_the_same_cost() {
        let tile = |faces| Tile { faces, vertices: 0, stay: 0 };
        let tiles = [tile(100), tile(100), tile(50)];
        let costs = [vec![10, 20, 30], vec![0, 0, 60], vec![20, 5, 0]];
        assert_eq!(goals_by_costs(&tiles, &costs, 220), [90, 100, 30]);
        // a third of the last class
        assert_eq!(goals_by_costs(&tiles, &costs, 165), [60, 80, 25]);
        // more than all of them can
        assert_eq!(goals_by_costs(&tiles, &costs, 10), [40, 40, 25]);
        let goals = goals_by_costs(&tiles, &costs, 213);
        assert_eq!(goals.iter().sum::<u64>(), 213);
    }
}
