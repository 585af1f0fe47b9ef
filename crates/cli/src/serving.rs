//! Where a command serves, and `--serve` of commands that compute.
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh::Device;
use ribbonmesh_render::Up;
use ribbonmesh_serve::stream::Limits;
use ribbonmesh_serve::{Background, Live, Options, Seen, Server, Surface};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

/// The address and the limits of a server.
#[derive(Args)]
pub struct Where {
    /// Port; 0 is any that is free [default: 8080]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address of this machine to be bound to; 0.0.0.0 lets other machines connect, without encryption
    /// [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
    /// Another name under which browsers ask for the page, that of a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Most browsers at a time [default: 16]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1000))]
    clients: Option<u32>,
    /// The axis that points up: x, y, z, -x, -y or -z; with z, the front is seen from -y [default: y]
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    up: Option<Up>,
}

impl Where {
    /// The axis that points up.
    pub fn up(&self) -> Up {
        self.up.unwrap_or_default()
    }
    /// A server, bound before the work, which may be long.
    pub fn bind(&self) -> Result<Server, Failure> {
        let mut limits = Limits::default();
        limits.clients = self.clients.map_or(limits.clients, |clients| clients as usize);
        let bind = self.bind.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let (port, hosts) = (self.port.unwrap_or(8080), self.host.clone());
        Ok(Server::bind(Options { bind, port, hosts, limits, embed: false })?)
    }
    /// Warns where other machines may connect.
    pub fn warn(&self, session: &mut Session, server: &Server) {
        if !server.address().ip().is_loopback() {
            session.warn(format!(
                "{} is reachable from other machines, and the connection is not encrypted",
                server.address()
            ));
        }
    }
    /// An option that was given.
    fn given(&self) -> Option<&'static str> {
        let all = [
            ("--port", self.port.is_some()),
            ("--bind", self.bind.is_some()),
            ("--host", !self.host.is_empty()),
            ("--clients", self.clients.is_some()),
            ("--up", self.up.is_some()),
        ];
        all.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// Options of a command that is seen in a browser while it computes.
#[derive(Args)]
#[command(next_help_heading = "Options of --serve")]
pub struct Serving {
    /// Show it in a browser while it computes, and afterwards until Ctrl-C; prints an address with a secret
    /// token. Files are complete before the wait. The page has play, pause and step where there are steps
    #[arg(long)]
    serve: bool,
    #[command(flatten)]
    at: Where,
}

impl Serving {
    /// A server, if one is asked for; says its address beside the output.
    pub fn begin(&self, session: &mut Session, output: &Path) -> Result<Option<Server>, Failure> {
        if !self.serve {
            return match self.at.given() {
                Some(option) => Err(Failure::Usage(format!("{option} needs --serve"))),
                None => Ok(None),
            };
        }
        let server = self.at.bind()?;
        session.tell(output, server.url());
        self.at.warn(session, &server);
        Ok(Some(server))
    }
    /// A source without anything yet.
    pub fn live(&self, device: &Device, title: impl Into<String>) -> Result<Live, Failure> {
        Ok(Live::new(device, title, self.at.up())?)
    }
    /// A computation that is seen step by step, if that is asked for.
    pub fn watched(
        &self,
        server: Option<Server>,
        device: &Device,
        title: impl Into<String>,
    ) -> Result<Option<Watched>, Failure> {
        let Some(server) = server else { return Ok(None) };
        Ok(Some(Watched { server, live: self.live(device, title)? }))
    }
    /// Another shape than a surface that is seen step by step, if that is asked for. `up` points up unless an
    /// option says otherwise.
    pub fn watched_as<S: Seen>(
        &self,
        server: Option<Server>,
        (title, up): (impl Into<String>, Up),
        seen: impl FnOnce() -> Result<S, Failure>,
    ) -> Result<Option<Watched<S>>, Failure> {
        let Some(server) = server else { return Ok(None) };
        Ok(Some(Watched { server, live: Live::of(seen()?, title, self.at.up.unwrap_or(up)) }))
    }
}

/// A computation that clients watch and steer, on the thread that computes.
pub struct Watched<S = Surface> {
    server: Server,
    live: Live<S>,
}

impl<S: Seen + 'static> Watched<S> {
    /// Whether somebody watches.
    pub fn has_clients(&self) -> bool {
        self.server.clients() > 0
    }
    /// Shows a moment, and waits while a client has paused.
    pub fn show(&mut self, moment: S::Moment) -> Result<(), Failure> {
        self.live.update(moment)?;
        Ok(self.live.wait_for_turn(&mut self.server)?)
    }
    /// Serves the last moment after the command's end, until the program is ended.
    pub fn stay(mut self, session: &mut Session) {
        self.live.end();
        session.afterwards(move || {
            loop {
                self.server.poll(&mut self.live, Duration::from_secs(1));
            }
        });
    }
}

/// Keeps a thread that serves after the command's end, until the program is ended.
pub fn stay(background: Background<Live>, session: &mut Session) {
    session.afterwards(move || {
        let _background = background;
        loop {
            std::thread::park();
        }
    });
}
