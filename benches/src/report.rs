//! Measurements of one machine, as files.
//!
//! For each table that was measured, `OUTPUT/MACHINE/TABLE.json` holds the raw numbers and `TABLE.md` the
//! table.
use crate::construction::Construction;
use crate::hardware::Machine;
use crate::subject::Order;
use crate::timed::Timed;
use anyhow::{Context, Result};
use ribbonmesh::Device;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Measurements of one machine.
pub struct Report {
    /// The machine.
    pub machine: Machine,
    /// The day.
    pub date: String,
    /// Rows of the table of queries.
    pub queries: Vec<Timed>,
    /// Rows of the table of normals.
    pub normals: Vec<Timed>,
    /// Rows of the table of curvatures.
    pub curvature: Vec<Timed>,
    /// Rows of the table of denoising.
    pub denoise: Vec<Timed>,
    /// Rows of the table of the bounding volume hierarchy.
    pub bvh: Vec<Timed>,
    /// Rows of the table of geodesic distances.
    pub geodesic: Vec<Timed>,
    /// Rows of the table of smoothing.
    pub smooth: Vec<Timed>,
    /// Rows of the table of construction.
    pub construction: Vec<Construction>,
}

#[derive(Serialize)]
struct Raw<'a, T> {
    version: &'static str,
    date: &'a str,
    mesh: &'static str,
    machine: &'a Machine,
    measurements: &'a [T],
}

#[derive(Serialize)]
struct RawWork<'a, T> {
    version: &'static str,
    date: &'a str,
    machine: &'a Machine,
    measurements: &'a [T],
}

/// The subject in words.
const MESH: &str = "sphere with bumps, subdivided icosahedron, seed 1";

/// The order that RXMesh was measured with.
const PEER: Order = Order::Shuffled;

impl Report {
    /// An empty report; measures the device's bandwidth.
    pub fn new(device: &Device) -> Result<Self> {
        let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        Ok(Self {
            machine: Machine::of(device)?,
            date,
            queries: vec![],
            normals: vec![],
            curvature: vec![],
            denoise: vec![],
            bvh: vec![],
            geodesic: vec![],
            smooth: vec![],
            construction: vec![],
        })
    }
    /// Writes measurements that have meshes of their own: `NAME.json` and, of a table, `NAME.md`; returns
    /// these.
    pub fn write_work<T: Serialize>(
        &self,
        output: &Path,
        name: &str,
        measurements: &[T],
        table: &str,
    ) -> Result<[PathBuf; 2]> {
        let folder = self.machine.make_folder(output)?;
        let raw = RawWork {
            version: env!("CARGO_PKG_VERSION"),
            date: &self.date,
            machine: &self.machine,
            measurements,
        };
        let files = [folder.join(format!("{name}.json")), folder.join(format!("{name}.md"))];
        replace(&files[0], &(serde_json::to_string_pretty(&raw)? + "\n"))?;
        replace(&files[1], table)?;
        Ok(files)
    }
    /// Writes the tables that have rows; returns the files.
    pub fn write(&self, output: &Path) -> Result<Vec<PathBuf>> {
        let folder = output.join(self.machine.folder());
        let mut files = Vec::new();
        let tables = [
            ("queries", &self.queries),
            ("normals", &self.normals),
            ("curvature", &self.curvature),
            ("denoise", &self.denoise),
            ("bvh", &self.bvh),
            ("geodesic", &self.geodesic),
            ("smooth", &self.smooth),
        ];
        for (name, rows) in tables {
            if !rows.is_empty() {
                files.extend(self.write_table(&folder, name, rows, self.timed_tables(rows)?)?);
            }
        }
        if !self.construction.is_empty() {
            let tables = self.construction_tables()?;
            files.extend(self.write_table(&folder, "construction", &self.construction, tables)?);
        }
        Ok(files)
    }
    fn write_table<T: Serialize>(
        &self,
        folder: &Path,
        name: &str,
        measurements: &[T],
        tables: String,
    ) -> Result<[PathBuf; 2]> {
        std::fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
        let raw = Raw {
            version: env!("CARGO_PKG_VERSION"),
            date: &self.date,
            mesh: MESH,
            machine: &self.machine,
            measurements,
        };
        let files = [folder.join(format!("{name}.json")), folder.join(format!("{name}.md"))];
        replace(&files[0], &(serde_json::to_string_pretty(&raw)? + "\n"))?;
        replace(&files[1], &(self.head(name)? + &tables))?;
        Ok(files)
    }
    fn head(&self, name: &str) -> Result<String> {
        let (m, mut text) = (&self.machine, String::new());
        let title = name[..1].to_uppercase() + &name[1..];
        writeln!(text, "# {title}: {}\n", m.name)?;
        if let Some(driver) = &m.driver {
            writeln!(text, "Driver {driver}; host {}, {} threads; ", m.cpu, m.threads)?;
            writeln!(text, "{:.2} s to compile the kernels, not in the times.", m.jit_seconds)?;
        }
        writeln!(
            text,
            "{}, version {}. Mesh: {MESH}; *sorted* is the order of a mesh's own ids, *shuffled* is random.",
            self.date,
            env!("CARGO_PKG_VERSION")
        )?;
        Ok(text)
    }

