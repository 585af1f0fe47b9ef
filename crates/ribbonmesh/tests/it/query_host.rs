//! The host's side of queries: names, results used again, refusals, bytes.
use ribbonmesh::{Device, Error, Op};
use ribbonmesh_suite::{ids::Pair, meshes, suite};

suite! {
    fn results_used_again(device) {
        let pair = Pair::new(device, &meshes::grid(30), 64);
        for op in Op::ALL {
            let mut result = pair.mesh.query(op).expect("a query");
            let first = result.download().expect("a result");
            pair.mesh.query_into(&mut result).expect("the same query");
            let again = result.download().expect("a result");
            let sorted = |rows: &ribbonmesh::Rows, i| ribbonmesh_suite::ids::sorted(rows.row(i));
            assert!((0..first.len()).all(|i| sorted(&first, i) == sorted(&again, i)), "{op}");
        }
    }
    fn results_of_other_meshes(device) {
        let (a, b) = (Pair::new(device, &meshes::grid(9), 64), Pair::new(device, &meshes::torus(9), 64));
        let mut result = a.mesh.query(Op::VV).expect("a query");
        assert!(matches!(b.mesh.query_into(&mut result), Err(Error::Length { .. })));
        let mut ring = a.mesh.k_ring(2).expect("a k-ring");
        assert!(matches!(a.mesh.query_into(&mut ring), Err(Error::Option { .. })));
        let short = device.zeros(3).expect("memory");
        assert!(matches!(a.mesh.query_active(Op::FV, &short), Err(Error::Length { .. })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|d| d.zeros(a.mesh.faces())).expect("memory");
        assert!(matches!(a.mesh.query_active(Op::FV, &elsewhere), Err(Error::OtherDevice { .. })));
    }
    fn subset_leaves_other_rows(device) {
        let pair = Pair::new(device, &meshes::torus(12), 16);
        let (edges, n) = (pair.mesh.edges(), pair.mesh.edges() / 2);
        let set = |range: std::ops::Range<usize>| {
            let active: Vec<u32> = (0..edges).map(|e| range.contains(&e) as u32).collect();
            device.upload(&active).expect("memory")
        };
        let mut result = pair.mesh.query_active(Op::EF, &set(0..n)).expect("a query");
        pair.mesh.query_active_into(&set(n..edges), &mut result).expect("a query");
        let (both, full) = (result.download(), pair.mesh.query(Op::EF).and_then(|r| r.download()));
        let (both, full) = (both.expect("a result"), full.expect("a result"));
        assert!((0..edges).all(|e| both.entries(e) == full.entries(e)));
    }
    fn bytes(device) {
        let pair = Pair::new(device, &meshes::torus(60), 512);
        for op in Op::ALL {
            let result = pair.mesh.query(op).expect("a query");
            let written = result.values().bytes() + result.offsets().map_or(0, |o| o.bytes());
            let floor = pair.mesh.floor_bytes(op, false);
            assert!(floor > written as u64 && floor < 4 * written as u64, "{op}: {floor} for {written}");
        }
        assert!(pair.mesh.floor_bytes(Op::VV, true) > pair.mesh.floor_bytes(Op::VV, false));
    }
}

#[test]
fn names() {
    for op in Op::ALL {
        assert_eq!(op.to_string().to_lowercase().parse::<Op>().expect("a name"), op);
    }
    assert!("VX".parse::<Op>().is_err());
}
