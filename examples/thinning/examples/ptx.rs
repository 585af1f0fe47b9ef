//! `cargo run --example ptx`: compiles the kernels to `thinning.ptx`, which is committed, so that nobody else needs
//! the nightly compiler. Says nothing but errors.
use ribbonmesh_ptx::{Builder, source_hash};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ptx = Builder::new(here).build()?;
    let text = format!("// sources {}\n{}", source_hash(here)?, ptx.text);
    Ok(std::fs::write(here.join("thinning.ptx"), text)?)
}
