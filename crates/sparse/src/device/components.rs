//! Values as the numbers that they consist of, and loads of whole values in as few instructions as their size
//! allows.
use super::entry::Real;
use bytemuck::Pod;
#[cfg(target_arch = "nvptx64")]
use ribbonmesh::device::Quad;
use ribbonmesh::device::{In, Out};

/// Numbers of a value at most: of a block of six rows.
pub const MOST: usize = 36;

/// The numbers of type `R` of a value of type `T`.
#[inline(always)]
pub const fn components<T, R>() -> u32 {
    (size_of::<T>() / size_of::<R>()) as u32
}

/// Refuses types that do not consist of at most [`MOST`] numbers of type `R`.
const fn assert_components<T, R>() {
    assert!(size_of::<T>().is_multiple_of(size_of::<R>()), "a value consists of numbers of one type");
    assert!(size_of::<T>() > 0 && size_of::<T>() / size_of::<R>() <= MOST, "a value has 1 to 36 numbers");
}

/// Runs the body for each `k < n`, unrolled by hand: what it fills must stay in registers.
macro_rules! each { ($n:expr, |$k:ident| $body:expr) => {
    $crate::device::components::each!(@ $n, |$k| $body,
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35)
};
(@ $n:expr, |$k:ident| $body:expr, $($number:literal)*) => {
    $(if $number < $n {
        let $k: u32 = $number;
        $body
    })*
} }
pub(crate) use each;

/// Runs the body for each `k < N` of at most 4, unrolled by hand: what it fills must stay in registers.
#[cfg(target_arch = "nvptx64")]
macro_rules! ahead { ($n:ident, |$k:ident| $body:expr) => {
    $crate::device::components::ahead!(@ $n, |$k| $body, 0 1 2 3)
};
(@ $n:ident, |$k:ident| $body:expr, $($number:literal)*) => {
    $(if $number < $n {
        let $k: usize = $number;
        $body
    })*
} }
#[cfg(target_arch = "nvptx64")]
pub(crate) use ahead;

/// The value whose number `c` is `f(c)`.
#[inline(always)]
pub fn assemble<T: Pod, R: Real>(f: impl Fn(u32) -> R) -> T {
    const { assert_components::<T, R>() };
    let mut value = T::zeroed();
    let to = (&raw mut value).cast::<R>();
    each!(const { components::<T, R>() }, |k| {
        // SAFETY: within the value, which is plain bytes and may begin anywhere.
        unsafe { to.add(k as usize).write_unaligned(f(k)) }
    });
    value
}

/// Runs `f(c, number)` for each number of a value.
#[inline(always)]
pub fn for_each_component<T: Pod, R: Real>(value: T, mut f: impl FnMut(u32, R)) {
    const { assert_components::<T, R>() };
    let from = (&raw const value).cast::<R>();
    each!(const { components::<T, R>() }, |k| {
        // SAFETY: within the value, which is plain bytes and may begin anywhere.
        f(k, unsafe { from.add(k as usize).read_unaligned() })
    });
}

/// `a x + b y`, number by number.
#[inline(always)]
pub fn combine<T: Pod, R: Real>(a: R, x: T, b: R, y: T) -> T {
    const { assert_components::<T, R>() };
    let (of_x, of_y) = ((&raw const x).cast::<R>(), (&raw const y).cast::<R>());
    assemble::<T, R>(|k| {
        // SAFETY: within the values, which are plain bytes and may begin anywhere.
        let (x, y) =
            unsafe { (of_x.add(k as usize).read_unaligned(), of_y.add(k as usize).read_unaligned()) };
        a * x + b * y
    })
}

/// The sum of the products of two values' numbers, in `f64`.
#[inline(always)]
pub fn inner<T: Pod, R: Real>(x: T, y: T) -> f64 {
    let other = (&raw const y).cast::<R>();
    let mut sum = 0.0;
    for_each_component::<T, R>(x, |k, x| {
        // SAFETY: within the value, which is plain bytes and may begin anywhere.
        sum += x.to_f64() * unsafe { other.add(k as usize).read_unaligned() }.to_f64();
    });
    sum
}

/// Element `i` of an array that begins at a multiple of 16 bytes.
#[inline(always)]
#[cfg(not(target_arch = "nvptx64"))]
pub fn load<T: Pod>(from: In<'_, T>, i: u32) -> T {
    from.get(i)
}
/// Element `i` of an array that begins at a multiple of 16 bytes: by words of 16, 8 or 4 bytes, the largest
/// of which its size is a multiple.
#[inline(always)]
#[cfg(target_arch = "nvptx64")]
pub fn load<T: Pod>(from: In<'_, T>, i: u32) -> T {
    /// The value by words of type `W`.
    #[inline(always)]
    fn by<T: Pod, W: Pod>(from: In<'_, T>) -> T {
        // the words below are not smaller than the value's numbers: at most MOST
        let from = from.wide::<W>();
        let mut value = T::zeroed();
        let to = (&raw mut value).cast::<W>();
        each!(const { (size_of::<T>() / size_of::<W>()) as u32 }, |k| {
            // SAFETY: within the value, which is plain bytes and may begin anywhere.
            unsafe { to.add(k as usize).write_unaligned(from.get(k)) }
        });
        value
    }
    let from = from.at(i);
    match size_of::<T>() % 16 {
        0 => by::<T, Quad>(from),
        8 => by::<T, u64>(from),
        _ => by::<T, u32>(from),
    }
}

/// Writes element `i` of an array: number by number.
#[inline(always)]
pub fn store<T: Pod, R: Real>(to: Out<'_, T>, i: u32, value: T) {
    if cfg!(target_arch = "nvptx64") {
        let to = to.wide::<R>();
        for_each_component::<T, R>(value, |k, x| to.set(components::<T, R>() * i + k, x));
    } else {
        to.set(i, value);
    }
}
/// Element `i` of an array that the kernel writes: number by number.
#[inline(always)]
pub fn reload<T: Pod, R: Real>(from: Out<'_, T>, i: u32) -> T {
    if cfg!(target_arch = "nvptx64") {
        let from = from.wide::<R>();
        assemble::<T, R>(|k| from.get(components::<T, R>() * i + k))
    } else {
        from.get(i)
    }
}
