//! Reading and writing of volumes.
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::{input_name, is_standard, output_name};
use clap::Args;
use ribbonmesh_application::counted;
use ribbonmesh_io::{WriteError, WriteErrorKind, check_output};
use ribbonmesh_volume::{Orientation, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::{
    LoadedVolume, MshVersion, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions, VtkVersion, read_as,
    read_stream, write_as, write_to,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Options of reading a volume.
#[derive(Args)]
// beside those of reading a mesh, in `serve`
#[group(id = "reading-a-volume")]
pub struct Reading {
    /// Format of the input, if it is standard input (-) or its extension names none [default: found by
    /// content]
    #[arg(long, value_name = "vtk|vtu|msh|mesh|ovm")]
    from: Option<VolumeFormat>,
}

impl Reading {
    /// Whether a file is a volume: the option says so, or its name.
    pub fn names_one(&self, file: &Path) -> bool {
        self.from.is_some() || !is_standard(file) && VolumeFormat::from_path(file).is_ok()
    }
}

/// Treatment of cells of negative volume.
#[derive(Args)]
pub struct Turning {
    /// Turn cells of negative volume inside out; some programs order the vertices of wedges differently from
    /// VTK
    #[arg(long)]
    turn_inverted: bool,
}

impl Turning {
    pub fn options(&self) -> VolumeOptions {
        let turned = if self.turn_inverted { Orientation::ByVolume } else { Orientation::AsGiven };
        VolumeOptions { orientation: turned }
    }
    pub fn turns(&self) -> bool {
        self.turn_inverted
    }
}

/// Files and options of a command that makes a volume from another one.
#[derive(Args)]
pub struct Change {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// File to write: VTK, VTU, MSH, MESH or OVM; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    encoding: Encoding,
}

impl Change {
    /// The volume, the mesh on the machine, and how the result is written, which is known to be possible.
    pub fn begin(&self, session: &mut Session) -> Result<(VolumeData, VolumeMesh, Encoded), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.volume, &self.output])?;
        let volume = read(session, &self.volume, &self.reading)?;
        let mesh = upload(session, &volume, &self.turning)?;
        Ok((volume, mesh, encoded))
    }
    /// Whether cells may have been turned.
    pub fn turns(&self) -> bool {
        self.turning.turns()
    }
    /// The volume that is read, and the file that is written.
    pub fn names(&self) -> (&Path, &Path) {
        (&self.volume, &self.output)
    }
    /// Writes the result.
    pub fn end(&self, session: &mut Session, volume: &VolumeData, encoded: &Encoded) -> Result<(), Failure> {
        write(session, &self.output, volume, encoded)
    }
}

/// Gives a volume the cells that the machine has turned. The faces that it lists stay.
pub fn take_turned(session: &mut Session, volume: &mut VolumeData, mesh: &VolumeMesh) -> Result<(), Failure> {
    let turned = session.phase("cells", || mesh.to_cells())?;
    let given = std::mem::replace(&mut volume.cells, turned);
    volume.cells.set_faces_of(&given);
    Ok(())
}

/// Options of writing a volume.
#[derive(Args, Default)]
pub struct Encoding {
    /// Write text instead of binary, for VTK, VTU and MSH
    #[arg(long)]
    ascii: bool,
    /// Write an older version of the format, which more programs read: VTK 3.0, MSH 2.2
    #[arg(long)]
    old: bool,
    /// Format of the output, if it is standard output (-) or its extension names none
    #[arg(long, value_name = "vtk|vtu|msh|mesh|ovm")]
    format: Option<VolumeFormat>,
}

/// A format with its options.
pub struct Encoded {
    format: VolumeFormat,
    options: VolumeWriteOptions,
}

impl Encoding {
    /// For that file, which can be written, before any work is done for it.
    pub fn options(&self, output: &Path) -> Result<Encoded, Failure> {
        let format = if is_standard(output) {
            self.format
                .ok_or_else(|| Failure::Usage("standard output: --format says in which format".into()))?
        } else {
            let named = VolumeFormat::from_path(output);
            match (named, self.format) {
                (Ok(named), Some(format)) if named != format => {
                    let (format, output) = (format.extension(), output.display());
                    let named = named.extension();
                    return Err(Failure::Usage(format!(
                        "--format {format}: the name of {output} says {named}"
                    )));
                }
                (Ok(format), _) | (Err(_), Some(format)) => format,
                (Err(unknown), None) => {
                    return Err(Failure::Usage(format!("{}: {unknown}", output.display())));
                }
            }
        };
        if self.old && !matches!(format, VolumeFormat::Vtk | VolumeFormat::Msh) {
            let format = format.extension();
            return Err(Failure::Usage(format!("--old: there is one version of {format} only")));
        }
        if self.ascii && matches!(format, VolumeFormat::Mesh | VolumeFormat::Ovm) {
            return Err(Failure::Usage(format!("--ascii: {format} files are text always")));
        }
        if !is_standard(output) {
            check_output(output)?;
        }
        let mut options = VolumeWriteOptions { ascii: self.ascii, ..VolumeWriteOptions::default() };
        if self.old {
            (options.vtk_version, options.msh_version) = (VtkVersion::V3, MshVersion::V2);
        }
        Ok(Encoded { format, options })
    }
}

/// Reads a volume with its data.
pub fn read(session: &mut Session, file: &Path, reading: &Reading) -> Result<VolumeData, Failure> {
    let load = || {
        if is_standard(file) {
            read_stream(&mut io::stdin().lock(), reading.from, "standard input")
        } else {
            read_as(file, reading.from)
        }
    };
    let LoadedVolume { volume, format, notes } = session.phase("read", load)?;
    for note in notes.in_words() {
        session.note(format!("{}: {note}", input_name(file)));
    }
    session.read_volume(file, format, &volume, notes);
    Ok(volume)
}

/// The mesh on the machine.
pub fn upload(session: &mut Session, volume: &VolumeData, turning: &Turning) -> Result<VolumeMesh, Failure> {
    let device = session.device()?;
    let origin = volume.local_origin();
    session.phase("build", || volume.upload(&device, origin, &turning.options()))
}

/// Prints the data that did not fit.
pub fn say_losses(session: &mut Session, losses: &[VolumeLoss]) {
    losses.iter().for_each(|loss| session.note(loss.to_string()));
}

/// Writes a volume.
pub fn write(
    session: &mut Session,
    file: &Path,
    volume: &VolumeData,
    encoded: &Encoded,
) -> Result<(), Failure> {
    let Encoded { format, options } = encoded;
    let losses = session.phase("write", || {
        if !is_standard(file) {
            return Ok::<_, Failure>(write_as(file, *format, volume, options)?);
        }
        let mut out = io::stdout().lock();
        let written = write_to(&mut out, *format, volume, options)
            .and_then(|losses| Ok(out.flush().map(|()| losses)?));
        written.map_err(|kind| match kind {
            WriteErrorKind::Io(cause) => Failure::Stdout(cause),
            kind => WriteError { file: "standard output".into(), kind }.into(),
        })
    })?;
    for loss in losses {
        session.note(format!("{}: {loss}", output_name(file)));
    }
    session.wrote(file);
    let (vertices, cells) = (volume.positions.len() as u64, volume.cells.len() as u64);
    let (vertices, cells) = (counted(vertices, "vertex"), counted(cells, "cell"));
    session.say(format_args!("wrote {}: {vertices}, {cells}", output_name(file)));
    Ok(())
}
