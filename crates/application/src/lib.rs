//! Applications: a type with a name, a schema of options, a report. Interfaces are made from them.
//!
//! | to | see |
//! |---|---|
//! | declare options | [`Options`], with `#[derive(Options)]` |
//! | declare an enum with names | [`OptionValue`], with `#[derive(Choice)]` |
//! | declare an application | [`Application`] |
//! | run any application by name | [`AnyApplication`], and the crate `ribbonmesh-applications` |
//!
//! ```
//! use ribbonmesh_application::{Choice, Failure, Given, Options};
//!
//! /// Size of a cup.
//! #[derive(Choice, Clone, Copy, Debug, Default, PartialEq)]
//! enum Size {
//!     /// 30 ml.
//!     Small,
//!     /// 120 ml.
//!     #[default]
//!     Large,
//! }
//!
//! #[derive(Options, Clone, Debug)]
//! struct Order {
//!     /// Size of the cup
//!     size: Size,
//!     /// Cups
//!     #[option(least = 1, most = 10)]
//!     cups: u32,
//! }
//! impl Default for Order {
//!     fn default() -> Self {
//!         Self { size: Size::default(), cups: 1 }
//!     }
//! }
//!
//! # fn main() -> Result<(), Failure> {
//! let mut given = Given::default();
//! given.set("size", "small");
//! let order = Order::from_given(&given)?;
//! assert_eq!((order.size, order.cups), (Size::Small, 1));
//! assert_eq!(Order::schema().options[1].default.as_deref(), Some("1"));
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod any;
mod application;
mod change;
mod compared;
mod failure;
mod given;
mod length;
mod run;
mod schema;
mod value;
mod words;

pub use any::{AnyApplication, Description, Finished};
pub use application::{
    Added, AddedKind, Application, Changes, Curve, Curves, Docs, Meshes, Need, Place, Seen, Subject,
    Surfaces, Traits, Work,
};
pub use change::{Change, Parts, Shape};
pub use compared::{Compared, Measuring};
pub use failure::Failure;
pub use given::Given;
pub use length::{Length, LengthOrZero};
pub use ribbonmesh::Error;
pub use ribbonmesh_application_macros::{Choice, Options};
pub use run::{Line, Log, Run};
pub use schema::{Kind, Named, OptionSchema, Options, Schema};
pub use value::{OptionValue, expected};
pub use words::{counted, rejections, short};
