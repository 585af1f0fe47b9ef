//! Tests of spectra.
mod functions;
mod oracle;
mod refusals;
mod surfaces;
