//! Messages by MPI.
//!
//! MPI is used by one thread, which starts and ends it; others ask it over a channel. So nothing is promised of a library whose
//! communicators must not move between threads.

use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lift::{Error, Exchanged, Message, Result, Transport};
use mpi::Threading;
use mpi::point_to_point::Status;
use mpi::request::multiple_scope;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, MatchedReceiveVec, Source};

/// What belongs to a simulation, and what says that a rank takes no further part.
const DATA: i32 = 1;
const END: i32 = 2;

/// MPI counts the elements of a message in 32 bits.
const LONGEST: usize = 1 << 30;

/// A rank that waits for others looks without pause at first, then lets other threads go first, and then sleeps in between.
const SPIN: Duration = Duration::from_micros(200);
const YIELD: Duration = Duration::from_millis(20);
const PAUSE: Duration = Duration::from_micros(50);
/// So long after it has ended, a rank has received all that it was to receive.
const PATIENCE: Duration = Duration::from_secs(1);

/// Messages to other ranks or from them, each with its rank.
type Messages = Vec<(usize, Message)>;

/// What the thread is asked for.
enum Work {
    Exchange { messages: Messages, expected: Messages, answer: Sender<Result<Exchanged>> },
    Finish,
    Abort,
}

/// This rank.
pub(crate) struct Mpi {
    rank: usize,
    count: usize,
    work: Sender<Work>,
}

/// The thread that uses MPI.
pub(crate) struct Server {
    thread: JoinHandle<()>,
    work: Sender<Work>,
}

static RANK_ON_MACHINE: OnceLock<usize> = OnceLock::new();

/// How many of the ranks before this one are on the same machine.
pub(crate) fn rank_on_machine() -> usize {
    RANK_ON_MACHINE.get().copied().unwrap_or(0)
}

impl Mpi {
    /// Starts MPI on a thread of its own.
    pub(crate) fn start() -> std::result::Result<(Mpi, Server), String> {
        let ((work, inbox), (ready, started)) = (channel(), channel());
        let thread = std::thread::Builder::new().name("mpi".into()).spawn(move || {
            // Only this thread uses it.
            let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else { return };
            let world = universe.world();
            let machine = world.split_shared(world.rank());
            let _ = RANK_ON_MACHINE.set(usize::try_from(machine.rank()).unwrap_or(0));
            if ready.send([world.rank(), world.size()]).is_ok() {
                serve(&world, &inbox);
            }
            drop((machine, world, universe));
        });
        let thread = thread.map_err(|error| format!("there is no thread for MPI: {error}"))?;
        let Ok([rank, count]) = started.recv() else {
            return Err("MPI could not be started, or was started before".to_string());
        };
        let number = |n: i32| usize::try_from(n).unwrap_or(0);
        Ok((Mpi { rank: number(rank), count: number(count), work: work.clone() }, Server { thread, work }))
    }

    /// The number of this rank.
    pub(crate) fn own(&self) -> usize {
        self.rank
    }
}

impl Server {
    /// Ends MPI when all ranks do.
    pub(crate) fn finish(self) {
        let _ = self.work.send(Work::Finish);
        // If it panicked, that was said.
        let _ = self.thread.join();
    }

