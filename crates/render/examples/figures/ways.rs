//! The dragon in every way of drawing.
use super::Cut;
use ribbonmesh::Device;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_render::{
    Camera, Colormap, Colouring, Image, Legend, Lens, Projection, Range, Scene, Style, View, tint,
};
use std::error::Error;

/// The dragon in every way of drawing, in two rows.
pub fn ways(mesh: &TriangleMesh) -> Result<Image, Box<dyn Error>> {
    let cut = Cut::of(mesh, 2048)?;
    let colours = cut.of_faces();
    let mut ribbons = colours.clone();
    cut.ribbons.iter().flatten().for_each(|&f| ribbons[f as usize] = tint(colours[f as usize], 0.6));
    let heights: Vec<f32> = mesh.positions.iter().map(|p| p[1] as f32).collect();
    let map = Colormap::Coolwarm;
    let range = Range::of(&heights, map).ok_or("the mesh has no vertices")?;
    let height = Colouring::Scalar { values: &heights, map, range };
    let plain = Colouring::default();
    let front = View { azimuth: -12.0, elevation: 8.0 };
    let aside = View { azimuth: -60.0, elevation: 25.0 };
    let style = Style { width: 420, height: 310, samples: 4, ..Style::default() };
    let pictures = [
        (plain, false, false, front, Lens::Orthographic),
        (plain, true, false, front, Lens::Orthographic),
        (plain, false, true, front, Lens::Orthographic),
        (plain, false, false, aside, Lens::Perspective),
        (height, false, false, front, Lens::Orthographic),
        (Colouring::Normals, false, false, front, Lens::Orthographic),
        (Colouring::Faces(&colours), false, false, front, Lens::Orthographic),
        (Colouring::Faces(&ribbons), false, false, front, Lens::Orthographic),
    ];
    let mut all = Image::new(4 * style.width, 2 * style.height, [255; 4]);
    for (i, (colouring, flat, lines, view, lens)) in (0..).zip(pictures) {
        let legend = Legend { name: "y".into(), map, range };
        let scalar = matches!(colouring, Colouring::Scalar { .. });
        let beside = if scalar { legend.width(style.height) } else { 0 };
        let edges = if lines { 1.0 } else { 0.0 };
        let style = Style { smooth: !flat, edges, width: style.width - beside, ..style.clone() };
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring);
        let mut camera = Camera::fit(&scene, view, lens, &style)?;
        if flat || lines {
            // the head, from nearer
            let (by, aside, up) = if lines { (0.06, -0.3, 0.24) } else { (0.25, -0.28, 0.2) };
            if let Projection::Orthographic { height } = &mut camera.projection {
                let right = camera.up.cross(camera.eye - camera.target).normalize_or_zero();
                let move_by = (right * aside + camera.up * up) * *height;
                (camera.eye, camera.target) = (camera.eye + move_by, camera.target + move_by);
                *height *= by;
            }
        }
        let picture = scene.render(&Device::cpu(), &camera, &style)?;
        let picture = if scalar { legend.beside(&picture, style.background) } else { picture };
        all.paste(&picture, [i % 4 * 420, i / 4 * 310]);
    }
    Ok(all)
}
