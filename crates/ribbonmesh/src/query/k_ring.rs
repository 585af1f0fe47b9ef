//! Vertices within k edges.
use super::result::Question;
use super::{Op, QueryResult};
use crate::kernels::query::k_ring::{KRingBound, KRingExtend, KRingFirst, KRingGather, RingsArguments};
use crate::{Buffer, Error, Result, StaticMesh, array};

/// Rows of different lengths while rings are added; `lengths` ends with a 0.
struct State {
    starts: Buffer<u32>,
    lengths: Buffer<u32>,
    last: Buffer<u32>,
    values: Buffer<u32>,
}
impl State {
    fn view(&self) -> RingsArguments<'_> {
        RingsArguments {
            starts: self.starts.view(),
            lengths: self.lengths.view(),
            last: self.last.view(),
            values: self.values.view(),
        }
    }
}

impl StaticMesh {
    /// For every vertex, the other vertices within `k` edges of it, each once: nearer rings first, in no
    /// particular order within a ring. `k` is from 1 (VV) to 4.
    ///
    /// Two passes per ring, one that counts and one that fills (thesis 4.3.2.1: the whole block processes the
    /// patches that hold the last rings one after the other). The work for a vertex is the size of its result
    /// times the number of neighbours examined, duplicates included.
    /// # Errors
    /// [`Error::Option`] for another `k`; [`Error::TooMany`] if the result has more than 2³² entries; out of
    /// memory; errors of the driver.
    pub fn k_ring(&self, k: u32) -> Result<QueryResult> {
        if !(1..=4).contains(&k) {
            return Err(Error::Option { option: "k", value: k.to_string(), expected: "1 to 4" });
        }
        let first = self.query(Op::VV)?;
        let (n, device) = (self.vertices(), self.device());
        let Some(starts) = first.offsets else { return Err(Error::Invalid("VV without offsets".to_owned())) };
        if k == 1 {
            return Ok(QueryResult { question: Question::Ring(1), offsets: Some(starts), ..first });
        }
        let (mut lengths, mut last) = (device.zeros(n + 1)?, device.zeros(n)?);
        let kernel =
            KRingFirst { offsets: starts.view(), lengths: lengths.view_mut(), last: last.view_mut() };
        device.launch_each(n as u32, kernel)?;
        let mut rings = State { starts, lengths, last, values: first.values };
        for _ in 1..k {
            rings = self.one_ring_more(&rings)?;
        }
        // gapless
        let (offsets, total) = self.offsets_of(rings.lengths.try_clone()?)?;
        let mut values = device.zeros(total as usize)?;
        let kernel = KRingGather { rings: rings.view(), offsets: offsets.view(), values: values.view_mut() };
        device.launch_each(n as u32, kernel)?;
        Ok(QueryResult {
            question: Question::Ring(k),
            rows: n,
            width: None,
            offsets: Some(offsets),
            lengths: None,
            values,
            problems: None,
        })
    }
    fn one_ring_more(&self, rings: &State) -> Result<State> {
        let (n, device, mesh) = (self.vertices(), self.device(), self.view());
        let (mut bounds, mut total) = (device.zeros(n + 1)?, device.zeros::<u64>(1)?);
        let kernel =
            KRingBound { mesh, rings: rings.view(), bounds: bounds.view_mut(), total: total.view_mut() };
        device.launch(self.patches() as u32, kernel)?;
        let count = total.read()?[0];
        if count > u32::MAX as u64 {
            return Err(Error::TooMany { what: "entries of a k-ring", count, limit: u32::MAX as u64 });
        }
        let (starts, total) = self.offsets_of(bounds)?;
        let (mut lengths, mut last) = (device.zeros(n + 1)?, device.zeros(n)?);
        let mut values = device.zeros(total as usize)?;
        let kernel = KRingExtend {
            mesh,
            rings: rings.view(),
            starts: starts.view(),
            lengths: lengths.view_mut(),
            last: last.view_mut(),
            values: values.view_mut(),
        };
        device.launch(self.patches() as u32, kernel)?;
        Ok(State { starts, lengths, last, values })
    }
    /// The first index of each row, with the end, which is also returned: prefix sums of their lengths and
    /// a 0.
    fn offsets_of(&self, mut lengths: Buffer<u32>) -> Result<(Buffer<u32>, u32)> {
        let total = array::scan_counts(&mut lengths)?;
        Ok((lengths, total))
    }
}
