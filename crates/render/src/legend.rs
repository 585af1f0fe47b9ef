//! Legends of colour maps.
use crate::ticks::ticks;
use crate::{Background, Colormap, Image, Range, Rgb};
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_9X18_BOLD};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};
use std::convert::Infallible;

/// A legend: a bar of colours with numbers beside it and a name above.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// Name of the quantity, in ASCII; other characters become question marks.
    pub name: String,
    /// The colour map.
    pub map: Colormap,
    /// The numbers at its ends.
    pub range: Range,
}

/// Width of a character, in units.
const LETTER: u32 = 9;
/// Width and left margin of the bar.
const BAR: u32 = 18;
const LEFT: u32 = 12;
/// From the bar to its marks' ends, and on to the numbers.
const MARK: u32 = 5;
const GAP: u32 = 5;
const RIGHT: u32 = 14;
const INK: Rgb = [40, 44, 52];

impl Legend {
    /// Pixels per unit: letters grow with the picture.
    fn unit(height: u32) -> u32 {
        (height / 550).max(1)
    }
    /// Width of the legend of a picture of that height, in pixels.
    pub fn width(&self, height: u32) -> u32 {
        let longest = ticks(self.range).iter().map(|(_, text)| text.len()).max().unwrap_or(0) as u32;
        let beside = BAR + MARK + GAP + LETTER * longest;
        let name = LETTER * self.name.chars().count().min(24) as u32;
        Self::unit(height) * (LEFT + beside.max(name) + RIGHT)
    }
    /// The picture with the legend to its right, wider by [`Legend::width`].
    pub fn beside(&self, picture: &Image, background: Background) -> Image {
        let unit = Self::unit(picture.height());
        let behind = match background {
            Background::Colour([r, g, b]) => [r, g, b, 255],
            Background::Transparent => [0; 4],
        };
        let height = picture.height();
        let mut image = Image::new(picture.width() + self.width(height), height, behind);
        image.paste(picture, [0, 0]);
        let left = picture.width() + LEFT * unit;
        let top = (height / 7).max(34 * unit);
        let length = height.saturating_sub(top + height / 7).max(1);
        for y in 0..length {
            let t = 1.0 - (y as f32 + 0.5) / length as f32;
            image.fill([left, top + y], [BAR * unit, 1], self.map.at(t));
        }
        let mut pen = Pen { image: &mut image, unit };
        for (value, text) in ticks(self.range) {
            let t = f64::from(self.range.place(value));
            let y = top + ((1.0 - t) * f64::from(length - 1)).round().clamp(0.0, f64::from(length)) as u32;
            let mark = left + BAR * unit;
            pen.image.fill([mark, y.saturating_sub(unit / 2)], [MARK * unit, unit], INK);
            pen.text(&text, mark + (MARK + GAP) * unit, y, Baseline::Middle);
        }
        let name: String =
            self.name.chars().take(24).map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect();
        pen.text(&name, left, top - 10 * unit, Baseline::Bottom);
        image
    }
}

/// Writes into a picture, each dot of the font a square of `unit` pixels.
struct Pen<'a> {
    image: &'a mut Image,
    unit: u32,
}

impl Pen<'_> {
    fn text(&mut self, text: &str, x: u32, y: u32, baseline: Baseline) {
        let mut dots = Dots::default();
        let style = TextStyleBuilder::new().alignment(Alignment::Left).baseline(baseline).build();
        let font = MonoTextStyle::new(&FONT_9X18_BOLD, BinaryColor::On);
        use embedded_graphics::Drawable;
        let Ok(_) = Text::with_text_style(text, Point::zero(), font, style).draw(&mut dots);
        let place = |origin: u32, offset: i32| {
            u32::try_from(i64::from(origin) + i64::from(offset) * i64::from(self.unit)).ok()
        };
        for dot in dots.0 {
            if let (Some(x), Some(y)) = (place(x, dot.x), place(y, dot.y)) {
                self.image.fill([x, y], [self.unit; 2], INK);
            }
        }
    }
}

/// The dots of a text, relative to where it is anchored.
#[derive(Default)]
struct Dots(Vec<Point>);

impl OriginDimensions for Dots {
    fn size(&self) -> Size {
        Size::new(1 << 12, 1 << 12)
    }
}

impl DrawTarget for Dots {
    type Color = BinaryColor;
    type Error = Infallible;
    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        self.0.extend(pixels.into_iter().filter(|p| p.1 == BinaryColor::On).map(|p| p.0));
        Ok(())
    }
}
