//! The tables.
use super::{matrices::Solved, meshes::Job};
use crate::report::{head, row};
use anyhow::Result;

/// Both tables.
pub fn of(matrices: &[Solved], meshes: &[Job]) -> Result<String> {
    let mut text = "## Multigrid\n\nTo 10⁻⁶ from a random right-hand side, in double precision. *Again* is \
                    making the levels for other numbers in the same blocks.\n\n"
        .to_owned();
    head(
        &mut text,
        &[
            "matrix",
            "unknowns",
            "numbers",
            "levels",
            "again",
            "iterations",
            "solution",
            "a product",
            "operator complexity",
        ],
    )?;
    for m in matrices {
        row(
            &mut text,
            &[
                m.matrix.to_owned(),
                m.unknowns.to_string(),
                m.numbers.to_string(),
                format!("{:.1}", m.levels_ms),
                format!("{:.1}", m.again_ms),
                m.iterations.to_string(),
                format!("{:.1}", m.solve_ms),
                format!("{:.3}", m.product_ms),
                format!("{:.2}", m.operator_complexity),
            ],
        )?;
    }
    text += "\n## Meshes\n\nFrom triangles on the device. A step of smoothing has a time step of the squared mean \
             edge length and ends at 10⁻⁶; its preparation is the topology, by default \
             patches. A spectrum includes its \
             levels. Meshes of more than two million faces have no factorization and no spectrum.\n\n";
    head(&mut text, &["job", "mesh", "faces", "preparation", "solution", "iterations"])?;
    for job in meshes {
        row(
            &mut text,
            &[
                job.job.clone(),
                job.mesh.clone(),
                job.faces.to_string(),
                format!("{:.1}", job.prepare_ms),
                format!("{:.1}", job.solve_ms),
                job.iterations.to_string(),
            ],
        )?;
    }
    Ok(text)
}
