//! Levels in two files: a head in JSON, and tables and pages as plain bytes.
use super::about::{FORMAT, VERSION};
use super::{About, GroupRow, Levels, MeshletRow, Pages, Table};
use crate::disk::failed;
use crate::{Result, TilesError, disk};
use ribbonmesh_io::write_file;
use std::borrow::Cow;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

fn refused(file: &Path, reason: impl Into<String>) -> TilesError {
    TilesError::Levels { file: file.into(), reason: reason.into() }
}

impl Levels {
    /// The file of data that belongs to a JSON file.
    /// # Errors
    /// [`TilesError::Output`]: the name does not end in `.json`.
    pub fn data_of(path: &Path) -> Result<PathBuf> {
        if path.extension().is_none_or(|end| end != "json") {
            let reason = "levels of detail need a name that ends in .json".into();
            return Err(TilesError::Output { file: path.into(), reason });
        }
        Ok(path.with_extension("bin"))
    }
    /// Writes a JSON file, and its data beside it, with `.bin` behind the same name. Returns the path of the
    /// latter.
    /// # Errors
    /// [`TilesError::Write`]; [`TilesError::Output`]: the name does not end in `.json`.
    pub fn write(&self, path: &Path) -> Result<PathBuf> {
        let data = Self::data_of(path)?;
        let (groups, meshlets): (&[u8], &[u8]) =
            (bytemuck::cast_slice(&self.groups), bytemuck::cast_slice(&self.meshlets));
        let mut check = crc32fast::Hasher::new();
        check.update(groups);
        check.update(meshlets);
        let table = |offset: usize, bytes: &[u8], row_bytes: usize| Table {
            offset: offset as u64,
            rows: (bytes.len() / row_bytes) as u64,
            row_bytes: row_bytes as u64,
        };
        let pages = (groups.len() + meshlets.len()) as u64;
        let about = About {
            data: data.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: pages + self.groups.iter().map(|group| u64::from(group.bytes)).sum::<u64>(),
            groups: table(0, groups, size_of::<GroupRow>()),
            meshlets: table(groups.len(), meshlets, size_of::<MeshletRow>()),
            pages,
            check: check.finalize(),
            ..self.about.clone()
        };
        let mut unread = None;
        let written = write_file(&data, |out| {
            let mut out = BufWriter::with_capacity(disk::BUFFER, out);
            out.write_all(groups)?;
            out.write_all(meshlets)?;
            for group in 0..self.groups.len() as u32 {
                match self.page(group) {
                    Ok(page) => out.write_all(&page)?,
                    Err(error) => {
                        let text = error.to_string();
                        unread = Some(error);
                        return Err(std::io::Error::other(text));
                    }
                }
            }
            out.flush()
        });
        if let Some(error) = unread {
            return Err(error);
        }
        written?;
        // numbers have a text
        let mut text = serde_json::to_vec_pretty(&about).unwrap_or_default();
        text.push(b'\n');
        write_file(path, |out| out.write_all(&text))?;
        Ok(data)
    }
    /// Opens what [`write`](Self::write) has written: the head and both tables are read, pages when they are
    /// wanted.
    /// # Errors
    /// [`TilesError::Disk`]; [`TilesError::Levels`]: the files are not as they were written.
    pub fn open(path: &Path) -> Result<Self> {
        let text = fs::read(path).map_err(failed(path))?;
        let about: About = serde_json::from_slice(&text)
            .map_err(|error| refused(path, format!("no levels of detail: {error}")))?;
        if about.format != FORMAT {
            return Err(refused(path, format!("no {FORMAT}")));
        }
        if about.version != VERSION {
            let version = about.version;
            return Err(refused(path, format!("version {version} of the format; version {VERSION} is read")));
        }
        let data = path.with_file_name(&about.data);
        let bytes = fs::metadata(&data).map_err(failed(&data))?.len();
        let sizes = [size_of::<GroupRow>(), size_of::<MeshletRow>()].map(|bytes| bytes as u64);
        let [groups, meshlets] = [about.groups, about.meshlets];
        let end = |table: Table| {
            let bytes = table.rows.checked_mul(table.row_bytes)?;
            table.offset.checked_add(bytes)
        };
        let known = bytes == about.bytes
            && [groups.row_bytes, meshlets.row_bytes] == sizes
            && groups.offset == 0
            && end(groups) == Some(meshlets.offset)
            && end(meshlets) == Some(about.pages)
            && about.pages <= bytes;
        if !known {
            return Err(refused(&data, format!("not as long as {} says", path.display())));
        }
        let groups: Vec<GroupRow> = disk::read(&data, 0, groups.rows as usize)?;
        let tables: Vec<u8> = disk::read(&data, 0, about.pages as usize)?;
        if crc32fast::hash(&tables) != about.check {
            return Err(refused(&data, "the tables are not as they were written"));
        }
        let rows = bytemuck::pod_collect_to_vec(&tables[meshlets.offset as usize..]);
        let pages = Pages::File(data, about.pages);
        Ok(Self { about, groups, meshlets: rows, pages })
    }
    /// The page of a group: the meshlets of which it was made.
    /// # Errors
    /// As [`each_chosen`](Self::each_chosen).
    pub fn page(&self, group: u32) -> Result<Cow<'_, [u8]>> {
        let missing = || self.damaged("a group");
        match &self.pages {
            Pages::Memory(pages) => Ok(Cow::Borrowed(pages.get(group as usize).ok_or_else(missing)?)),
            Pages::File(path, first) => {
                let row = self.groups.get(group as usize).ok_or_else(missing)?;
                let begin = first.checked_add(row.offset).ok_or_else(missing)?;
                let within = begin.checked_add(row.bytes.into()).is_some_and(|end| end <= self.about.bytes);
                if !within {
                    return Err(missing());
                }
                let bytes: Vec<u8> = disk::read(path, begin, row.bytes as usize)?;
                if crc32fast::hash(&bytes) != row.check {
                    return Err(self.damaged("a page"));
                }
                Ok(Cow::Owned(bytes))
            }
        }
    }
    pub(super) fn damaged(&self, what: &str) -> TilesError {
        let file = match &self.pages {
            Pages::File(path, _) => path.as_path(),
            Pages::Memory(_) => Path::new(""),
        };
        refused(file, format!("{what} is not as it was written"))
    }
}
