//! Orientation of faces.
use crate::repair::host::links::{Links, same_direction};
use std::collections::VecDeque;

/// Changes that make a mesh consistently oriented.
#[derive(Default)]
pub(crate) struct Orientation {
    /// Faces to turn, ascending.
    pub turned: Vec<u32>,
    /// Pairs of linked sides to cut after that, ascending.
    pub cuts: Vec<[u32; 2]>,
    /// Components that have such cuts.
    pub nonorientable: u64,
}

const UNSEEN: u8 = 2;

/// Orients the components in which faces disagree; `inconsistent` has the pairs of sides where they do.
///
/// Breadth-first in the number of inconsistent edges crossed: faces that agree stay together, so that only
/// edges of `inconsistent` are ever cut. It chooses the orientation of a component that turns fewer faces; if
/// both turn the same number, that of the first face. Linear in these components.
pub(crate) fn orient(faces: &[[u32; 3]], links: &Links, inconsistent: &[[u32; 2]]) -> Orientation {
    let mut found = Orientation::default();
    if inconsistent.is_empty() {
        return found;
    }
    let mut turned = vec![UNSEEN; faces.len()];
    for &[side, _] in inconsistent {
        if turned[side as usize / 3] == UNSEEN {
            let component = spread(side / 3, faces, links, &mut turned);
            settle(&component, faces, links, &mut turned, &mut found);
        }
    }
    found.turned.sort_unstable();
    found.cuts.sort_unstable();
    found
}

/// Orients the component of a face like that face; returns its faces.
fn spread(first: u32, faces: &[[u32; 3]], links: &Links, turned: &mut [u8]) -> Vec<u32> {
    let (mut component, mut near) = (vec![], vec![]);
    let mut far = VecDeque::from([(first, 0)]);
    while let Some((face, state)) = far.pop_front() {
        if turned[face as usize] != UNSEEN {
            continue;
        }
        turned[face as usize] = state;
        near.push(face);
        while let Some(face) = near.pop() {
            component.push(face);
            for side in 3 * face..3 * face + 3 {
                let Some(across) = links.across(side) else { continue };
                let neighbour = across / 3;
                if turned[neighbour as usize] != UNSEEN {
                } else if same_direction(faces, [side, across]) {
                    far.push_back((neighbour, state ^ 1));
                } else {
                    turned[neighbour as usize] = state;
                    near.push(neighbour);
                }
            }
        }
    }
    component
}

/// Chooses between the two orientations of a component, and lists the faces to turn and the sides to cut.
fn settle(component: &[u32], faces: &[[u32; 3]], links: &Links, turned: &mut [u8], found: &mut Orientation) {
    let count = component.iter().filter(|&&face| turned[face as usize] == 1).count();
    let first = component.iter().min().map_or(0, |&face| turned[face as usize]);
    let half = 2 * count == component.len() && first == 1;
    let other_way = u8::from(2 * count > component.len() || half);
    let cuts = found.cuts.len();
    for &face in component {
        if turned[face as usize] != other_way {
            found.turned.push(face);
        }
        for side in 3 * face..3 * face + 3 {
            let Some(across) = links.across(side).filter(|&across| across > side) else { continue };
            let opposite = turned[face as usize] != turned[across as usize / 3];
            if same_direction(faces, [side, across]) != opposite {
                found.cuts.push([side, across]);
            }
        }
    }
    found.nonorientable += u64::from(found.cuts.len() > cuts);
}
