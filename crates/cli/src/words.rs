//! Numbers in sentences.

/// `1 vertex`, `2 vertices`, `3 polygons`.
pub fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "new vertex") => format!("{count} new vertices"),
        (_, "vertex") => format!("{count} vertices"),
        (_, "point or line") => format!("{count} points and lines"),
        (_, "curve or surface") => format!("{count} curves and surfaces"),
        _ => format!("{count} {what}s"),
    }
}
