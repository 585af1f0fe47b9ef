//! Checking the arguments of a launch.
use super::view::Column;
use crate::fault::{self, Fault, FaultKind};
use crate::{AnyKernel, Arena, ElementKind, Grid};
use std::fmt::{self, Debug};
use std::panic::Location;

/// The memory to which a buffer belongs. Two machines of the CPU share theirs; each GPU that was opened has
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MachineId(u64);
impl MachineId {
    /// The memory of the host.
    pub const HOST: Self = Self(0);
    /// A memory that no other machine shares.
    pub fn unique() -> Self {
        use std::sync::atomic::{AtomicU64, Ordering};
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Problem of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentProblem {
    /// It belongs to another device than the one that launches.
    OtherMachine,
    /// It holds values of another mesh than the launch's.
    OtherMesh,
    /// It does not fulfil a condition of the kernel.
    Requirement {
        /// The condition, as the kernel states it.
        condition: &'static str,
        /// Its left side, if it compares.
        left: String,
        /// Its right side.
        right: String,
    },
    /// The kernel takes it as wider elements than can begin there.
    Misaligned {
        /// The number of which its address must be a multiple.
        alignment: usize,
        /// The place in the source.
        at: &'static Location<'static>,
    },
    /// The kernel's `requires` or `shared` reads it, or uses shared memory: the host, which evaluates them,
    /// knows only lengths and numbers.
    Unreadable {
        /// The place in the source.
        at: &'static Location<'static>,
    },
}

/// An argument that a launch cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// The name of the argument; fields of structs are named with a dot, `links.rows`.
    pub argument: String,
    /// Its problem.
    pub problem: ArgumentProblem,
}
impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.argument;
        match &self.problem {
            ArgumentProblem::OtherMachine => write!(f, "argument `{name}` belongs to another device"),
            ArgumentProblem::OtherMesh => write!(f, "argument `{name}` belongs to another mesh"),
            ArgumentProblem::Requirement { condition, left, right } => {
                write!(f, "the kernel requires `{condition}`")?;
                if left.is_empty() { Ok(()) } else { write!(f, ", here {left} and {right}") }
            }
            ArgumentProblem::Misaligned { alignment, at } => {
                write!(
                    f,
                    "argument `{name}` does not begin at a multiple of {alignment} bytes, as elements at {at} have to"
                )
            }
            ArgumentProblem::Unreadable { at } => {
                let memory = if name.is_empty() { "shared memory" } else { "an argument's memory" };
                write!(f, "the kernel's `requires` or `shared` uses {memory}, at {at}")?;
                if !name.is_empty() {
                    write!(f, ": argument `{name}`")?;
                }
                write!(f, "; the host, which evaluates them, knows only lengths and numbers")
            }
        }
    }
}

/// The state of checking one launch's arguments.
#[derive(Debug)]
pub struct Lowering {
    machine: MachineId,
    grid: *mut u32,
    path: Vec<&'static str>,
    /// Meshes among the arguments: the keys of their vertices, edges and faces.
    meshes: Vec<[usize; 3]>,
    columns: Vec<(String, Column)>,
    error: Option<ArgumentError>,
}

