//! Base64, as bytes are asked for (RFC 4648, section 4).

use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault},
};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// No digit.
const NO: u8 = 0xff;

/// Values of digits.
const VALUES: [u8; 256] = {
    let mut values = [NO; 256];
    let mut i = 0;
    while i < 64 {
        values[DIGITS[i] as usize] = i as u8;
        i += 1;
    }
    values
};

/// Appends bytes as digits.
pub(super) fn encode(bytes: &[u8], to: &mut Vec<u8>) {
    to.reserve(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            to.push(if i > group.len() { b'=' } else { digit });
        }
    }
}

/// Reads bytes from digits. Padding ends a group; the next one may follow.
pub(super) struct Digits<'a> {
    bytes: &'a [u8],
    pub pos: usize,
    /// Bytes of the last group that were not asked for yet.
    left: Vec<u8>,
}

impl<'a> Digits<'a> {
    /// From an offset on.
    pub fn new(bytes: &'a [u8], pos: usize) -> Self {
        Self { bytes, pos, left: vec![] }
    }

    /// More bytes than there can be.
    pub fn most(&self) -> u64 {
        (self.bytes.len().saturating_sub(self.pos) as u64).div_ceil(4) * 3 + self.left.len() as u64
    }

    /// The next bytes; as many as [`Digits::most`] says, or fewer.
    pub fn take(&mut self, count: usize) -> Outcome<Vec<u8>> {
        let mut taken = std::mem::take(&mut self.left);
        while taken.len() < count {
            self.group(&mut taken)?;
        }
        self.left = taken.split_off(count);
        Ok(taken)
    }

    /// Appends the one to three bytes of a group.
    fn group(&mut self, to: &mut Vec<u8>) -> Outcome<()> {
        let (mut bits, mut digits, mut padding) = (0_u32, 0, 0);
        while digits + padding < 4 {
            let Some(&byte) = self.bytes.get(self.pos) else {
                return Err(fault(self.pos, Kind::Truncated { what: "a base64 digit" }));
            };
            let value = VALUES[usize::from(byte)];
            match byte {
                _ if value != NO && padding == 0 => {
                    bits = bits << 6 | u32::from(value);
                    digits += 1;
                }
                b'=' if digits >= 2 => padding += 1,
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    let found = char::from(byte).to_string();
                    return Err(fault(self.pos, Kind::Unexpected { expected: "a base64 digit", found }));
                }
            }
            self.pos += 1;
        }
        bits <<= 6 * padding;
        to.extend_from_slice(&bits.to_be_bytes()[1..digits]);
        Ok(())
    }
}
