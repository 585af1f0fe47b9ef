//! Kernels with types and numbers of their own: an entry point for each of a list.
use crate::device;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Error, Expr, GenericArgument, GenericParam, Generics, Ident, PathArguments, Result, Token, Type,
    WherePredicate,
};

/// The list behind `for`: `W in [Area, Angle]`, `(T, N) in [(f32, 1), (f64, 3)]`.
pub struct List {
    names: Vec<Ident>,
    rows: Vec<Row>,
    span: Span,
}
/// One entry of the list: what stands for each of the names.
struct Row(Vec<GenericArgument>);

impl Parse for List {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let span = input.parse::<Token![for]>()?.span;
        let tuple = input.peek(syn::token::Paren);
        let names = if tuple { tuple_of(input)? } else { vec![input.parse()?] };
        input.parse::<Token![in]>()?;
        let (content, mut rows): (_, Vec<Row>) = (bracketed(input)?, vec![]);
        for row in content {
            let parsed = syn::parse::Parser::parse2(
                |input: ParseStream<'_>| if tuple { tuple_of(input) } else { Ok(vec![input.parse()?]) },
                row.clone(),
            )?;
            if parsed.len() != names.len() {
                return Err(Error::new(row.span(), format!("one of `for`'s list, {} in all", names.len())));
            }
            rows.push(Row(parsed));
        }
        if rows.is_empty() {
            return Err(Error::new(span, "`for` lists at least one type"));
        }
        Ok(Self { names, rows, span })
    }
}
#[cfg(test)]
impl List {
    /// The names of the entry points of the kernel `kernel`.
    pub fn entries(&self, kernel: &str) -> Vec<String> {
        self.rows.iter().map(|row| entry_name(kernel, row)).collect()
    }
}
fn tuple_of<T: Parse>(input: ParseStream<'_>) -> Result<Vec<T>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(content.parse_terminated(T::parse, Token![,])?.into_iter().collect())
}
/// The tokens of each entry between brackets.
fn bracketed(input: ParseStream<'_>) -> Result<Vec<TokenStream>> {
    let content;
    syn::bracketed!(content in input);
    let entry = |input: ParseStream<'_>| -> Result<TokenStream> {
        if input.peek(syn::token::Paren) {
            return Ok(input.parse::<TokenTree>()?.into());
        }
        Ok(input.parse::<GenericArgument>()?.into_token_stream())
    };
    Ok(content.parse_terminated(entry, Token![,])?.into_iter().collect())
}

/// An entry point.
pub struct Instance {
    /// Its name.
    pub entry: String,
    /// Arguments for the kernel's types and numbers, with `'static` for its lifetimes; behind them `,`
    /// each.
    pub arguments: TokenStream,
}

/// Generic parameters of a kernel's structs.
pub struct Listed {
    /// The entry points.
    pub instances: Vec<Instance>,
    /// The trait of the listed types, with its implementations; nothing for a kernel without.
    pub declared: TokenStream,
    /// The name of the entry point, within the implementation of `Kernel`.
    pub name: TokenStream,
    /// Generics of implementations for the kernel's struct.
    pub kernel: Generics,
    /// The turbofish of the kernel's function.
    pub turbofish: TokenStream,
    /// The field of the kernel's struct that holds types which no argument has.
    pub marker: Option<TokenStream>,
    /// Types of the host's fields.
    pub host_types: Vec<TokenStream>,
    /// Generics of the host's struct.
    pub host: Generics,
    /// Generics of the implementation of what launches it.
    pub launch: Generics,
    /// The type that is launched: the host's struct, or the result of its `of`.
    pub launched: TokenStream,
    /// The struct that `of` makes, and `of`.
    pub chosen: TokenStream,
    /// The host's struct, within the launch.
    pub arguments: TokenStream,
}

/// A kernel's function.
pub struct Function<'a> {
    pub name: &'a Ident,
    pub structure: &'a Ident,
    pub visibility: &'a syn::Visibility,
    pub generics: &'a Generics,
    /// The beginning of its entry points' names.
    pub entry: &'a str,
    /// Arguments that the host gives.
    pub names: &'a [Ident],
    pub types: &'a [&'a Type],
}

