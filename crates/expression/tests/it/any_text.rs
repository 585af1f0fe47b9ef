//! Any text is an expression or an error, and never a panic.

mod check;

use crate::support::Random;
use check::check;

#[test]
fn random_bytes() {
    let mut random = Random(3);
    for _ in 0..50_000 {
        let length = random.below(40);
        let bytes: Vec<_> = (0..length).map(|_| random.next() as u8).collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn random_tokens() {
    const TOKENS: [&str; 36] = [
        "(", ")", "+", "-", "*", "/", "^", "?", ":", "<", "<=", "==", "!=", ",", ".", ".x", ".xy", "p", "q",
        "v", "s", "m", "t", "1", "2.5", "1e", "sin(", "mag(", "dot(", "vec(", "eig(", "`", "`p`", " ", "é",
        "min(",
    ];
    let mut random = Random(4);
    for _ in 0..50_000 {
        let length = 1 + random.below(12);
        check(&(0..length).map(|_| random.of(&TOKENS)).collect::<String>());
    }
}

#[test]
fn mutated_expressions() {
    let mut random = Random(5);
    for round in 0..5_000 {
        let text = random.scalar(1 + round % 4);
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(letters.len());
            match random.below(3) {
                0 => letters[at] = *random.of(&[&'(', &')', &',', &'.', &'9', &'x', &'?', &'^']),
                1 if letters.len() > 1 => drop(letters.remove(at)),
                _ => letters.insert(at, letters[random.below(letters.len())]),
            }
        }
        check(&letters.into_iter().collect::<String>());
    }
}

#[test]
fn deep_and_long_texts() {
    for text in [
        "(".repeat(1000),
        "-".repeat(1000) + "1",
        "sin(".repeat(250),
        "p^".repeat(500) + "1",
        "p?1:".repeat(250) + "1",
        "1+".repeat(500) + "1",
        "p".repeat(1025),
        "`".repeat(1000),
        "v.x".repeat(300),
    ] {
        check(&text);
    }
}
