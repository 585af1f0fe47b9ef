//! Files of materials, and the materials of glTF that they describe.
//!
//! Sources: Wavefront, *MTL material format*, and for `norm`, `Pr` and `Pm` the extension by Exocortex.
//! Colours of such files are taken for sRGB; glTF's colours are linear.

use std::{collections::HashSet, fmt::Write};

use ribbonmesh_mesh::{GltfPayload, Tables};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use crate::{
    colour::{to_linear, to_srgb},
    glb::read::media_type,
};

/// A definition of a file of materials, as far as glTF has the same.
#[derive(Default)]
struct Definition {
    colour: Option<[f64; 3]>,
    opacity: Option<f64>,
    light: Option<[f64; 3]>,
    shininess: Option<f64>,
    roughness: Option<f64>,
    metallic: Option<f64>,
    picture: Option<String>,
    light_picture: Option<String>,
    normal_picture: Option<String>,
}

/// The definitions of a file by their names.
fn definitions(text: &str) -> Vec<(String, Definition)> {
    let mut all: Vec<(String, Definition)> = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if keyword == "newmtl" {
            let name = rest.split_whitespace().collect::<Vec<_>>().join(" ");
            all.push((name, Definition::default()));
            continue;
        }
        let Some((_, definition)) = all.last_mut() else { continue };
        let numbers: Vec<f64> = rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let number = numbers.first().copied().filter(|value: &f64| value.is_finite());
        let colour = match numbers[..] {
            [grey] => Some([grey; 3]),
            [r, g, b, ..] => Some([r, g, b]),
            _ => None,
        };
        match keyword {
            "Kd" => definition.colour = colour,
            "Ke" => definition.light = colour,
            "d" => definition.opacity = number,
            "Tr" => definition.opacity = number.map(|value| 1.0 - value),
            "Ns" => definition.shininess = number,
            "Pr" => definition.roughness = number,
            "Pm" => definition.metallic = number,
            "map_Kd" => definition.picture = picture(rest),
            "map_Ke" => definition.light_picture = picture(rest),
            "norm" => definition.normal_picture = picture(rest),
            _ => {}
        }
    }
    all
}

/// The file that a line with options names.
fn picture(rest: &str) -> Option<String> {
    let mut words: Vec<&str> = rest.split_whitespace().collect();
    while let Some(option) = words.first().filter(|word| word.starts_with('-') && word.len() > 1) {
        let most = match *option {
            "-o" | "-s" | "-t" => 3,
            "-mm" => 2,
            _ => 1,
        };
        // the numbers of some options need not all be there
        let numbers = words[1..].iter().take(most).take_while(|word| word.parse::<f64>().is_ok()).count();
        let rest = words.len().saturating_sub(1);
        let used = if numbers > 0 { numbers } else { most.min(1).min(rest) };
        words.drain(..=used.min(rest));
    }
    let name = words.join(" ").replace('\\', "/");
    let name = name.trim_start_matches("./").to_owned();
    (!name.is_empty()).then_some(name)
}

/// Gives the materials of a mesh the definitions that its libraries have for them, and their pictures, which
/// `read` finds by their names. Returns the names of materials that it does not find.
pub(super) fn define(tables: &mut Tables, read: impl Fn(&str) -> Option<Vec<u8>>) -> Vec<String> {
    let libraries = tables.libraries.iter().filter_map(|library| library.bytes.as_deref());
    let texts: Vec<String> = libraries.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    let mut known: FxHashMap<String, Definition> = FxHashMap::default();
    for (name, definition) in texts.iter().flat_map(|text| definitions(text)) {
        known.entry(name).or_insert(definition);
    }
    let mut pictures =
        Pictures { read, numbers: FxHashMap::default(), images: vec![], blobs: vec![], missing: vec![] };
    for material in &mut tables.materials {
        let Some(definition) = known.get(&material.name) else { continue };
        material.gltf = Some(gltf(&material.name, definition, &mut pictures).to_string());
    }
    let Pictures { images, blobs, missing, .. } = pictures;
    if !images.is_empty() {
        let textures: Vec<Value> = (0..images.len()).map(|image| json!({ "source": image })).collect();
        let json = json!({ "textures": textures, "images": images }).to_string();
        tables.gltf = Some(GltfPayload { json, blobs });
    }
    missing
}

