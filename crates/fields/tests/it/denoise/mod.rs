//! The tests, as one program: what they share is compiled and linked once.
mod denoise;
mod flat;
mod measured;
mod oracle;
mod parts;
mod plain;
mod trial;
