//! `#[derive(Parameter)]`.
use crate::device;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Fields, Result};

pub fn expand(item: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &item.data else {
        return Err(Error::new(item.span(), "an argument of a kernel is a struct"));
    };
    let representation = |a: &syn::Attribute| a.path().is_ident("repr");
    if !item.attrs.iter().any(representation) {
        return Err(Error::new(
            item.ident.span(),
            "`#[repr(C)]`: the host and the GPU must agree on the layout",
        ));
    }
    if let Some(p) = item.generics.const_params().next() {
        return Err(Error::new(
            p.span(),
            "an argument of a kernel has lifetimes and types, but no constants",
        ));
    }
    let device = device::path()?;
    let name = &item.ident;
    let mut generics = item.generics.clone();
    for parameter in item.generics.type_params() {
        let of = &parameter.ident;
        generics.make_where_clause().predicates.push(syn::parse_quote!(#of: #device::Pod));
    }
    let (with, of, bounds) = generics.split_for_impl();
    let names: Vec<_> = data.fields.members().collect();
    let types: Vec<_> = data.fields.iter().map(|f| &f.ty).collect();
    let holds = quote! {
        fn holds(&self, address: usize) -> bool {
            false #(|| __device::Parameter::holds(&self.#names, address))*
        }
    };
    let labels: Vec<_> = names.iter().map(|n| n.to_token_stream().to_string()).collect();
    let layout = quote! {
        const _: () = {
            use #device as __device;
            impl #with __device::layout::Layout for #name #of #bounds {
                const HASH: u64 = {
                    let hash = __device::layout::plain::<Self>();
                    #(let hash = __device::layout::field(
                        hash,
                        #labels,
                        ::core::mem::offset_of!(Self, #names),
                        <#types as __device::layout::Layout>::HASH,
                    );)*
                    hash
                };
            }
        };
    };
    if item.generics.params.is_empty() {
        return Ok(quote! {
            #layout
            #[cfg(not(target_arch = "nvptx64"))]
            const _: () = {
                use #device as __device;
                const fn plain<T: __device::Parameter<Host = T>>() {}
                #(plain::<#types>();)*
                // SAFETY: each field is plain on both sides.
                unsafe impl __device::Parameter for #name {
                    type Host = Self;
                    #holds
                    fn absent(self) -> Self { self }
                }
                impl __device::launch::Reborrow for #name {
                    type Lent<'lent> = Self;
                    fn reborrow(&mut self) -> Self { *self }
                }
                // SAFETY: no views.
                unsafe impl __device::launch::Argument for #name {
                    type Parameter = Self;
                    fn lower(self, _: &'static str, _: &mut __device::launch::Lowering) -> Self { self }
                }
            };
        });
    }
    let host = format_ident!("{}Arguments", name);
    let visibility = &item.vis;
    let hosts: Vec<_> = types.iter().map(|t| device::host_type(&device, t)).collect();
    let held: Vec<_> = item.generics.type_params().map(|p| &p.ident).collect();
    let documented =
        |f: &Field| f.attrs.iter().filter(|a| a.path().is_ident("doc")).cloned().collect::<Vec<_>>();
    let (seen, docs): (Vec<_>, Vec<_>) = data.fields.iter().map(|f| (&f.vis, documented(f))).unzip();
    let declared = &item.generics;
    let doc = format!("What the host has for an argument of type [`{name}`], whose fields these are.");
    let short = item.generics.lifetimes().map(|_| quote!('lent));
    let types_of = item.generics.type_params().map(|p| p.ident.to_token_stream());
    let arguments: Vec<_> = short.chain(types_of).collect();
    let lent = quote!(<#(#arguments),*>);
    let body = match &data.fields {
        Fields::Unnamed(_) => quote!((#(#(#docs)* #seen #hosts),*);),
        _ => quote!({ #(#(#docs)* #seen #names: #hosts),* }),
    };
    Ok(quote! {
        #layout
        #[cfg(not(target_arch = "nvptx64"))]
        #[doc = #doc]
        #visibility struct #host #declared #body
        #[cfg(not(target_arch = "nvptx64"))]
        const _: () = {
            use #device as __device;
            impl #with Clone for #host #of where #(#hosts: Copy,)* #(#held: __device::Pod),* {
                fn clone(&self) -> Self { *self }
            }
            impl #with Copy for #host #of where #(#hosts: Copy,)* #(#held: __device::Pod),* {}
            impl #with #host #of #bounds {
                /// Lends the arguments to one of several launches.
                pub fn reborrow(&mut self) -> <Self as __device::launch::Reborrow>::Lent<'_> {
                    __device::launch::Reborrow::reborrow(self)
                }
            }
            impl #with __device::launch::Reborrow for #host #of #bounds {
                type Lent<'lent> = #host #lent where Self: 'lent;
                fn reborrow(&mut self) -> Self::Lent<'_> {
                    #host { #(#names: __device::launch::Reborrow::reborrow(&mut self.#names)),* }
                }
            }
            // SAFETY: each field is an argument of its own.
            unsafe impl #with __device::Parameter for #name #of #bounds {
                type Host = #host #of;
                #holds
                fn absent(self) -> Self {
                    Self { #(#names: __device::Parameter::absent(self.#names)),* }
                }
            }
            // SAFETY: each field is lowered by itself.
            unsafe impl #with __device::launch::Argument for #host #of #bounds {
                type Parameter = #name #of;
                fn lower(self, name: &'static str, lowering: &mut __device::launch::Lowering) -> #name #of {
                    lowering.within(name, |lowering| #name {
                        #(#names: __device::launch::Argument::lower(self.#names, #labels, lowering)),*
                    })
                }
            }
        };
    })
}