    /// Ends all ranks.
    pub(crate) fn abort(self) {
        let _ = self.work.send(Work::Abort);
        let _ = self.thread.join();
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&self, messages: Messages, expected: Messages) -> Result<Exchanged> {
        let gone = || Error::Ranks { rank: self.rank, problem: "MPI has ended there".to_string() };
        let (answer, answered) = channel();
        self.work.send(Work::Exchange { messages, expected, answer }).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

/// Does what it is asked for until it is asked to end.
fn serve(world: &SimpleCommunicator, inbox: &Receiver<Work>) {
    for work in inbox {
        match work {
            Work::Exchange { messages, expected, answer } => {
                exchange(world, inbox, (messages, expected), &answer);
            }
            Work::Finish => return finish(world),
            Work::Abort => world.abort(1),
        }
    }
}

/// Sends and receives messages, and answers.
fn exchange(
    world: &SimpleCommunicator,
    inbox: &Receiver<Work>,
    (messages, mut expected): (Messages, Messages),
    answer: &Sender<Result<Exchanged>>,
) {
    let parts = || messages.iter().flat_map(|(to, message)| pieces(message).map(move |piece| (*to, piece)));
    let mut sent = Vec::new();
    multiple_scope(parts().count(), |scope, requests| {
        for (to, piece) in parts() {
            requests.add(world.process_at_rank(number(to)).immediate_send_with_tag(scope, piece, DATA));
        }
        for (from, message) in &mut expected {
            let progress = || {
                // It is an error to ask when there is nothing left.
                if requests.incomplete() > 0 {
                    requests.test_some(&mut sent);
                }
            };
            if let Err(problem) = receive(world, *from, message, progress) {
                let _ = answer.send(Err(problem.clone()));
                // Messages may be under way that nobody will receive, so that MPI cannot be ended in order.
                refuse(world, inbox, &problem);
            }
        }
        let waiting = Waiting::new();
        while requests.incomplete() > 0 {
            requests.test_some(&mut sent);
            // Who has ended, and has not received by now what was sent, never will.
            if waiting.is_over() && requests.incomplete() > 0 {
                let has_ended =
                    |to: &usize| world.process_at_rank(number(*to)).immediate_probe_with_tag(END).is_some();
                if let Some(to) = messages.iter().map(|(to, _)| *to).find(has_ended) {
                    let problem = Error::rank_ended(to, number(world.rank()));
                    let _ = answer.send(Err(problem.clone()));
                    refuse(world, inbox, &problem);
                }
            }
            waiting.pause();
        }
    });
    drop(sent);
    let memory = |messages: Messages| messages.into_iter().map(|(_, message)| message).collect();
    // Who asked waits for the answer, or has ended.
    let _ = answer.send(Ok(Exchanged { received: memory(expected), free: memory(messages) }));
}

/// The pieces in which a message is sent: at least one.
fn pieces(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let first = message.is_empty().then_some(message);
    first.into_iter().chain(message.chunks(LONGEST))
}

/// The next message of a rank, which fills the memory. Others make progress meanwhile.
fn receive(
    world: &SimpleCommunicator,
    from: usize,
    message: &mut [u8],
    mut progress: impl FnMut(),
) -> Result<()> {
    let own = number(world.rank());
    let mut receive_piece = |piece: &mut [u8]| {
        let found = next(world, from, &mut progress).ok_or_else(|| Error::rank_ended(from, own))?;
        let (found, status) = found;
        let bytes = number(status.count(u8::equivalent_datatype()));
        if bytes != piece.len() {
            // What was found must be received.
            (found, status).matched_receive_vec::<u8>();
            return Err(Error::rank_out_of_step(from, own, bytes, piece.len()));
        }
        found.matched_receive_into(piece);
        Ok(())
    };
    if message.is_empty() {
        return receive_piece(message);
    }
    message.chunks_mut(LONGEST).try_for_each(receive_piece)
}

/// The next piece of a message from a rank, or nothing if it has ended.
fn next(
    world: &SimpleCommunicator,
    from: usize,
    progress: &mut impl FnMut(),
) -> Option<(mpi::point_to_point::Message, Status)> {
    let process = world.process_at_rank(number(from));
    let waiting = Waiting::new();
    loop {
        if let Some(found) = process.immediate_matched_probe_with_tag(DATA) {
            return Some(found);
        }
        progress();
        if waiting.is_long() && process.immediate_probe_with_tag(END).is_some() {
            // What it sent before it ended has arrived before.
            return process.immediate_matched_probe_with_tag(DATA);
        }
        waiting.pause();
    }
}

/// Nothing more can be exchanged. Ends all ranks when the program ends.
fn refuse(world: &SimpleCommunicator, inbox: &Receiver<Work>, problem: &Error) -> ! {
    for work in inbox {
        match work {
            Work::Exchange { answer, .. } => drop(answer.send(Err(problem.clone()))),
            Work::Finish | Work::Abort => break,
        }
    }
    world.abort(1)
}

/// Tells all other ranks that this one has ended, and waits until all have.
fn finish(world: &SimpleCommunicator) {
    let others = || (0..world.size()).filter(|rank| *rank != world.rank());
    for rank in others() {
        world.process_at_rank(rank).send_with_tag::<[u8]>(&[], END);
    }
    for rank in others() {
        let waiting = Waiting::new();
        while world.process_at_rank(rank).immediate_probe_with_tag(END).is_none() {
            waiting.pause();
        }
        world.process_at_rank(rank).receive_vec_with_tag::<u8>(END);
    }
}

/// Since when something is waited for.
struct Waiting(Instant);

impl Waiting {
    fn new() -> Waiting {
        Waiting(Instant::now())
    }

    fn is_long(&self) -> bool {
        self.0.elapsed() > YIELD
    }

    fn is_over(&self) -> bool {
        self.0.elapsed() > PATIENCE
    }

    fn pause(&self) {
        match self.0.elapsed() {
            elapsed if elapsed < SPIN => std::hint::spin_loop(),
            elapsed if elapsed < YIELD => std::thread::yield_now(),
            _ => std::thread::sleep(PAUSE),
        }
    }
}

/// Ranks are numbers of 32 bits for MPI.
fn number<A: TryInto<B>, B: Default>(rank: A) -> B {
    rank.try_into().unwrap_or_default()
}
