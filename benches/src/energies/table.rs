//! The tables.
use super::Measured;
use crate::report::{head, row};
use anyhow::Result;

/// Parts of the derivatives, as columns.
const PARTS: [&str; 6] =
    ["values", "gradients", "Hessians", "projected", "sum of gradients", "sum of Hessians"];

/// The tables of all measurements.
pub fn of(all: &Measured) -> Result<String> {
    let mut text =
        "## Derivatives\n\nMilliseconds, medians of launches, and behind the slash how many times as \
         long as a copy of the bytes that must be read and written. Gradients and Hessians are those of \
         elements; sums are the gradient and the matrix of all vertices, in double precision. RXMesh's \
         published table of derivatives has 0.18 to 11.7 ms (arXiv 2509.00406), without the sizes in what is \
         known of it.\n\n"
            .to_owned();
    let mut columns = vec!["energy", "bits", "vertices", "elements"];
    columns.extend(PARTS);
    columns.extend(["gradient and matrix"]);
    head(&mut text, &columns)?;
    for derived in &all.derived {
        let mut cells = vec![
            derived.energy.to_owned(),
            derived.bits.to_string(),
            derived.vertices.to_string(),
            derived.elements.to_string(),
        ];
        let part = |name| derived.part(name);
        let show = |name| match part(name) {
            Some(part) => format!("{:.4} / {:.1}", part.ms, part.ms / part.floor_ms),
            None => "–".to_owned(),
        };
        cells.extend(PARTS.map(show));
        let all: Option<f64> = ["gradients", "Hessians", "sum of gradients", "sum of Hessians"]
            .map(part)
            .into_iter()
            .map(|part| Some(part?.ms))
            .sum();
        cells.push(all.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.3}")));
        row(&mut text, &cells)?;
    }
    text += "\n## A step of Newton's method\n\nA block of neo-Hookean tetrahedra that is held at its left side, \
             from vertices moved by up to a tenth of an edge. Milliseconds, the host's waits included; lists of \
             elements and the first levels are made once.\n\n";
    if let Some(first) = all.steps.first() {
        let mut columns = vec!["unknowns", "tetrahedra", "lists"];
        columns.extend(first.parts.iter().map(|part| part.name));
        columns.extend(["iterations", "steps to 10⁻⁸", "all of them"]);
        head(&mut text, &columns)?;
    }
    for step in &all.steps {
        let mut cells =
            vec![step.unknowns.to_string(), step.elements.to_string(), format!("{:.2}", step.lists_ms)];
        cells.extend(step.parts.iter().map(|part| format!("{:.3}", part.ms)));
        cells.extend([step.iterations.to_string(), step.steps.to_string(), format!("{:.1}", step.all_ms)]);
        row(&mut text, &cells)?;
    }
    text +=
        "\n## Deformation by handles\n\nA square cloth, its left side held, its right side turned up.\n\n";
    head(&mut text, &["faces", "iterations", "of conjugate gradients", "ms"])?;
    for deformed in &all.deformed {
        let numbers = [deformed.faces, deformed.iterations, deformed.linear].map(|n| n.to_string());
        let [faces, iterations, linear] = numbers;
        row(&mut text, &[faces, iterations, linear, format!("{:.1}", deformed.ms)])?;
    }
    Ok(text)
}
