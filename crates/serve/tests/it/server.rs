//! The server over real connections.

use crate::client::{Served, Talk, looking};
use crate::sphere::Sphere;
use ribbonmesh_serve::stream::{Limits, Request};
use ribbonmesh_serve::{Options, Server};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

fn get(served: &Served, head: &str) -> String {
    let mut stream = TcpStream::connect(served.address).expect("a server");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = String::new();
    // a server that refuses may reset what it has not read
    _ = stream.read_to_string(&mut answer);
    answer
}

#[test]
fn the_page_and_refusals() {
    let served = Served::new(Sphere::still(), Options::default());
    let token = &served.token;
    assert!(served.address.ip().is_loopback());
    assert_eq!(served.url, format!("http://{}/?token={token}", served.address));
    let page = get(&served, &format!("GET /?token={token} HTTP/1.1\r\nhost: localhost\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("</html>\n"), "{page}");
    for header in [
        "default-src 'none'",
        "frame-ancestors 'self'",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(page.contains(header), "{header}");
    }
    assert!(!page.contains(token), "the page has no secret");
    // one file: nothing is loaded
    assert!(!page.contains("src=") && !page.contains("<link") && !page.contains("@import"));
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(9000));
    for (head, status) in [
        ("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n", "403"),
        ("GET /?token=0 HTTP/1.1\r\nhost: localhost\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n", "403"),
        ("GET /other HTTP/1.1\r\nhost: localhost\r\n\r\n", "404"),
        ("PUT / HTTP/1.1\r\nhost: localhost\r\n\r\n", "405"),
        ("nonsense\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nhost: localhost\r\n\r\nbody", "400"),
        (&format!("GET /frames?token={token} HTTP/1.1\r\nhost: localhost\r\n\r\n"), "400"),
        (&long, "431"),
    ] {
        let answer = get(&served, head);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head:.60}: {answer}");
        assert!(!answer.contains(&**token));
    }
}

#[test]
fn frames_of_other_sites() {
    let served = Served::new(Sphere::still(), Options { embed: true, ..Options::default() });
    let page = get(&served, &format!("GET /?token={} HTTP/1.1\r\nhost: localhost\r\n\r\n", served.token));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("default-src 'none'"), "{page}");
    assert!(!page.contains("frame-ancestors"), "{page}");
    let refused = get(&served, "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(refused.starts_with("HTTP/1.1 403 ") && refused.contains("frame-ancestors 'self'"), "{refused}");
}

