//! A browser that is driven over the DevTools protocol, on a pair of pipes and without any crate.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    /// Taken away to tell the browser to end.
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// The page's session, once there is one.
    session: Option<String>,
    last_id: u64,
    /// What was reported since the page was opened and not asked for.
    events: Vec<Value>,
    /// Its profile, which goes when the browser has ended.
    profile: PathBuf,
}

/// The longest that an answer may take; a browser that starts on a busy machine takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser that the variable names, else one of the usual names.
pub(crate) fn program() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("WIRELOCK_CHROMIUM") {
        let named = PathBuf::from(named);
        assert!(
            named.is_file(),
            "WIRELOCK_CHROMIUM is no file: {}",
            named.display()
        );
        return Some(named);
    }
    let path = std::env::var_os("PATH")?;
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let found = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found.into_iter().find(|file| file.is_file())
}

impl Browser {
    /// Starts it, with a profile of that name.
    pub(crate) fn start(program: &Path, name: &str) -> Self {
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("browser-{name}-{}", std::process::id()));
        // The protocol is spoken on descriptors 3 and 4, to which the shell moves the pipes.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(program)
            .args([
                "--headless",
                // A container is one sandbox already, and has no room for another one.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser");
        let to = process.stdin.take();
        let out = process.stdout.take().expect("a pipe");
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("a message");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            to,
            from,
            session: None,
            last_id: 0,
            events: Vec::new(),
            profile,
        };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.ask(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        self.events.clear();
        let url = format!("file://{}", file.display());
        let opened = self.ask("Page.navigate", json!({"url": url}));
        assert_eq!(opened.get("errorText"), None, "{opened}");
        self.wait_for("Page.loadEventFired");
    }

    /// The value of an expression of the page's own world.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let answer = self.ask(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        assert_eq!(
            answer.get("exceptionDetails"),
            None,
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// The width and height of the page, in CSS pixels, as a phone has it where it is narrow.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
    }

    /// What the page is told that its reader prefers: `light` or `dark`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.ask("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    }

    /// Whether pages that are opened from here on may run scripts.
    pub(crate) fn allow_scripts(&mut self, allow: bool) {
        self.ask(
            "Emulation.setScriptExecutionDisabled",
            json!({"value": !allow}),
        );
    }

    /// Presses a key and lets it go: `Tab`, `Enter`, `Space` or `Backspace`.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Backspace" => (8, ""),
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Space" => (32, " "),
            other => panic!("no such key: {other}"),
        };
        let event = |kind: &str, text: &str| {
            let key = if key == "Space" { " " } else { key };
            json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code})
        };
        self.ask("Input.dispatchKeyEvent", event("keyDown", text));
        self.ask("Input.dispatchKeyEvent", event("keyUp", ""));
    }

    /// Types text where the focus is.
    pub(crate) fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            let event = |kind: &str| json!({"type": kind, "text": letter, "key": letter});
            self.ask("Input.dispatchKeyEvent", event("keyDown"));
            self.ask("Input.dispatchKeyEvent", event("keyUp"));
        }
    }

    /// A picture of the first `height` pixels of the page, as PNG.
    pub(crate) fn picture(&mut self, width: u32, height: u32) -> Vec<u8> {
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let answer = self.ask(
            "Page.captureScreenshot",
            json!({"format": "png", "captureBeyondViewport": true, "clip": clip}),
        );
        let picture = answer["data"].as_str().expect("a picture");
        STANDARD.decode(picture).expect("base64")
    }

    /// Everything on the console, and each exception, since the page was opened.
    pub(crate) fn complaints(&mut self) -> Vec<Value> {
        // Whatever the page did before this was answered has been reported by then.
        self.value("0");
        let told = [
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
        ];
        let events = self.events.iter();
        let complaints = events.filter(|event| told.iter().any(|told| event["method"] == *told));
        complaints.cloned().collect()
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let to = self
            .to
            .as_mut()
            .expect("a browser that was not told to end");
        to.write_all(format!("{message}\0").as_bytes())
            .and_then(|()| to.flush())
            .expect("the browser listens");
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.next(method, until);
            if message["id"] == id {
                assert_eq!(message.get("error"), None, "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn wait_for(&mut self, event: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.events.iter().any(|known| known["method"] == event) {
            let message = self.next(event, until);
            self.events.push(message);
        }
    }

    fn next(&mut self, what: &str, until: Instant) -> Value {
        let left = until.saturating_duration_since(Instant::now());
        match self.from.recv_timeout(left) {
            Ok(message) => message,
            Err(error) => panic!(
                "{what}: {error}, and the browser is {:?}",
                self.process.try_wait()
            ),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its pipe, and takes its helpers along, which killing it would not.
        self.to = None;
        let until = Instant::now() + Duration::from_secs(10);
        while Instant::now() < until && matches!(self.process.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
