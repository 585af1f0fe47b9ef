//! All scenes, whichever crate has them.
use ribbonmesh::Result;
use ribbonmesh_grid::{GridScene, SharedReport};
use ribbonmesh_particles::ParticleScene;
use ribbonmesh_track::{Scene, SceneKind, by_name};
use std::fmt;
use std::str::FromStr;

/// A scene of any crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyScene {
    /// A velocity that is known.
    Known(SceneKind),
    /// A liquid of particles.
    Particles(ParticleScene),
    /// A liquid on a grid.
    Grid(GridScene),
}
impl AnyScene {
    /// All of them, with their names.
    fn all() -> impl Iterator<Item = (Self, &'static str)> {
        let known = SceneKind::ALL.into_iter().map(|(kind, name)| (Self::Known(kind), name));
        let particles = ParticleScene::ALL.into_iter().map(|(kind, name)| (Self::Particles(kind), name));
        known.chain(particles).chain(GridScene::ALL.into_iter().map(|(kind, name)| (Self::Grid(kind), name)))
    }
    /// The size unless another one is asked for.
    pub fn usual_size(self) -> u32 {
        match self {
            Self::Known(kind) => kind.usual_size(),
            Self::Particles(kind) => kind.usual_size(),
            Self::Grid(kind) => kind.usual_size(),
        }
    }
    /// The scene in a size, or in its usual one; and the counters of its liquid, if it has one on a grid.
    pub fn begin(self, size: Option<u32>, seed: u64) -> Result<(Scene, Option<SharedReport>)> {
        match self {
            Self::Known(kind) => Ok((Scene::new(kind, size, seed)?, None)),
            Self::Particles(kind) => Ok((kind.scene(size, seed)?, None)),
            Self::Grid(kind) => kind.build(size, seed).map(|built| (built.scene, Some(built.report))),
        }
    }
}
impl fmt::Display for AnyScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(kind) => kind.fmt(f),
            Self::Particles(kind) => kind.fmt(f),
            Self::Grid(kind) => kind.fmt(f),
        }
    }
}
impl FromStr for AnyScene {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        by_name(Self::all(), text).map_err(|names| format!("{text:?} is no scene; scenes are {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_one_scene() {
        let names: Vec<_> = AnyScene::all().map(|(_, name)| name).collect();
        for (scene, name) in AnyScene::all() {
            assert_eq!(name.parse(), Ok(scene));
            assert_eq!(scene.to_string(), name);
            assert_eq!(names.iter().filter(|other| **other == name).count(), 1);
        }
        let error = "geyser".parse::<AnyScene>().expect_err("no scene");
        assert!(error.contains("enright") && error.contains("fountain"), "{error}");
    }
}
