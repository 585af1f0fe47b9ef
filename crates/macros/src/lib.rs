//! The attributes `#[kernel]` and `#[operator]`.
use proc_macro::TokenStream;
use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::Span;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, FnArg, Ident, ItemFn, LitInt, Pat, Result, ReturnType, Token, parse_macro_input};

/// Makes a kernel of a function of one block.
///
/// ```ignore
/// /// What the kernel does.
/// #[kernel(threads = 128, shared = scratch(arena, n))]
/// pub fn smooth_once<'a>(block: &Block, n: u32, x: In<'a, Vec3>, y: Out<'a, Vec3>) { /* … */ }
/// ```
///
/// The function stays, for other kernels to call. Beside it stands a `repr(C)` struct of the same name in camel
/// case (`SmoothOnce`) with the arguments as public fields, which the host fills and launches: the kernel's
/// arguments are checked at compile time. On the GPU an entry point of the function's name takes that struct.
///
/// * `threads`: threads per block on the GPU, a multiple of 32 up to 1024; 128 if absent.
/// * `shared`: an expression that carves the shared memory of the largest block from `arena: &Arena`; the
///   arguments are in scope. The host measures it before each launch. Nothing if absent.
///
/// The crate has a `static PTX: PtxModule` at its root.
#[proc_macro_attribute]
pub fn kernel(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attributes as Options);
    let function = parse_macro_input!(item as ItemFn);
    expand(options, function).unwrap_or_else(|e| e.to_compile_error()).into()
}

mod operator;

/// Makes an operator of a dynamic mesh: completes the implementation of `Operator` that it stands on, and makes its
/// kernels, named after the type.
///
/// ```ignore
/// #[operator(seed = Edge, cavity = FacesOfEdge, filling = Flip)]
/// impl Operator for FlipDelaunay<'_> {
///     fn priority_local(&self, diamond: Diamond<impl MeshRef>) -> Option<f32> { /* … */ }
/// }
/// ```
///
/// * `seed`: the kind of its seeds.
/// * `cavity`: a `Template` that says which faces are deleted; without it, `fn faces` does.
/// * `filling`: a `Filling` that depends on the cavity alone; without it, `fn fill` fills the cavity.
/// * `in_place`: its `fill` makes no more vertices, edges or faces than are deleted: rounds are shorter.
/// * `no_chords`: its `fill` joins no vertices of the loop, leaves no hole, and asks for no vertex: rounds are shorter.
///   What is declared and not kept is rejected, `BROKEN_FILL`.
///
/// `fn priority_local` in the place of `fn priority` sees an edge with the vertices of its faces alone, so that a pass need
/// not ask all edges. Left out may be `precheck`, and `decide`, `gather` and `scatter` together with their types
/// `Decision`, `Gathered` and `Made`: then these are `()`. All methods are inlined.
#[proc_macro_attribute]
pub fn operator(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attributes as operator::Options);
    let item = parse_macro_input!(item as syn::ItemImpl);
    operator::expand(options, item).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Lets the record of a cavity keep a struct: its fields are numbers, `bool`s, ids, and arrays and structs of these.
#[proc_macro_derive(Decision)]
pub fn decision(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as syn::DeriveInput);
    operator::decision(item).unwrap_or_else(|e| e.to_compile_error()).into()
}

