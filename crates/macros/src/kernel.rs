//! `#[kernel]`.
use crate::device;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    BinOp, Error, Expr, FnArg, GenericArgument, Ident, ItemFn, Lifetime, LitInt, Pat, PathArguments, Result,
    ReturnType, Token, Type,
};

/// The arguments in the parentheses of the attribute.
pub struct Options {
    threads: LitInt,
    prefix: Option<Ident>,
    shared: Option<Expr>,
    requires: Vec<Expr>,
}
impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let threads = LitInt::new("128", Span::call_site());
        let mut options = Self { threads, prefix: None, shared: None, requires: vec![] };
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            if name == "requires" {
                let conditions;
                syn::parenthesized!(conditions in input);
                options.requires.extend(Punctuated::<Expr, Token![,]>::parse_terminated(&conditions)?);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
                continue;
            }
            input.parse::<Token![=]>()?;
            if name == "threads" {
                options.threads = input.parse()?;
                let n: u32 = options.threads.base10_parse()?;
                if n == 0 || n > 1024 || !n.is_multiple_of(32) {
                    return Err(Error::new(options.threads.span(), "a multiple of 32, from 32 to 1024"));
                }
            } else if name == "prefix" {
                options.prefix = Some(input.parse()?);
            } else if name == "shared" {
                options.shared = Some(input.parse()?);
            } else {
                return Err(Error::new(name.span(), "expected `threads`, `prefix`, `shared` or `requires`"));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

pub fn expand(options: Options, mut function: ItemFn) -> Result<TokenStream> {
    let signature = &function.sig;
    let name = &signature.ident;
    if let Some(p) = signature.generics.params.iter().find(|p| !matches!(p, syn::GenericParam::Lifetime(_))) {
        return Err(Error::new(
            p.span(),
            "a kernel is one entry point: it has lifetimes, but no generic types; write a generic function, and a kernel for \
             each type that calls it",
        ));
    }
    if !matches!(signature.output, ReturnType::Default) {
        return Err(Error::new(signature.output.span(), "a kernel returns nothing: it writes to buffers"));
    }
    let mut inputs = signature.inputs.iter();
    let Some(first) = inputs.next() else {
        return Err(Error::new(signature.ident.span(), format!("the block is missing: {FIRST}")));
    };
    let per_patch = PerPatch::of(first)?;
    if per_patch.is_none() {
        expect_block(first, inputs.clone())?;
    }
    if let (Some(_), Some(shared)) = (&per_patch, &options.shared) {
        return Err(Error::new(
            shared.span(),
            "the query of `PerPatch` is all that its kernel has in shared memory",
        ));
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
    let (mut names, mut types): (Vec<Ident>, Vec<&Type>) = fields.into_iter().unzip();
    let (host_names, host_types): (Vec<_>, Vec<_>) = (names.clone(), types.clone());
    if let Some(per_patch) = &per_patch {
        names.insert(0, Ident::new(MESH, Span::call_site()));
        types.insert(0, &per_patch.mesh);
    }
    let generics = &signature.generics;
    let (with, of, bounds) = generics.split_for_impl();
    let life: Vec<_> = generics.lifetimes().map(|l| &l.lifetime).collect();
    let statics: Vec<_> = life.iter().map(|_| quote!('static)).collect();
    let structure = Ident::new(&camel_case(&name.to_string()), name.span());
    let entry = match &options.prefix {
        Some(prefix) => format!("{prefix}_{name}"),
        None => name.to_string(),
    };
    let (threads, visibility) = (&options.threads, &function.vis);
    let docs: Vec<_> = function.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect();
    let carve = match (&options.shared, &per_patch) {
        (None, Some(PerPatch { query, .. })) => {
            let query = without_lifetimes(query.to_token_stream());
            quote!(let _ = <#query as __device::PatchQuery<'_, '_>>::carve(arena, &self.mesh.max);)
        }
        (Some(e), _) => {
            quote! {
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    // the host measures: lengths and numbers
                    #[allow(unused_variables)]
                    let (#(#names,)*) = (#(__device::Parameter::absent(self.#names),)*);
                    let _ = { #e };
                }
                #[cfg(target_arch = "nvptx64")]
                {
                    #[allow(unused_variables)]
                    let Self { #(#names),* } = *self;
                    let _ = { #e };
                }
            }
        }
        (None, None) => quote!(let _ = arena;),
    };
    let device = device::path()?;
    let host_types: Vec<_> = host_types.iter().map(|t| device::host_type(&device, t)).collect();
    let run = match &per_patch {
        Some(_) => quote!(#name(__device::PerPatch::new(block, self.mesh), #(self.#host_names),*)),
        None => quote!(#name(block, #(self.#names),*)),
    };
    let raw = format_ident!("{}Kernel", structure);
    let conditions: Vec<_> = options.requires.iter().map(condition).collect();
    let evaluated = if conditions.is_empty() {
        quote!()
    } else {
        quote! {
            lowering.evaluate(&kernel, |lowering| {
                #[allow(unused_variables)]
                let (#(#names,)*) = (#(__device::Parameter::absent(kernel.#names),)*);
                #(#conditions)*
            });
        }
    };
    function.attrs.push(syn::parse_quote!(#[inline(always)]));
    function.attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    let labels: Vec<_> = names.iter().map(|n| n.to_string()).collect();
    let layout_name = format!("ribbonmesh_layout_{entry}");
    let module_name = format!("ribbonmesh_module_{entry}");
    // PTX has the entry points of its own crate, not those of the crates that it uses: cargo tells them apart
    let entry_point = if std::env::var_os("CARGO_PRIMARY_PACKAGE").is_some() {
        quote! {
            #[cfg(target_arch = "nvptx64")]
            #[unsafe(export_name = #entry)]
            unsafe extern "ptx-kernel" fn entry(launch: __device::Launch<'static, #raw<#(#statics),*>>) {
                // SAFETY: the start of an entry point; the launch has checked the arguments.
                unsafe {
                    let block = __device::Block::enter(launch.status);
                    __device::Kernel::run(launch.kernel, &block)
                }
            }
            #[cfg(target_arch = "nvptx64")]
            #[unsafe(export_name = #layout_name)]
            static LAYOUT: u64 = <#raw<#(#statics),*> as __device::Kernel>::LAYOUT;
            // whose file of PTX has the kernel
            #[cfg(target_arch = "nvptx64")]
            #[unsafe(export_name = #module_name)]
            static MODULE: [u8; ::core::module_path!().len()] = {
                let mut path = [0; ::core::module_path!().len()];
                path.copy_from_slice(::core::module_path!().as_bytes());
                path
            };
        }
    } else {
        // items that the kernel uses are not dead code
        quote! {
            #[cfg(target_arch = "nvptx64")]
            #[allow(dead_code)]
            fn not_exported(kernel: #raw<#(#statics),*>, block: &__device::Block) {
                let _: ::core::option::Option<unsafe extern "ptx-kernel" fn()> = ::core::option::Option::None;
                // SAFETY: never called.
                unsafe { __device::Kernel::run(kernel, block) }
            }
        }
    };
    let arguments_doc: Vec<_> = names.iter().map(|n| format!("Argument `{n}` of [`{name}()`].")).collect();
    let host_arguments_doc = &arguments_doc[names.len() - host_names.len()..];
    let raw_doc = format!("What [`{name}()`] gets: [`{structure}`] after the launch has checked it.");
    let sources: Vec<_> = match &per_patch {
        Some(_) => std::iter::once(quote!(mesh)).chain(host_names.iter().map(|n| quote!(self.#n))).collect(),
        None => names.iter().map(|n| quote!(self.#n)).collect(),
    };
    let lowered = quote! {
        let kernel = #raw { #(#names: __device::launch::Argument::lower(#sources, #labels, lowering)),* };
        #evaluated
        kernel
    };
    let launchable = match &per_patch {
        Some(PerPatch { life, .. }) => quote! {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: each argument is lowered by itself, and the conditions are checked.
            unsafe impl #with __device::launch::PatchLaunchable<#life> for #structure #of #bounds {
                type Kernel = #raw #of;
                fn lower(
                    self,
                    mesh: __device::launch::MeshArgument<#life>,
                    lowering: &mut __device::launch::Lowering,
                ) -> #raw #of {
                    #lowered
                }
            }
        },
        None => quote! {
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: each argument is lowered by itself, and the conditions are checked.
            unsafe impl #with __device::launch::Launchable for #structure #of #bounds {
                type Kernel = #raw #of;
                fn lower(self, lowering: &mut __device::launch::Lowering) -> #raw #of {
                    #lowered
                }
            }
        },
    };
    Ok(quote! {
        #function

        #[doc = #raw_doc]
        #[repr(C)]
        #[derive(Clone, Copy)]
        #visibility struct #raw #generics { #(#[doc = #arguments_doc] pub #names: #types),* }

        #(#docs)*
        #[cfg(not(target_arch = "nvptx64"))]
        #visibility struct #structure #generics { #(#[doc = #host_arguments_doc] pub #host_names: #host_types),* }

        const _: () = {
            use #device as __device;
            // SAFETY: `repr(C)`, the parameter of the entry point below, which is in the crate's PTX.
            unsafe impl #with __device::Kernel for #raw #of #bounds {
                const NAME: &'static str = #entry;
                const THREADS: u32 = #threads;
                const LAYOUT: u64 = {
                    let hash = __device::layout::plain::<__device::Launch<'static, Self>>();
                    #(let hash = __device::layout::field(
                        hash,
                        #labels,
                        ::core::mem::offset_of!(Self, #names),
                        <#types as __device::layout::Layout>::HASH,
                    );)*
                    hash
                };
                #[cfg(not(target_arch = "nvptx64"))]
                const MODULE: &'static __device::PtxModule = &crate::PTX;
                #[inline(always)]
                unsafe fn run(self, block: &__device::Block) { #run }
                #[allow(clippy::let_unit_value)]
                fn carve(&self, arena: &__device::Arena) { #carve }
                #[cfg(not(target_arch = "nvptx64"))]
                fn argument_at(&self, address: usize) -> ::core::option::Option<&'static str> {
                    #(if __device::Parameter::holds(&self.#names, address) {
                        return ::core::option::Option::Some(#labels);
                    })*
                    ::core::option::Option::None
                }
            }
            #launchable
            #entry_point
        };
    })
}

/// The argument of a kernel over patches that the launch fills in.
const MESH: &str = "mesh";

/// The first argument of a kernel that is one closure: `PerPatch<'_, 'a, Query>`.
/// What a kernel begins with.
const FIRST: &str = "a kernel's first argument is `block: &Block`, or `patch: PerPatch<'_, 'a, Query>`";

/// Checks that the first argument may be the block.
fn expect_block<'a>(first: &FnArg, mut others: impl Iterator<Item = &'a FnArg>) -> Result<()> {
    let FnArg::Typed(argument) = first else { return Ok(()) };
    let wrong = |what: &str| Err(Error::new(argument.span(), format!("{what}: {FIRST}")));
    match &*argument.ty {
        Type::Reference(reference) if reference.mutability.is_some() && is_block(&reference.elem) => {
            wrong("the block is borrowed without `mut`")
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(_) => Ok(()),
            _ => wrong("this is no block"),
        },
        by_value if is_block(by_value) => wrong("the block is borrowed"),
        _ => match others.find(|other| matches!(other, FnArg::Typed(other) if refers_to_block(&other.ty))) {
            Some(_) => wrong("the block stands further behind"),
            None => wrong("the block is missing"),
        },
    }
}
fn refers_to_block(of: &Type) -> bool {
    match of {
        Type::Reference(reference) => is_block(&reference.elem),
        of => is_block(of),
    }
}
fn is_block(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Block"))
}

struct PerPatch {
    /// The lifetime of the mesh.
    life: Lifetime,
    query: Type,
    /// `MeshView` with that lifetime.
    mesh: Type,
}
impl PerPatch {
    fn of(first: &FnArg) -> Result<Option<Self>> {
        let FnArg::Typed(argument) = first else { return Ok(None) };
        let Type::Path(path) = &*argument.ty else { return Ok(None) };
        let Some(last) = path.path.segments.last().filter(|last| last.ident == "PerPatch") else {
            return Ok(None);
        };
        let wrong = || {
            Error::new(argument.ty.span(), "as `PerPatch<'_, 'a, Query>`, `'a` one of the kernel's lifetimes")
        };
        let PathArguments::AngleBracketed(list) = &last.arguments else { return Err(wrong()) };
        let mut list = list.args.iter();
        let (Some(_), Some(GenericArgument::Lifetime(life)), Some(GenericArgument::Type(query)), None) =
            (list.next(), list.next(), list.next(), list.next())
        else {
            return Err(wrong());
        };
        if life.ident == "_" {
            return Err(wrong());
        }
        let device = device::path()?;
        let mesh = syn::parse2(quote!(#device::MeshView<#life>))?;
        Ok(Some(Self { life: life.clone(), query: query.clone(), mesh }))
    }
}

/// A type with `'_` for each lifetime.
fn without_lifetimes(of: TokenStream) -> TokenStream {
    let mut is_lifetime = false;
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_lifetimes(group.stream()));
            inner.set_span(group.span());
            inner.into()
        }
        TokenTree::Ident(name) if std::mem::take(&mut is_lifetime) => Ident::new("_", name.span()).into(),
        token => {
            is_lifetime = matches!(&token, TokenTree::Punct(p) if p.as_char() == '\'');
            token
        }
    };
    of.into_iter().map(one).collect()
}

/// The check of one condition of `requires`.
fn condition(expr: &Expr) -> TokenStream {
    let text = spelled(expr);
    let argument = first_name(expr);
    let (left, right) = match expr {
        Expr::Binary(b) if is_comparison(&b.op) => {
            let (l, r) = (&b.left, &b.right);
            (quote!(::std::format!("{:?}", #l)), quote!(::std::format!("{:?}", #r)))
        }
        _ => (quote!(::std::string::String::new()), quote!(::std::string::String::new())),
    };
    quote! {
        if !(#expr) {
            lowering.refuse(#argument, __device::launch::ArgumentProblem::Requirement {
                condition: #text,
                left: #left,
                right: #right,
            });
        }
    }
}
fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}
/// The condition as people write it: tokens without the spaces that their text has between all of them.
fn spelled(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
    [(" . ", "."), (" ()", "()"), (" (", "("), ("( ", "("), (" )", ")"), ("! ", "!"), (" ,", ",")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}
/// The argument that a condition speaks of: the first name in it.
fn first_name(expr: &Expr) -> String {
    fn find(tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
    }
    find(expr.to_token_stream()).unwrap_or_default()
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
