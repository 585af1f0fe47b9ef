//! Names of the device crate, as seen from the crate that uses a macro.
use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, GenericArgument, Ident, PathArguments, Result, Type};

/// The device crate: directly, or through `ribbonmesh`.
pub fn path() -> Result<TokenStream> {
    if cfg!(test) {
        return Ok(quote!(::ribbonmesh_device));
    }
    if let Ok(found) = crate_name("ribbonmesh-device") {
        return Ok(absolute(found, "crate"));
    }
    let library = library("a kernel crate")?;
    Ok(quote!(#library::device))
}

/// The path of the library, which the crate of `who` must have as a dependency. The library has this name for
/// itself, so that its tests and examples can use the macros.
pub fn library(who: &str) -> Result<TokenStream> {
    match crate_name("ribbonmesh") {
        Ok(found) => Ok(absolute(found, "ribbonmesh")),
        Err(e) => Err(Error::new(Span::call_site(), format!("{who} depends on `ribbonmesh`: {e}"))),
    }
}

fn absolute(found: FoundCrate, itself: &str) -> TokenStream {
    let name = match &found {
        FoundCrate::Itself => itself,
        FoundCrate::Name(name) => name,
    };
    let name = Ident::new(name, Span::call_site());
    quote!(::#name)
}

/// The type of the host for an argument of this type.
pub fn host_type(device: &TokenStream, of: &Type) -> TokenStream {
    view(device, of).unwrap_or_else(|| quote_spanned!(of.span()=> <#of as #device::Parameter>::Host))
}

/// The host's type for an argument of this type, if that is a view, by name: it reads better in the
/// documentation than the general form, and tells the type of elements.
pub fn view(device: &TokenStream, of: &Type) -> Option<TokenStream> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let arguments = &last.arguments;
    if last.ident == "In" {
        Some(quote!(#device::BufferView #arguments))
    } else if last.ident == "Out" {
        Some(quote!(#device::BufferViewMut #arguments))
    } else if last.ident == "Values" && takes_two_types(arguments) {
        Some(quote!(#device::ColumnView #arguments))
    } else if last.ident == "ValuesMut" && takes_two_types(arguments) {
        Some(quote!(#device::ColumnViewMut #arguments))
    } else if last.ident == "MeshView" {
        Some(quote!(#device::launch::MeshArgument #arguments))
    } else {
        None
    }
}

/// Whether these are an element and a type, as those of `Values`: other structs may have that name, too.
fn takes_two_types(arguments: &PathArguments) -> bool {
    match arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.iter().filter(|a| matches!(a, GenericArgument::Type(_))).count() == 2
        }
        _ => false,
    }
}
