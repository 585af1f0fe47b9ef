//! Numbers that stay on the device are the same as on the host.
use crate::common;
use crate::suite;
use common::{Random, size};
use ribbonmesh::device::tiles;
use ribbonmesh::glam::{DVec3, I64Vec3, IVec3, Vec3};
use ribbonmesh::{
    Attribute, Device, DeviceScalar, Error, MeshOptions, Op, QueryResult, Result, StaticMesh, Vertex, array,
};
use ribbonmesh_testing::primitives::diffuse::Diffuse;

fn mesh(device: &Device, subdivisions: u32) -> StaticMesh {
    let shape = ribbonmesh_mesh::shapes::icosphere(subdivisions).expect("small");
    StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default()).expect("a mesh")
}
fn random(mesh: &StaticMesh, seed: u64) -> Attribute<Vertex, f32> {
    let mut random = Random(seed);
    let values: Vec<f32> = (0..mesh.vertices()).map(|_| random.below(2001) as f32 / 999.0 - 1.0).collect();
    Attribute::from_input(mesh, &values).expect("memory")
}

/// A linear system on the vertices of a mesh: (I + t L) x = b.
struct System {
    mesh: StaticMesh,
    /// Oriented rows, whose order is the same every time.
    neighbours: QueryResult,
    b: Attribute<Vertex, f32>,
}
/// Attributes at the beginning of a solve.
struct Start {
    x: Attribute<Vertex, f32>,
    r: Attribute<Vertex, f32>,
    p: Attribute<Vertex, f32>,
    q: Attribute<Vertex, f32>,
}
impl System {
    fn new(device: &Device) -> Self {
        let mesh = mesh(device, size(5, 3));
        let neighbours = mesh.query_oriented(Op::VV).expect("a closed surface");
        let b = random(&mesh, 1);
        Self { mesh, neighbours, b }
    }
    fn start(&self) -> Result<Start> {
        let zeros = || Attribute::zeros(&self.mesh);
        Ok(Start { x: zeros()?, r: self.b.try_clone()?, p: self.b.try_clone()?, q: zeros()? })
    }
    fn multiply(&self, x: &Attribute<Vertex, f32>, y: &mut Attribute<Vertex, f32>) -> Result<()> {
        let n = self.mesh.vertices() as u32;
        let offsets = self.neighbours.offsets().expect("rows of different lengths").view();
        let neighbours = self.neighbours.values().view();
        let kernel = Diffuse { n, t: 2.5, offsets, neighbours, x: x.view(), y: y.view_mut() };
        self.mesh.device().launch(tiles(n), kernel)
    }
    /// Conjugate gradients with the host's numbers: it waits twice in each iteration. The solution, r·r after
    /// each.
    fn solve_with_waits(&self, iterations: usize) -> Result<(Attribute<Vertex, f32>, Vec<f64>)> {
        let Start { mut x, mut r, mut p, mut q } = self.start()?;
        let (mut rr, mut history) = (r.dot(&r)?, vec![]);
        for _ in 0..iterations {
            self.multiply(&p, &mut q)?;
            let alpha = array::ratio(rr, p.dot(&q)?);
            x.axpy(alpha as f32, &p)?;
            r.axpy(-(alpha as f32), &q)?;
            let next = r.dot(&r)?;
            p.aypx(array::ratio(next, rr) as f32, &r)?;
            rr = next;
            history.push(rr);
        }
        Ok((x, history))
    }
    /// The same on the device, up to the tolerance: the host looks every `every` iterations. The solution,
    /// iterations, waits, r·r.
    fn solve(
        &self,
        most: usize,
        every: usize,
        tolerance: f64,
    ) -> Result<(Attribute<Vertex, f32>, usize, usize, f64)> {
        let Start { mut x, mut r, mut p, mut q } = self.start()?;
        let scalar = || DeviceScalar::new(self.mesh.device(), 0.0_f64);
        let (mut rr, mut next, mut pap, mut step) = (scalar()?, scalar()?, scalar()?, scalar()?);
        r.dot_into(&r, &mut rr)?;
        let (mut done, mut waits) = (0, 0);
        while done < most {
            self.multiply(&p, &mut q)?;
            p.dot_into(&q, &mut pap)?;
            step.set_ratio(&rr, &pap)?;
            x.axpy_by(&step, &p)?;
            r.axmy_by(&step, &q)?;
            r.dot_into(&r, &mut next)?;
            step.set_ratio(&next, &rr)?;
            p.aypx_by(&step, &r)?;
            std::mem::swap(&mut rr, &mut next);
            done += 1;
            if done % every == 0 {
                waits += 1;
                if rr.read()? <= tolerance {
                    break;
                }
            }
        }
        let found = rr.read()?;
        Ok((x, done, waits, found))
    }
}
fn bits(x: &Attribute<Vertex, f32>) -> Vec<u32> {
    x.download().expect("values").into_iter().map(f32::to_bits).collect()
}

