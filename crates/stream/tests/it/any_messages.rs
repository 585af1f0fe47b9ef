//! Any bytes are messages or refusals, and never a panic.

mod check;

use check::check;

/// Random numbers, the same in each run.
struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for _ in 0..100_000 {
        let length = random.below(64);
        check(&(0..length).map(|_| random.below(256) as u8).collect::<Vec<_>>());
    }
}

#[test]
fn changed_messages() {
    const MESSAGES: [&[u8]; 8] = [
        br#"{"hello":1,"credits":3}"#,
        br#"{"query":7,"expr":"mag(velocity) ? height : 1"}"#,
        br#"{"view":3,"size":[8,8],"V":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"P":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"depth":32}"#,
        b"\x01\x02\x01\x00\x07\x00\x00\x00\x03\x00\x00\x00",
        br#"{"control":"step"}"#,
        br#"{"probe":1,"query":7,"view":3,"pixel":[1,2]}"#,
        br#"{"ping":4294967295}"#,
        br#"{"a":[[[[[[{"b":1e999}]]]]]]}"#,
    ];
    let mut random = Random(2);
    for _ in 0..100_000 {
        let mut bytes = MESSAGES[random.below(MESSAGES.len())].to_vec();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] = *b"0\"{}[]-e,:"[random.below(10)..].first().expect("one of ten"),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[random.below(bytes.len())]),
            }
        }
        check(&bytes);
    }
}
