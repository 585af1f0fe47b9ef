//! The page, and pages that say why there is none.

use crate::guard::Refused;
use ribbonmesh_render::{Colormap, viewer};
use std::io::{self, Write};
use tungstenite::http::StatusCode;

const SCRIPTS: [&str; 9] = [
    viewer::ORBIT,
    include_str!("frames.js"),
    include_str!("painter.js"),
    include_str!("triangles.js"),
    include_str!("controls.js"),
    include_str!("slices.js"),
    include_str!("probe.js"),
    include_str!("motion.js"),
    include_str!("live.js"),
];
const STYLES: [&str; 2] = [viewer::STYLES, include_str!("live.css")];
const BODY: &str = include_str!("live.html");
const SHADERS: [(&str, &str); 6] = [
    ("point-vertex", include_str!("point.vert")),
    ("point-fragment", include_str!("point.frag")),
    ("triangle-vertex", include_str!("triangle.vert")),
    ("triangle-fragment", include_str!("triangle.frag")),
    ("light-vertex", include_str!("light.vert")),
    ("light-fragment", include_str!("light.frag")),
];
/// Nothing from other sites; the page may connect to where it comes from.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'";
/// Pages of other sites cannot have it in a frame.
const NO_FRAMES: &str = "; frame-ancestors 'self'";

/// Sends the page; with `embed`, one that pages of other sites may have in a frame.
pub(crate) fn send(out: &mut dyn Write, embed: bool) -> io::Result<()> {
    answer(out, StatusCode::OK, &page(), if embed { "" } else { NO_FRAMES })
}

/// Sends a page that says why there is none.
pub(crate) fn refuse(out: &mut dyn Write, refused: &Refused) -> io::Result<()> {
    if *refused == Refused::Gone {
        return Ok(());
    }
    let reason = refused.to_string().replace('&', "&amp;").replace('<', "&lt;");
    let page =
        format!("<!doctype html>\n<meta charset=\"utf-8\">\n<title>Not served</title>\n<p>{reason}</p>\n");
    answer(out, refused.status(), &page, NO_FRAMES)
}

fn answer(out: &mut dyn Write, status: StatusCode, body: &str, frames: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
         content-security-policy: {POLICY}{frames}\r\nreferrer-policy: no-referrer\r\n\
         cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n",
        body.len()
    );
    out.write_all(head.as_bytes())?;
    out.write_all(body.as_bytes())?;
    out.flush()
}

/// The page as one file.
fn page() -> String {
    let ramps = Colormap::ALL.map(|map| {
        let colours: Vec<_> = (0..=64).map(|i| map.at(i as f32 / 64.0)).collect();
        serde_json::json!([map.name(), colours])
    });
    let ramps = serde_json::json!(ramps);
    let shaders =
        SHADERS.map(|(id, text)| format!("<script type=\"text/plain\" id=\"{id}\">\n{text}</script>\n"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>RibbonMesh</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n{BODY}{}\
         <script type=\"application/json\" id=\"ramps\">{ramps}</script>\n\
         <script>\n{}</script>\n</body>\n</html>\n",
        STYLES.concat(),
        shaders.concat(),
        SCRIPTS.concat(),
    )
}
