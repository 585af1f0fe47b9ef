//! `ribbonmesh clean` and `ribbonmesh wrap`.
use crate::common;
use common::Folder;

#[test]
fn cleans_and_wraps() {
    let folder = Folder::new();
    folder.succeed("generate icosphere 4 -o a.ply".split_whitespace());
    let ran = folder.succeed("clean a.ply -o small.ply --faces 501 --report report.json".split_whitespace());
    let report = folder.json("report.json");
    assert_eq!(report["results"]["after"]["faces"], 500, "{ran:?}");
    assert_eq!(report["results"]["intersecting_pairs"], 0);
    folder.succeed("wrap a.ply -o wrapped.ply --resolution 24 --report wrapped.json".split_whitespace());
    let report = folder.json("wrapped.json");
    assert!(report["results"]["volume"].as_f64().expect("a number") > 4.0);
    folder.succeed("clean a.ply -o closed.ply --wrap always --resolution 24".split_whitespace());
}