#[test]
fn handshakes() {
    let options = Options { hosts: vec!["viz.example.org".into()], ..Options::default() };
    let served = Served::new(Sphere::still(), options);
    let refused = |headers: &[(&'static str, &str)], token: &str| {
        served.connect_with(headers, token).err().expect("no")
    };
    assert!(refused(&[], "").contains("403"));
    assert!(refused(&[], &served.token[1..]).contains("403"));
    assert!(refused(&[("origin", "https://evil.example")], &served.token).contains("403"));
    assert!(refused(&[("host", "evil.example")], &served.token).contains("403"));
    let proxy = [("host", "viz.example.org"), ("origin", "https://viz.example.org")];
    let mut talk = served.connect_with(&proxy, &served.token).expect("through a proxy");
    talk.begin();
    // a disc of radius 2 among 64 pixels for 5 units
    let disc = std::f64::consts::PI * (2.0 * 64.0 / 5.0_f64).powi(2);
    let count = talk.frame().count;
    assert!((f64::from(count) - disc).abs() < 20.0, "{count} pixels, {disc} expected");
}

#[test]
fn frames_and_answers() {
    let served = Served::new(Sphere { moves: true, plays: false, step: 3 }, Options::default());
    let mut talk = served.connect();
    talk.begin();
    let frame = talk.frame();
    assert_eq!((frame.query, frame.view, frame.step, frame.width), (1, 1, 3, 64));
    talk.say(json!({"query": 2, "expr": "mag(positoin)"}));
    let wrong = talk.text();
    assert_eq!((&wrong["at"], &wrong["length"]), (&json!(4), &json!(8)));
    talk.say(json!({"probe": 1, "query": 1, "view": 1, "pixel": [32, 32]}));
    let found = talk.text();
    assert!((found["position"][2].as_f64().expect("a number") - 2.0).abs() < 0.01, "{found}");
    talk.say(json!({"control": "step"}));
    assert_eq!(talk.text(), json!({"control": "step"}));
    assert_eq!(talk.frame().step, 4);
    talk.socket.send(Message::Ping(vec![1, 2].into())).expect("sent");
    assert_eq!(talk.socket.read().expect("a pong"), Message::Pong(vec![1, 2].into()));
    talk.socket.close(None).expect("closed");
    assert!(talk.end().contains("closed"), "both sides");
    assert_eq!(served.end().step, 4);
}

/// Clients that lie, stall or vanish, beside one that goes on.
#[test]
fn one_client_holds_up_no_other() {
    let limits = Limits { clients: 4, ..Limits::default() };
    let sphere = Sphere { moves: true, plays: true, step: 0 };
    let served = Served::new(sphere, Options { limits, ..Options::default() });
    let mut good = served.connect();
    good.begin();
    let mut last = 0;
    let mut go_on = |frames: usize| {
        for _ in 0..frames {
            let frame = good.frame();
            assert!(frame.step > last);
            last = frame.step;
            good.request(1, 1, 1);
        }
    };
    go_on(3);

    // it speaks nonsense
    let mut liar = served.connect();
    liar.socket.send(Message::text("{")).expect("sent");
    assert!(liar.end().contains("not understood"), "it is told why");
    // it sends what is too long, which ends the connection at the socket
    let mut long = served.connect();
    long.begin();
    _ = long.socket.send(Message::text("x".repeat(1 << 20)));
    go_on(2);
    // it asks for all frames, and reads none
    let mut lazy = served.connect();
    lazy.begin();
    lazy.say(looking(2, [4096, 4096]));
    let asking = Request { mode: 2, credits: 8, query: 1, view: 1 }.to_bytes().to_vec();
    let mut asked = 0;
    while lazy.socket.send(Message::binary(asking.clone())).is_ok() {
        go_on(1);
        asked += 1;
        assert!(asked < 500, "it is cut off when eight frames wait for it");
    }
    // it vanishes
    let mut gone = served.connect();
    gone.begin();
    drop(gone);
    go_on(3);
    // there are too many
    let all: Vec<_> = (0..3).map(|_| served.connect()).collect();
    std::thread::sleep(Duration::from_millis(100));
    let mut late = served.connect();
    assert!(late.end().contains("no more are served"), "it is told why");
    go_on(3);
    drop(all);

    // heads that do not come leave room for others
    let slow: Vec<_> = (0..10).map(|_| TcpStream::connect(served.address).expect("a server")).collect();
    go_on(3);
    drop(slow);
    assert!(served.end().step > 10);
}

#[test]
fn an_address_in_use() {
    let first = Served::new(Sphere::still(), Options::default());
    let options = Options { port: first.address.port(), ..Options::default() };
    let error = ribbonmesh_serve::Server::bind(options).err().expect("in use");
    assert!(error.to_string().contains("cannot be bound"), "{error}");
}

/// Words that a server says before it ends arrive, also if the client goes on talking; then the connection is
/// closed in order.
#[test]
fn the_last_words_of_a_server() {
    for _ in 0..20 {
        let mut server = Server::bind(Options::default()).expect("a port");
        let mut sphere = Sphere { moves: true, plays: false, step: 0 };
        let token = server.token().secret().to_owned();
        let mut talk = Talk::with(server.address(), &[], &token).expect("a handshake");
        talk.say(json!({"hello": 1}));
        for _ in 0..30 {
            talk.say(json!({"control": "step"}));
        }
        while sphere.step < 30 {
            server.poll(&mut sphere, Duration::from_millis(1));
        }
        drop(server);
        // nobody hears it
        talk.say(json!({"control": "step"}));
        assert_eq!(talk.text()["title"], "a sphere");
        for _ in 0..30 {
            assert_eq!(talk.text(), json!({"control": "step"}));
        }
        assert_eq!(talk.socket.read().expect("the end"), Message::Close(None));
    }
}

#[test]
fn the_end_of_a_server_ends_its_connections() {
    let served = Served::new(Sphere::still(), Options::default());
    let mut talk = served.connect();
    talk.begin();
    talk.frame();
    let address = served.address;
    served.end();
    assert!(talk.end().contains("error"));
    let begin = Instant::now();
    while TcpStream::connect(address).is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(10), "the port is free again");
        std::thread::sleep(Duration::from_millis(20));
    }
}
