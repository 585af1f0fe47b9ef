//! Gradients and Hessians beside differences of values and gradients, and their invariance.
use crate::samples::{apart, flat_rest, lengths, packed, simplices, solid_rest};
use glam::{DMat3, DQuat, DVec3};
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_energies::{
    Elements, Energy, EnergyKernels, NeoHookeanArguments, Shape, SpringsArguments,
    SymmetricDirichletArguments,
};
use ribbonmesh_suite::suite;

const COUNT: usize = 70;

/// A trial of an energy of elements: with the elements, the positions, and the coordinates of a
/// vertex that count.
struct Trial<'a, E> {
    elements: &'a Elements,
    energy: E,
    x: &'a [f64],
    vertices: usize,
    dimensions: usize,
}
impl<E: EnergyKernels<Energy: Energy<Real = f64>>> Trial<'_, E> {
    /// Positions with one coordinate of vertex 1 + `k / dimensions` of all elements moved.
    fn moved(&self, k: usize, by: f64) -> Buffer<f64> {
        let mut x = self.x.to_vec();
        let (vertex, c) = (1 + k / self.dimensions, k % self.dimensions);
        for element in 0..COUNT {
            x[3 * (self.vertices * element + vertex) + c] += by;
        }
        self.elements.device().upload(&x).expect("memory")
    }
    /// Compares with differences of both sides.
    fn compare(&self) {
        let own = |x: &Buffer<f64>| self.elements.derivatives(self.energy, x, false).expect("derivatives");
        let (n, h) = (<E::Energy as Energy>::Shape::VARIABLES, 1e-5);
        let here = own(&self.elements.device().upload(self.x).expect("memory"));
        let of_size = |list: &[f64]| list.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for k in 0..n {
            let (before, after) = (own(&self.moved(k, -h)), own(&self.moved(k, h)));
            for element in 0..COUNT {
                let difference = (after.values[element] - before.values[element]) / (2.0 * h);
                let (found, size) = (here.gradients[element][k], of_size(&here.gradients[element]));
                assert!((found - difference).abs() < 1e-6 * (1e-3 + size), "{k}: {found}, {difference}");
                let size = of_size(&here.hessians[element]);
                for i in 0..n {
                    let step = after.gradients[element][i] - before.gradients[element][i];
                    let (found, difference) = (here.hessians[element][packed(i, k)], step / (2.0 * h));
                    assert!((found - difference).abs() < 1e-6 * size, "{i} {k}: {found}, {difference}");
                }
            }
        }
    }
    /// The energies of the elements at other positions of vertices.
    fn values(&self, place: impl Fn(DVec3) -> DVec3) -> Vec<f64> {
        let moved: Vec<f64> = self.x.chunks(3).flat_map(|x| place(DVec3::from_slice(x)).to_array()).collect();
        let x = self.elements.device().upload(&moved).expect("memory");
        self.elements.derivatives(self.energy, &x, false).expect("derivatives").values
    }
    fn is_invariant(&self, turn: DQuat) {
        let (here, translated) = (self.values(|p| p), self.values(|p| p + DVec3::new(3.0, -7.0, 0.5)));
        let turned = self.values(|p| turn * p);
        for element in 0..COUNT {
            let size = 1e-12 * (1.0 + here[element].abs());
            assert!((here[element] - translated[element]).abs() < 30.0 * size);
            assert!((here[element] - turned[element]).abs() < 10.0 * size);
        }
    }
}
fn springs(device: &Device, then: impl Fn(&Trial<'_, SpringsArguments<'_, f64>>)) {
    let (edges, x) = (apart::<2>(COUNT), simplices(2, COUNT, 0.3, 5));
    let rest = device.upload(&lengths(&simplices(2, COUNT, 0.2, 6), &edges)).expect("memory");
    let elements = Elements::new(device, 2 * COUNT, &edges).expect("elements");
    let energy = SpringsArguments { stiffness: 3.0, rest: rest.view() };
    then(&Trial { elements: &elements, energy, x: &x, vertices: 2, dimensions: 3 });
}
fn dirichlet(device: &Device, then: impl Fn(&Trial<'_, SymmetricDirichletArguments<'_, f64>>)) {
    let (faces, x) = (apart::<3>(COUNT), simplices(3, COUNT, 0.2, 7));
    let rest = device.upload(&flat_rest(&simplices(3, COUNT, 0.2, 8), &faces)).expect("memory");
    let elements = Elements::new(device, 3 * COUNT, &faces).expect("elements");
    let energy = SymmetricDirichletArguments { rest: rest.view() };
    then(&Trial { elements: &elements, energy, x: &x, vertices: 3, dimensions: 2 });
}
fn neo_hookean(device: &Device, then: impl Fn(&Trial<'_, NeoHookeanArguments<'_, f64>>)) {
    let (cells, x) = (apart::<4>(COUNT), simplices(4, COUNT, 0.15, 9));
    let rest = device.upload(&solid_rest(&simplices(4, COUNT, 0.15, 10), &cells)).expect("memory");
    let elements = Elements::new(device, 4 * COUNT, &cells).expect("elements");
    let energy =
        NeoHookeanArguments { mu: 1.3, lambda: 2.1, materials: BufferView::empty(), rest: rest.view() };
    then(&Trial { elements: &elements, energy, x: &x, vertices: 4, dimensions: 3 });
}

