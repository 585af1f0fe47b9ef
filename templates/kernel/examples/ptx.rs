//! `cargo run --example ptx`: compiles the kernels to `ptx/{{project-name}}.ptx`. Commit it: then users do
//! not need the nightly compiler.

fn main() -> std::process::ExitCode {
    ribbonmesh_ptx::renew(env!("CARGO_MANIFEST_DIR"))
}
