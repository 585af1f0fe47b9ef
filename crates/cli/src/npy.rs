//! Arrays of NumPy.
use std::io::{self, Write};

/// Writes single numbers as NPY: `rows` by `columns`, or by `columns` by `width`. The last row comes first.
pub fn write_npy(out: &mut dyn Write, columns: usize, width: usize, values: &[f32]) -> io::Result<()> {
    let rows = values.len() / (columns * width);
    let last = if width == 1 { String::new() } else { format!(", {width}") };
    let mut head =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}{last}), }}");
    // the head ends at a multiple of 64 bytes
    let length = (10 + head.len() + 1).next_multiple_of(64) - 10;
    head.push_str(&" ".repeat(length - 1 - head.len()));
    head.push('\n');
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&(length as u16).to_le_bytes())?;
    out.write_all(head.as_bytes())?;
    for row in values.chunks_exact(columns * width).rev() {
        let bytes: Vec<u8> = row.iter().flat_map(|value| value.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}
