//! `ribbonmesh generate`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::noise::Noise;
use crate::session::Session;
use clap::{Args, Subcommand};
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{self, ShapeError};
use std::path::PathBuf;

/// Make a mesh of a known shape
///
/// Shapes with random parts are the same for the same --seed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh generate icosphere 5 -o sphere.ply
  ribbonmesh generate torus 100 -o torus.obj --shuffle --seed 7
  ribbonmesh generate torus-knot 2 3 -o knot.stl
  ribbonmesh generate icosphere 5 -o noisy.ply --noise 0.2
  ribbonmesh generate mobius -o mobius.off")]
pub struct Generate {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    /// A sphere of 20 · 4^K faces, from an icosahedron
    #[command(after_help = "Example:\n  ribbonmesh generate icosphere 3 -o sphere.ply")]
    Icosphere {
        /// Subdivisions, 0 to 13
        #[arg(default_value_t = 5)]
        k: u32,
        #[command(flatten)]
        common: Common,
    },
    /// An icosphere with bumps and noise
    #[command(after_help = "Example:\n  ribbonmesh generate bumpy-sphere 3 -o bumpy.ply --seed 2")]
    BumpySphere {
        /// Subdivisions, 0 to 13
        #[arg(default_value_t = 5)]
        k: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A torus of about 2 N² faces, its vertices moved a little at random
    #[command(after_help = "Example:\n  ribbonmesh generate torus 30 -o torus.ply")]
    Torus {
        /// Size, at least 4
        #[arg(default_value_t = 100)]
        n: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A flat square of N × N vertices, moved a little at random within the plane
    #[command(after_help = "Example:\n  ribbonmesh generate grid 30 -o grid.ply")]
    Grid {
        /// Vertices along a side, at least 2
        #[arg(default_value_t = 100)]
        n: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A closed rope along a torus knot
    #[command(after_help = "Example:\n  ribbonmesh generate torus-knot 3 5 16 600 -o knot.ply")]
    TorusKnot {
        /// Windings around the axis of the torus
        #[arg(default_value_t = 2)]
        p: u32,
        /// Windings around its tube; no common divisor with P
        #[arg(default_value_t = 3)]
        q: u32,
        /// Vertices around the rope, at least 3
        #[arg(default_value_t = 24)]
        around: u32,
        /// Vertices along the rope, at least 3
        #[arg(default_value_t = 500)]
        along: u32,
        #[command(flatten)]
        common: Common,
    },
    /// A Möbius strip: one side, one boundary
    #[command(after_help = "Example:\n  ribbonmesh generate mobius 60 5 -o mobius.ply")]
    Mobius {
        /// Vertices along the strip, at least 3
        #[arg(default_value_t = 200)]
        n: u32,
        /// Vertices across it, at least 2
        #[arg(default_value_t = 8)]
        width: u32,
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Args)]
struct Common {
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Put vertices and faces into random order, by --seed
    #[arg(long)]
    shuffle: bool,
    #[command(flatten)]
    noise: Noise,
    #[command(flatten)]
    encoding: Encoding,
}

impl Kind {
    fn common(&self) -> &Common {
        match self {
            Self::Icosphere { common, .. }
            | Self::BumpySphere { common, .. }
            | Self::Torus { common, .. }
            | Self::Grid { common, .. }
            | Self::TorusKnot { common, .. }
            | Self::Mobius { common, .. } => common,
        }
    }
    /// Faces of the shape, about.
    fn faces(&self) -> u64 {
        let product = |numbers: [u32; 2]| 2 * u64::from(numbers[0]) * u64::from(numbers[1]);
        match *self {
            // more subdivisions are refused by the shape
            Self::Icosphere { k, .. } | Self::BumpySphere { k, .. } => 20 << (2 * k.min(14)),
            Self::Torus { n, .. } | Self::Grid { n, .. } => product([n, n]),
            Self::TorusKnot { around, along, .. } => product([around, along]),
            Self::Mobius { n, width, .. } => product([n, width]),
        }
    }
    /// Refuses a shape that does not fit into memory: 12 bytes for a face, and 24 for half a vertex.
    fn check_room(&self) -> Result<(), Error> {
        /// The elements that need the memory, as the message names them.
        const WHAT: &str = "faces, with their vertices,";
        if self.faces() > u64::from(u32::MAX) {
            return Ok(()); // the shape says that
        }
        Device::cpu().check_room(self.faces(), WHAT, 24_u64.saturating_mul(self.faces()))
    }
    fn shape(&self, seed: u64) -> Result<TriangleMesh, ShapeError> {
        match *self {
            Self::Icosphere { k, .. } => shapes::icosphere(k),
            Self::BumpySphere { k, .. } => shapes::bumpy_sphere(k, seed),
            Self::Torus { n, .. } => shapes::torus(n, seed),
            Self::Grid { n, .. } => shapes::grid(n, seed),
            Self::TorusKnot { p, q, around, along, .. } => shapes::torus_knot(p, q, around, along),
            Self::Mobius { n, width, .. } => shapes::mobius(n, width),
        }
    }
}

impl Generate {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let (seed, common) = (session.seed(), self.kind.common());
        let options = common.encoding.options(&common.output)?;
        common.noise.check()?;
        session.keep(None, &[&common.output])?;
        self.kind.check_room()?;
        let mesh = session.phase("generate", || {
            let mut shape = self.kind.shape(seed)?;
            if common.shuffle {
                shapes::shuffle(&mut shape, seed);
            }
            Ok::<_, ShapeError>(shape)
        })?;
        let mesh = common.noise.add(session, mesh)?;
        session.write(&common.output, &mesh, &options)
    }
}
