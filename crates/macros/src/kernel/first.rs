//! The first argument of a kernel: what it is written for.
use crate::device;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, GenericArgument, Ident, Lifetime, PathArguments, Result, Type};

/// The first argument of a kernel: what its body is written for.
pub enum First {
    /// A block: `&Block`.
    Block,
    /// An element, in a loop over a flat array: `Each`.
    Each {
        /// Whether the block is the second argument.
        with_block: bool,
    },
    /// A patch of a mesh with a query: `PerPatch<'_, 'a, Query>`.
    PerPatch {
        /// The lifetime of the mesh.
        life: Lifetime,
        /// The query, with `'_` for each lifetime.
        query: TokenStream,
        /// `MeshView` with the mesh's lifetime.
        mesh: Box<Type>,
    },
}

/// The choices, for messages.
const CHOICES: &str =
    "a kernel's first argument is `block: &Block`, `i: Each`, or `patch: PerPatch<'_, 'a, Query>`";

impl First {
    /// Takes it, and the block behind `Each`, off a function's arguments.
    pub fn take<'a>(
        function: &Ident,
        inputs: &mut (impl Iterator<Item = &'a FnArg> + Clone),
    ) -> Result<Self> {
        let Some(first) = inputs.next() else {
            return Err(Error::new(function.span(), format!("the block is missing: {CHOICES}")));
        };
        let is_element = |other: &&FnArg| matches!(other, FnArg::Typed(other) if is_named(&other.ty, "Each"));
        if let Some(other) = inputs.clone().find(is_element) {
            let what =
                "the index of the element is the first argument, and only that is `Each`: a number is `u32`";
            return Err(Error::new(other.span(), what));
        }
        if let FnArg::Typed(argument) = first {
            if is_named(&argument.ty, "Each") {
                let second = inputs.clone().next();
                let with_block = matches!(second, Some(FnArg::Typed(second)) if refers_to_block(&second.ty));
                if with_block {
                    expect_block(second, inputs.clone().skip(1))?;
                    inputs.next();
                }
                return Ok(Self::Each { with_block });
            }
            if let Some(per_patch) = Self::per_patch(&argument.ty)? {
                return Ok(per_patch);
            }
        }
        expect_block(Some(first), inputs.clone())?;
        Ok(Self::Block)
    }
    fn per_patch(of: &Type) -> Result<Option<Self>> {
        let Type::Path(path) = of else { return Ok(None) };
        let Some(last) = path.path.segments.last().filter(|last| last.ident == "PerPatch") else {
            return Ok(None);
        };
        let wrong =
            || Error::new(of.span(), "as `PerPatch<'_, 'a, Query>`, `'a` one of the kernel's lifetimes");
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
        let mesh = Box::new(syn::parse2(quote!(#device::MeshView<#life>))?);
        Ok(Some(Self::PerPatch {
            life: life.clone(),
            query: without_lifetimes(query.to_token_stream()),
            mesh,
        }))
    }
    /// The argument that the launch fills in, and its type.
    pub fn filled_in(&self) -> Option<(Ident, Type)> {
        let name = |name| Ident::new(name, Span::call_site());
        match self {
            Self::Block => None,
            Self::Each { .. } => Some((name("count"), syn::parse_quote!(u32))),
            Self::PerPatch { mesh, .. } => Some((name("mesh"), (**mesh).clone())),
        }
    }
    /// The call of the function `call` for a block, with the other arguments.
    pub fn run(&self, call: &TokenStream, others: &[Ident]) -> TokenStream {
        match self {
            Self::Block => quote!(#call(block, #(self.#others),*)),
            Self::Each { with_block } => {
                let block = with_block.then(|| quote!(block,));
                // no argument's name, also where that is `index`
                let index = Ident::new("index", Span::mixed_site());
                quote! {
                    let Self { #(#others,)* .. } = self;
                    block.for_each_of_tile(self.count, |#index| #call(#index, #block #(#others),*))
                }
            }
            Self::PerPatch { .. } => {
                quote!(#call(__device::PerPatch::new(block, self.mesh), #(self.#others),*))
            }
        }
    }
    /// The trait that the host's struct has, and what its `lower` takes first.
    pub fn launchable(&self) -> (TokenStream, TokenStream) {
        match self {
            Self::Block => (quote!(Launchable), quote!()),
            Self::Each { .. } => (quote!(EachLaunchable), quote!(count: u32,)),
            Self::PerPatch { life, .. } => {
                (quote!(PatchLaunchable<#life>), quote!(mesh: __device::launch::MeshArgument<#life>,))
            }
        }
    }
}

/// Checks that an argument may be the block.
fn expect_block<'a>(first: Option<&FnArg>, mut others: impl Iterator<Item = &'a FnArg>) -> Result<()> {
    let Some(FnArg::Typed(argument)) = first else { return Ok(()) };
    let wrong = |what: &str| Err(Error::new(argument.span(), format!("{what}: {CHOICES}")));
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
    is_named(of, "Block")
}
fn is_named(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
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
