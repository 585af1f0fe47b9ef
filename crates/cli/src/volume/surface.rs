//! `ribbonmesh volume surface`.
use super::files::{self, Reading, Turning};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh_volume::CellList;
use ribbonmesh_volume_io::VolumeData;
use std::path::PathBuf;
use std::str::FromStr;

/// Write the surface of a volume as triangles
///
/// With the data of the volume: that of vertices; that of the cell behind a triangle; and that of the faces
/// which the file lists by themselves, such as those of a boundary condition, as face_NAME where cells have a
/// NAME too. The attributes volume_vertex, volume_face and volume_cell say which elements of the volume
/// vertices and triangles belong to. Normals point out of the volume.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume surface block.vtu -o block.ply
  ribbonmesh volume surface block.vtu -o half.ply --cut x=2
  ribbonmesh volume surface block.vtu -o - --format ply | ribbonmesh info -")]
pub struct Surface {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Leave out cells whose middle is beyond a plane, such as x=0.5: a view inside
    #[arg(long, value_name = "x|y|z=VALUE")]
    cut: Option<Cut>,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
}

/// A plane across an axis.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    at: f64,
}
impl FromStr for Cut {
    type Err = &'static str;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let wrong = "an axis and a number, such as x=0.5";
        let (name, at) = s.split_once('=').ok_or(wrong)?;
        let axis = ["x", "y", "z"].iter().position(|axis| axis.eq_ignore_ascii_case(name)).ok_or(wrong)?;
        let at = at.parse::<f64>().ok().filter(|at| at.is_finite()).ok_or(wrong)?;
        Ok(Self { axis, at })
    }
}
impl Cut {
    /// Keeps the cells whose vertices are at or below the plane in the mean, with their data. Faces that the
    /// file lists by themselves stay out.
    fn apply(self, volume: &mut VolumeData) {
        let below = |cell: usize| {
            let faces = volume.cells.faces_of(cell);
            let mut own: Vec<u32> = faces.into_iter().flatten().collect();
            own.sort_unstable();
            own.dedup();
            let sum: f64 = own.iter().map(|&v| volume.positions[v as usize][self.axis]).sum();
            sum <= self.at * own.len() as f64
        };
        let kept: Vec<u32> =
            (0..volume.cells.len()).filter(|&cell| below(cell)).map(|cell| cell as u32).collect();
        let mut cells = CellList::new();
        for &cell in &kept {
            let (kind, words) = volume.cells.cell(cell as usize);
            cells.push(kind, words);
        }
        volume.cells = cells;
        volume.face_data.clear();
        volume.cell_data.iter_mut().for_each(|array| *array = array.select(&kept));
    }
}

impl Surface {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.volume, &self.output])?;
        let mut volume = files::read(session, &self.volume, &self.reading)?;
        if let Some(cut) = self.cut {
            volume.cells.check(volume.positions.len())?;
            cut.apply(&mut volume);
        }
        let mesh = files::upload(session, &volume, &self.turning)?;
        let (surface, losses) = session.phase("surface", || volume.surface(&mesh))?;
        files::say_losses(session, &losses);
        session.write(&self.output, &surface, &encoded)
    }
}