suite! {
    fn derivatives_are_those_of_differences(device) {
        springs(device, |trial| trial.compare());
        dirichlet(device, |trial| trial.compare());
        neo_hookean(device, |trial| trial.compare());
    }
    fn energies_do_not_change_with_rigid_motions(device) {
        let turn = DQuat::from_mat3(&DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.1));
        springs(device, |trial| trial.is_invariant(turn));
        neo_hookean(device, |trial| trial.is_invariant(turn));
        dirichlet(device, |trial| trial.is_invariant(DQuat::from_rotation_z(2.0)));
    }
    fn single_precision_is_near_double(device) {
        let (cells, x) = (apart::<4>(COUNT), simplices(4, COUNT, 0.15, 9));
        let rest = solid_rest(&simplices(4, COUNT, 0.15, 10), &cells);
        let narrow = |x: &[f64]| x.iter().map(|x| *x as f32).collect::<Vec<f32>>();
        let elements = Elements::new(device, 4 * COUNT, &cells).expect("elements");
        let rest32 = device.upload(&narrow(&rest)).expect("memory");
        let (rest, x32) = (device.upload(&rest).expect("memory"), device.upload(&narrow(&x)).expect("memory"));
        let x = device.upload(&x).expect("memory");
        let wide = NeoHookeanArguments { mu: 1.3, lambda: 2.1, materials: BufferView::empty(), rest: rest.view() };
        let single = NeoHookeanArguments { mu: 1.3, lambda: 2.1, materials: BufferView::empty(), rest: rest32.view() };
        let wide = elements.derivatives(wide, &x, true).expect("derivatives");
        let single = elements.derivatives(single, &x32, true).expect("derivatives");
        for element in 0..COUNT {
            let pairs = [(&wide.gradients, &single.gradients), (&wide.hessians, &single.hessians)];
            for (wide, single) in pairs {
                let size = wide[element].iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                for (a, b) in wide[element].iter().zip(&single[element]) {
                    assert!((a - f64::from(*b)).abs() < 1e-4 * size, "{a}, {b}");
                }
            }
        }
    }
    fn same_bits_every_run(device) {
        neo_hookean(device, |trial| {
            let x = device.upload(trial.x).expect("memory");
            let once = || trial.elements.derivatives(trial.energy, &x, true).expect("derivatives");
            let (first, second) = (once(), once());
            let bits = |lists: &[Vec<f64>]| lists.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&first.hessians), bits(&second.hessians));
            assert_eq!(bits(&first.gradients), bits(&second.gradients));
        });
    }
}
