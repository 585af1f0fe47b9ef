//! The meshes of a scene, and their places.

use glam::{DMat4, DQuat, DVec3};

use super::{
    accessor,
    document::{Document, Node, part},
    resources::Resources,
};
use crate::{
    Notes, ReadErrorKind,
    fault::{Outcome, fault_of_file},
};

/// The name of the extension that puts a mesh at many places.
pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// A mesh at its place.
pub(super) struct Instance {
    pub mesh: usize,
    pub transform: DMat4,
    /// The name of the node, or else of the mesh.
    pub name: Option<String>,
}

/// The meshes of the scene that is shown, in the order of its nodes; where there are no scenes, those of all
/// nodes; where there are no nodes, all meshes. Other scenes and nodes of no scene are noted. There are at
/// most `limit`.
pub(super) fn instances(
    document: &Document,
    resources: &Resources<'_>,
    limit: u64,
    notes: &mut Notes,
) -> Outcome<Vec<Instance>> {
    // the coordinates of some files are around a point that is far from zero
    let center =
        document.extensions.get("CESIUM_RTC").map(|rtc| [0, 1, 2].map(|i| rtc["center"][i].as_f64()));
    let center = center.map_or(DVec3::ZERO, |c| DVec3::from_array(c.map(|value| value.unwrap_or(0.0))));
    let world = DMat4::from_translation(center);
    if document.scenes.len() > 1 {
        notes.skip_statement(&match document.scenes.len() - 1 {
            1 => "1 other scene".to_owned(),
            others => format!("{others} other scenes"),
        });
    }
    if document.nodes.is_empty() {
        let all = document.meshes.iter().enumerate().map(|(mesh, content)| Instance {
            mesh,
            transform: world,
            name: content.name.clone(),
        });
        return Ok(all.collect());
    }
    let roots: Vec<usize> = match document.scene.or((!document.scenes.is_empty()).then_some(0)) {
        Some(scene) => part(&document.scenes, "scene", scene)?.nodes.clone(),
        None => {
            let mut child = vec![false; document.nodes.len()];
            for &node in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(child) = child.get_mut(node) {
                    *child = true;
                }
            }
            (0..child.len()).filter(|&node| !child[node]).collect()
        }
    };
    let mut instances = Vec::new();
    let mut seen = vec![false; document.nodes.len()];
    let mut stack: Vec<(usize, DMat4)> = roots.into_iter().rev().map(|root| (root, world)).collect();
    while let Some((number, parent)) = stack.pop() {
        let node = part(&document.nodes, "node", number)?;
        if std::mem::replace(&mut seen[number], true) {
            let reason = "has more than one parent";
            let kind = ReadErrorKind::BadReference { what: "node", index: number as u64, reason };
            return Err(fault_of_file(kind));
        }
        let transform = parent * local(node);
        if !transform.is_finite() {
            let reason = "has a transformation that is not finite";
            let kind = ReadErrorKind::BadReference { what: "node", index: number as u64, reason };
            return Err(fault_of_file(kind));
        }
        if let Some(mesh) = node.mesh {
            let name = node.name.clone().or(part(&document.meshes, "mesh", mesh)?.name.clone());
            let places = match node.extensions.get(INSTANCING) {
                Some(extension) => {
                    let places = places(document, resources, extension, number, limit)?;
                    places.into_iter().map(|place| transform * place).collect()
                }
                None => vec![transform],
            };
            if (instances.len() + places.len()) as u64 > limit {
                let what = format!("a scene of more than {limit} instances in so small a file");
                return Err(fault_of_file(ReadErrorKind::Unsupported { what }));
            }
            instances.extend(places.into_iter().map(|transform| {
                let name = name.clone();
                Instance { mesh, transform, name }
            }));
        }
        stack.extend(node.children.iter().rev().map(|&child| (child, transform)));
    }
    let shown = |index: usize| document.nodes[index].mesh.is_some() && !seen[index];
    let alone = (0..seen.len()).filter(|&index| shown(index)).count();
    if alone > 0 && document.scenes.len() < 2 {
        notes.skip_statement(&format!("{alone} nodes of no scene"));
    }
    Ok(instances)
}

/// The places of the instances of a node.
fn places(
    document: &Document,
    resources: &Resources<'_>,
    extension: &serde_json::Value,
    node: usize,
    limit: u64,
) -> Outcome<Vec<DMat4>> {
    let bad = |reason| {
        let kind = ReadErrorKind::BadReference { what: "node", index: node as u64, reason };
        fault_of_file(kind)
    };
    let rows = |name: &str, width: usize| match extension["attributes"][name].as_u64() {
        None => Ok(None),
        Some(index) => match accessor::read(document, resources, index as usize, limit)? {
            rows if rows.width == width => Ok(Some(rows)),
            _ => Err(bad("has places of a type that they cannot have")),
        },
    };
    let (moves, turns, scales) = (rows("TRANSLATION", 3)?, rows("ROTATION", 4)?, rows("SCALE", 3)?);
    let counts = [&moves, &turns, &scales].into_iter().flatten().map(|rows| rows.count);
    let (Some(count), true) = (counts.clone().min(), counts.clone().min() == counts.max()) else {
        return Err(bad("has instances without a number of them"));
    };
    let of = |rows: &Option<accessor::Rows>, row: usize, width: usize, channel: usize, other: f64| {
        rows.as_ref().map_or(other, |rows| rows.float(row * width + channel))
    };
    let places = (0..count).map(|row| {
        let translation = [0, 1, 2].map(|axis| of(&moves, row, 3, axis, 0.0));
        let rotation = [(0, 0.0), (1, 0.0), (2, 0.0), (3, 1.0)].map(|(i, one)| of(&turns, row, 4, i, one));
        let scale = [0, 1, 2].map(|axis| of(&scales, row, 3, axis, 1.0));
        let rotation = DQuat::from_array(rotation).normalize();
        DMat4::from_scale_rotation_translation(
            DVec3::from_array(scale),
            rotation,
            DVec3::from_array(translation),
        )
    });
    let places: Vec<DMat4> = places.collect();
    match places.iter().all(DMat4::is_finite) {
        true => Ok(places),
        false => Err(bad("has an instance at a place that is not finite")),
    }
}

fn local(node: &Node) -> DMat4 {
    if let Some(matrix) = node.matrix {
        return DMat4::from_cols_array(&matrix);
    }
    let scale = DVec3::from_array(node.scale.unwrap_or([1.0; 3]));
    let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
    let translation = DVec3::from_array(node.translation.unwrap_or_default());
    DMat4::from_scale_rotation_translation(scale, rotation, translation)
}
