//! `ptx!`.
use crate::device;
use flate2::{Compression, write::ZlibEncoder};
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use std::io::Write;
use std::path::{Path, PathBuf};
use syn::{Error, LitByteStr, LitStr, Result};

/// The file that a folder of PTX has beside the PTX; it is written last.
const INDEX: &str = "index";
/// The first and the last line of the header of PTX.
const FIRST: &str = "// RibbonMesh PTX 2";
const LAST: &str = "// end of header";

pub fn expand() -> Result<TokenStream> {
    let device = device::path()?;
    let name = variable("CARGO_PKG_NAME")?;
    let folders = ["OUT_DIR", "CARGO_MANIFEST_DIR"].map(|name| std::env::var_os(name).map(PathBuf::from));
    let folder =
        folders.into_iter().flatten().map(|dir| dir.join("ptx")).find(|ptx| ptx.join(INDEX).is_file());
    let (mut paths, mut files) = (vec![], vec![]);
    if let Some(folder) = folder {
        list(&folder, &mut paths)?;
        paths.sort();
        for path in &paths {
            files.push(file(path, &device)?);
        }
        paths.push(folder.join(INDEX));
    }
    let paths = paths.iter().map(|path| path.to_str().ok_or_else(|| fault(path, "is no text")));
    let paths = paths.collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        /// The kernels of this crate, compiled for NVIDIA GPUs.
        #[cfg(not(target_arch = "nvptx64"))]
        pub(crate) static PTX: #device::PtxModule = #device::PtxModule { name: #name, files: &[#(#files),*] };
        // files that the compiler must track
        #[cfg(not(target_arch = "nvptx64"))]
        const _: &[&[u8]] = &[#(::core::include_bytes!(#paths)),*];
    })
}

fn variable(name: &str) -> Result<String> {
    std::env::var(name).map_err(|e| Error::new(Span::call_site(), format!("{name}: {e}")))
}

fn fault(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::new(Span::call_site(), format!("{}: {what}", path.display()))
}

/// Adds the PTX in a folder and its folders.
fn list(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| fault(folder, e))? {
        let path = entry.map_err(|e| fault(folder, e))?.path();
        if path.is_dir() {
            list(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "ptx") {
            found.push(path);
        }
    }
    Ok(())
}

/// The `PtxFile` of a file.
fn file(path: &Path, device: &TokenStream) -> Result<TokenStream> {
    let contents = std::fs::read_to_string(path).map_err(|e| fault(path, e))?;
    let contents = contents.replace("\r\n", "\n");
    let parts = contents.strip_prefix(FIRST).and_then(|rest| rest.split_once(LAST));
    let (header, text) = parts.ok_or_else(|| fault(path, "has no header; compile the kernels again"))?;
    let text = text.trim_start_matches('\n');
    let (mut hash, mut kernels) = ("", vec![]);
    for line in header.lines() {
        if let Some(value) = line.strip_prefix("// text: ") {
            hash = value;
        } else if let Some(kernel) = line.strip_prefix("// kernel: ") {
            let kernel = kernel
                .split_once(' ')
                .and_then(|(name, layout)| Some((name, u64::from_str_radix(layout, 16).ok()?)));
            kernels
                .push(kernel.ok_or_else(|| fault(path, format!("{line:?} names no kernel and its layout")))?);
        }
    }
    kernels.sort_unstable();
    let kernels = kernels.iter().map(|(name, layout)| quote!((#name, #layout)));
    let packed = LitByteStr::new(&pack(text.as_bytes()).map_err(|e| fault(path, e))?, Span::call_site());
    let (hash, len) = (LitStr::new(hash, Span::call_site()), Literal::usize_unsuffixed(text.len()));
    Ok(quote!(#device::PtxFile { hash: #hash, kernels: &[#(#kernels),*], packed: #packed, len: #len }))
}

fn pack(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text)?;
    packer.finish()
}
