//! Conjugate gradients within a block, for the two systems of a chart.
use super::chart::{Chart, Charts, area, force, response, weights};
use super::complex::Linear;
use super::energy::Model;
use glam::{DVec2, DVec3, DVec4};
use ribbonmesh::device::{Block, Out, Parameter};

/// Memory of the charts' vertices and faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Work<'a> {
    /// Positions in the plane.
    pub x: Out<'a, DVec2>,
    /// The solution.
    pub step: Out<'a, DVec2>,
    /// The residual.
    pub residual: Out<'a, DVec2>,
    /// The search direction.
    pub search: Out<'a, DVec2>,
    /// The matrix times the search direction.
    pub product: Out<'a, DVec2>,
    /// The inverse of each vertex's block of the matrix, which is symmetric.
    pub inverse: Out<'a, DVec3>,
    /// Directions of each face's model.
    pub directions: Out<'a, DVec4>,
    /// Curvatures of each face's model.
    pub curvatures: Out<'a, DVec4>,
    /// Derivatives of each face.
    pub flux: Out<'a, DVec4>,
}

/// A symmetric matrix with two rows and columns, times a vector.
#[inline(always)]
fn apply(m: DVec3, v: DVec2) -> DVec2 {
    DVec2::new(m.x * v.x + m.y * v.y, m.y * v.x + m.z * v.y)
}
#[inline(always)]
fn pack(map: Linear, scale: f64) -> DVec4 {
    DVec4::new(map.z.x, map.z.y, map.w.x, map.w.y) * scale
}
#[inline(always)]
fn unpack(v: DVec4) -> Linear {
    Linear { z: DVec2::new(v.x, v.y), w: DVec2::new(v.z, v.w) }
}

/// The matrix of a system.
#[derive(Clone, Copy, PartialEq)]
pub enum Matrix {
    /// The Laplacian with equal weights; vertices of the boundary are fixed.
    Tutte,
    /// The Hessian of the faces' models, without negative eigenvalues.
    Hessian,
}

