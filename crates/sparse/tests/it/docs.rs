//! The code of docs/sparse.md, and that it is this code.
use ribbonmesh_sparse::{
    CgOptions, ConjugateGradients, Csr, SparseMatrix, TuneOptions, Vector, Winners, tune,
};
use ribbonmesh_suite::suite;

#[test]
fn the_page_has_this_code() {
    let (page, here) = (include_str!("../../../../docs/sparse.md"), include_str!("docs.rs"));
    let mut lines = 0;
    for block in page.split("```rust\n").skip(1) {
        let code = block.split("```").next().expect("an end");
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("use ")) {
            let line = line.replace("&device", "device");
            assert!(here.contains(&line), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 7);
}

fn page(device: &ribbonmesh::Device) -> Result<(), Box<dyn std::error::Error>> {
    let triplets = [(0, 0, 2.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0), (1, 1, 1.0)];
    let matrix = Csr::<f64>::from_triplets(2, 2, &triplets)?;
    let on_device = SparseMatrix::new(device, &matrix)?;
    let b = Vector::upload(device, &[3.0, 0.0], on_device.variant().layout.vector)?;
    let mut x = on_device.domain()?;
    let report = ConjugateGradients::new(&on_device, CgOptions::default())?.solve(&b, &mut x)?;
    let mut y = on_device.range()?;
    on_device.multiply(&x, &mut y)?;
    assert!(report.true_residual < 1e-6);
    assert!((x.download()?[0] - 2.0).abs() < 1e-5 && (y.download()?[0] - 3.0).abs() < 1e-5);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("winners.json");
    let tuned = tune(device, &matrix, &TuneOptions::quick(device))?;
    let mut winners = Winners::new();
    winners.insert(device, &tuned);
    winners.save(&path)?;
    let variant = Winners::load(&path)?.choose(device, &matrix);
    let on_device = SparseMatrix::with_variant(device, &matrix, variant)?;
    assert_eq!(on_device.variant(), tuned.best.variant);
    Ok(())
}

suite! {
    fn the_code_of_the_page_runs(device) {
        page(device).expect("the page is right");
    }
}
