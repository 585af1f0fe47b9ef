//! A page in a browser.
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_render::{Colormap, Colouring, Image, Legend, Lens, Page, Range, Scene, Style, View};
use ribbonmesh_suite::browser::Browser;
use std::error::Error;

/// The dragon's page in a browser; `None` if there is no browser.
pub fn page(mesh: &TriangleMesh) -> Result<Option<Image>, Box<dyn Error>> {
    let Some(mut browser) = Browser::start(&[]) else { return Ok(None) };
    let heights: Vec<f32> = mesh.positions.iter().map(|p| p[1] as f32).collect();
    let map = Colormap::Viridis;
    let range = Range::of(&heights, map).ok_or("the mesh has no vertices")?;
    let legend = Legend { name: "y".into(), map, range };
    let scene = Scene::new(&mesh.positions, &mesh.faces);
    let scene = scene.coloured(Colouring::Scalar { values: &heights, map, range });
    let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
    let report = format!(
        "{{\"program\": \"ribbonmesh\", \"arguments\": [\"render\", \"dragon.ply\", \"--html\", \"dragon.html\", \"--scalar\", \"y\", \"--view\", \"-12,8\", \"--perspective\"], \
         \"input\": {{\"file\": \"dragon.ply\", \"format\": \"ply\", \"vertices\": {vertices}, \"faces\": {faces}}}, \
         \"results\": {{\"view\": \"-12,8\", \"colouring\": \"scalar\", \"scalar\": \
         {{\"property\": \"y\", \"min\": {}, \"max\": {}, \"not_finite\": 0}}}}, \"warnings\": []}}",
        range.min, range.max
    );
    let style = Style::default();
    let page = Page {
        title: "dragon.ply",
        scene,
        view: View { azimuth: -12.0, elevation: 8.0 },
        lens: Lens::Perspective,
        style: &style,
        legend: Some(&legend),
        report: Some(&report),
    };
    let file = browser.folder().join("dragon.html");
    page.write(&file)?;
    let state = browser.open(&file, 1080, 600);
    if state != "ready" {
        return Err(format!("the page has {state}").into());
    }
    browser.value("document.querySelector('#show-report').click()");
    let (pixels, width, height) = browser.pixels("html");
    let mut picture = Image::new(width as u32, height as u32, [255; 4]);
    for (i, [r, g, b]) in (0..).zip(pixels) {
        picture.set(i % width as u32, i / width as u32, [r, g, b, 255]);
    }
    Ok(Some(picture))
}