impl Work<'_> {
    /// Writes the faces' models at `x`, then residuals, which are minus the gradient, and inverses of the
    /// diagonal blocks. Returns the squared norm of the residual. Collective.
    #[inline(always)]
    pub fn linearize(&self, block: &Block, charts: &Charts<'_>, chart: Chart) -> f64 {
        block.for_each(chart.faces, |i| {
            let face = chart.face + i;
            let (model, gradient) = Model::at(charts.map(face, |v| self.x.get(v)));
            self.directions.set(face, model.directions);
            self.curvatures.set(face, model.curvatures);
            self.flux.set(face, pack(gradient, area(charts.rest.get(face))));
        });
        let squares = |i: u32| {
            let v = chart.vertex + i;
            let (mut sum, mut xx, mut xy, mut yy) = (DVec2::ZERO, 0.0, 0.0, 0.0);
            charts.star(v, |face, k| {
                let rest = charts.rest.get(face);
                let w = weights(rest, k);
                sum += force(unpack(self.flux.get(face)), w);
                let model = self.model(face);
                let along = |by| force(model.times(response(w, by)), w) * area(rest);
                let (x, y) = (along(DVec2::X), along(DVec2::Y));
                xx += x.x;
                xy += x.y;
                yy += y.y;
            });
            let scale = 1.0 / (xx * yy - xy * xy);
            self.inverse.set(v, DVec3::new(yy, -xy, xx) * scale);
            self.residual.set(v, -sum);
            sum.dot(sum)
        };
        block.reduce(chart.vertices, 0.0, squares, |a, b| a + b)
    }
    /// Residuals of Tutte's system at `x`. Returns their squared norm. Collective.
    #[inline(always)]
    pub fn differences(&self, block: &Block, charts: &Charts<'_>, chart: Chart) -> f64 {
        let squares = |i: u32| {
            let v = chart.vertex + i;
            let inner = charts.boundary.get(v) < 0.0;
            let (sum, count) = self.differences_at(charts, v);
            let sum = if inner { -sum } else { DVec2::ZERO };
            let scale = if inner && count > 0.0 { 0.5 / count } else { 0.0 };
            self.inverse.set(v, DVec3::new(scale, 0.0, scale));
            self.residual.set(v, sum);
            sum.dot(sum)
        };
        block.reduce(chart.vertices, 0.0, squares, |a, b| a + b)
    }
    /// The sum of the differences of a vertex to its neighbours in each of its faces, and the number of
    /// faces.
    #[inline(always)]
    pub fn differences_at(&self, charts: &Charts<'_>, v: u32) -> (DVec2, f64) {
        self.laplacian(charts, v, |u| self.x.get(u))
    }
    #[inline(always)]
    fn laplacian(&self, charts: &Charts<'_>, v: u32, at: impl Fn(u32) -> DVec2) -> (DVec2, f64) {
        let (mut sum, mut count, own) = (DVec2::ZERO, 0.0, at(v));
        charts.star(v, |face, k| {
            let [p, q] = [(k + 1) % 3, (k + 2) % 3].map(|k| at(charts.faces.get(3 * face + k)));
            sum += (own - p) + (own - q);
            count += 1.0;
        });
        (sum, count)
    }
    #[inline(always)]
    fn model(&self, face: u32) -> Model {
        Model { directions: self.directions.get(face), curvatures: self.curvatures.get(face) }
    }
    /// The matrix times the search direction; returns the scalar product of both. Collective.
    #[inline(always)]
    fn multiply(&self, block: &Block, charts: &Charts<'_>, chart: Chart, matrix: Matrix) -> f64 {
        if matrix == Matrix::Hessian {
            block.for_each(chart.faces, |i| {
                let face = chart.face + i;
                let change = self.model(face).times(charts.map(face, |v| self.search.get(v)));
                self.flux.set(face, pack(change, area(charts.rest.get(face))));
            });
        }
        let products = |i: u32| {
            let v = chart.vertex + i;
            let mut sum = DVec2::ZERO;
            if matrix == Matrix::Hessian {
                charts.star(v, |face, k| {
                    sum += force(unpack(self.flux.get(face)), weights(charts.rest.get(face), k));
                });
            } else if charts.boundary.get(v) < 0.0 {
                sum = self.laplacian(charts, v, |u| self.search.get(u)).0;
            }
            self.product.set(v, sum);
            sum.dot(self.search.get(v))
        };
        block.reduce(chart.vertices, 0.0, products, |a, b| a + b)
    }
    /// Solves for `step` from 0, until the residual is `part` of its first norm, whose square is `squares`,
    /// in at most `most` steps. Collective.
    #[inline(always)]
    pub fn solve(
        &self,
        block: &Block,
        charts: &Charts<'_>,
        chart: Chart,
        matrix: Matrix,
        (squares, part, most): (f64, f64, u32),
    ) {
        let start = |i: u32| {
            let v = chart.vertex + i;
            let residual = self.residual.get(v);
            let search = apply(self.inverse.get(v), residual);
            self.step.set(v, DVec2::ZERO);
            self.search.set(v, search);
            residual.dot(search)
        };
        let mut along = block.reduce(chart.vertices, 0.0, start, |a, b| a + b);
        let (goal, mut k) = (squares * part * part, 0);
        while k < most && along > 0.0 {
            let curvature = self.multiply(block, charts, chart, matrix);
            if curvature <= 0.0 || curvature.is_nan() {
                break;
            }
            let by = along / curvature;
            let advance = |i: u32| {
                let v = chart.vertex + i;
                self.step.set(v, self.step.get(v) + self.search.get(v) * by);
                let residual = self.residual.get(v) - self.product.get(v) * by;
                self.residual.set(v, residual);
                let preconditioned = residual.dot(apply(self.inverse.get(v), residual));
                DVec2::new(residual.dot(residual), preconditioned)
            };
            let sums = block.reduce(chart.vertices, DVec2::ZERO, advance, |a, b| a + b);
            if sums.x <= goal {
                break;
            }
            let keep = sums.y / along;
            block.for_each(chart.vertices, |i| {
                let v = chart.vertex + i;
                let next = apply(self.inverse.get(v), self.residual.get(v));
                self.search.set(v, next + self.search.get(v) * keep);
            });
            along = sums.y;
            k += 1;
        }
    }
}
