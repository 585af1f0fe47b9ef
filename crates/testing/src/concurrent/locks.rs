//! Blocks that want the same locks.
use ribbonmesh::device::{Block, In, Out, kernel};
use ribbonmesh_concurrent::Locks;

/// Each block takes its locks `turns` times: the locks in `wanted` from `block mod sets` times `each` on, one
/// after the other, and gives all back where one is refused. With all of them it adds 1 to their counters, by
/// plain loads and stores of all threads. `refused[block]` counts how often it gave back.
#[kernel(threads = 64)]
pub fn take_turns<'a>(
    block: &Block,
    turns: u32,
    tries: u32,
    sets: u32,
    each: u32,
    wanted: In<'a, u32>,
    locks: Out<'a, u32>,
    counters: Out<'a, u32>,
    refused: Out<'a, u32>,
) {
    let locks = Locks::new(locks, tries);
    let (number, from) = (block.index(), block.index() % sets * each);
    let (mut turn, mut times) = (0, 0);
    while turn < turns {
        let had = block.single(|| {
            let mut had = 0;
            while had < each && locks.acquire(wanted.get(from + had), number) {
                had += 1;
            }
            had
        });
        if had == each {
            block.for_each(each, |i| {
                let lock = wanted.get(from + i);
                counters.set(lock, counters.get(lock) + 1);
            });
            turn += 1;
        } else {
            times += 1;
        }
        block.single_nosync(|| {
            let mut i = 0;
            while i < had {
                locks.release(wanted.get(from + i), number);
                i += 1;
            }
        });
    }
    block.single_nosync(|| refused.set(block.index(), times));
}
