//! `--resolver`: how conflicts between changes of triangles are resolved.
use clap::{Args, ValueEnum};
use ribbonmesh::dynamic::Resolver;

/// The option of commands that change triangles.
#[derive(Args)]
pub struct ResolverOption {
    /// How conflicts between changes are resolved: by claims on all faces at once, or by locks on patches, patch by patch. Claims are
    /// faster, and give the same result in every run
    #[arg(long, value_name = "claims|speculative", value_enum, default_value = "claims")]
    resolver: Chosen,
}

#[derive(Clone, Copy, ValueEnum)]
enum Chosen {
    Claims,
    Speculative,
}

impl ResolverOption {
    /// What was chosen.
    pub fn chosen(&self) -> Resolver {
        match self.resolver {
            Chosen::Claims => Resolver::Claims,
            Chosen::Speculative => Resolver::Speculative,
        }
    }
}
