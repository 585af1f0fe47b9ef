//! Several cards of one host as one device: which cards, and how work and memory are shared among them.
//!
//! Nothing here knows CUDA, so that it is tested without a GPU.
#[cfg(any(feature = "cuda", test))]
mod order;
mod share;
#[cfg(feature = "cuda")]
pub(super) mod text;

#[cfg(feature = "cuda")]
pub(super) use order::{Order, Streams};
pub(crate) use share::part;
#[cfg(feature = "cuda")]
pub(super) use share::{bounds, eighths, owner, pieces};

use crate::Error;
use std::fmt;
use std::str::FromStr;

/// GPUs of this host that [`Device::cards`](crate::Device::cards) makes one device of. The first is that with
/// the smallest ordinal, and so on.
///
/// As text it is `all`, or numbers and ranges of numbers: `0-1`, `0,2-3`.
///
/// ```
/// use ribbonmesh::Cards;
///
/// let cards: Cards = "0-2,5".parse()?;
/// assert_eq!(cards, Cards::of(&[0, 1, 2, 5])?);
/// assert_eq!(cards.to_string(), "0-2,5");
/// # Ok::<(), ribbonmesh::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cards {
    /// A bit for each ordinal; `None`: all of this host.
    ordinals: Option<u64>,
    pub(super) least_blocks: u32,
    pub(super) least_bytes: u64,
}

impl Cards {
    /// Launches of fewer blocks run on the first card, unless [`Cards::sharing_blocks`] says otherwise: they
    /// end before a second card has begun.
    pub const LEAST_BLOCKS: u32 = 1024;
    /// Buffers of fewer bytes are in the memory of the first card, unless [`Cards::sharing_bytes`] says
    /// otherwise: memory is mapped in pages of 2 MiB.
    pub const LEAST_BYTES: u64 = 16 << 20;

    /// All GPUs of this host.
    pub const fn all() -> Self {
        Self { ordinals: None, least_blocks: Self::LEAST_BLOCKS, least_bytes: Self::LEAST_BYTES }
    }
    /// The first GPU of this host.
    pub const fn first() -> Self {
        Self { ordinals: Some(1), ..Self::all() }
    }
    /// The GPUs of these ordinals.
    /// # Errors
    /// [`Error::Option`] for no ordinal, one twice, or one beyond 63.
    pub fn of(ordinals: &[usize]) -> Result<Self, Error> {
        let mut bits = 0_u64;
        for &ordinal in ordinals {
            let bit = u32::try_from(ordinal).ok().and_then(|ordinal| 1_u64.checked_shl(ordinal));
            bits |= bit.filter(|bit| bits & bit == 0).ok_or_else(|| refused(format!("{ordinals:?}")))?;
        }
        if bits == 0 {
            return Err(refused("empty".into()));
        }
        Ok(Self { ordinals: Some(bits), ..Self::all() })
    }
    /// How many they are; `None` for all of this host.
    pub fn number(&self) -> Option<usize> {
        self.ordinals.map(|bits| bits.count_ones() as usize)
    }
    /// The same, where all cards share launches of so many blocks or more: 1 has every launch shared.
    #[must_use]
    pub const fn sharing_blocks(self, least: u32) -> Self {
        Self { least_blocks: least, ..self }
    }
    /// The same, where buffers of so many bytes or more have a part on each card. Parts consist of whole
    /// pages of 2 MiB, so that a small buffer is on few cards.
    #[must_use]
    pub const fn sharing_bytes(self, least: u64) -> Self {
        Self { least_bytes: least, ..self }
    }
    /// The ordinals, ascending, where this host has so many GPUs.
    #[cfg(any(feature = "cuda", test))]
    pub(super) fn ordinals(&self, available: usize) -> Result<Vec<usize>, Error> {
        let Some(bits) = self.ordinals else {
            let all: Vec<usize> = (0..available).collect();
            return if all.is_empty() { Err(Error::NoSuchDevice { ordinal: 0, available }) } else { Ok(all) };
        };
        let ordinals = listed(bits);
        match ordinals.iter().find(|&&ordinal| ordinal >= available) {
            Some(&ordinal) => Err(Error::NoSuchDevice { ordinal, available }),
            None => Ok(ordinals),
        }
    }
}

fn listed(bits: u64) -> Vec<usize> {
    (0..64).filter(|ordinal| bits >> ordinal & 1 == 1).collect()
}

fn refused(value: String) -> Error {
    Error::Option { option: "cards", value, expected: "all, or different numbers up to 63 and ranges: 0-1,3" }
}

impl FromStr for Cards {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "all" {
            return Ok(Self::all());
        }
        let wrong = || refused(format!("{text:?}"));
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|&number: &usize| digits && number < 64).ok_or_else(wrong)
        };
        let mut ordinals = vec![];
        for range in text.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(wrong());
            }
            ordinals.extend(first..=last);
        }
        Self::of(&ordinals).map_err(|_| wrong())
    }
}

impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(bits) = self.ordinals else { return f.write_str("all") };
        for (k, range) in listed(bits).chunk_by(|a, b| a + 1 == *b).enumerate() {
            let comma = if k > 0 { "," } else { "" };
            match range {
                [only] => write!(f, "{comma}{only}")?,
                [first, .., last] => write!(f, "{comma}{first}-{last}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

/// How a device of several cards has shared its launches so far: [`Device::sharing`](crate::Device::sharing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Number of cards.
    pub cards: usize,
    /// Launches that all cards have shared.
    pub shared: u64,
    /// Launches of few blocks, which the first card has run.
    pub small: u64,
    /// Launches of texts of PTX, all of which the first card has run.
    pub texts: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_cards() {
        for (text, ordinals) in
            [("0", vec![0]), ("0-1", vec![0, 1]), ("0-1,3", vec![0, 1, 3]), ("0-2,5", vec![0, 1, 2, 5])]
        {
            let cards: Cards = text.parse().expect(text);
            assert_eq!(cards.number(), Some(ordinals.len()));
            assert_eq!((cards.ordinals(6).expect(text), cards.to_string()), (ordinals, text.to_owned()));
        }
        assert_eq!("3,63,0-1".parse::<Cards>().expect("any order").to_string(), "0-1,3,63");
        let all: Cards = "all".parse().expect("all");
        assert_eq!(
            (all.ordinals(3).expect("three"), all.number(), all.to_string()),
            (vec![0, 1, 2], None, "all".into())
        );
        for wrong in [
            "",
            ",",
            "0,",
            "0-",
            "-1",
            "1-0",
            "0,0",
            "0-2,1",
            "+1",
            "x",
            "0--1",
            "64",
            "99999999999999999999",
        ] {
            let error = wrong.parse::<Cards>().expect_err(wrong).to_string();
            assert!(error.contains(wrong) && error.contains("cards"), "{error}");
        }
    }

    #[test]
    fn cards_that_this_host_has_not() {
        let missing = Cards::of(&[0, 2]).expect("two").ordinals(2);
        assert!(matches!(missing, Err(Error::NoSuchDevice { ordinal: 2, available: 2 })));
        assert!(matches!(Cards::all().ordinals(0), Err(Error::NoSuchDevice { ordinal: 0, available: 0 })));
        for wrong in [&[] as &[usize], &[1, 1], &[64], &[usize::MAX]] {
            assert!(matches!(Cards::of(wrong), Err(Error::Option { option: "cards", .. })), "{wrong:?}");
        }
    }
}
