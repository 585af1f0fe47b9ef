//! Sorting the few corners of a vertex.
use crate::device::Shared;

/// Sorts `s[start..end]`: one thread's own part of shared memory. Up to eight in registers; more by heapsort,
/// in place.
#[inline(always)]
pub fn sort_row(s: Shared<'_, u32>, start: u32, end: u32) {
    let n = end - start;
    let load = |k: u32| if k < n { s.get(start + k) } else { u32::MAX };
    let store = |k: u32, value: u32| {
        if k < n {
            s.set(start + k, value)
        }
    };
    macro_rules! by { ($network:ident: $($k:literal)*) => {{
        let sorted = $network([$(load($k)),*]);
        $(store($k, sorted[$k]);)*
    }} }
    match n {
        0..=6 => by!(six: 0 1 2 3 4 5),
        7..=8 => by!(eight: 0 1 2 3 4 5 6 7),
        _ => heapsort(s, start, n),
    }
}

macro_rules! exchange { ($a:ident, $($i:literal $j:literal),*) => { $({
    let (x, y) = ($a[$i], $a[$j]);
    $a[$i] = x.min(y);
    $a[$j] = x.max(y);
})* } }

/// The 12 exchanges that sort six numbers.
#[inline(always)]
fn six(mut a: [u32; 6]) -> [u32; 6] {
    exchange!(a, 0 5, 1 3, 2 4, 1 2, 3 4, 0 3, 2 5, 0 1, 2 3, 4 5, 1 2, 3 4);
    a
}

/// The 19 exchanges that sort eight numbers.
#[inline(always)]
fn eight(mut a: [u32; 8]) -> [u32; 8] {
    exchange!(a, 0 2, 1 3, 4 6, 5 7, 0 4, 1 5, 2 6, 3 7, 0 1, 2 3, 4 5, 6 7, 2 4, 3 5, 1 4, 3 6, 1 2, 3 4, 5 6);
    a
}

#[cold]
#[inline(never)]
fn heapsort(s: Shared<'_, u32>, start: u32, n: u32) {
    sort_by_heap(n, |i| s.get(start + i), |i, value| s.set(start + i, value));
}

/// Sorts `n` numbers in place, wherever they are.
#[inline(always)]
pub fn sort_by_heap(n: u32, get: impl Fn(u32) -> u32, set: impl Fn(u32, u32)) {
    let sink = |mut i: u32, n: u32| {
        let value = get(i);
        while 2 * i + 1 < n {
            let mut child = 2 * i + 1;
            if child + 1 < n && get(child + 1) > get(child) {
                child += 1;
            }
            if get(child) <= value {
                break;
            }
            set(i, get(child));
            i = child;
        }
        set(i, value);
    };
    let mut i = n / 2;
    while i > 0 {
        i -= 1;
        sink(i, n);
    }
    let mut last = n;
    while last > 1 {
        last -= 1;
        let (first, value) = (get(0), get(last));
        set(0, value);
        set(last, first);
        sink(0, last);
    }
}

#[cfg(test)]
mod tests {
    use super::{eight, six};

    /// A sorting network that sorts all sequences of zeros and ones sorts every sequence.
    #[test]
    fn the_networks_sort() {
        for bits in 0..256u32 {
            let a = eight(std::array::from_fn(|i| bits >> i & 1));
            assert!(a.is_sorted(), "{a:?}");
            let a = six(std::array::from_fn(|i| bits >> i & 1));
            assert!(a.is_sorted(), "{a:?}");
        }
    }
}
