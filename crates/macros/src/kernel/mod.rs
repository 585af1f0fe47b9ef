//! `#[kernel]`.
mod first;
mod listed;
mod requires;
#[cfg(test)]
mod tests;

use crate::device;
use first::First;
use listed::{Function, List, Listed};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, FnArg, Ident, ItemFn, LitInt, Pat, Result, ReturnType, Token, Type};

/// Arguments of the attribute.
pub struct Options {
    threads: LitInt,
    per_multiprocessor: Option<LitInt>,
    prefix: Option<Ident>,
    shared: Option<Expr>,
    requires: Vec<Expr>,
    list: Option<List>,
}
impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let threads = LitInt::new("128", Span::call_site());
        let mut options = Self {
            threads,
            per_multiprocessor: None,
            prefix: None,
            shared: None,
            requires: vec![],
            list: None,
        };
        while !input.is_empty() {
            options.parse_one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}
impl Options {
    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.peek(Token![for]) {
            self.list = Some(input.parse()?);
            return Ok(());
        }
        let name: Ident = input.parse()?;
        if name == "requires" {
            let conditions;
            syn::parenthesized!(conditions in input);
            self.requires.extend(Punctuated::<Expr, Token![,]>::parse_terminated(&conditions)?);
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        if name == "threads" {
            self.threads = input.parse()?;
            let n: u32 = self.threads.base10_parse()?;
            if n == 0 || n > 1024 || !n.is_multiple_of(32) {
                return Err(Error::new(self.threads.span(), "a multiple of 32, from 32 to 1024"));
            }
        } else if name == "per_multiprocessor" {
            let blocks: LitInt = input.parse()?;
            if !(1..=32).contains(&blocks.base10_parse::<u32>()?) {
                return Err(Error::new(blocks.span(), "a number of blocks from 1 to 32"));
            }
            self.per_multiprocessor = Some(blocks);
        } else if name == "prefix" {
            self.prefix = Some(input.parse()?);
        } else if name == "shared" {
            self.shared = Some(input.parse()?);
        } else {
            return Err(Error::new(
                name.span(),
                "expected `threads`, `per_multiprocessor`, `prefix`, `shared`, `requires` or `for T in […]`",
            ));
        }
        Ok(())
    }
}

