//! A headless browser, spoken to over pipes in the protocol of its developer tools.
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longest wait for an answer, and for a page.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// Everything that was not an answer.
    pub events: Vec<Value>,
    folder: TempDir,
}

/// Chromium or Chrome: the one that `RIBBONMESH_BROWSER` names, else one in `PATH` or in playwright's cache.
pub fn installed() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("RIBBONMESH_BROWSER") {
        return Some(named.into());
    }
    const NAMES: [&str; 6] = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome-headless-shell",
        "headless_shell",
    ];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
    if let Some(found) = in_path.into_iter().find(|program| program.is_file()) {
        return Some(found);
    }
    let cache = std::env::var_os("PLAYWRIGHT_BROWSERS_PATH").map(PathBuf::from);
    let cache = cache.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache/ms-playwright")))?;
    let releases = std::fs::read_dir(cache).ok()?.flatten();
    let folders =
        releases.flat_map(|release| std::fs::read_dir(release.path()).into_iter().flatten().flatten());
    let programs = folders.flat_map(|folder| {
        ["chrome", "headless_shell", "chrome-headless-shell"].map(|name| folder.path().join(name))
    });
    programs.into_iter().find(|program| program.is_file())
}

impl Browser {
    /// Starts a browser, with WebGL on the CPU; `None` if none is installed.
    pub fn start(more: &[&str]) -> Option<Self> {
        let Some(program) = installed() else {
            println!("skipped: no Chromium or Chrome on this machine");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder");
        // the browser reads from the third pipe and writes to the fourth
        let mut command = Command::new("sh");
        command.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null"]).arg(program);
        command.args(["--headless", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--hide-scrollbars"]);
        command.args(["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]);
        command.arg(format!("--user-data-dir={}", folder.path().display())).args(more);
        command.args(["--remote-debugging-pipe", "about:blank"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("a browser");
        let (sender, messages) = channel();
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            let mut bytes = vec![];
            while output.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
                bytes.pop();
                let Ok(message) = serde_json::from_slice(&bytes) else { break };
                bytes.clear();
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take();
        let mut browser = Self { process, input, messages, session: None, last: 0, events: vec![], folder };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        browser.session =
            browser.call("Target.attachToTarget", attach)["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }
    /// Asks for something and waits for the answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.as_mut().expect("a pipe").write_all(&bytes).expect("the browser listens");
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|e| panic!("{method}: {e}"));
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }
    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }
    /// Opens a page of that size and waits until it says that it is ready, or has failed.
    pub fn open(&mut self, page: &Path, width: u32, height: u32) -> String {
        self.visit(&format!("file://{}", page.display()), width, height)
    }
    /// As [`Browser::open`], of the page at an address.
    pub fn visit(&mut self, address: &str, width: u32, height: u32) -> String {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.events.clear();
        self.call("Page.navigate", json!({"url": address}));
        let start = Instant::now();
        loop {
            let state = self.value("document.documentElement?.dataset.state || ''");
            match state.as_str() {
                Some(state) if !state.is_empty() => return state.to_owned(),
                _ => assert!(start.elapsed() < PATIENCE, "the page is not ready"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    /// Waits until changes are drawn.
    pub fn settle(&mut self) {
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    /// Red, green, blue of an element's pixels, row by row, with the width and height.
    pub fn pixels(&mut self, element: &str) -> (Vec<[u8; 3]>, usize, usize) {
        self.settle();
        let place = self.value(&format!(
            "(({{x, y, width, height}}) => ({{x, y, width, height, scale: 1}}))\
             (document.querySelector('{element}').getBoundingClientRect())"
        ));
        let shot = self.call("Page.captureScreenshot", json!({"format": "png", "clip": place}));
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            shot["data"].as_str().expect("a picture"),
        );
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(bytes.expect("base64"))).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        let pixels = bytes.chunks_exact(info.color_type.samples()).map(|p| [p[0], p[1], p[2]]).collect();
        (pixels, info.width as usize, info.height as usize)
    }
    /// Drags with a button of the mouse from one place to another.
    pub fn drag(&mut self, button: &str, from: [f64; 2], to: [f64; 2]) {
        let buttons = if button == "right" { 2 } else { 1 };
        for (kind, [x, y], buttons) in
            [("mousePressed", from, buttons), ("mouseMoved", to, buttons), ("mouseReleased", to, 0)]
        {
            let event =
                json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }
    /// Puts fingers down, moves each to another place, and lifts them.
    pub fn touch(&mut self, from: &[[f64; 2]], to: &[[f64; 2]]) {
        let points = |places: &[[f64; 2]]| -> Value {
            places.iter().enumerate().map(|(id, [x, y])| json!({"x": x, "y": y, "id": id})).collect()
        };
        let steps = [("touchStart", points(from)), ("touchMove", points(to)), ("touchEnd", json!([]))];
        for (kind, points) in steps {
            self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
        }
    }
    /// Errors and warnings of the page since it was opened.
    pub fn complaints(&self) -> Vec<&Value> {
        let bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            _ => false,
        };
        self.events.iter().filter(bad).collect()
    }
    /// Addresses that the page has asked for.
    pub fn requests(&self) -> Vec<&str> {
        let sent = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.filter_map(|event| event["params"]["request"]["url"].as_str()).collect()
    }
    /// The folder of the browser's own files, in which pages may be written.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.input.take());
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
