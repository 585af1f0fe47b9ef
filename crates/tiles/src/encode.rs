//! The bytes of files.
use crate::level::Sizes;
use crate::look_up::{Table, look_up};
use crate::output::{Output, Put};
use crate::{Result, TilesError};
use glam::Vec3;
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Binary PLY.
pub fn ply(mesh: &Output<'_>, put: Put<'_>) -> Result<()> {
    let Sizes { vertices, faces } = mesh.sizes;
    let single = mesh.frame.single;
    let float = if single { "float" } else { "double" };
    // readers that know signed indices only are common
    let index = if vertices <= 1 << 31 { "int" } else { "uint" };
    let normals = match mesh.normals {
        Some(_) => "property float nx\nproperty float ny\nproperty float nz\n",
        None => "",
    };
    let head = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\nproperty {float} x\nproperty {float} y\n\
         property {float} z\n{normals}element face {faces}\nproperty list uchar {index} vertex_indices\nend_header\n"
    );
    put(head.as_bytes())?;
    mesh.each_vertex(|p, normal| {
        let p = mesh.frame.outside(p);
        if single {
            put(bytemuck::bytes_of(&p.as_vec3().to_array()))?;
        } else {
            put(bytemuck::bytes_of(&p.to_array()))?;
        }
        normal.map_or(Ok(()), |n| put(bytemuck::bytes_of(&n.to_array())))
    })?;
    mesh.each_face(|face| {
        put(&[3])?;
        put(bytemuck::cast_slice(&face))
    })
}

/// OBJ.
pub fn obj(mesh: &Output<'_>, put: Put<'_>) -> Result<()> {
    let mut line = vec![];
    let mut write = |text: std::fmt::Arguments<'_>| {
        line.clear();
        // writing into memory cannot fail
        _ = line.write_fmt(text);
        put(&line)
    };
    mesh.each_vertex(|p, _| {
        let p = mesh.frame.outside(p);
        if mesh.frame.single {
            let Vec3 { x, y, z } = p.as_vec3();
            write(format_args!("v {x} {y} {z}\n"))
        } else {
            write(format_args!("v {} {} {}\n", p.x, p.y, p.z))
        }
    })?;
    if mesh.normals.is_none() {
        return mesh.each_face(|face| {
            let [a, b, c] = face.map(|v| u64::from(v) + 1);
            write(format_args!("f {a} {b} {c}\n"))
        });
    }
    mesh.each_vertex(|_, normal| {
        let Vec3 { x, y, z } = normal.unwrap_or_default();
        write(format_args!("vn {x} {y} {z}\n"))
    })?;
    mesh.each_face(|face| {
        let [a, b, c] = face.map(|v| u64::from(v) + 1);
        write(format_args!("f {a}//{a} {b}//{b} {c}//{c}\n"))
    })
}

/// Binary STL.
pub fn stl(mesh: &Output<'_>, put: Put<'_>) -> Result<()> {
    let Sizes { vertices, faces } = mesh.sizes;
    let count = u32::try_from(faces).unwrap_or(u32::MAX);
    put(&[0; 80])?;
    put(&count.to_le_bytes())?;
    let table = Table {
        file: &mesh.level.vertices(),
        rows: vertices,
        block: mesh.room.positions(),
        between: mesh.level.looked_up(),
    };
    let all = |visit: &mut dyn FnMut([u32; 3]) -> Result<()>| mesh.each_face(visit);
    look_up::<Vec3>(&all, faces, &table, &mut |face| {
        let corners = face.map(|p| mesh.frame.outside(p));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let rows = [normal, corners[0], corners[1], corners[2]].map(|p| p.as_vec3().to_array());
        put(bytemuck::cast_slice(&rows))?;
        put(&[0; 2])
    })
}

/// GLB; positions in double precision are around the origin of their node.
pub fn glb(mesh: &Output<'_>, path: &Path, put: Put<'_>) -> Result<()> {
    let Sizes { vertices, faces } = mesh.sizes;
    let origin = mesh.frame.outside(Vec3::ZERO);
    let place = |p: Vec3| (mesh.frame.outside(p) - origin).as_vec3();
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    mesh.each_vertex(|p, _| {
        (low, high) = (low.min(place(p)), high.max(place(p)));
        Ok(())
    })?;
    let views = if mesh.normals.is_some() { vec![12 * vertices; 2] } else { vec![12 * vertices] };
    let of_vertices: u64 = views.iter().sum();
    let length = of_vertices + 12 * faces;
    let mut offset = 0;
    let mut view = |bytes: u64, target: u32| {
        offset += bytes;
        json!({ "buffer": 0, "byteOffset": offset - bytes, "byteLength": bytes, "target": target })
    };
    let mut all: Vec<_> = views.iter().map(|&bytes| view(bytes, 34962)).collect();
    all.push(view(12 * faces, 34963));
    let mut accessors = vec![json!({
        "bufferView": 0, "componentType": 5126, "count": vertices, "type": "VEC3",
        "min": low.to_array(), "max": high.to_array()
    })];
    let mut attributes = json!({ "POSITION": 0 });
    if mesh.normals.is_some() {
        accessors.push(json!({ "bufferView": 1, "componentType": 5126, "count": vertices, "type": "VEC3" }));
        attributes["NORMAL"] = 1.into();
    }
    let last = accessors.len();
    accessors
        .push(json!({ "bufferView": last, "componentType": 5125, "count": 3 * faces, "type": "SCALAR" }));
    let mut node = json!({ "mesh": 0 });
    if origin != glam::DVec3::ZERO {
        node["translation"] = json!(origin.to_array());
    }
    let extras = json!({ "ribbonmesh": { "welded": true } });
    let primitive = json!({ "attributes": attributes, "indices": last, "extras": extras });
    let document = json!({
        "asset": { "version": "2.0", "generator": concat!("ribbonmesh-tiles ", env!("CARGO_PKG_VERSION")) },
        "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [node],
        "meshes": [{ "primitives": [primitive] }],
        "accessors": accessors, "bufferViews": all, "buffers": [{ "byteLength": length }]
    });
    let mut text = document.to_string();
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(4) - text.len()));
    let whole = 12 + 8 + text.len() as u64 + 8 + length;
    let Ok(whole) = u32::try_from(whole) else {
        let reason = format!("the mesh takes {whole} bytes, and a GLB file has at most {}", u32::MAX);
        return Err(TilesError::Output { file: path.into(), reason });
    };
    put(b"glTF")?;
    put(bytemuck::cast_slice(&[2, whole, text.len() as u32]))?;
    put(b"JSON")?;
    put(text.as_bytes())?;
    put(&(length as u32).to_le_bytes())?;
    put(b"BIN\0")?;
    mesh.each_vertex(|p, _| put(bytemuck::bytes_of(&place(p).to_array())))?;
    if mesh.normals.is_some() {
        mesh.each_vertex(|_, normal| put(bytemuck::bytes_of(&normal.unwrap_or_default().to_array())))?;
    }
    mesh.each_face(|face| put(bytemuck::cast_slice(&face)))
}
