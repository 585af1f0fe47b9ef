//! Refusals, and their words.
use crate::support::{Shape, looking};
use ribbonmesh::glam::{DMat4, DVec3, DVec4, Vec3};
use ribbonmesh::mesh::Classified;
use ribbonmesh::{Device, Error};
use ribbonmesh_rixels::{Options, Painter, RixelError, Values, View};
use ribbonmesh_suite::suite;

#[test]
fn views() {
    let projection = View::parallel(2.0, 2.0, 0.1, 2.0);
    let size = |width, height| View::new(width, height, DMat4::IDENTITY, projection);
    for (width, height) in [(0, 5), (5, 0), (4097, 5), (5, 4097)] {
        let error = size(width, height).expect_err("a size");
        assert!(error.to_string().contains("expected 1 to 4096"), "{error}");
        let _ = error.class();
    }
    assert!(size(4096, 4096).is_ok());
    let refused = |view, projection| {
        let error = View::new(5, 5, view, projection).expect_err("a matrix");
        assert!(matches!(error, RixelError::Matrix { .. }), "{error}");
        error.to_string()
    };
    let eye = DMat4::IDENTITY;
    assert!(refused(eye * f64::NAN, projection).starts_with("the view matrix has a number"));
    assert!(refused(View::perspective(1.0, 1.0, 1.0, 2.0), projection).contains("last row"));
    assert!(refused(eye, DMat4::ZERO).contains("inverse"));
    let oblique = DMat4::from_cols(DVec4::X + DVec4::Z, DVec4::Y, -DVec4::Z, DVec4::W);
    assert!(refused(eye, oblique).contains("depends on x or y"));
    // nearer planes that are farther, planes behind the eye, a depth that is reversed
    for (near, far) in [(2.0, 1.0), (-1.0, 1.0)] {
        assert!(refused(eye, View::perspective(1.0, 1.0, near, far)).contains("near plane"));
    }
    assert!(refused(eye, View::parallel(1.0, 1.0, 2.0, 1.0)).contains("near plane"));
    // a plane behind the eye is right in a parallel projection
    assert!(View::new(5, 5, eye, View::parallel(1.0, 1.0, -2.0, 1.0)).is_ok());
    let columns = projection.to_cols_array();
    let view = View::from_columns(5, 5, &eye.to_cols_array(), &columns).expect("a view");
    assert!((view.near() - 0.1).abs() < 1e-12 && (view.far() - 2.0).abs() < 1e-12);
    let endless = DMat4::from_cols(
        DVec4::X,
        DVec4::Y,
        DVec4::new(0.0, 0.0, -1.0, -1.0),
        DVec4::new(0.0, 0.0, -0.2, 0.0),
    );
    let view = View::new(5, 5, eye, endless).expect("a view");
    assert!((view.near() - 0.1).abs() < 1e-12 && view.far().is_infinite());
}

suite! {
    fn scenes(device) {
        let shape = Shape::new(device, vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2], [0, 1, 3]]);
        let view = looking(DVec3::Z, DVec3::Y, View::parallel(2.0, 2.0, 0.1, 2.0), [8, 8]);
        let mut painter = Painter::new(device);
        let error = painter.paint(&shape.scene(Values::Plain), &view).expect_err("no vertex 3");
        assert_eq!(error.to_string(), "face 1 refers to vertex 3; there are 3 vertices");
        let rixels = painter.encode(&shape.scene(Values::Plain), &view, &Options::default());
        let error = rixels.expect_err("no vertex 3");
        let expected = Error::IndexOutOfRange { face: 1, vertex: 3, vertices: 3 };
        assert_eq!(error.to_string(), expected.to_string());

        let shape = Shape::new(device, vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
        let three = device.upload(&[0.0; 3]).expect("memory");
        let error = painter.paint(&shape.scene(Values::OfFaces(&three)), &view).expect_err("one face");
        assert_eq!(error.to_string(), "values of faces: 3 elements where 1 are expected");
        let two = device.upload(&[0.0; 2]).expect("memory");
        let error = painter.paint(&shape.scene(Values::OfVertices(&two)), &view).expect_err("3 vertices");
        assert_eq!(error.to_string(), "values of vertices: 2 elements where 3 are expected");
        let part = device.upload(&[0, 1]).expect("memory");
        let scene = ribbonmesh_rixels::Scene { faces: &part, ..shape.scene(Values::Plain) };
        let error = painter.paint(&scene, &view).expect_err("two thirds of a face");
        assert!(matches!(error, RixelError::Library(Error::Length { .. })), "{error}");

        let other = Device::cpu().upload(&[0.0; 3]).expect("memory");
        let error = painter.paint(&shape.scene(Values::OfVertices(&other)), &view).expect_err("elsewhere");
        assert!(matches!(error, RixelError::Library(Error::OtherDevice { .. })), "{error}");
        // after errors it works as before
        let rixels = painter.encode(&shape.scene(Values::OfVertices(&three)), &view, &Options::default());
        assert_eq!(rixels.expect("rixels").count(), 6);
    }
}