/// Pictures by their names.
struct Pictures<R> {
    read: R,
    numbers: FxHashMap<String, usize>,
    images: Vec<Value>,
    blobs: Vec<Vec<u8>>,
    missing: Vec<String>,
}

impl<R: Fn(&str) -> Option<Vec<u8>>> Pictures<R> {
    /// The texture of a picture: with its bytes if glTF has its kind, or else named.
    fn texture(&mut self, name: &str) -> Value {
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let bytes = (self.read)(name);
                if bytes.is_none() {
                    self.missing.push(name.to_owned());
                }
                let image = match bytes.and_then(|bytes| Some((media_type(&bytes)?, bytes))) {
                    Some((kind, bytes)) => {
                        self.blobs.push(bytes);
                        json!({ "name": name, "mimeType": kind, "bufferView": self.blobs.len() - 1 })
                    }
                    None => json!({ "name": name, "uri": escaped(name) }),
                };
                self.images.push(image);
                self.numbers.insert(name.to_owned(), self.images.len() - 1);
                self.images.len() - 1
            }
        };
        json!({ "index": number })
    }
}

/// A name of a file as a URI.
fn escaped(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // writing to text cannot fail
            _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

/// A definition as a material of glTF.
fn gltf(
    name: &str,
    definition: &Definition,
    pictures: &mut Pictures<impl Fn(&str) -> Option<Vec<u8>>>,
) -> Value {
    let inside = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
    let [r, g, b] = definition.colour.unwrap_or([1.0; 3]).map(|value| to_linear(inside(value)));
    let opacity = inside(definition.opacity.unwrap_or(1.0));
    let shine = definition.shininess.map(|exponent| (2.0 / (exponent.max(0.0) + 2.0)).sqrt());
    let mut surface = Map::new();
    surface.insert("baseColorFactor".into(), json!([r, g, b, opacity]));
    surface.insert("metallicFactor".into(), json!(inside(definition.metallic.unwrap_or(0.0))));
    surface.insert("roughnessFactor".into(), json!(inside(definition.roughness.or(shine).unwrap_or(1.0))));
    if let Some(picture) = &definition.picture {
        surface.insert("baseColorTexture".into(), pictures.texture(picture));
    }
    let mut material = json!({ "name": name, "pbrMetallicRoughness": surface });
    if opacity < 1.0 {
        material["alphaMode"] = json!("BLEND");
    }
    if let Some(light) = definition.light.filter(|light| light.iter().any(|value| *value > 0.0)) {
        material["emissiveFactor"] = json!(light.map(|value| to_linear(inside(value))));
    }
    if let Some(picture) = &definition.light_picture {
        material["emissiveTexture"] = pictures.texture(picture);
        if definition.light.is_none() {
            material["emissiveFactor"] = json!([1.0, 1.0, 1.0]);
        }
    }
    if let Some(picture) = &definition.normal_picture {
        material["normalTexture"] = pictures.texture(picture);
    }
    material
}

/// A file of materials with its pictures.
pub(crate) struct Library {
    pub text: String,
    /// Names and bytes.
    pub pictures: Vec<(String, Vec<u8>)>,
    /// Materials of which glTF says more than such a file can.
    pub reduced: usize,
}

/// The names of the materials, each once and none empty where glTF defines some: such a file knows them by
/// their names.
pub(super) fn names(tables: &Tables) -> Vec<String> {
    let mut taken = HashSet::new();
    let unique = |(number, material): (usize, &ribbonmesh_mesh::Material)| {
        let mut name = material.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if material.gltf.is_none() || !tables.libraries.is_empty() {
            return material.name.clone();
        }
        if name.is_empty() || !taken.insert(name.clone()) {
            let stem = if name.is_empty() { "material" } else { &name };
            let mut free = number;
            let stem = stem.to_owned();
            loop {
                name = format!("{stem}_{free}");
                if taken.insert(name.clone()) {
                    break;
                }
                free += 1;
            }
        }
        name
    };
    tables.materials.iter().enumerate().map(unique).collect()
}

/// Makes a file of the definitions of a mesh; `stem` begins the names of pictures that have none.
pub(super) fn library(tables: &Tables, stem: &str) -> Library {
    let payload = tables.gltf.as_ref();
    let content: Value =
        payload.and_then(|payload| serde_json::from_str(&payload.json).ok()).unwrap_or_default();
    let mut library = Library { text: String::new(), pictures: vec![], reduced: 0 };
    let mut named: FxHashMap<u64, String> = FxHashMap::default();
    for (material, name) in tables.materials.iter().zip(names(tables)) {
        let Some(value) = material.gltf.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok())
        else {
            continue;
        };
        let mut file = |texture: &Value| -> Option<String> {
            let source = content["textures"][texture["index"].as_u64()? as usize]["source"].as_u64()?;
            if let Some(name) = named.get(&source) {
                return Some(name.clone());
            }
            let image = &content["images"][source as usize];
            let name = match image["bufferView"].as_u64() {
                None => image["uri"].as_str().filter(|uri| !uri.starts_with("data:"))?.to_owned(),
                Some(blob) => {
                    let bytes = payload?.blobs.get(blob as usize)?.clone();
                    let name = file_name(image, stem, source, &bytes);
                    library.pictures.push((name.clone(), bytes));
                    name
                }
            };
            named.insert(source, name.clone());
            Some(name)
        };
        let surface = &value["pbrMetallicRoughness"];
        let mut text = format!("newmtl {name}\n");
        let numbers = |value: &Value, width: usize| -> Vec<f64> {
            let numbers = value.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect());
            numbers.filter(|all: &Vec<f64>| all.len() == width).unwrap_or(vec![1.0; width])
        };
        let three = |all: &[f64]| {
            let all = all.iter().take(3).map(|value| (to_srgb(*value) as f32).to_string());
            all.collect::<Vec<_>>().join(" ")
        };
        let colour = numbers(&surface["baseColorFactor"], 4);
        // writing to text cannot fail
        _ = writeln!(text, "Kd {}\nd {}", three(&colour), colour[3] as f32);
        if let Some(picture) = file(&surface["baseColorTexture"]) {
            _ = writeln!(text, "map_Kd {picture}");
        }
        if value["emissiveFactor"].is_array() {
            _ = writeln!(text, "Ke {}", three(&numbers(&value["emissiveFactor"], 3)));
        }
        if let Some(picture) = file(&value["emissiveTexture"]) {
            _ = writeln!(text, "map_Ke {picture}");
        }
        if let Some(picture) = file(&value["normalTexture"]) {
            _ = writeln!(text, "norm {picture}");
        }
        let factor = |name: &str| surface[name].as_f64().unwrap_or(1.0) as f32;
        _ = writeln!(text, "Pr {}\nPm {}\n", factor("roughnessFactor"), factor("metallicFactor"));
        library.text.push_str(&text);
        let kept = [
            "name",
            "pbrMetallicRoughness",
            "emissiveFactor",
            "emissiveTexture",
            "normalTexture",
            "alphaMode",
        ];
        let more = value.as_object().is_some_and(|fields| fields.keys().any(|key| !kept.contains(&&**key)));
        library.reduced += usize::from(more || !surface["metallicRoughnessTexture"].is_null());
    }
    library
}

/// The name of a picture's file: its own, as far as it is one, with the ending of its kind.
fn file_name(image: &Value, stem: &str, number: u64, bytes: &[u8]) -> String {
    let ending = match media_type(bytes) {
        Some("image/png") => "png",
        Some("image/jpeg") => "jpg",
        Some("image/webp") => "webp",
        Some("image/ktx2") => "ktx2",
        _ => "bin",
    };
    let own = image["name"].as_str().unwrap_or_default().replace('\\', "/");
    let plain = |part: &str| !part.is_empty() && part != ".." && !part.contains([':', '\n', '\r', '#', '\0']);
    if own.is_empty() || !own.split('/').all(plain) {
        return format!("{stem}_{number}.{ending}");
    }
    let lower = own.to_ascii_lowercase();
    let ends = [".png", ".jpg", ".jpeg", ".webp", ".ktx2"].iter().any(|ending| lower.ends_with(ending));
    if ends { own } else { format!("{own}.{ending}") }
}
