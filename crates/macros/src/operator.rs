//! `#[operator]` and `#[derive(Decision)]`.
use crate::device;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Fields, GenericArgument, Ident, ImplItem, ItemImpl, Lifetime, Path,
    PathArguments, Result, ReturnType, Token, Type, parse_quote,
};

/// The arguments of `#[operator(`.
pub struct Options {
    seed: Path,
    cavity: Option<Path>,
    filling: Option<Path>,
    in_place: bool,
    no_chords: bool,
}
impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut seed, mut cavity, mut filling) = (None, None, None);
        let (mut in_place, mut no_chords) = (false, false);
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let path = || -> Result<Option<Path>> {
                input.parse::<Token![=]>()?;
                Ok(Some(input.parse()?))
            };
            match name.to_string().as_str() {
                "seed" => seed = path()?,
                "cavity" => cavity = path()?,
                "filling" => filling = path()?,
                "in_place" => in_place = true,
                "no_chords" => no_chords = true,
                _ => {
                    let expected = "expected `seed`, `cavity`, `filling`, `in_place` or `no_chords`";
                    return Err(Error::new(name.span(), expected));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let seed =
            seed.ok_or_else(|| input.error("`seed = Vertex`, `seed = Edge` or `seed = Face` is missing"))?;
        if filling.is_some() && (in_place || no_chords) {
            return Err(
                input.error("`in_place` and `no_chords` are for operators with a `fill` of their own")
            );
        }
        Ok(Self { seed, cavity, filling, in_place, no_chords })
    }
}

