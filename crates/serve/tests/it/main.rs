//! Tests of the server and of its page.
mod client;
mod grids;
mod grids_page;
mod live;
mod mesh;
mod page;
mod server;
mod sphere;
mod volume;
mod volume_page;
