//! The conditions of `requires`.
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{BinOp, Expr};

/// The check of one condition of `requires`.
pub fn condition(expr: &Expr) -> TokenStream {
    let text = spelled(expr);
    let argument = first_name(expr);
    let sides = match expr {
        Expr::Binary(b) if is_comparison(&b.op) => {
            let (l, r) = (&b.left, &b.right);
            quote!(::core::option::Option::Some((&(#l), &(#r))))
        }
        _ => quote!(::core::option::Option::None),
    };
    quote! {
        if !(#expr) {
            lowering.refuse_condition(#argument, #text, #sides);
        }
    }
}
fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}
/// The condition as people write it: tokens without the spaces that their text has between all of them.
fn spelled(expr: &Expr) -> String {
    let text = expr.to_token_stream().to_string();
    [(" . ", "."), (" ()", "()"), (" (", "("), ("( ", "("), (" )", ")"), ("! ", "!"), (" ,", ",")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}
/// The argument that a condition speaks of: the first name in it.
fn first_name(expr: &Expr) -> String {
    fn find(tokens: TokenStream) -> Option<String> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            TokenTree::Group(group) => find(group.stream()),
            _ => None,
        })
    }
    find(expr.to_token_stream()).unwrap_or_default()
}
