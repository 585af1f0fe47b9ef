//! Names of regions as data of a grid, for formats of VTK: three arrays, of dimensions, numbers and names.

use ribbonmesh_mesh::Scalars;

use crate::{DataArray, Region, VolumeData, VolumeNotes};

/// Dimensions of regions.
pub(crate) const DIMENSION: &str = "region_dimension";
/// Their numbers.
pub(crate) const TAG: &str = "region_tag";
/// Their names in UTF-8, each with a 0 behind it.
pub(crate) const NAME: &str = "region_name";

/// Whether an array of the grid belongs to the names of regions.
pub(crate) fn is_one(name: &str) -> bool {
    [DIMENSION, TAG, NAME].contains(&name)
}
/// The three arrays; `None` if there are no names.
pub(crate) fn arrays(data: &VolumeData) -> Option<[DataArray; 3]> {
    if data.regions.is_empty() {
        return None;
    }
    let of = |f: fn(&Region) -> i32| data.regions.iter().map(f).collect::<Vec<i32>>();
    let name =
        |region: &Region| region.name.bytes().filter(|byte| *byte != 0).chain([0]).collect::<Vec<u8>>();
    let names: Vec<u8> = data.regions.iter().flat_map(name).collect();
    let dimensions = of(|region| region.dimension.into());
    Some([
        DataArray::new(DIMENSION, dimensions),
        DataArray::new(TAG, of(|region| region.tag)),
        DataArray::new(NAME, Scalars::U8(names)),
    ])
}
/// Takes the names out of arrays of the grid; notes arrays that do not fit together.
pub(crate) fn take(arrays: &[DataArray], data: &mut VolumeData, notes: &mut VolumeNotes) {
    if arrays.is_empty() {
        return;
    }
    let find = |name: &str| arrays.iter().find(|array| array.name == name);
    let names = find(NAME).and_then(|array| match &array.scalars {
        Scalars::U8(bytes) => Some(bytes.strip_suffix(&[0]).unwrap_or(bytes)),
        _ => None,
    });
    let tags = |name| find(name).and_then(DataArray::tags);
    let (Some(dimensions), Some(tags), Some(names)) = (tags(DIMENSION), tags(TAG), names) else {
        return notes.skip("names of regions that are incomplete");
    };
    let names: Vec<&[u8]> = names.split(|byte| *byte == 0).collect();
    if names.len() != tags.len() || dimensions.len() != tags.len() {
        return notes.skip("names of regions that are incomplete");
    }
    for ((dimension, tag), name) in dimensions.into_iter().zip(tags).zip(names) {
        let name = String::from_utf8_lossy(name).into_owned();
        match u8::try_from(dimension) {
            Ok(dimension @ 0..=3) => data.regions.push(Region { dimension, tag, name }),
            _ => notes.skip(format!("the region {name:?} of dimension {dimension}")),
        }
    }
}
