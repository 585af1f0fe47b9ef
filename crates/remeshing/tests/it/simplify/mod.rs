//! The tests, as one program: what they share is compiled and linked once.
mod greedy;
mod self_intersections;
mod simplify;
mod support;
mod topology;
