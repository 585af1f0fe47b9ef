//! Faults that sanitizers must find: `cargo xtask sanitize` runs each under its sanitizer and fails unless it
//! is reported. Everywhere else they are ignored, since they are wrong on purpose.

use std::sync::atomic::{AtomicU32, Ordering};

#[test]
#[ignore = "wrong on purpose: for `cargo xtask sanitize`"]
fn address() {
    let bytes = std::hint::black_box(vec![1_u8; 16]);
    let beyond = std::hint::black_box(20);
    // SAFETY: none; it reads behind the vector, which AddressSanitizer reports.
    let read = unsafe { *bytes.as_ptr().add(beyond) };
    println!("read {read}");
}

#[test]
#[ignore = "wrong on purpose: for `cargo xtask sanitize`"]
fn thread() {
    struct Unguarded(std::cell::UnsafeCell<u32>);
    // SAFETY: none; two threads write it without order, which ThreadSanitizer reports.
    unsafe impl Sync for Unguarded {}
    let value = Unguarded(0.into());
    // both run at the same time, and what they wait for orders nothing
    let running = AtomicU32::new(0);
    let add = |value: &Unguarded| {
        running.fetch_add(1, Ordering::Relaxed);
        while running.load(Ordering::Relaxed) < 2 {
            std::thread::yield_now();
        }
        for _ in 0..1000 {
            // SAFETY: none, as above.
            unsafe { *std::hint::black_box(value.0.get()) += 1 };
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add(&value));
        scope.spawn(|| add(&value));
    });
    println!("counted {}", value.0.into_inner());
}
