//! The protocol by which patches take elements from each other (thesis 5.2.3, decision 68): lock, find owners
//! by chains, lock them, compare, move, release early, fill, commit.
//!
//! The locks, the gate and the queue are those of the library; patches have one word for each element, as the
//! mask and the table of a store have bits and entries.
use crate::{Guarded, Model, model, words};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use ribbonmesh_concurrent::{Gate, Locks, Queue, ReadWords, Words};
use ribbonmesh_device::atomic::Order::{Acquire, Relaxed, Release};

/// The word of an element that the patch owns; otherwise the patch where its owner is looked for.
const OWNED: u32 = 100;
/// Most steps of a chain.
const STEPS: u32 = 4;
/// Refusals after which a patch is processed alone.
const PATIENCE: u32 = 2;

#[derive(Clone, Copy)]
struct Store {
    locks: Locks<Model>,
    gate: Gate<Model>,
    queue: Queue<Model>,
    /// By element and patch.
    entries: Model,
    patches: u32,
    /// The elements that each patch is to own.
    wants: &'static [&'static [u32]],
}

impl Store {
    /// Patches, what each of them wants, and the first entries of each element.
    fn new(wants: &'static [&'static [u32]], elements: &[&[u32]]) -> Self {
        let patches = wants.len() as u32;
        let locks = Locks::new(words(Locks::<Model>::words_for(patches)), 1);
        (0..patches).for_each(|p| locks.clear(p));
        let entries = words(patches * elements.len() as u32);
        for (i, entry) in elements.iter().copied().flatten().enumerate() {
            entries.store(i as u32, *entry, Relaxed);
        }
        let queue = Queue::new(words(Queue::<Model>::words_for(patches)));
        for (p, wants) in wants.iter().enumerate() {
            if !wants.is_empty() {
                queue.begin(p as u32).unwrap();
            }
        }
        Self { locks, gate: Gate::new(words(1), 0), queue, entries, patches, wants }
    }
    /// The owner of an element, from a patch that has it in its ribbon. Acquires what was written before a
    /// commit, as the fence of a store does.
    fn owner(&self, patch: u32, element: u32) -> Option<u32> {
        let mut at = patch;
        for _ in 0..STEPS {
            let entry = self.entries.load(element * self.patches + at, Acquire);
            if entry == OWNED {
                return Some(at);
            }
            at = entry;
        }
        None
    }
    /// Processes a patch under its lock: whether it was committed. Values stand by element and patch.
    fn process(&self, p: u32, number: u32, alone: bool, values: &Guarded) -> bool {
        let at = |element: u32, patch: u32| element * self.patches + patch;
        let acquire =
            |q: u32| if alone { self.locks.acquire_alone(q) } else { self.locks.acquire(q, number) };
        let owners: Option<Vec<u32>> =
            self.wants[p as usize].iter().map(|&element| self.owner(p, element)).collect();
        let Some(owners) = owners else { return false };
        let mut held: Vec<u32> = vec![];
        let mut refused = false;
        for &q in owners.iter().filter(|q| **q != p) {
            if !refused && !held.contains(&q) {
                if acquire(q) {
                    held.push(q);
                } else {
                    refused = true;
                }
            }
        }
        // whose lock the block has stays the owner
        refused |= self.wants[p as usize]
            .iter()
            .zip(&owners)
            .any(|(&element, &q)| self.entries.load(at(element, q), Relaxed) != OWNED);
        if refused {
            held.iter().for_each(|&q| self.locks.release(q, number));
            return false;
        }
        for (&element, &q) in self.wants[p as usize].iter().zip(&owners).filter(|(_, q)| **q != p) {
            // SAFETY: under the lock of the owner.
            let value = values.0[at(element, q) as usize].with(|x| unsafe { *x });
            // SAFETY: the place is that of a patch whose lock the block has.
            values.0[at(element, p) as usize].with_mut(|x| unsafe { *x = value });
            self.entries.store(at(element, q), p, Relaxed);
        }
        // others go on before the patch is filled
        held.iter().for_each(|&q| self.locks.release(q, number));
        for &element in self.wants[p as usize] {
            // SAFETY: as above; nobody else finds that the patch owns the element before the commit.
            values.0[at(element, p) as usize].with_mut(|x| unsafe { *x += 1 });
        }
        for &element in self.wants[p as usize] {
            self.entries.store(at(element, p), OWNED, Release);
        }
        true
    }
    /// A block: takes patches until none is open.
    fn run(&self, number: u32, values: &Guarded) {
        let mut refusals = 0;
        while self.queue.open() > 0 {
            let Some(p) = self.queue.pop() else {
                thread::yield_now();
                continue;
            };
            let alone = refusals >= PATIENCE && self.gate.close();
            let inside = !alone && self.gate.enter();
            let mut committed = false;
            if alone || inside {
                let own = if alone { self.locks.acquire_alone(p) } else { self.locks.acquire(p, number) };
                assert!(own || !alone, "nobody refuses who is alone");
                if own {
                    committed = self.process(p, number, alone, values);
                    assert!(committed || !alone, "nobody refuses who is alone");
                    self.locks.release(p, number);
                }
            }
            if alone {
                self.gate.open();
            } else if inside {
                self.gate.leave();
            }
            if committed {
                self.queue.done();
            } else {
                refusals += 1;
                self.queue.push(p).unwrap();
                thread::yield_now();
            }
        }
    }
}

