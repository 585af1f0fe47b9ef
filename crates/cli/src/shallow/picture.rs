//! Maps: the terrain shaded, with the water in blue.
use ribbonmesh_render::Image;
use ribbonmesh_shallow::{Snapshot, Terrain};

/// Pixels along the longer side of a map, at least and at most.
const SIDE: [u32; 2] = [512, 2048];

/// The map of the water, the north above. A cell is a square of pixels, or a pixel stands for a square of
/// cells, of which it shows the one in the lower left.
pub fn map(terrain: &Terrain, water: &Snapshot) -> Image {
    let (columns, rows) = (terrain.columns(), terrain.rows());
    let longer = columns.max(rows);
    let (zoom, stride) = (SIDE[0].div_ceil(longer), longer.div_ceil(SIDE[1]));
    let (width, height) = (columns.div_ceil(stride) * zoom, rows.div_ceil(stride) * zoom);
    let shades = Shades::new(terrain, water);
    let mut image = Image::new(width, height, [0, 0, 0, 255]);
    for y in 0..height {
        for x in 0..width {
            let (column, row) = (x / zoom * stride, (height - 1 - y) / zoom * stride);
            let [r, g, b] = shades.colour(column, row).map(|c| c.round().clamp(0.0, 255.0) as u8);
            image.set(x, y, [r, g, b, 255]);
        }
    }
    image
}

struct Shades<'a> {
    terrain: &'a Terrain,
    water: &'a Snapshot,
    lowest: f64,
    /// The inverse of how much higher the highest point is.
    scale: f64,
    /// A depth that is deep in this picture.
    deep: f64,
}

impl<'a> Shades<'a> {
    fn new(terrain: &'a Terrain, water: &'a Snapshot) -> Self {
        let heights = || terrain.heights().iter().map(|&h| f64::from(h));
        let (lowest, highest) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::MIN, f64::max));
        let scale = if highest > lowest { 1.0 / (highest - lowest) } else { 0.0 };
        let deepest = water.depths.iter().copied().fold(0.0, f32::max);
        Self { terrain, water, lowest, scale, deep: f64::from(deepest).max(f64::MIN_POSITIVE) }
    }
    fn colour(&self, column: u32, row: u32) -> [f64; 3] {
        let land = self.land(column, row);
        let cell = row as usize * self.terrain.columns() as usize + column as usize;
        if !self.water.wet[cell] {
            return land;
        }
        // from light to dark, so that little water is seen, too
        let depth = (f64::from(self.water.depths[cell]) / self.deep).sqrt();
        let blue = mixed([150.0, 205.0, 235.0], [10.0, 50.0, 130.0], depth);
        mixed(land, blue, 0.6 + 0.4 * depth)
    }
    /// Green valleys, brown hills and white tops, lit from the north-west.
    fn land(&self, column: u32, row: u32) -> [f64; 3] {
        let wide = self.terrain.columns() as usize + 1;
        let at = row as usize * wide + column as usize;
        let [a, b, c, d] =
            [at, at + 1, at + wide, at + wide + 1].map(|i| f64::from(self.terrain.heights()[i]));
        let step = 2.0 * self.terrain.spacing();
        let (dx, dy) = ((b + d - a - c) / step, (c + d - a - b) / step);
        let light = (0.7 + 0.5 * dx - 0.5 * dy) / (1.0 + dx * dx + dy * dy).sqrt();
        let height = (0.25 * (a + b + c + d) - self.lowest) * self.scale;
        let (valley, hill, top) = ([120.0, 150.0, 95.0], [165.0, 140.0, 100.0], [240.0, 240.0, 235.0]);
        let colour = match height {
            low if low < 0.5 => mixed(valley, hill, 2.0 * low),
            high => mixed(hill, top, 2.0 * high - 1.0),
        };
        colour.map(|c| c * (0.4 + 0.8 * light.clamp(0.0, 1.0)))
    }
}

fn mixed(a: [f64; 3], b: [f64; 3], share: f64) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * share)
}
