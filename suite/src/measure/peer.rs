//! Opponents that are programs of their own: they get a row's arrays, run it when they are told to, and say how long it took.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use lift::spec::ScalarType;

use super::{Result, Row, arrays};

/// A program that knows some of the rows. `suite/peers` says what it reads and writes.
pub struct Peer {
    name: String,
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts a program; the command has its arguments after spaces. The file that comes last names it.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &str) -> Result<Peer> {
        let failed = |error: std::io::Error| format!("{command}: {error}");
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("a peer is a command")?;
        let file = words.clone().next_back().unwrap_or(program);
        let name =
            file.rsplit('/').next().and_then(|file| file.split('.').next()).unwrap_or(file).to_string();
        let mut command = Command::new(program);
        // Threads that wait in a loop would take the processor from all others.
        if std::env::var_os("OMP_WAIT_POLICY").is_none() {
            command.env("OMP_WAIT_POLICY", "passive");
        }
        let mut process =
            command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (Some(to), Some(from)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("the program has no input and output".into());
        };
        Ok(Peer { name, process, to, from: BufReader::new(from) })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Gives it a row's arrays. Whether it knows the row.
    pub(super) fn prepare(&mut self, row: &Row, sizes: &[usize]) -> Result<bool> {
        let inputs = arrays::inputs(row, sizes)?;
        let lengths: Vec<usize> = inputs.iter().map(Vec::len).collect();
        let result = arrays::written_bytes(row.algorithmic.spec, sizes)?;
        let (sizes, scalars) = (words(sizes), words(row.algorithmic.scalars));
        let head = format!("prepare\t{}\t{sizes}\t{scalars}\t{}\t{result}", row.name, words(&lengths));
        if self.ask(&head)? != "yes" {
            return Ok(false);
        }
        for input in inputs {
            self.to.write_all(&input)?;
        }
        self.to.flush()?;
        match self.line()?.as_str() {
            "ready" => Ok(true),
            other => Err(format!("{}: {other}", self.name).into()),
        }
    }

    /// Runs the row, and says how long that took.
    pub(super) fn run(&mut self) -> Result<Duration> {
        let answer = self.ask("run")?;
        let nanoseconds = answer.parse().map_err(|_| format!("{}: {answer}", self.name))?;
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// What the last run wrote.
    pub(super) fn result(&mut self, row: &Row, sizes: &[usize]) -> Result<Vec<f64>> {
        writeln!(self.to, "result")?;
        self.to.flush()?;
        let mut bytes = vec![0; arrays::written_bytes(row.algorithmic.spec, sizes)?];
        self.from.read_exact(&mut bytes)?;
        let spec = row.algorithmic.spec;
        let elem = spec.results.first().map_or(ScalarType::F32, |result| result.elem);
        Ok(arrays::numbers(elem, &bytes))
    }

    fn ask(&mut self, line: &str) -> Result<String> {
        writeln!(self.to, "{line}")?;
        self.to.flush()?;
        self.line()
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            return Err(format!("{} has ended", self.name).into());
        }
        Ok(line.trim_end().to_string())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It is over, or ends now: either way there is nothing to do about it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn words<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}
