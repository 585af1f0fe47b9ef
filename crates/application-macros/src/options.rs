//! `#[derive(Options)]`.
use crate::text::doc;
use proc_macro2::TokenStream;
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{
    Data, DeriveInput, Error, Expr, Field, Fields, Ident, LitChar, LitStr, Path, Result, Token, parenthesized,
};

/// The attribute of a field.
#[derive(Default)]
struct Attribute {
    skip: bool,
    name: Option<String>,
    unit: Option<String>,
    default: Option<String>,
    usual: Option<Path>,
    least: Option<Expr>,
    most: Option<Expr>,
    requires: Vec<String>,
    conflicts: Vec<String>,
    positional: bool,
    negative: bool,
    inverted: bool,
    command_only: bool,
    required: bool,
    default_hidden: bool,
    short: Option<char>,
}

fn names(meta: &ParseNestedMeta) -> Result<Vec<String>> {
    let content;
    parenthesized!(content in meta.input);
    let names = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?;
    Ok(names.iter().map(ToString::to_string).collect())
}

impl Attribute {
    fn of(field: &Field) -> Result<Self> {
        let mut found = Self::default();
        for attribute in field.attrs.iter().filter(|a| a.path().is_ident("option")) {
            attribute.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let text = |meta: &ParseNestedMeta| Ok::<_, Error>(meta.value()?.parse::<LitStr>()?.value());
                match key.as_str() {
                    "skip" => found.skip = true,
                    "name" => found.name = Some(text(&meta)?),
                    "unit" => found.unit = Some(text(&meta)?),
                    "default" => found.default = Some(text(&meta)?),
                    "usual" => found.usual = Some(meta.value()?.parse()?),
                    "least" => found.least = Some(meta.value()?.parse()?),
                    "most" => found.most = Some(meta.value()?.parse()?),
                    "requires" => found.requires = names(&meta)?,
                    "conflicts" => found.conflicts = names(&meta)?,
                    "positional" => found.positional = true,
                    "negative" => found.negative = true,
                    "inverted" => found.inverted = true,
                    "command_only" => found.command_only = true,
                    "required" => found.required = true,
                    "default_hidden" => found.default_hidden = true,
                    "short" => found.short = Some(meta.value()?.parse::<LitChar>()?.value()),
                    _ => return Err(meta.error("not a key of an option")),
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

pub fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &item.data else {
        return Err(Error::new_spanned(&item.ident, "options are a struct"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&item.ident, "options have names"));
    };
    let (mut any_of, mut check) = (vec![], false);
    for attribute in item.attrs.iter().filter(|a| a.path().is_ident("options")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("any_of") {
                any_of = names(&meta)?;
            } else if meta.path.is_ident("check") {
                check = true;
            } else {
                return Err(meta.error("any_of(...) or check is expected"));
            }
            Ok(())
        })?;
    }
    let (mut schemas, mut reads, mut usuals) = (vec![], vec![], vec![]);
    for field in &fields.named {
        let attribute = Attribute::of(field)?;
        let (Some(ident), false) = (&field.ident, attribute.skip) else { continue };
        let Attribute { requires, conflicts, positional, negative, inverted, command_only, .. } = &attribute;
        let Attribute { required, default_hidden, .. } = &attribute;
        let short = match attribute.short {
            Some(letter) => quote!(::std::option::Option::Some(#letter)),
            None => quote!(::std::option::Option::None),
        };
        let (name, help, ty) =
            (attribute.name.clone().unwrap_or_else(|| ident.to_string()), doc(&field.attrs), &field.ty);
        let optional = |text: &Option<String>| match text {
            Some(text) => quote!(::std::option::Option::Some(#text)),
            None => quote!(::std::option::Option::None),
        };
        let (unit, words) = (optional(&attribute.unit), optional(&attribute.default));
        let value = quote!(<#ty as ::ribbonmesh_application::OptionValue>);
        let kind = match (&attribute.least, &attribute.most) {
            (None, None) => quote!(#value::KIND),
            (least, most) => {
                let least = least.as_ref().map_or(quote!(0), |e| quote!(#e));
                let most = most.as_ref().map_or(quote!(u32::MAX as u64), |e| quote!(#e));
                quote!(::ribbonmesh_application::Kind::Whole { least: #least, most: #most })
            }
        };
        let default = match (inverted, &attribute.usual) {
            (false, None) => quote!(#value::text(&default.#ident)),
            _ => quote!(::std::option::Option::None),
        };
        schemas.push(quote! {
            ::ribbonmesh_application::OptionSchema {
                name: #name,
                help: #help,
                unit: #unit,
                kind: #kind,
                default: #default,
                default_words: #words,
                requires: &[#(#requires),*],
                conflicts: &[#(#conflicts),*],
                positional: #positional,
                negative: #negative,
                command_only: #command_only,
                required: #required,
                default_hidden: #default_hidden,
                short: #short,
                check: |text| #value::parse(text).map(drop),
            }
        });
        reads.push(match inverted {
            true => quote!(if given.has(#name) { options.#ident = false; }),
            false => quote! {
                if let ::std::option::Option::Some(value) = given.value(#name)? { options.#ident = value; }
            },
        });
        if let Some(usual) = &attribute.usual {
            usuals.push(quote!(if !given.has(#name) { options.#ident = #usual(&options); }));
        }
    }
    let ident = &item.ident;
    let check = check.then(|| quote!(options.check()?;));
    Ok(quote! {
        impl ::ribbonmesh_application::Options for #ident {
            fn schema() -> &'static ::ribbonmesh_application::Schema {
                static SCHEMA: ::std::sync::OnceLock<::ribbonmesh_application::Schema> =
                    ::std::sync::OnceLock::new();
                SCHEMA.get_or_init(|| {
                    let default = <Self as ::std::default::Default>::default();
                    ::ribbonmesh_application::Schema {
                        options: ::std::vec![#(#schemas),*],
                        any_of: &[#(#any_of),*],
                    }
                })
            }
            fn from_given(
                given: &::ribbonmesh_application::Given,
            ) -> ::std::result::Result<Self, ::ribbonmesh_application::Failure> {
                let mut options = <Self as ::std::default::Default>::default();
                #(#reads)*
                #(#usuals)*
                #check
                ::std::result::Result::Ok(options)
            }
        }
    })
}
