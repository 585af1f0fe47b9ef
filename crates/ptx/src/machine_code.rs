//! An archive of machine code.

use flate2::{Compression, Crc, write::ZlibEncoder};
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

impl MachineCode {
    /// The words of its line that say what it is, and its length.
    fn label(&self) -> String {
        let Self { package, text, chip, code } = self;
        format!("{package} {text} {chip} {}", code.len())
    }

    /// The check of label and code.
    fn check(&self) -> u32 {
        let mut check = Crc::new();
        check.update(self.label().as_bytes());
        check.update(&self.code);
        check.sum()
    }
}

/// The bytes of an archive, which the library takes in if `RIBBONMESH_MACHINE_CODE` names the file when it is
/// compiled.
///
/// ```text
/// RibbonMesh machine code 2
/// <package> <hash of the PTX> <chip> <bytes> <check> <compressed bytes>
/// … a line for each entry, and an empty line
/// … the code of all entries in their order, each compressed by zlib
/// ```
///
/// The check is the CRC-32, as eight digits of base 16, of the line up to the length, and the code after it:
/// the driver takes code without knowing its length, so that damaged code must not reach it.
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
    let mut archive = b"RibbonMesh machine code 2\n".to_vec();
    for (entry, packed) in entries.iter().zip(&packed) {
        let line = format!("{} {:08x} {}\n", entry.label(), entry.check(), packed.len());
        archive.extend_from_slice(line.as_bytes());
    }
    archive.push(b'\n');
    packed.iter().for_each(|packed| archive.extend_from_slice(packed));
    Ok(archive)
}
