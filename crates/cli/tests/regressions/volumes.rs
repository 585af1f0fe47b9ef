//! Volumes and elasticity.
