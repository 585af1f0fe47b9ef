//! What the commands that move vertices have in common.
use crate::failure::Failure;
use crate::session::Session;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::{Column, Element, Policy, Role};
use ribbonmesh_render::vertex_normals;

/// Vertices have moved: normals of vertices are computed anew, and other attributes that follow from positions are left out,
/// with a note.
pub fn moved(session: &mut Session, mesh: &mut TriangleMesh) -> Result<(), Failure> {
    let stale = |column: &Column| column.policy() == Policy::Recompute;
    if let Some(column) = mesh.vertices().with_role(Role::Normal).filter(|column| stale(column)) {
        let name = column.name().to_owned();
        let normals = vertex_normals(&mesh.positions, &mesh.faces);
        mesh.vertices_mut().insert_column(Column::with_role(name.clone(), Role::Normal, normals))?;
        session.detail(format_args!("vertex attribute {name:?} computed anew"));
    }
    let mut left_out = vec![];
    for element in [Element::Vertex, Element::Face, Element::Corner, Element::Edge] {
        let keep = |column: &Column| {
            !stale(column) || element == Element::Vertex && column.values::<[f32; 3]>().is_some()
        };
        mesh.attributes_mut(element).retain(|column| {
            let kept = keep(column);
            if !kept {
                left_out.push(format!("{element}.{}", column.name()));
            }
            kept
        });
    }
    if !left_out.is_empty() {
        session.note(format!("attributes left out because vertices moved: {}", left_out.join(", ")));
    }
    Ok(())
}
