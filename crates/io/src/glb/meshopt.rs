//! Buffer views that meshoptimizer has compressed.
//!
//! Source: Khronos Group, *EXT_meshopt_compression*, 2021, and *KHR_meshopt_compression*, 2025, appendix A.

/// Vertices of a block, at most.
const BLOCK: usize = 256;
/// Most bytes that a byte of compressed vertices may decode to: a quarter of a byte for each four bytes of a
/// block.
const MOST: u64 = 4 * BLOCK as u64;

/// The compression of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// Filter that is applied to the numbers after decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Colour,
}

/// Decompresses a view of `count` rows of `stride` bytes. `None` for data that make no sense. The memory that
/// is taken is bounded by the length of `source`.
pub(super) fn decode(
    source: &[u8],
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
) -> Option<Vec<u8>> {
    let plausible = |most: u64| (count as u64).saturating_mul(stride as u64) <= most * source.len() as u64;
    match mode {
        Mode::Attributes if stride.is_multiple_of(4) && (4..=256).contains(&stride) && plausible(MOST) => {
            let mut target = vertices(source, count, stride)?;
            apply(&mut target, filter, stride)?;
            Some(target)
        }
        // a byte for each triangle, and one for each index
        Mode::Triangles if plausible(12) => packed(triangles(source, count)?, stride),
        Mode::Indices if plausible(4) => packed(indices(source, count)?, stride),
        _ => None,
    }
}

/// Indices as numbers of two or four bytes.
fn packed(indices: Vec<u32>, stride: usize) -> Option<Vec<u8>> {
    match stride {
        2 => Some(indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect()),
        4 => Some(indices.iter().flat_map(|index| index.to_le_bytes()).collect()),
        _ => None,
    }
}

/// A cursor over compressed bytes.
struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    /// A number in groups of seven bits, the least first.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// Numbers whose sign is their lowest bit.
fn zigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

fn vertices(source: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let version = match source.first()? {
        0xa0 => 0,
        0xa1 => 1,
        _ => return None,
    };
    let quarters = stride / 4;
    let tail = if version == 0 { stride } else { stride + quarters };
    let tail_at = source.len().checked_sub(tail)?;
    let mut last = source[tail_at..tail_at + stride].to_vec();
    let channels = &source[tail_at + stride..];
    let most = ((0x2000 / stride) & !15).min(BLOCK);
    let mut target = Vec::with_capacity(count * stride);
    let mut deltas = vec![0; BLOCK * stride];
    let mut bytes = Bytes { bytes: &source[..tail_at], at: 1 };
    while target.len() < count * stride {
        let block = (count - target.len() / stride).min(most);
        let groups = block.div_ceil(16);
        let control = bytes.take(if version == 0 { 0 } else { quarters })?;
        for byte in 0..stride {
            let mode = if version == 0 { 0 } else { control[byte / 4] >> (2 * (byte % 4)) & 3 };
            let deltas = &mut deltas[byte * BLOCK..(byte + 1) * BLOCK];
            match mode {
                2 => deltas[..block].fill(0),
                3 => deltas[..block].copy_from_slice(bytes.take(block)?),
                _ => {
                    let header = bytes.take(groups.div_ceil(4))?;
                    let widths = match (version, mode) {
                        (0, _) => [0, 2, 4, 8],
                        (_, 0) => [0, 1, 2, 4],
                        _ => [1, 2, 4, 8],
                    };
                    for (group, deltas) in deltas.as_chunks_mut::<16>().0.iter_mut().take(groups).enumerate()
                    {
                        let width = widths[usize::from(header[group / 4] >> (2 * (group % 4)) & 3)];
                        read_group(&mut bytes, width, deltas)?;
                    }
                }
            }
        }
        for row in 0..block {
            let delta = |byte: usize| u32::from(deltas[byte * BLOCK + row]);
            for at in (0..4 * quarters).step_by(4) {
                let channel = if version == 0 { 0 } else { channels[at / 4] };
                match channel & 3 {
                    0 => {
                        for (byte, value) in last.iter_mut().enumerate().skip(at).take(4) {
                            *value = value.wrapping_add(zigzag(delta(byte)) as u8);
                        }
                    }
                    1 => {
                        for byte in [at, at + 2] {
                            let value = zigzag(delta(byte) | delta(byte + 1) << 8) as u16;
                            let before = u16::from_le_bytes([last[byte], last[byte + 1]]);
                            last[byte..byte + 2].copy_from_slice(&before.wrapping_add(value).to_le_bytes());
                        }
                    }
                    2 => {
                        let bits = [at, at + 1, at + 2, at + 3].map(|byte| delta(byte) as u8);
                        let value = u32::from_le_bytes(bits).rotate_right(u32::from(channel >> 4));
                        let before = u32::from_le_bytes([last[at], last[at + 1], last[at + 2], last[at + 3]]);
                        last[at..at + 4].copy_from_slice(&(before ^ value).to_le_bytes());
                    }
                    _ => return None,
                }
            }
            target.extend_from_slice(&last);
        }
    }
    Some(target)
}

