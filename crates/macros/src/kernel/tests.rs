//! Refusals of the macro, and their words.
use super::{Options, expand, listed};
use syn::parse_quote;

fn refusal(options: &str, function: syn::ItemFn) -> String {
    match syn::parse_str::<Options>(options).and_then(|options| expand(options, function)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn types_are_listed() {
    let generic = || {
        parse_quote!(
            fn turn<T: Pod, const N: u32>(block: &Block, x: In<'_, T>) {}
        )
    };
    assert_eq!(
        refusal("", generic()),
        "a kernel has an entry point for each of its types, which `#[kernel(for (T, N) in [f32, f64])]` lists"
    );
    assert_eq!(
        refusal("for (N, T) in [(1, f32)]", generic()),
        "the kernel has `(T, N)`, in this order: `for (T, N) in […]`"
    );
    assert_eq!(
        refusal(
            "for T in [f32]",
            parse_quote!(
                fn turn(block: &Block) {}
            )
        ),
        "a list for a kernel without types: `fn name<T: …>(…)`"
    );
    assert_eq!(refusal("for T in []", generic()), "`for` lists at least one type");
    assert_eq!(refusal("for (T, N) in [(f32, 1, 2)]", generic()), "one of `for`'s list, 2 in all");
    assert_eq!(
        refusal(
            "for T in [a::X, b::X]",
            parse_quote!(
                fn turn<T: Pod>(block: &Block, x: In<'_, T>) {}
            )
        ),
        "a second entry point with the name `turn_x`"
    );
    assert_eq!(
        refusal(
            "for T in [f32]",
            parse_quote!(
                fn turn<T: Sum>(block: &Block, x: In<'_, T::Of>) {}
            )
        ),
        "this does not tell what `T` is, for others may have the same: list both, `for (T, U) in [(…, …), …]`, and let `U` \
         stand here"
    );
}

#[test]
fn elements_need_neither_shared_memory_nor_a_count() {
    assert_eq!(
        refusal(
            "shared = arena.take::<u32>(4)",
            parse_quote!(
                fn turn(i: Each) {}
            )
        ),
        "a kernel of `Each` has no shared memory: its elements do not meet in a block"
    );
    assert_eq!(
        refusal(
            "",
            parse_quote!(
                fn turn(i: Each, count: u32) {}
            )
        ),
        "another name: the launch fills in `count`"
    );
    assert_eq!(
        refusal(
            "",
            parse_quote!(
                fn turn(n: u32, to: Out<'_, u32>) {}
            )
        ),
        "the block is missing: a kernel's first argument is `block: &Block`, `i: Each`, or `patch: PerPatch<'_, 'a, Query>`"
    );
}

#[test]
fn the_element_is_the_first_argument() {
    let expected =
        "the index of the element is the first argument, and only that is `Each`: a number is `u32`";
    let (second, behind_the_block) = (
        parse_quote!(
            fn turn(i: Each, j: Each) {}
        ),
        parse_quote!(
            fn turn(i: Each, block: &Block, j: Each) {}
        ),
    );
    assert_eq!(refusal("", second), expected);
    assert_eq!(refusal("", behind_the_block), expected);
    assert_eq!(
        refusal(
            "",
            parse_quote!(
                fn turn(n: u32, i: Each) {}
            )
        ),
        expected
    );
}

#[test]
fn options_have_names() {
    assert_eq!(
        refusal(
            "thread = 4",
            parse_quote!(
                fn turn(block: &Block) {}
            )
        ),
        "expected `threads`, `per_multiprocessor`, `prefix`, `shared`, `requires` or `for T in […]`"
    );
}

#[test]
fn names_come_of_types() {
    let list = "for (T, N) in [(a::CurlNoise, 1), (Tetrahedron<2>, -3), ([f32; 3], 4), (Uniform<'a>, true)]";
    let list = syn::parse_str::<listed::List>(list).expect("a list");
    let names = ["k_curl_noise_1", "k_tetrahedron_2_3", "k_f32_3_4", "k_uniform_true"];
    assert_eq!(list.entries("k"), names);
}
