//! Simulations on several processes: ranks, each of which computes some parts, and what they exchange.

mod message;
mod threads;

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Result};

pub use message::Message;

/// The processes of a simulation, of which this is one. Clones are the same rank.
///
/// [`Ranks::alone`] is a program of one process, and [`Ranks::in_threads`] starts threads of this one. The crate `lift-mpi` gives the ranks
/// of a program that MPI has started.
///
/// A kernel [`across`](crate::Launcher::across) ranks is computed by all of them, each of which has some rows of the arrays. The program is the
/// same on all ranks: it gives them the same arguments, and calls the same methods of the simulation in the same order. What it asks
/// for, all ranks get.
///
/// ```
/// use lift_runtime::Ranks;
///
/// let greetings = Ranks::in_threads(3, |ranks| format!("{} of {}", ranks.rank(), ranks.count()));
/// assert_eq!(greetings, ["0 of 3", "1 of 3", "2 of 3"]);
/// assert!(Ranks::alone().is_first());
/// ```
#[derive(Clone)]
pub struct Ranks(Arc<dyn Transport>);

/// How ranks exchange messages. Messages from one rank to another one arrive in the order in which they were sent.
///
/// A rank whose transport is dropped takes no further part. Who waits for it gets an error.
pub trait Transport: Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends each of these messages to the rank beside it, and waits for as many as are expected: from which rank, and memory of the length
    /// that the message has. A rank sends nothing to itself.
    ///
    /// # Errors
    ///
    /// [`Error::Ranks`] when a rank from which something is expected has ended, or sends something else.
    fn exchange(&self, messages: Vec<(usize, Message)>, expected: Vec<(usize, Message)>)
    -> Result<Exchanged>;
}

/// What comes of an exchange.
#[derive(Debug, Default)]
pub struct Exchanged {
    /// What was expected, in that order.
    pub received: Vec<Message>,
    /// Memory that was given and is not needed any more.
    pub free: Vec<Message>,
}

/// A process that is the only one.
struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(&self, _: Vec<(usize, Message)>, _: Vec<(usize, Message)>) -> Result<Exchanged> {
        Ok(Exchanged::default())
    }
}

impl Ranks {
    /// One rank: this process.
    #[must_use]
    pub fn alone() -> Ranks {
        Ranks::new(Alone)
    }

    /// The ranks that exchange messages in this way.
    pub fn new(transport: impl Transport + 'static) -> Ranks {
        Ranks(Arc::new(transport))
    }

    /// Calls the program on so many threads, each of which is a rank, and gives their results in the order of the ranks.
    ///
    /// This is to test programs: on one device, [`parts`](crate::Launcher::parts) need no copies through the host.
    ///
    /// # Panics
    ///
    /// If one of them does.
    pub fn in_threads<T: Send>(count: usize, program: impl Fn(&Ranks) -> T + Sync) -> Vec<T> {
        let program = &program;
        std::thread::scope(|scope| {
            let ranks = threads::connected(count.max(1)).into_iter();
            let started: Vec<_> = ranks.map(|rank| scope.spawn(move || program(&Ranks::new(rank)))).collect();
            let joined = started.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        })
    }

    /// The number of this rank, from 0.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.rank()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Whether this is rank 0, which writes files and messages for all.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// See [`Transport::exchange`].
    pub(crate) fn exchange(
        &self,
        messages: Vec<(usize, Message)>,
        expected: Vec<(usize, Message)>,
    ) -> Result<Exchanged> {
        if messages.is_empty() && expected.is_empty() {
            return Ok(Exchanged::default());
        }
        self.0.exchange(messages, expected)
    }

    /// What each rank has, in the order of the ranks. All ranks call it and get the same.
    ///
    /// Along a binomial tree to rank 0, and back: each rank waits for log(ranks) others at most.
    pub(crate) fn gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let (rank, count) = (self.rank(), self.count());
        // Those of the ranks from this one on, as far as they are known.
        let mut known = vec![own];
        let mut distance = 1;
        while distance < count {
            if rank & distance != 0 {
                self.send(rank - distance, pack(&known))?;
                break;
            }
            if rank + distance < count {
                known.extend(unpack(&self.receive(rank + distance)?));
            }
            distance *= 2;
        }
        // What rank 0 has goes the same way back.
        let all = if rank == 0 { pack(&known) } else { self.receive(rank - distance)? };
        let mut next = distance / 2;
        while next > 0 {
            if rank + next < count {
                self.send(rank + next, all.clone())?;
            }
            next /= 2;
        }
        Ok(unpack(&all))
    }

    /// The result, unless one of the ranks has none: then all get an error.
    pub(crate) fn agree<T>(&self, result: Result<T>) -> Result<T> {
        if self.count() == 1 {
            return result;
        }
        let problem = result.as_ref().map_or_else(ToString::to_string, |_| String::new());
        let problems = self.gather(problem.into_bytes())?;
        let failed = problems.iter().position(|problem| !problem.is_empty());
        match failed.filter(|_| result.is_ok()) {
            Some(rank) => {
                Err(Error::Ranks { rank, problem: String::from_utf8_lossy(&problems[rank]).into_owned() })
            }
            None => result,
        }
    }

    /// A message whose length the other side does not know.
    fn send(&self, to: usize, message: Vec<u8>) -> Result<()> {
        let length = (message.len() as u64).to_le_bytes().to_vec();
        self.exchange(vec![(to, length.into()), (to, message.into())], Vec::new()).map(drop)
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>> {
        let one = |bytes| {
            let exchanged = self.exchange(Vec::new(), vec![(from, vec![0; bytes].into())])?;
            Ok(exchanged.received.into_iter().next().map(Message::into_vec).unwrap_or_default())
        };
        let length = <[u8; 8]>::try_from(one(8)?).map(u64::from_le_bytes).unwrap_or(0);
        one(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.count())
    }
}

/// Several texts in one, each after its length.
pub(crate) fn pack(texts: &[Vec<u8>]) -> Vec<u8> {
    let mut all = Vec::with_capacity(texts.iter().map(|text| text.len() + 8).sum());
    for text in texts {
        all.extend((text.len() as u64).to_le_bytes());
        all.extend(text);
    }
    all
}

/// What was packed.
pub(crate) fn unpack(mut all: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    while let Some((length, rest)) = all.split_first_chunk::<8>() {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX).min(rest.len());
        let (text, rest) = rest.split_at(length);
        texts.push(text.to_vec());
        all = rest;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ranks_get_what_each_has() {
        for count in 1..=9 {
            let found = Ranks::in_threads(count, |ranks| ranks.gather(vec![7; ranks.rank()]).unwrap());
            let expected: Vec<Vec<u8>> = (0..count).map(|rank| vec![7; rank]).collect();
            assert!(found.iter().all(|found| *found == expected), "{count}");
        }
    }

    #[test]
    fn what_one_rank_cannot_do_no_rank_does() {
        let found = Ranks::in_threads(3, |ranks| {
            let own = match ranks.rank() {
                1 => Err(Error::NoDevice { failures: Vec::new() }),
                rank => Ok(rank),
            };
            ranks.agree(own).map_err(|error| error.to_string())
        });
        assert!(found.iter().all(|found| found.is_err()), "{found:?}");
        assert_eq!(found[0], found[2]);
        assert!(found[0].as_ref().is_err_and(|text| text.starts_with("rank 1: ")), "{found:?}");
        assert_eq!(Ranks::in_threads(3, |ranks| ranks.agree(Ok(3)).ok()), [Some(3); 3]);
    }
}
