//! Base64, as bytes are asked for.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{GeneralPurpose, GeneralPurposeConfig},
};
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Outcome, fault},
};

/// Some writers leave bits behind the last byte.
const ENGINE: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// Digits that are decoded at a time; a multiple of four.
const PIECE: usize = 1 << 14;

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
        taken.reserve(count.saturating_sub(taken.len()) + 3);
        let mut digits = Vec::new();
        while taken.len() < count {
            let (length, start) = (taken.len(), self.pos);
            let wanted = ((count - length).div_ceil(3) * 4).min(PIECE);
            // most files have no blanks among the digits
            let run = self.bytes.get(start..start + wanted);
            if run.is_some_and(|run| ENGINE.decode_vec(run, &mut taken).is_ok()) {
                self.pos += wanted;
                continue;
            }
            taken.truncate(length);
            self.gather(wanted, &mut digits)?;
            ENGINE.decode_vec(&digits, &mut taken).map_err(|error| {
                let reason = format!("the base64 data are damaged: {error}");
                fault(start, Kind::Malformed { reason })
            })?;
        }
        self.left = taken.split_off(count);
        Ok(taken)
    }

    /// Collects digits without the blanks between them: that many, or up to the padding of a group.
    fn gather(&mut self, count: usize, digits: &mut Vec<u8>) -> Outcome<()> {
        digits.clear();
        loop {
            let padded = digits.last() == Some(&b'=');
            if digits.len() == count || padded && digits.len().is_multiple_of(4) {
                return Ok(());
            }
            let Some(&byte) = self.bytes.get(self.pos) else {
                return Err(fault(self.pos, Kind::Truncated { what: "a base64 digit" }));
            };
            match byte {
                _ if byte.is_ascii_whitespace() => {}
                b'=' if digits.len() % 4 >= 2 => digits.push(byte),
                b'+' | b'/' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' if !padded => digits.push(byte),
                _ => {
                    let found = char::from(byte).to_string();
                    return Err(fault(self.pos, Kind::Unexpected { expected: "a base64 digit", found }));
                }
            }
            self.pos += 1;
        }
    }
}
