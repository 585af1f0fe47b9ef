//! `#[derive(Choice)]`.
use crate::text::{doc, either, words};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Result};

pub fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &item.data else {
        return Err(Error::new_spanned(&item.ident, "a choice is an enum"));
    };
    let ident = &item.ident;
    let mut option = words(&ident.to_string(), ' ');
    for attribute in item.attrs.iter().filter(|a| a.path().is_ident("choice")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("option") {
                return Err(meta.error("option = \"...\" is expected"));
            }
            option = meta.value()?.parse::<LitStr>()?.value();
            Ok(())
        })?;
    }
    let (mut variants, mut names, mut docs) = (vec![], vec![], vec![]);
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(Error::new_spanned(variant, "a choice has no fields"));
        }
        let mut name = words(&variant.ident.to_string(), '-');
        for attribute in variant.attrs.iter().filter(|a| a.path().is_ident("choice")) {
            attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("name") {
                    return Err(meta.error("name = \"...\" is expected"));
                }
                name = meta.value()?.parse::<LitStr>()?.value();
                Ok(())
            })?;
        }
        variants.push(&variant.ident);
        names.push(name);
        docs.push(doc(&variant.attrs));
    }
    let (count, expected) = (names.len(), either(&names));
    Ok(quote! {
        impl #ident {
            /// All of them.
            pub const ALL: [Self; #count] = [#(Self::#variants),*];
            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    #(Self::#variants => #names),*
                }
            }
        }
        impl ::std::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }
        impl ::std::str::FromStr for #ident {
            type Err = ::ribbonmesh_application::Error;
            /// Upper or lower case does not matter.
            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|choice| choice.name().eq_ignore_ascii_case(text));
                found.ok_or_else(|| ::ribbonmesh_application::Error::Option {
                    option: #option,
                    value: text.to_owned(),
                    expected: #expected,
                })
            }
        }
        impl ::ribbonmesh_application::OptionValue for #ident {
            const KIND: ::ribbonmesh_application::Kind = ::ribbonmesh_application::Kind::Choice(&[
                #(::ribbonmesh_application::Named { name: #names, help: #docs }),*
            ]);
            fn parse(text: &str) -> ::std::result::Result<Self, ::std::string::String> {
                text.parse().map_err(::ribbonmesh_application::expected)
            }
            fn text(&self) -> ::std::option::Option<::std::string::String> {
                ::std::option::Option::Some(self.name().to_owned())
            }
        }
    })
}