/// How the host's struct knows a type or number.
#[derive(PartialEq)]
enum Known {
    /// By the type of a view.
    ByView,
    /// By what the host has for a whole argument.
    ByArgument,
    /// By `of::<…>()`.
    Chosen,
}

impl Listed {
    pub fn new(list: Option<&List>, function: &Function<'_>, device: &TokenStream) -> Result<Self> {
        let generics = function.generics;
        let parameters: Vec<_> =
            generics.params.iter().filter(|p| !matches!(p, GenericParam::Lifetime(_))).collect();
        let names: Vec<_> = parameters.iter().map(|p| name_of(p)).collect();
        let Some(list) = list.filter(|list| list.names.iter().eq(names.iter().copied())) else {
            return match (list, parameters.first()) {
                (None, None) => Ok(Self::without(function, device)),
                (None, Some(first)) => Err(Error::new(
                    first.span(),
                    format!(
                        "a kernel has an entry point for each of its types, which `#[kernel(for {} in [f32, f64])]` lists",
                        spelled(&names)
                    ),
                )),
                (Some(list), None) => {
                    Err(Error::new(list.span, "a list for a kernel without types: `fn name<T: …>(…)`"))
                }
                (Some(list), Some(_)) => Err(Error::new(
                    list.span,
                    format!("the kernel has `{}`, in this order: `for {0} in […]`", spelled(&names)),
                )),
            };
        };
        let known = names.iter().map(|name| known(name, function)).collect::<Result<Vec<_>>>()?;
        let chosen: Vec<_> = of_kind(&parameters, &known, Known::Chosen);
        let by_view: Vec<_> = of_kind(&parameters, &known, Known::ByView);
        let by_argument: Vec<_> = of_kind(&names, &known, Known::ByArgument);

        let mut kernel = generics.clone();
        let (mut host_types, mut whole, mut conditions) = (vec![], vec![], vec![]);
        for (name, of) in function.names.iter().zip(function.types) {
            if device::view(device, of).is_none() && by_argument.iter().any(|p| names_it(of, p)) {
                let host = format_ident!("{}Host", super::camel_case(&name.to_string()));
                conditions.push(quote!(#host: __device::launch::Argument<Parameter = #of>));
                let argument = syn::parse_quote!(#of: __device::KernelArgument);
                kernel.make_where_clause().predicates.push(argument);
                host_types.push(host.to_token_stream());
                whole.push(host);
            } else {
                host_types.push(device::host_type(device, of));
            }
        }
        let host = host_generics(generics, &by_view, &whole, &host_types);
        let traits = Trait::new(function, &parameters, list);
        let listed = traits.bound();

        let predicates = &mut kernel.make_where_clause().predicates;
        predicates.push(syn::parse_quote!(#listed));
        for parameter in parameters.iter().skip(1) {
            if let GenericParam::Type(p) = parameter {
                let of = &p.ident;
                predicates.push(syn::parse_quote!(#of: Send + Sync));
            }
        }
        let mut launch = kernel.clone();
        launch.params.extend(whole.iter().map(|host| -> GenericParam { syn::parse_quote!(#host) }));
        let predicates = &mut launch.make_where_clause().predicates;
        predicates.extend(conditions.into_iter().map(|c| -> WherePredicate { syn::parse_quote!(#c) }));

        let structure = function.structure;
        let host_arguments: Vec<_> = host.params.iter().map(argument_of).collect();
        let chosen_names: Vec<_> = chosen.iter().map(|p| name_of(p)).collect();
        let (launched, declared_of, arguments) = if chosen.is_empty() {
            (quote!(#structure<#(#host_arguments),*>), quote!(), quote!(self))
        } else {
            let of = format_ident!("{structure}Of");
            let launched = quote!(#of<#(#host_arguments,)* #(#chosen_names),*>);
            let bound =
                (chosen.len() == parameters.len() && !traits.has_lifetimes).then(|| quote!(where #listed));
            (launched, declared_of(function, &host, &chosen, bound), quote!(self.arguments))
        };
        let unnamed: Vec<_> = parameters
            .iter()
            .filter(|p| matches!(p, GenericParam::Type(_)))
            .map(|p| name_of(p))
            .filter(|name| !function.types.iter().any(|of| names_it(of, name)))
            .collect();
        let of = &traits.first;
        let (trait_name, trait_arguments) = (&traits.name, &traits.arguments);
        Ok(Self {
            instances: instances(list, function)?,
            declared: traits.declare(function, list),
            name: quote!(<#of as #trait_name #trait_arguments>::NAME),
            kernel,
            turbofish: quote!(::<#(#names),*>),
            marker: (!unnamed.is_empty())
                .then(|| quote!(::core::marker::PhantomData<fn() -> (#(#unnamed,)*)>)),
            host_types,
            host,
            launch,
            launched,
            chosen: declared_of,
            arguments,
        })
    }
    /// A kernel without types.
    fn without(function: &Function<'_>, device: &TokenStream) -> Self {
        let (entry, structure, generics) = (function.entry, function.structure, function.generics);
        let of = generics.split_for_impl().1;
        Self {
            instances: vec![Instance { entry: entry.into(), arguments: quote!() }],
            declared: quote!(),
            name: quote!(#entry),
            kernel: generics.clone(),
            turbofish: quote!(),
            marker: None,
            host_types: function.types.iter().map(|t| device::host_type(device, t)).collect(),
            host: generics.clone(),
            launch: generics.clone(),
            launched: quote!(#structure #of),
            chosen: quote!(),
            arguments: quote!(self),
        }
    }
}

fn of_kind<T: Copy>(all: &[T], known: &[Known], kind: Known) -> Vec<T> {
    all.iter().zip(known).filter(|(_, known)| **known == kind).map(|(of, _)| *of).collect()
}

/// How the host's struct knows the type or number `name`.
fn known(name: &Ident, function: &Function<'_>) -> Result<Known> {
    let nothing = TokenStream::new();
    let named = || function.types.iter().filter(|of| names_it(of, name));
    if named().any(|of| device::view(&nothing, of).is_some()) {
        return Ok(Known::ByView);
    }
    if named().next().is_some() {
        return Ok(Known::ByArgument);
    }
    match function.types.iter().find(|of| occurs(&of.to_token_stream(), name)) {
        None => Ok(Known::Chosen),
        Some(of) => Err(Error::new(
            of.span(),
            format!(
                "this does not tell what `{name}` is, for others may have the same: list both, `for ({name}, U) in \
                 [(…, …), …]`, and let `U` stand here"
            ),
        )),
    }
}

/// Generics of the host's struct: lifetimes and types that its fields have.
fn host_generics(
    of: &Generics,
    by_view: &[&GenericParam],
    whole: &[Ident],
    fields: &[TokenStream],
) -> Generics {
    let names: HashSet<_> = by_view.iter().map(|p| name_of(p).to_string()).collect();
    let others: Vec<_> = of
        .params
        .iter()
        .filter(|p| !matches!(p, GenericParam::Lifetime(_)))
        .map(name_of)
        .filter(|name| !names.contains(&name.to_string()))
        .collect();
    let alone = |tokens: TokenStream| !others.iter().any(|other| occurs(&tokens, other));
    let mut host = Generics::default();
    for parameter in &of.params {
        let mut parameter = parameter.clone();
        let keep = match &mut parameter {
            GenericParam::Lifetime(life) => fields.iter().any(|f| occurs(f, &life.lifetime.ident)),
            GenericParam::Type(of) => {
                of.bounds = of.bounds.iter().filter(|b| alone(b.to_token_stream())).cloned().collect();
                names.contains(&of.ident.to_string())
            }
            GenericParam::Const(of) => names.contains(&of.ident.to_string()),
        };
        if keep {
            host.params.push(parameter);
        }
    }
    host.params.extend(whole.iter().map(|host| -> GenericParam { syn::parse_quote!(#host) }));
    if let Some(conditions) = &of.where_clause {
        let kept: Vec<_> = conditions.predicates.iter().filter(|p| alone(p.to_token_stream())).collect();
        host.make_where_clause().predicates.extend(kept.into_iter().cloned());
    }
    host
}

/// The struct of a launch whose types were chosen, and the method that chooses them.
fn declared_of(
    function: &Function<'_>,
    host: &Generics,
    chosen: &[&GenericParam],
    bound: Option<TokenStream>,
) -> TokenStream {
    let (structure, visibility, name) = (function.structure, function.visibility, function.name);
    let of = format_ident!("{structure}Of");
    let (with, host_of, bounds) = host.split_for_impl();
    let (declared, arguments) = (&host.params, host.params.iter().map(argument_of));
    let plain: Vec<_> = chosen
        .iter()
        .map(|p| match p {
            GenericParam::Type(p) => p.ident.to_token_stream(),
            other => other.to_token_stream(),
        })
        .collect();
    let types = chosen.iter().filter(|p| matches!(p, GenericParam::Type(_))).map(|p| name_of(p));
    let names = chosen.iter().map(|p| name_of(p));
    let comma = (!declared.is_empty() && !declared.trailing_punct()).then(|| quote!(,));
    let struct_doc = format!("[`{structure}`] with its types chosen: what is launched.");
    let method_doc = format!("Chooses for which of its types [`{name}()`] runs.");
    quote! {
        #[doc = #struct_doc]
        #[cfg(not(target_arch = "nvptx64"))]
        #visibility struct #of<#declared #comma #(#plain),*> #bounds {
            arguments: #structure #host_of,
            of: ::core::marker::PhantomData<fn() -> (#(#types,)*)>,
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl #with #structure #host_of #bounds {
            #[doc = #method_doc]
            #visibility fn of<#(#plain),*>(self) -> #of<#(#arguments,)* #(#names),*> #bound {
                #of { arguments: self, of: ::core::marker::PhantomData }
            }
        }
    }
}

/// The trait of the types that a kernel has entry points for.
struct Trait {
    name: Ident,
    /// The type that implements the trait: the kernel's first type, or `()` if it has numbers alone.
    first: TokenStream,
    /// The other types and numbers as declared, and as arguments with their brackets.
    declared: Vec<TokenStream>,
    arguments: TokenStream,
    /// Bounds of the first type, which is `Self` there.
    bounds: Vec<TokenStream>,
    has_lifetimes: bool,
}
impl Trait {
    fn new(function: &Function<'_>, parameters: &[&GenericParam], list: &List) -> Self {
        let first = parameters.iter().position(|p| matches!(p, GenericParam::Type(_)));
        let bounds = match first.map(|at| parameters[at]) {
            Some(GenericParam::Type(p)) => {
                p.bounds.iter().map(|b| with_self(b.to_token_stream(), &p.ident)).collect()
            }
            _ => Vec::<TokenStream>::new(),
        };
        let lives: Vec<_> = function.generics.lifetimes().map(|l| &l.lifetime).collect();
        let of_kernel = |tokens: TokenStream| lives.iter().any(|life| occurs(&tokens, &life.ident));
        let has_lifetimes = bounds.iter().any(|b| of_kernel(b.clone()))
            || list.rows.iter().flat_map(|row| &row.0).any(|a| of_kernel(a.to_token_stream()));
        let lives: Vec<_> =
            lives.into_iter().filter(|_| has_lifetimes).map(|l| l.to_token_stream()).collect();
        let others: Vec<_> =
            parameters.iter().enumerate().filter(|(at, _)| Some(*at) != first).map(|(_, p)| *p).collect();
        let declared = lives.iter().cloned().chain(others.iter().map(|p| p.to_token_stream())).collect();
        let arguments: Vec<_> = lives.into_iter().chain(others.iter().map(|p| argument_of(p))).collect();
        Self {
            name: format_ident!("{}Types", function.structure),
            first: first.map_or_else(|| quote!(()), |at| name_of(parameters[at]).to_token_stream()),
            declared,
            arguments: quote!(<#(#arguments),*>),
            bounds,
            has_lifetimes,
        }
    }
    fn bound(&self) -> TokenStream {
        let Self { name, first, arguments, .. } = self;
        quote!(#first: #name #arguments)
    }
    fn declare(&self, function: &Function<'_>, list: &List) -> TokenStream {
        let (name, declared, bounds) = (&self.name, &self.declared, &self.bounds);
        let (kernel, visibility) = (function.name, function.visibility);
        let all: Vec<_> = list.rows.iter().map(|row| format!("`{}`", row.spelled())).collect();
        let all = all.join(", ");
        let doc = format!("The types that [`{kernel}()`] has entry points for: {all}.");
        let message = match self.first.to_string().as_str() {
            "()" => format!("the kernel `{kernel}` has no entry point for this number"),
            _ => format!("the kernel `{kernel}` has no entry point for `{{Self}}`"),
        };
        let note = format!("`for` in its `#[kernel]` lists {all}");
        let at = self.first_at(list);
        let implementations = list.rows.iter().map(|row| {
            let lives = function.generics.lifetimes().map(|l| &l.lifetime).filter(|_| self.has_lifetimes);
            let lives: Vec<_> = lives.collect();
            let of = at.map_or_else(|| quote!(()), |at| row.0[at].to_token_stream());
            let others = row.0.iter().enumerate().filter(|(i, _)| Some(*i) != at).map(|(_, a)| a);
            let entry = entry_name(function.entry, row);
            quote! {
                // SAFETY: the kernel has this entry point.
                unsafe impl<#(#lives),*> #name<#(#lives,)* #(#others),*> for #of {
                    const NAME: &'static str = #entry;
                }
            }
        });
        quote! {
            #[doc = #doc]
            ///
            /// # Safety
            /// `#[kernel]` alone implements it.
            #[allow(clippy::missing_safety_doc, reason = "it has the section, which the lint does not find")]
            #[diagnostic::on_unimplemented(message = #message, label = "not among the kernel's", note = #note)]
            #visibility unsafe trait #name<#(#declared),*>: #(#bounds +)* Send + Sync {
                /// Name of the entry point.
                #[doc(hidden)]
                const NAME: &'static str;
            }
            #(#implementations)*
        }
    }
    fn first_at(&self, list: &List) -> Option<usize> {
        list.names.iter().position(|name| name.to_token_stream().to_string() == self.first.to_string())
    }
}

fn instances(list: &List, function: &Function<'_>) -> Result<Vec<Instance>> {
    let lives: Vec<_> = function.generics.lifetimes().map(|l| &l.lifetime.ident).collect();
    let mut names = HashSet::new();
    let one = |row: &Row| {
        let entry = entry_name(function.entry, row);
        if !names.insert(entry.clone()) {
            return Err(Error::new(row.0[0].span(), format!("a second entry point with the name `{entry}`")));
        }
        let arguments = row.0.iter().map(|a| outlive(a.to_token_stream(), &lives));
        Ok(Instance { entry, arguments: quote!(#(#arguments,)*) })
    };
    list.rows.iter().map(one).collect()
}
/// The same with `'static` instead of lifetimes.
fn outlive(of: TokenStream, lives: &[&Ident]) -> TokenStream {
    let mut is_lifetime = false;
    replaced(of, &mut |token| match token {
        TokenTree::Ident(name) if std::mem::take(&mut is_lifetime) && lives.contains(&name) => {
            Some(Ident::new("static", name.span()))
        }
        token => {
            is_lifetime = matches!(token, TokenTree::Punct(p) if p.as_char() == '\'');
            None
        }
    })
}
/// The same with `Self` instead of a type.
fn with_self(of: TokenStream, name: &Ident) -> TokenStream {
    replaced(of, &mut |token| match token {
        TokenTree::Ident(other) if other == name => Some(Ident::new("Self", other.span())),
        _ => None,
    })
}
fn replaced(of: TokenStream, by: &mut dyn FnMut(&TokenTree) -> Option<Ident>) -> TokenStream {
    let one = |token: TokenTree| match (by(&token), token) {
        (Some(other), _) => other.into(),
        (None, TokenTree::Group(group)) => {
            let mut inner = proc_macro2::Group::new(group.delimiter(), replaced(group.stream(), by));
            inner.set_span(group.span());
            inner.into()
        }
        (None, token) => token,
    };
    of.into_iter().map(one).collect()
}

impl Row {
    fn spelled(&self) -> String {
        let all: Vec<_> = self.0.iter().map(|a| a.to_token_stream().to_string().replace(' ', "")).collect();
        if all.len() == 1 { all.concat() } else { format!("({})", all.join(", ")) }
    }
}
/// `normals_flat` for `Area` is `normals_flat_area`.
fn entry_name(kernel: &str, row: &Row) -> String {
    let mut words = vec![kernel.to_string()];
    for argument in &row.0 {
        push_words(argument.to_token_stream(), &mut words);
    }
    words.join("_")
}
/// The names in a type, without those of its modules and lifetimes, and its numbers.
fn push_words(of: TokenStream, words: &mut Vec<String>) {
    let tokens: Vec<_> = of.into_iter().collect();
    let is =
        |at: usize, what: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == what);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                let is_module = is(at + 1, ':') && is(at + 2, ':');
                let is_lifetime = at > 0 && is(at - 1, '\'');
                if !is_module && !is_lifetime {
                    words.push(snake_case(&name.to_string()));
                }
            }
            TokenTree::Literal(number) => {
                words.push(number.to_string().chars().filter(char::is_ascii_alphanumeric).collect());
            }
            TokenTree::Group(group) => push_words(group.stream(), words),
            TokenTree::Punct(_) => {}
        }
    }
}
/// `CurlNoise` to `curl_noise`.
fn snake_case(name: &str) -> String {
    let mut result = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !result.is_empty() {
            result.push('_');
        }
        result.extend(letter.to_lowercase());
    }
    result
}

fn name_of(parameter: &GenericParam) -> &Ident {
    match parameter {
        GenericParam::Lifetime(p) => &p.lifetime.ident,
        GenericParam::Type(p) => &p.ident,
        GenericParam::Const(p) => &p.ident,
    }
}
/// A type, number or lifetime as an argument.
fn argument_of(parameter: &GenericParam) -> TokenStream {
    match parameter {
        GenericParam::Lifetime(p) => p.lifetime.to_token_stream(),
        other => name_of(other).to_token_stream(),
    }
}
/// `T`, or `(T, N)`.
fn spelled(names: &[&Ident]) -> String {
    match names {
        [one] => one.to_string(),
        all => format!("({})", all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Whether a name occurs anywhere.
fn occurs(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(other) => other == *name,
        TokenTree::Group(group) => occurs(&group.stream(), name),
        _ => false,
    })
}
/// Whether a type has another as a part, so that the one tells the other: not by way of `T::Item`.
fn names_it(of: &Type, name: &Ident) -> bool {
    match of {
        Type::Array(array) => names_it(&array.elem, name) || is_it(&array.len, name),
        Type::Group(group) => names_it(&group.elem, name),
        Type::Paren(inner) => names_it(&inner.elem, name),
        Type::Tuple(tuple) => tuple.elems.iter().any(|of| names_it(of, name)),
        Type::Path(path) if path.qself.is_none() => {
            let segments = &path.path.segments;
            if segments.first().is_some_and(|first| first.ident == *name) {
                return segments.len() == 1;
            }
            segments.iter().any(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(list) => list.args.iter().any(|argument| match argument {
                    GenericArgument::Type(of) => names_it(of, name),
                    GenericArgument::Const(number) => is_it(number, name),
                    _ => false,
                }),
                _ => false,
            })
        }
        _ => false,
    }
}
fn is_it(number: &Expr, name: &Ident) -> bool {
    matches!(number, Expr::Path(path) if path.path.is_ident(name))
}
