//! Headers of frames.

use proptest::prelude::*;
use ribbonmesh_stream::{HEADER, Header, HeaderError, Mode};

fn header() -> Header {
    Header {
        mode: Mode::Rixel,
        value_bits: 16,
        depth_bits: 32,
        linear: true,
        sparse: false,
        of_faces: false,
        complete: true,
        query: 0x0102_0304,
        view: 5,
        step: 0x0607_0809_0a0b_0c0d,
        time: -0.5,
        minimum: -1.0,
        maximum: f32::INFINITY,
        width: 1024,
        height: 768,
        count: 3,
        parts: [8, 8, 16],
        age: 77,
    }
}

#[test]
fn bytes_of_a_header() {
    let bytes = header().to_bytes();
    assert_eq!(bytes[..8], *b"RMF1\x02\x10\x20\x09");
    assert_eq!(bytes[8..12], [4, 3, 2, 1]);
    assert_eq!(bytes[16..24], [0x0d, 0x0c, 0x0b, 0x0a, 9, 8, 7, 6]);
    assert_eq!(bytes[40..44], [0, 4, 0, 3]);
    assert_eq!(bytes[60..], [77, 0, 0, 0]);
    let mut frame = bytes.to_vec();
    frame.resize(HEADER + 8 + 8 + 16, 0);
    assert_eq!(Header::read(&frame), Ok(header()));
    frame.push(0);
    assert_eq!(Header::read(&frame), Err(HeaderError::Length { found: 97, expected: 96 }));
    frame[48] = 7;
    assert_eq!(Header::read(&frame), Err(HeaderError::NotAFrame));
    frame[48] = 8;
    frame[0] = b'S';
    assert_eq!(Header::read(&frame), Err(HeaderError::NotAFrame));
    assert_eq!(Header::read(&frame[..63]), Err(HeaderError::Length { found: 63, expected: HEADER }));
}

proptest! {
    #[test]
    fn any_header(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut frame = b"RMF1\x02".to_vec();
        frame.extend(bytes);
        if let Ok(header) = Header::read(&frame) {
            prop_assert!(header.parts.iter().map(|&part| part as usize).sum::<usize>() <= frame.len());
        }
    }
}
