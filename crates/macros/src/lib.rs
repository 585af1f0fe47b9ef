//! The attributes `#[kernel]` and `#[operator]`, the derive macros `Parameter`, `Decision` and
//! `AttributeSet`, and the macro `ptx!`.
use proc_macro::TokenStream;
use syn::parse_macro_input;

mod attribute_set;
mod device;
mod kernel;
mod operator;
mod parameter;
mod ptx;

/// Makes a kernel of a function of one block.
///
/// ```ignore
/// /// What the kernel does.
/// #[kernel(threads = 128, shared = scratch(arena, n), requires(x.len() >= n as usize, y.len() >= n as usize))]
/// pub fn smooth_once<'a>(block: &Block, n: u32, x: In<'a, Vec3>, y: Out<'a, Vec3>) { /* … */ }
/// ```
///
/// The function stays, for other kernels to call. Beside it stand two structs with the arguments as public
/// fields:
///
/// * `SmoothOnce`, of the same name in camel case, is what the host fills and launches. Its fields are what
///   the host has for the arguments: `BufferView` for `In`, `BufferViewMut` for `Out`, `MeshArgument` for
///   `MeshView`, and so on (`Parameter::Host`). The launch checks machines, meshes and what the kernel
///   requires.
/// * `SmoothOnceKernel` is what the kernel gets. On the GPU an entry point of the function's name takes it.
///
/// * `threads`: threads per block on the GPU, a multiple of 32 up to 1024; 128 if absent.
/// * `per_multiprocessor`: blocks for which a multiprocessor of the GPU has registers: the compiler gives a
///   thread as few as that needs, and puts into memory what has no register left. For kernels whose warps
///   wait for barriers and memory; without it a thread has what it asks for, up to 255 registers.
/// * `prefix`: a name, for kernels that a macro makes in several modules: the entry point has this name, an
///   underscore and the function's name.
/// * `shared`: an expression that carves the shared memory of the largest block from `arena: &Arena`; the
///   arguments are in scope. The host measures it before each launch. Nothing if absent.
/// * `requires`: conditions on the arguments, which are in scope. A launch for which one does not hold is an
///   error that states the condition and both sides of a comparison.
///
/// * `for T in [f32, f64]`, `for (T, N) in [(f32, 1), (f64, 3)]`: the types and numbers for which a kernel
///   that has some is compiled, each an entry point with its own name. What no argument tells is chosen:
///   `Name { … }.of::<T>()`. They implement the trait `NameTypes`, for functions of the host that are
///   generic, too.
///
/// The host evaluates `shared` and `requires`, so views have their lengths there and no memory: a launch
/// whose `shared` or `requires` reads an element is an error, too.
///
/// Where the first argument is `PerPatch<'_, 'a, Query>` instead of `&Block`, the kernel runs in a block
/// for each patch of a mesh, with the query asked and shared memory for it: the host's struct has the other
/// arguments, and `StaticMesh::run` launches it.
///
/// Where it is `Each`, the kernel runs once for each element of a flat array, and may have `&Block` as its
/// second argument: `Device::launch_each` gives the number of elements, which is `count` in `requires`.
///
/// The crate has [`ptx!`] at its root.
#[proc_macro_attribute]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attributes as kernel::Options);
    let function = parse_macro_input!(item as syn::ItemFn);
    kernel::expand(options, function).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Includes the kernels of a crate, as compiled for GPUs: makes `static PTX: PtxModule`.
///
/// ```ignore
/// ribbonmesh::device::ptx!();
/// ```
///
/// It is called once, at the crate's root, and takes the folder `ptx` that `cargo run --example ptx` or, in
/// RibbonMesh's repository, `cargo xtask ptx` has written beside `Cargo.toml`; or a folder `ptx` in
/// `OUT_DIR`, which the crate's build script has written. Each file is compressed, and decompressed when one
/// of its kernels is first launched on a GPU. While there is no such folder the kernels run on the CPU alone.
#[proc_macro]
pub fn ptx(arguments: TokenStream) -> TokenStream {
    let _ = parse_macro_input!(arguments as syn::parse::Nothing);
    ptx::expand().unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Lets kernels have a struct as an argument: a `repr(C)` struct of views, numbers and other such structs.
///
/// Of `struct Links<'a> { rows: In<'a, u32>, most: u32 }` it makes the struct that the host fills in:
/// `struct LinksArguments<'a> { rows: BufferView<'a, u32>, most: u32 }`. A struct without a lifetime holds no
/// views: it is the same on both sides.
#[proc_macro_derive(Parameter)]
pub fn parameter(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    parameter::expand(item).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Makes an operator of a dynamic mesh: completes the implementation of `Operator` to which it is attached,
/// and makes its kernels, named after the type.
///
/// ```ignore
/// #[operator(seed = Edge, cavity = FacesOfEdge, filling = Flip)]
/// impl Operator for FlipDelaunay<'_> {
///     fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32> { /* … */ }
/// }
/// ```
///
/// * `seed`: the kind of its seeds.
/// * `cavity`: a `Template` that says which faces are deleted; without it, `fn faces` does.
/// * `filling`: a `Filling` that depends on the cavity alone; without it, `fn fill` fills the cavity.
/// * `in_place`: its `fill` makes no more vertices, edges or faces than are deleted: rounds are shorter.
/// * `no_chords`: its `fill` joins no vertices of the loop, leaves no hole, and asks for no vertex: rounds
///   are shorter. What is declared and not kept is rejected, `BROKEN_FILL`.
///
/// `fn priority_local` instead of `fn priority` sees an edge with the vertices of its faces alone, so that a
/// pass need not ask all edges. Left out may be `precheck`, and `decide`, `gather` and `scatter` together
/// with their types `Decision`, `Gathered` and `Made`: then these are `()`. All methods are inlined.
#[proc_macro_attribute]
pub fn operator(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attributes as operator::Options);
    let item = parse_macro_input!(item as syn::ItemImpl);
    operator::expand(options, item).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Makes a set of attributes of a struct: its fields of type `DynamicAttribute`, also in an `Option`, a `Vec`
/// or behind `&mut`, and those marked `#[attributes]`, which are sets themselves. They get room and follow
/// compactions together.
#[proc_macro_derive(AttributeSet, attributes(attributes))]
pub fn attribute_set(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    attribute_set::expand(item).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Lets the record of a cavity keep a struct: its fields are numbers, `bool`s, ids, and arrays and structs of
/// these.
#[proc_macro_derive(Decision)]
pub fn decision(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    operator::decision(item).unwrap_or_else(|e| e.to_compile_error()).into()
}
