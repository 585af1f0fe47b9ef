//! The tests, as one program: what they share is compiled and linked once.
mod greedy;
mod regions;
mod results;
mod self_intersections;
mod support;
mod topology;
