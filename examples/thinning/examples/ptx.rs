//! `cargo run --example ptx`: compiles the kernels to the folder `ptx`, which is committed, so that users do
//! not need the nightly compiler.

fn main() -> std::process::ExitCode {
    ribbonmesh_ptx::renew(env!("CARGO_MANIFEST_DIR"))
}