/// Two blocks process all patches. In the end each element has one owner, to which all patches find, and its
/// value has grown once for each patch that wanted it.
fn take(preemptions: usize, wants: &'static [&'static [u32]], elements: &'static [&'static [u32]]) {
    model(preemptions, move || {
        let store = Store::new(wants, elements);
        let n = wants.len() * elements.len();
        let values = Arc::new(Guarded((0..n).map(|_| UnsafeCell::new(0)).collect()));
        let other = {
            let values = values.clone();
            thread::spawn(move || store.run(1, &values))
        };
        store.run(0, &values);
        other.join().unwrap();
        for element in 0..elements.len() as u32 {
            let entry = |p: u32| store.entries.load(element * store.patches + p, Relaxed);
            let owners: Vec<u32> = (0..store.patches).filter(|&p| entry(p) == OWNED).collect();
            assert_eq!(owners.len(), 1, "element {element} has one owner");
            for p in 0..store.patches {
                assert_eq!(store.owner(p, element), Some(owners[0]), "from patch {p}");
            }
            let times = wants.iter().filter(|wants| wants.contains(&element)).count() as u32;
            let at = (element * store.patches + owners[0]) as usize;
            // SAFETY: no other thread is left.
            assert_eq!(values.0[at].with(|x| unsafe { *x }), times, "no change is lost");
        }
        for p in 0..store.patches {
            assert!(store.locks.acquire(p, 7), "lock {p} is free in the end");
        }
        assert!(store.gate.close(), "the gate is open in the end");
    });
}

/// Two patches want an element of a third.
#[test]
fn an_element_of_a_third_patch() {
    take(2, &[&[], &[0], &[0]], &[&[OWNED, 0, 0]]);
}
/// Two patches want an element of each other.
#[test]
fn elements_of_each_other() {
    take(2, &[&[1], &[0]], &[&[OWNED, 0], &[1, OWNED]]);
}
/// A patch whose entry leads by way of another one, which has given the element away, while that one takes it
/// back.
#[test]
fn a_stale_chain() {
    take(2, &[&[], &[0], &[0]], &[&[OWNED, 0, 1]]);
    take(1, &[&[], &[0], &[0], &[]], &[&[3, 0, 1, OWNED]]);
}
/// Three patches that all want what two of them own: a clique.
#[test]
fn a_clique() {
    take(1, &[&[0, 1], &[0, 1], &[0, 1]], &[&[OWNED, 0, 0], &[1, OWNED, 1]]);
}
