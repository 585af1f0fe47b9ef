//! Decides which requests are let in.

use crate::Token;
use std::net::IpAddr;
use thiserror::Error;
use tungstenite::handshake::server::Request;
use tungstenite::http::StatusCode;

/// Why a connection gets neither the page nor frames.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The client has left.
    #[error("the client has left")]
    Gone,
    /// The head of the request does not come in time.
    #[error("the request took too long")]
    Slow,
    /// The head of the request is too long.
    #[error("the request is too long")]
    TooLong,
    /// The request is not HTTP, or has more than a head.
    #[error("the request is not understood: {0}")]
    Head(String),
    /// Another method than GET.
    #[error("only GET is served")]
    Method,
    /// A name of the server that is not allowed: a page of another site may be behind it.
    #[error("the name {0:?} is not served; --host {0} allows it")]
    Host(String),
    /// A page of another site.
    #[error("pages of {0:?} may not connect")]
    Origin(String),
    /// The token is missing or wrong.
    #[error("the address lacks the token that the program printed")]
    Token,
    /// There is no such page.
    #[error("there is nothing at this address")]
    Nothing,
    /// A request for frames that is no WebSocket handshake.
    #[error("this is no WebSocket handshake: {0}")]
    Handshake(String),
    /// Too many connections.
    #[error("too many connections")]
    Busy,
}

impl Refused {
    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Gone | Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::TooLong => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::Head(_) | Self::Handshake(_) => StatusCode::BAD_REQUEST,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Host(_) | Self::Origin(_) | Self::Token => StatusCode::FORBIDDEN,
            Self::Nothing => StatusCode::NOT_FOUND,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// The address that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    /// The page.
    Page,
    /// Frames.
    Frames,
}

/// Decides about requests.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub token: Token,
    /// Names of this server beside `localhost` and numbers.
    pub hosts: Vec<String>,
    /// Whether pages of other sites may have the page in a frame.
    pub embed: bool,
}

impl Guard {
    /// Judges a request.
    /// # Errors
    /// [`Refused`].
    pub fn admit(&self, request: &Request) -> Result<Wish, Refused> {
        let header = |name| request.headers().get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = header("host").unwrap_or("");
        if !self.is_known(name_of(host)) {
            return Err(Refused::Host(name_of(host).to_owned()));
        }
        // browsers send it with every handshake; programs have no pages
        if let Some(origin) = header("origin")
            && origin.split_once("://").is_none_or(|(_, authority)| !authority.eq_ignore_ascii_case(host))
        {
            return Err(Refused::Origin(origin.to_owned()));
        }
        let wish = match request.uri().path() {
            "/" => Wish::Page,
            "/frames" => Wish::Frames,
            _ => return Err(Refused::Nothing),
        };
        let given =
            request.uri().query().unwrap_or("").split('&').find_map(|pair| pair.strip_prefix("token="));
        if self.token.agrees(given.unwrap_or("")) { Ok(wish) } else { Err(Refused::Token) }
    }

    /// A name that no other site can have: a site whose name is made to point here still has its own name in
    /// the browser (DNS rebinding), but only a name can be pointed elsewhere.
    fn is_known(&self, name: &str) -> bool {
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        bare.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }
}

/// The name in `name:port`.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tungstenite::handshake::machine::TryParse;

    #[test]
    fn requests() {
        let token = Token::random().expect("random numbers");
        let guard = Guard { token: token.clone(), hosts: vec!["viz.example.org".into()], embed: false };
        let right = format!("/frames?token={}", token.secret());
        let page = format!("/?a=b&token={}", token.secret());
        let wrong = format!("/?token={}0", token.secret());
        let short = format!("/?token={}", &token.secret()[1..]);
        let refused_host = |name: &str| Err(Refused::Host(name.into()));
        let evil = || Err(Refused::Origin("http://evil.example".into()));
        for (path, headers, expected) in [
            (&right[..], "host: localhost:8080", Ok(Wish::Frames)),
            (&page, "host: 127.0.0.1:1", Ok(Wish::Page)),
            (&page, "host: [::1]:8080", Ok(Wish::Page)),
            (&page, "host: viz.example.org", Ok(Wish::Page)),
            (&right, "host: LOCALHOST:8080\r\norigin: http://localhost:8080", Ok(Wish::Frames)),
            (&right, "host: viz.example.org\r\norigin: https://viz.example.org", Ok(Wish::Frames)),
            (&right, "host: localhost:8080\r\norigin: http://evil.example", evil()),
            (&right, "host: localhost:8080\r\norigin: null", Err(Refused::Origin("null".into()))),
            (&right, "host: evil.example:8080", refused_host("evil.example")),
            (&right, "host: localhost.evil.example", refused_host("localhost.evil.example")),
            (&right, "accept: */*", refused_host("")),
            ("/frames", "host: localhost", Err(Refused::Token)),
            (&wrong, "host: localhost", Err(Refused::Token)),
            (&short, "host: localhost", Err(Refused::Token)),
            ("/?token=", "host: localhost", Err(Refused::Token)),
            ("/favicon.ico", "host: localhost", Err(Refused::Nothing)),
        ] {
            let head = format!("GET {path} HTTP/1.1\r\n{headers}\r\n\r\n");
            let (_, request) = Request::try_parse(head.as_bytes()).expect("HTTP").expect("complete");
            assert_eq!(guard.admit(&request), expected, "{head}");
        }
    }
}
