//! Faults of a store, as validation on the device finds them.
use ribbonmesh::device::ElementKind;

macro_rules! faults { ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
    /// A condition that a store has broken.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fault { $($(#[$doc])* $name),* }
    impl Fault {
        /// All of them, in the order in which they are looked for.
        pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];
        /// The condition, as a sentence about an element of a patch.
        pub const fn text(self) -> &'static str {
            match self { $(Self::$name => $text),* }
        }
    }
} }
faults! {
    /// More local elements, or neighbours, than there is room for. The local index is the number.
    Count "the patch counts more than it has room for";
    /// An element that is active beyond the count, or owned and not active.
    Mask "an element is owned and not active, or beyond the number of elements";
    /// A stash that names a patch that is not there, the patch itself, or one twice. The local index is the
    /// place in the stash.
    Stash "the stash names no other patch, or one twice";
    /// An active edge without active vertices.
    Edge "an edge has no two active vertices";
    /// An active face whose sides are no active edges, or do not follow each other.
    Face "the sides of a face are not active, or do not follow each other";
    /// An entry of a table for an element that is owned, not there or twice there, or that names no place of
    /// the stash.
    Entry "an entry of a table is about no element of the ribbon, or names no neighbour";
    /// An active element of the ribbon that is not in the table.
    Missing "an element of the ribbon has no entry";
    /// A chain of owners that ends nowhere, at an element that is not active, or after too many steps.
    Chain "the owner is not found";
    /// Two elements of a patch that have the same owner.
    Twice "two elements of a patch have one owner";
    /// An element of a ribbon that has other vertices, edges or directions than with its owner.
    Disagreement "an element of the ribbon is not as its owner has it";
    /// An owned vertex, owned edge or edge of an owned face with more or fewer edges or faces in the patch
    /// than patches own.
    Star "the edges or faces around an element are not all in its patch, or too many are";
}

/// The bits of a record: the fault, then the patch, the kind and the local index.
const FAULT_AT: u32 = 58;
const PATCH_AT: u32 = 26;
const KIND_AT: u32 = 24;

/// A fault with the element, as a number. The least is kept: what is looked for first, since it may be the
/// reason of others.
#[inline(always)]
pub(crate) fn record(patch: u32, fault: Fault, kind: usize, local: u32) -> u64 {
    let local = if local < 1 << KIND_AT { local } else { (1 << KIND_AT) - 1 };
    (fault as u64) << FAULT_AT | (patch as u64) << PATCH_AT | (kind as u64) << KIND_AT | local as u64
}

/// Where a store is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The condition.
    pub fault: Fault,
    /// The patch.
    pub patch: u32,
    /// The kind of the element.
    pub kind: ElementKind,
    /// Its local index.
    pub local: u32,
}
#[cfg(not(target_arch = "nvptx64"))]
impl Broken {
    /// From its record; `None` if nothing was recorded.
    pub(crate) fn of(record: u64) -> Option<Self> {
        let fault = *Fault::ALL.get((record >> FAULT_AT) as usize)?;
        let kind = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face]
            .into_iter()
            .nth((record >> KIND_AT & 3) as usize)?;
        let local = (record & ((1 << KIND_AT) - 1)) as u32;
        Some(Self { fault, patch: (record >> PATCH_AT) as u32, kind, local })
    }
}
#[cfg(not(target_arch = "nvptx64"))]
impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = ["vertex", "edge", "face"][self.kind as usize];
        write!(f, "patch {}, {kind} {}: {}", self.patch, self.local, self.fault.text())
    }
}
