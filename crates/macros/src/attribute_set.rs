//! `#[derive(AttributeSet)]`.
use crate::device;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Result};

pub fn expand(item: DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &item.data else {
        return Err(Error::new(item.span(), "a set of attributes is a struct"));
    };
    let ribbonmesh = device::library("a set of attributes")?;
    let name = &item.ident;
    let (with, of, bounds) = item.generics.split_for_impl();
    let members = data.fields.members().zip(&data.fields);
    let attributes: Vec<_> =
        members.filter(|(_, field)| is_attribute(field)).map(|(member, _)| member).collect();
    Ok(quote! {
        impl #with #ribbonmesh::dynamic::AttributeSet for #name #of #bounds {
            fn for_each_attribute(
                &mut self,
                visit: &mut dyn FnMut(&mut dyn #ribbonmesh::dynamic::Follow) -> #ribbonmesh::Result<()>,
            ) -> #ribbonmesh::Result<()> {
                #(#ribbonmesh::dynamic::AttributeSet::for_each_attribute(&mut self.#attributes, visit)?;)*
                ::core::result::Result::Ok(())
            }
        }
    })
}

/// Whether a field is an attribute, or says that it is a set of them.
fn is_attribute(field: &Field) -> bool {
    fn names(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(name) => name == "DynamicAttribute",
            TokenTree::Group(group) => names(group.stream()),
            _ => false,
        })
    }
    field.attrs.iter().any(|a| a.path().is_ident("attributes")) || names(field.ty.to_token_stream())
}
