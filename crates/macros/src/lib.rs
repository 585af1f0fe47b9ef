//! The attribute `#[kernel]` and the derive macro `Parameter`.
use proc_macro::TokenStream;
use syn::parse_macro_input;

mod device;
mod kernel;
mod parameter;

/// Makes a kernel of a function of one block.
///
/// ```ignore
/// /// What the kernel does.
/// #[kernel(threads = 128, shared = scratch(arena, n), requires(x.len() >= n as usize, y.len() >= n as usize))]
/// pub fn smooth_once<'a>(block: &Block, n: u32, x: In<'a, Vec3>, y: Out<'a, Vec3>) { /* … */ }
/// ```
///
/// The function stays, for other kernels to call. Beside it stand two structs with the arguments as public fields:
///
/// * `SmoothOnce`, of the same name in camel case, is what the host fills and launches. Its fields are what the host
///   has for the arguments: `BufferView` for `In`, `BufferViewMut` for `Out`, `MeshArgument` for `MeshView`, and so on
///   (`Parameter::Host`). The launch checks machines, meshes and what the kernel requires.
/// * `SmoothOnceKernel` is what the kernel gets. On the GPU an entry point of the function's name takes it.
///
/// * `threads`: threads per block on the GPU, a multiple of 32 up to 1024; 128 if absent.
/// * `shared`: an expression that carves the shared memory of the largest block from `arena: &Arena`; the
///   arguments are in scope, but their memory must not be read. The host measures it before each launch. Nothing if
///   absent.
/// * `requires`: conditions on the arguments, which are in scope. A launch for which one does not hold is an error that
///   states the condition and both sides of a comparison.
///
/// The crate has a `static PTX: PtxModule` at its root.
#[proc_macro_attribute]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attributes as kernel::Options);
    let function = parse_macro_input!(item as syn::ItemFn);
    kernel::expand(options, function).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Lets kernels have a struct as an argument: a `repr(C)` struct of views, numbers and other such structs.
///
/// Of `struct Links<'a> { rows: In<'a, u32>, most: u32 }` it makes what the host fills in:
/// `struct LinksArguments<'a> { rows: BufferView<'a, u32>, most: u32 }`. A struct without a lifetime holds no views: it
/// stays what it is on both sides.
#[proc_macro_derive(Parameter)]
pub fn parameter(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    parameter::expand(item).unwrap_or_else(|e| e.to_compile_error()).into()
}
