//! The tests, as one program: what they share is compiled and linked once.
mod greedy;
mod results;
mod self_intersections;
mod support;
mod topology;
