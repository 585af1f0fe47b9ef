//! Writing VTU files.

use std::io::{self, Write};

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::{Compression, write::ZlibEncoder};
use ribbonmesh_io::core::{Order, Sink, to_bytes};
use ribbonmesh_mesh::{Scalar, Scalars};
use ribbonmesh_volume::CellKind;

use super::xml::escaped;
use crate::{
    VolumeData, VolumeLoss, VolumeWriteOptions, VtuData, builder::faces_of, data::coordinates,
    joined::joined, regions, vtk::write::types,
};

/// Bytes that are compressed at a time.
const BLOCK: usize = 1 << 20;

fn type_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::U8 => "UInt8",
        Scalar::I8 => "Int8",
        Scalar::U16 => "UInt16",
        Scalar::I16 => "Int16",
        Scalar::U32 => "UInt32",
        Scalar::I32 => "Int32",
        Scalar::U64 => "UInt64",
        Scalar::I64 => "Int64",
        Scalar::F32 => "Float32",
        Scalar::F64 => "Float64",
    }
}

struct Writer<'o, 'w> {
    out: &'o mut Sink<'w>,
    options: &'o VolumeWriteOptions,
    /// Appended data so far.
    appended: Vec<u8>,
}

impl Writer<'_, '_> {
    fn array(&mut self, name: &str, width: usize, scalars: &Scalars) -> io::Result<()> {
        let of = type_name(scalars.scalar());
        let appended = self.options.vtu_data == VtuData::Appended;
        let format = match (self.options.ascii, appended) {
            (true, _) => "\"ascii\"".to_owned(),
            (false, false) => "\"binary\"".to_owned(),
            (false, true) => format!("\"appended\" offset=\"{}\"", self.appended.len()),
        };
        let width_of = if width == 1 { String::new() } else { format!(" NumberOfComponents=\"{width}\"") };
        let name = escaped(name);
        self.out.text(&format!("<DataArray type=\"{of}\" Name=\"{name}\"{width_of} format={format}"))?;
        if self.options.ascii {
            self.out.text(">\n")?;
            self.out.rows(scalars, width)?;
            return self.out.text("</DataArray>\n");
        }
        let (header, data) = self.packed(scalars)?;
        if appended {
            self.appended.extend(header);
            self.appended.extend(data);
            return self.out.text("/>\n");
        }
        self.out.text(">\n")?;
        if self.options.uncompressed {
            // header and data together
            self.out.text(&STANDARD.encode([header, data].concat()))?;
        } else {
            self.out.text(&STANDARD.encode(header))?;
            self.out.text(&STANDARD.encode(data))?;
        }
        self.out.text("\n</DataArray>\n")
    }

    /// The header and the bytes of an array.
    fn packed(&self, scalars: &Scalars) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let bytes = to_bytes(scalars, Order::Little);
        if self.options.uncompressed {
            return Ok(((bytes.len() as u64).to_le_bytes().to_vec(), bytes.into_owned()));
        }
        let blocks = bytes.len().div_ceil(BLOCK);
        let mut header = vec![blocks as u64, BLOCK as u64, (bytes.len() % BLOCK) as u64];
        let mut data = vec![];
        for block in bytes.chunks(BLOCK) {
            let before = data.len();
            let mut zlib = ZlibEncoder::new(&mut data, Compression::default());
            zlib.write_all(block)?;
            zlib.finish()?;
            header.push((data.len() - before) as u64);
        }
        Ok((header.into_iter().flat_map(u64::to_le_bytes).collect(), data))
    }
}

/// Writes a file.
pub(crate) fn write(
    out: &mut Sink<'_>,
    data: &VolumeData,
    options: &VolumeWriteOptions,
    losses: &mut Vec<VolumeLoss>,
) -> io::Result<()> {
    if !data.title.is_empty() {
        losses.push(VolumeLoss::Title);
    }
    let cells = &data.cells;
    let rows = cells.len() + cells.faces();
    let compressor = match options.ascii || options.uncompressed {
        true => "",
        false => " compressor=\"vtkZLibDataCompressor\"",
    };
    out.text(&format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\"{compressor}>\n<UnstructuredGrid>\n"
    ))?;
    if let Some(arrays) = regions::arrays(data) {
        out.text("<FieldData>\n")?;
        for array in &arrays {
            let texts = array.name == regions::NAME;
            let of = if texts { "String" } else { type_name(array.scalars.scalar()) };
            let (name, rows) = (&array.name, data.regions.len());
            out.text(&format!(
                "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfTuples=\"{rows}\" format=\"ascii\">\n"
            ))?;
            out.rows(&array.scalars, 1)?;
            out.text("</DataArray>\n")?;
        }
        out.text("</FieldData>\n")?;
    }
    out.text(&format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{rows}\">\n<Points>\n",
        data.positions.len()
    ))?;
    let mut to = Writer { out, options, appended: vec![] };
    to.array("Points", 3, &coordinates(&data.positions, data.precision))?;
    to.out.text("</Points>\n<Cells>\n")?;
    let (mut words, mut ends, mut faces, mut face_ends) = (vec![], vec![], vec![], vec![]);
    for (kind, own) in (0..cells.len()).map(|i| cells.cell(i)) {
        if kind == CellKind::Polyhedron {
            let mut vertices = faces_of(own).unwrap_or_default().concat();
            vertices.sort_unstable();
            vertices.dedup();
            words.extend(vertices.into_iter().map(i64::from));
            faces.extend(own.iter().map(|&word| i64::from(word)));
            face_ends.push(faces.len() as i64);
        } else {
            words.extend(own.iter().map(|&word| i64::from(word)));
            face_ends.push(-1);
        }
        ends.push(words.len() as i64);
    }
    for face in (0..cells.faces()).map(|i| cells.face(i)) {
        words.extend(face.iter().map(|&word| i64::from(word)));
        ends.push(words.len() as i64);
        face_ends.push(-1);
    }
    to.array("connectivity", 1, &Scalars::I64(words))?;
    to.array("offsets", 1, &Scalars::I64(ends))?;
    to.array("types", 1, &Scalars::U8(types(data)))?;
    if !faces.is_empty() {
        to.array("faces", 1, &Scalars::I64(faces))?;
        to.array("faceoffsets", 1, &Scalars::I64(face_ends))?;
    }
    to.out.text("</Cells>\n")?;
    for (table, arrays) in [("PointData", data.point_data.clone()), ("CellData", joined(data, losses))] {
        to.out.text(&format!("<{table}>\n"))?;
        for array in &arrays {
            to.array(&array.name, array.width, &array.scalars)?;
        }
        to.out.text(&format!("</{table}>\n"))?;
    }
    to.out.text("</Piece>\n</UnstructuredGrid>\n")?;
    if !to.appended.is_empty() {
        to.out.text("<AppendedData encoding=\"raw\">\n_")?;
        to.out.bytes(&to.appended);
        to.out.text("\n</AppendedData>\n")?;
    }
    to.out.text("</VTKFile>\n")
}
