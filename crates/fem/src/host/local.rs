//! Gradients of a field at the corners of cells, on the host.
use super::error::{FemError, Result};
use super::space::{CellShape, Space, length};
use crate::device::bernstein::EDGES;
use crate::device::hexahedra::{Jacobian, Trilinear};
use crate::device::tetrahedra::Metric;
use ribbonmesh::Buffer;
use ribbonmesh::glam::Vec3;

/// The derivatives of `N` numbers: a row for each.
pub type Derivatives<const N: usize> = [[f64; 3]; N];

/// A field with `N` numbers per node, copied to the host, whose gradients are computed cell by cell:
/// [`Space::on_host`].
///
/// Gradients jump between cells; their mean around a vertex is a better estimate of the true one than any of
/// them.
pub struct HostField<const N: usize> {
    shape: CellShape,
    corners: Vec<i32>,
    /// For each edge of each cell the first node inside of it; empty at order 1.
    edge_nodes: Vec<u32>,
    x: Vec<Vec3>,
    field: Vec<f64>,
}
impl Space<'_> {
    /// Copies positions, cells and a field of `N` numbers per node to the host, where gradients are computed;
    /// waits. Takes 4 bytes per corner of cells, 24 more per cell from order 2 on, 12 per vertex and 8 per
    /// number of the field.
    /// # Errors
    /// [`FemError::Triangles`]; [`ribbonmesh::Error::Length`]; errors of earlier kernels or of the driver.
    pub fn on_host<const N: usize>(&self, field: &Buffer<f64>) -> Result<HostField<N>> {
        if self.shape() == CellShape::Tri {
            return Err(FemError::Triangles);
        }
        length("numbers of the field", N * self.nodes(), field.len())?;
        let (corners, cell_edges) = self.topology()?;
        let edge_nodes = cell_edges.into_iter().map(|edge| self.edge_nodes(edge).start).collect();
        let (x, field) = (self.positions().read()?, field.read()?);
        Ok(HostField { shape: self.shape(), corners, edge_nodes, x, field })
    }
}
impl<const N: usize> HostField<N> {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.corners.len() / self.shape.corners() as usize
    }
    /// The vertices of a cell.
    pub fn corners(&self, cell: usize) -> impl Iterator<Item = usize> {
        let n = self.shape.corners() as usize;
        self.corners[n * cell..n * (cell + 1)].iter().map(|&v| v as usize)
    }
    fn at(&self, cell: usize) -> impl Fn(u32) -> Vec3 {
        let n = self.shape.corners() as usize;
        move |k| self.x[self.corners[n * cell + k as usize] as usize]
    }
    fn value(&self, node: usize, component: usize) -> f64 {
        self.field[N * node + component]
    }
    /// The volume of a cell.
    pub fn volume(&self, cell: usize) -> f64 {
        if self.shape == CellShape::Hex {
            let map = Trilinear::<f64>::new(self.at(cell));
            (0..8).map(|k| map.at_gauss(k).determinant).sum::<f64>() / 8.0
        } else {
            Metric::<f64>::new(self.at(cell)).volume
        }
    }
    /// The gradients at the corners of a cell, each given to `f` with the corner's number. On tetrahedra the
    /// derivatives of the polynomial; on hexahedra the values at Gauss points, where they are most exact,
    /// extrapolated to the corners.
    pub fn at_corners(&self, cell: usize, mut f: impl FnMut(usize, Derivatives<N>)) {
        if self.shape != CellShape::Hex {
            let metric = Metric::<f64>::new(self.at(cell));
            return (0..4).for_each(|k| f(k, self.at_vertex(cell, k, &metric)));
        }
        let map = Trilinear::<f64>::new(self.at(cell));
        let at_gauss: [Derivatives<N>; 8] =
            std::array::from_fn(|k| self.in_hexahedron(cell, &map.at_gauss(k as u32)));
        let (near, far) = (0.5 * (1.0 + 3.0_f64.sqrt()), 0.5 * (1.0 - 3.0_f64.sqrt()));
        for corner in 0..8_usize {
            // Gauss points are the corners of a smaller cube; VTK's corners go around, Gauss points count in
            // binary
            let bits = [(corner ^ corner >> 1) & 1, corner >> 1 & 1, corner >> 2 & 1];
            let mut sum = [[0.0; 3]; N];
            for (k, own) in at_gauss.iter().enumerate() {
                let along = |axis: usize| if k >> axis & 1 == bits[axis] { near } else { far };
                add(&mut sum, along(0) * along(1) * along(2), own);
            }
            f(corner, sum);
        }
    }
    /// The mean gradient over a hexahedron: its integral by the volume. On tetrahedra none.
    pub fn mean_of_hexahedron(&self, cell: usize) -> Option<Derivatives<N>> {
        if self.shape != CellShape::Hex {
            return None;
        }
        let map = Trilinear::<f64>::new(self.at(cell));
        let (mut sum, mut volume) = ([[0.0; 3]; N], 0.0);
        for k in 0..8 {
            let jacobian = map.at_gauss(k);
            add(&mut sum, jacobian.determinant, &self.in_hexahedron(cell, &jacobian));
            volume += jacobian.determinant;
        }
        Some(sum.map(|row| row.map(|x| x / volume)))
    }
    fn in_hexahedron(&self, cell: usize, jacobian: &Jacobian<f64>) -> Derivatives<N> {
        let mut sum = [[0.0; 3]; N];
        for k in 0..8 {
            let (node, g) = (self.corners[8 * cell + k] as usize, jacobian.gradient(k as u32));
            for (component, row) in sum.iter_mut().enumerate() {
                let value = self.value(node, component) / jacobian.determinant;
                row.iter_mut().zip(g).for_each(|(x, g)| *x += value * g);
            }
        }
        sum
    }
    /// At a vertex the derivative of a Bernstein polynomial of order p has only terms of the vertex and of
    /// its neighbours among the nodes: p Σ g c.
    fn at_vertex(&self, cell: usize, vertex: usize, metric: &Metric<f64>) -> Derivatives<N> {
        let order = self.shape.order();
        let corner = |k: usize| self.corners[4 * cell + k] as usize;
        let mut sum = [[0.0; 3]; N];
        for other in 0..4 {
            let node = if order == 1 || other == vertex {
                corner(other)
            } else {
                let pair = [vertex.min(other) as u32, vertex.max(other) as u32];
                let edge = EDGES.iter().position(|own| *own == pair).unwrap_or_default();
                let far = order == 3 && corner(vertex) > corner(other);
                self.edge_nodes[6 * cell + edge] as usize + usize::from(far)
            };
            let g = metric.gradient(other as u32);
            for (component, row) in sum.iter_mut().enumerate() {
                let value = f64::from(order) * self.value(node, component);
                row.iter_mut().zip(g).for_each(|(x, g)| *x += value * g);
            }
        }
        sum
    }
}
fn add<const N: usize>(sum: &mut Derivatives<N>, by: f64, own: &Derivatives<N>) {
    for (sum, own) in sum.iter_mut().zip(own) {
        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += by * own);
    }
}
impl<const N: usize> std::fmt::Debug for HostField<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HostField of {N} numbers a node on {} cells ({:?})", self.cells(), self.shape)
    }
}