    fn timed_tables(&self, rows: &[Timed]) -> Result<String> {
        let mut text = String::new();
        let bandwidth = self.machine.copy_bandwidth / 1e9;
        writeln!(
            text,
            "\nMilliseconds, median, results written to memory; in parentheses times the floor: the time in which a \
             copy moves the bytes that must be moved, at the measured {bandwidth:.0} GB/s."
        )?;
        let meshes: BTreeSet<_> = rows.iter().map(|q| (q.faces, q.patch_size)).collect();
        for (faces, patch_size) in meshes {
            let of_mesh: Vec<_> =
                rows.iter().filter(|q| (q.faces, q.patch_size) == (faces, patch_size)).collect();
            let orders: BTreeSet<_> = of_mesh.iter().map(|q| q.order).collect();
            let peers = self.machine.kind == "cuda" && of_mesh.iter().any(|q| q.rxmesh_ms.is_some());
            writeln!(text, "\n## {faces} faces, patches of at most {patch_size}\n")?;
            let mut head = vec!["work".to_owned()];
            head.extend(orders.iter().map(Order::to_string));
            head.push("floor".to_owned());
            if peers {
                head.extend(["RXMesh, H100".to_owned(), format!("speed-up, {PEER}")]);
            }
            row(&mut text, &head)?;
            row(&mut text, &vec!["---"; head.len()])?;
            let first = orders.first().copied();
            for query in of_mesh.iter().filter(|q| Some(q.order) == first) {
                let of = |order| of_mesh.iter().find(|q| q.order == order && q.name == query.name);
                let mut cells = vec![query.name.clone()];
                let time = |q: &&Timed| format!("{:.4} ({:.2})", q.median_ms, q.ratio());
                cells.extend(orders.iter().map(|&o| of(o).copied().as_ref().map_or(String::new(), time)));
                cells.push(format!("{:.4}", query.floor_ms));
                if peers {
                    let peer = query.rxmesh_ms;
                    cells.push(peer.map_or("–".to_owned(), |t| format!("{t:.3}")));
                    let gain = peer.zip(of(PEER)).map(|(t, q)| format!("{:.1}", t / q.median_ms));
                    cells.push(gain.unwrap_or("–".to_owned()));
                }
                row(&mut text, &cells)?;
            }
        }
        Ok(text)
    }

    fn construction_tables(&self) -> Result<String> {
        let mut text = String::new();
        writeln!(text, "\nSeconds from indexed triangles in memory to a mesh ready for kernels; median.\n")?;
        let phases: Vec<_> =
            self.construction.first().map_or(vec![], |c| c.phases.iter().map(|p| p.0).collect());
        let mut head = vec!["faces", "order", "patch size", "seconds"];
        head.extend(&phases);
        head.extend(["Lloyd iterations", "ribbon faces / owned", "bytes / face", "RXMesh", "speed-up"]);
        row(&mut text, &head)?;
        row(&mut text, &vec!["---"; head.len()])?;
        for c in &self.construction {
            let mut cells = vec![c.faces.to_string(), c.order.to_string(), c.patch_size.to_string()];
            cells.push(format!("{:.3}", c.seconds));
            cells.extend(phases.iter().map(|&name| {
                let found = c.phases.iter().find(|p| p.0 == name);
                found.map_or(String::new(), |p| format!("{:.3}", p.1))
            }));
            cells.push(c.lloyd_iterations.to_string());
            cells.extend([format!("{:.3}", c.ribbon_ratio), format!("{:.2}", c.bytes_per_face)]);
            let peer = c.rxmesh_seconds;
            cells.push(peer.map_or("–".to_owned(), |t| format!("{t:.1}")));
            cells.push(peer.map_or("–".to_owned(), |t| format!("{:.1}", t / c.seconds)));
            row(&mut text, &cells)?;
        }
        let why = self.construction.iter().find_map(|c| c.on_cpu_because.as_ref());
        if let Some(why) = why {
            writeln!(text, "\nSome were built on the CPU: {why}.")?;
        }
        Ok(text)
    }
}

/// A row of a Markdown table.
pub fn row(text: &mut String, cells: &[impl AsRef<str>]) -> Result<()> {
    let cells: Vec<_> = cells.iter().map(AsRef::as_ref).collect();
    Ok(writeln!(text, "| {} |", cells.join(" | "))?)
}

/// Adds the head of a table.
pub fn head(text: &mut String, columns: &[&str]) -> Result<()> {
    row(text, columns)?;
    Ok(writeln!(text, "|{}", "---|".repeat(columns.len()))?)
}

/// Writes a temporary file in the same folder and renames it.
pub fn replace(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file in no folder")?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).with_context(|| format!("could not write {}", path.display()))?;
    Ok(())
}
