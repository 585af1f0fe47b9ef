//! The tests, as one program: what they share is compiled and linked once.
mod flat;
mod measured;
mod oracle;
mod parts;
mod plain;
mod results;
mod trial;
