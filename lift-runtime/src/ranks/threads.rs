//! Ranks that are threads of one process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex};

use super::{Exchanged, Message, Transport};
use crate::error::{Error, Result};

/// What ranks have sent to each other, and nobody has received.
#[derive(Default)]
struct Exchange {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// From which rank to which.
    messages: HashMap<(usize, usize), VecDeque<Message>>,
    /// Ranks that have ended.
    ended: Vec<bool>,
}

/// A rank.
pub(super) struct Thread {
    rank: usize,
    count: usize,
    exchange: Arc<Exchange>,
}

/// So many ranks that can exchange messages.
pub(super) fn connected(count: usize) -> Vec<Thread> {
    let exchange = Arc::new(Exchange::default());
    crate::lock(&exchange.state).ended = vec![false; count];
    (0..count).map(|rank| Thread { rank, count, exchange: Arc::clone(&exchange) }).collect()
}

impl Transport for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(
        &self,
        messages: Vec<(usize, Message)>,
        expected: Vec<(usize, Message)>,
    ) -> Result<Exchanged> {
        let mut state = crate::lock(&self.exchange.state);
        for (to, message) in messages {
            state.messages.entry((self.rank, to)).or_default().push_back(message);
        }
        self.exchange.changed.notify_all();
        let mut exchanged = Exchanged::default();
        for (from, memory) in expected {
            let message = loop {
                if let Some(message) =
                    state.messages.get_mut(&(from, self.rank)).and_then(VecDeque::pop_front)
                {
                    break message;
                }
                if state.ended.get(from).copied().unwrap_or(true) {
                    return Err(Error::rank_ended(from, self.rank));
                }
                let waiting = self.exchange.changed.wait(state);
                state = waiting.unwrap_or_else(std::sync::PoisonError::into_inner);
            };
            if message.len() != memory.len() {
                return Err(Error::rank_out_of_step(from, self.rank, message.len(), memory.len()));
            }
            // The message itself is handed over.
            exchanged.received.push(message);
            exchanged.free.push(memory);
        }
        Ok(exchanged)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        if let Some(ended) = crate::lock(&self.exchange.state).ended.get_mut(self.rank) {
            *ended = true;
        }
        self.exchange.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Ranks;
    use super::*;

    #[test]
    fn messages_arrive_in_order() {
        let sums = Ranks::in_threads(2, |ranks| {
            let other = 1 - ranks.rank();
            let messages = (0..5_u8).map(|i| (other, vec![i; usize::from(i)].into())).collect();
            let expected = (0..5).map(|bytes| (other, vec![0; bytes].into())).collect();
            let received = ranks.exchange(messages, expected).unwrap().received;
            received.into_iter().map(Message::into_vec).collect::<Vec<_>>()
        });
        assert_eq!(sums[0], [vec![], vec![1], vec![2, 2], vec![3, 3, 3], vec![4, 4, 4, 4]]);
        assert_eq!(sums[0], sums[1]);
    }

    #[test]
    fn nobody_waits_for_a_rank_that_has_ended() {
        let errors = Ranks::in_threads(3, |ranks| {
            // Rank 2 leaves at once.
            (ranks.rank() < 2)
                .then(|| ranks.exchange(Vec::new(), vec![(2, vec![0; 8].into())]).unwrap_err().to_string())
        });
        let expected = "rank 2: it has ended, but rank 0 waits for it; all ranks must make the same calls in the same order";
        assert_eq!(errors[0].as_deref(), Some(expected));
        assert!(errors[1].is_some() && errors[2].is_none());
    }

    #[test]
    fn other_messages_than_those_expected_are_an_error() {
        let errors = Ranks::in_threads(2, |ranks| match ranks.rank() {
            0 => ranks.exchange(vec![(1, vec![0; 3].into())], Vec::new()).map(drop),
            _ => ranks.exchange(Vec::new(), vec![(0, vec![0; 8].into())]).map(drop),
        });
        let text = errors[1].as_ref().unwrap_err().to_string();
        assert!(text.contains("3 bytes") && text.contains("8"), "{text}");
    }
}
