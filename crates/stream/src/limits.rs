//! Limits of what clients may do.

use std::time::Duration;

/// Limits of clients and of each session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Clients at a time.
    pub clients: usize,
    /// Credits of a session at its begin, unless its hello names another number.
    pub start: u32,
    /// Most credits that a session has; more are not added.
    pub most: u32,
    /// A client that sends nothing for this long loses its credits.
    pub silence: Duration,
    /// Bytes of a message from a client.
    pub message: usize,
    /// Pixels of a view across and down.
    pub side: u32,
    /// Queries that a session keeps, and views that it keeps; the oldest are forgotten.
    pub kept: usize,
    /// Messages per second from a client, on average over some seconds.
    pub messages: u32,
    /// Queries per second from a client: each is parsed and may be compiled.
    pub queries: u32,
    /// Probes per second from a client.
    pub probes: u32,
    /// Limits of expressions.
    pub expression: ribbonmesh_expression::Limits,
    /// Triangles that a client gets instead of points, at most, unless it asks for them.
    pub faces: u64,
    /// The time that triangles may take to a client that does not ask for them.
    pub patience: Duration,
    /// Bytes of triangles for a client whose network is not measured yet.
    pub unmeasured: u64,
    /// Bytes of encoded frames that are kept for clients with the same query and view.
    pub shared: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            clients: 16,
            start: 2,
            most: 8,
            silence: Duration::from_secs(30),
            message: 16 << 10,
            side: 4096,
            kept: 16,
            messages: 1000,
            queries: 20,
            probes: 50,
            expression: ribbonmesh_expression::Limits::default(),
            faces: 2_000_000,
            patience: Duration::from_secs(2),
            unmeasured: 256 << 10,
            shared: 256 << 20,
        }
    }
}

/// Counts how often something happens, and refuses what is more than a rate allows: a bucket that holds two
/// seconds' worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    per_second: u32,
    left: f64,
    filled: Duration,
}

impl Rate {
    pub fn new(per_second: u32, now: Duration) -> Self {
        Self { per_second, left: 2.0 * f64::from(per_second), filled: now }
    }

    /// Whether one more is allowed now.
    pub fn allows(&mut self, now: Duration) -> bool {
        let rate = f64::from(self.per_second);
        let passed = now.saturating_sub(self.filled).as_secs_f64();
        self.filled = self.filled.max(now);
        self.left = (self.left + passed * rate).min(2.0 * rate);
        let allowed = self.left >= 1.0;
        if allowed {
            self.left -= 1.0;
        }
        allowed
    }
}
