//! Pages of pictures.
use ribbonmesh_render::{Film, FilmFrame, Image};
use std::path::PathBuf;

/// A folder of this test's own.
struct Folder(PathBuf);
impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ribbonmesh-film-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}
impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_page_has_all_pictures_in_order() {
    let folder = Folder::new("all");
    let colours = [[200, 10, 10, 255], [10, 200, 10, 255], [10, 10, 200, 255]];
    let frames: Vec<FilmFrame> = (0..)
        .zip(colours)
        .map(|(i, colour)| {
            let picture = folder.0.join(format!("{i}.png"));
            Image::new(4, 3, colour).write_png(&picture).expect("a picture");
            FilmFrame { caption: format!("step {i} </script>"), picture }
        })
        .collect();
    let page = folder.0.join("film.html");
    Film { title: "a & b <c>", frames: &frames }.write(&page).expect("a page");
    let text = std::fs::read_to_string(&page).expect("UTF-8");
    assert!(text.contains("<title>a &amp; b &lt;c&gt;</title>"));
    let pieces = text.split("class=\"picture\">").skip(1).filter_map(|piece| piece.split('<').next());
    let decode = |piece| base64::Engine::decode(&base64::engine::general_purpose::STANDARD, piece);
    let found: Vec<Vec<u8>> = pieces.map(|piece| decode(piece).expect("base64")).collect();
    let files: Vec<Vec<u8>> =
        frames.iter().map(|frame| std::fs::read(&frame.picture).expect("a picture")).collect();
    assert!(found == files && found[0] != found[1]);
    // captions cannot end the element that has them
    let json = text.split("id=\"captions\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let captions: Vec<String> = serde_json::from_str(json.expect("captions")).expect("JSON");
    assert_eq!(captions[2], "step 2 </script>");
    assert!(!text.contains("http:") && !text.contains("https:"));
}

#[test]
fn a_missing_picture_leaves_no_page() {
    let folder = Folder::new("missing");
    let frames = [FilmFrame { caption: "none".into(), picture: folder.0.join("none.png") }];
    let page = folder.0.join("film.html");
    assert!(Film { title: "none", frames: &frames }.write(&page).is_err());
    assert!(!page.exists());
}
