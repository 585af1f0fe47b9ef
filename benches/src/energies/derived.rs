//! Values, gradients and Hessians of elements, and their sums.
use super::Clock;
use super::subjects::{block, cloth, edges, moved};
use anyhow::Result;
use ribbonmesh::Buffer;
use ribbonmesh::device::{BufferView, Pod};
use ribbonmesh_energies::{
    Elements, Energy, EnergyKernels, NeoHookeanArguments, Shape, SpringsArguments,
    SymmetricDirichletArguments,
};
use ribbonmesh_multigrid::Blocks;
use serde::Serialize;
use std::cell::RefCell;

/// The derivatives of an energy on one mesh. Milliseconds are medians.
#[derive(Clone, Debug, Serialize)]
pub struct Derived {
    /// The energy.
    pub energy: &'static str,
    /// Bits of its numbers.
    pub bits: usize,
    /// Vertices.
    pub vertices: usize,
    /// Elements.
    pub elements: usize,
    /// Parts, each with its time and that of a copy of its bytes.
    pub parts: Vec<Part>,
}
/// A part of the work.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Part {
    /// The work.
    pub name: &'static str,
    /// Milliseconds.
    pub ms: f64,
    /// Milliseconds of a copy of the bytes that it must read and write.
    pub floor_ms: f64,
}
impl Derived {
    /// The time of a part.
    pub fn part(&self, name: &str) -> Option<Part> {
        self.parts.iter().find(|part| part.name == name).copied()
    }
}

type Real<E> = <<E as EnergyKernels>::Energy as Energy>::Real;
type Of<E> = <<E as EnergyKernels>::Energy as Energy>::Shape;

/// Measures the kernels of elements of an energy that keeps `rest` numbers of each.
fn kernels<E>(
    clock: Clock<'_>,
    elements: &Elements,
    energy: E,
    x: &Buffer<Real<E>>,
    rest: usize,
) -> Result<Vec<Part>>
where
    E: EnergyKernels<Energy: Energy<Real: Pod>>,
{
    let (size, n, vertices) = (size_of::<Real<E>>(), elements.len(), elements.vertices());
    let [gradients, hessians] = elements.rooms::<Of<E>>();
    let values = RefCell::new(clock.device.unspecified(n)?);
    let g = RefCell::new(clock.device.unspecified(gradients)?);
    let h = RefCell::new(clock.device.unspecified(hessians)?);
    let read = 4 * Of::<E>::VERTICES * n + size * (3 * vertices + rest * n);
    let [value, gradient, hessian] =
        [1, 1 + Of::<E>::VARIABLES, Of::<E>::PACKED].map(|k| clock.floor(read + size * k * n));
    let part = |name, ms, floor_ms| Part { name, ms, floor_ms };
    Ok(vec![
        part("values", clock.launches(|| elements.values(energy, x, &mut values.borrow_mut()))?, value),
        part(
            "gradients",
            clock
                .launches(|| elements.gradients(energy, x, &mut values.borrow_mut(), &mut g.borrow_mut()))?,
            gradient,
        ),
        part(
            "Hessians",
            clock.launches(|| elements.hessians(energy, false, x, &mut h.borrow_mut()))?,
            hessian,
        ),
        part(
            "projected",
            clock.launches(|| elements.hessians(energy, true, x, &mut h.borrow_mut()))?,
            hessian,
        ),
    ])
}
/// Measures sums over elements.
fn sums<S: Shape>(clock: Clock<'_>, elements: &Elements) -> Result<Vec<Part>> {
    let (device, vertices) = (clock.device, elements.vertices());
    let [gradients, hessians] = elements.rooms::<S>();
    let (from_g, from_h) = (device.zeros::<f64>(gradients)?, device.zeros::<f64>(hessians)?);
    let fixed = device.zeros::<u32>(vertices)?;
    let to = RefCell::new(device.zeros::<f64>(3 * vertices)?);
    let pattern = elements.pattern().clone();
    let numbers = device.zeros(9 * pattern.len())?;
    let matrix = RefCell::new(Blocks::of_pattern(pattern.clone(), [3, 3], numbers)?);
    let corners = S::VERTICES * elements.len();
    let of_g = from_g.bytes() + 4 * corners + (4 + 4 + 24) * vertices;
    let of_h = from_h.bytes() + 4 * S::VERTICES * corners + (12 + 72) * pattern.len() + 4 * vertices;
    let part = |name, ms, bytes| Part { name, ms, floor_ms: clock.floor(bytes) };
    let g = || elements.sum_gradients::<S>(&from_g, BufferView::empty(), &fixed, &mut to.borrow_mut());
    let h = || elements.sum_hessians::<S>(&from_h, 0.0, &fixed, &mut matrix.borrow_mut());
    Ok(vec![
        part("sum of gradients", clock.launches(g)?, of_g),
        part("sum of Hessians", clock.launches(h)?, of_h),
    ])
}
/// An energy in both precisions.
macro_rules! both {
    ($clock:expr, $all:expr, $name:literal, $elements:expr, $x:expr, $rest:expr, $of:literal, $shape:ty,
     |$numbers:ident| $energy:expr) => {{
        let (clock, elements): (Clock<'_>, &Elements) = ($clock, $elements);
        let derived = |bits, parts| Derived {
            energy: $name,
            bits,
            vertices: elements.vertices(),
            elements: elements.len(),
            parts,
        };
        let narrow = |all: &[f64]| all.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let (x, rest) = (clock.device.upload(&$x)?, $rest);
        let $numbers = rest.view();
        let mut parts = kernels(clock, elements, $energy, &x, $of)?;
        parts.extend(sums::<$shape>(clock, elements)?);
        $all.push(derived(64, parts));
        let (x, rest) = (clock.device.upload(&narrow(&$x))?, clock.device.upload(&narrow(&rest.read()?))?);
        let $numbers = rest.view();
        $all.push(derived(32, kernels(clock, elements, $energy, &x, $of)?));
    }};
}

/// Measures the energies of the library on meshes of a size.
pub fn measure(clock: Clock<'_>, size: usize) -> Result<Vec<Derived>> {
    let (device, mut all) = (clock.device, vec![]);
    let (x, faces) = cloth(size);
    let still = device.upload(&x)?;
    let threads = Elements::new(device, x.len() / 3, &edges(&faces))?;
    let rest = threads.springs_at_rest(&still)?;
    both!(clock, all, "springs", &threads, moved(&x, 3), rest, 1, ribbonmesh_energies::Edge, |rest| {
        SpringsArguments { stiffness: 1.0, rest }
    });
    drop(threads);
    let triangles = Elements::new(device, x.len() / 3, &faces)?;
    let rest = triangles.flat_triangles_at_rest(&still)?;
    both!(
        clock,
        all,
        "symmetric Dirichlet",
        &triangles,
        moved(&x, 2),
        rest,
        5,
        ribbonmesh_energies::FlatTriangle,
        |rest| SymmetricDirichletArguments { rest }
    );
    drop(triangles);
    let (x, cells) = block(size)?;
    let tetrahedra = Elements::new(device, x.len() / 3, &cells)?;
    let rest = tetrahedra.tetrahedra_at_rest(&device.upload(&x)?)?;
    both!(
        clock,
        all,
        "neo-Hookean",
        &tetrahedra,
        moved(&x, 3),
        rest,
        10,
        ribbonmesh_energies::Tetrahedron,
        |rest| NeoHookeanArguments { mu: 1.0, lambda: 2.0, materials: BufferView::empty(), rest }
    );
    Ok(all)
}
