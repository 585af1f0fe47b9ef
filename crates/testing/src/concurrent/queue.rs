//! Blocks that work off a queue.
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Out, kernel};
use ribbonmesh_concurrent::Queue;

const NONE: u32 = u32::MAX;

/// Blocks pop values until no work is open. Each value below `most` makes twice itself and the one after
/// that, and is put back `retries` times before. `seen[value]` counts how often it was popped, `full` what
/// did not fit.
#[kernel(threads = 32)]
pub fn work_off<'a>(
    block: &Block,
    most: u32,
    retries: u32,
    queue: Out<'a, u32>,
    seen: Out<'a, u32>,
    full: Out<'a, u32>,
) {
    let queue = Queue::new(queue);
    let lost = || _ = atomic::fetch_add(full, 0, 1, Relaxed, Device);
    loop {
        let value = block.single(|| {
            let mut value = queue.pop();
            while value.is_none() && queue.open() > 0 {
                value = queue.pop();
            }
            value.unwrap_or(NONE)
        });
        if value == NONE {
            break;
        }
        block.single_nosync(|| {
            if atomic::fetch_add(seen, value, 1, Relaxed, Device) < retries {
                if queue.push(value).is_err() {
                    lost();
                    queue.done();
                }
                return;
            }
            if value < most {
                for child in [2 * value, 2 * value + 1] {
                    if queue.begin(child).is_err() {
                        lost();
                    }
                }
            }
            queue.done();
        });
    }
}