struct Options {
    threads: LitInt,
    shared: Option<Expr>,
}
impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Self { threads: LitInt::new("128", Span::call_site()), shared: None };
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            if name == "threads" {
                options.threads = input.parse()?;
                let n: u32 = options.threads.base10_parse()?;
                if n == 0 || n > 1024 || !n.is_multiple_of(32) {
                    return Err(Error::new(options.threads.span(), "a multiple of 32, from 32 to 1024"));
                }
            } else if name == "shared" {
                options.shared = Some(input.parse()?);
            } else {
                return Err(Error::new(name.span(), "expected `threads` or `shared`"));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

fn expand(options: Options, mut function: ItemFn) -> Result<proc_macro2::TokenStream> {
    let signature = &function.sig;
    let name = &signature.ident;
    if let Some(p) = signature.generics.params.iter().find(|p| !matches!(p, syn::GenericParam::Lifetime(_))) {
        return Err(Error::new(
            p.span(),
            "a kernel is one entry point: it has lifetimes, but no generic types",
        ));
    }
    if !matches!(signature.output, ReturnType::Default) {
        return Err(Error::new(signature.output.span(), "a kernel returns nothing: it writes to buffers"));
    }
    let mut inputs = signature.inputs.iter();
    if inputs.next().is_none() {
        return Err(Error::new(signature.span(), "the first argument is `block: &Block`"));
    }
    let mut fields = Vec::new();
    for input in inputs {
        match input {
            FnArg::Typed(a) => match &*a.pat {
                Pat::Ident(p) => fields.push((p.ident.clone(), &*a.ty)),
                other => return Err(Error::new(other.span(), "a plain name")),
            },
            FnArg::Receiver(r) => return Err(Error::new(r.span(), "a kernel has no self")),
        }
    }
    let (names, types): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let generics = &signature.generics;
    let (with, of, bounds) = generics.split_for_impl();
    let life: Vec<_> = generics.lifetimes().map(|l| &l.lifetime).collect();
    let statics = life.iter().map(|_| quote!('static));
    let structure = Ident::new(&camel_case(&name.to_string()), name.span());
    let entry = name.to_string();
    let (threads, visibility) = (&options.threads, &function.vis);
    let docs: Vec<_> = function.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect();
    let carve = match &options.shared {
        Some(e) => quote! { #[allow(unused_variables)] let Self { #(#names),* } = *self; let _ = { #e }; },
        None => quote!(let _ = arena;),
    };
    let device = device_path()?;
    function.attrs.push(syn::parse_quote!(#[inline(always)]));
    function.attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    let arguments_doc: Vec<_> = names.iter().map(|n| format!("Argument `{n}` of [`{entry}()`].")).collect();
    Ok(quote! {
        #function

        #(#docs)*
        #[repr(C)]
        #[derive(Clone, Copy)]
        #visibility struct #structure #generics { #(#[doc = #arguments_doc] pub #names: #types),* }

        const _: () = {
            use #device as __device;
            impl #with __device::Kernel for #structure #of #bounds {
                const NAME: &'static str = #entry;
                const THREADS: u32 = #threads;
                #[cfg(not(target_arch = "nvptx64"))]
                const MODULE: &'static __device::PtxModule = &crate::PTX;
                #[inline(always)]
                fn run(self, block: &__device::Block) { #name(block, #(self.#names),*) }
                #[allow(clippy::let_unit_value)]
                fn carve(&self, arena: &__device::Arena) { #carve }
            }
            #[cfg(target_arch = "nvptx64")]
            #[unsafe(export_name = #entry)]
            unsafe extern "ptx-kernel" fn entry(launch: __device::Launch<#structure<#(#statics),*>>) {
                let block = unsafe { __device::Block::enter(launch.status) };
                __device::Kernel::run(launch.kernel, &block)
            }
        };
    })
}

/// The device crate, as the crate with the kernel knows it: directly, or through `ribbonmesh`.
fn device_path() -> Result<proc_macro2::TokenStream> {
    let name = |found| match found {
        FoundCrate::Itself => Ident::new("crate", Span::call_site()),
        FoundCrate::Name(name) => Ident::new(&name, Span::call_site()),
    };
    if let Ok(found) = crate_name("ribbonmesh-device") {
        let name = name(found);
        return Ok(quote!(::#name));
    }
    match crate_name("ribbonmesh") {
        Ok(found) => {
            let name = name(found);
            Ok(quote!(::#name::device))
        }
        Err(e) => Err(Error::new(Span::call_site(), format!("a kernel crate depends on `ribbonmesh`: {e}"))),
    }
}

/// `smooth_once` to `SmoothOnce`.
fn camel_case(name: &str) -> String {
    name.split('_')
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}