pub fn expand(options: Options, mut function: ItemFn) -> Result<TokenStream> {
    let signature = &function.sig;
    let name = &signature.ident;
    if !matches!(signature.output, ReturnType::Default) {
        return Err(Error::new(signature.output.span(), "a kernel returns nothing: it writes to buffers"));
    }
    let mut inputs = signature.inputs.iter();
    let first = First::take(name, &mut inputs)?;
    match (&first, &options.shared) {
        (First::PerPatch { .. }, Some(shared)) => {
            return Err(Error::new(
                shared.span(),
                "the query of `PerPatch` is all that its kernel has in shared memory",
            ));
        }
        (First::Each { .. }, Some(shared)) => {
            return Err(Error::new(
                shared.span(),
                "a kernel of `Each` has no shared memory: its elements do not meet in a block",
            ));
        }
        _ => {}
    }
    let (mut host_names, mut given): (Vec<Ident>, Vec<&Type>) = (vec![], vec![]);
    for input in inputs {
        match input {
            FnArg::Typed(a) => match &*a.pat {
                Pat::Ident(p) => {
                    host_names.push(p.ident.clone());
                    given.push(&a.ty);
                }
                other => return Err(Error::new(other.span(), "a plain name")),
            },
            FnArg::Receiver(r) => return Err(Error::new(r.span(), "a kernel has no self")),
        }
    }
    let filled_in = first.filled_in();
    if let Some((taken, _)) = &filled_in
        && let Some(argument) = host_names.iter().find(|n| *n == taken)
    {
        return Err(Error::new(argument.span(), format!("another name: the launch fills in `{taken}`")));
    }
    let (mut names, mut types) = (host_names.clone(), given.clone());
    if let Some((name, of)) = &filled_in {
        names.insert(0, name.clone());
        types.insert(0, of);
    }
    let structure = Ident::new(&camel_case(&name.to_string()), name.span());
    let entry = match &options.prefix {
        Some(prefix) => format!("{prefix}_{name}"),
        None => name.to_string(),
    };
    let device = device::path()?;
    let listed = Listed::new(
        options.list.as_ref(),
        &Function {
            name,
            structure: &structure,
            visibility: &function.vis,
            generics: &signature.generics,
            entry: &entry,
            names: &host_names,
            types: &given,
        },
        &device,
    )?;
    let Listed { declared, marker, host_types, launched, chosen, arguments, .. } = &listed;
    let (declared_generics, declared_bounds) = (&signature.generics.params, &signature.generics.where_clause);
    let (with, of, bounds) = listed.kernel.split_for_impl();
    let (launch_with, _, launch_bounds) = listed.launch.split_for_impl();
    let (host_generics, host_bounds) = (&listed.host.params, &listed.host.where_clause);
    let statics: Vec<_> = signature.generics.lifetimes().map(|_| quote!('static,)).collect();
    let (threads, visibility) = (&options.threads, &function.vis);
    let docs: Vec<_> = function.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect();
    let carve = match (&options.shared, &first) {
        (None, First::PerPatch { query, .. }) => {
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
                    let Self { #(#names,)* .. } = *self;
                    let _ = { #e };
                }
            }
        }
        (None, _) => quote!(let _ = arena;),
    };
    let turbofish = &listed.turbofish;
    let run = first.run(&quote!(#name #turbofish), &host_names);
    let raw = format_ident!("{}Kernel", structure);
    let conditions: Vec<_> = options.requires.iter().map(requires::condition).collect();
    let evaluated = if conditions.is_empty() {
        quote!()
    } else {
        quote! {
            lowering.evaluate(&kernel, &mut |lowering| {
                #[allow(unused_variables)]
                let (#(#names,)*) = (#(__device::Parameter::absent(kernel.#names),)*);
                #(#conditions)*
            });
        }
    };
    function.attrs.push(syn::parse_quote!(#[inline(always)]));
    function.attrs.push(syn::parse_quote!(#[allow(clippy::too_many_arguments)]));
    let labels: Vec<_> = names.iter().map(|n| n.to_string()).collect();
    let entry_name = &listed.name;
    let entry_points = listed.instances.iter().map(|instance| {
        let arguments = &instance.arguments;
        entry_point(&instance.entry, &quote!(#raw<#(#statics)* #arguments>), &options)
    });
    let arguments_doc: Vec<_> = names.iter().map(|n| format!("Argument `{n}` of [`{name}()`].")).collect();
    let host_arguments_doc = &arguments_doc[names.len() - host_names.len()..];
    let raw_doc = format!("What [`{name}()`] gets: [`{structure}`] after the launch has checked it.");
    let (marker_field, marker_value) = match marker {
        Some(marker) => {
            (quote!(#[doc(hidden)] pub types: #marker,), quote!(types: ::core::marker::PhantomData,))
        }
        None => (quote!(), quote!()),
    };
    let mut sources: Vec<_> = host_names.iter().map(|n| quote!(arguments.#n)).collect();
    if let Some((filled_in, _)) = &filled_in {
        sources.insert(0, quote!(#filled_in));
    }
    let (launchable, filled_in) = first.launchable();
    Ok(quote! {
        #function

        #[doc = #raw_doc]
        #[repr(C)]
        #visibility struct #raw<#declared_generics> #declared_bounds {
            #(#[doc = #arguments_doc] pub #names: #types,)*
            #marker_field
        }

        #(#docs)*
        #[cfg(not(target_arch = "nvptx64"))]
        #visibility struct #structure<#host_generics> #host_bounds {
            #(#[doc = #host_arguments_doc] pub #host_names: #host_types),*
        }
        #declared
        #chosen

        const _: () = {
            use #device as __device;
            impl #with Clone for #raw #of #declared_bounds {
                #[inline(always)]
                fn clone(&self) -> Self { *self }
            }
            impl #with Copy for #raw #of #declared_bounds {}
            // SAFETY: `repr(C)`, the parameter of the entry points below, which are in the crate's PTX.
            unsafe impl #with __device::Kernel for #raw #of #bounds {
                const NAME: &'static str = #entry_name;
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
                // on the CPU a launch calls it by address: it is compiled once
                #[cfg_attr(target_arch = "nvptx64", inline(always))]
                #[cfg_attr(not(target_arch = "nvptx64"), inline(never))]
                unsafe fn run(self, block: &__device::Block) { #run }
                #[cfg_attr(not(target_arch = "nvptx64"), inline(never))]
                #[allow(clippy::let_unit_value)]
                fn carve(&self, arena: &__device::Arena) { #carve }
                #[cfg(not(target_arch = "nvptx64"))]
                #[inline(never)]
                fn argument_at(&self, address: usize) -> ::core::option::Option<&'static str> {
                    #(if __device::Parameter::holds(&self.#names, address) {
                        return ::core::option::Option::Some(#labels);
                    })*
                    ::core::option::Option::None
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            // SAFETY: each argument is lowered by itself, and the conditions are checked.
            unsafe impl #launch_with __device::launch::#launchable for #launched #launch_bounds {
                type Kernel = #raw #of;
                fn lower(self, #filled_in lowering: &mut __device::launch::Lowering) -> #raw #of {
                    let arguments = #arguments;
                    let kernel = #raw {
                        #(#names: __device::launch::Argument::lower(#sources, #labels, lowering),)*
                        #marker_value
                    };
                    #evaluated
                    kernel
                }
            }
            #(#entry_points)*
        };
    })
}

/// An entry point, and what PTX states of it.
fn entry_point(entry: &str, kernel: &TokenStream, options: &Options) -> TokenStream {
    let bounds_name = format!("ribbonmesh_bounds_{entry}");
    let bounds = options.per_multiprocessor.as_ref().map(|blocks| {
        let threads = &options.threads;
        quote! {
            // threads of a block, and blocks for which a multiprocessor is to have registers
            #[unsafe(export_name = #bounds_name)]
            static BOUNDS: [u16; 2] = [#threads, #blocks];
        }
    });
    let layout_name = format!("ribbonmesh_layout_{entry}");
    let module_name = format!("ribbonmesh_module_{entry}");
    // PTX has the entry points of its own crate, not those of the crates that it uses: cargo tells them apart
    if std::env::var_os("CARGO_PRIMARY_PACKAGE").is_some() {
        quote! {
            #[cfg(target_arch = "nvptx64")]
            const _: () = {
                #[unsafe(export_name = #entry)]
                unsafe extern "ptx-kernel" fn entry(launch: __device::Launch<'static, #kernel>) {
                    // SAFETY: the start of an entry point; the launch has checked the arguments.
                    unsafe {
                        let block = __device::Block::enter(launch.status);
                        __device::Kernel::run(launch.kernel, &block)
                    }
                }
                #bounds
                #[unsafe(export_name = #layout_name)]
                static LAYOUT: u64 = <#kernel as __device::Kernel>::LAYOUT;
                // whose file of PTX has the kernel
                #[unsafe(export_name = #module_name)]
                static MODULE: [u8; ::core::module_path!().len()] = {
                    let mut path = [0; ::core::module_path!().len()];
                    path.copy_from_slice(::core::module_path!().as_bytes());
                    path
                };
            };
        }
    } else {
        // what the kernel uses is not dead code
        quote! {
            #[cfg(target_arch = "nvptx64")]
            const _: () = {
                #[allow(dead_code, reason = "it only names what the kernel uses; the crate has no entry point")]
                fn not_exported(kernel: #kernel, block: &__device::Block) {
                    let _: ::core::option::Option<unsafe extern "ptx-kernel" fn()> = ::core::option::Option::None;
                    // SAFETY: never called.
                    unsafe { __device::Kernel::run(kernel, block) }
                }
            };
        }
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
