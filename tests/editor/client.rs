//! A client of rust-analyzer: as much of the language server protocol as the tests need.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// A language server with a project.
pub struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    last: u64,
    texts: BTreeMap<String, (String, u64)>,
}

impl Editor {
    /// Starts a server for the project that a file in `root` describes, and waits until it has read everything.
    pub fn open(root: &Path) -> Editor {
        let mut server = Command::new("rust-analyzer")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("rust-analyzer, which `rustup component add rust-analyzer rust-src` installs");
        let (input, output) = (server.stdin.take().expect("stdin"), server.stdout.take().expect("stdout"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut editor = Editor { server, input, messages, last: 0, texts: BTreeMap::new() };
        editor.ask(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": uri(root),
                "capabilities": {
                    "experimental": {"serverStatusNotification": true},
                    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
                },
                "initializationOptions": {
                    "linkedProjects": [root.join("rust-project.json")],
                    "checkOnSave": false,
                    "cachePriming": {"enable": false},
                },
            }),
        );
        editor.tell("initialized", &json!({}));
        let is_ready = |message: &Value| {
            message["method"] == "experimental/serverStatus" && message["params"]["quiescent"] == true
        };
        editor.wait(is_ready);
        editor
    }

    /// Shows a text to the server, or a change of it.
    pub fn show(&mut self, file: &Path, text: &str) {
        let uri = uri(file);
        let version = self.texts.get(&uri).map_or(1, |(_, version)| version + 1);
        let (method, params) = match version {
            1 => (
                "textDocument/didOpen",
                json!({"textDocument": {"uri": uri, "languageId": "rust", "version": 1, "text": text}}),
            ),
            _ => (
                "textDocument/didChange",
                json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}),
            ),
        };
        self.tell(method, &params);
        self.texts.insert(uri, (text.to_string(), version));
    }

    /// What is shown over the first token of `marker`, after so many others.
    pub fn hover(&mut self, file: &Path, marker: &str, nth: usize) -> String {
        let at = self.position(file, marker, nth, 0);
        let found = self.ask("textDocument/hover", &at);
        found["contents"]["value"].as_str().unwrap_or_default().to_string()
    }

    /// The files and lines, from 1 on, where the first token of `marker` is defined.
    pub fn definitions(&mut self, file: &Path, marker: &str, nth: usize) -> Vec<(String, u64)> {
        let at = self.position(file, marker, nth, 0);
        let found = self.ask("textDocument/definition", &at);
        let place = |it: &Value| {
            let line = it["range"]["start"]["line"].as_u64().unwrap_or_default() + 1;
            (it["uri"].as_str().unwrap_or_default().to_string(), line)
        };
        found.as_array().into_iter().flatten().map(place).collect()
    }

    /// The text after the first token of `marker` got another name.
    pub fn renamed(&mut self, file: &Path, marker: &str, nth: usize, name: &str) -> String {
        let mut params = self.position(file, marker, nth, 0);
        params["newName"] = json!(name);
        let found = self.ask("textDocument/rename", &params);
        let text = self.texts[&uri(file)].0.clone();
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let edits = found["documentChanges"].as_array().into_iter().flatten();
        let mut places: Vec<(usize, usize, usize)> = edits
            .flat_map(|change| change["edits"].as_array().into_iter().flatten())
            .map(|edit| {
                let at =
                    |end: &str, part: &str| edit["range"][end][part].as_u64().unwrap_or_default() as usize;
                (at("start", "line"), at("start", "character"), at("end", "character"))
            })
            .collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        for (line, start, end) in places {
            lines[line].replace_range(start..end, name);
        }
        lines.join("\n")
    }

    /// The completions at the end of `marker`.
    pub fn completions(&mut self, file: &Path, marker: &str) -> Vec<String> {
        let at = self.position(file, marker, 0, marker.len());
        let found = self.ask("textDocument/completion", &at);
        let items = found["items"].as_array().or_else(|| found.as_array()).cloned().unwrap_or_default();
        let name = |item: &Value| {
            let label = item["label"].as_str().unwrap_or_default();
            label.split(['(', ' ']).next().unwrap_or_default().to_string()
        };
        items.iter().map(name).collect()
    }

    /// The mistakes that the server finds by itself: line, from 1 on, and message.
    pub fn mistakes(&mut self, file: &Path) -> Vec<(u64, String)> {
        let found = self.ask("textDocument/diagnostic", &json!({"textDocument": {"uri": uri(file)}}));
        let items = found["items"].as_array().cloned().unwrap_or_default();
        let mistake = |item: &Value| {
            let line = item["range"]["start"]["line"].as_u64()? + 1;
            Some((line, item["message"].as_str()?.to_string())).filter(|_| item["severity"] == 1)
        };
        items.iter().filter_map(mistake).collect()
    }

    fn position(&self, file: &Path, marker: &str, nth: usize, further: usize) -> Value {
        let text = &self.texts[&uri(file)].0;
        let (start, _) = text.match_indices(marker).nth(nth).unwrap_or_else(|| panic!("{marker}"));
        let before = &text[..start + further];
        let (line, column) =
            (before.matches('\n').count(), before.len() - before.rfind('\n').map_or(0, |i| i + 1));
        json!({"textDocument": {"uri": uri(file)}, "position": {"line": line, "character": column}})
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        loop {
            self.last += 1;
            let id = self.last;
            self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
            let answer = self.wait(|message| message["id"] == id && message.get("method").is_none());
            // The text changed while the server worked.
            if answer["error"]["code"] != -32801 && answer["error"]["code"] != -32800 {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a server that listens");
        self.input.flush().expect("a server that listens");
    }

    /// The message that is wanted. What the server asks meanwhile is answered with nothing.
    fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("an answer");
            if let (Some(_), Some(id)) = (message.get("method"), message.get("id")) {
                let items = message["params"]["items"].as_array().map(|items| vec![Value::Null; items.len()]);
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": items}));
            }
            if is_wanted(&message) {
                return message;
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(found) = line.to_lowercase().strip_prefix("content-length:") {
            length = found.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
