//! A column on the device.
use super::columns::ColumnInfo;
use super::follow::Rule;
use crate::surface::kernels::rows::Layout;
use crate::{Buffer, Device, Result, array};
use rayon::prelude::*;
use ribbonmesh_mesh::{Column as HostColumn, Policy, Role, Scalar, Scalars, Value};
use std::borrow::Cow;

/// A column on the device: a row per element, in the order of the ids. Each row begins at a word of 32 bits.
pub struct Column {
    /// Name, role, policy and type, without rows.
    pub head: Head,
    /// The rows.
    pub rows: Buffer<u32>,
    /// How the column follows changes, if not by its policy.
    pub rule: Option<Rule>,
}

/// Name, role, policy and type of a column.
#[derive(Clone, Debug)]
pub struct Head {
    pub name: String,
    pub role: Role,
    pub policy: Policy,
    pub scalar: Scalar,
    pub width: usize,
}
impl Head {
    pub fn of(column: &HostColumn) -> Self {
        Self {
            name: column.name().to_owned(),
            role: column.role(),
            policy: column.policy(),
            scalar: column.scalar(),
            width: column.width(),
        }
    }
    /// As users see it.
    pub fn info(&self) -> ColumnInfo<'_> {
        let Self { name, role, policy, scalar, width } = self;
        ColumnInfo { name, role: *role, policy: *policy, scalar: *scalar, width: *width }
    }
    /// Bytes of a row that are used.
    fn bytes(&self) -> usize {
        self.width * self.scalar.size()
    }
    /// Words of a row.
    pub fn words(&self) -> usize {
        self.bytes().div_ceil(4)
    }
    /// Rows of the host as whole words.
    pub fn padded<'a>(&self, bytes: &'a [u8], device: &Device) -> Cow<'a, [u32]> {
        let (used, words) = (self.bytes(), self.words());
        if used == 4 * words {
            return match bytemuck::try_cast_slice::<u8, u32>(bytes) {
                Ok(words) => words.into(),
                Err(_) => bytemuck::pod_collect_to_vec(bytes).into(),
            };
        }
        let mut rows: Vec<u32> = vec![0; bytes.len() / used * words];
        let pad = |(row, padded): (&[u8], &mut [u32])| {
            let target: &mut [u8] = bytemuck::cast_slice_mut(padded);
            target[..used].copy_from_slice(row);
        };
        device.install(|| {
            bytes
                .par_chunks_exact(used)
                .zip(rows.par_chunks_exact_mut(words))
                .with_min_len(ROWS)
                .for_each(pad);
        });
        rows.into()
    }
    /// As kernels see it.
    pub fn layout(&self) -> Layout {
        let place = Scalar::ALL.iter().position(|scalar| *scalar == self.scalar);
        Layout {
            scalar: place.unwrap_or_default() as u32,
            width: self.width as u32,
            words: self.words() as u32,
        }
    }
}

/// Rows that a thread copies at least.
const ROWS: usize = 4096;

impl Column {
    /// The rows of a column of the host.
    pub fn upload(device: &Device, column: &HostColumn) -> Result<Self> {
        let head = Head::of(column);
        let rows = device.upload(&head.padded(column.scalars().bytes(), device))?;
        Ok(Self { head, rows, rule: None })
    }
    /// A copy of values that are on the device already.
    pub fn copy_of<T: Value + crate::Value>(name: &str, role: Role, values: &Buffer<T>) -> Result<Self> {
        Ok(Self::of(name, role, values.try_clone()?))
    }
    /// Values that are on the device already.
    pub fn of<T: Value + crate::Value>(name: &str, role: Role, values: Buffer<T>) -> Self {
        const { assert!(size_of::<T>().is_multiple_of(4), "rows of a column are whole words") };
        let (scalar, width) = (T::SCALAR, <T as Value>::WIDTH);
        let head = Head { name: name.to_owned(), role, policy: role.policy(scalar), scalar, width };
        Self { head, rows: values.cast(), rule: None }
    }
    /// Appends the column, or replaces the one with its name.
    pub fn put(self, columns: &mut Vec<Self>) {
        match columns.iter_mut().find(|known| known.head.name == self.head.name) {
            Some(old) => *old = self,
            None => columns.push(self),
        }
    }
    /// Zeros of the same type for this many elements.
    pub fn zeros_like(&self, rows: usize) -> Result<Self> {
        let rows = self.rows.device().zeros(rows * self.head.words())?;
        Ok(Self { head: self.head.clone(), rows, rule: self.rule.clone() })
    }
    /// The rows as a column of the host; waits.
    pub fn download(&self) -> Result<HostColumn> {
        let (used, words) = (self.head.bytes(), self.head.words());
        let rows = self.rows.read()?;
        let mut bytes: &[u8] = bytemuck::cast_slice(&rows);
        let mut packed = vec![];
        if used != 4 * words {
            packed.resize(rows.len() / words * used, 0);
            let pack = |(row, packed): (&[u8], &mut [u8])| packed.copy_from_slice(&row[..used]);
            self.rows.device().install(|| {
                bytes
                    .par_chunks_exact(4 * words)
                    .zip(packed.par_chunks_exact_mut(used))
                    .with_min_len(ROWS)
                    .for_each(pack);
            });
            bytes = &packed;
        }
        let scalars = Scalars::from_bytes(self.head.scalar, bytes);
        let Head { name, role, policy, width, .. } = self.head.clone();
        let column = HostColumn::from_scalars(name, role, width, scalars);
        let column = column.unwrap_or_else(|| unreachable!("rows of 1 to 4 numbers"));
        Ok(column.with_policy(policy))
    }
    /// The same again.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(Self { head: self.head.clone(), rows: self.rows.try_clone()?, rule: self.rule.clone() })
    }
    /// The rows that `at` names, each as `of` rows that follow each other.
    pub fn gather(&self, at: &Buffer<u32>, of: u32) -> Result<Self> {
        let (n, words) = (at.len() as u32, of * self.head.words() as u32);
        let mut moved = self.zeros_like(at.len() * of as usize)?;
        let (from, to) = (self.rows.view(), moved.rows.view_mut());
        array::gather_rows(self.rows.device(), n, words, at.view(), from, to)?;
        Ok(moved)
    }
}
