//! `cargo run --example ptx`: compiles the kernels to `ptx/{{project-name}}.ptx`. Commit it: nobody else needs the
//! nightly compiler then.

fn main() -> std::process::ExitCode {
    ribbonmesh_ptx::renew(env!("CARGO_MANIFEST_DIR"))
}