/// Completes the implementation of an operator, and makes its kernels.
pub fn expand(options: Options, mut operator: ItemImpl) -> Result<TokenStream> {
    let ribbonmesh = device::library("an operator's crate")?;
    let cavity = quote!(#ribbonmesh::dynamic);
    let name = self_name(&operator.self_ty)?;
    complete(&options, &mut operator, &cavity, &ribbonmesh)?;
    let kernels = kernels(&name, &operator.self_ty, &cavity, &ribbonmesh);
    Ok(quote!(#operator #kernels))
}

/// Adds items that follow from the options, and items that the implementation leaves out.
fn complete(
    options: &Options,
    operator: &mut ItemImpl,
    cavity: &TokenStream,
    ribbonmesh: &TokenStream,
) -> Result<()> {
    let has = |operator: &ItemImpl, wanted: &str| {
        operator.items.iter().any(|item| match item {
            ImplItem::Fn(f) => f.sig.ident == wanted,
            ImplItem::Type(t) => t.ident == wanted,
            _ => false,
        })
    };
    if let Some(ImplItem::Const(c)) = operator.items.iter().find(|item| matches!(item, ImplItem::Const(_))) {
        return Err(Error::new(c.span(), "constants of an operator follow from the attribute"));
    }
    for (method, declared, in_result) in
        [("decide", "Decision", true), ("fill", "Made", true), ("gather", "Gathered", false)]
    {
        if !has(operator, declared) {
            expect_nothing(operator, method, declared, in_result)?;
        }
    }
    let Options { seed, cavity: template, filling, in_place, no_chords } = options;
    let mut more: Vec<ImplItem> = vec![parse_quote!(type Seed = #seed;)];
    if let Some(template) = template {
        more.push(parse_quote! {
            fn faces(&self, mesh: impl #cavity::MeshRef, seed: #cavity::SeedId<Self>, visit: impl FnMut(#ribbonmesh::device::HalfEdge)) {
                <#template as #cavity::templates::Template<#seed>>::faces(mesh, seed, visit)
            }
        });
    } else if !has(operator, "faces") {
        return Err(Error::new(
            operator.self_ty.span(),
            "`cavity = …` or `fn faces` says which faces are deleted",
        ));
    }
    if let Some(filling) = filling {
        more.push(parse_quote!(type Made = <#filling as #cavity::fillings::Filling<#seed>>::Made;));
        more.push(
            parse_quote!(const CHORDS: bool = <#filling as #cavity::fillings::Filling<#seed>>::CHORDS;),
        );
        more.push(parse_quote!(const GROWS: bool = <#filling as #cavity::fillings::Filling<#seed>>::GROWS;));
        more.push(parse_quote! {
            fn fill(
                cavity: &#cavity::Cavity<'_, #seed>,
                _: &Self::Decision,
                fill: &mut impl #cavity::Fill,
            ) -> ::core::result::Result<Self::Made, #cavity::Rejection> {
                <#filling as #cavity::fillings::Filling<#seed>>::fill(cavity, fill)
            }
        });
    } else if has(operator, "fill") {
        if *in_place {
            more.push(parse_quote!(
                const GROWS: bool = false;
            ));
        }
        if *no_chords {
            more.push(parse_quote!(
                const CHORDS: bool = false;
            ));
        }
    } else {
        return Err(Error::new(
            operator.self_ty.span(),
            "`filling = …` or `fn fill` says what fills the cavity",
        ));
    }
    if filling.is_none() && !has(operator, "Made") {
        more.push(parse_quote!(
            type Made = ();
        ));
    }
    if !has(operator, "Decision") {
        more.push(parse_quote!(
            type Decision = ();
        ));
    }
    if !has(operator, "decide") {
        more.push(parse_quote! {
            fn decide(
                &self,
                _: impl #cavity::MeshRef,
                _: &#cavity::Cavity<'_, #seed>,
            ) -> ::core::result::Result<(), #cavity::Rejection> {
                Ok(())
            }
        });
    }
    if !has(operator, "Gathered") {
        more.push(parse_quote!(
            type Gathered = ();
        ));
    }
    if !has(operator, "gather") {
        more.push(parse_quote!(fn gather(&self, _: &#cavity::Cavity<'_, #seed>, _: &Self::Decision) {}));
    }
    if !has(operator, "scatter") {
        more.push(parse_quote! {
            fn scatter(&self, _: &#cavity::Filled<'_, #seed>, _: &Self::Decision, _: Self::Gathered, _: &Self::Made) {}
        });
    }
    if let Some(item) = local_priority(operator, cavity)? {
        more.push(parse_quote!(
            const LOCAL: bool = true;
        ));
        more.push(item);
    }
    operator.items.extend(more);
    for item in &mut operator.items {
        if let ImplItem::Fn(f) = item {
            f.attrs.push(parse_quote!(#[inline(always)]));
        }
    }
    Ok(())
}

/// Refuses a method that returns a value of which the implementation does not declare the type.
fn expect_nothing(operator: &ItemImpl, method: &str, declared: &str, in_result: bool) -> Result<()> {
    let of_name = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.ident == method);
    let Some(ImplItem::Fn(function)) = operator.items.iter().find(|item| of_name(item)) else {
        return Ok(());
    };
    let ReturnType::Type(_, returned) = &function.sig.output else { return Ok(()) };
    let value = if in_result {
        let Some(value) = first_of_result(returned) else {
            let what = format!("`{method}` returns `Result<{}, Rejection>`", quote!(#returned));
            return Err(Error::new(returned.span(), format!("{what}, with `type {declared}` for its value")));
        };
        value
    } else {
        returned
    };
    let nothing = matches!(value, Type::Tuple(tuple) if tuple.elems.is_empty());
    let names_it =
        matches!(value, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == declared));
    if nothing || names_it {
        return Ok(());
    }
    let spelled = quote!(#value).to_string();
    let what =
        format!("`{method}` returns a value: add `type {declared} = {spelled};` to the implementation");
    Err(Error::new(value.span(), what))
}
/// The first type of `Result<…>`, also of an alias that ends so.
fn first_of_result(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|last| last.ident.to_string().ends_with("Result"))?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(first) => Some(first),
        _ => None,
    })
}

/// `fn priority` of an operator that has `fn priority_local`, which moves into it: there it sees the edge's
/// diamond alone.
fn local_priority(operator: &mut ItemImpl, cavity: &TokenStream) -> Result<Option<ImplItem>> {
    let local = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if f.sig.ident == "priority_local");
    let Some(at) = operator.items.iter().position(local) else { return Ok(None) };
    let ImplItem::Fn(mut method) = operator.items.remove(at) else { return Ok(None) };
    if method.sig.inputs.len() != 2 {
        let expected = "expected `fn priority_local(&self, edge: LocalEdge<impl MeshRef>) -> Option<f32>`";
        return Err(Error::new(method.sig.span(), expected));
    }
    method.attrs.push(parse_quote!(#[inline(always)]));
    let (generics, self_ty) = (&operator.generics, &operator.self_ty);
    let (with, _, bounds) = generics.split_for_impl();
    let methods = format_ident!("__LocalPriority");
    let mut signature = method.clone();
    signature.block = parse_quote!({});
    let declared = &signature.sig;
    Ok(Some(parse_quote! {
        fn priority(&self, mesh: impl #cavity::MeshRef, seed: #cavity::SeedId<Self>) -> ::core::option::Option<f32> {
            trait #methods { #declared; }
            impl #with #methods for #self_ty #bounds { #method }
            #methods::priority_local(self, #cavity::LocalEdge::new(mesh, seed))
        }
    }))
}

/// The two kernels of an operator, and how the host launches them.
fn kernels(name: &Ident, self_ty: &Type, cavity: &TokenStream, ribbonmesh: &TokenStream) -> TokenStream {
    let operator = with_lifetime(self_ty);
    let snake = snake_case(&name.to_string());
    let [claim, apply] = ["claim", "apply"].map(|what| format_ident!("{snake}_{what}"));
    let [claim_struct, apply_struct] = ["Claim", "Apply"].map(|what| format_ident!("{name}{what}"));
    let claim_doc = format!("The claiming phase of [`{name}`].");
    let apply_doc = format!("The phases of [`{name}`], from `phase` on, as far as `until` says.");
    quote! {
        #[doc = #claim_doc]
        #[#ribbonmesh::device::kernel(threads = 256)]
        pub fn #claim<'a>(block: &#ribbonmesh::device::Block, rounds: #cavity::rounds::Rounds<'a>, operator: #operator) {
            #cavity::run_claim(block, rounds, operator)
        }
        #[doc = #apply_doc]
        #[#ribbonmesh::device::kernel(threads = 256, shared = #cavity::memory(arena))]
        pub fn #apply<'a>(
            block: &#ribbonmesh::device::Block,
            grid: #ribbonmesh::device::Grid,
            rounds: #cavity::rounds::Rounds<'a>,
            operator: #operator,
            phase: u32,
            until: u32,
        ) {
            #cavity::run_phases(block, grid, rounds, operator, phase, until)
        }
        #[cfg(not(target_arch = "nvptx64"))]
        impl<'a> #cavity::Launched<'a> for #operator {
            fn launch(
                operator: Self::Host,
                device: &#ribbonmesh::Device,
                blocks: u32,
                rounds: #cavity::rounds::RoundsArguments<'a>,
                phase: #cavity::Phase,
            ) -> #ribbonmesh::Result<()> {
                let (grid, until) = (#ribbonmesh::device::GridArgument::default(), #cavity::Until::Phase as u32);
                if phase == #cavity::Phase::Claim {
                    return device.launch(blocks, #claim_struct { rounds, operator });
                }
                let phase = phase as u32;
                device.launch(blocks, #apply_struct { grid, rounds, operator, phase, until })
            }
            fn launch_persistent(
                operator: Self::Host,
                device: &#ribbonmesh::Device,
                most: u32,
                rounds: #cavity::rounds::RoundsArguments<'a>,
                phase: #cavity::Phase,
                until: #cavity::Until,
            ) -> #ribbonmesh::Result<()> {
                let (phase, until) = (phase as u32, until as u32);
                let grid = #ribbonmesh::device::GridArgument::default();
                device.launch_resident(most, #apply_struct { grid, rounds, operator, phase, until })?;
                Ok(())
            }
        }
    }
}

/// `#[derive(Decision)]`.
pub fn decision(item: DeriveInput) -> Result<TokenStream> {
    let ribbonmesh = device::library("an operator's crate")?;
    let cavity = quote!(#ribbonmesh::dynamic);
    let Data::Struct(data) = &item.data else {
        return Err(Error::new(item.span(), "a decision is a struct"));
    };
    if let Some(p) = item.generics.params.first() {
        return Err(Error::new(p.span(), "a decision is plain: it has no generic parameters"));
    }
    let name = &item.ident;
    let types: Vec<_> = data.fields.iter().map(|f| &f.ty).collect();
    let members: Vec<_> = data.fields.members().collect();
    let made = match &data.fields {
        Fields::Unit => quote!(Self),
        _ => quote!(Self { #(#members: __cavity::Decision::load(get)),* }),
    };
    Ok(quote! {
        const _: () = {
            use #cavity as __cavity;
            impl __cavity::Decision for #name {
                const WORDS: u32 = 0 #(+ <#types as __cavity::Decision>::WORDS)*;
                #[inline(always)]
                fn store(&self, put: &mut impl FnMut(u32)) {
                    let _ = &put;
                    #(__cavity::Decision::store(&self.#members, put);)*
                }
                #[inline(always)]
                fn load(get: &mut impl FnMut() -> u32) -> Self {
                    let _ = &get;
                    #made
                }
            }
        };
    })
}

/// The name of the type that is the operator.
fn self_name(of: &Type) -> Result<Ident> {
    match of {
        Type::Path(path) if path.qself.is_none() => {
            Ok(path.path.segments[path.path.segments.len() - 1].ident.clone())
        }
        Type::Group(group) => self_name(&group.elem),
        _ => Err(Error::new(of.span(), "an operator is a struct")),
    }
}
/// The type with each lifetime replaced by `'a`.
fn with_lifetime(of: &Type) -> Type {
    let mut of = of.clone();
    let mut inner = &mut of;
    while let Type::Group(group) = inner {
        inner = &mut group.elem;
    }
    if let Type::Path(path) = inner {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                for argument in &mut arguments.args {
                    if let GenericArgument::Lifetime(life) = argument {
                        *life = Lifetime::new("'a", life.span());
                    }
                }
            }
        }
    }
    of
}

/// `SplitEdge` to `split_edge`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (i, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && i > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