/// Sixteen bytes in `width` bits each. An entry with all bits set means that its byte follows.
fn read_group(bytes: &mut Bytes<'_>, width: u32, deltas: &mut [u8; 16]) -> Option<()> {
    match width {
        0 => deltas.fill(0),
        8 => deltas.copy_from_slice(bytes.take(16)?),
        width => {
            let packed = bytes.take(2 * width as usize)?;
            let escape = (1_u8 << width) - 1;
            let per_byte = 8 / width as usize;
            for (number, delta) in deltas.iter_mut().enumerate() {
                let place = (number % per_byte) as u32;
                // single bits are stored from the lowest on, others from the highest
                let shift = if width == 1 { place } else { 8 - width * (place + 1) };
                let value = packed[number / per_byte] >> shift & escape;
                *delta = if value == escape { bytes.byte()? } else { value };
            }
        }
    }
    Some(())
}

/// The last values of a ring.
struct Ring<const N: usize> {
    values: [u32; N],
    next: usize,
}

impl<const N: usize> Ring<N> {
    fn new() -> Self {
        Self { values: [0; N], next: 0 }
    }
    fn push(&mut self, value: u32) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % N;
    }
    /// The value pushed `back` before the last.
    fn get(&self, back: usize) -> u32 {
        self.values[(self.next + 2 * N - 1 - back) % N]
    }
}

fn triangles(source: &[u8], count: usize) -> Option<Vec<u32>> {
    let header = *source.first()?;
    if !matches!(header, 0xe0 | 0xe1) || !count.is_multiple_of(3) {
        return None;
    }
    // version 0 has no numbers one next to the last one
    let beside = header == 0xe1;
    let codes = source.get(1..1 + count / 3)?;
    let table_at = source.len().checked_sub(16)?;
    let table = &source[table_at..];
    let mut data = Bytes { bytes: source.get(..table_at)?, at: 1 + count / 3 };
    let (mut next, mut last) = (0_u32, 0_u32);
    let fresh = |next: &mut u32| {
        *next = next.wrapping_add(1);
        next.wrapping_sub(1)
    };
    let (mut edges, mut vertices) = (Ring::<32>::new(), Ring::<16>::new());
    let mut indices = Vec::with_capacity(count);
    for code in codes {
        let (high, low) = (usize::from(code >> 4), usize::from(code & 15));
        if high < 15 {
            let (a, b) = (edges.get(2 * high), edges.get(2 * high + 1));
            let c = match low {
                0 => fresh(&mut next),
                13 | 14 if beside => {
                    last = if low == 13 { last.wrapping_sub(1) } else { last.wrapping_add(1) };
                    last
                }
                15 => {
                    last = last.wrapping_add(zigzag(data.number()?));
                    last
                }
                low => vertices.get(low),
            };
            if low == 0 || low == 15 || low >= 13 && beside {
                vertices.push(c);
            }
            [b, c, c, a].into_iter().for_each(|vertex| edges.push(vertex));
            indices.extend([a, b, c]);
            continue;
        }
        let pair = if low < 14 { table[low] } else { data.byte()? };
        if low >= 14 && pair == 0 {
            next = 0;
        }
        let mut free = || {
            last = last.wrapping_add(zigzag(data.number()?));
            Some(last)
        };
        let a = if low == 15 { free()? } else { fresh(&mut next) };
        let mut other = |which: u8, next: &mut u32| match which {
            0 => Some(fresh(next)),
            15 if low >= 14 => free(),
            which => Some(vertices.get(usize::from(which) - 1)),
        };
        let (second, third) = (pair >> 4, pair & 15);
        let b = other(second, &mut next)?;
        let c = other(third, &mut next)?;
        vertices.push(a);
        for (vertex, which) in [(b, second), (c, third)] {
            if which == 0 || which == 15 && low >= 14 {
                vertices.push(vertex);
            }
        }
        [a, b, b, c, c, a].into_iter().for_each(|vertex| edges.push(vertex));
        indices.extend([a, b, c]);
    }
    Some(indices)
}

fn indices(source: &[u8], count: usize) -> Option<Vec<u32>> {
    if !matches!(source.first()?, 0xd0 | 0xd1) {
        return None;
    }
    let mut data = Bytes { bytes: source, at: 1 };
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let number = data.number()?;
        let base = &mut last[(number & 1) as usize];
        *base = base.wrapping_add(zigzag(number >> 1));
        indices.push(*base);
    }
    Some(indices)
}

