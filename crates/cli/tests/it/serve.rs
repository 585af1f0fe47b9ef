//! `ribbonmesh serve`.
use crate::common;
use common::{Folder, mesh};
use ribbonmesh_mesh::shapes;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

/// Ends the program in any case.
struct Running(Child);
impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a server");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

/// The address that a command prints.
fn address(folder: &Folder, command: &str) -> (Running, String) {
    let running =
        Running(folder.start(&format!("exec ribbonmesh {command} --port 0 --device cpu > url.txt")));
    let begin = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.path("url.txt")).unwrap_or_default();
        match text.strip_suffix('\n') {
            Some(url) => return (running, url.to_owned()),
            None => assert!(begin.elapsed() < Duration::from_secs(60), "no address"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_address_with_a_page() {
    let folder = Folder::new();
    folder.mesh("ball.ply", &mesh(shapes::icosphere(3).expect("small")));
    let (_running, url) = address(&folder, "serve ball.ply");
    let (address, query) =
        url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
    assert!(address.starts_with("127.0.0.1:") && query.starts_with("?token="), "{url}");
    assert!(get(address, &format!("/{query}")).starts_with("HTTP/1.1 200 OK"));
    assert!(get(address, "/").starts_with("HTTP/1.1 403"));
    // the port is taken
    let port = address.rsplit_once(':').expect("a port").1;
    let ran = folder.line(&format!("serve ball.ply --port {port}"));
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("cannot be bound") && ran.err.contains("--port"), "{}", ran.err);
}

#[test]
fn volumes() {
    let folder = Folder::new();
    assert_eq!(folder.line("volume generate hexahedra 2 -o block.vtu").status, 0);
    for command in ["serve block.vtu", "serve - --from vtu --turn-inverted < block.vtu"] {
        let (_running, url) = address(&folder, command);
        let (address, query) = url["http://".len()..].split_once('/').expect("an address");
        assert!(get(address, &format!("/{query}")).starts_with("HTTP/1.1 200 OK"));
        std::fs::remove_file(folder.path("url.txt")).expect("a file");
    }
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.write("points.obj", "v 0 0 0\nv 1 0 0\n");
    for (line, status, part) in [
        ("serve missing.ply --port 0", 1, "missing.ply"),
        ("serve points.obj --port 0", 3, "no faces"),
        ("serve points.obj --port 0 --report a.json", 2, "--report"),
        ("serve points.obj --port 70000", 2, "--port"),
        ("serve points.obj --port 0 --turn-inverted", 2, "--turn-inverted"),
        ("serve block.vtu --port 0 --format ply", 2, "--from"),
        ("serve block.vtu --port 0", 1, "block.vtu"),
        ("serve points.obj --bind somewhere", 2, "--bind"),
        ("serve points.obj --clients 0", 2, "--clients"),
    ] {
        let ran = folder.line(line);
        assert_eq!(ran.status, status, "{line}: {}", ran.err);
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
    }
}
