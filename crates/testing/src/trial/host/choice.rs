//! Choices of trials.
use super::random::Random;
use crate::trial::fillings;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;

/// The faces that a cavity deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The faces of a template.
    Template(Template),
    /// The faces of [`crate::trial::trial::USER`] at seeds of this kind.
    User(ElementKind),
}
impl Naming {
    /// All of them.
    pub fn all() -> Vec<Self> {
        let users = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(Self::User);
        Template::ALL.map(Self::Template).into_iter().chain(users).collect()
    }
    /// The kind of its seeds.
    pub fn seed(self) -> ElementKind {
        match self {
            Self::Template(template) => template.seed(),
            Self::User(kind) => kind,
        }
    }
}

/// Filling of a cavity: see [`fillings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Filling {
    /// Nothing.
    Nothing = fillings::NOTHING,
    /// A fan around a new vertex.
    Fan = fillings::FAN,
    /// The same without sides on the boundary.
    FanWithin = fillings::FAN_WITHIN,
    /// A fan around a vertex of the loop.
    FanOfLoop = fillings::FAN_OF_LOOP,
    /// An edge flip.
    Flip = fillings::FLIP,
    /// An edge split.
    Split = fillings::SPLIT,
    /// An edge collapse.
    Collapse = fillings::COLLAPSE,
    /// A vertex split.
    SplitVertex = fillings::SPLIT_VERTEX,
    /// A face collapse.
    CollapseFace = fillings::COLLAPSE_FACE,
}
impl Filling {
    /// The fillings for any cavity.
    pub const GENERAL: [Self; 4] = [Self::Nothing, Self::Fan, Self::FanWithin, Self::FanOfLoop];
    /// The fillings of classic operators, with their templates.
    pub const CLASSIC: [(Self, Template); 5] = [
        (Self::Flip, Template::EF),
        (Self::Split, Template::EF),
        (Self::Collapse, Template::EV),
        (Self::SplitVertex, Template::VF),
        (Self::CollapseFace, Template::FV),
    ];
}

/// An operation: which seeds, which cavities, which filling.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The faces.
    pub naming: Naming,
    /// The filling.
    pub filling: Filling,
    /// The priority of each seed; NaN for seeds that are not meant. Seeds beyond are not meant.
    pub priority: Vec<f32>,
    /// The label of each face, for [`Naming::User`].
    pub label: Vec<u32>,
}
impl Choice {
    /// About one in `of` seeds, with random priorities, of which many are the same.
    pub fn random(naming: Naming, filling: Filling, ids: [u32; 3], of: u32, random: &mut Random) -> Self {
        let seeds = ids[naming.seed() as usize];
        let priority = |random: &mut Random| match random.below(of) {
            0 => random.below(9) as f32 - 4.0,
            _ => f32::NAN,
        };
        Self {
            naming,
            filling,
            priority: (0..seeds).map(|_| priority(random)).collect(),
            label: (0..ids[2]).map(|_| random.below(3) / 2).collect(),
        }
    }
    /// One seed.
    pub fn one(naming: Naming, filling: Filling, seed: u32) -> Self {
        let mut priority = vec![f32::NAN; seed as usize + 1];
        priority[seed as usize] = 0.0;
        Self { naming, filling, priority, label: vec![] }
    }
    /// Every seed.
    pub fn every(naming: Naming, filling: Filling, ids: [u32; 3]) -> Self {
        Self { naming, filling, priority: vec![0.0; ids[naming.seed() as usize] as usize], label: vec![] }
    }
    /// The label of a face.
    pub fn label(&self, f: u32) -> u32 {
        self.label.get(f as usize).copied().unwrap_or(0)
    }
    /// Whether a seed is meant.
    pub fn means(&self, seed: u32) -> bool {
        self.priority.get(seed as usize).is_some_and(|p| !p.is_nan())
    }
}