/// Applies a filter to all rows.
fn apply(target: &mut [u8], filter: Filter, stride: usize) -> Option<()> {
    let wide = stride == 8;
    let fits = match filter {
        Filter::None | Filter::Exponential => true,
        Filter::Quaternion => wide,
        Filter::Octahedral | Filter::Colour => matches!(stride, 4 | 8),
    };
    if !fits {
        return None;
    }
    match (filter, wide) {
        (Filter::None, _) => {}
        (Filter::Exponential, _) => target.as_chunks_mut::<4>().0.iter_mut().for_each(|word| {
            let bits = i32::from_le_bytes(*word);
            let value = f64::from((bits << 8) >> 8) * 2_f64.powi(bits >> 24);
            *word = (value as f32).to_le_bytes();
        }),
        (_, false) => target.as_chunks_mut::<4>().0.iter_mut().for_each(|row| {
            let signed = row.map(|byte| f64::from(byte as i8));
            let values = match filter {
                Filter::Colour => colour(row.map(u32::from), signed, 255.0),
                _ => octahedral(signed, 127.0),
            };
            *row = values.map(|value| value as i32 as u8);
        }),
        (_, true) => target.as_chunks_mut::<8>().0.iter_mut().for_each(|row| {
            let words = [0, 2, 4, 6].map(|at| u16::from_le_bytes([row[at], row[at + 1]]));
            let signed = words.map(|word| f64::from(word as i16));
            let values = match filter {
                Filter::Colour => colour(words.map(u32::from), signed, 65535.0),
                Filter::Quaternion => quaternion(signed, words[3]),
                _ => octahedral(signed, 32767.0),
            };
            for (bytes, value) in row.as_chunks_mut::<2>().0.iter_mut().zip(values) {
                *bytes = (value as i32 as u16).to_le_bytes();
            }
        }),
    }
    Some(())
}

/// A unit vector, from two numbers and the number that stands for 1; the fourth number stays.
fn octahedral([x, y, one, w]: [f64; 4], largest: f64) -> [f64; 4] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let t = (-z).max(0.0);
    let (x, y) = (x - t.copysign(x), y - t.copysign(y));
    let scale = largest / (x * x + y * y + z * z).sqrt();
    [(x * scale).round(), (y * scale).round(), (z * scale).round(), w]
}

/// A unit quaternion without its largest number.
fn quaternion([x, y, z, _]: [f64; 4], last: u16) -> [f64; 4] {
    let scale = std::f64::consts::FRAC_1_SQRT_2 / f64::from((last | 3) as i16);
    let [x, y, z] = [x, y, z].map(|value| value * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = usize::from(last & 3);
    let mut values = [0.0; 4];
    for (number, value) in [w, x, y, z].into_iter().enumerate() {
        values[(largest + number) % 4] = (value * 32767.0).round();
    }
    values
}

/// A colour of brightness and two differences.
fn colour(words: [u32; 4], [_, orange, green, _]: [f64; 4], largest: f64) -> [f64; 4] {
    let brightness = f64::from(words[0]);
    let alpha = words[3];
    let range = alpha.checked_ilog2().map_or(0, |bit| (1_u32 << (bit + 1)) - 1);
    let low = alpha & (range >> 1);
    let opacity = f64::from(low << 1 | low & 1);
    let scale = largest / f64::from(range.max(1));
    let colour = [brightness + orange - green, brightness + green, brightness - orange - green, opacity];
    colour.map(|value| (value * scale).round().clamp(0.0, largest))
}

#[cfg(test)]
mod tests {
    use super::super::meshopt_cases::CASES;
    use super::*;

    #[test]
    fn of_the_reference() {
        for &(mode, filter, count, stride, source, target) in CASES {
            let found = decode(source, mode, filter, count, stride).expect("a view");
            // halves are rounded one way or the other
            let near =
                |a: &u8, b: &u8| filter != Filter::Exponential && a.wrapping_sub(*b).wrapping_add(1) < 3;
            let same = |(a, b): (&u8, &u8)| a == b || filter != Filter::None && near(a, b);
            assert_eq!(found.len(), target.len());
            assert!(found.iter().zip(target).all(same), "{mode:?} {filter:?}: {found:?} for {target:?}");
        }
    }

    #[test]
    fn nothing_panics_on_damage() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for head in [0xa0, 0xa1, 0xe0, 0xe1, 0xd0, 0xd1] {
            for _ in 0..2000 {
                let mut bytes: Vec<u8> = (0..random() % 200).map(|_| random() as u8).collect();
                bytes.insert(0, head);
                let (count, stride) = ((random() % 300) as usize, 4 * (1 + random() as usize % 4));
                for mode in [Mode::Attributes, Mode::Triangles, Mode::Indices] {
                    for filter in [Filter::None, Filter::Octahedral, Filter::Quaternion, Filter::Colour] {
                        let decoded = decode(&bytes, mode, filter, count, stride);
                        assert!(decoded.is_none_or(|decoded| decoded.len() == count * stride));
                    }
                }
            }
        }
    }

    #[test]
    fn memory_is_bounded_by_the_source() {
        assert_eq!(decode(&[0xa0; 64], Mode::Attributes, Filter::None, usize::MAX / 16, 16), None);
        assert_eq!(decode(&[0xe1; 64], Mode::Triangles, Filter::None, 3 << 40, 4), None);
        assert_eq!(decode(&[0xd1; 64], Mode::Indices, Filter::None, 1 << 40, 4), None);
    }
}