suite! {
    fn conjugate_gradients(device) {
        let system = System::new(device);
        let (expected, history) = system.solve_with_waits(60).expect("a solution");
        // one wait, at the end
        let (x, done, waits, rr) = system.solve(60, usize::MAX, 0.0).expect("a solution");
        assert_eq!((done, waits, rr.to_bits()), (60, 0, history[59].to_bits()));
        assert_eq!(bits(&x), bits(&expected));
        // it is a solution
        let mut left = Attribute::zeros(&system.mesh).expect("memory");
        system.multiply(&x, &mut left).expect("a launch");
        left.sub(&system.b).expect("a launch");
        let (left, all) = (left.norm2().expect("a norm"), system.b.norm2().expect("a norm"));
        assert!(left < 1e-5 * all, "{left} {all}");
        // a look every 8 iterations: as many as are needed, rounded up
        let tolerance = 1e-6 * all * all;
        let needed = 1 + history.iter().position(|&rr| rr <= tolerance).expect("converged");
        let (x, done, waits, rr) = system.solve(60, 8, tolerance).expect("a solution");
        assert_eq!((done, waits), (needed.next_multiple_of(8), needed.div_ceil(8)));
        assert_eq!(rr.to_bits(), history[done - 1].to_bits());
        assert_eq!(bits(&x), bits(&system.solve_with_waits(done).expect("a solution").0));
    }
    fn an_end_before_the_host_looks(device) {
        // the right side is 0: the first product is, too
        let mut system = System::new(device);
        system.b.fill(0.0).expect("a launch");
        let (x, _, _, rr) = system.solve(5, 5, -1.0).expect("a solution");
        assert!(rr == 0.0 && x.download().expect("values").iter().all(|&v| v == 0.0));
    }
    fn reductions_have_the_same_bits(device) {
        for subdivisions in [0, 3, size(6, 4)] {
            let mesh = mesh(device, subdivisions);
            let (x, y) = (random(&mesh, 2), random(&mesh, 3));
            let mut found = DeviceScalar::new(device, 7.0).expect("memory");
            x.sum_into(&mut found).expect("a launch");
            assert_eq!(found.read().expect("a sum").to_bits(), x.sum().expect("a sum").to_bits());
            x.dot_into(&y, &mut found).expect("a launch");
            assert_eq!(found.read().expect("a product").to_bits(), x.dot(&y).expect("a product").to_bits());
            let v: Vec<Vec3> = x.download().expect("values").into_iter().map(|x| Vec3::new(x, 2.0, -x)).collect();
            let v = Attribute::<Vertex, Vec3>::from_input(&mesh, &v).expect("memory");
            let mut found = DeviceScalar::new(device, DVec3::NAN).expect("memory");
            v.sum_into(&mut found).expect("a launch");
            assert_eq!(found.read().expect("a sum"), v.sum().expect("a sum"));
            let i = Attribute::<Vertex, IVec3>::filled(&mesh, IVec3::new(i32::MIN, 1, -1)).expect("memory");
            let mut found = DeviceScalar::new(device, I64Vec3::ZERO).expect("memory");
            i.sum_into(&mut found).expect("a launch");
            let n = mesh.vertices() as i64;
            assert_eq!(found.read().expect("a sum"), I64Vec3::new(n * i64::from(i32::MIN), n, -n));
        }
    }
    fn arithmetic(device) {
        let scalar = |v: f64| DeviceScalar::new(device, v).expect("memory");
        let (a, b, mut c) = (scalar(7.0), scalar(-0.3), scalar(0.0));
        c.set_sum(&a, &b).expect("a launch");
        assert_eq!(c.read().expect("a number"), 7.0 + -0.3);
        c.set_difference(&a, &b).expect("a launch");
        assert_eq!(c.read().expect("a number"), 7.0 - -0.3);
        c.set_product(&a, &b).expect("a launch");
        assert_eq!(c.read().expect("a number"), 7.0 * -0.3);
        c.set_ratio(&a, &b).expect("a launch");
        assert_eq!(c.read().expect("a number"), 7.0 / -0.3);
        c.set_ratio(&a, &scalar(0.0)).expect("a launch");
        assert_eq!(c.read().expect("a number"), 0.0);
        c.copy_from(&a).expect("a copy");
        c.set_ratio(&b, &scalar(f64::NAN)).expect("a launch");
        assert!(c.read().expect("a number").is_nan());
        c.write(4.0).expect("a copy");
        assert_eq!(c.read().expect("a number"), 4.0);
    }
    fn scaling(device) {
        let mesh = mesh(device, 3);
        let (x, third) = (random(&mesh, 4), DeviceScalar::new(device, 1.0 / 3.0).expect("memory"));
        let (mut a, mut b) = (random(&mesh, 5), random(&mesh, 5));
        a.scale_by(&third).and_then(|()| b.scale((1.0_f64 / 3.0) as f32)).expect("launches");
        assert_eq!(bits(&a), bits(&b));
        a.axpy_by(&third, &x).and_then(|()| b.axpy((1.0_f64 / 3.0) as f32, &x)).expect("launches");
        assert_eq!(bits(&a), bits(&b));
        a.axmy_by(&third, &x).and_then(|()| b.axpy(-(1.0_f64 / 3.0) as f32, &x)).expect("launches");
        assert_eq!(bits(&a), bits(&b));
        a.aypx_by(&third, &x).and_then(|()| b.aypx((1.0_f64 / 3.0) as f32, &x)).expect("launches");
        assert_eq!(bits(&a), bits(&b));
        let mut wide = Attribute::<Vertex, DVec3>::filled(&mesh, DVec3::new(3.0, 6.0, -1.5)).expect("memory");
        wide.scale_by(&third).expect("a launch");
        assert_eq!(wide.download().expect("values")[5], DVec3::new(3.0, 6.0, -1.5) * (1.0 / 3.0));
    }
    fn scalars_of_another_device(device) {
        let mesh = mesh(device, 0);
        let mut x = random(&mesh, 6);
        let mut other = DeviceScalar::new(&Device::cpu(), 1.0).expect("memory");
        let refused = |result: Result<()>| assert!(matches!(result, Err(Error::OtherDevice { .. })), "{result:?}");
        refused(x.sum_into(&mut other));
        refused(x.dot_into(&x, &mut other));
        refused(x.scale_by(&other));
        let mut own = DeviceScalar::new(device, 1.0).expect("memory");
        refused(own.copy_from(&other));
        let same = DeviceScalar::new(device, 1.0).expect("memory");
        refused(own.set_sum(&same, &other));
        refused(other.set_sum(&own, &same));
    }
}
