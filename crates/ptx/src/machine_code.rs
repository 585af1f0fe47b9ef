//! An archive of machine code.

use flate2::{Compression, write::ZlibEncoder};
use std::io::Write;

/// The machine code of the kernels of one file of PTX for one chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineCode {
    /// The package.
    pub package: String,
    /// The hash of the file from which it was made: `text` of its [`Header`](crate::Header).
    pub text: String,
    /// The chip: 90 for `sm_90`.
    pub chip: u32,
    /// The output of [`Ptxas::assemble`](crate::Ptxas::assemble).
    pub code: Vec<u8>,
}

/// The bytes of an archive, which the library takes in if `RIBBONMESH_MACHINE_CODE` names the file when it is
/// compiled.
///
/// ```text
/// RibbonMesh machine code 1
/// <package> <hash of the PTX> <chip> <bytes> <compressed bytes>
/// … a line for each entry, and an empty line
/// … the code of all entries in their order, each compressed by zlib
/// ```
///
/// # Errors
/// Errors of the compressor.
pub fn machine_code(entries: &[MachineCode]) -> std::io::Result<Vec<u8>> {
    let pack = |code: &[u8]| {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(code)?;
        packer.finish()
    };
    let packed: Vec<_> = entries.iter().map(|entry| pack(&entry.code)).collect::<std::io::Result<_>>()?;
    let mut archive = b"RibbonMesh machine code 1\n".to_vec();
    for (MachineCode { package, text, chip, code }, packed) in entries.iter().zip(&packed) {
        let line = format!("{package} {text} {chip} {} {}\n", code.len(), packed.len());
        archive.extend_from_slice(line.as_bytes());
    }
    archive.push(b'\n');
    packed.iter().for_each(|packed| archive.extend_from_slice(packed));
    Ok(archive)
}
