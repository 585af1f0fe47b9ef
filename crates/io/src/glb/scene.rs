//! Which meshes stand where.

use glam::{DMat4, DQuat, DVec3};

use super::document::{Document, Node, part};
use crate::{
    ReadErrorKind,
    text::{Outcome, fault_of_file},
};

/// A mesh at its place.
pub(super) struct Instance {
    pub mesh: usize,
    pub transform: DMat4,
    /// The name of the node, or else of the mesh.
    pub name: Option<String>,
}

/// The meshes of the scene that is shown, in the order of its nodes; where there are no scenes, those of all nodes; where
/// there are no nodes, all meshes.
pub(super) fn instances(document: &Document) -> Outcome<Vec<Instance>> {
    if document.nodes.is_empty() {
        let all = document.meshes.iter().enumerate().map(|(mesh, content)| Instance {
            mesh,
            transform: DMat4::IDENTITY,
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
    let mut stack: Vec<(usize, DMat4)> =
        roots.into_iter().rev().map(|root| (root, DMat4::IDENTITY)).collect();
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
            instances.push(Instance { mesh, transform, name });
        }
        stack.extend(node.children.iter().rev().map(|&child| (child, transform)));
    }
    Ok(instances)
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
