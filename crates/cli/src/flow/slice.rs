//! Pictures of a slice.
use super::placing::Placed;
use ribbonmesh_render::{Background, Colormap, Image, Legend, Range, Rgb};

/// The longer side of a panel has at least this many pixels.
const PIXELS: u32 = 640;
/// The mesh.
const SOLID: [f32; 3] = [150.0, 152.0, 156.0];
/// Pixels between two panels.
const GAP: u32 = 12;

/// A slice of cells across an axis.
pub struct Slice {
    cells: [u32; 3],
    /// The axes to the right, up, and across.
    axes: [usize; 3],
    at: u32,
    /// Pixels along a side of a cell.
    scale: u32,
}

impl Slice {
    /// The slice through the middle of the mesh.
    pub fn new(placed: &Placed, across: usize) -> Self {
        let axes = [[1, 2, 0], [0, 2, 1], [0, 1, 2]][across];
        let middle = (placed.middle - placed.origin)[across] / placed.edge;
        let at = (middle.max(0.0) as u32).min(placed.cells[across] - 1);
        let longer = placed.cells[axes[0]].max(placed.cells[axes[1]]);
        Self { cells: placed.cells, axes, at, scale: PIXELS.div_ceil(longer).max(1) }
    }
    /// A cell by its places to the right and up.
    fn cell(&self, right: u32, up: u32) -> [u32; 3] {
        let mut at = [self.at; 3];
        (at[self.axes[0]], at[self.axes[1]]) = (right, up);
        at
    }
    fn index(&self, [i, j, k]: [u32; 3]) -> usize {
        i as usize + self.cells[0] as usize * (j as usize + self.cells[1] as usize * k as usize)
    }
    /// The mean of the open fractions of a cell's faces in the slice.
    fn openness(&self, open: &[f32], at: [u32; 3]) -> f32 {
        let [nx, ny, nz] = self.cells.map(|n| n as usize + 1);
        let of = |d: usize, [i, j, k]: [u32; 3]| {
            open[d * nx * ny * nz + i as usize + nx * (j as usize + ny * k as usize)]
        };
        let along = self.axes[..2].iter().map(|&d| {
            let mut beyond = at;
            beyond[d] += 1;
            of(d, at) + of(d, beyond)
        });
        along.sum::<f32>() / 4.0
    }
    /// Smoke above, speed below it.
    pub fn picture(&self, smoke: &[f32], velocity: &[[f32; 3]], open: &[f32]) -> Image {
        let speed = |i: usize| velocity[i].iter().map(|u| u * u).sum::<f32>().sqrt();
        let panels = [
            self.panel("smoke", Colormap::Magma, open, Some(Range { min: 0.0, max: 1.0 }), |i| smoke[i]),
            self.panel("speed", Colormap::Viridis, open, None, speed),
        ];
        let width = panels.iter().map(Image::width).max().unwrap_or(1);
        let height = panels.iter().map(Image::height).sum::<u32>() + GAP;
        let mut image = Image::new(width, height, [255; 4]);
        image.paste(&panels[0], [0, 0]);
        image.paste(&panels[1], [0, panels[0].height() + GAP]);
        image
    }
    fn panel(
        &self,
        name: &str,
        map: Colormap,
        open: &[f32],
        range: Option<Range>,
        value: impl Fn(usize) -> f32,
    ) -> Image {
        let [width, height] = [self.cells[self.axes[0]], self.cells[self.axes[1]]];
        let places = || (0..height).flat_map(move |up| (0..width).map(move |right| [right, up]));
        let values: Vec<f32> = places().map(|[x, y]| value(self.index(self.cell(x, y)))).collect();
        let range = range.or_else(|| Range::of(&values, map)).unwrap_or(Range { min: 0.0, max: 1.0 });
        let mut image = Image::new(self.scale * width, self.scale * height, [255; 4]);
        for ([x, y], value) in places().zip(values) {
            let share = self.openness(open, self.cell(x, y));
            let of_fluid = map.at(range.place(value));
            let colour: Rgb =
                [0, 1, 2].map(|c| (share * f32::from(of_fluid[c]) + (1.0 - share) * SOLID[c]).round() as u8);
            let corner = [self.scale * x, self.scale * (height - 1 - y)];
            image.fill(corner, [self.scale; 2], colour);
        }
        let legend = Legend { name: name.to_owned(), map, range };
        legend.beside(&image, Background::Colour([255; 3]))
    }
}
