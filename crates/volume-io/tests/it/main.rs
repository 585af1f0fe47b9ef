//! Tests of the readers and writers of volumes.
mod common;
mod compatible;
mod derived;
mod groups;
mod hostile;
mod mutations;
mod ovm;
mod round_trip;