impl Lowering {
    /// For a launch on a machine. `grid` is the word of its barrier between blocks, or null.
    /// # Safety
    /// `grid` is null or valid on the machine for as long as its launches run, 0 before the first of them,
    /// and used by launches whose blocks all run at the same time, one after the other.
    pub unsafe fn new(machine: MachineId, grid: *mut u32) -> Self {
        Self { machine, grid, path: vec![], meshes: vec![], columns: vec![], error: None }
    }
    /// The barrier between the blocks of this launch.
    pub(super) fn grid(&self) -> Grid {
        if self.grid.is_null() {
            return Grid::none();
        }
        // SAFETY: by `new`.
        unsafe { Grid::new(self.grid) }
    }
    /// Lowers the fields of a struct that is argument `name`.
    pub fn within<R>(&mut self, name: &'static str, fields: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(name);
        let result = fields(self);
        self.path.pop();
        result
    }
    /// Notes that something about argument `name` is wrong. The first note counts.
    pub fn refuse(&mut self, name: &str, problem: ArgumentProblem) {
        if self.error.is_none() {
            self.error = Some(ArgumentError { argument: self.full_name(name), problem });
        }
    }
    /// Notes that a condition on argument `name` does not hold; `sides` are what it compares, if it does.
    #[cold]
    pub fn refuse_condition(
        &mut self,
        name: &str,
        condition: &'static str,
        sides: Option<(&dyn Debug, &dyn Debug)>,
    ) {
        let (left, right) =
            sides.map(|(left, right)| (format!("{left:?}"), format!("{right:?}"))).unwrap_or_default();
        self.refuse(name, ArgumentProblem::Requirement { condition, left, right });
    }
    /// Checks the machine of argument `name`.
    pub(super) fn check_machine(&mut self, name: &str, machine: MachineId) {
        if machine != self.machine {
            self.refuse(name, ArgumentProblem::OtherMachine);
        }
    }
    /// Notes a mesh among the arguments.
    pub(super) fn add_mesh(&mut self, keys: [usize; 3]) {
        self.meshes.push(keys);
    }
    /// Notes values of a mesh's elements among the arguments.
    pub(super) fn add_column(&mut self, name: &str, column: Column) {
        let name = self.full_name(name);
        self.columns.push((name, column));
    }
    /// Evaluates the conditions of a kernel; a condition that reads memory of an argument is an error.
    pub fn evaluate(&mut self, kernel: &dyn AnyKernel, conditions: &mut dyn FnMut(&mut Self)) {
        if let Err(fault) = fault::on_host(&mut || conditions(self)) {
            let error = unreadable(kernel, &fault);
            self.error.get_or_insert(error);
        }
    }
    /// The result of all checks: values of elements belong to a mesh among the arguments, or, where no mesh
    /// is, values of one kind to the same mesh.
    /// # Errors
    /// The first argument that is wrong.
    pub fn finish(mut self) -> Result<(), ArgumentError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let columns = std::mem::take(&mut self.columns);
        for (i, (name, column)) in columns.iter().enumerate() {
            let known = if self.meshes.is_empty() {
                let first = columns[..i].iter().find(|(_, other)| other.kind == column.kind);
                first.is_none_or(|(_, other)| other.mesh == column.mesh)
            } else {
                self.meshes.iter().any(|keys| keys[column_of(column.kind)] == column.mesh)
            };
            if !known {
                return Err(ArgumentError { argument: name.clone(), problem: ArgumentProblem::OtherMesh });
            }
        }
        Ok(())
    }
    fn full_name(&self, name: &str) -> String {
        self.path.iter().copied().chain([name]).collect::<Vec<_>>().join(".")
    }
}

/// Bytes of shared memory that the largest block of a kernel needs.
/// # Errors
/// [`ArgumentProblem::Unreadable`] for an expression that needs more than lengths and numbers.
pub fn shared_memory(kernel: &dyn AnyKernel) -> Result<u64, ArgumentError> {
    let mut bytes = 0;
    fault::on_host(&mut || bytes = Arena::measure(|arena| kernel.carve(arena)))
        .map_err(|fault| unreadable(kernel, &fault))?;
    Ok(bytes)
}
fn unreadable(kernel: &dyn AnyKernel, fault: &Fault) -> ArgumentError {
    let base = match fault.kind {
        FaultKind::Unreadable { base } | FaultKind::Misaligned { base, .. } => Some(base),
        FaultKind::OutOfBounds { base, .. } => base,
        FaultKind::Nested { .. } => None,
    };
    of_argument(kernel, base, ArgumentProblem::Unreadable { at: fault.at })
}
/// A problem of the argument whose memory has an address.
pub fn of_argument(kernel: &dyn AnyKernel, base: Option<usize>, problem: ArgumentProblem) -> ArgumentError {
    ArgumentError {
        argument: base.and_then(|base| kernel.argument_at(base)).unwrap_or_default().into(),
        problem,
    }
}

/// The place of a kind among the keys of a mesh.
pub const fn column_of(kind: ElementKind) -> usize {
    match kind {
        ElementKind::Vertex => 0,
        ElementKind::Edge => 1,
        ElementKind::Face => 2,
    }
}
