//! `ribbonmesh track`.
use crate::common;
use common::Folder;

fn lines(folder: &Folder, name: &str) -> Vec<serde_json::Value> {
    folder.text(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn frames_steps_and_report() {
    let folder = Folder::new();
    let words = "track enright -o out --size 4 --steps 25 --every 10 --validate --report r.json";
    let ran = folder.succeed(words.split(' '));
    assert!(ran.err.contains("volume: "), "{ran:?}");
    for step in [0, 10, 20, 25] {
        let frame = folder.read(&format!("out/frame-{step:06}.ply"));
        assert!(frame.is_closed() && frame.vertices().column("colour").is_some());
        let picture = std::fs::read(folder.path(&format!("out/frame-{step:06}.png"))).expect("a picture");
        assert!(picture.starts_with(b"\x89PNG"));
    }
    assert!(!folder.path("out/frame-000005.ply").exists());
    let steps = lines(&folder, "out/steps.jsonl");
    assert_eq!(steps.len(), 25);
    for (i, step) in steps.iter().enumerate() {
        assert_eq!(step["step"], i as u64 + 1);
        assert!(step["mesh"]["faces"].as_u64().is_some_and(|n| n >= 320), "{step}");
        assert!(step["volume_drift"].as_f64().is_some_and(|d| d.abs() < 0.05), "{step}");
    }
    let results = &folder.json("r.json")["results"];
    assert_eq!((&results["steps"], &results["frames"]), (&25.into(), &4.into()), "{results}");
    assert_eq!(results["after"], steps[24]["mesh"], "{results}");
    assert!(results["split"].as_u64().is_some_and(|n| n > 0), "{results}");
}

#[test]
fn only_meshes_and_other_options() {
    let folder = Folder::new();
    let words = "track curl-noise -o a/b --size 12 --dt 0.1 --steps 6 --every 3 --save ply --integration euler \
                 --flips shorter --subdivision middle --keep-boundary --shortest 0.4 --longest 1.6";
    folder.succeed(words.split_whitespace());
    assert!(folder.path("a/b/frame-000006.ply").exists() && !folder.path("a/b/frame-000006.png").exists());
    let last = &lines(&folder, "a/b/steps.jsonl")[5];
    assert!(last["time"].as_f64().is_some_and(|t| (t - 0.6).abs() < 1e-9), "{last}");
    assert_eq!(
        (&last["mesh"]["boundary_edges"], &last["volume_drift"]),
        (&44.into(), &serde_json::Value::Null)
    );
}

#[test]
fn it_ends_before_pinching() {
    let folder = Folder::new();
    let ran = folder.succeed("track mean-curvature -o out --size 20 --save ply --every 1000".split(' '));
    assert!(ran.err.contains("about to pinch"), "{ran:?}");
    let steps = lines(&folder, "out/steps.jsonl");
    assert!(steps.len() < 1000 && steps[steps.len() - 1]["pinching"].as_u64().is_some_and(|n| n > 0));
    assert!(folder.path(&format!("out/frame-{:06}.ply", steps.len())).exists());
}

#[test]
fn surfaces_merge_and_part() {
    let folder = Folder::new();
    let words = "track spheres -o out --size 6 --steps 30 --every 15 --save ply,png,html --report r.json";
    let ran = folder.succeed(words.split(' '));
    assert!(ran.err.contains("merged"), "{ran:?}");
    let totals = &folder.json("r.json")["results"]["grid_free"];
    let steps = lines(&folder, "out/steps.jsonl");
    let merged: usize =
        steps.iter().map(|step| step["grid_free"]["merged"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(totals["merged"], merged);
    assert_eq!(totals["components"], steps[29]["grid_free"]["components"]);
    let page = folder.text("out/frames.html");
    assert_eq!(page.matches("class=\"picture\"").count(), 3);
    let words = "intersections out/frame-000030.ply --report i.json";
    folder.succeed(words.split(' '));
    assert_eq!(folder.json("i.json")["results"]["intersecting_pairs"], 0);
    // and until nothing is left
    let words = "track mean-curvature -o gone --size 12 --method grid-free --save ply --every 1000";
    let ran = folder.succeed(words.split(' '));
    assert!(ran.err.contains("nothing is left"), "{ran:?}");
}

#[test]
fn a_run_that_ended_early_goes_on() {
    let folder = Folder::new();
    let whole = "track two-spheres -o whole --size 3 --steps 70 --every 10 --save ply --correct-volume --report w.json";
    folder.succeed(whole.split(' '));
    let words = whole.replace("whole", "out").replace("w.json", "r.json");
    folder.succeed(words.split(' '));
    // as if it had been ended while the last frames were written
    for step in [60, 70] {
        std::fs::remove_file(folder.path(&format!("out/frame-{step:06}.ply"))).expect("a frame");
    }
    folder.write("out/frame-000050.ply", "ply");
    let on = format!("{words} --resume");
    let ran = folder.succeed(on.split(' '));
    assert!(ran.err.contains("frame-000050.ply") && ran.err.contains("going on from step 40"), "{ran:?}");
    let steps = lines(&folder, "out/steps.jsonl");
    assert!(steps.len() == 70 && steps.iter().zip(1..).all(|(step, i)| step["step"] == i));
    let [a, b] = ["w.json", "r.json"].map(|name| folder.json(name)["results"].clone());
    assert_eq!((&a["steps"], &a["frames"], &a["time"]), (&b["steps"], &b["frames"], &b["time"]));
    let [a, b] = [a, b].map(|results| results["after"]["volume"].as_f64().expect("a number"));
    assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    // nothing is left to do
    let before = folder.text("out/frames.jsonl");
    folder.succeed(on.split(' '));
    assert_eq!(folder.text("out/frames.jsonl"), before);
    for (words, status, says) in [
        (on.replace("--size 3", "--size 4"), 2, "begun with size 3, and this command has 4"),
        (on.replace("--correct-volume ", ""), 2, "correct-volume true"),
        (on.replace("--save ply", "--save png"), 2, "save ply"),
        (on.replace("-o out", "-o none"), 2, "no run to go on with"),
        (words.clone(), 2, "not empty"),
    ] {
        let ran = folder.run(words.split(' '));
        assert!(ran.status == status && ran.err.contains(says), "{words}: {ran:?}");
    }
}

#[test]
fn refused() {
    let folder = Folder::new();
    for (words, status, says) in [
        ("track swirl -o out", 2, "scenes are curl-noise"),
        ("track enright -o out --size 0", 2, "size"),
        ("track fountain -o out", 2, "scenes are curl-noise"),
        ("track enright -o out --dt=-1", 2, "--dt"),
        ("track enright -o out --dt nan", 2, "--dt"),
        ("track enright -o out --shortest 0.9", 2, "longest"),
        ("track enright -o out --longest nan", 2, "longest"),
        ("track enright -o out --every 0", 2, "--every"),
        ("track enright -o out --save stl", 2, "stl"),
        ("track enright -o out --save ply,html", 2, "save png"),
        ("track enright -o out --method both", 2, "grid-free"),
    ] {
        let ran = folder.run(words.split(' '));
        assert!(ran.status == status && ran.err.contains(says), "{words}: {ran:?}");
        assert!(!folder.path("out").exists(), "{words}");
    }
    std::fs::create_dir(folder.path("full")).expect("a folder");
    folder.write("full/note.txt", "mine");
    let ran = folder.run(["track", "enright", "-o", "full"]);
    assert!(ran.status == 2 && ran.err.contains("full is not empty"), "{ran:?}");
    let ran = folder.run(["track", "enright", "-o", "full/note.txt"]);
    assert!(ran.status == 2 && ran.err.contains("not a folder"), "{ran:?}");
    // steps that are too long end it; the output before stays
    let words = "track rotation -o far --size 3 --dt 0.5 --steps 4 --every 1 --save ply";
    let ran = folder.run(words.split(' '));
    assert!(ran.status == 1 && ran.err.contains("take shorter steps"), "{ran:?}");
    assert!(folder.path("far/frame-000000.ply").exists() && !folder.path("far/frame-000001.ply").exists());
    assert_eq!(folder.text("far/steps.jsonl"), "");
}

#[test]
fn collisions_are_kept_from_happening() {
    let folder = Folder::new();
    let words = "track two-spheres --size 3 --steps 110 --every 200 --save ply --report r.json";
    let pairs = |out: &str| {
        let frame = format!("{out}/frame-000110.ply");
        folder.succeed(["intersections", &frame, "--report", "i.json"]);
        folder.json("i.json")["results"]["intersecting_pairs"].as_u64().expect("a number")
    };
    let ran = folder.succeed(format!("{words} -o apart --collisions").split(' '));
    assert!(ran.err.contains("collisions in "), "{ran:?}");
    let results = &folder.json("r.json")["results"];
    assert_eq!(results["grid_free"], serde_json::Value::Null);
    assert!(results["collisions"]["collisions"].as_u64().is_some_and(|n| n > 0), "{results}");
    assert_eq!(pairs("apart"), 0);
    folder.succeed(format!("{words} -o through --method improve").split(' '));
    assert!(pairs("through") > 0);
    let ran = folder.run(format!("{words} -o no --collisions --method grid-free").split(' '));
    assert!(ran.status == 2 && ran.err.contains("--collisions"), "{ran:?}");
}
