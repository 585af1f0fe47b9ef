//! The derive macros `Options` and `Choice`; `ribbonmesh-application` re-exports and explains them.
use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

mod choice;
mod options;
mod text;

/// Makes a schema of a struct with named fields, and reads the struct from given values.
///
/// The doc comment of a field is its help. The default is that of `Default`. A field has the attribute
/// `#[option(...)]` with any of:
///
/// | key | meaning |
/// |---|---|
/// | `skip` | The field is not an option. |
/// | `name = "..."` | Name, if it is not that of the field. |
/// | `unit = "..."` | Placeholder of the value: a unit, a letter. Without it: `N`, `X`, `LENGTH`, or the choices. |
/// | `default = "..."` | The default in words, where it depends on the mesh or on other options. |
/// | `usual = path` | Function of the other options that gives the default. |
/// | `least = ...`, `most = ...` | Range of a whole number. |
/// | `requires(...)` | Names of options without which this one is refused. |
/// | `conflicts(...)` | Names of options with which this one is refused. |
/// | `positional` | May be given without its name in Python. |
/// | `negative` | The command takes values that begin with a hyphen. |
/// | `inverted` | The flag makes the field false. |
/// | `command_only` | The option does not exist in Python. |
///
/// The attribute `#[options(...)]` of the struct takes `any_of(...)`, names of options one of which is
/// needed, and `check`, which calls the method `check(&self) -> Result<(), Error>` of the struct.
#[proc_macro_derive(Options, attributes(option, options))]
pub fn options(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    options::expand(&item).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Gives an enum without fields names: `ALL`, `name`, `Display`, `FromStr` in upper or lower case, and its
/// docs.
///
/// A name is that of the variant in kebab case, or `#[choice(name = "...")]`. Errors call the option by the
/// type's name in lower case, or as `#[choice(option = "...")]` of the enum says.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(item: TokenStream) -> TokenStream {
    let item = parse_macro_input!(item as DeriveInput);
    choice::expand(&item).unwrap_or_else(|e| e.to_compile_error()).into()
}
